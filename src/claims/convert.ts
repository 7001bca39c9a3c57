import type { ClaimConversion } from '../platform/database/column-types.ts'

const numberSyntax = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/
const truths: Readonly<Record<string, boolean>> = { true: true, '1': true, false: false, '0': false }

/**
 * A value in the form that a mapping asks for.
 *
 * @returns undefined for one that cannot be read so, and for null
 */
export function convert(value: unknown, as: ClaimConversion | undefined): unknown {
  if (value === undefined || value === null) return undefined
  switch (as) {
    case undefined:
      return value
    case 'string':
      return textOf(value)
    case 'number':
      return numberOf(value)
    case 'boolean':
      return booleanOf(value)
    case 'array':
      return Array.isArray(value) ? present(value) : [value]
    case 'first':
      return Array.isArray(value) ? present(value)[0] : value
    case 'join':
      return Array.isArray(value) ? joined(present(value)) : textOf(value)
    case 'lowercase':
      return Array.isArray(value) ? present(value).map(lowerCased) : lowerCased(value)
  }
}

const present = (list: readonly unknown[]) => list.filter((entry) => entry !== null)

const textOf = (value: unknown): string | undefined => (typeof value === 'object' ? undefined : String(value))

function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value !== 'string' || !numberSyntax.test(value.trim())) return undefined
  const number = Number(value)
  return Number.isFinite(number) ? number : undefined
}

function booleanOf(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const text = String(value).trim().toLowerCase()
  return Object.hasOwn(truths, text) ? truths[text] : undefined
}

/** Undefined also for an empty list: an empty text would be a value. */
function joined(list: readonly unknown[]): string | undefined {
  if (list.length === 0) return undefined
  const texts = list.map(textOf)
  return texts.includes(undefined) ? undefined : texts.join(',')
}

const lowerCased = (value: unknown) => (typeof value === 'string' ? value.toLowerCase() : value)
