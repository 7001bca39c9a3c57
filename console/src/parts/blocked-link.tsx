import type { ReactNode } from 'react'
import { ExternalLink } from '../ui/link.tsx'

/** Opens what the browser has blocked as a window: a link always may. It closes itself at the end, as the window does. */
export function BlockedLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <ExternalLink href={href} rel="opener">
      {children}
    </ExternalLink>
  )
}
