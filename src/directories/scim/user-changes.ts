import { isDeepStrictEqual } from 'node:util'
import { blockAfter, deactivatedBy } from '../../accounts/deactivation.ts'
import { presentUser as presentAccount, userChange } from '../../accounts/present-user.ts'
import { getUser as getAccount, type UserWithReferences, updateUser } from '../../accounts/queries.ts'
import { changedFields } from '../../activity/changes.ts'
import { record } from '../../activity/record.ts'
import { takeAwayAccess } from '../../connections/federation/take-away-access.ts'
import { deleteEmailCodes } from '../../email-codes/codes.ts'
import { isOwner } from '../../organisations/queries.ts'
import { endMailedLinks } from '../../passwords/action-links.ts'
import { refuseViolation } from '../../platform/database/constraints.ts'
import { email as emailAddress } from '../../platform/http/fields.ts'
import { hasControlCharacters, hasInvisibleCharacters } from '../../platform/text.ts'
import { exceedsVoucher } from '../../roles/vouchers.ts'
import { endByBlock } from '../../users/end-by-block.ts'
import { applyMappings } from '../apply-mappings.ts'
import { invalidValue } from '../protocol/errors.ts'
import { isObject, type JsonObject } from '../protocol/json.ts'
import { type UserValues, userValues } from '../protocol/user-values.ts'
import type { ScimContext } from './context.ts'
import { followExternalId } from './follow-external-id.ts'
import { accountExceedsVoucher, addressNotChanged, addressNotOfDomain, addressTaken, tooManyAttributes } from './scim-refusals.ts'
import { tellOfAddress } from './tell-of-address.ts'
import { isOfVerifiedDomain, type ManagedUser, markDeprovisioned, noteIgnoredBlock, storeManaged, storeOwnBlock } from './user-queries.ts'
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
    if (typeof value === 'string' && hasControlCharacters(value)) throw invalidValue('control-characters', { received: name })
  for (const name of ['firstName', 'lastName'] as const)
    if (hasInvisibleCharacters(values[name])) throw invalidValue('invisible-characters', { received: name })
  if (!emailAddress().safeParse(values.email).success) throw invalidValue('no-valid-address')
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
  if (moves) await requireFreeToMove(context, account, values.email)
  const isAdopted = managed === undefined
  // The person who made the account may hold its password, and never had the address. A directory that has deleted the user before
  // has stored them without taking anything over.
  const isUnproven = account.emailVerifiedAt === null
  const isCleaned = isUnproven || mayBeAnother(managed, values, moves)
  if (isCleaned) await takeAwayAccess(tenant, actor, account, 'directory')
  const clean = isCleaned ? await getAccount(tenant, account.id) : account

  const activation = activationOf(context, clean, managed?.blockedAt ?? null, values.isActive)
  const changed = changedFields(clean, {
    ...saidAnew(before, after, values),
    ...(moves && { email: values.email }),
    ...((moves || clean.emailVerifiedAt === null) && { emailVerifiedAt: tenant.now }),
    ...activation.changes,
  })
  if (changed) await updateUser(tenant, account.id, changed).catch(refuseViolation({ users_email_key: addressTaken }))
  const { userName, externalId } = values
  const stored = { userName, externalId, attributes: storedAttributes(after), blockedAt: activation.ownBlock }
  const formerHolder = await storeManaged(tenant, directory.id, account.id, stored, managed)
  // Who is deprovisioned keeps the account at the connection until its name is another user's, and who has become the owner since keeps it then, too.
  if (formerHolder !== undefined && !(await isOwner(tenant, formerHolder)))
    await followExternalId(context, await getAccount(tenant, formerHolder), externalId, null)
  if (moves) await leaveAddress(context, clean, values.email)
  if (activation.changes.blockedAt) {
    await endByBlock(tenant, actor, account.id)
    await deleteEmailCodes(tenant, account.id)
  }

  const now = await getAccount(tenant, account.id)
  if (changed) await userChange.recordUpdate(tenant, actor, clean, now)
  if (activation.isIgnored) await recordIgnoredActivation(context, now)
  if (isAdopted) await recordOf(context, 'directory.user_adopted', now)
  const attributes = differingAttributes(before, after)
  if (!changed && !isAdopted && attributes.length > 0) await recordOf(context, 'directory.user_updated', now, { attributes })
  // What was taken away has unlinked the account, too.
  const isNamedAnew = isAdopted || isCleaned || values.externalId !== managed.externalId
  if (isNamedAnew) await followExternalId(context, now, managed?.externalId ?? null, values.externalId)
  else if (values.isActive) await followExternalId(context, now, values.externalId, values.externalId, { yields: true })
  if (isAdopted || attributes.includes('roles')) await applyMappings(context, { userIds: [account.id] })
}

type ValueOfAccount = 'firstName' | 'lastName' | 'phone'

/**
 * What of the account a change says: an administrator or the user may have cleared what other stored attributes still read as, such as a
 * second phone number, and a change of something else does not bring it back.
 */
function saidAnew(before: JsonObject, after: JsonObject, values: UserValues): Partial<Pick<UserValues, ValueOfAccount>> {
  // Of a user who is provisioned again, everything is said anew.
  const said = before.userName === undefined ? undefined : userValues(before)
  const isAnew = (name: ValueOfAccount) =>
    values[name] !== said?.[name] || !isDeepStrictEqual(readFrom(before)[name], readFrom(after)[name])
  const { firstName, lastName, phone } = values
  return { ...(isAnew('firstName') && { firstName }), ...(isAnew('lastName') && { lastName }), ...(isAnew('phone') && { phone }) }
}

