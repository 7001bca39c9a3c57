import { PageTitle } from '../../parts/page-title.tsx'
import { shellTexts as t } from '../../texts/shell.ts'
import { PageHead } from '../../ui/page-head.tsx'

export function Explain() {
  return (
    <>
      <PageTitle>{t.explain}</PageTitle>
      <PageHead title={t.explain} />
    </>
  )
}
