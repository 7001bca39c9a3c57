import { type AttributePath, readAttributePath } from './attribute-path.ts'
import { type Attribute, findAttribute, findExtension, isCoreUrn, type ResourceType, type Schema } from './attributes.ts'
import { canonicalValue, isPrimary, isUnassigned, requireFewValues, sentMembers, withMembers, withOnePrimary } from './canonical-value.ts'
import { invalidPath, invalidSyntax, invalidValue, mistake, notMutable, notRemovable, ScimError } from './errors.ts'
import { type Filter, parseFilter } from './filter.ts'
import { isObject, type Json, type JsonObject } from './json.ts'
import { comparable, matches } from './matches.ts'

export interface PatchOperation {
  op: 'add' | 'replace' | 'remove'
  path: string | undefined
  value: Json | undefined
}

/** Where an operation acts. */
interface Target extends AttributePath {
  filter: Filter | undefined
}

const operationsMax = 1_000
/** Of all texts of a resource while it is changed. What is stored is limited to fewer bytes. */
const charactersMax = 32 * 1024

/**
 * The operations of a PATCH (RFC 7644 §3.5.2). Entra writes `op` in any case, and some directories leave out `schemas`. Each member of a
 * value without a path counts as one.
 *
 * @throws ScimError `invalidSyntax`
 */
export function readOperations(body: unknown): PatchOperation[] {
  const entries = isObject(body) ? Object.entries(body) : []
  const operations = entries.find(([name]) => name.toLowerCase() === 'operations')?.[1]
  if (!Array.isArray(operations) || operations.length === 0) throw invalidSyntax('no-operations')
  if (operations.length > operationsMax) throw tooManyOperations()
  const read = operations.map(readOperation)
  if (read.reduce((total, { value }) => total + membersIn(value), 0) > operationsMax) throw tooManyOperations()
  return read
}

const tooManyOperations = () => invalidSyntax('too-many-operations', { expected: operationsMax })

/** Those of an object, and of the objects in it: the URN of a schema holds attributes. */
function membersIn(value: Json | undefined): number {
  if (!isObject(value)) return 1
  return Object.values(value).reduce<number>((total, one) => total + (isObject(one) ? Math.max(1, Object.keys(one).length) : 1), 0)
}

function readOperation(sent: unknown): PatchOperation {
  if (!isObject(sent)) throw invalidSyntax('operation-not-an-object')
  // Names are compared without case in messages, too: RFC 7643 §2.1.
  const [op, path, value] = ['op', 'path', 'value'].map((name) => Object.entries(sent).find(([key]) => key.toLowerCase() === name)?.[1])
  const verb = typeof op === 'string' ? op.toLowerCase() : ''
  if (verb !== 'add' && verb !== 'replace' && verb !== 'remove') throw invalidSyntax('unknown-operation')
  if (path !== undefined && path !== null && typeof path !== 'string') throw invalidSyntax('path-not-a-string')
  if (verb !== 'remove' && value === undefined) throw invalidValue('value-needed', { received: verb })
  return { op: verb, path: path === null || path === '' ? undefined : path, value }
}

/**
 * Carries the operations out, one after the other. Neither a list nor the resource may grow beyond its limit meanwhile, so that no
 * operation costs more than the first.
 *
 * @param resource as `canonicalResource` makes it, without unassigned attributes
 * @returns a new resource; the given one stays as it is
 * @throws ScimError when one of them cannot be carried out
 */
export function patched(resource: JsonObject, operations: readonly PatchOperation[], type: ResourceType): JsonObject {
  return operations.reduce<JsonObject>((current, operation) => afterOperation(current, operation, type), resource)
}

/** How many characters the texts of a value have. */
function charactersOf(value: Json | undefined): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce<number>((total, one) => total + charactersOf(one as Json), 0)
}

