import { PageTitle } from '../../parts/page-title.tsx'
import { shellTexts as t } from '../../texts/shell.ts'
import { PageHead } from '../../ui/page-head.tsx'

export function Invitations() {
  return (
    <>
      <PageTitle>{t.invitations}</PageTitle>
      <PageHead title={t.invitations} />
    </>
  )
}
