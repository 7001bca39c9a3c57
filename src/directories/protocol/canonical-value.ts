import { hasControlCharactersBesidesLines } from '../../platform/text.ts'
import { type Attribute, findAttribute, findExtension, type ResourceType, topAttributes } from './attributes.ts'
import { invalidSyntax, invalidValue } from './errors.ts'
import { isObject, type Json, type JsonObject } from './json.ts'

/** How many values a list of a user may have. */
const valuesMax = 100

/**
 * A whole resource as it is stored: names as the schemas write them, booleans as booleans, what is unassigned left out. Unknown
 * attributes and schemas are ignored (RFC 7644 §3.3), and so is what is read-only.
 *
 * `null` and `[]` clear an attribute (RFC 7643 §2.5): both are `null` here, so that a replacement tells them from what was left out.
 *
 * @throws ScimError `invalidSyntax` or `invalidValue`
 */
export function canonicalResource(sent: unknown, type: ResourceType): JsonObject {
  if (!isObject(sent)) throw invalidSyntax('The body is not a JSON object')
  const found: Record<string, Json> = {}
  for (const [name, value] of Object.entries(sent)) {
    const extension = findExtension(type, name)
    const attribute = findAttribute(topAttributes(type), name)
    if (extension) found[extension.id] = membersOf(value, extension.attributes, extension.id)
    else if (attribute && isWritten(attribute)) found[attribute.name] = canonicalValue(value, attribute) ?? null
  }
  return found
}

/** A password is accepted, as directories send one, and goes nowhere. */
const isWritten = ({ mutability }: Attribute) => mutability !== 'readOnly' && mutability !== 'writeOnly'

function membersOf(value: Json | undefined, attributes: readonly Attribute[], name: string): JsonObject {
  if (value === null || value === undefined) return {}
  if (!isObject(value)) throw invalidValue(`${name} is an object`)
  const members: Record<string, Json> = {}
  for (const [memberName, member] of Object.entries(value)) {
    const attribute = findAttribute(attributes, memberName)
    if (attribute) members[attribute.name] = canonicalValue(member, attribute) ?? null
  }
  return members
}

/**
 * A value of an attribute as it is stored. A single value does for a list, and a string for an object that has a `value`.
 *
 * @returns undefined for what is unassigned: `null`, an empty string or list, an object without members
 * @throws ScimError `invalidValue`
 */
export function canonicalValue(sent: Json | undefined, attribute: Attribute): Json | undefined {
  if (sent === null || sent === undefined || sent === '') return undefined
  if (!attribute.multiValued) return singleValue(Array.isArray(sent) ? onlyOne(sent, attribute) : sent, attribute)
  const sentValues: readonly Json[] = Array.isArray(sent) ? sent : [sent as Json]
  if (sentValues.length > valuesMax) throw invalidValue(`${attribute.name} has at most ${valuesMax} values`)
  const values = sentValues.map((one) => singleValue(one, attribute)).filter((one) => one !== undefined)
  return values.length > 0 ? withOnePrimary(values, values.findLast(isPrimary)) : undefined
}

/** Entra sends a manager as a list of one. */
function onlyOne(values: readonly Json[], { name }: Attribute): Json {
  if (values.length > 1) throw invalidValue(`${name} has one value`)
  return values[0] ?? null
}

function singleValue(sent: Json, attribute: Attribute): Json | undefined {
  if (sent === null || sent === '') return undefined
  switch (attribute.type) {
    case 'boolean':
      return booleanOf(sent, attribute.name)
    case 'complex':
      return complexValue(sent, attribute)
    default:
      if (typeof sent !== 'string' && typeof sent !== 'number') throw invalidValue(`${attribute.name} is a string`)
      return textValue(String(sent), attribute.name)
  }
}

/** An address may have several lines (RFC 7643 §4.1.2), which Active Directory ends as Windows does. */
function textValue(sent: string, name: string): string {
  const text = sent.replaceAll(/\r\n?/g, '\n')
  if (hasControlCharactersBesidesLines(text)) throw invalidValue(`${name} has control characters`)
  return text
}

/** Entra sends booleans as strings. */
function booleanOf(sent: Json, name: string): boolean {
  if (typeof sent === 'boolean') return sent
  const word = typeof sent === 'string' ? sent.toLowerCase() : ''
  if (word !== 'true' && word !== 'false') throw invalidValue(`${name} is true or false`)
  return word === 'true'
}

function complexValue(sent: Json, { name, subAttributes = [] }: Attribute): Json | undefined {
  const hasValue = subAttributes.some((one) => one.name === 'value')
  if (!isObject(sent) && !(hasValue && typeof sent === 'string')) throw invalidValue(`${name} is an object`)
  const members: Record<string, Json> = {}
  for (const [memberName, member] of Object.entries(isObject(sent) ? sent : { value: sent })) {
    const attribute = findAttribute(subAttributes, memberName)
    const value = attribute && canonicalValue(member, attribute)
    if (attribute && value !== undefined) members[attribute.name] = value
  }
  return Object.keys(members).length > 0 ? members : undefined
}

export const isPrimary = (value: Json) => isObject(value) && value.primary === true

/** At most one value of a list is the primary one: RFC 7643 §2.4. */
export function withOnePrimary(values: readonly Json[], primary: Json | undefined): readonly Json[] {
  if (primary === undefined) return values
  return values.map((one) => (one !== primary && isObject(one) && isPrimary(one) ? { ...one, primary: false } : one))
}
