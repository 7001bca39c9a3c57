import { PageTitle } from '../../parts/page-title.tsx'
import { shellTexts as t } from '../../texts/shell.ts'
import { PageHead } from '../../ui/page-head.tsx'

export function TryReturn() {
  return (
    <>
      <PageTitle>{t.applications}</PageTitle>
      <PageHead title={t.applications} />
    </>
  )
}
