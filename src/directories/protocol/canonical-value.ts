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
  if (!isObject(sent)) throw invalidSyntax('body-not-an-object')
  const found: Record<string, Json> = {}
  for (const [name, value] of Object.entries(sent)) {
    const extension = findExtension(type, name)
    const attribute = findAttribute(topAttributes(type), name)
    if (extension) found[extension.id] = isUnassigned(value) ? null : membersOf(value, extension.attributes, extension.id)
    else if (attribute && isWritten(attribute)) found[attribute.name] = canonicalValue(value, attribute) ?? null
  }
  return found
}

/** A password is accepted, as directories send one, and goes nowhere. */
const isWritten = ({ mutability }: Attribute) => mutability !== 'readOnly' && mutability !== 'writeOnly'

/** Of an extension, as of an attribute, these say that it has no value: RFC 7643 §2.5. */
export const isUnassigned = (value: Json | undefined): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

function membersOf(value: Json | undefined, attributes: readonly Attribute[], name: string): JsonObject {
  if (!isObject(value)) throw invalidValue('not-an-object', { received: name })
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
  requireFewValues(sentValues, attribute)
  const values = sentValues.map((one) => singleValue(one, attribute)).filter((one) => one !== undefined)
  return values.length > 0 ? withOnePrimary(values, values.findLast(isPrimary)) : undefined
}

/** @throws ScimError `invalidValue` for more values than a list may have */
export function requireFewValues(values: readonly Json[], { name }: Attribute): void {
  if (values.length > valuesMax) throw invalidValue('too-many-values', { expected: valuesMax, received: name })
}

/** Entra sends a manager as a list of one. */
function onlyOne(values: readonly Json[], { name }: Attribute): Json {
  if (values.length > 1) throw invalidValue('one-value', { received: name })
  return values[0] ?? null
}

function singleValue(sent: Json, attribute: Attribute): Json | undefined {
  if (sent === null || sent === '') return undefined
  // Entra has written simple values as it writes references.
  if (attribute.type !== 'complex' && isBareValue(sent)) return singleValue(sent.value ?? null, attribute)
  switch (attribute.type) {
    case 'boolean':
      return booleanOf(sent, attribute.name)
    case 'complex':
      return complexValue(sent, attribute)
    default:
      if (typeof sent !== 'string' && typeof sent !== 'number') throw invalidValue('not-a-string', { received: attribute.name })
      return textValue(String(sent), attribute.name)
  }
}

const isBareValue = (sent: Json): sent is JsonObject =>
  isObject(sent) && sent.value !== undefined && Object.keys(sent).every((name) => name === 'value' || name === '$ref')

/** An address may have several lines (RFC 7643 §4.1.2), which Active Directory ends as Windows does. */
function textValue(sent: string, name: string): string {
  const text = sent.replaceAll(/\r\n?/g, '\n')
  if (hasControlCharactersBesidesLines(text)) throw invalidValue('control-characters', { received: name })
  return text
}

/** Entra sends booleans as strings. */
function booleanOf(sent: Json, name: string): boolean {
  if (typeof sent === 'boolean') return sent
  const word = typeof sent === 'string' ? sent.toLowerCase() : ''
  if (word !== 'true' && word !== 'false') throw invalidValue('not-a-boolean', { received: name })
  return word === 'true'
}

function complexValue(sent: Json, attribute: Attribute): Json | undefined {
  const members = membersOfComplex(sent, attribute)
  return assignedOf(members)
}

/** The members that an object names, those without a value as `null`. A string is its `value`. */
function membersOfComplex(sent: Json, { name, subAttributes = [] }: Attribute): JsonObject {
  const hasValue = subAttributes.some((one) => one.name === 'value')
  return membersOf(hasValue && typeof sent === 'string' ? { value: sent } : sent, subAttributes, name)
}

function assignedOf(members: JsonObject): JsonObject | undefined {
  const assigned = Object.entries(members).filter(([, value]) => value !== null)
  return assigned.length > 0 ? Object.fromEntries(assigned) : undefined
}

/**
 * The members that a change of an object names, those without a value as `null`.
 *
 * @param sent an object, or a list of one
 * @returns undefined for what is unassigned as a whole
 * @throws ScimError `invalidValue`
 */
export function sentMembers(sent: Json | undefined, attribute: Attribute): JsonObject | undefined {
  const one = Array.isArray(sent) ? onlyOne(sent, attribute) : sent
  return one === undefined || isUnassigned(one) ? undefined : membersOfComplex(one, attribute)
}

/**
 * A stored object after a change: what the change does not name stays (RFC 7644 §3.5.2.1, §3.5.2.3), and what it names without a value goes
 * (RFC 7643 §2.5).
 *
 * @returns undefined when the object has no member left
 */
export const withMembers = (stored: JsonObject, members: JsonObject): JsonObject | undefined => assignedOf({ ...stored, ...members })

export const isPrimary = (value: Json) => isObject(value) && value.primary === true

/** At most one value of a list is the primary one: RFC 7643 §2.4. */
export function withOnePrimary(values: readonly Json[], primary: Json | undefined): readonly Json[] {
  if (primary === undefined) return values
  return values.map((one) => (one !== primary && isObject(one) && isPrimary(one) ? { ...one, primary: false } : one))
}
