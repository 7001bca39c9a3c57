import { type Colour, parseColour } from '../../shared/colour.ts'
import { isPictureAddress } from '../organisations/rules.ts'
import type { OrganisationBranding } from '../organisations/show-branding.ts'
import { hasPlainHost } from '../platform/http/plain-host.ts'

/** An organisation's branding, as far as it may be put into a page. */
export interface Brand {
  name: string
  colour: Colour | undefined
  logoUrl: string | undefined
  faviconUrl: string | undefined
}

export function brandOf({ name, branding }: Pick<OrganisationBranding, 'name' | 'branding'>, allowLoopback: boolean): Brand {
  return {
    name,
    colour: parseColour(branding?.primaryColor),
    logoUrl: imageUrlOf(branding?.logoUrl, allowLoopback),
    faviconUrl: imageUrlOf(branding?.faviconUrl, allowLoopback),
  }
}

/** The address of a picture that pages may show. A value that is no such picture, or has a host that a policy cannot name, is left out. */
export function imageUrlOf(value: unknown, allowLoopback: boolean): string | undefined {
  if (typeof value !== 'string' || !hasPlainHost(value) || !isPictureAddress(value, allowLoopback)) return undefined
  return new URL(value).href
}