function readFrom({ name, displayName, phoneNumbers }: JsonObject): Record<ValueOfAccount, unknown> {
  const { givenName, familyName, formatted } = isObject(name) ? name : {}
  return { firstName: [givenName, formatted, displayName], lastName: [familyName, formatted, displayName], phone: phoneNumbers }
}

type FormerlyManaged = Pick<ManagedUser, 'blockedAt' | 'userName' | 'externalId'> & {
  /** False for a user whom the directory has deprovisioned. */
  isManaged?: boolean
}

/** Whether a directory that provisions a user again may mean another person: of the former one it names neither the address nor the `externalId`. */
const mayBeAnother = (managed: FormerlyManaged | undefined, { externalId }: UserValues, moves: boolean): boolean =>
  managed?.isManaged === false && moves && (externalId === null || externalId !== managed.externalId)

/**
 * Who reads the mails of the new address can act as the user, so an account that exceeds the voucher of the directory stays at its address.
 *
 * @throws ScimError `mutability`, or `invalidValue` for a domain that is not the organisation's
 */
async function requireFreeToMove({ tenant, directory }: ScimContext, { id }: UserWithReferences, email: string): Promise<void> {
  if (directory.emailChanges === 'refuse') throw addressNotChanged()
  if (!(await isOfVerifiedDomain(tenant, email))) throw addressNotOfDomain()
  if (await exceedsVoucher(tenant, directory, id, { holdsVoucher: true })) throw accountExceedsVoucher()
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
export function activationOf(
  { tenant, directory }: ScimContext,
  { blockedAt }: UserWithReferences,
  ownBlock: Date | null,
  isActive: boolean,
): Activation {
  if (!isActive && blockedAt === null)
    return { changes: { blockedAt: tenant.now, blockedReason: deactivatedBy(directory) }, ownBlock: tenant.now, isIgnored: false }
  if (!isActive || blockedAt === null) return { changes: {}, ownBlock: blockedAt === null ? null : ownBlock, isIgnored: false }
  if (isActivationIgnored({ blockedAt }, ownBlock, isActive)) return { changes: {}, ownBlock, isIgnored: true }
  return { changes: { blockedAt: null, blockedReason: null }, ownBlock: null, isIgnored: false }
}

type Blocked = Pick<UserWithReferences, 'blockedAt'>

/** Whether a user is blocked, and not by the directory. */
const isBlockedByAnother = ({ blockedAt }: Blocked, ownBlock: Date | null): boolean =>
  blockedAt !== null && ownBlock?.getTime() !== blockedAt.getTime()

/** Whether a directory activates in vain a user whom another has blocked. */
export const isActivationIgnored = (user: Blocked, ownBlock: Date | null, isActive: boolean | undefined): boolean =>
  isActive === true && isBlockedByAnother(user, ownBlock)

/**
 * Notes what a directory says of a user whom another has blocked. For the directory it is done, and it never repeats it: were nothing noted, the user
 * would be let in with the end of that block as if the directory had said nothing.
 *
 * @param ownBlock the block that the directory has made or noted before
 */
export async function noteBesideBlock(
  context: ScimContext,
  account: UserWithReferences,
  ownBlock: Date | null,
  isActive: boolean | undefined,
): Promise<void> {
  const { tenant, actor, directory } = context
  const isNoted = account.blockedAt !== null && ownBlock !== null && ownBlock > account.blockedAt
  if (isActive === undefined || !isBlockedByAnother(account, ownBlock) || isActive !== isNoted) return
  await storeOwnBlock(tenant, directory.id, account.id, isActive ? null : blockAfter(tenant.now, account))
  if (!isActive) {
    // An administrator's block leaves the link by which a new user begins.
    await endByBlock(tenant, actor, account.id)
    await deleteEmailCodes(tenant, account.id)
  }
  await recordOf(context, 'directory.user_updated', account, { attributes: ['active'] })
}

/** Records once for each block that the directory has tried to lift it: it may say so with every request. */
export async function recordIgnoredActivation(context: ScimContext, account: UserWithReferences): Promise<void> {
  const isNew = await noteIgnoredBlock(context.tenant, context.directory.id, account)
  if (isNew) await recordOf(context, 'directory.activation_ignored', await getAccount(context.tenant, account.id))
}

/**
 * Ends the management of a user, who is blocked. The block of another stays, and that of the directory begins when it is lifted.
 *
 * @param ownBlock the block that the directory has made before
 * @returns whether they were not blocked before
 */
export async function deprovision(
  { tenant, directory }: ScimContext,
  account: UserWithReferences,
  ownBlock: Date | null,
): Promise<boolean> {
  const blocks = account.blockedAt === null
  const noted = isBlockedByAnother(account, ownBlock) ? blockAfter(tenant.now, account) : ownBlock
  await markDeprovisioned(tenant, directory.id, account.id, blocks ? tenant.now : noted)
  if (blocks) await updateUser(tenant, account.id, { blockedAt: tenant.now, blockedReason: deactivatedBy(directory) })
  return blocks
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
