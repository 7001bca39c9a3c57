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

/** Where a browser is sent with a request of ours. */
export interface Departure {
  location: URL
  /** The fields that it posts there; without them it only follows the address. */
  form?: Readonly<Record<string, string>>
}

/**
 * Where an identity provider authenticates a user for us, whatever protocol it speaks.
 *
 * @throws UpstreamRefusal when its discovery document cannot be read, or its metadata have ended
 */
export async function departureOf(
  providers: Providers & { database: { clock: Clock } },
  connection: Connection,
  request: AuthorizationRequest,
): Promise<Departure> {
  const now = providers.database.clock.now()
  if (connection.provider === 'saml') return samlDeparture(providers, connection, request, now)
  const upstream = await providers.openUpstream()
  return { location: await upstream.authorizationUrlOf(settingsOf(providers, connection, [], now), request) }
}

async function samlDeparture(
  { keyring, publicUrl, openSaml }: Providers,
  connection: Connection,
  { state, nonce, loginHint, prompt, maxAge }: AuthorizationRequest,
  now: Date,
): Promise<Departure> {
  const { ssoUrl, ssoBinding } = samlSettingsOf(connection, now)
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
  if (ssoBinding === 'post') {
    const saml = await openSaml()
    const signed = await saml.run('signMessage', xml, privateKey)
    return { location: new URL(ssoUrl), form: { SAMLRequest: Buffer.from(signed).toString('base64'), RelayState: state } }
  }
  // Entra ID and Google fill the address in by it. It is no part of the protocol, so others ignore it.
  const further = loginHint === undefined ? {} : { login_hint: loginHint }
  return { location: redirectUrlOf(ssoUrl, { kind: 'SAMLRequest', xml, relayState: state }, { privateKey, further }) }
}
