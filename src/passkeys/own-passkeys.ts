import type { UserCaller } from '../access/caller.ts'
import type { PasskeyDependencies } from './options.ts'
import { findHandle, findHolder, listPasskeys, type Passkey } from './queries.ts'

export type { Passkey } from './queries.ts'

type Reading = Pick<PasskeyDependencies, 'database' | 'relyingParty'>

export interface OwnPasskeys {
  passkeys: readonly Passkey[]
  /** The data about the user for devices, by the names of the methods of `PublicKeyCredential` (WebAuthn L3 §5.1.10). */
  signals: Record<string, object>
}

/** The passkeys of the caller, on one page: there are few. */
export async function findOwnPasskeys({ database, relyingParty: { id: rpId } }: Reading, caller: UserCaller): Promise<OwnPasskeys> {
  const tenant = database.tenant(caller.organisationId)
  const { userId } = caller.session
  const passkeys = await listPasskeys(tenant, userId)
  const holder = await findHolder(tenant, userId)
  // Devices know nothing of a user who has never begun to register a passkey.
  const handle = await findHandle(tenant, userId)
  if (rpId === undefined || !holder || handle === undefined) return { passkeys, signals: {} }
  const user = { rpId, userId: handle }
  const allAcceptedCredentialIds = passkeys.filter((passkey) => passkey.rpId === rpId).map(({ credentialId }) => credentialId)
  return {
    passkeys,
    signals: {
      signalAllAcceptedCredentials: { ...user, allAcceptedCredentialIds },
      signalCurrentUserDetails: { ...user, name: holder.email, displayName: holder.name },
    },
  }
}

/** Whether the caller has a passkey that works, even if it does not sign in. */
export async function hasPasskey({ database, relyingParty }: Reading, caller: UserCaller): Promise<boolean> {
  const tenant = database.tenant(caller.organisationId)
  const { userId } = caller.session
  if ((await findHolder(tenant, userId))?.policy.passkeys === 'off') return false
  return (await listPasskeys(tenant, userId)).some(({ rpId }) => rpId === relyingParty.id)
}

/** Whether the organisation requires a passkey and the caller has none that signs in. */
export async function lacksRequiredPasskey({ database, relyingParty }: Reading, caller: UserCaller): Promise<boolean> {
  const tenant = database.tenant(caller.organisationId)
  const { userId } = caller.session
  if ((await findHolder(tenant, userId))?.policy.passkeys !== 'required') return false
  return !(await listPasskeys(tenant, userId)).some(({ canSignIn, rpId }) => canSignIn && rpId === relyingParty.id)
}
