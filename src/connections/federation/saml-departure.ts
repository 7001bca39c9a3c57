import type { Keyring } from '../../platform/crypto/keyring.ts'
import type { Connection } from '../queries.ts'
import { redirectUrlOf } from '../saml/messages.ts'
import type { SignOnBinding } from '../saml/read-metadata.ts'
import type { Saml } from '../saml/saml.ts'
import { samlKeysOf } from '../saml-keys.ts'

/** Where a browser is sent with a request of ours. */
export interface Departure {
  location: URL
  /** The fields that it posts there; without them it only follows the address. */
  form?: Readonly<Record<string, string>>
}

export interface SamlMessage {
  kind: 'SAMLRequest' | 'SAMLResponse'
  xml: string
  relayState: string | undefined
  /** Parameters of no binding, for the address alone. */
  further?: Readonly<Record<string, string>>
}

/**
 * Sends the browser to a provider with a signed message, in the way in which the provider takes it.
 *
 * @throws Problem `too-many-messages`, for a form
 */
export async function samlDepartureOf(
  { keyring, openSaml }: { keyring: Keyring; openSaml(): Promise<Saml> },
  { connection, now }: { connection: Connection; now: Date },
  { location, binding }: { location: string; binding: SignOnBinding },
  { further = {}, ...message }: SamlMessage,
): Promise<Departure> {
  const keys = samlKeysOf(keyring, connection, now)
  if (!keys) throw new Error('A connection by SAML has keys')
  const { privateKey } = keys.inUse.signing
  if (binding === 'redirect') return { location: redirectUrlOf(location, message, { privateKey, further }) }
  const saml = await openSaml()
  const signed = await saml.run(connection.organisationId, 'signMessage', message.xml, privateKey)
  const { kind, relayState } = message
  const form = { [kind]: Buffer.from(signed).toString('base64'), ...(relayState !== undefined && { RelayState: relayState }) }
  return { location: new URL(location), form }
}
