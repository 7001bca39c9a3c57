import { shellTexts as t } from '../texts/shell.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Navigation } from './navigation.tsx'

interface NavigationDrawerProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  warnings: Record<string, string>
}

/** The navigation as a drawer, where there is no room for it beside the page. */
export function NavigationDrawer({ open, onOpenChange, title, warnings }: NavigationDrawerProps) {
  return (
    <Dialog drawer open={open} onOpenChange={onOpenChange} title={title} closeLabel={t.close}>
      <Navigation warnings={warnings} onNavigate={() => onOpenChange(false)} />
    </Dialog>
  )
}