function afterOperation(resource: JsonObject, { op, path, value }: PatchOperation, type: ResourceType): JsonObject {
  if (path !== undefined) {
    const extension = findExtension(type, path)
    if (extension) return op === 'remove' ? withoutExtension(resource, extension) : afterMember(resource, path, value, op, type)
    if (isCoreUrn(type, path) && op !== 'remove') return afterMember(resource, path, value, op, type)
    const target = readTarget(path, type)
    if (target === 'unknown_schema') return resource
    if (target === 'unknown_attribute') throw invalidPath('unknown-attribute', { received: path })
    if (isReadOnly(target)) throw notMutable(path)
    if (target.attribute.mutability === 'writeOnly') return resource
    return changed(resource, target, op, value)
  }
  if (op === 'remove') throw new ScimError(400, 'noTarget', mistake('path-needed'))
  if (!isObject(value)) throw invalidValue('object-without-path')
  return Object.entries(value).reduce<JsonObject>((current, [key, one]) => afterMember(current, key, one, op, type), resource)
}

/** Without a path, each member of the value names one. Entra writes whole paths there. Unknown members are ignored. */
function afterMember(resource: JsonObject, key: string, value: Json | undefined, op: 'add' | 'replace', type: ResourceType): JsonObject {
  const extension = findExtension(type, key)
  if (extension && isUnassigned(value)) return withoutExtension(resource, extension)
  const schema = isCoreUrn(type, key) ? type.schema : extension
  if (schema) {
    if (!isObject(value)) throw invalidValue('not-an-object', { received: key })
    return Object.entries(value).reduce<JsonObject>(
      (current, [name, one]) => afterMember(current, `${schema.id}:${name}`, one, op, type),
      resource,
    )
  }
  const target = readTarget(key, type)
  if (typeof target === 'string' || isReadOnly(target) || target.attribute.mutability === 'writeOnly') return resource
  return changed(resource, target, op, value)
}

const withoutExtension = (resource: JsonObject, { id }: Schema) => withMember(resource, id, undefined)

const pathOfValues = /^([^[\]]+)\[(.*)\](?:\.([^[\].]+))?$/s

/**
 * Reads `attribute`, `attribute.sub`, `attribute[filter]` and `attribute[filter].sub`, each with or without a URN.
 *
 * @throws ScimError `invalidFilter` or `invalidPath`
 */
function readTarget(path: string, type: ResourceType): Target | 'unknown_schema' | 'unknown_attribute' {
  const [, list, filterText, subName] = pathOfValues.exec(path) ?? []
  if (list === undefined || filterText === undefined) {
    const found = readAttributePath(path, type)
    return typeof found === 'string' ? found : { ...found, filter: undefined }
  }
  const found = readAttributePath(subName === undefined ? list : `${list}.${subName}`, type)
  if (typeof found === 'string') return found
  if (!found.attribute.multiValued) throw invalidPath('not-a-list', { received: found.attribute.name })
  return { ...found, filter: parseFilter(filterText) }
}

const isReadOnly = ({ attribute, subAttribute }: Target) => attribute.mutability === 'readOnly' || subAttribute?.mutability === 'readOnly'

/** @throws ScimError `mutability` for the removal of what is required (RFC 7644 §3.5.2.2) */
function changed(resource: JsonObject, target: Target, op: PatchOperation['op'], value: Json | undefined): JsonObject {
  const { extension, attribute } = target
  if (op === 'remove' && attribute.required) throw notRemovable(attribute.name)
  const holder = extension ? ((resource[extension.id] ?? {}) as JsonObject) : resource
  const stored = holder[attribute.name]
  const after = attribute.multiValued
    ? afterChangeOfList((stored ?? []) as readonly Json[], target, op, value)
    : afterChangeOfSingle(stored, target, op, value)
  const characters = charactersOf(after)
  if (characters > charactersMax && characters > charactersOf(stored)) throw invalidValue('attributes-too-long')
  const holderAfter = withMember(holder, attribute.name, after)
  return extension ? withMember(resource, extension.id, Object.keys(holderAfter).length > 0 ? holderAfter : undefined) : holderAfter
}

function withMember(object: JsonObject, name: string, value: Json | undefined): JsonObject {
  const { [name]: _, ...others } = object
  return value === undefined ? others : { ...object, [name]: value }
}

function afterChangeOfSingle(
  stored: Json | undefined,
  { attribute, subAttribute }: Target,
  op: PatchOperation['op'],
  value: Json | undefined,
): Json | undefined {
  if (subAttribute) return changedMember((stored ?? {}) as JsonObject, subAttribute, op === 'remove' ? undefined : value)
  if (op === 'remove') return undefined
  if (!isObject(stored)) return canonicalValue(value, attribute)
  const members = sentMembers(value, attribute)
  return members && withMembers(stored, members)
}

