import { readAttributePath } from './attribute-path.ts'
import { groupType, isCoreUrn } from './attributes.ts'
import { canonicalValue } from './canonical-value.ts'
import { invalidPath, invalidValue, mistake, notMutable, notRemovable, ScimError } from './errors.ts'
import type { Filter } from './filter.ts'
import { parseFilter } from './filter.ts'
import { isObject, type Json } from './json.ts'
import type { PatchOperation } from './patch.ts'

/**
 * What a PATCH does to a group. Its members are named, never read: a group has up to 50,000.
 */
export type GroupChange =
  | { kind: 'set'; attribute: 'displayName' | 'externalId'; value: string | null }
  | { kind: 'add_members' | 'remove_members' | 'replace_members'; userIds: readonly string[] }

/**
 * Reads what the operations do, in their order.
 *
 * @throws ScimError
 */
export function groupChanges(operations: readonly PatchOperation[]): GroupChange[] {
  return operations.flatMap(({ op, path, value }) => {
    if (path !== undefined) return isCoreUrn(groupType, path) && op !== 'remove' ? changesOfMembers(op, value) : changesAt(path, op, value)
    if (op === 'remove') throw new ScimError(400, 'noTarget', mistake('path-needed'))
    return changesOfMembers(op, value)
  })
}

/** Each member of a value without a path names an attribute; the URN of the schema holds some. */
function changesOfMembers(op: 'add' | 'replace', value: Json | undefined): GroupChange[] {
  if (!isObject(value)) throw invalidValue('object-without-path')
  return Object.entries(value).flatMap(([name, one]) => {
    if (isCoreUrn(groupType, name)) return changesOfMembers(op, one)
    return isKnown(name) ? changesAt(name, op, one) : []
  })
}

/** Okta sends the id along, and every directory may send attributes that groups do not have here. */
function isKnown(name: string): boolean {
  const found = readAttributePath(name, groupType)
  return typeof found !== 'string' && found.attribute.mutability !== 'readOnly'
}

const pathOfMembers = /^(?:urn:ietf:params:scim:schemas:core:2\.0:Group:)?members\[(.*)\](\.\w+)?$/is

function changesAt(path: string, op: PatchOperation['op'], value: Json | undefined): GroupChange[] {
  const filter = pathOfMembers.exec(path)
  if (filter) return selectedMembers(filter[1] as string, filter[2], op)
  const found = readAttributePath(path, groupType)
  if (found === 'unknown_schema') return []
  if (found === 'unknown_attribute') throw invalidPath('unknown-attribute', { received: path })
  const { attribute, subAttribute } = found
  if (attribute.mutability === 'readOnly' || subAttribute) throw notMutable(path)
  if (attribute.name === 'members') return changeOfMembers(op, value)
  if (op === 'remove' && attribute.required) throw notRemovable(attribute.name)
  const given = op === 'remove' ? undefined : canonicalValue(value, attribute)
  if (attribute.name === 'displayName' && given === undefined) throw invalidValue('required', { expected: 'displayName' })
  return [{ kind: 'set', attribute: attribute.name as 'displayName' | 'externalId', value: (given as string | undefined) ?? null }]
}

function changeOfMembers(op: PatchOperation['op'], value: Json | undefined): GroupChange[] {
  // Without a value, all are removed: RFC 7644 §3.5.2.2. Entra names those that it means.
  if (op === 'remove')
    return value !== undefined && value !== null
      ? [{ kind: 'remove_members', userIds: memberIds(value) }]
      : [{ kind: 'replace_members', userIds: [] }]
  return [{ kind: op === 'add' ? 'add_members' : 'replace_members', userIds: memberIds(value) }]
}

/**
 * The ids of users that a list of members names, each once.
 *
 * @throws ScimError `invalidValue` for what is no user
 */
function memberIds(sent: Json | undefined): string[] {
  if (sent === undefined || sent === null) return []
  return [...new Set((Array.isArray(sent) ? sent : [sent]).map(memberId))]
}

function memberId(sent: Json): string {
  const { value, type } = isObject(sent) ? sent : { value: sent, type: undefined }
  if (typeof value !== 'string' || value === '') throw invalidValue('member-not-named')
  if (typeof type === 'string' && type.toLowerCase() === 'group') throw invalidValue('member-not-a-user')
  return value
}

function selectedMembers(filterText: string, sub: string | undefined, op: PatchOperation['op']): GroupChange[] {
  if (op !== 'remove' || sub !== undefined) throw notMutable(`members[…]${sub ?? ''}`)
  return [{ kind: 'remove_members', userIds: idsIn(parseFilter(filterText)) }]
}

function idsIn(filter: Filter): string[] {
  if (filter.kind === 'or') return filter.filters.flatMap(idsIn)
  const isId = filter.kind === 'compare' && filter.operator === 'eq' && filter.path.toLowerCase() === 'value'
  if (!isId || typeof filter.value !== 'string') throw invalidPath('members-by-value')
  return [filter.value]
}
