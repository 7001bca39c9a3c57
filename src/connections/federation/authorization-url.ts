import type { Clock } from '../../platform/clock.ts'
import type { Keyring } from '../../platform/crypto/keyring.ts'
import type { Connection } from '../queries.ts'
import { authnRequest } from '../saml/messages.ts'
import type { Saml } from '../saml/saml.ts'
import { acsUrlOf, ownEntityIdOf, requestIdOf, samlSettingsOf } from '../saml-settings.ts'
import type { AuthorizationRequest } from '../upstream/open-id-connect.ts'
import type { Upstream } from '../upstream/upstream.ts'
import { type Departure, samlDepartureOf } from './saml-departure.ts'
import { settingsOf } from './settings.ts'

export type { Departure } from './saml-departure.ts'

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
  providers: Providers,
  connection: Connection,
  { state, nonce, loginHint, prompt, maxAge }: AuthorizationRequest,
  now: Date,
): Promise<Departure> {
  const { publicUrl } = providers
  const { ssoUrl: location, ssoBinding: binding } = samlSettingsOf(connection, now)
  const xml = authnRequest({
    id: requestIdOf(nonce),
    issuedAt: now,
    destination: location,
    issuer: ownEntityIdOf(publicUrl, connection.id),
    acsUrl: acsUrlOf(publicUrl, connection.id),
    // SAML cannot say how old a sign-in may be.
    isNewSignIn: prompt === 'login' || maxAge !== undefined,
  })
  // Entra ID and Google fill the address in by it. It is no part of the protocol, so others ignore it.
  const further = loginHint === undefined ? {} : { login_hint: loginHint }
  const message = { kind: 'SAMLRequest', xml, relayState: state, further } as const
  return samlDepartureOf(providers, { connection, now }, { location, binding }, message)
}
