import type { Quotas, RateLimits } from '../../access/rate-limits.ts'
import type { WaitingClient } from '../../activity/actor.ts'
import type { AskedSignIn } from '../../oauth/authorization/stored-requests.ts'
import { secondsAfter } from '../../platform/clock.ts'
import { hashSecret, newSecret } from '../../platform/crypto/secrets.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Outbox } from '../../platform/mail/outbox.ts'
import { type Departure, departureOf, type Providers } from './authorization-url.ts'
import { type ConnectionToUse, findConnectionToUse } from './queries.ts'
import { connectionNotFound, connectionUnusable } from './refusals.ts'
import { type FederationRequest, insertRequest } from './request-queries.ts'
import { isUsable } from './rules.ts'
import { isTestState } from './test-state.ts'

export const requestLifetimeSeconds = 10 * 60

export interface Federation extends Providers {
  database: Database
  limits: RateLimits
  quotas: Quotas
  outbox: Outbox
}

/** What a sign-in has been asked for. It belongs to the sign-in on all its pages, as does the place to return to. */
export interface Asked {
  loginHint: string | undefined
  /** Whether the user has to sign in again, even if there is a session. */
  isNewSignIn: boolean
  /** The languages of the pages, best first, separated by spaces. */
  uiLocales: string | undefined
}

export const nothingAsked: Asked = { loginHint: undefined, isNewSignIn: false, uiLocales: undefined }

export interface StartRequest extends Asked {
  connectionId: string
  /** The value of the browser's cookie, if it has one. */
  browser: string | undefined
  returnTo: string
  /** The signed-in user who links an identity. */
  linkTo?: string | undefined
  /** The requirements of the application's pending request. It checks the result itself, so nothing is refused here. */
  waiting?: AskedSignIn | undefined
  waitingClient?: WaitingClient | undefined
  /** The sign-in that continues there. */
  signInId: string
  address: string
}

/** The contents of the verifier's column. */
export interface Secrets {
  verifier: string
  maxAge?: number
  waitingClient?: WaitingClient
  /** For the pages after the response. An earlier release stored none. */
  asked?: Asked
}

export const secretsOf = ({ keyring }: Federation, { stateHash, verifierEncrypted }: FederationRequest): Secrets =>
  JSON.parse(keyring.decrypt(verifierEncrypted, stateHash))

/**
 * Begins a sign-in at an identity provider.
 *
 * @returns where the browser goes, and the value for its cookie
 * @throws Problem `not-found`, `forbidden` when the connection cannot be used, `too-many-requests`; UpstreamRefusal when the provider's
 *   discovery document cannot be read
 */
export async function startFederation(federation: Federation, request: StartRequest): Promise<Departure & { browser: string }> {
  const { database, keyring, limits } = federation
  await limits.federationStartsByAddress.count(request.address)
  const connection = await getUsableConnection(database, request.connectionId)
  const { organisationId, id } = connection
  const now = database.clock.now()
  const [state, verifier, browser] = [newSecret(), newSecret(), request.browser ?? newSecret()]
  const nonce = nonceOf(verifier)
  const { waiting, waitingClient, loginHint, uiLocales } = request
  const isNewSignIn = request.isNewSignIn || waiting?.isNew === true
  // Google and Microsoft, among others, do not send `auth_time`, which the response must hold when no request is pending.
  const saysWhen = connection.provider === 'oidc' || connection.provider === 'saml'
  const maxAge = waiting?.maxAgeSeconds ?? (isNewSignIn && saysWhen ? 0 : undefined)
  const departure = await departureOf(federation, connection, {
    state,
    nonce,
    verifier,
    maxAge,
    loginHint,
    prompt: isNewSignIn ? 'login' : undefined,
  })
  const stateHash = hashSecret(state)
  const secrets: Secrets = {
    verifier,
    asked: { loginHint, isNewSignIn, uiLocales },
    ...(maxAge !== undefined && waiting === undefined && { maxAge }),
    ...(waitingClient && { waitingClient }),
  }
  await insertRequest(database.tenant(organisationId), {
    stateHash,
    connectionId: id,
    purpose: request.linkTo === undefined ? 'sign_in' : 'link',
    nonceHash: hashSecret(nonce),
    verifierEncrypted: keyring.encrypt(JSON.stringify(secrets), stateHash),
    browserHash: hashSecret(browser),
    returnTo: request.returnTo,
    userId: request.linkTo ?? null,
    signInId: request.signInId,
    expiresAt: secondsAfter(now, requestLifetimeSeconds),
  })
  return { ...departure, browser }
}

/** The nonce derives from the verifier, which never passes through the browser, so neither can be derived from what the browser sees. */
export const nonceOf = (verifier: string) => hashSecret(`nonce ${verifier}`)

/** A connection through which users can sign in. */
export type UsableConnection = ConnectionToUse

/**
 * @param within the organisation that it has to belong to, if that is known: a connection of another counts as not found
 * @throws Problem `not-found`, `forbidden`
 */
export async function getUsableConnection(database: Database, id: string, within?: string): Promise<ConnectionToUse> {
  const connection = await findConnectionToUse(database, id)
  if (!connection || (within !== undefined && connection.organisationId !== within)) throw connectionNotFound()
  // An import without secrets brings none.
  if (!isUsable(connection) || connection.secretEncrypted === null) throw connectionUnusable()
  return connection
}

/**
 * The connection that a response is for. One that answers a test need not be active: it is stored only where a test has asked for it.
 *
 * @throws Problem as {@link getUsableConnection}
 */
export async function getAnsweredConnection(database: Database, id: string, state: string): Promise<ConnectionToUse> {
  if (!isTestState(state)) return getUsableConnection(database, id)
  const connection = await findConnectionToUse(database, id)
  if (!connection) throw connectionNotFound()
  return connection
}
