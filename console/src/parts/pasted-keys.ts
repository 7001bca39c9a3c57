import { privateKeyMembers } from '../../../shared/private-key-members.ts'
import type { Client } from '../api/clients.ts'
import { Problem } from '../api/problem.ts'

export type PublicKey = NonNullable<Client['jwks']>['keys'][number]

/**
 * Reads a set of keys, or one key, that was pasted. A private one is refused here: it must not leave the page.
 *
 * @param field where a mistake is shown
 * @throws Problem as the API refuses them
 */
export function readPastedKeys(text: string, field: string): PublicKey[] {
  const keys = keysIn(text)
  // What is not a key may have a private one anywhere in it.
  if (!keys?.every(isKey)) throw mistakeIn(field, 'key-unreadable')
  if (keys.some((key) => privateKeyMembers.some((member) => member in key))) throw mistakeIn(field, 'key-is-private')
  return keys
}

/** A mistake that the page finds, as the API would refuse it. */
function mistakeIn(field: string, reason: string): Problem {
  const errors = [{ path: field.split('.'), code: 'custom', message: reason, reason }]
  return new Problem({ code: reason, errors }, { status: 400, headers: new Headers() })
}

const isKey = (key: unknown): key is PublicKey => typeof key === 'object' && key !== null && 'kty' in key && typeof key.kty === 'string'

function keysIn(text: string): unknown[] | undefined {
  try {
    const pasted: unknown = JSON.parse(text)
    if (typeof pasted !== 'object' || pasted === null) return undefined
    const keys: unknown = 'keys' in pasted ? pasted.keys : [pasted]
    return Array.isArray(keys) ? keys : undefined
  } catch {
    return undefined
  }
}
