import type { Clock } from '../../platform/clock.ts'
import type { Keyring } from '../../platform/crypto/keyring.ts'
import type { Connection } from '../queries.ts'
import { authnRequest, redirectUrlOf } from '../saml/messages.ts'
import type { Saml } from '../saml/saml.ts'
import { samlKeysOf } from '../saml-keys.ts'
import { acsUrlOf, ownEntityIdOf, requestIdOf, samlSettingsOf } from '../saml-settings.ts'
import type { AuthorizationRequest } from '../upstream/open-id-connect.ts'
import type { Upstream } from '../upstream/upstream.ts'
import { settingsOf } from './settings.ts'

/** What is needed to speak with the provider of any connection. */
export interface Providers {
  keyring: Keyring
  publicUrl: string
  /** Loaded with the first sign-in through a connection. */
  openUpstream(): Promise<Upstream>
  /** Loaded with the first sign-in through a connection by SAML. */
  openSaml(): Promise<Saml>
}

/**
 * The address at which an identity provider authenticates a user for us, whatever protocol it speaks.
 *
 * @throws UpstreamRefusal when its discovery document cannot be read, or its metadata have ended
 */
export async function authorizationUrlOf(
  providers: Providers & { database: { clock: Clock } },
  connection: Connection,
  request: AuthorizationRequest,
): Promise<URL> {
  const now = providers.database.clock.now()
  if (connection.provider === 'saml') return samlRequestUrl(providers, connection, request, now)
  const upstream = await providers.openUpstream()
  return upstream.authorizationUrlOf(settingsOf(providers, connection, [], now), request)
}

function samlRequestUrl(
  { keyring, publicUrl }: Providers,
  connection: Connection,
  { state, nonce, loginHint, prompt, maxAge }: AuthorizationRequest,
  now: Date,
): URL {
  const { ssoUrl } = samlSettingsOf(connection, now)
  const keys = samlKeysOf(keyring, connection, now)
  if (!keys) throw new Error('A connection by SAML has keys')
  const xml = authnRequest({
    id: requestIdOf(nonce),
    issuedAt: now,
    destination: ssoUrl,
    issuer: ownEntityIdOf(publicUrl, connection.id),
    acsUrl: acsUrlOf(publicUrl, connection.id),
    // SAML cannot say how old a sign-in may be.
    isNewSignIn: prompt === 'login' || maxAge !== undefined,
  })
  const { privateKey } = keys.inUse.signing
  // Entra ID and Google fill the address in by it. It is no part of the protocol, so others ignore it.
  const further = loginHint === undefined ? {} : { login_hint: loginHint }
  return redirectUrlOf(ssoUrl, { kind: 'SAMLRequest', xml, relayState: state }, { privateKey, further })
}
