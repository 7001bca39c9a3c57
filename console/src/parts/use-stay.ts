import { type ShouldBlockFn, useBlocker } from '@tanstack/react-router'
import type { FormEvent } from 'react'
import { isOfAnother } from '../base/hand-over.ts'
import { heldDialog } from './shortcuts.ts'

/**
 * Whether a navigation takes away what is at work on the page or open over it. A change of the search is the page's own: it closes a form
 * that was sent. A link of the page itself is meant; what lies below a dialog is not reached on purpose.
 */
export const leaves: (...args: Parameters<ShouldBlockFn>) => boolean = ({ action, ...navigation }) =>
  (action !== 'PUSH' && action !== 'REPLACE') || (leavesPage(navigation) && document.querySelector(heldDialog) !== null)

/** Whether a navigation leads to another page. */
export const leavesPage = ({ current, next }: Pick<Parameters<ShouldBlockFn>[0], 'current' | 'next'>): boolean =>
  current.pathname !== next.pathname

/**
 * Keeps the page, and asks before a reload or a closed tab, while something would be lost that cannot be had again.
 *
 * @param options.onPage whether it is on the page itself, which stays when only its search changes, rather than open over it
 */
export function useStay(wouldLose: () => boolean, { onPage = false }: { onPage?: boolean } = {}): void {
  useBlocker({
    shouldBlockFn: (navigation) => wouldLose() && (onPage ? leavesPage : leaves)(navigation),
    enableBeforeUnload: () => wouldLose() && !isOfAnother(),
  })
}

/** Whether an input to a form would be a loss: the text of a search is none, nor is one choice. */
export const isTyped = ({ target }: FormEvent): boolean =>
  target instanceof Element && !target.matches('[type=search], [type=radio], [role=combobox]')
