/** Client ID metadata documents (draft-ietf-oauth-client-id-metadata-document): what may be one. No rule here fetches anything. */
import { hash } from 'node:crypto'
import { z } from 'zod'
import { algorithmNames, canonicalAlgorithm, keyMistake, keysMax, publicMembers } from '../../clients/public-keys.ts'
import { parametersOfResponses, responseUriMistake } from '../../clients/rules.ts'
import { redirectUriLengthMax, redirectUriMistake } from '../../organisations/rules.ts'
import type { SigningAlgorithm } from '../../platform/database/column-types.ts'
import { parseJsonObject } from '../../platform/json-object.ts'
import { hasInvisibleCharacters, isPlainText } from '../../platform/text.ts'
import { type KeysOfAutomaticClient, withoutKeys } from '../automatic-client.ts'

const addressLengthMax = 512
const redirectUrisMax = 100
export const deviceGrantType = 'urn:ietf:params:oauth:grant-type:device_code'
export const assertionGrantType = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
/** What a client may do without the grant of codes. */
const grantsWithoutCode = [deviceGrantType, assertionGrantType]
const nameLengthMax = 100

/** What is used of a document. What a former release has stored says nothing of keys. */
export interface ClientDocument extends Partial<KeysOfAutomaticClient> {
  name: string
  redirectUris: string[]
  grantTypes: string[]
  idTokenSignedResponseAlg: SigningAlgorithm
  logoUri: string | null
}

/**
 * Why a client_id is no address of a document (§3 of the draft); undefined when it is one. Addresses are compared as strings, so each has
 * one spelling only.
 */
export function addressMistake(clientId: string): string | undefined {
  if (clientId.length > addressLengthMax) return `The client_id is longer than ${addressLengthMax} characters.`
  const url = URL.parse(clientId)
  if (url?.protocol !== 'https:') return 'The client_id is not an https address.'
  if (url.username !== '' || url.password !== '') return 'The client_id contains a user name or a password.'
  if (clientId.includes('#')) return 'The client_id contains a fragment.'
  if (clientId.includes('?')) return 'The client_id contains a query.'
  if (url.pathname === '/') return 'The client_id has no path.'
  // It is the same host, and would be another one to a list of hosts.
  if (url.hostname.endsWith('.')) return 'The client_id names its host with a dot at the end.'
  // Dot segments, capital letters of the host, the default port and characters that need encoding are all spelled otherwise.
  return url.href === clientId ? undefined : `The client_id is not spelled as ${url.href}.`
}

const Document = z.object({
  client_id: z.string(),
  client_name: z.string(),
  redirect_uris: z.array(z.string()).min(1).max(redirectUrisMax),
  token_endpoint_auth_method: z.string().default('none'),
  token_endpoint_auth_signing_alg: z.enum(algorithmNames).transform(canonicalAlgorithm).nullish(),
  jwks: z.object({ keys: z.array(z.looseObject({})).min(1).max(keysMax) }).nullish(),
  jwks_uri: z.string().max(addressLengthMax).refine(isPlainText).nullish(),
  grant_types: z.array(z.string()).default(['authorization_code']),
  response_types: z.array(z.string()).default(['code']),
  id_token_signed_response_alg: z.string().default('RS256'),
  logo_uri: z.string().optional(),
})

/** A document that cannot be used, with the reason. */
export type ReadDocument = ClientDocument | { mistake: string }

/** Reads a document. Unknown members are ignored. */
export function readDocument(text: string, clientId: string): ReadDocument {
  const parsed = parseJsonObject(text)
  if (!parsed) return { mistake: 'The document is not a JSON object.' }
  if (parsed.client_id !== clientId) return { mistake: 'The client_id in the document is not the address of the document.' }
  const secret = Object.keys(parsed).find((name) => name.startsWith('client_secret'))
  if (secret !== undefined) return { mistake: `The document contains ${shownSecret(secret)}: what all can read is no secret.` }
  const read = Document.safeParse(parsed)
  if (!read.success) return { mistake: `${read.error.issues[0]?.path.join('.')} in the document is missing or malformed.` }
  const { data } = read
  const keys = readKeys(data, clientId)
  if ('mistake' in keys) return keys
  const named = nameMistake(data.client_name.trim())
  if (named !== undefined) return { mistake: named }
  const redirectUris = data.redirect_uris.filter(isRedirectUri)
  if (redirectUris.length === 0) return { mistake: 'None of redirect_uris is an https address, or http on this machine.' }
  const usesCodes = data.grant_types.includes('authorization_code') && data.response_types.includes('code')
  if (!usesCodes && !grantsWithoutCode.some((grant) => data.grant_types.includes(grant))) {
    return { mistake: 'The document does not allow the grant authorization_code with the response type code.' }
  }
  const idTokenSignedResponseAlg = algorithmOf(data.id_token_signed_response_alg)
  if (!idTokenSignedResponseAlg) return { mistake: 'id_token_signed_response_alg must be RS256 or EdDSA.' }
  return {
    name: data.client_name.trim(),
    redirectUris: [...new Set(redirectUris)],
    grantTypes: [
      ...(usesCodes ? ['authorization_code'] : []),
      ...['refresh_token', ...grantsWithoutCode].filter((grant) => data.grant_types.includes(grant)),
    ],
    idTokenSignedResponseAlg,
    ...keys,
    logoUri: isLogoAddress(data.logo_uri) ? data.logo_uri : null,
  }
}

