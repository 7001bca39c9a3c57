import type { ReactNode } from 'react'
import { createStore } from '../base/store.ts'

export interface ToastMessage {
  title: string
  description?: ReactNode
  tone?: 'success' | 'danger' | 'neutral'
  action?: { label: string; onSelect: () => void }
  /** The time for which it is shown, 6 s by default; 0 shows it until it is closed. */
  timeoutMilliseconds?: number
}

/** The messages from before the code that shows them was loaded. */
const waiting: ToastMessage[] = []
let deliver: ((message: ToastMessage) => void) | undefined

/** How many messages there were. */
export const toastCount = createStore(0)

export function show(message: ToastMessage): void {
  if (deliver) deliver(message)
  else waiting.push(message)
  toastCount.set(toastCount.get() + 1)
}

/** Delivers the pending messages, and all later ones. */
export function deliverTo(next: (message: ToastMessage) => void): () => void {
  deliver = next
  for (const message of waiting.splice(0)) next(message)
  return () => {
    deliver = undefined
  }
}
