import { hasControlCharacters, hasInvisibleCharacters, storableText } from '../../platform/text.ts'
import { claimAt, topClaimOf } from '../upstream/claims.ts'

const nameMax = 100
const valuesMax = 1_000

type Claims = Readonly<Record<string, unknown>>
type Mapping = Readonly<Record<string, string>>

export interface Person {
  firstName: string
  lastName: string
  phone?: string
}

/** The values that the identity provider gives; others are absent. A phone number is read only if the mapping names its claim. */
export function personIn(claims: Claims, mapping: Mapping): Partial<Person> {
  const phone = mapping.phone === undefined ? undefined : textAt(claims, mapping.phone)
  return { ...namesIn(claims, mapping), ...(phone !== undefined && { phone }) }
}

function namesIn(claims: Claims, mapping: Mapping): Partial<Person> {
  const given = textAt(claims, mapping.firstName ?? 'given_name')
  const family = textAt(claims, mapping.lastName ?? 'family_name')
  if (given !== undefined || family !== undefined) {
    return { ...(given !== undefined && { firstName: given }), ...(family !== undefined && { lastName: family }) }
  }
  const [firstName, ...others] = textAt(claims, 'name')?.split(/\s+/) ?? []
  return { ...(firstName && { firstName }), ...(others.length > 0 && { lastName: others.join(' ') }) }
}

/** A new user: missing names are derived from the address. */
export function newPersonFrom(claims: Claims, mapping: Mapping, email: string): Person {
  const [local = ''] = email.split('@')
  const [first = '', ...others] = local.split(/[._-]+/).filter((part) => part !== '')
  const firstName = capitalised(first || local)
  const lastName = capitalised(others.join(' ') || first || local)
  return { firstName, lastName, ...personIn(claims, mapping) }
}

/** The roles or teams that the claims give: each of the mappings whose value its claim has; of a list, the first 1,000 values are read. */
export function idsFrom<M extends { claim: string; value: string }>(
  claims: Claims,
  mapping: Mapping,
  mappings: readonly M[],
  idOf: (mapping: M) => string,
): string[] {
  const ids = mappings.filter(({ claim, value }) => valuesAt(claims, placeOf(claim, mapping)).has(value)).map(idOf)
  return [...new Set(ids)]
}

/** Where a claim that mappings name is: that of the groups may be elsewhere. */
const placeOf = (claim: string, { groups }: Mapping): string => (claim === 'groups' ? (groups ?? claim) : claim)

/** Whether a claim that mappings need has more values than are read. */
export const hasTooMany = (claims: Claims, mapping: Mapping, mappings: readonly { claim: string }[]): boolean =>
  mappings.some(({ claim }) => {
    const value = claimAt(claims, placeOf(claim, mapping))
    return Array.isArray(value) && value.length > valuesMax
  })

/**
 * Whether a claim that mappings need is missing because it would be too long: Microsoft Entra then sends a link to it. Treating it
 * as empty would remove the roles and teams that it gives.
 */
export const hasOverage = (claims: Claims, mapping: Mapping, mappings: readonly { claim: string }[]): boolean => {
  const elsewhere = claims._claim_names
  if (typeof elsewhere !== 'object' || elsewhere === null) return false
  return mappings.some(({ claim }) => {
    const place = placeOf(claim, mapping)
    return [place, topClaimOf(place)].some((name) => Object.hasOwn(elsewhere, name))
  })
}

function valuesAt(claims: Claims, name: string): Set<string> {
  const value = claimAt(claims, name)
  const values = Array.isArray(value) ? value.slice(0, valuesMax) : [value]
  return new Set(values.filter((one) => ['string', 'number', 'boolean'].includes(typeof one)).map(String))
}

function textAt(claims: Claims, name: string): string | undefined {
  const value = claimAt(claims, name)
  const text = typeof value === 'string' ? nameFrom(value) : ''
  return text === '' ? undefined : text
}

const nameFrom = (text: string) =>
  [...storableText(text, nameMax)]
    .filter((character) => !hasControlCharacters(character) && !hasInvisibleCharacters(character))
    .join('')
    .trim()

const capitalised = (text: string) => nameFrom(text.charAt(0).toUpperCase() + text.slice(1))
