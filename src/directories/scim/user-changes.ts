import { presentUser as presentAccount, userChange } from '../../accounts/present-user.ts'
import { getUser as getAccount, type UserWithReferences, updateUser } from '../../accounts/queries.ts'
import { changedFields } from '../../activity/changes.ts'
import { record } from '../../activity/record.ts'
import { takeAwayAccess } from '../../connections/federation/take-away-access.ts'
import { deleteEmailCodes } from '../../email-codes/codes.ts'
import { endMailedLinks } from '../../passwords/action-links.ts'
import { refuseViolation } from '../../platform/database/constraints.ts'
import { email as emailAddress } from '../../platform/http/fields.ts'
import { cutText, hasControlCharacters, hasInvisibleCharacters } from '../../platform/text.ts'
import { endAccess } from '../../sessions/end-access.ts'
import { endSetupLinks } from '../../sessions/end-setup-links.ts'
import { applyMappings } from '../apply-mappings.ts'
import { invalidValue } from '../protocol/errors.ts'
import type { JsonObject } from '../protocol/json.ts'
import { type UserValues, userValues } from '../protocol/user-values.ts'
import type { ScimContext } from './context.ts'
import { followExternalId } from './follow-external-id.ts'
import { addressNotChanged, addressNotOfDomain, addressTaken, tooManyAttributes } from './scim-refusals.ts'
import { tellOfAddress } from './tell-of-address.ts'
import { isOfVerifiedDomain, type ManagedUser, storeManaged } from './user-queries.ts'
import { differingAttributes, storedAttributes } from './user-resource.ts'

const attributesMax = 16 * 1024

const bytesOf = (resource: JsonObject) => Buffer.byteLength(JSON.stringify(storedAttributes(resource)))

/**
 * @param before the resource that becomes this one: what users have called themselves since is no reason to refuse a change of something else
 * @throws ScimError `invalidValue`
 */
export function readUserValues(resource: JsonObject, before: JsonObject = {}): UserValues {
  const values = userValues(resource)
  for (const [name, value] of Object.entries({ ...values, roles: values.roles.join('') }))
    if (typeof value === 'string' && hasControlCharacters(value)) throw invalidValue(`${name} has control characters`)
  for (const name of ['firstName', 'lastName'] as const)
    if (hasInvisibleCharacters(values[name])) throw invalidValue(`${name} has characters that cannot be seen`)
  if (!emailAddress().safeParse(values.email).success) throw invalidValue('emails has no valid address')
  const bytes = bytesOf(resource)
  if (bytes > attributesMax && bytes > bytesOf(before)) throw tooManyAttributes()
  return values
}

/**
 * Makes an account and what is stored of it what a directory says. The row of the account is locked, and it is not the owner's. A user whom
 * the directory has not managed so far is managed by it from then on.
 *
 * @param managed what was stored before, also of a user whom the directory has deprovisioned
 * @param before the resource as it was
 */
export async function storeUser(
  context: ScimContext,
  account: UserWithReferences,
  managed: FormerlyManaged | undefined,
  { before, after }: { before: JsonObject; after: JsonObject },
): Promise<void> {
  const { tenant, actor, directory } = context
  const values = readUserValues(after, before)
  const moves = values.email !== account.email
  if (moves) await requireFreeToMove(context, values.email)
  const isAdopted = managed === undefined
  // The person who made the account may hold its password, and never had the address.
  const isUnproven = isAdopted && account.emailVerifiedAt === null
  const isCleaned = isUnproven || mayBeAnother(managed, values, moves)
  if (isCleaned) await takeAwayAccess(tenant, actor, account, 'directory')
  const clean = isCleaned ? await getAccount(tenant, account.id) : account

  const activation = activationOf(context, clean, managed?.blockedAt ?? null, values.isActive)
  const changed = changedFields(clean, {
    firstName: values.firstName,
    lastName: values.lastName,
    phone: values.phone,
    ...(moves && { email: values.email }),
    ...((moves || clean.emailVerifiedAt === null) && { emailVerifiedAt: tenant.now }),
    ...activation.changes,
  })
  if (changed) await updateUser(tenant, account.id, changed).catch(refuseViolation({ users_email_key: addressTaken }))
  await storeManaged(tenant, directory.id, account.id, {
    userName: values.userName,
    externalId: values.externalId,
    attributes: storedAttributes(after),
    blockedAt: activation.ownBlock,
  })
  if (moves) await leaveAddress(context, clean, values.email)
  if (activation.changes.blockedAt) await endEverything(context, account.id)

  const now = await getAccount(tenant, account.id)
  if (changed) await userChange.recordUpdate(tenant, actor, clean, now)
  if (activation.isIgnored) await recordOf(context, 'directory.activation_ignored', now)
  if (isAdopted) await recordOf(context, 'directory.user_adopted', now)
  const attributes = differingAttributes(before, after)
  if (!changed && !isAdopted && attributes.length > 0) await recordOf(context, 'directory.user_updated', now, { attributes })
  if (isAdopted || values.externalId !== managed.externalId)
    await followExternalId(context, now, managed?.externalId ?? null, values.externalId)
  if (isAdopted || attributes.includes('roles')) await applyMappings(context, { userIds: [account.id] })
}

