import type { Actor, Origin } from '../../activity/actor.ts'
import { record } from '../../activity/record.ts'
import { consentVersionOf } from '../../clients/automatic.ts'
import { mistakesOfUrls } from '../../clients/create-client.ts'
import type { OAuthExtensions } from '../../clients/extensions.ts'
import { isOffered } from '../../clients/extensions.ts'
import { presentClient } from '../../clients/present-client.ts'
import { getClient, insertClient } from '../../clients/queries.ts'
import { usesSecret } from '../../clients/rules.ts'
import { isPictureAddress } from '../../organisations/rules.ts'
import { hashSecret, newSecret } from '../../platform/crypto/secrets.ts'
import type { Database, Tenant } from '../../platform/database/database.ts'
import { claimUse, type PresentedToken, usableToken } from '../../registration-tokens/queries.ts'
import type { SigningKeys } from '../../tokens/signing-keys.ts'
import type { Grant } from '../grants/grant.ts'
import { decideRegistration, type Offers, type Registration } from './decide-registration.ts'
import { invalidMetadata, invalidRedirectUri, invalidRegistrationToken } from './errors.ts'
import type { AddressRules } from './keys-and-assurance.ts'
import type { ClientMetadata } from './metadata.ts'
import { type ClientInformation, presentRegistration } from './present-registration.ts'

export const registrationAccessTokenPrefix = 'rga_'

export interface RegistrationDependencies extends AddressRules {
  database: Database
  issuer: string
  grants: readonly Grant[]
  oauthExtensions: OAuthExtensions
  signingKeys: SigningKeys
  /** In development, pictures may come from loopback addresses. */
  allowLoopbackPictures: boolean
}

/** What the operator's settings let a client register for. */
const offersOf = ({ grants, oauthExtensions, outgoing, logoutRules }: RegistrationDependencies): Offers => ({
  grants: grants.filter((grant) => isOffered(grant, oauthExtensions)),
  levels: oauthExtensions.has('step_up'),
  extensions: oauthExtensions,
  addresses: { outgoing, logoutRules },
})

/**
 * Registers a client in the organisation of a registration token (RFC 7591 §3). Of the token, one use is counted if the client is created.
 *
 * @param token as it was presented
 * @throws OAuthError `invalid_token`, `invalid_redirect_uri`, `invalid_client_metadata`
 */
export async function registerByToken(
  dependencies: RegistrationDependencies,
  origin: Origin,
  token: string,
  sent: ClientMetadata,
): Promise<{ information: ClientInformation; organisationId: string }> {
  const { database, issuer, oauthExtensions, signingKeys } = dependencies
  const presented = await database.pointRead(usableToken, { tokenHash: hashSecret(token), now: database.clock.now() })
  if (!presented) throw invalidRegistrationToken()
  const registration = decideByToken(dependencies, presented, sent)
  const registrationAccessToken = newSecret(registrationAccessTokenPrefix)
  const secret = usesSecret(registration.settings.tokenEndpointAuthMethod) ? newSecret() : null
  const client = await database.transaction(presented.organisationId, async (tenant) => {
    // Of many requests at once, as many come here as the token has uses left.
    if (!(await claimUse(tenant, presented.id))) throw invalidRegistrationToken()
    await refuseForeignUrls(tenant, registration)
    const id = await insertClient(tenant, {
      ...settingsOf(registration),
      clientType: registration.clientType,
      isActive: true,
      secretHash: secret === null ? null : hashSecret(secret),
      origin: 'registration',
      consentVersion: consentVersionOf(registration.settings.redirectUris),
      registrationTokenId: presented.id,
      registrationAccessTokenHash: hashSecret(registrationAccessToken),
      registeredFrom: origin.ipAddress,
      registeredMetadata: JSON.stringify(registration.metadata),
    })
    const created = await getClient(tenant, id)
    const shown = presentClient(created)
    const metadata = { registrationTokenId: presented.id }
    await record(tenant, clientActor(created, origin), { action: 'client.created', client: shown, metadata })
    return created
  })
  // As for a client of an administrator: verifiers see the key before its first token.
  await signingKeys.ensure(client.idTokenSignedResponseAlg)
  return {
    information: presentRegistration(client, registration.metadata, { issuer, oauthExtensions, registrationAccessToken, secret }),
    organisationId: presented.organisationId,
  }
}

function decideByToken(dependencies: RegistrationDependencies, token: PresentedToken, sent: ClientMetadata): Registration {
  const bounds = { grantTypes: token.allowedGrantTypes, scopes: token.allowedScopes, privateSchemes: true }
  return decideWithin(dependencies, bounds, sent)
}

/** @throws OAuthError `invalid_redirect_uri`, `invalid_client_metadata` */
export function decideWithin(
  dependencies: RegistrationDependencies,
  bounds: Parameters<typeof decideRegistration>[1],
  sent: ClientMetadata,
): Registration {
  if (sent.logo_uri != null && !isPictureAddress(sent.logo_uri, dependencies.allowLoopbackPictures))
    throw invalidMetadata('logo_uri', 'must be https')
  const offers = offersOf(dependencies)
  const offered = bounds.grantTypes.filter((grantType) => offers.grants.some((grant) => grant.grantType === grantType))
  return decideRegistration(sent, { ...bounds, grantTypes: offered }, offers)
}

/** The settings of a client that no administrator has chosen: PKCE by S256, and users are asked. */
const settingsOf = ({ settings }: Registration) => ({
  ...settings,
  description: null,
  requirePkce: true,
  allowPlainPkce: false,
  requireConsent: true,
  profile: null,
  refreshTokenGraceSeconds: 0,
  accessTokenLifetime: null,
  refreshTokenLifetime: null,
  refreshTokenAbsoluteLifetime: null,
  idTokenLifetime: null,
  authorizationCodeTtl: 600,
  resourceServerIds: null,
  defaultResource: null,
  backchannelLogoutRevokesRefresh: false,
  claimMappings: null,
  federatedCredentials: null,
})

/** @throws OAuthError for the first address that the organisation does not allow its clients */
export async function refuseForeignUrls(tenant: Tenant, { settings }: Pick<Registration, 'settings'>): Promise<void> {
  const [mistake] = await mistakesOfUrls(tenant, settings)
  if (!mistake) return
  const [field, index] = mistake.path
  if (field === 'redirectUris') throw invalidRedirectUri(Number(index), 'is not among the URLs that the organisation allows')
  const member = field === 'initiateLoginUri' ? 'initiate_login_uri' : `post_logout_redirect_uris.${index}`
  throw invalidMetadata(member, 'is not among the URLs that the organisation allows')
}

export const clientActor = ({ id, name }: { id: string; name: string }, origin: Origin): Actor => ({
  actorType: 'client',
  actorId: id,
  name,
  ...origin,
})
