import type { LucideIcon } from 'lucide-react'
import type { ReactElement } from 'react'

export interface MenuAction {
  label: string
  icon?: LucideIcon
  onSelect?: () => void
  /** The page that the item opens instead. */
  href?: string
  danger?: boolean
  /** The reason why it is disabled, shown below the label. */
  disabledReason?: string
}

/** An item that is on or off. The menu stays open. */
export interface MenuChoice {
  label: string
  checked: boolean
  onCheckedChange: (checked: boolean) => void
}

export interface MenuProps {
  trigger: ReactElement
  items: (MenuAction | MenuChoice | 'separator')[]
  /** The accessible name of the menu. */
  label: string
}
