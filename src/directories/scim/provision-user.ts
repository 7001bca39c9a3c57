import { deactivatedBy } from '../../accounts/deactivation.ts'
import { userChange } from '../../accounts/present-user.ts'
import { lockDeletedUser, lockUserWithReferences, type UserWithReferences, updateUser } from '../../accounts/queries.ts'
import { isOwner } from '../../organisations/queries.ts'
import { findDefaultRole } from '../../roles/queries.ts'
import { createUserRecord } from '../../users/create-user-record.ts'
import { applyMappings } from '../apply-mappings.ts'
import { userType } from '../protocol/attributes.ts'
import { canonicalResource } from '../protocol/canonical-value.ts'
import type { JsonObject } from '../protocol/json.ts'
import { readSelection } from '../protocol/select-attributes.ts'
import type { UserValues } from '../protocol/user-values.ts'
import { baseUrlOf, type ScimContext, type ScimRequest, type ScimResponse } from './context.ts'
import { holdOrganisation } from './directory.ts'
import { followExternalId } from './follow-external-id.ts'
import {
  addressNotOfDomain,
  addressTaken,
  managedByAnother,
  ownerNotManaged,
  resourceNotFound,
  severalUsers,
  userExists,
} from './scim-refusals.ts'
import { noteBesideBlock, readUserValues, storeUser } from './user-changes.ts'
import {
  findFormerlyManaged,
  findMeant,
  findOtherManager,
  findSeenUser,
  isOfVerifiedDomain,
  type ManagedUser,
  storeManaged,
} from './user-queries.ts'
import { presentUser, replaced, storedAttributes, userResource, versionOf } from './user-resource.ts'

/**
 * Creates a user, takes an existing one over, or provisions one again whom this directory has deprovisioned: RFC 7644 §3.3.
 *
 * @throws ScimError or Problem
 */
export async function provisionUser(context: ScimContext, request: ScimRequest): Promise<ScimResponse> {
  const sent = canonicalResource(request.body, userType)
  const resource = replaced({}, sent)
  const values = readUserValues(resource)
  const userId = await meantUser(context, values)
  const id = userId === undefined ? await createUser(context, resource, values) : await takeOver(context, userId, resource)
  const user = await findSeenUser(context.tenant, context.directory, id, true)
  if (!user) throw resourceNotFound()
  const selection = readSelection(request.query, userType)
  return {
    status: 201,
    headers: { etag: versionOf(user), location: `${baseUrlOf(context)}/Users/${id}` },
    body: selection.of(presentUser(context, user)),
  }
}

/** @throws ScimError `uniqueness` when the names mean different users */
async function meantUser({ tenant, directory }: ScimContext, values: UserValues): Promise<string | undefined> {
  const { byExternalId, byIdentity, byUserName, byAddress } = await findMeant(tenant, directory, values)
  const meant = [...new Set([byExternalId, byIdentity, byUserName, byAddress].filter((id) => id !== null))]
  if (meant.length > 1) throw severalUsers()
  return meant[0]
}

async function createUser(context: ScimContext, resource: JsonObject, values: UserValues): Promise<string> {
  const { tenant, directory, actor, trialMaxUsers } = context
  const { email, firstName, lastName, phone, isActive, userName, externalId, roles } = values
  if (!(await isOfVerifiedDomain(tenant, email))) throw addressNotOfDomain()
  const defaultRole = await findDefaultRole(tenant)
  const created = await createUserRecord(
    tenant,
    { email, firstName, lastName, ...(phone !== null && { phone }), passwordHash: null, emailVerifiedAt: tenant.now },
    { roles: defaultRole ? [defaultRole] : [], teamIds: [], trialMaxUsers, history: () => ({ actor }) },
  )
  await holdOrganisation(tenant)
  const blockedAt = isActive ? null : tenant.now
  if (blockedAt) await block(context, created, blockedAt)
  await storeManaged(tenant, directory.id, created.id, { userName, externalId, attributes: storedAttributes(resource), blockedAt })
  await followExternalId(context, created, null, externalId, { isProvisioned: true })
  if (roles.length > 0) await applyMappings(context, { userIds: [created.id] })
  return created.id
}

/** A user who was never active has nothing that could end. */
async function block({ tenant, directory, actor }: ScimContext, created: UserWithReferences, blockedAt: Date): Promise<void> {
  const blockedReasonText = deactivatedBy(directory)
  await updateUser(tenant, created.id, { blockedAt, blockedReason: blockedReasonText })
  await userChange.recordUpdate(tenant, actor, created, { ...created, blockedAt, blockedReason: blockedReasonText })
}

async function takeOver(context: ScimContext, userId: string, resource: JsonObject): Promise<string> {
  const { tenant, directory } = context
  const account = await lockUserWithReferences(tenant, userId)
  // Deleted meanwhile: the address stays reserved.
  if (!account) throw (await lockDeletedUser(tenant, userId)) ? addressTaken() : resourceNotFound()
  await holdOrganisation(tenant)
  if (await isOwner(tenant, userId)) throw ownerNotManaged()
  const otherManager = await findOtherManager(tenant, directory, userId)
  if (otherManager !== undefined) throw managedByAnother(otherManager)
  const former = await findFormerlyManaged(tenant, directory.id, userId)
  if (former?.isManaged) throw userExists()
  if (!former && !(await isOfVerifiedDomain(tenant, account.email))) throw addressNotOfDomain()
  await storeUser(context, account, former, { before: await resourceBefore(context, userId, former), after: resource })
  await noteBesideBlock(context, account, former?.blockedAt ?? null, resource.active !== false)
  return userId
}

/** What a user who is provisioned again was before says nothing of what they are now. */
async function resourceBefore({ tenant, directory }: ScimContext, userId: string, former: ManagedUser | undefined): Promise<JsonObject> {
  if (former) return {}
  const seen = await findSeenUser(tenant, directory, userId, false)
  return seen ? userResource(seen) : {}
}
