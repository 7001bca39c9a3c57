import { cutText } from '../../platform/text.ts'
import { invalidValue } from './errors.ts'
import { isObject, type Json, type JsonObject } from './json.ts'

/** What of a SCIM user is ours. */
export interface UserValues {
  userName: string
  externalId: string | null
  /** In lower case. Whether it may be the account's is for the organisation's domains to say. */
  email: string
  firstName: string
  lastName: string
  phone: string | null
  isActive: boolean
  /** The values of `roles`, as sent. */
  roles: readonly string[]
}

/** As the API takes names and numbers: users set theirs themselves, and a value that is too long here would keep them from being deactivated. */
const textMax = 255
/** Of a name that is made from another attribute. */
const madeNameMax = 100
const identifierMax = 256

/**
 * Reads what is ours of a user.
 *
 * @param resource as `canonicalResource` makes it
 * @throws ScimError `invalidValue`
 */
export function userValues(resource: JsonObject): UserValues {
  const userName = textOf(resource.userName, 'userName', identifierMax)
  if (userName === undefined) throw invalidValue('required', { expected: 'userName' })
  const email = addressOf(resource, userName)
  const name = (resource.name ?? {}) as JsonObject
  const [first, last] = splitName(
    trimmedOf(resource.displayName, 'displayName', 2 * textMax) ?? trimmedOf(name.formatted, 'name.formatted', 2 * textMax),
  )
  return {
    userName,
    externalId: textOf(resource.externalId, 'externalId', identifierMax) ?? null,
    email,
    firstName:
      trimmedOf(name.givenName, 'name.givenName', textMax) ?? first ?? cutText(email.slice(0, email.lastIndexOf('@')), madeNameMax),
    lastName: trimmedOf(name.familyName, 'name.familyName', textMax) ?? last ?? '',
    phone: trimmedOf(chosen(resource.phoneNumbers, ['mobile', 'work']), 'phoneNumbers', textMax) ?? null,
    isActive: resource.active !== false,
    roles: listOf(resource.roles).flatMap(({ value }) => (typeof value === 'string' ? [value] : [])),
  }
}

/** The main address, else the one at work, else the first, else the name when it is an address. */
function addressOf(resource: JsonObject, userName: string): string {
  const emails = listOf(resource.emails)
  const chosenOne = emails.find(({ primary }) => primary === true)?.value ?? chosen(resource.emails, ['work'])
  const address = typeof chosenOne === 'string' ? chosenOne : userName
  if (!/^[^\s@]+@[^\s@]+$/.test(address)) throw invalidValue('no-address')
  return address.toLowerCase()
}

/** The value of the first of these types, else the first value. What has none, as when only its type was sent, does not count. */
function chosen(list: Json | undefined, types: readonly string[]): Json | undefined {
  const values = listOf(list).filter(({ value }) => value !== undefined)
  const ofType = (type: string) => values.find((one) => typeof one.type === 'string' && one.type.toLowerCase() === type)
  return (types.map(ofType).find((one) => one !== undefined) ?? values[0])?.value
}

const listOf = (list: Json | undefined): JsonObject[] => (Array.isArray(list) ? list.filter(isObject) : [])

function textOf(value: Json | undefined, name: string, lengthMax: number): string | undefined {
  if (typeof value !== 'string') return undefined
  if (value.length > lengthMax) throw invalidValue('too-long', { expected: lengthMax, received: name })
  return value
}

/** White space alone is no value. */
const trimmedOf = (value: Json | undefined, name: string, lengthMax: number): string | undefined =>
  textOf(value, name, lengthMax)?.trim() || undefined

/** The last word is the last name. */
function splitName(whole: string | undefined): [string | undefined, string | undefined] {
  if (whole === undefined) return [undefined, undefined]
  const words = whole.split(/\s+/)
  const last = words.length > 1 ? words.pop() : undefined
  return [cutText(words.join(' '), madeNameMax), last && cutText(last, madeNameMax)]
}
