import { sql } from 'kysely'
import { userType } from '../protocol/attributes.ts'
import { parseFilter } from '../protocol/filter.ts'
import { readSelection } from '../protocol/select-attributes.ts'
import type { ScimContext, ScimRequest, ScimResponse } from './context.ts'
import { filterToSql } from './filter-to-sql.ts'
import type { ListQuery, Page } from './list-response.ts'
import { readResponse } from './resource-version.ts'
import { resourceNotFound } from './scim-refusals.ts'
import { filterableUsers } from './user-filter.ts'
import { countUsers, findSeenUser, readUsers } from './user-queries.ts'
import { presentUser, versionOf } from './user-resource.ts'

/** @throws ScimError `invalidFilter` */
export async function listUsers(context: ScimContext, { filter, startIndex, count, ...selected }: ListQuery): Promise<Page> {
  const { tenant, directory } = context
  const selection = readSelection(selected, userType)
  const condition = filter === undefined ? sql<boolean>`true` : filterToSql(parseFilter(filter), filterableUsers(directory))
  const offset = startIndex - 1
  const users =
    count === 0 ? [] : await readUsers(tenant, directory, { condition, offset, limit: count, withGroups: selection.has('groups') })
  // The last page says itself how many there are.
  const isLast = users.length < count && (users.length > 0 || offset === 0)
  const total = isLast ? offset + users.length : await countUsers(tenant, directory, condition)
  return { total, resources: users.map((user) => selection.of(presentUser(context, user))) }
}

/** @throws ScimError 404 */
export async function getUser(context: ScimContext, request: ScimRequest, id: string): Promise<ScimResponse> {
  const selection = readSelection(request.query, userType)
  const user = await findSeenUser(context.tenant, context.directory, id, selection.has('groups'))
  if (!user) throw resourceNotFound()
  return readResponse(request, versionOf(user), selection.of(presentUser(context, user)))
}
