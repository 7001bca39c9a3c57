/** Profiles of OAuth that a client may be held to. Each clause is a field of the client; the rest of a profile holds at run time. */
import { isHttpsOrLocal } from '../platform/http/addresses.ts'
import type { Client, ClientSettings } from './queries.ts'
import { usesCertificate, usesSecret } from './rules.ts'

export const profiles = ['fapi2'] as const
export type Profile = (typeof profiles)[number]

/** The longest lifetime of an authorization code by the profile (§5.3.2.1 no. 11). */
const codeSecondsMax = 60

/** The fields of a client that its profile says something about. */
export const profiledFields = [
  'origin',
  'clientType',
  'requireDpop',
  'tokenEndpointAuthMethod',
  'jwks',
  'federatedCredentials',
  'authorizationCodeTtl',
  'requirePushedAuthorizationRequests',
  'requirePkce',
  'allowPlainPkce',
  'redirectUris',
  'tokenEndpointAuthSigningAlg',
  'requestObjectSigningAlg',
  'idTokenSignedResponseAlg',
  'introspectionSignedResponseAlg',
] as const

type Settings = Pick<
  ClientSettings,
  | 'profile'
  | 'tokenEndpointAuthMethod'
  | 'tokenEndpointAuthSigningAlg'
  | 'jwks'
  | 'jwksUri'
  | 'federatedCredentials'
  | 'requestObjectSigningAlg'
  | 'redirectUris'
  | 'requirePkce'
  | 'allowPlainPkce'
  | 'requirePushedAuthorizationRequests'
  | 'requireDpop'
  | 'certificateBoundAccessTokens'
  | 'authorizationCodeTtl'
  | 'idTokenSignedResponseAlg'
  | 'introspectionSignedResponseAlg'
>
export type ProfiledClient = Settings & Pick<Client, 'clientType' | 'origin'>
type Field = keyof ProfiledClient

interface ClauseOf<Name extends Field> {
  /** Section and number in the FAPI 2.0 Security Profile, final; null for a rule of ours. */
  clause: string | null
  field: Name
  /** What it has to be. */
  demand: string
  /** The places in the field that contradict the clause; the field itself, if it is no list. */
  contradictions(client: ProfiledClient): (string | number)[][]
  /** What the profile sets the field to; undefined where only an administrator can know. */
  forced?: (client: ProfiledClient) => ProfiledClient[Name]
}
type Clause = { [Name in (typeof profiledFields)[number]]: ClauseOf<Name> }[(typeof profiledFields)[number]]

const once = (isMet: (client: ProfiledClient) => boolean) => (client: ProfiledClient) => (isMet(client) ? [] : [[]])

