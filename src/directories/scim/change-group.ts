import { sql } from 'kysely'
import { record } from '../../activity/record.ts'
import { lockNumberOfGroups } from '../../platform/database/locks-and-channels.ts'
import { name } from '../../platform/http/fields.ts'
import { newId } from '../../platform/ids.ts'
import { hasControlCharacters } from '../../platform/text.ts'
import { applyMappings } from '../apply-mappings.ts'
import { invalidSyntax, invalidValue } from '../protocol/errors.ts'
import { type GroupChange, groupChanges } from '../protocol/group-changes.ts'
import { isObject } from '../protocol/json.ts'
import { type PatchOperation, readOperations } from '../protocol/patch.ts'
import { deleteTeamOf, followName, releaseTeams, requireTeams } from '../team-of-group.ts'
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
  added: Set<string>
  removed: Set<string>
}

/** RFC 7644 §3.3 */
export async function createGroup(context: ScimContext, request: ScimRequest): Promise<ScimResponse> {
  const { displayName, externalId = null, added } = planOf(wholeGroup(request))
  if (displayName === undefined) throw invalidValue('required', { expected: 'displayName' })
  const { tenant, directory } = context
  const members = await requireMembers(context, added)
  await holdOrganisation(tenant)
  // The directory and the organisation are held by others, too: locked to count, they would deadlock.
  await lockNumberOfGroups(tenant, directory.id)
  const id = newId('grp', tenant.now)
  await insertGroup(tenant, directory.id, { id, displayName, externalId })
  if ((await countGroups(tenant, directory, sql<boolean>`true`)) > groupsMax) throw tooManyGroups(groupsMax)
  await requireTeams(context, [{ id, displayName, teamId: null }])
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
  if (!isObject(body)) throw invalidSyntax('body-not-an-object')
  return [{ op: 'replace', path: undefined, value: body }]
}

function planOf(operations: readonly PatchOperation[]): Readonly<GroupPlan> {
  const plan: GroupPlan = { displayName: undefined, externalId: undefined, replaces: false, added: new Set(), removed: new Set() }
  for (const change of groupChanges(operations)) follow(plan, change)
  return plan
}

/** In place: with copies, each of a thousand operations would cost as much as all members that were named before. */
function follow(plan: GroupPlan, change: GroupChange): void {
  switch (change.kind) {
    case 'set':
      Object.assign(plan, { [change.attribute]: change.value === null ? null : checkedName(change.attribute, change.value) })
      return
    case 'replace_members':
      Object.assign(plan, { replaces: true, added: new Set(change.userIds), removed: new Set() })
      return
    case 'add_members':
      move(change.userIds, plan.removed, plan.added)
      return
    case 'remove_members':
      move(change.userIds, plan.added, plan.removed)
  }
}

function move(ids: readonly string[], from: Set<string>, to: Set<string>): void {
  for (const id of ids) {
    from.delete(id)
    to.add(id)
  }
}

function checkedName(attribute: 'displayName' | 'externalId', value: string): string {
  if (attribute === 'externalId') {
    if (value.length > externalIdMax) throw invalidValue('too-long', { expected: externalIdMax, received: 'externalId' })
    if (hasControlCharacters(value)) throw invalidValue('control-characters', { received: 'externalId' })
    return value
  }
  const read = name().safeParse(value)
  if (!read.success) throw invalidValue('group-name')
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

const isRenaming = (
  { displayName, externalId }: Pick<GroupPlan, 'displayName' | 'externalId'>,
  before: Pick<Group, 'displayName' | 'externalId'>,
): boolean =>
  (displayName !== undefined && displayName !== before.displayName) || (externalId !== undefined && externalId !== before.externalId)

/** @returns the version afterwards */
async function changeGroup(context: ScimContext, request: ScimRequest, id: string, plan: GroupPlan): Promise<string> {
  const { tenant, directory } = context
  const found = await findGroup(tenant, directory, id, false)
  if (!found) throw resourceNotFound()
  // Users are locked before the group, as by everything that changes a user and then their groups. Another name concerns all members: it may be
  // mapped to something else.
  const concernsAll = plan.replaces || isRenaming(plan, found)
  const leaving = concernsAll ? await memberIdsOf(tenant, id) : [...plan.removed]
  const members = await requireMembers(context, plan.added, leaving)
  await holdOrganisation(tenant)
  const before = await lockGroup(tenant, directory, id)
  if (!before) throw resourceNotFound()
  requireVersion(request, versionOfGroup(before))

  const left = plan.replaces ? await deleteOtherMembers(tenant, id, members) : await deleteMembers(tenant, id, [...plan.removed])
  const joined = await insertMembers(tenant, id, members)
  if (joined.length > 0 && (await hasMoreMembersThan(tenant, id, membersMax))) throw tooManyMembers(membersMax)
  const { displayName = before.displayName, externalId = before.externalId } = plan
  const isRenamed = isRenaming(plan, before)
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
  const [released] = await releaseTeams(context, [after])
  if (!released) {
    await followName(context, before, after)
    await requireTeams(context, [after])
  }
  await applyMappings(context, { groupId: after.id })
  if (released) await deleteTeamOf(context, released)
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
