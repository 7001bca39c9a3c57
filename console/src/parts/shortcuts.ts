import { useEffect, useSyncExternalStore } from 'react'
import { createStore } from '../base/store.ts'
import { preference } from './preferences.ts'

interface Shortcut {
  /** One key or a sequence of two: `c`, `/`, `g u`. */
  keys: string
  description: string
  run: () => void
}

const shortcuts = createStore<readonly Shortcut[]>([])
let pending = ''
let timer: ReturnType<typeof setTimeout> | undefined

/** Registers a key, or a sequence of two, while the component is shown. */
export function useShortcut(keys: string, description: string, run: (() => void) | undefined): void {
  useEffect(() => {
    if (!run) return undefined
    const shortcut = { keys, description, run }
    shortcuts.set([...shortcuts.get(), shortcut])
    return () => shortcuts.set(shortcuts.get().filter((one) => one !== shortcut))
  }, [keys, description, run])
}

/** All shortcuts that work now. */
export const useShortcuts = (): readonly Shortcut[] => useSyncExternalStore(shortcuts.subscribe, shortcuts.get)

/** Over the page. One that is closing counts as closed for the user. A notice has the same role, and lies beside the page. */
export const openDialog = ':is([role=dialog], [role=alertdialog]):not([data-closed], [data-toast])'

/** Of these, what may hold something that would be lost: not the palette and the navigation, which only lead to other pages. */
export const heldDialog = `${openDialog}:not([data-leads])`

/** Listens for single keys, except while the user types, is at a notice, or a dialog or menu is open (WCAG 2.2, 2.1.4). */
export function listenForShortcuts(): void {
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || preference('singleKeys') === 'off') return
    const target = event.target as HTMLElement
    if (
      target.closest(
        `input:not([type=checkbox]), textarea, select, [contenteditable], ${openDialog}, [data-toast], [role=menu]:not([data-closed]), [role=listbox]`,
      )
    )
      return
    const keys = pending ? `${pending} ${event.key}` : event.key
    clearTimeout(timer)
    pending = ''
    const found = shortcuts.get().findLast((shortcut) => shortcut.keys === keys)
    if (found) {
      event.preventDefault()
      found.run()
    } else if (shortcuts.get().some((shortcut) => shortcut.keys.startsWith(`${keys} `))) {
      pending = keys
      timer = setTimeout(() => {
        pending = ''
      }, 1500)
    }
  })
}
