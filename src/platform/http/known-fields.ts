import type { z } from 'zod'

/** The fields that an input may have. Undefined where anything is allowed: in a free-form object, or below a plain value. */
export type KnownFields = { fields: ReadonlyMap<string, KnownFields> } | { items: KnownFields } | undefined

/** A field that no schema names. */
export interface UnknownField {
  path: (string | number)[]
  /** The name that was probably meant. */
  nearest: string | undefined
}

/** The most unknown fields that are reported, since the client chose how many there are. */
const unknownFieldsMax = 100

/** The fields that a schema names, also within its objects and arrays. */
export function knownFieldsOf(schema: z.core.$ZodType): KnownFields {
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'object': {
      if (def.catchall) return undefined
      return { fields: new Map(Object.entries(def.shape).map(([name, field]) => [name, knownFieldsOf(field)])) }
    }
    case 'array': {
      const items = knownFieldsOf(def.element)
      return items && { items }
    }
    case 'union':
      return def.options.map(knownFieldsOf).reduce(eitherOf)
    case 'pipe':
      return knownFieldsOf(def.in)
    case 'optional':
    case 'nullable':
    case 'nonoptional':
    case 'default':
    case 'prefault':
    case 'catch':
    case 'readonly':
      return knownFieldsOf(def.innerType)
    default:
      return undefined
  }
}

/** The fields that either alternative of a union knows: a plain value says nothing of an object. */
function eitherOf(one: KnownFields, other: KnownFields): KnownFields {
  if (!one || !other) return one ?? other
  if ('fields' in one && 'fields' in other) return { fields: new Map([...one.fields, ...other.fields]) }
  return one
}

/** The unknown fields of an input, at most a hundred. */
export function unknownFieldsOf(input: unknown, known: KnownFields, ignored: ReadonlySet<string>): UnknownField[] {
  const found: UnknownField[] = []
  collect(input, known, [], found, ignored)
  return found
}

function collect(
  value: unknown,
  known: KnownFields,
  path: readonly (string | number)[],
  found: UnknownField[],
  ignored: ReadonlySet<string> | undefined,
): void {
  if (!known || typeof value !== 'object' || value === null || found.length >= unknownFieldsMax) return
  if ('items' in known) {
    if (Array.isArray(value)) for (const [index, item] of value.entries()) collect(item, known.items, [...path, index], found, undefined)
    return
  }
  if (Array.isArray(value)) return
  for (const name of Object.keys(value)) {
    const field = known.fields.get(name)
    if (field) collect((value as Record<string, unknown>)[name], field, [...path, name], found, undefined)
    else if (!known.fields.has(name) && !ignored?.has(name) && found.length < unknownFieldsMax) {
      found.push({ path: [...path, name], nearest: nearestOf(name, known.fields.keys()) })
    }
  }
}

const nameMax = 64
/** The names of inputs, by those that other APIs, or records of ours, use for the same. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  search: ['q'],
  query: ['q'],
  roles: ['roleIds'],
  teams: ['teamIds'],
  permissions: ['permissionIds'],
  expiresat: ['expiresInDays', 'expiresInHours'],
}
const plain = (name: string) => name.toLowerCase().replace(/[_-]/g, '')

/** The name that was probably meant: the same in another spelling, one or two letters away, or longer or shorter at the end. */
export function nearestOf(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length > nameMax) return undefined
  const asked = plain(name)
  const known = [...candidates]
  const ours = Object.hasOwn(otherNames, asked) ? otherNames[asked]?.find((one) => known.includes(one)) : undefined
  if (ours !== undefined) return ours
  let nearest: { candidate: string; distance: number } | undefined
  for (const candidate of known) {
    const offered = plain(candidate)
    const distance = distanceBetween(asked, offered)
    if (isNear(asked, offered, distance) && distance < (nearest?.distance ?? Number.POSITIVE_INFINITY)) nearest = { candidate, distance }
  }
  return nearest?.candidate
}

function isNear(asked: string, offered: string, distance: number): boolean {
  const shorter = Math.min(asked.length, offered.length)
  if (shorter >= 4 && (asked.startsWith(offered) || offered.startsWith(asked))) return true
  return distance < shorter && distance <= Math.max(1, Math.floor(shorter / 3))
}

/** The number of letters that have to be changed, added, left out or swapped with their neighbour (optimal string alignment). */
function distanceBetween(one: string, other: string): number {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, index) => index)]
  const at = (row: number, column: number) => rows[row]?.[column] ?? Number.POSITIVE_INFINITY
  for (let row = 1; row <= one.length; row++) {
    rows[row] = [row]
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1]
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      const steps = [at(row - 1, column) + 1, at(row, column - 1) + 1, at(row - 1, column - 1) + (isSame ? 0 : 1)]
      if (isSwapped) steps.push(at(row - 2, column - 2) + 1)
      rows[row]?.push(Math.min(...steps))
    }
  }
  return at(one.length, other.length)
}
