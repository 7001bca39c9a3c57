import type { Claims } from './presets.ts'

/** The value of a claim, by its name or by a JSON pointer (RFC 6901). */
export function claimAt(claims: Claims, name: string): unknown {
  if (!name.startsWith('/') || Object.hasOwn(claims, name)) return Object.hasOwn(claims, name) ? claims[name] : undefined
  let value: unknown = claims
  for (const part of name.slice(1).split('/')) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Record<string, unknown>)[key]
  }
  return value
}
