import { cloneElement, type ReactElement, Suspense, useState } from 'react'
import { lazyNamed } from '../base/lazy-named.ts'
import type { MenuProps } from './menu-items.ts'

const load = () => import('./loaded-menu.tsx')
const closedOf = (trigger: ReactElement, more: object = {}) =>
  cloneElement(trigger, { 'aria-haspopup': 'menu', 'aria-expanded': false, ...more } as object)
const LoadedMenu = lazyNamed(load, 'LoadedMenu', ({ trigger }: MenuProps) => closedOf(trigger))

/** A menu whose code is loaded when its button gets the pointer or the focus, since most pages are left without opening one. */
export function Menu(props: MenuProps) {
  const [wasOpened, setOpened] = useState(false)
  // What is gone is told of, and left out, when it is opened.
  const preload = () => void load().catch(() => undefined)
  const closed = closedOf(props.trigger, { onPointerEnter: preload, onFocus: preload, onClick: () => setOpened(true) })
  if (!wasOpened) return closed
  return (
    <Suspense fallback={closed}>
      <LoadedMenu {...props} />
    </Suspense>
  )
}