/** An object with another value of one member, undefined when it has none left. */
function changedMember(object: JsonObject, subAttribute: Attribute, value: Json | undefined): JsonObject | undefined {
  const after = withMember(object, subAttribute.name, canonicalValue(value, subAttribute))
  return Object.keys(after).length > 0 ? after : undefined
}

function afterChangeOfList(
  stored: readonly Json[],
  target: Target,
  op: PatchOperation['op'],
  value: Json | undefined,
): readonly Json[] | undefined {
  const after = target.filter || target.subAttribute ? changedValues(stored, target, op, value) : changedList(stored, target, op, value)
  // A longer list of a former release may become shorter by and by.
  if (after.length > stored.length) requireFewValues(after, target.attribute)
  return after.length > 0 ? after : undefined
}

/** The whole list. */
function changedList(stored: readonly Json[], { attribute }: Target, op: PatchOperation['op'], value: Json | undefined): readonly Json[] {
  // Entra removes values by naming them in place of a filter.
  if (op === 'remove') return value === undefined || value === null ? [] : without(stored, valuesOf(value, attribute), attribute)
  const given = valuesOf(value, attribute)
  if (op === 'replace') return given
  const after = [...stored]
  const places = new Map<string, number>()
  const remember = (one: Json, place: number) => {
    for (const key of keysOf(one, attribute)) if (!places.has(key)) places.set(key, place)
  }
  for (const [place, one] of stored.entries()) remember(one, place)
  // Its place, since the same value may come once more and be joined with what has become of it.
  let primaryPlace: number | undefined
  for (const one of given) {
    const found = keysOfSame(one, attribute)
      .map((key) => places.get(key))
      .find((place) => place !== undefined)
    const place = found ?? after.push(one) - 1
    if (found === undefined) remember(one, place)
    else after[place] = joined(after[place] as Json, one)
    if (isPrimary(one)) primaryPlace = place
  }
  const primary = primaryPlace === undefined ? undefined : (after[primaryPlace] as Json)
  return withOnePrimary(after, primary !== undefined && isPrimary(primary) ? primary : undefined)
}

const valuesOf = (value: Json | undefined, attribute: Attribute) => (canonicalValue(value, attribute) ?? []) as readonly Json[]

/**
 * What a value of a list is known by: its text, and what it is for. The schema says whether case counts in the text. A value without a text of
 * its own, as a postal address is, is known by its members.
 */
function identityOf(one: Json, { subAttributes = [] }: Attribute): { text: string; type: string | undefined } {
  if (!isObject(one)) return { text: JSON.stringify(one), type: undefined }
  const { type: sentType, primary: _, ...members } = one
  const type = typeof sentType === 'string' ? sentType.toLowerCase() : undefined
  const attribute = findAttribute(subAttributes, 'value')
  const isText = attribute !== undefined && typeof members.value === 'string'
  return { text: isText ? `=${comparable(members.value as string, attribute)}` : JSON.stringify(Object.entries(members).sort()), type }
}

const anyType = 'any'
const keyOf = (text: string, type: string | undefined) => JSON.stringify([text, type ?? null])
const keyOfAny = (text: string) => JSON.stringify([text, anyType, anyType])

/** The keys under which a value is found, which are compared in place of values: so lists are compared in one pass. */
function keysOf(one: Json, attribute: Attribute): string[] {
  const { text, type } = identityOf(one, attribute)
  return [keyOf(text, type), keyOfAny(text)]
}

/** The keys of the same value. One that does not say what it is for is the same as one of any type. */
function keysOfSame(one: Json, attribute: Attribute): string[] {
  const { text, type } = identityOf(one, attribute)
  return type === undefined ? [keyOf(text, undefined), keyOfAny(text)] : [keyOf(text, type), keyOf(text, undefined)]
}

