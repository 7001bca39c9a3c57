import type { UserCaller } from '../access/caller.ts'
import { holdCaller } from '../access/hold-caller.ts'
import { requireFresh } from '../access/require-fresh.ts'
import { presentUser } from '../accounts/present-user.ts'
import { getUser, updateUser } from '../accounts/queries.ts'
import { userNotFound } from '../accounts/refusals.ts'
import type { Actor } from '../activity/actor.ts'
import { record } from '../activity/record.ts'
import { findRequiredConnection } from '../domains/queries.ts'
import { presentPasskey } from '../passkeys/present-passkey.ts'
import { deleteStored, listPasskeys, listUsableIdentities, lockHolder, type Passkey, type PasskeyHolder } from '../passkeys/queries.ts'
import { lastSecondFactor, lastWayToSignIn, passkeyNotFound } from '../passkeys/refusals.ts'
import { losesLastWay } from '../passkeys/rules.ts'
import { tellOfPasskey } from '../passkeys/tell-user.ts'
import type { Tenant } from '../platform/database/database.ts'
import type { Language } from '../platform/language.ts'
import { deleteCredentials, deleteVerifiedCredential, listCredentials } from './queries.ts'
import type { MfaDependencies } from './send-code.ts'
import { tellSwitchedOff } from './tell-user.ts'

/**
 * Deletes a passkey of the caller, and tells them by mail. Deleting the last one also ends passkeys as a second factor.
 *
 * @throws Problem `not-found`; `forbidden` without a recent sign-in; `bad-request` for the last way to sign in, and for the last
 *   second factor where the organisation requires one
 */
export async function deleteOwnPasskey(
  dependencies: MfaDependencies,
  caller: UserCaller,
  id: string,
  language: Language | undefined,
): Promise<void> {
  const { database, relyingParty } = dependencies
  const { userId } = caller.session
  await requireFresh(dependencies, caller)
  await database.transaction(caller.organisationId, async (tenant) => {
    const removal = await removePasskey(tenant, caller.actor, { userId, id, rpId: relyingParty.id })
    // Only now: the removal has locked the user's row.
    await holdCaller(tenant, caller)
    const { passkey, holder, isLastWay, endsMfa } = removal
    if (isLastWay) throw lastWayToSignIn()
    if (endsMfa && holder.requireMfa) throw lastSecondFactor()
    await tellOfPasskey(tenant, dependencies, 'passkeyDeleted', { user: holder, passkey, language })
    if (endsMfa) await tellSwitchedOff(tenant, dependencies, presentUser(await getUser(tenant, userId)), language)
  })
}

export interface PasskeyRemoval {
  passkey: Passkey
  holder: PasskeyHolder
  /** Whether the user can no longer sign in, except by a mailed link. */
  isLastWay: boolean
  /** Whether it was the user's last second factor that works. */
  endsMfa: boolean
}

/**
 * Deletes a passkey of a user, in the caller's transaction, and records it. The caller decides whether the consequences are allowed.
 *
 * @throws Problem `not-found`
 */
export async function removePasskey(
  tenant: Tenant,
  actor: Actor,
  { userId, id, rpId }: { userId: string; id: string; rpId: string | undefined },
): Promise<PasskeyRemoval> {
  const holder = await lockHolder(tenant, userId)
  if (!holder) throw userNotFound()
  const passkey = await deleteStored(tenant, userId, id)
  if (!passkey) throw passkeyNotFound()
  const left = await listPasskeys(tenant, userId)
  await record(tenant, actor, {
    action: 'passkey.deleted',
    passkey: presentPasskey(passkey),
    user: { id: userId, email: holder.email, name: holder.name },
    metadata: { userId },
  })
  const usable = left.filter((other) => other.rpId === rpId)
  const hasOtherPasskey = usable.some(({ canSignIn }) => canSignIn)
  const isLastWay = passkey.canSignIn && !hasOtherPasskey && (await isOnlyWay(tenant, userId, holder))
  // With those of another relying party alone, a sign-in would ask for what no device can prove.
  const isLastUsable = passkey.rpId === rpId && usable.length === 0
  const endsMfa = (isLastUsable || left.length === 0) && (await endSecondFactor(tenant, actor, userId))
  return { passkey, holder, isLastWay, endsMfa }
}

/** Whether a passkey that is deleted, of a user without another one, was their last way to sign in. */
async function isOnlyWay(tenant: Tenant, userId: string, holder: PasskeyHolder): Promise<boolean> {
  const connectionIds = (await listUsableIdentities(tenant, userId)).map(({ connectionId }) => connectionId)
  const requiredConnectionId = await findRequiredConnection(tenant, userId)
  return losesLastWay(undefined, { ...holder, hasOtherPasskey: false, connectionIds, requiredConnectionId })
}

/** @returns whether passkeys were the only second factor, so that MFA is off now */
async function endSecondFactor(tenant: Tenant, actor: Actor, userId: string): Promise<boolean> {
  if (!(await deleteVerifiedCredential(tenant, userId, 'passkey'))) return false
  if ((await listCredentials(tenant, userId)).length > 0) return false
  await deleteCredentials(tenant, userId)
  await updateUser(tenant, userId, { mfaEnabled: false })
  await record(tenant, actor, { action: 'mfa.disabled', user: presentUser(await getUser(tenant, userId)) })
  return true
}
