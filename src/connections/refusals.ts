import { fieldMistake, fieldRefusal, ofField, refusal } from '../platform/http/problem.ts'

export { extensionNeeded, resourceServerNotFound } from '../clients/refusals.ts'
export { connectionNotFound } from '../domains/refusals.ts'
export { lastWayToSignIn } from '../passkeys/refusals.ts'
export { roleNotFound } from '../roles/refusals.ts'
export { teamNotFound } from '../teams/refusals.ts'

export const connectionSlugTaken = refusal('connection-slug-taken', 'conflict', 'Connection slug already in use', ofField('slug'))
export const tooManyConnections = refusal('too-many-connections', 'bad-request', 'An organisation has at most 50 connections')
export const tooManyMappings = refusal(
  'too-many-mappings',
  'bad-request',
  'The connections of an organisation have at most 200 mappings to roles and teams together',
)
export const signInRequiresConnection = refusal(
  'sign-in-requires-connection',
  'conflict',
  (domain: string) => `Sign-in of ${domain} requires this connection`,
)
export const onlyWayToSignIn = refusal(
  'only-way-to-sign-in',
  'conflict',
  'Without this connection only the owner could sign in: allow passwords or passkeys first',
)
export const endSessionsWhileActive = fieldRefusal('end-sessions-while-active', ['endSessions'], 'Only together with isActive false')
export const assertionsOfOpenIdOnly = fieldMistake(
  'assertions-of-open-id-only',
  'Only a provider that speaks OpenID Connect issues identity assertions',
)
export const appleKeyHasAnId = refusal(
  'apple-key-has-an-id',
  'bad-request',
  'A key of Apple goes with its id: change secret and configuration.keyId together',
)

export const ownKeySigns = refusal(
  'own-key-signs',
  'bad-request',
  'The connection has no secret: a key of this service signs, which is rotated by rotate-keys',
)
export const noOwnKey = refusal('no-own-key', 'bad-request', 'Only a connection with private_key_jwt, or of saml, has keys')
export const noNextKey = refusal('no-next-key', 'conflict', 'There is no next key')
export const nextKeyPending = refusal(
  'next-key-pending',
  'conflict',
  (until: string) => `The next key signs from ${until}: activate it before there is another`,
)

export const secretNotUsed = fieldMistake('secret-not-used', 'With private_key_jwt and for saml there is none: a key of this service signs')
export const notOfProvider = fieldMistake('not-of-provider', (provider: string) => `Is no setting of ${provider}`)
export const requiredWhileActive = fieldMistake('required-while-active', 'Required while the connection is active')
export const neededForDiscovery = fieldMistake('needed-for-discovery', 'Names where the documents of the provider are')
export const discoveryFailed = fieldMistake('discovery-failed', (reason: string) => `There is no such discovery document: ${reason}`)
export const keysUnreadable = fieldMistake('keys-unreadable', (reason: string) => `The keys of the provider cannot be read: ${reason}`)
export const neededForTest = fieldMistake('needed-for-test', 'Needed before the connection can be tested')
export const issuerWithMore = fieldMistake('issuer-with-more', 'Must have neither user name nor password, query or fragment')
export const providerAddressNotAllowed = fieldMistake('provider-address-not-allowed', (reason: string) => reason)
export const reservedParameter = fieldMistake('reserved-parameter', 'Is set by the service')
export const invalidParameterName = fieldMistake('invalid-parameter-name', 'Must be letters, digits and . _ - and begin with a letter')
export const scopeWithoutOpenid = fieldMistake('scope-without-openid', 'Must contain openid')
export const invalidScopeName = fieldMistake('invalid-scope-name', 'Must be the name of a scope')
export const invalidClaimName = fieldMistake('invalid-claim-name', 'Must be the name of a claim, or a JSON pointer to one')
export const invalidDomainName = fieldMistake('invalid-domain-name', 'Must be a domain name')
export const invalidCertificate = fieldMistake(
  'invalid-certificate',
  'Must be a certificate in PEM or base64, with a key of RSA from 2048 bits or of P-256 or better',
)
export const notHttpsAddress = fieldMistake('not-https-address', 'Must be an address of https, without user name, password and fragment')
export const metadataUnreadable = fieldMistake('metadata-unreadable', (reason: string) => `The metadata cannot be read: ${reason}`)
export const noMetadataAddress = fieldMistake('no-metadata-address', 'Names where the metadata of the provider are')
export const invalidHostName = fieldMistake('invalid-host-name', 'Must be a host name')
export const invalidTenant = fieldMistake('invalid-tenant', 'Must be the id of a tenant, organizations, consumers or common')
export const invalidTenantId = fieldMistake('invalid-tenant-id', 'Must be the id of a tenant')
export const allowedTenantsOfOne = fieldMistake('allowed-tenants-of-one', 'Only where the tenant is organizations or common')
export const invalidAppleId = fieldMistake('invalid-apple-id', 'Must be ten capital letters and digits')
export const appleKeyRequired = fieldMistake('apple-key-required', 'Must be a private P-256 key in PEM, as in the .p8 file')
export const emailClaimOfProvider = fieldMistake('email-claim-of-provider', 'Of this provider only the claim email is proven')
export const ownerRoleNotMapped = fieldMistake('owner-role-not-mapped', 'The owner role cannot be mapped')

export const identityNotFound = refusal('identity-not-found', 'not-found', 'Identity not found')
export const ownerIdentitiesOnlyByTheOwner = refusal(
  'owner-identities-only-by-the-owner',
  'forbidden',
  'Only the organisation owner can unlink their accounts',
)
export const logoutTokenRefused = refusal(
  'logout-token-refused',
  'bad-request',
  'The logout token was refused',
  (reference: string | undefined) => ({ ...(reference !== undefined && { members: { reference } }) }),
)
export const connectionTestNeedsUser = refusal(
  'connection-test-needs-user',
  'forbidden',
  'Only a signed-in user can test a connection: it is tested in their browser',
)
