import { PageTitle } from '../../parts/page-title.tsx'
import { shellTexts as t } from '../../texts/shell.ts'
import { PageHead } from '../../ui/page-head.tsx'

export function Webhook() {
  return (
    <>
      <PageTitle>{t.webhooks}</PageTitle>
      <PageHead title={t.webhooks} />
    </>
  )
}