/** What the profile demands of the settings of a client, in the order of its sections. */
export const fapi2Clauses: readonly Clause[] = [
  {
    clause: null,
    field: 'origin',
    demand: 'a client that an administrator has registered',
    contradictions: once(({ origin }) => origin === 'admin'),
  },
  {
    clause: '5.3.2.1-3',
    field: 'clientType',
    demand: 'a confidential client',
    contradictions: once(({ clientType }) => clientType === 'confidential'),
  },
  {
    clause: '5.3.2.1-5',
    field: 'requireDpop',
    demand: 'true, or certificateBoundAccessTokens',
    contradictions: once(({ requireDpop, certificateBoundAccessTokens }) => requireDpop || certificateBoundAccessTokens),
    // One of the two suffices: the other one is the choice of the client.
    forced: ({ requireDpop, certificateBoundAccessTokens }) => requireDpop || !certificateBoundAccessTokens,
  },
  {
    clause: '5.3.2.1-6',
    field: 'tokenEndpointAuthMethod',
    demand: 'private_key_jwt, tls_client_auth or self_signed_tls_client_auth',
    contradictions: once(({ tokenEndpointAuthMethod: method }) => method === 'private_key_jwt' || usesCertificate(method)),
    forced: ({ tokenEndpointAuthMethod: method }) => (usesCertificate(method) ? method : 'private_key_jwt'),
  },
  {
    clause: '5.3.2.1-6',
    field: 'jwks',
    demand: 'a key that signs otherwise than by RS256, or jwksUri',
    // A certificate is no signature of the client: that its key is known, the method itself demands.
    contradictions: once(
      ({ tokenEndpointAuthMethod, jwks, jwksUri }) =>
        usesCertificate(tokenEndpointAuthMethod) || jwksUri !== null || (jwks?.keys ?? []).some(({ alg }) => alg !== 'RS256'),
    ),
  },
  {
    clause: '5.3.2.1-6',
    field: 'federatedCredentials',
    demand: 'no other way to authenticate',
    contradictions: once(({ federatedCredentials }) => (federatedCredentials ?? []).length === 0),
  },
  {
    clause: '5.3.2.1-11',
    field: 'authorizationCodeTtl',
    demand: 'at most 60',
    contradictions: once(({ authorizationCodeTtl }) => authorizationCodeTtl <= codeSecondsMax),
    forced: ({ authorizationCodeTtl }) => Math.min(authorizationCodeTtl, codeSecondsMax),
  },
  {
    clause: '5.3.2.2-3',
    field: 'requirePushedAuthorizationRequests',
    demand: 'true',
    contradictions: once(({ requirePushedAuthorizationRequests }) => requirePushedAuthorizationRequests),
    forced: () => true,
  },
  {
    clause: '5.3.2.2-5',
    field: 'requirePkce',
    demand: 'true',
    contradictions: once(({ requirePkce }) => requirePkce),
    forced: () => true,
  },
  {
    clause: '5.3.2.2-5',
    field: 'allowPlainPkce',
    demand: 'false',
    contradictions: once(({ allowPlainPkce }) => !allowPlainPkce),
    forced: () => false,
  },
  {
    clause: '5.3.2.2-8',
    field: 'redirectUris',
    demand: 'https, or http on a loopback address',
    contradictions: ({ redirectUris }) => redirectUris.flatMap((uri, place) => (isEncrypted(uri) ? [] : [[place]])),
  },
  {
    clause: '5.4.1-2',
    field: 'tokenEndpointAuthSigningAlg',
    demand: 'another algorithm than RS256',
    contradictions: once(({ tokenEndpointAuthSigningAlg }) => tokenEndpointAuthSigningAlg !== 'RS256'),
    forced: ({ tokenEndpointAuthSigningAlg: chosen }) => (chosen === 'RS256' ? null : chosen),
  },
  {
    clause: '5.4.1-2',
    field: 'requestObjectSigningAlg',
    demand: 'another algorithm than RS256',
    contradictions: once(({ requestObjectSigningAlg }) => requestObjectSigningAlg !== 'RS256'),
    forced: ({ requestObjectSigningAlg: chosen }) => (chosen === 'RS256' ? null : chosen),
  },
  {
    clause: '5.4.1-2',
    field: 'idTokenSignedResponseAlg',
    demand: 'EdDSA',
    contradictions: once(({ idTokenSignedResponseAlg }) => idTokenSignedResponseAlg === 'EdDSA'),
    forced: () => 'EdDSA',
  },
  {
    clause: '5.4.1-2',
    field: 'introspectionSignedResponseAlg',
    demand: 'another algorithm than RS256',
    contradictions: once(({ introspectionSignedResponseAlg }) => introspectionSignedResponseAlg !== 'RS256'),
    forced: ({ introspectionSignedResponseAlg: chosen }) => (chosen === 'RS256' ? null : chosen),
  },
]

/** Responses with a code go over encrypted connections alone, except to a program on the same machine. */
const isEncrypted = (uri: string) => isHttpsOrLocal(new URL(uri))

/** A field that contradicts the profile. */
export interface ProfileMistake {
  path: (string | number)[]
  clause: string | null
  demand: string
}

/**
 * Holds the settings of a client to its profile, if it has one.
 *
 * @param before the client as it is, or as it would be by itself
 * @param named what the request names: nothing of it is overruled, so it may be a mistake
 * @returns the fields that the profile sets, which are those that the request which sets it does not name
 */
export function holdToProfile(
  before: ProfiledClient,
  named: Partial<Settings>,
): { forced: Partial<Settings>; mistakes: readonly ProfileMistake[] } {
  const asked = { ...before, ...named }
  if (asked.profile === null) return { forced: {}, mistakes: [] }
  const isBeingSet = named.profile !== undefined
  const forcing = isBeingSet ? fapi2Clauses.filter(({ field, forced }) => forced && !(field in named)) : []
  const forced: Partial<Settings> = Object.fromEntries(forcing.map((clause) => [clause.field, clause.forced?.(asked)]))
  const client = { ...asked, ...forced }
  const mistakes = fapi2Clauses.flatMap(({ clause, field, demand, contradictions }) =>
    // What cannot be changed is a reason against the profile.
    contradictions(client).map((place) => ({ path: [isFixed(field) ? 'profile' : field, ...place], clause, demand })),
  )
  return { forced, mistakes }
}

const isFixed = (field: Field) => field === 'origin' || field === 'clientType'

const recentMilliseconds = 7 * 24 * 60 * 60 * 1_000

/** Compares a client with the profile, whether it has it or not. Of its use only the times are stored. */
export function compareWithProfile(client: ProfiledClient & Pick<Client, 'lastUsedAt' | 'secretLastUsedAt'>, now: Date) {
  const isRecent = (time: Date | null) => time !== null && now.getTime() - time.getTime() < recentMilliseconds
  return {
    profile: client.profile,
    isInUse: isRecent(client.lastUsedAt),
    usesSecret: usesSecret(client.tokenEndpointAuthMethod) && isRecent(client.secretLastUsedAt),
    clauses: fapi2Clauses.map(({ clause, field, demand, contradictions, forced }) => ({
      ...{ clause, field, demand, isMet: contradictions(client).length === 0, isSetByProfile: forced !== undefined },
    })),
  }
}
