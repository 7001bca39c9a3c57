import { useEffect, useSyncExternalStore } from 'react'
import { preference } from './preferences.ts'

interface Shortcut {
  /** `c`, `/`, `g u` */
  keys: string
  description: string
  run: () => void
}

let shortcuts: readonly Shortcut[] = []
const listeners = new Set<() => void>()
let pending = ''
let timer: ReturnType<typeof setTimeout> | undefined

/** A key, or two after one another, that does something while the component is shown. */
export function useShortcut(keys: string, description: string, run: (() => void) | undefined): void {
  useEffect(() => {
    if (!run) return undefined
    const shortcut = { keys, description, run }
    change([...shortcuts, shortcut])
    return () => change(shortcuts.filter((one) => one !== shortcut))
  }, [keys, description, run])
}

/** All that can be pressed now. */
export const useShortcuts = (): readonly Shortcut[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => shortcuts,
  )

function change(next: readonly Shortcut[]) {
  shortcuts = next
  for (const listener of listeners) listener()
}

/** Listens for single keys: not while something is typed, and not below a dialog or menu (WCAG 2.2, 2.1.4). */
export function listenForShortcuts(): void {
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || preference('singleKeys') === 'off') return
    const target = event.target as HTMLElement
    if (
      target.closest(
        // What is closing is gone for the person.
        'input:not([type=checkbox]), textarea, select, [contenteditable], :is([role=dialog], [role=alertdialog], [role=menu]):not([data-closed]), [role=listbox]',
      )
    )
      return
    const keys = pending ? `${pending} ${event.key}` : event.key
    clearTimeout(timer)
    pending = ''
    const found = shortcuts.findLast((shortcut) => shortcut.keys === keys)
    if (found) {
      event.preventDefault()
      found.run()
    } else if (shortcuts.some((shortcut) => shortcut.keys.startsWith(`${keys} `))) {
      pending = keys
      timer = setTimeout(() => {
        pending = ''
      }, 1500)
    }
  })
}
