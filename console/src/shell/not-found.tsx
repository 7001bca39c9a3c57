import { Compass } from 'lucide-react'
import { EmptyState } from '../parts/empty-state.tsx'
import { shellTexts as t } from '../texts/shell.ts'
import { LinkButton } from '../ui/link.tsx'

export function NotFound() {
  return (
    <>
      <title>{t.titleOf(t.nothingHere)}</title>
      <EmptyState
        icon={Compass}
        title={t.nothingHere}
        description={t.nothingHereDescription}
        action={<LinkButton to="/">{t.toOverview}</LinkButton>}
      />
    </>
  )
}
