import type { UserCaller } from '../../access/caller.ts'
import { type ProofDependencies, requireFresh } from '../../access/require-fresh.ts'
import { findRequiredConnection } from '../../domains/queries.ts'
import { refuseForSso } from '../../domains/sso-requirement.ts'
import { secondsAfter } from '../../platform/clock.ts'
import type { Keyring } from '../../platform/crypto/keyring.ts'
import { type Federation, getUsableConnection, requestLifetimeSeconds } from './start.ts'

/** The user who begins to link an identity, and their session: the browser of another session cannot complete it. */
interface LinkToken {
  userId: string
  sessionId: string
  returnTo: string
  expiresAt: string
}

const contextOf = (connectionId: string) => `identity link ${connectionId}`

/**
 * Begins to link an identity to the caller.
 *
 * @throws Problem `forbidden` when the sign-in is not recent, the connection cannot be used, or the caller has to sign in by another one;
 *   `not-found`
 */
export async function startLink(
  { database, keyring, publicUrl, relyingParty }: Federation & ProofDependencies,
  caller: UserCaller,
  { connectionId, returnTo = '/account' }: { connectionId: string; returnTo?: string | undefined },
): Promise<{ url: string }> {
  await requireFresh({ database, relyingParty }, caller)
  await getUsableConnection(database, connectionId, caller.organisationId)
  const required = await findRequiredConnection(database.tenant(caller.organisationId), caller.session.userId)
  if (required !== undefined && required !== connectionId) throw refuseForSso(publicUrl, required)
  const { userId, id: sessionId } = caller.session
  const expiresAt = secondsAfter(database.clock.now(), requestLifetimeSeconds).toISOString()
  const token: LinkToken = { userId, sessionId, returnTo, expiresAt }
  const link = keyring.encrypt(JSON.stringify(token), contextOf(connectionId))
  return { url: `${publicUrl}/federation/${connectionId}/start?${new URLSearchParams({ link })}` }
}

/** The contents of a link token; undefined for one that is not ours, has expired, or belongs to another session. */
export function readLinkToken(
  { keyring }: { keyring: Keyring },
  { connectionId, link, caller, now }: { connectionId: string; link: string; caller: UserCaller | undefined; now: Date },
): LinkToken | undefined {
  let token: LinkToken
  try {
    token = JSON.parse(keyring.decrypt(link, contextOf(connectionId)))
  } catch {
    return undefined
  }
  return token.sessionId === caller?.session.id && new Date(token.expiresAt) > now ? token : undefined
}
