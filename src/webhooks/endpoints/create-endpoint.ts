import type { Caller } from '../../access/caller.ts'
import { holdCallerWith, lockUserOfCaller } from '../../access/hold-caller.ts'
import { record } from '../../activity/record.ts'
import type { Keyring } from '../../platform/crypto/keyring.ts'
import type { Variant } from '../../platform/database/column-types.ts'
import type { Database } from '../../platform/database/database.ts'
import { whyLiteralForbidden } from '../../platform/http/outgoing.ts'
import { newId } from '../../platform/ids.ts'
import { type WebhookDestinations, webhookRules } from '../destination.ts'
import { clientNotFound, destinationNotAllowed, tooManyEndpoints } from '../refusals.ts'
import { newSigningSecret } from '../signing-secret.ts'
import { type Endpoint, insertEndpoint, isClient, lockAndCountEndpoints, presentEndpoint } from './queries.ts'
import type { NewWebhook } from './schemas.ts'

export interface WebhookSettings extends WebhookDestinations {
  database: Database
  keyring: Keyring
  /** The variant of an endpoint whose request names none. */
  webhookVariant: Variant
}

/** The most endpoints of an organisation: each event adds a delivery for every endpoint that has subscribed to it. */
const endpointsMax = 100

/**
 * Registers an endpoint.
 *
 * @returns the endpoint and its secret, which is never shown again
 * @throws Problem `bad-request` for a literal address that is not allowed and when the organisation has 100 endpoints,
 *   `not-found` for an unknown client
 */
export async function createEndpoint(
  { database, keyring, webhookVariant, ...destinations }: WebhookSettings,
  caller: Caller,
  { url, events, clientId = null, variant = webhookVariant, standardSignature }: NewWebhook,
): Promise<{ endpoint: Endpoint; secret: string }> {
  const reason = whyLiteralForbidden(url, webhookRules(destinations))
  if (reason !== undefined) throw destinationNotAllowed(reason)
  const secret = newSigningSecret()
  return database.transaction(caller.organisationId, async (tenant) => {
    await lockUserOfCaller(tenant, caller)
    if (clientId !== null && !(await isClient(tenant, clientId))) throw clientNotFound()
    if ((await lockAndCountEndpoints(tenant)) >= endpointsMax) throw tooManyEndpoints()
    await holdCallerWith(tenant, caller, 'webhooks:create')
    const id = newId('wh', tenant.now)
    const secretEncrypted = keyring.encrypt(secret, id)
    const endpoint = await insertEndpoint(tenant, { id, url, events, clientId, variant, standardSignature, secretEncrypted })
    await record(tenant, caller.actor, { action: 'webhook.created', webhook: presentEndpoint(endpoint) })
    return { endpoint, secret }
  })
}
