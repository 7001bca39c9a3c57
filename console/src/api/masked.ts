import { privateKeyMembers } from '../../../shared/private-key-members.ts'

const mask = '••••••'

/** Returns the same value, with a mask in place of each field of one of these names, and of the private half of each JSON Web Key. */
export function masked(value: unknown, names: readonly string[] = []): unknown {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map((one) => masked(one, names))
  const secrets: readonly string[] = 'kty' in value ? [...names, ...privateKeyMembers] : names
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, secrets.includes(name) && !isEmpty(field) ? mask : masked(field, names)]),
  )
}

const isEmpty = (value: unknown) => value === null || value === undefined || value === ''
