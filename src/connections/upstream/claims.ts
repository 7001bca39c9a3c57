import type { Claims } from './presets.ts'

/** The value of a claim, by its name or by a JSON pointer (RFC 6901). */
export function claimAt(claims: Claims, name: string): unknown {
  if (!name.startsWith('/') || Object.hasOwn(claims, name)) return Object.hasOwn(claims, name) ? claims[name] : undefined
  let value: unknown = claims
  for (const key of keysIn(name)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Record<string, unknown>)[key]
  }
  return value
}

/** The claim in which the value of a name or a JSON pointer is. */
export const topClaimOf = (name: string): string => (name.startsWith('/') ? (keysIn(name)[0] ?? name) : name)

const keysIn = (pointer: string): string[] =>
  pointer
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