/** A refusal repeats nothing that a stranger has written, which could hold what no `error_description` may (RFC 6749 §5.2). */
const shownSecret = (name: string) =>
  name === 'client_secret' || name === 'client_secret_expires_at' ? name : 'a member that begins with client_secret'

/** What is left out is no reason against the document. */
const isLogoAddress = (text: string | undefined): text is string =>
  text !== undefined && isPlainText(text) && URL.parse(text)?.protocol === 'https:'

type KeysInDocument = Pick<z.infer<typeof Document>, 'token_endpoint_auth_method' | 'token_endpoint_auth_signing_alg' | 'jwks' | 'jwks_uri'>

/** How the client authenticates (§8.2 of the draft). Keys of one that does not are ignored. */
function readKeys(document: KeysInDocument, clientId: string): KeysOfAutomaticClient | { mistake: string } {
  const { token_endpoint_auth_method: method, token_endpoint_auth_signing_alg: algorithm, jwks, jwks_uri: jwksUri } = document
  const published = jwks?.keys ?? []
  if (published.some((key) => keyMistake(key)?.reason === 'key-is-private'))
    return { mistake: 'jwks contains a private key, which all can read: replace it.' }
  if (method === 'none') return withoutKeys
  if (method === 'tls_client_auth' || method === 'self_signed_tls_client_auth')
    return { mistake: `token_endpoint_auth_method must be none or private_key_jwt: ${method} is for clients of one organisation.` }
  if (method !== 'private_key_jwt')
    return { mistake: 'token_endpoint_auth_method must be none or private_key_jwt: a document is public, so it shares no secret.' }
  if (jwks && jwksUri) return { mistake: 'The document contains jwks and jwks_uri: it may have one of them.' }
  const found = { tokenEndpointAuthMethod: method, tokenEndpointAuthSigningAlg: algorithm ?? null } as const
  if (jwksUri) {
    // The host of the document vouches for the client, and so for its keys. Another one is not asked for them by anyone who writes a document.
    const { protocol, host } = URL.parse(jwksUri) ?? {}
    if (protocol !== 'https:' || host !== new URL(clientId).host) return { mistake: 'jwks_uri must be https, of the host of the document.' }
    return { ...found, jwks: null, jwksUri }
  }
  const keys = published.filter((key) => keyMistake(key) === undefined).map(publicMembers)
  if (keys.length === 0) return { mistake: 'private_key_jwt needs jwks with a public key (RSA, P-256 or Ed25519), or jwks_uri.' }
  return { ...found, jwks: { keys }, jwksUri: null }
}

/** A name must not pretend to be another one: it has no character that cannot be seen, and no word of letters that look alike. */
function nameMistake(name: string): string | undefined {
  if (name === '' || name.length > nameLengthMax) return `client_name must have 1 to ${nameLengthMax} characters.`
  if (!isPlainText(name) || hasInvisibleCharacters(name)) return 'client_name contains characters that cannot be seen.'
  const isMixed = name.split(/[^\p{L}\p{M}]+/u).some((word) => lookalikes.filter((script) => script.test(word)).length > 1)
  return isMixed ? 'client_name mixes letters of several scripts in one word.' : undefined
}

/** The scripts with letters that look like those of the others. */
const lookalikes = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u, /\p{Script=Armenian}/u, /\p{Script=Cherokee}/u]

/** Https, or http on this machine; a private-use scheme could be any program's. */
function isRedirectUri(uri: string): boolean {
  if (uri.length > redirectUriLengthMax || redirectUriMistake(uri) !== undefined) return false
  if (responseUriMistake(uri, parametersOfResponses.authorization) !== undefined) return false
  return /^https?:/i.test(uri)
}

function algorithmOf(name: string): SigningAlgorithm | undefined {
  if (name === 'RS256') return name
  return name === 'EdDSA' || name === 'Ed25519' ? 'EdDSA' : undefined
}

/** The version of a document: it changes with its redirect URIs and with how it authenticates, which every consent rests on. */
export function versionOf({ redirectUris, ...document }: ClientDocument): string {
  const redirects = [...redirectUris].sort()
  const { tokenEndpointAuthMethod, tokenEndpointAuthSigningAlg, jwks, jwksUri } = { ...withoutKeys, ...document }
  const keys = jwks?.keys.map((key) => JSON.stringify(publicMembers({ ...key }))).sort()
  const restsOn =
    tokenEndpointAuthMethod === 'none' ? redirects : { redirects, tokenEndpointAuthMethod, tokenEndpointAuthSigningAlg, keys, jwksUri }
  return hash('sha256', JSON.stringify(restsOn), 'base64url')
}

const secondsMin = 5 * 60
const secondsMax = 24 * 3_600

/** How long a document may be used, by the headers of its response (RFC 9111), but at least 5 minutes and at most a day. */
export function cacheSeconds(headers: Pick<Headers, 'get'>, now: Date): number {
  const directives = (headers.get('cache-control') ?? '')
    .toLowerCase()
    .split(',')
    .map((directive) => directive.trim())
  if (directives.some((directive) => /^no-(store|cache)\b/.test(directive))) return secondsMin
  const age = Number(headers.get('age') ?? 0) || 0
  const maxAge = directives.map((directive) => /^max-age="?(\d{1,9})"?$/.exec(directive)?.[1]).find((found) => found !== undefined)
  const expires = Date.parse(headers.get('expires') ?? '')
  const fresh = maxAge !== undefined ? Number(maxAge) - age : Number.isNaN(expires) ? 0 : (expires - now.getTime()) / 1_000
  return Math.min(secondsMax, Math.max(secondsMin, Math.floor(fresh)))
}
