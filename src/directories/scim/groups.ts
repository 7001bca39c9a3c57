import { sql } from 'kysely'
import { groupType } from '../protocol/attributes.ts'
import { parseFilter } from '../protocol/filter.ts'
import type { JsonObject } from '../protocol/json.ts'
import { readSelection } from '../protocol/select-attributes.ts'
import { baseUrlOf, type ScimContext, type ScimRequest, type ScimResponse } from './context.ts'
import { filterToSql } from './filter-to-sql.ts'
import { filterableGroups } from './group-filter.ts'
import { countGroups, findGroup, type Group, type GroupWithMembers, readGroups } from './group-queries.ts'
import type { ListQuery, Page } from './list-response.ts'
import { entityTag, metaOf, readResponse } from './resource-version.ts'
import { resourceNotFound } from './scim-refusals.ts'

export const versionOfGroup = ({ version }: Pick<Group, 'version'>): string => entityTag(version)

/** A group as a response shows it: RFC 7643 §4.2. */
function presentGroup(context: ScimContext, group: GroupWithMembers): JsonObject {
  const { id, displayName, externalId, members, createdAt, updatedAt } = group
  const users = `${baseUrlOf(context)}/Users`
  return {
    schemas: [groupType.schema.id],
    id,
    ...(externalId !== null && { externalId }),
    displayName,
    ...(members &&
      members.length > 0 && {
        members: members.map(({ value, display }) => ({ value, $ref: `${users}/${value}`, display, type: 'User' })),
      }),
    meta: metaOf(context, { resourceType: 'Group', id, createdAt, updatedAt, version: versionOfGroup(group) }),
  }
}

/** @throws ScimError `invalidFilter` */
export async function listGroups(context: ScimContext, { filter, startIndex, count, ...selected }: ListQuery): Promise<Page> {
  const { tenant, directory } = context
  const selection = readSelection(selected, groupType)
  const condition = filter === undefined ? sql<boolean>`true` : filterToSql(parseFilter(filter), filterableGroups)
  const offset = startIndex - 1
  const page = { condition, offset, limit: count, withMembers: selection.has('members') }
  const { groups, found } = count === 0 ? { groups: [], found: 0 } : await readGroups(tenant, directory, page)
  // The last page says itself how many there are.
  const isLast = found < count && (found > 0 || offset === 0)
  const total = isLast ? offset + found : await countGroups(tenant, directory, condition)
  return { total, resources: groups.map((group) => selection.of(presentGroup(context, group))) }
}

/** @throws ScimError 404 */
export async function getGroup(context: ScimContext, request: ScimRequest, id: string): Promise<ScimResponse> {
  const { version, body } = await shownGroup(context, request, id)
  return readResponse(request, version, body)
}

/** A group with the attributes that a request selects. @throws ScimError 404 */
export async function shownGroup(context: ScimContext, { query }: ScimRequest, id: string): Promise<{ version: string; body: JsonObject }> {
  const selection = readSelection(query, groupType)
  const group = await findGroup(context.tenant, context.directory, id, selection.has('members'))
  if (!group) throw resourceNotFound()
  return { version: versionOfGroup(group), body: selection.of(presentGroup(context, group)) }
}
