import { cloneElement, type ReactElement, Suspense, useState } from 'react'
import { lazyNamed } from '../base/lazy-named.ts'
import type { MenuProps } from './menu-items.ts'

const load = () => import('./loaded-menu.tsx')
const LoadedMenu = lazyNamed(load, 'LoadedMenu')

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
