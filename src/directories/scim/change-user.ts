import { isDeepStrictEqual } from 'node:util'
import { userChange } from '../../accounts/present-user.ts'
import { getUser as getAccount, lockUserWithReferences, type UserWithReferences } from '../../accounts/queries.ts'
import { deleteEmailCodes } from '../../email-codes/codes.ts'
import { endByBlock } from '../../users/end-by-block.ts'
import { deleteLockedUser } from '../../users/update-user.ts'
import { applyMappings } from '../apply-mappings.ts'
import { userType } from '../protocol/attributes.ts'
import { canonicalResource } from '../protocol/canonical-value.ts'
import type { JsonObject } from '../protocol/json.ts'
import { patched, readOperations } from '../protocol/patch.ts'
import { readSelection } from '../protocol/select-attributes.ts'
import type { ScimContext, ScimRequest, ScimResponse } from './context.ts'
import { noteOfDeleted } from './deleted-user.ts'
import { holdOrganisation } from './directory.ts'
import { emptyResponse, requireVersion } from './resource-version.ts'
import { managedByAnother, ownerNotManaged, resourceNotFound } from './scim-refusals.ts'
import { deprovision, isActivationIgnored, noteBesideBlock, recordIgnoredActivation, recordOf, storeUser } from './user-changes.ts'
import { findOtherManager, findSeenUser, forgetManaged, leaveGroups, type SeenUser, storeManaged } from './user-queries.ts'
import { afterChange, presentUser, replaced, storedAttributes, userResource, versionOf } from './user-resource.ts'

/** A user who may be changed: the account is locked, and the organisation held. */
interface ChangeableUser {
  account: UserWithReferences
  seen: SeenUser
}

/**
 * @returns undefined for a user who is deleted, or was never there
 * @throws ScimError 404; 403 for the owner; 409 for a user of another directory; 412
 */
async function lockChangeable(context: ScimContext, request: ScimRequest, id: string): Promise<ChangeableUser | undefined> {
  const { tenant } = context
  const account = await lockUserWithReferences(tenant, id)
  if (!account) return undefined
  await holdOrganisation(tenant)
  const seen = await findSeenUser(tenant, context.directory, id, false)
  if (!seen) throw resourceNotFound()
  if (seen.isOwner) throw ownerNotManaged()
  const otherManager = seen.managed ? undefined : await findOtherManager(tenant, context.directory, id)
  if (otherManager !== undefined) throw managedByAnother(otherManager)
  requireVersion(request, versionOf(seen))
  return { account, seen }
}

/** RFC 7644 §3.5.1 */
export async function replaceUser(context: ScimContext, request: ScimRequest, id: string): Promise<ScimResponse> {
  const sent = canonicalResource(request.body, userType)
  return change(context, request, id, (resource) => replaced(resource, sent))
}

/** RFC 7644 §3.5.2 */
export async function patchUser(context: ScimContext, request: ScimRequest, id: string): Promise<ScimResponse> {
  const operations = readOperations(request.body)
  return change(context, request, id, (resource) => patched(resource, operations, userType))
}

async function change(
  context: ScimContext,
  request: ScimRequest,
  id: string,
  changed: (resource: JsonObject) => JsonObject,
): Promise<ScimResponse> {
  const changeable = await lockChangeable(context, request, id)
  if (!changeable) return noteOfDeleted(context, id, changed)
  const { account, seen } = changeable
  const before = userResource(seen)
  const { asked, said } = afterChange(before, changed)
  const ownBlock = seen.managed?.blockedAt ?? null
  // What it is told in vain is no change, and directories say it with every synchronisation.
  const isIgnored = seen.managed !== undefined && isActivationIgnored(account, ownBlock, said)
  const after = isIgnored ? { ...asked, active: before.active as boolean } : asked
  // A user whom the directory only sees is managed by it once it has deactivated them, also where they are blocked already.
  const isAdopted = seen.managed === undefined && said === false
  if (isAdopted || !isDeepStrictEqual(before, after)) await storeUser(context, account, seen.managed, { before, after })
  if (isIgnored) await recordIgnoredActivation(context, account)
  await noteBesideBlock(context, account, ownBlock, said)
  const now = await findSeenUser(context.tenant, context.directory, id, true)
  if (!now) throw resourceNotFound()
  const selection = readSelection(request.query, userType)
  return { status: 200, headers: { etag: versionOf(now) }, body: selection.of(presentUser(context, now)) }
}

/** Deprovisions a user, or deletes them where the directory is set so: RFC 7644 §3.6. */
export async function removeUser(context: ScimContext, request: ScimRequest, id: string): Promise<ScimResponse> {
  const changeable = await lockChangeable(context, request, id)
  if (!changeable) return noteOfDeleted(context, id, undefined)
  const { account, seen } = changeable
  const { tenant, actor, directory } = context
  await leaveGroups(tenant, directory.id, id)
  if (directory.deletes === 'delete') {
    await forgetManaged(tenant, directory.id, id)
    await applyMappings(context, { userIds: [id] })
    await deleteLockedUser(tenant, actor, await getAccount(tenant, id))
    return emptyResponse
  }
  if (!seen.managed) {
    const resource = userResource(seen)
    const { email: userName } = account
    await storeManaged(tenant, directory.id, id, { userName, externalId: null, attributes: storedAttributes(resource), blockedAt: null })
  }
  const blocks = await deprovision(context, account, seen.managed?.blockedAt ?? null)
  await endByBlock(tenant, actor, id)
  await deleteEmailCodes(tenant, id)
  const now = await getAccount(tenant, id)
  if (blocks) await userChange.recordUpdate(tenant, actor, account, now)
  await recordOf(context, 'directory.user_deprovisioned', now)
  await applyMappings(context, { userIds: [id] })
  return emptyResponse
}
