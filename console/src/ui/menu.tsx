import type { LucideIcon } from 'lucide-react'
import { cloneElement, lazy, type ReactElement, Suspense, useState } from 'react'

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

const load = () => import('./loaded-menu.tsx')
const LoadedMenu = lazy(async () => ({ default: (await load()).LoadedMenu }))

/** A menu whose code is loaded when its button gets the pointer or the focus, since most pages are left without opening one. */
export function Menu(props: MenuProps) {
  const [wasOpened, setOpened] = useState(false)
  const preload = () => void load()
  const closed = cloneElement(props.trigger as ReactElement<Record<string, unknown>>, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onPointerEnter: preload,
    onFocus: preload,
    onClick: () => setOpened(true),
  })
  if (!wasOpened) return closed
  return (
    <Suspense fallback={closed}>
      <LoadedMenu {...props} />
    </Suspense>
  )
}
