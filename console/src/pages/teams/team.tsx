import { PageTitle } from '../../parts/page-title.tsx'
import { shellTexts as t } from '../../texts/shell.ts'
import { PageHead } from '../../ui/page-head.tsx'

export function Team() {
  return (
    <>
      <PageTitle>{t.teams}</PageTitle>
      <PageHead title={t.teams} />
    </>
  )
}
