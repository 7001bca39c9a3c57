import { Suspense, useSyncExternalStore } from 'react'
import { lazyNamed } from '../base/lazy-named.ts'
import { show, toastCount } from './toast-queue.ts'

const LoadedToasts = lazyNamed(() => import('./loaded-toasts.tsx'), 'LoadedToasts')

export const toastsShown = toastCount.get

const toasts = { show }

/** Shows a message without taking the focus. */
export const useToast = () => toasts

/** The region of toasts: once in the shell, beside the page. */
export function ToastRegion({ closeLabel, label }: { closeLabel: string; label: string }) {
  const isShown = useSyncExternalStore(toastCount.subscribe, toastCount.get) > 0
  if (!isShown) return null
  return (
    <Suspense>
      <LoadedToasts closeLabel={closeLabel} label={label} />
    </Suspense>
  )
}
