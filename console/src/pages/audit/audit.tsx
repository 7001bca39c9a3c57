import { PageTitle } from '../../parts/page-title.tsx'
import { shellTexts as t } from '../../texts/shell.ts'
import { PageHead } from '../../ui/page-head.tsx'

export function Audit() {
  return (
    <>
      <PageTitle>{t.audit}</PageTitle>
      <PageHead title={t.audit} />
    </>
  )
}
