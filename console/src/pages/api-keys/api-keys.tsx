import { PageTitle } from '../../parts/page-title.tsx'
import { shellTexts as t } from '../../texts/shell.ts'
import { PageHead } from '../../ui/page-head.tsx'

export function ApiKeys() {
  return (
    <>
      <PageTitle>{t.apiKeys}</PageTitle>
      <PageHead title={t.apiKeys} />
    </>
  )
}