/** A value of a list to which the same one is added: what is there stays, and what it does not say yet joins it. */
function joined(stored: Json, added: Json): Json {
  if (!isObject(stored) || !isObject(added)) return stored
  const { value: _, type, primary, ...others } = added
  const isSaid = primary === true || (primary !== undefined && stored.primary !== undefined)
  return { ...stored, ...others, ...(stored.type === undefined && type !== undefined && { type }), ...(isSaid && { primary }) }
}

/** Without those that are named, of any type where no type is named. */
function without(stored: readonly Json[], removed: readonly Json[], attribute: Attribute): readonly Json[] {
  const named = new Set(removed.flatMap((one) => keysOfSame(one, attribute)))
  return stored.filter((one) => !keysOf(one, attribute).some((key) => named.has(key)))
}

/** Those values of a list that a filter selects, or all. */
function changedValues(stored: readonly Json[], target: Target, op: PatchOperation['op'], value: Json | undefined): readonly Json[] {
  const { attribute, filter } = target
  const selected = new Set(stored.filter((one) => !filter || (isObject(one) && matches(one, filter, attribute))))
  if (op !== 'remove' && selected.size === 0) {
    const created = createdValue(target, value)
    return withOnePrimary([...stored, ...created], created.find(isPrimary))
  }
  const change = op === 'remove' ? removalOf(target) : changeOf(target, op, value)
  const after: Json[] = []
  let primary: Json | undefined
  for (const one of stored) {
    const changedOne = selected.has(one) ? change(one as JsonObject) : one
    if (changedOne === undefined) continue
    after.push(changedOne)
    if (changedOne !== one && isPrimary(changedOne)) primary = changedOne
  }
  return withOnePrimary(after, primary)
}

/** What becomes of one value; undefined when it is removed. */
type ChangeOfValue = (stored: JsonObject) => Json | undefined

function removalOf({ subAttribute }: Target): ChangeOfValue {
  return (stored) => (subAttribute ? withoutMember(stored, subAttribute) : undefined)
}

/** What is given is read once, however many values it changes. */
function changeOf({ attribute, subAttribute }: Target, op: 'add' | 'replace', value: Json | undefined): ChangeOfValue {
  if (subAttribute) {
    const given = canonicalValue(value, subAttribute)
    return (stored) => (given === undefined ? withoutMember(stored, subAttribute) : withMember(stored, subAttribute.name, given))
  }
  if (op === 'replace') {
    const [given] = valuesOf(value, attribute)
    // An object of its own for each: one of them at most is the primary one.
    return () => (isObject(given) ? { ...given } : given)
  }
  const members = sentMembers(Array.isArray(value) ? value[0] : value, attribute)
  return (stored) => {
    const after = members && withMembers(stored, members)
    return after && !saysNothing(after) ? after : undefined
  }
}

/** A value that only says what it is for says nothing. */
function withoutMember(stored: JsonObject, subAttribute: Attribute): Json | undefined {
  const after = withMember(stored, subAttribute.name, undefined)
  return saysNothing(after) ? undefined : after
}

const saysNothing = (value: Json) => isObject(value) && Object.keys(value).every((name) => ['type', 'primary', 'display'].includes(name))

/**
 * What a path creates that selects nothing: a value as its filter describes it. RFC 7644 §3.5.2.3 refuses that for `replace`; Entra
 * relies on it.
 *
 * @throws ScimError `noTarget` when the filter describes no one value
 */
function createdValue({ attribute, subAttribute, filter }: Target, value: Json | undefined): readonly Json[] {
  const described = filter ? describedBy(filter) : {}
  if (!described) throw new ScimError(400, 'noTarget', mistake('nothing-selected', { received: attribute.name }))
  const given = subAttribute ? { [subAttribute.name]: value } : (valuesOf(value, attribute)[0] as JsonObject | undefined)
  return valuesOf({ ...described, ...given }, attribute).filter((one) => !saysNothing(one))
}

/** The members that a filter of `eq` alone asks for. */
function describedBy(filter: Filter): Record<string, Json> | undefined {
  if (filter.kind === 'compare' && filter.operator === 'eq') return { [filter.path]: filter.value }
  if (filter.kind !== 'and') return undefined
  const parts = filter.filters.map(describedBy)
  return parts.includes(undefined) ? undefined : Object.assign({}, ...parts)
}
