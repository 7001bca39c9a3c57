import type { Profile } from '../api/profile.ts'
import { shellTexts as t } from '../texts/shell.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Navigation } from './navigation.tsx'
import { OrganisationStatus } from './organisation-status.tsx'

interface NavigationDrawerProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  organisation: Profile['organisation']
  warnings: Record<string, string>
}

/** The navigation as a drawer, where there is no room for it beside the page. */
export function NavigationDrawer({ open, onOpenChange, organisation: { name, status }, warnings }: NavigationDrawerProps) {
  return (
    <Dialog
      drawer
      leads
      open={open}
      onOpenChange={onOpenChange}
      title={name}
      description={status !== 'active' && <OrganisationStatus status={status} />}
      closeLabel={t.close}
    >
      <Navigation warnings={warnings} onNavigate={() => onOpenChange(false)} />
    </Dialog>
  )
}
