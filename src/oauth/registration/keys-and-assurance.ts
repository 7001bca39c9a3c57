/** What a client registers of its keys and of how strictly it is treated. Each member counts only while its extension is on, and is ignored otherwise. */
import { z } from 'zod'
import { certificateFields } from '../../clients/certificate-schemas.ts'
import { refuseKeysAddress, refuseLogoutAddress } from '../../clients/create-client.ts'
import { isFieldOffered, type OAuthExtensions } from '../../clients/extensions.ts'
import { keyFields, shownKeyFields } from '../../clients/key-schemas.ts'
import { logoutFields } from '../../clients/logout-schemas.ts'
import { keyMistake, keysMax, publicMembers, readClientAlgorithm } from '../../clients/public-keys.ts'
import type { ClientSettings } from '../../clients/queries.ts'
import type { ClientAlgorithm, PublicKeySet, SigningAlgorithm, TlsClientAuth } from '../../platform/database/column-types.ts'
import type { OutgoingRules } from '../../platform/http/outgoing.ts'
import { Problem } from '../../platform/http/problem.ts'
import { invalidMetadata } from './errors.ts'

const described = (description: string, example: unknown) => z.unknown().optional().meta({ description, example })

/** The members, each of which is read only while its extension is on. */
export const assuranceMembers = {
  jwks: described(
    'Public keys by which it signs, with `private_key_jwt` or `jar`, or those of its certificates, with `mtls`. Not together with `jwks_uri`',
    {
      keys: [],
    },
  ),
  jwks_uri: described('Where it publishes them instead', 'https://app.example.test/jwks.json'),
  token_endpoint_auth_signing_alg: described('The only algorithm of its assertions, with `private_key_jwt`', 'ES256'),
  require_pushed_authorization_requests: described('Whether it has to push its requests (RFC 9126), with `par`', true),
  dpop_bound_access_tokens: described('Whether its tokens are bound to a key that it proves (RFC 9449), with `dpop`', true),
  require_signed_request_object: described('Whether it has to sign its requests (RFC 9101), with `jar`', true),
  request_object_signing_alg: described('The only algorithm of its signed requests, with `jar`', 'ES256'),
  introspection_signed_response_alg: described('What signs introspection (RFC 9701), with `jwt_introspection`', 'EdDSA'),
  backchannel_logout_uri: described(
    'Where it is told of the end of sessions, with `backchannel_logout`',
    'https://app.example.test/backchannel-logout',
  ),
  backchannel_logout_session_required: described('Whether it needs `sid` there', true),
  tls_client_auth_subject_dn: described('Subject of its certificate (RFC 4514), with `mtls`', 'CN=portal.acme.test,O=Acme,C=DE'),
  tls_client_auth_san_dns: described('In place of the subject, a DNS name in its certificate', 'portal.acme.test'),
  tls_client_auth_san_uri: described('Or a URI', 'spiffe://acme.test/portal'),
  tls_client_auth_san_ip: described('Or an IP address', '192.0.2.7'),
  tls_client_auth_san_email: described('Or an e-mail address', 'portal@acme.test'),
  tls_client_certificate_bound_access_tokens: described('Whether its tokens are bound to its certificate (RFC 8705), with `mtls`', true),
}
type Member = keyof typeof assuranceMembers

/** The same members as a registration shows them. */
export const shownAssuranceMembers = {
  jwks: shownKeyFields.jwks.unwrap().optional().meta({ description: 'Public keys by which the client signs' }),
  jwks_uri: shown(z.string(), 'jwks_uri'),
  token_endpoint_auth_signing_alg: shown(z.string(), 'token_endpoint_auth_signing_alg'),
  require_pushed_authorization_requests: shown(z.boolean(), 'require_pushed_authorization_requests'),
  dpop_bound_access_tokens: shown(z.boolean(), 'dpop_bound_access_tokens'),
  require_signed_request_object: shown(z.boolean(), 'require_signed_request_object'),
  request_object_signing_alg: shown(z.string(), 'request_object_signing_alg'),
  introspection_signed_response_alg: shown(z.string(), 'introspection_signed_response_alg'),
  backchannel_logout_uri: shown(z.string(), 'backchannel_logout_uri'),
  backchannel_logout_session_required: shown(z.boolean(), 'backchannel_logout_session_required'),
  tls_client_auth_subject_dn: shown(z.string(), 'tls_client_auth_subject_dn'),
  tls_client_auth_san_dns: shown(z.string(), 'tls_client_auth_san_dns'),
  tls_client_auth_san_uri: shown(z.string(), 'tls_client_auth_san_uri'),
  tls_client_auth_san_ip: shown(z.string(), 'tls_client_auth_san_ip'),
  tls_client_auth_san_email: shown(z.string(), 'tls_client_auth_san_email'),
  tls_client_certificate_bound_access_tokens: shown(z.boolean(), 'tls_client_certificate_bound_access_tokens'),
} satisfies Record<Member, z.ZodType>

