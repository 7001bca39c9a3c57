import { fieldMistake, fieldRefusal, refusal } from '../platform/http/problem.ts'
import type { ExtensionName } from './extensions.ts'

export const clientNotFound = refusal('client-not-found', 'not-found', 'Client not found')
export const publicClientHasNoSecret = refusal('public-client-has-no-secret', 'bad-request', 'A public client has no secret')
export const plainPkceDenied = fieldRefusal('plain-pkce-denied', ['allowPlainPkce'], 'The operator denies the challenge method plain')

export const publicClientWithoutSecret = fieldMistake('public-client-without-secret', 'A public client has no secret: use none')
export const confidentialClientAuthenticates = fieldMistake('confidential-client-authenticates', 'A confidential client must authenticate')
export const publicClientUsesPkce = fieldMistake('public-client-uses-pkce', 'A public client must use PKCE')
export const grantForConfidentialClients = fieldMistake(
  'grant-for-confidential-clients',
  (grantType: string) => `${grantType} is for confidential clients`,
)
export const keysMissing = fieldMistake('client-keys-missing', 'private_key_jwt and self_signed_tls_client_auth need jwks or jwksUri')
export const federatedSubjectPattern = fieldMistake(
  'federated-subject-pattern',
  'Must be exact, or end in * after a : or / that two segments or more stand before',
)
export const federatedSubjectNamedTwice = fieldMistake('federated-subject-named-twice', 'This name or identity is there twice')
export const federatedIssuerNotAllowed = fieldMistake('federated-issuer-not-allowed', (reason: string) => `Is not fetched: ${reason}`)
export const credentialsForConfidentialClients = fieldMistake(
  'credentials-for-confidential-clients',
  'Only a confidential client authenticates: a public one has no credentials',
)
export const federatedSubjectTaken = refusal(
  'federated-subject-taken',
  'conflict',
  'An identity among federatedCredentials is taken: add a claim that tells the workloads apart, or take it from the other client or API key',
)
export const keysInTwoPlaces = fieldMistake('client-keys-in-two-places', 'Either jwks or jwksUri, not both: set the other one to null')
export const secretMissing = fieldMistake('client-secret-missing', 'The client has no secret: rotate the secret first')
export const keyIsPrivate = fieldMistake('key-is-private', 'Must be a public key: the private half stays with the application')
export const keyTypeNotSupported = fieldMistake(
  'key-type-not-supported',
  'Must be RSA, EC with P-256, or OKP with Ed25519; of platforms also EC with P-384 or P-521',
)
export const keySizeNotSupported = fieldMistake('key-size-not-supported', 'Must be an RSA key of 2048 to 8192 bits')
export const keyNotForSignatures = fieldMistake('key-not-for-signatures', 'Must be sig, or be left out')
export const keyAlgorithmNotSupported = fieldMistake(
  'key-algorithm-not-supported',
  'Must be an algorithm that fits the key: EdDSA, ES256, PS256 or RS256; of platforms also those of 384 and 512 bits',
)
export const keyUnreadable = fieldMistake('key-unreadable', 'Is not a public key that can be read')
export const certificateNameMissing = fieldMistake('certificate-name-missing', 'tls_client_auth needs tlsClientAuth')
export const certificateNameNotSingle = fieldMistake(
  'certificate-name-not-single',
  'Must hold exactly one of subjectDn, sanDns, sanUri, sanIp and sanEmail',
)
export const distinguishedNameUnreadable = fieldMistake(
  'distinguished-name-unreadable',
  'Must be a distinguished name by RFC 4514, such as CN=portal.acme.test,O=Acme,C=DE',
)
export const certificateAddressUnreadable = fieldMistake('certificate-address-unreadable', 'Must be an IP address')
export const keysAddressNotAllowed = fieldMistake('client-keys-address-not-allowed', (reason: string) => `Is not fetched: ${reason}`)
export const logoutAddressNotAllowed = fieldMistake('logout-address-not-allowed', (reason: string) => `Is not called: ${reason}`)
export const outsideProfile = fieldMistake('outside-profile', (clause: string | null, demand: string) =>
  clause === null ? `The profile demands ${demand}` : `FAPI 2.0 §${clause.replace('-', ' no. ')} demands ${demand}`,
)
export const redirectUriMissing = fieldMistake('redirect-uri-missing', 'authorization_code needs at least one redirect URI')

export const initiationNotHttps = fieldMistake('initiation-not-https', 'Must be https, or http on a loopback address')
export const uriWithResponseParameter = fieldMistake(
  'uri-with-response-parameter',
  (name: string) => `Must not have ${name} in its query, where answers add it`,
)
export const uriOutside = fieldMistake('uri-outside', 'Is not among the URLs that the organisation allows')
export const originOutside = fieldMistake('origin-outside', 'Is not of the origin of a URL that the organisation allows')

export const resourceServerNotFound = refusal('resource-server-not-found', 'not-found', 'Resource server not found')
export const defaultResourceNotAllowed = fieldRefusal(
  'default-resource-not-allowed',
  ['defaultResource'],
  'Must be the identifier of a resource server that resourceServerIds name',
)

export const scopeSyntax = fieldMistake('scope-syntax', 'Must be visible ASCII characters without space, " and \\')
export const scopeNotSupported = fieldMistake('scope-not-supported', 'Is a scope of OpenID Connect that is not supported')
export const extensionNeeded = refusal('extension-needed', 'bad-request', 'Invalid input', (field: string, extension: ExtensionName) => ({
  errors: [{ code: 'custom', path: [field], message: `Needs OAUTH_EXTENSIONS to hold ${extension}`, reason: 'extension-needed' }],
}))
