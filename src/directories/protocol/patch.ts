import { isDeepStrictEqual } from 'node:util'
import { type AttributePath, readAttributePath } from './attribute-path.ts'
import { type Attribute, findExtension, type ResourceType } from './attributes.ts'
import { canonicalValue, isPrimary, withOnePrimary } from './canonical-value.ts'
import { invalidPath, invalidSyntax, invalidValue, notMutable, notRemovable, ScimError } from './errors.ts'
import { type Filter, parseFilter } from './filter.ts'
import { isObject, type Json, type JsonObject } from './json.ts'
import { matches } from './matches.ts'

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

/**
 * The operations of a PATCH (RFC 7644 §3.5.2). Entra writes `op` in any case, and some directories leave out `schemas`.
 *
 * @throws ScimError `invalidSyntax`
 */
export function readOperations(body: unknown): PatchOperation[] {
  const entries = isObject(body) ? Object.entries(body) : []
  const operations = entries.find(([name]) => name.toLowerCase() === 'operations')?.[1]
  if (!Array.isArray(operations) || operations.length === 0) throw invalidSyntax('Operations is a list with at least one operation')
  if (operations.length > operationsMax) throw invalidSyntax(`A request has at most ${operationsMax} operations`)
  return operations.map(readOperation)
}

function readOperation(sent: unknown): PatchOperation {
  if (!isObject(sent)) throw invalidSyntax('An operation is an object')
  const { op, path, value } = sent
  const verb = typeof op === 'string' ? op.toLowerCase() : ''
  if (verb !== 'add' && verb !== 'replace' && verb !== 'remove') throw invalidSyntax('op is add, replace or remove')
  if (path !== undefined && path !== null && typeof path !== 'string') throw invalidSyntax('path is a string')
  if (verb !== 'remove' && value === undefined) throw invalidValue(`The operation ${verb} needs a value`)
  return { op: verb, path: path === null || path === '' ? undefined : path, value }
}

/**
 * Carries the operations out, one after the other.
 *
 * @param resource as `canonicalResource` makes it, without unassigned attributes
 * @returns a new resource; the given one stays as it is
 * @throws ScimError when one of them cannot be carried out
 */
export function patched(resource: JsonObject, operations: readonly PatchOperation[], type: ResourceType): JsonObject {
  return operations.reduce<JsonObject>((current, operation) => afterOperation(current, operation, type), resource)
}

function afterOperation(resource: JsonObject, { op, path, value }: PatchOperation, type: ResourceType): JsonObject {
  if (path !== undefined) {
    if (findExtension(type, path))
      return op === 'remove' ? withoutExtension(resource, path, type) : afterMember(resource, path, value, op, type)
    const target = readTarget(path, type)
    if (target === 'unknown_schema') return resource
    if (target === 'unknown_attribute') throw invalidPath(`There is no attribute ${path}`)
    if (isReadOnly(target)) throw notMutable(path)
    if (target.attribute.mutability === 'writeOnly') return resource
    return changed(resource, target, op, value)
  }
  if (op === 'remove') throw new ScimError(400, 'noTarget', 'The operation remove needs a path')
  if (!isObject(value)) throw invalidValue('Without a path, the value is an object')
  return Object.entries(value).reduce<JsonObject>((current, [key, one]) => afterMember(current, key, one, op, type), resource)
}

/** Without a path, each member of the value names one. Entra writes whole paths there. Unknown members are ignored. */
function afterMember(resource: JsonObject, key: string, value: Json | undefined, op: 'add' | 'replace', type: ResourceType): JsonObject {
  const extension = findExtension(type, key)
  if (extension) {
    if (!isObject(value)) throw invalidValue(`${key} is an object`)
    return Object.entries(value).reduce<JsonObject>(
      (current, [name, one]) => afterMember(current, `${extension.id}:${name}`, one, op, type),
      resource,
    )
  }
  const target = readTarget(key, type)
  if (typeof target === 'string' || isReadOnly(target) || target.attribute.mutability === 'writeOnly') return resource
  return changed(resource, target, op, value)
}

const withoutExtension = (resource: JsonObject, urn: string, type: ResourceType) =>
  withMember(resource, findExtension(type, urn)?.id as string, undefined)

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
  if (!found.attribute.multiValued) throw invalidPath(`${found.attribute.name} is no list`)
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
  const given = canonicalValue(value, attribute)
  // Of an object, what the value does not name stays: RFC 7644 §3.5.2.1, §3.5.2.3.
  return isObject(stored) && isObject(given) ? { ...stored, ...given } : given
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
  return after.length > 0 ? after : undefined
}

/** The whole list. */
function changedList(stored: readonly Json[], { attribute }: Target, op: PatchOperation['op'], value: Json | undefined): readonly Json[] {
  // Entra removes values by naming them in place of a filter.
  if (op === 'remove') return value === undefined || value === null ? [] : without(stored, valuesOf(value, attribute))
  const given = valuesOf(value, attribute)
  if (op === 'replace') return given
  const added = given.filter((one) => !stored.some((other) => isDeepStrictEqual(one, other)))
  const all = [...stored, ...added]
  return withOnePrimary(all, added.findLast(isPrimary))
}

const valuesOf = (value: Json | undefined, attribute: Attribute) => (canonicalValue(value, attribute) ?? []) as readonly Json[]

function without(stored: readonly Json[], removed: readonly Json[]): readonly Json[] {
  const isNamed = (one: Json) =>
    removed.some((other) =>
      isObject(one) && isObject(other) && other.value !== undefined ? one.value === other.value : isDeepStrictEqual(one, other),
    )
  return stored.filter((one) => !isNamed(one))
}

/** Those values of a list that a filter selects, or all. */
function changedValues(stored: readonly Json[], target: Target, op: PatchOperation['op'], value: Json | undefined): readonly Json[] {
  const { attribute, filter } = target
  const isSelected = (one: Json) => !filter || (isObject(one) && matches(one, filter, attribute))
  if (op !== 'remove' && !stored.some(isSelected)) return [...stored, ...createdValue(target, value)]
  const after: Json[] = []
  let primary: Json | undefined
  for (const one of stored) {
    const changedOne = isSelected(one) ? changedValue(one as JsonObject, target, op, value) : one
    if (changedOne === undefined) continue
    after.push(changedOne)
    if (changedOne !== one && isPrimary(changedOne)) primary = changedOne
  }
  return withOnePrimary(after, primary)
}

function changedValue(
  stored: JsonObject,
  { attribute, subAttribute }: Target,
  op: PatchOperation['op'],
  value: Json | undefined,
): Json | undefined {
  if (op === 'remove') return subAttribute ? withoutMember(stored, subAttribute) : undefined
  if (subAttribute) {
    const after = changedMember(stored, subAttribute, value)
    return after?.[subAttribute.name] === undefined ? withoutMember(stored, subAttribute) : after
  }
  const [given] = valuesOf(value, attribute)
  return op === 'add' && isObject(given) ? { ...stored, ...given } : given
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
  if (!described) throw new ScimError(400, 'noTarget', `The filter selects no value of ${attribute.name}`)
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