type FormerlyManaged = Pick<ManagedUser, 'blockedAt' | 'externalId'> & {
  /** False for a user whom the directory has deprovisioned. */
  isManaged?: boolean
}

/** Whether a directory that provisions a user again may mean another person: of the former one it names neither the address nor the `externalId`. */
const mayBeAnother = (managed: FormerlyManaged | undefined, { externalId }: UserValues, moves: boolean): boolean =>
  managed?.isManaged === false && moves && (externalId === null || externalId !== managed.externalId)

/** @throws ScimError `mutability`, or `invalidValue` for a domain that is not the organisation's */
async function requireFreeToMove({ tenant, directory }: ScimContext, email: string): Promise<void> {
  if (directory.emailChanges === 'refuse') throw addressNotChanged()
  if (!(await isOfVerifiedDomain(tenant, email))) throw addressNotOfDomain()
}

/** Links that were mailed to the former address end with it, and both addresses learn of the change. */
async function leaveAddress({ tenant, outbox, directory }: ScimContext, account: UserWithReferences, email: string): Promise<void> {
  await endMailedLinks(tenant, account.id)
  await deleteEmailCodes(tenant, account.id)
  await tellOfAddress(tenant, outbox, { ...account, directory: directory.name, address: email })
}

interface Activation {
  changes: { blockedAt?: Date | null; blockedReason?: string | null }
  /** The block of the directory, if it has made one. */
  ownBlock: Date | null
  isIgnored: boolean
}

/** A directory lifts its own block alone: another one is an administrator's. */
function activationOf(
  { tenant, directory }: ScimContext,
  { blockedAt }: UserWithReferences,
  ownBlock: Date | null,
  isActive: boolean,
): Activation {
  if (!isActive && blockedAt === null)
    return { changes: { blockedAt: tenant.now, blockedReason: blockedReason(directory) }, ownBlock: tenant.now, isIgnored: false }
  if (!isActive || blockedAt === null) return { changes: {}, ownBlock: blockedAt === null ? null : ownBlock, isIgnored: false }
  if (ownBlock?.getTime() === blockedAt.getTime())
    return { changes: { blockedAt: null, blockedReason: null }, ownBlock: null, isIgnored: false }
  return { changes: {}, ownBlock, isIgnored: true }
}

const reasonMax = 255

export const blockedReason = ({ name }: { name: string }) => cutText(`Deactivated by ${name}`, reasonMax)

/** What a block ends does not come back when the block is lifted. */
export async function endEverything({ tenant, actor }: ScimContext, userId: string): Promise<void> {
  await endAccess(tenant, actor, userId)
  await endSetupLinks(tenant, actor, { because: 'right_lost', userId })
  await endMailedLinks(tenant, userId)
  await deleteEmailCodes(tenant, userId)
}

type ActionOfUser = 'directory.activation_ignored' | 'directory.user_adopted' | 'directory.user_updated' | 'directory.user_deprovisioned'

export async function recordOf(
  { tenant, actor, directory }: ScimContext,
  action: ActionOfUser,
  account: UserWithReferences,
  metadata: Record<string, unknown> = {},
): Promise<void> {
  await record(tenant, actor, { action, user: presentAccount(account), metadata: { directoryId: directory.id, ...metadata } })
}
