import type { UserCaller } from '../../access/caller.ts'
import type { Origin } from '../../activity/actor.ts'
import { hashSecret } from '../../platform/crypto/secrets.ts'
import { type Language, wantedLanguage } from '../../platform/language.ts'
import { beginSignIn, type SignInOrigin } from '../../sign-in/begin.ts'
import type { ConnectionToUse } from './queries.ts'
import { federatedSignInExpired } from './refusals.ts'
import { claimRequest, type FederationRequest } from './request-queries.ts'
import { type Asked, type Federation, getUsableConnection, nothingAsked, secretsOf } from './start.ts'

/** The data that came back with the browser. */
export interface Callback {
  connectionId: string
  /** The value of the browser's cookie. */
  browser: string | undefined
  parameters: URLSearchParams
  caller: UserCaller | undefined
  origin: Origin
  /** The header of the browser, for sign-ins that have been asked for in no language of ours. */
  acceptLanguage: string | undefined
}

/** A sign-in that has come back from its identity provider, and whose request has been used up. */
export interface Attempt {
  connection: ConnectionToUse
  request: FederationRequest
  /** The signed-in user who links the account; undefined for a sign-in. */
  linkTo: UserCaller | undefined
  origin: SignInOrigin
  asked: Asked
  language: Language | undefined
}

/**
 * Uses up the request that the browser has come back with, once.
 *
 * @throws Problem `not-found`, `forbidden` when the connection cannot be used (any more), `bad-request` for a state that is unknown, used,
 *   expired or of another browser, or when the user who began to link is not the one who is signed in
 */
export async function claimAttempt(federation: Federation, callback: Callback): Promise<Attempt> {
  const { database } = federation
  const connection = await getUsableConnection(database, callback.connectionId)
  const request = await claim(federation, connection, callback)
  const isLink = request.purpose === 'link'
  // The user who began to link has signed out, or another has signed in.
  if (isLink && request.userId !== callback.caller?.session.userId) throw federatedSignInExpired()
  const { waitingClient, asked = nothingAsked } = secretsOf(federation, request)
  const origin = beginSignIn({ ...callback.origin, signInId: request.signInId, waitingClient }, database.clock.now())
  const language = wantedLanguage(asked.uiLocales, callback.acceptLanguage)
  return { connection, request, linkTo: isLink ? callback.caller : undefined, origin, asked, language }
}

async function claim({ database }: Federation, connection: ConnectionToUse, { parameters, browser }: Callback): Promise<FederationRequest> {
  const state = parameters.get('state')
  if (state === null || browser === undefined) throw federatedSignInExpired()
  const key = { stateHash: hashSecret(state), connectionId: connection.id, browserHash: hashSecret(browser) }
  const request = await database.transaction(connection.organisationId, (tenant) => claimRequest(tenant, key))
  if (!request) throw federatedSignInExpired()
  return request
}
