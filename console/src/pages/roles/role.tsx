import { PageTitle } from '../../parts/page-title.tsx'
import { shellTexts as t } from '../../texts/shell.ts'
import { PageHead } from '../../ui/page-head.tsx'

export function Role() {
  return (
    <>
      <PageTitle>{t.roles}</PageTitle>
      <PageHead title={t.roles} />
    </>
  )
}
