import { plainName } from '../mails/names.ts'
import type { Tenant } from '../platform/database/database.ts'
import { hasPlainHost } from '../platform/http/plain-host.ts'
import type { Letterhead } from '../platform/mail/letter.ts'

const defaultColor = '#2f5bd7'

/** The service's own letterhead, for mails that show no organisation. */
export const serviceLetterhead: Letterhead = { name: 'Gatehouse', logoUrl: undefined, primaryColor: defaultColor }

/** The heading of an organisation's mails: its own branding as far as it has one. */
export function letterheadOf({ name, branding }: { name: string; branding: Record<string, unknown> | null }): Letterhead {
  return { name: plainName(name), logoUrl: webAddressOf(branding?.logoUrl), primaryColor: colorOf(branding?.primaryColor) ?? defaultColor }
}

export async function findLetterhead(tenant: Tenant): Promise<Letterhead> {
  return letterheadOf(await tenant.selectFrom('organisations').select(['name', 'branding']).executeTakeFirstOrThrow())
}

/** Branding is stored unchecked: only values that are safe in a mail are used. */
function webAddressOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || !hasPlainHost(value)) return undefined
  const { protocol, href } = new URL(value)
  return protocol === 'https:' || protocol === 'http:' ? href : undefined
}

function colorOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  if (/^#[0-9a-f]{6}$/i.test(value)) return value.toLowerCase()
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(value.toLowerCase())
  return short
    ? `#${short
        .slice(1)
        .map((digit) => digit + digit)
        .join('')}`
    : undefined
}
