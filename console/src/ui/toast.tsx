import { lazy, type ReactNode, Suspense, useSyncExternalStore } from 'react'

export interface ToastMessage {
  title: string
  description?: ReactNode
  tone?: 'success' | 'danger' | 'neutral'
  action?: { label: string; onSelect: () => void }
  /** The time for which it is shown, 6 s by default; 0 shows it until it is closed. */
  timeoutMilliseconds?: number
}

const LoadedToasts = lazy(async () => ({ default: (await import('./loaded-toasts.tsx')).LoadedToasts }))
const listeners = new Set<() => void>()
/** The messages from before the code was loaded. */
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

export const toastsShown = () => shown

/** Delivers the pending messages, and all later ones. */
export function deliverTo(next: (message: ToastMessage) => void): () => void {
  deliver = next
  for (const message of waiting.splice(0)) next(message)
  return () => {
    deliver = undefined
  }
}

const toasts = { show }

/** Shows a message without taking the focus. */
export const useToast = () => toasts

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The region of toasts: once in the shell, beside the page. */
export function ToastRegion({ closeLabel, label }: { closeLabel: string; label: string }) {
  const isShown = useSyncExternalStore(subscribe, () => deliver !== undefined || waiting.length > 0)
  if (!isShown) return null
  return (
    <Suspense>
      <LoadedToasts closeLabel={closeLabel} label={label} />
    </Suspense>
  )
}
