/** Where the value of a claim comes from: JSON pointers (RFC 6901) into what is known of a user, of their organisation and of their sign-in. */
export type Pointer =
  | { kind: 'user-metadata' | 'organisation-metadata'; path: readonly string[] }
  | { kind: 'identity'; claim: string }
  | { kind: 'user-teams' | 'user-roles' | 'organisation-slug' | 'session-acr' }

const whole: Readonly<Record<string, Pointer>> = {
  '/user/teams': { kind: 'user-teams' },
  '/user/roles': { kind: 'user-roles' },
  '/organisation/slug': { kind: 'organisation-slug' },
  '/session/acr': { kind: 'session-acr' },
}

/** @returns undefined for a text that is none of the pointers that mappings may have */
export function parsePointer(text: string): Pointer | undefined {
  if (Object.hasOwn(whole, text)) return whole[text]
  const [empty, base, part, ...rest] = text.split('/')
  if (empty !== '' || part === undefined || /~(?![01])/.test(text)) return undefined
  if (base === 'identity') return rest.length === 0 && part !== '' ? { kind: 'identity', claim: unescaped(part) } : undefined
  if (part !== 'metadata' || rest.length === 0) return undefined
  const path = rest.map(unescaped)
  if (base === 'user') return { kind: 'user-metadata', path }
  return base === 'organisation' ? { kind: 'organisation-metadata', path } : undefined
}

const unescaped = (token: string) => (token.includes('~') ? token.replaceAll('~1', '/').replaceAll('~0', '~') : token)

/** Whether what it points at is about the user, beyond what every token says. */
export const isAboutUser = (from: unknown): boolean =>
  typeof from === 'string' && (from.startsWith('/user/') || from.startsWith('/identity/'))

/** The value at a path of a JSON document; undefined when there is none. Positions in lists are digits without a leading zero. */
export function valueAt(document: unknown, path: readonly string[]): unknown {
  let value = document
  for (const token of path) {
    if (typeof value !== 'object' || value === null) return undefined
    if (Array.isArray(value)) {
      if (!/^(0|[1-9]\d*)$/.test(token)) return undefined
      value = value[Number(token)]
    } else value = Object.hasOwn(value, token) ? (value as Record<string, unknown>)[token] : undefined
  }
  return value
}