function shown<Schema extends z.ZodType>(schema: Schema, member: Member) {
  return schema.optional().meta(assuranceMembers[member].meta() ?? {})
}

type Sent = { readonly [Name in Member]?: unknown } & { readonly token_endpoint_auth_method?: string | null | undefined }

const fieldsByMember = {
  jwks: 'jwks',
  jwks_uri: 'jwksUri',
  token_endpoint_auth_signing_alg: 'tokenEndpointAuthSigningAlg',
  require_pushed_authorization_requests: 'requirePushedAuthorizationRequests',
  dpop_bound_access_tokens: 'requireDpop',
  require_signed_request_object: 'requireSignedRequestObject',
  request_object_signing_alg: 'requestObjectSigningAlg',
  introspection_signed_response_alg: 'introspectionSignedResponseAlg',
  backchannel_logout_uri: 'backchannelLogoutUri',
  backchannel_logout_session_required: 'backchannelLogoutSessionRequired',
  tls_client_auth_subject_dn: 'tlsClientAuth',
  tls_client_auth_san_dns: 'tlsClientAuth',
  tls_client_auth_san_uri: 'tlsClientAuth',
  tls_client_auth_san_ip: 'tlsClientAuth',
  tls_client_auth_san_email: 'tlsClientAuth',
  tls_client_certificate_bound_access_tokens: 'certificateBoundAccessTokens',
} as const satisfies Record<Member, keyof ClientSettings>
const members = Object.keys(fieldsByMember) as Member[]

/** The names of which a client registers one (RFC 8705 §2.1.2); to us they are one field. */
const certificateNames = {
  tls_client_auth_subject_dn: 'subjectDn',
  tls_client_auth_san_dns: 'sanDns',
  tls_client_auth_san_uri: 'sanUri',
  tls_client_auth_san_ip: 'sanIp',
  tls_client_auth_san_email: 'sanEmail',
} as const satisfies Partial<Record<Member, keyof TlsClientAuth>>
export const certificateNameMembers = Object.keys(certificateNames) as (keyof typeof certificateNames)[]
const isCertificateName = (member: Member): member is keyof typeof certificateNames => member in certificateNames

export type Assurance = Pick<ClientSettings, (typeof fieldsByMember)[Member]>

/** Where a registration may lead this service. */
export interface AddressRules {
  /** The keys of clients are fetched through the guard. */
  outgoing: { readonly rules: OutgoingRules }
  logoutRules: OutgoingRules
}

/** What a client has that registers none of it. */
export const plainAssurance: Assurance = {
  jwks: null,
  jwksUri: null,
  tokenEndpointAuthSigningAlg: null,
  requirePushedAuthorizationRequests: false,
  requireDpop: false,
  requireSignedRequestObject: false,
  requestObjectSigningAlg: null,
  introspectionSignedResponseAlg: null,
  backchannelLogoutUri: null,
  backchannelLogoutSessionRequired: false,
  tlsClientAuth: null,
  certificateBoundAccessTokens: false,
}

