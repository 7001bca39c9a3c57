import { type ReactNode, Suspense, useState } from 'react'

/**
 * Renders a lazy dialog from its first opening on, so that the first page does not wait for its code. It stays rendered afterwards:
 * closing can be animated, and the focus returns.
 */
export function OnDemand({ open, children }: { open: boolean; children: ReactNode }) {
  const [wasOpened, setOpened] = useState(open)
  if (open && !wasOpened) setOpened(true)
  return wasOpened ? <Suspense>{children}</Suspense> : null
}
