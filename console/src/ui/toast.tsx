import { lazy, type ReactNode, Suspense, useSyncExternalStore } from 'react'

export interface ToastMessage {
  title: string
  description?: ReactNode
  tone?: 'success' | 'danger' | 'neutral'
  action?: { label: string; onSelect: () => void }
  /** How long it stays, 6 s unless told; 0 stays until it is closed. */
  timeoutMilliseconds?: number
}

const LoadedToasts = lazy(async () => ({ default: (await import('./loaded-toasts.tsx')).LoadedToasts }))
const listeners = new Set<() => void>()
/** What was said before the code was there. */
const waiting: ToastMessage[] = []
let deliver: ((message: ToastMessage) => void) | undefined

let shown = 0

function show(message: ToastMessage): void {
  shown++
  if (deliver) {
    deliver(message)
    return
  }
  waiting.push(message)
  for (const listener of listeners) listener()
}

/** How many were shown. */
export const toastsShown = () => shown

/** Takes the messages from now on, and those that wait. */
export function deliverTo(next: (message: ToastMessage) => void): () => void {
  deliver = next
  for (const message of waiting.splice(0)) next(message)
  return () => {
    deliver = undefined
  }
}

const toasts = { show }

/** Shows what has happened, without taking the focus. */
export const useToast = () => toasts

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Where toasts appear: once in the shell, beside it. */
export function ToastRegion({ closeLabel, label }: { closeLabel: string; label: string }) {
  const isShown = useSyncExternalStore(subscribe, () => deliver !== undefined || waiting.length > 0)
  if (!isShown) return null
  return (
    <Suspense>
      <LoadedToasts closeLabel={closeLabel} label={label} />
    </Suspense>
  )
}
