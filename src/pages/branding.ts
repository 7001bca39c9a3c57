import type { OrganisationFace } from '../organisations/show-branding.ts'
import { hasPlainHost } from '../platform/http/plain-host.ts'
import { type Colour, parseColour } from './colour.ts'

/** An organisation's branding, as far as it may be put into a page. */
export interface Brand {
  name: string
  colour: Colour | undefined
  logoUrl: string | undefined
  faviconUrl: string | undefined
}

export function brandOf({ name, branding }: OrganisationFace): Brand {
  return {
    name,
    colour: parseColour(branding?.primaryColor),
    logoUrl: imageUrlOf(branding?.logoUrl),
    faviconUrl: imageUrlOf(branding?.faviconUrl),
  }
}

/** Pictures come by https alone, from a host that a policy can name; anything else that was stored is left out. */
export function imageUrlOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || !hasPlainHost(value)) return undefined
  const { protocol, href } = new URL(value)
  return protocol === 'https:' ? href : undefined
}
