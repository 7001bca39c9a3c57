/** What an administrator has made stricter since a client registered, which its next registration does not undo. */
import { isDeepStrictEqual } from 'node:util'
import { isFieldOffered, type OAuthExtensions } from '../../clients/extensions.ts'
import type { Client, ClientSettings } from '../../clients/queries.ts'
import { usesSecret } from '../../clients/rules.ts'
import { type Assurance, plainAssurance } from './keys-and-assurance.ts'

/** What a client registered last of the settings that an administrator may have made stricter since. */
export type RegisteredAssurance = Assurance & Pick<ClientSettings, 'tokenEndpointAuthMethod' | 'defaultAcrValues' | 'defaultMaxAge'>

const plain: RegisteredAssurance = {
  ...plainAssurance,
  tokenEndpointAuthMethod: 'client_secret_basic',
  defaultAcrValues: null,
  defaultMaxAge: null,
}

/** What no extension concerns. */
const isAlwaysOffered = (field: keyof RegisteredAssurance): field is 'tokenEndpointAuthMethod' | 'defaultMaxAge' =>
  field === 'tokenEndpointAuthMethod' || field === 'defaultMaxAge'

/** Fields that mean something only together. */
const groups: readonly (readonly (keyof RegisteredAssurance)[])[] = [
  ['tokenEndpointAuthMethod', 'tokenEndpointAuthSigningAlg', 'jwks', 'jwksUri', 'tlsClientAuth'],
  ['certificateBoundAccessTokens'],
  ['requirePushedAuthorizationRequests'],
  ['requireDpop'],
  ['requireSignedRequestObject', 'requestObjectSigningAlg'],
  ['introspectionSignedResponseAlg'],
  ['backchannelLogoutUri', 'backchannelLogoutSessionRequired'],
  ['defaultAcrValues'],
  ['defaultMaxAge'],
]

/**
 * What stays of a client that replaces its registration: what an administrator has changed since it registered, and what an extension
 * concerns that is off, of which the client could say nothing.
 *
 * @param registered undefined if it has registered before these were stored: then it had none of them
 */
export function keptAssurance(
  client: Client,
  registered: RegisteredAssurance | undefined,
  extensions: OAuthExtensions,
): Partial<RegisteredAssurance> {
  const { tokenEndpointAuthMethod: method } = client
  // What a former release has stored lacks the members that came later: who has set these is unknown, so the client does not take them back.
  // Before it stored any, clients registered for a secret, or for none.
  const before = {
    ...plain,
    tokenEndpointAuthMethod: usesSecret(method) || method === 'none' ? method : ('client_secret_basic' as const),
    ...registered,
  }
  const isChanged = (field: keyof RegisteredAssurance) => !isDeepStrictEqual(client[field], before[field])
  const isOff = (field: keyof RegisteredAssurance) => !isAlwaysOffered(field) && !isFieldOffered(field, extensions)
  const kept = groups.flatMap((group) => (group.some(isChanged) ? group : group.filter(isOff)))
  return Object.fromEntries(kept.map((field) => [field, client[field]]))
}

/** What is stored as registered: of what was kept, still what the client itself had said. */
export function registeredAssurance(
  settings: RegisteredAssurance,
  before: RegisteredAssurance | undefined,
  kept: Partial<RegisteredAssurance>,
): RegisteredAssurance {
  const fields = groups.flat()
  const said: RegisteredAssurance = { ...plain, ...before }
  return Object.fromEntries(fields.map((field) => [field, field in kept ? said[field] : settings[field]])) as unknown as RegisteredAssurance
}