/** @throws OAuthError `invalid_client_metadata` */
export function readAssurance(sent: Sent, extensions: OAuthExtensions, { outgoing, logoutRules }: AddressRules): Assurance {
  const sentFor = (member: Member) => (isFieldOffered(fieldsByMember[member], extensions) ? (sent[member] ?? undefined) : undefined)
  const assurance: Assurance = {
    jwks: readKeys(sentFor('jwks')),
    jwksUri: readField('jwks_uri', keyFields.jwksUri, sentFor('jwks_uri')),
    tokenEndpointAuthSigningAlg: readSigningAlgorithm('token_endpoint_auth_signing_alg', sentFor('token_endpoint_auth_signing_alg')),
    requirePushedAuthorizationRequests: readSwitch(
      'require_pushed_authorization_requests',
      sentFor('require_pushed_authorization_requests'),
    ),
    requireDpop: readSwitch('dpop_bound_access_tokens', sentFor('dpop_bound_access_tokens')),
    requireSignedRequestObject: readSwitch('require_signed_request_object', sentFor('require_signed_request_object')),
    requestObjectSigningAlg: readSigningAlgorithm('request_object_signing_alg', sentFor('request_object_signing_alg')),
    introspectionSignedResponseAlg: readOurAlgorithm('introspection_signed_response_alg', sentFor('introspection_signed_response_alg')),
    backchannelLogoutUri: readField('backchannel_logout_uri', logoutFields.backchannelLogoutUri, sentFor('backchannel_logout_uri')),
    backchannelLogoutSessionRequired: readSwitch('backchannel_logout_session_required', sentFor('backchannel_logout_session_required')),
    tlsClientAuth: readCertificateName(sentFor),
    certificateBoundAccessTokens: readSwitch(
      'tls_client_certificate_bound_access_tokens',
      sentFor('tls_client_certificate_bound_access_tokens'),
    ),
  }
  inWordsOf('jwks_uri', () => refuseKeysAddress(assurance.jwksUri, outgoing.rules))
  inWordsOf('backchannel_logout_uri', () => refuseLogoutAddress(assurance.backchannelLogoutUri, logoutRules))
  return assurance
}

/** Says a refusal of a field in the words of the protocol. */
function inWordsOf(member: Member, check: () => void): void {
  try {
    check()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw invalidMetadata(member, error.errors?.[0]?.message ?? error.detail)
  }
}

function readField<Value>(member: Member, schema: z.ZodType<Value | null>, sent: unknown): Value | null {
  if (sent === undefined) return null
  const read = schema.safeParse(sent)
  if (!read.success) throw invalidMetadata(member, read.error.issues[0]?.message ?? 'is malformed')
  return read.data
}

const KeySet = z.object({ keys: z.array(z.looseObject({})).max(keysMax) })

/** The keys that can verify what the client signs. Those for other purposes are left out, since many clients publish them beside. */
function readKeys(sent: unknown): PublicKeySet | null {
  if (sent === undefined) return null
  const read = KeySet.safeParse(sent)
  if (!read.success) throw invalidMetadata('jwks', `must be a set of at most ${keysMax} keys`)
  const { keys } = read.data
  if (keys.some((key) => keyMistake(key)?.reason === 'key-is-private')) throw invalidMetadata('jwks', 'must not contain a private key')
  const usable = keys.filter((key) => keyMistake(key) === undefined).map(publicMembers)
  return usable.length === 0 ? null : { keys: usable }
}

/** RFC 8705 §2.1.2: exactly one of them says whose certificate it has to be. */
function readCertificateName(sentFor: (member: Member) => unknown): TlsClientAuth | null {
  const [member, another] = certificateNameMembers.filter((name) => sentFor(name) !== undefined)
  if (member === undefined) return null
  if (another !== undefined) throw invalidMetadata(another, `must not be sent together with ${member}`)
  return readField(member, certificateFields.tlsClientAuth, { [certificateNames[member]]: sentFor(member) })
}

function readSwitch(member: Member, sent: unknown): boolean {
  if (sent === undefined) return false
  if (typeof sent !== 'boolean') throw invalidMetadata(member, 'must be true or false')
  return sent
}

function readSigningAlgorithm(member: Member, sent: unknown): ClientAlgorithm | null {
  if (sent === undefined) return null
  const algorithm = readClientAlgorithm(sent)
  if (!algorithm) throw invalidMetadata(member, 'must be EdDSA, ES256, PS256 or RS256')
  return algorithm
}

function readOurAlgorithm(member: Member, sent: unknown): SigningAlgorithm | null {
  if (sent === undefined) return null
  if (sent === 'RS256') return 'RS256'
  if (sent === 'EdDSA' || sent === 'Ed25519') return 'EdDSA'
  throw invalidMetadata(member, 'must be RS256 or EdDSA')
}

type ShownAssurance = Partial<z.infer<z.ZodObject<typeof shownAssuranceMembers>>>

/** The members that hold of a client. */
export function presentAssurance(client: Assurance, extensions: OAuthExtensions): ShownAssurance {
  const shown = members.filter((member) => isFieldOffered(fieldsByMember[member], extensions) && registeredValue(client, member) != null)
  return Object.fromEntries(shown.map((member) => [member, registeredValue(client, member)]))
}

const registeredValue = (client: Assurance, member: Member) =>
  isCertificateName(member) ? client.tlsClientAuth?.[certificateNames[member]] : client[fieldsByMember[member]]
