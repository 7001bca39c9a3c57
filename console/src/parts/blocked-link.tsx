import type { ReactNode } from 'react'
import { ExternalLink } from '../ui/link.tsx'

/** Opens a page that the browser has blocked as a popup: a link is always allowed. It closes itself at the end, as the popup does. */
export function BlockedLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <ExternalLink href={href} rel="opener">
      {children}
    </ExternalLink>
  )
}
