import { sql } from 'kysely'
import { record } from '../../activity/record.ts'
import { name } from '../../platform/http/fields.ts'
import { newId } from '../../platform/ids.ts'
import { hasControlCharacters } from '../../platform/text.ts'
import { applyMappings } from '../apply-mappings.ts'
import { invalidSyntax, invalidValue } from '../protocol/errors.ts'
import { type GroupChange, groupChanges } from '../protocol/group-changes.ts'
import { isObject } from '../protocol/json.ts'
import { type PatchOperation, readOperations } from '../protocol/patch.ts'
import { deleteTeamOf, followName, requireTeam } from '../team-of-group.ts'
import { baseUrlOf, type ScimContext, type ScimRequest, type ScimResponse } from './context.ts'
import { holdOrganisation } from './directory.ts'
import {
  countGroups,
  deleteGroup,
  deleteMembers,
  deleteOtherMembers,
  findGroup,
  type Group,
  hasMoreMembersThan,
  insertGroup,
  insertMembers,
  lockGroup,
  memberIdsOf,
  renewGroup,
} from './group-queries.ts'
import { shownGroup, versionOfGroup } from './groups.ts'
import { emptyResponse, requireVersion } from './resource-version.ts'
import { resourceNotFound, tooManyGroups, tooManyMembers, unknownMember } from './scim-refusals.ts'
import { lockMembers } from './user-queries.ts'

const groupsMax = 5_000
const membersMax = 50_000
const externalIdMax = 256

/** What a request makes of a group. */
interface GroupPlan {
  displayName: string | undefined
  /** Undefined where it stays as it is. */
  externalId: string | null | undefined
  /** Whether members who are not added are removed. */
  replaces: boolean
  added: ReadonlySet<string>
  removed: ReadonlySet<string>
}

/** RFC 7644 §3.3 */
export async function createGroup(context: ScimContext, request: ScimRequest): Promise<ScimResponse> {
  const { displayName, externalId = null, added } = planOf(wholeGroup(request))
  if (displayName === undefined) throw invalidValue('displayName is required')
  const { tenant, directory } = context
  const members = await requireMembers(context, added)
  await holdOrganisation(tenant)
  const id = newId('grp', tenant.now)
  await insertGroup(tenant, directory.id, { id, displayName, externalId })
  if ((await countGroups(tenant, directory, sql<boolean>`true`)) > groupsMax) throw tooManyGroups(groupsMax)
  await requireTeam(context, { id, displayName, externalId, teamId: null })
  const joined = await insertMembers(tenant, id, members)
  await recordOf(context, 'directory.group_created', { id, displayName }, { membersAdded: joined.length })
  if (joined.length > 0) await applyMappings(context, { userIds: joined })
  const { version, body } = await shownGroup(context, request, id)
  return { status: 201, headers: { etag: version, location: `${baseUrlOf(context)}/Groups/${id}` }, body }
}

/** RFC 7644 §3.5.1: what is left out stays. */
export async function replaceGroup(context: ScimContext, request: ScimRequest, id: string): Promise<ScimResponse> {
  await changeGroup(context, request, id, planOf(wholeGroup(request)))
  const { version, body } = await shownGroup(context, request, id)
  return { status: 200, headers: { etag: version }, body }
}

/** RFC 7644 §3.5.2. The response has no body unless the request selects attributes: the members are many. */
export async function patchGroup(context: ScimContext, request: ScimRequest, id: string): Promise<ScimResponse> {
  const version = await changeGroup(context, request, id, planOf(readOperations(request.body)))
  if (request.query.attributes === undefined) return { ...emptyResponse, headers: { etag: version } }
  const { body } = await shownGroup(context, request, id)
  return { status: 200, headers: { etag: version }, body }
}

/** A whole group as operations, which read members without a limit to their number. */
function wholeGroup({ body }: ScimRequest): PatchOperation[] {
  if (!isObject(body)) throw invalidSyntax('The body is not a JSON object')
  return [{ op: 'replace', path: undefined, value: body }]
}

function planOf(operations: readonly PatchOperation[]): GroupPlan {
  const initial = { displayName: undefined, externalId: undefined, replaces: false, added: new Set<string>(), removed: new Set<string>() }
  return groupChanges(operations).reduce<GroupPlan>(afterChange, initial)
}

function afterChange(plan: GroupPlan, change: GroupChange): GroupPlan {
  if (change.kind === 'set')
    return { ...plan, [change.attribute]: change.value === null ? null : checkedName(change.attribute, change.value) }
  const named = new Set(change.userIds)
  switch (change.kind) {
    case 'replace_members':
      return { ...plan, replaces: true, added: named, removed: new Set() }
    case 'add_members':
      return { ...plan, added: plan.added.union(named), removed: plan.removed.difference(named) }
    case 'remove_members':
      return { ...plan, added: plan.added.difference(named), removed: plan.removed.union(named) }
  }
}

