import type { UserCaller } from '../../access/caller.ts'
import type { Origin } from '../../activity/actor.ts'
import { hashSecret } from '../../platform/crypto/secrets.ts'
import type { Language } from '../../platform/language.ts'
import { proofOf, stillProves } from '../proof.ts'
import type { UpstreamIdentity } from '../upstream/upstream.ts'
import type { ConnectionToUse } from './queries.ts'
import { federatedSignInExpired, linkedToAnotherUser } from './refusals.ts'
import { claimPending, findPending, storePending } from './request-queries.ts'
import { type FederatedSignInDependencies, signInByIdentity } from './sign-in-by-identity.ts'
import { type Federation, getUsableConnection } from './start.ts'
import { refusalOf } from './why-refused.ts'

/** An identity whose user has to sign in as before, until it is linked. */
interface PendingIdentity extends Omit<UpstreamIdentity, 'checks' | 'authTime' | 'issuedAt' | 'sessionEndsAt' | 'idToken' | 'acr' | 'amr'> {
  userId: string
  /** By what the connection has proven it. An earlier release stored none. */
  proof?: string
}

/** As it is stored. The key is that of earlier releases. */
interface StoredPending {
  waiting?: PendingIdentity
}

/** The key to a pending identity, which the browser holds in two halves. Neither half leads to it alone. */
export interface PendingKey {
  connectionId: string
  state: string
  /** The value of the browser's cookie of sign-ins through connections. */
  browser: string | undefined
}

/** Stores an identity until its user has signed in: in the row of its request, which has been used up, for ten minutes more. */
export async function storePendingIdentity(
  { database, keyring }: Federation,
  connection: ConnectionToUse,
  stateHash: string,
  userId: string,
  { subject, email, emailIsProven, emailProvenBy, emailIsRelay, claims, sessionId, certificates }: UpstreamIdentity,
): Promise<void> {
  const address = { email, emailIsProven, emailProvenBy, emailIsRelay }
  const pending: PendingIdentity = { userId, subject, ...address, claims, sessionId, certificates, proof: proofOf(connection) }
  await storePending(
    database.tenant(connection.organisationId),
    stateHash,
    keyring.encrypt(JSON.stringify({ waiting: pending } satisfies StoredPending), stateHash),
  )
}

/** The connection of a pending identity, and the time since which it is pending. */
export interface Confirmation {
  organisationId: string
  connectionName: string
  email: string | undefined
  returnTo: string
  /** Whether this user has signed in since then, so that only their consent is missing. */
  isProven: boolean
}

/**
 * The identity that a user is asked to link.
 *
 * @param caller the signed-in user, if any
 * @throws Problem `bad-request` when it is no longer pending, `not-found` and `forbidden` when the connection cannot be used
 */
export async function getConfirmation(federation: Federation, key: PendingKey, caller: UserCaller | undefined): Promise<Confirmation> {
  const found = await getPendingIdentity(federation, key)
  const { connection, pending, request } = found
  return {
    organisationId: connection.organisationId,
    connectionName: connection.name,
    email: pending.email,
    returnTo: request.returnTo,
    isProven: caller !== undefined && hasSignedInSince(caller, found),
  }
}

/**
 * Links a pending identity to its user, who has signed in since. Of any number of calls only one links it. It is judged by the rules of this moment:
 * the connection, the account or its address may have changed since the user was asked.
 *
 * @throws Problem `bad-request` when it is no longer pending or the user has not signed in since, `forbidden` when it would not be linked now,
 *   `conflict` when it has become another user's
 */
export async function confirmLink(
  dependencies: FederatedSignInDependencies,
  key: PendingKey,
  caller: UserCaller,
  { origin, language }: { origin: Origin; language: Language | undefined },
): Promise<string> {
  const { database } = dependencies
  const found = await getPendingIdentity(dependencies, key)
  const { connection, pending, request } = found
  if (!hasSignedInSince(caller, found)) throw federatedSignInExpired()
  if (!(await claimPending(database.tenant(connection.organisationId), request.stateHash))) throw federatedSignInExpired()
  const identity = { ...pending, amr: [], acr: undefined, authTime: undefined, issuedAt: undefined, idToken: undefined, checks: [] }
  const done = await signInByIdentity(dependencies, { connection, identity, linkTo: caller, isConfirmed: true, origin, language })
  if (done.kind !== 'linked') throw done.kind === 'refused' ? refusalOf(dependencies, done) : linkedToAnotherUser()
  return request.returnTo
}

/** Whether the caller is the user of the identity, and has signed in since it is pending. */
function hasSignedInSince({ organisationId, session }: UserCaller, { connection, pending, request: { usedAt } }: FoundIdentity): boolean {
  const isTheirs = organisationId === connection.organisationId && session.userId === pending.userId
  return isTheirs && !session.awaitsMfaEnrolment && usedAt !== null && session.provenAt !== null && session.provenAt >= usedAt
}

type FoundIdentity = Awaited<ReturnType<typeof getPendingIdentity>>

async function getPendingIdentity(federation: Federation, { connectionId, state, browser }: PendingKey) {
  const { database, keyring } = federation
  const connection = await getUsableConnection(database, connectionId)
  const stateHash = hashSecret(state)
  const tenant = database.tenant(connection.organisationId)
  const request =
    browser === undefined ? undefined : await findPending(tenant, { stateHash, connectionId, browserHash: hashSecret(browser) })
  const stored = request && (JSON.parse(keyring.decrypt(request.verifierEncrypted, stateHash)) as StoredPending)
  const pending = stored?.waiting
  if (!request || !pending) throw federatedSignInExpired()
  const { proof } = pending
  if (proof !== undefined && !stillProves(connection, pending, proof)) throw federatedSignInExpired()
  return { connection, request, pending }
}
