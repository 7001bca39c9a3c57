import { PageTitle } from '../parts/page-title.tsx'
import { shellTexts as t } from '../texts/shell.ts'
import { LinkButton } from '../ui/link.tsx'
import { PageHead } from '../ui/page-head.tsx'

export function NotFound() {
  return (
    <>
      <PageTitle>{t.nothingHere}</PageTitle>
      <PageHead title={t.nothingHere} description={t.nothingHereDescription} />
      <div>
        <LinkButton to="/">{t.toOverview}</LinkButton>
      </div>
    </>
  )
}
