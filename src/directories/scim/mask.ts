import { isObject, type JsonObject } from '../protocol/json.ts'

const masked = '***'
const itemsMax = 10

const operators = new Set(['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'])
const literals = new Set(['true', 'false', 'null'])

/** A text between quotation marks of either kind, closed or not, a sign of the grammar, or a word. */
const token = /"(?:[^"\\]|\\.)*(?:"|$)|'(?:[^'\\]|\\.)*(?:'|$)|[()[\]]|[^\s()[\]"']+/gs
const attributeName = /^[a-z$][\w$:.-]*$/i
const partName = /^\.[a-z$][\w$]*$/i

/** What the grammar of filters has next: RFC 7644 §3.4.2.2. */
type Expected = 'attribute' | 'operator' | 'value' | 'conjunction'

/**
 * Replaces the values in a filter or a path, of which the form stays. What stands where the grammar has no name of an attribute and no word
 * of its own is a value, however it is written.
 */
export function maskFilter(text: string): string {
  let expected: Expected = 'attribute'
  return text.replaceAll(token, (found) => {
    const { shown, next } = read(found, expected)
    expected = next
    return shown
  })
}

function read(found: string, expected: Expected): { shown: string; next: Expected } {
  const word = found.toLowerCase()
  if (found === '(' || found === '[') return { shown: found, next: isBegun(found, expected) ? 'attribute' : 'value' }
  if (found === ')' || found === ']') return { shown: found, next: 'conjunction' }
  switch (expected) {
    case 'attribute':
      if (word === 'not') return { shown: found, next: 'attribute' }
      return { shown: attributeName.test(found) ? found : maskValue(found), next: 'operator' }
    case 'operator':
      if (operators.has(word) || /^[=<>!]{1,3}$/.test(word)) return { shown: found, next: 'value' }
      return { shown: word === 'pr' ? found : maskValue(found), next: 'conjunction' }
    case 'value':
      return { shown: literals.has(word) ? found : maskValue(found), next: 'conjunction' }
    case 'conjunction':
      if (word === 'and' || word === 'or') return { shown: found, next: 'attribute' }
      // Of a value path: `emails[type eq "work"].value`.
      if (partName.test(found)) return { shown: found, next: 'operator' }
      return { shown: maskValue(found), next: 'conjunction' }
  }
}

/** Whether a parenthesis is where a group, or the filter of a list, may begin. */
const isBegun = (found: string, expected: Expected) => expected === (found === '(' ? 'attribute' : 'operator')

/** With the quotation mark that it begins with: the wrong one is a frequent mistake. */
function maskValue(found: string): string {
  const mark = /^["']/.exec(found)?.[0] ?? ''
  return `${mark}${masked}${mark}`
}

/** Replaces what stands between quotation marks in a sentence. */
export const maskQuoted = (text: string): string => text.replaceAll(/"(?:[^"\\]|\\.)*("|$)/gs, `"${masked}"`)

const endpoints = new Set(['users', 'groups', 'serviceproviderconfig', 'resourcetypes', 'schemas', '.search', 'me', 'bulk'])

/** Replaces what a path names besides the endpoints and the resources that we have named ourselves. */
export const maskPath = (path: string): string =>
  path
    .split('/')
    .map((name) => (name === '' || endpoints.has(name.toLowerCase()) || isHarmless(name) ? name : masked))
    .join('/')

const isHarmless = (text: string) => /^(?:(?:usr|grp|dir)_[0-9a-z]+|\.search|User|Group|urn:ietf:params:scim:[\w:.]+)$/.test(text)

/** How the values of a member are shown that says how a request is made. */
type Shown = (text: string) => string
type ShownMembers = ReadonlyMap<string, Shown>

const fitting =
  (form: RegExp): Shown =>
  (text) =>
    form.test(text) ? text : masked
const oneWord = fitting(/^[a-z]{1,20}$/i)
const number = fitting(/^-?\d{1,15}$/)
const names: Shown = (text) => text.replaceAll(/[^\s,]+/g, (name) => (attributeName.test(name) ? name : masked))

/** At the top of a body. */
const ofResource: ShownMembers = new Map([['schemas', fitting(/^urn:[\w:.-]+$/i)]])
/** At the top of a message: RFC 7644 §3.4.2, §3.4.3, §3.12. */
const ofMessage: ShownMembers = new Map([
  ...ofResource,
  ['status', number],
  ['scimtype', oneWord],
  ['detail', maskQuoted],
  ['filter', maskFilter],
  ['attributes', names],
  ['excludedattributes', names],
  ['totalresults', number],
  ['startindex', number],
  ['itemsperpage', number],
  ['count', number],
])
/** Of an operation: RFC 7644 §3.5.2. */
const ofOperation: ShownMembers = new Map([
  ['op', oneWord],
  ['path', maskFilter],
])
const none: ReadonlyMap<string, Shown> = new Map()

const isMessage = ({ schemas }: JsonObject) =>
  Array.isArray(schemas) && schemas.some((one) => /^urn:ietf:params:scim:api:messages:/i.test(String(one)))

/**
 * Replaces the values of a body, whose structure stays: what a directory sends wrongly is mostly its form. Truth values stay, as texts too,
 * and so do identifiers of ours.
 *
 * @param options.isSearch whether it asks for a list, whatever it says of itself
 */
export function maskBody(body: unknown, { isSearch = false } = {}): unknown {
  if (!isObject(body)) return maskMember(body, '', none)
  const shown = isSearch || isMessage(body) ? ofMessage : ofResource
  return withMembers(body, (member, name) =>
    name.toLowerCase() === 'operations' && Array.isArray(member)
      ? firstOf(member, (one) => (isObject(one) ? maskObject(one, ofOperation) : maskMember(one, '', none)))
      : maskMember(member, name, shown),
  )
}

const maskObject = (object: JsonObject, shown: ShownMembers) => withMembers(object, (member, name) => maskMember(member, name, shown))

const withMembers = (object: JsonObject, mask: (member: unknown, name: string) => unknown) =>
  Object.fromEntries(Object.entries(object).map(([name, member]) => [maskFilter(name), mask(member, name)]))

function firstOf(list: readonly unknown[], mask: (one: unknown) => unknown): unknown[] {
  const shown = list.slice(0, itemsMax).map(mask)
  return list.length > itemsMax ? [...shown, `… ${list.length - itemsMax} more`] : shown
}

/** @param shown the members of its object that are shown, of whose values none is an object */
function maskMember(value: unknown, name: string, shown: ShownMembers): unknown {
  if (Array.isArray(value)) return firstOf(value, (one) => maskMember(one, name, shown))
  if (isObject(value)) return maskObject(value, none)
  if (typeof value === 'boolean' || value === null) return value
  const text = String(value)
  const show = shown.get(name.toLowerCase()) ?? (name === 'type' ? oneWord : undefined)
  if (show?.(text) === text) return value
  if (show) return show(text)
  return /^(?:true|false)$/i.test(text) || isHarmless(text) || text === '' ? value : masked
}
