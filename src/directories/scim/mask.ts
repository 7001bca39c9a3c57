import { isObject } from '../protocol/json.ts'

const masked = '***'
const itemsMax = 10

/** Members whose values say how a request is made, and nothing of a person. */
const plain = new Set([
  'schemas',
  'op',
  'scimType',
  'status',
  'detail',
  'resourceType',
  'totalResults',
  'startIndex',
  'itemsPerPage',
  'count',
])
/** Members that name attributes, and may hold values between quotation marks. */
const paths = new Set(['path', 'filter', 'attributes', 'excludedAttributes'])

/** Replaces the values in a filter or a path, of which the form stays. */
export const maskFilter = (text: string): string => text.replaceAll(/"(?:[^"\\]|\\.)*("|$)/gs, `"${masked}"`)

/** Replaces what a path names besides the resources that we have named ourselves. */
export function maskPath(path: string): string {
  const [first = '', endpoint = '', ...names] = path.split('/')
  return [first, endpoint, ...names.map((name) => (isHarmless(name) ? name : masked))].join('/')
}

const isHarmless = (text: string) => /^(?:(?:usr|grp|dir)_[0-9a-z]+|\.search|User|Group|urn:ietf:params:scim:[\w:.]+)$/.test(text)

/**
 * Replaces the values of a body, whose structure stays: what a directory sends wrongly is mostly its form. Truth values stay, as texts too,
 * and so do identifiers of ours.
 */
export function maskBody(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) {
    const shown = value.slice(0, itemsMax).map((one) => maskBody(one, name))
    return value.length > itemsMax ? [...shown, `… ${value.length - itemsMax} more`] : shown
  }
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([key, member]) => [maskFilter(key), maskBody(member, key)]))
  if (typeof value === 'boolean' || value === null) return value
  const text = String(value)
  if (plain.has(name)) return value
  if (paths.has(name)) return maskFilter(text)
  if (name === 'type') return /^[a-z]{1,20}$/i.test(text) ? value : masked
  return /^(?:true|false)$/i.test(text) || isHarmless(text) || text === '' ? value : masked
}
