import { PageTitle } from '../../parts/page-title.tsx'
import { shellTexts as t } from '../../texts/shell.ts'
import { PageHead } from '../../ui/page-head.tsx'

export function Diagnostic() {
  return (
    <>
      <PageTitle>{t.diagnostics}</PageTitle>
      <PageHead title={t.diagnostics} />
    </>
  )
}
