import { PageTitle } from '../../parts/page-title.tsx'
import { shellTexts as t } from '../../texts/shell.ts'
import { PageHead } from '../../ui/page-head.tsx'

export function Organisation() {
  return (
    <>
      <PageTitle>{t.organisation}</PageTitle>
      <PageHead title={t.organisation} />
    </>
  )
}