function checkedName(attribute: 'displayName' | 'externalId', value: string): string {
  if (attribute === 'externalId') {
    if (value.length > externalIdMax) throw invalidValue(`externalId has at most ${externalIdMax} characters`)
    if (hasControlCharacters(value)) throw invalidValue('externalId has control characters')
    return value
  }
  const read = name().safeParse(value)
  if (!read.success) throw invalidValue('displayName has 1 to 255 characters, without control characters')
  return read.data
}

/**
 * Those of the named users who can be members, locked: the owner is left out.
 *
 * @throws ScimError `invalidValue` when one of them is not seen by the directory
 */
async function requireMembers(
  { tenant, directory }: ScimContext,
  named: ReadonlySet<string>,
  besides: readonly string[] = [],
): Promise<string[]> {
  if (named.size > membersMax) throw tooManyMembers(membersMax)
  const locked = new Map((await lockMembers(tenant, directory, [...named.union(new Set(besides))])).map((user) => [user.id, user]))
  const members = [...named].map((id) => locked.get(id))
  if (members.includes(undefined)) throw unknownMember()
  return members.flatMap((user) => (user && !user.isOwner ? [user.id] : []))
}

/** @returns the version afterwards */
async function changeGroup(context: ScimContext, request: ScimRequest, id: string, plan: GroupPlan): Promise<string> {
  const { tenant, directory } = context
  if (!(await findGroup(tenant, directory, id, false))) throw resourceNotFound()
  // Users are locked before the group, as by everything that changes a user and then their groups.
  const leaving = plan.replaces ? await memberIdsOf(tenant, id) : [...plan.removed]
  const members = await requireMembers(context, plan.added, leaving)
  await holdOrganisation(tenant)
  const before = await lockGroup(tenant, directory, id)
  if (!before) throw resourceNotFound()
  requireVersion(request, versionOfGroup(before))

  const left = plan.replaces ? await deleteOtherMembers(tenant, id, members) : await deleteMembers(tenant, id, [...plan.removed])
  const joined = await insertMembers(tenant, id, members)
  if (joined.length > 0 && (await hasMoreMembersThan(tenant, id, membersMax))) throw tooManyMembers(membersMax)
  const { displayName = before.displayName, externalId = before.externalId } = plan
  const isRenamed = displayName !== before.displayName || externalId !== before.externalId
  if (!isRenamed && joined.length + left.length === 0) return versionOfGroup(before)

  const after = { ...before, displayName, externalId, version: before.version + 1 }
  await renewGroup(tenant, { ...after, version: before.version })
  if (isRenamed) await rename(context, before, after)
  await recordOf(context, 'directory.group_updated', after, { membersAdded: joined.length, membersRemoved: left.length })
  if (joined.length + left.length > 0) await applyMappings(context, { userIds: [...joined, ...left] })
  return versionOfGroup(after)
}

/** Another name may be mapped to something else. */
async function rename(context: ScimContext, before: Group, after: Group): Promise<void> {
  await followName(context, before, after)
  await requireTeam(context, after)
  await applyMappings(context, { groupId: after.id })
}

/** RFC 7644 §3.6 */
export async function removeGroup(context: ScimContext, request: ScimRequest, id: string): Promise<ScimResponse> {
  const { tenant, directory } = context
  if (!(await findGroup(tenant, directory, id, false))) throw resourceNotFound()
  await lockMembers(tenant, directory, await memberIdsOf(tenant, id))
  await holdOrganisation(tenant)
  const group = await lockGroup(tenant, directory, id)
  if (!group) throw resourceNotFound()
  requireVersion(request, versionOfGroup(group))
  const left = await deleteOtherMembers(tenant, id, [])
  if (left.length > 0) await applyMappings(context, { userIds: left })
  await deleteGroup(tenant, id)
  await deleteTeamOf(context, group)
  await recordOf(context, 'directory.group_deleted', group, { membersRemoved: left.length })
  return emptyResponse
}

type ActionOfGroup = 'directory.group_created' | 'directory.group_updated' | 'directory.group_deleted'

async function recordOf(
  { tenant, actor, directory }: ScimContext,
  action: ActionOfGroup,
  { id: groupId, displayName }: Pick<Group, 'id' | 'displayName'>,
  metadata: Record<string, unknown>,
): Promise<void> {
  const { id, name: directoryName } = directory
  await record(tenant, actor, { action, directory: { id, name: directoryName }, metadata: { groupId, displayName, ...metadata } })
}
