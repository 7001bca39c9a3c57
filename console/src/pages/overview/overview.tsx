import { PageTitle } from '../../parts/page-title.tsx'
import { shellTexts as t } from '../../texts/shell.ts'
import { PageHead } from '../../ui/page-head.tsx'

export function Overview() {
  return (
    <>
      <PageTitle>{t.overview}</PageTitle>
      <PageHead title={t.overview} />
    </>
  )
}
