import type { Caller } from '../../access/caller.ts'
import { transactionOf } from '../../access/hold-caller.ts'
import { changedFields } from '../../activity/changes.ts'
import { record } from '../../activity/record.ts'
import { secondsAfter } from '../../platform/clock.ts'
import { whyLiteralForbidden } from '../../platform/http/outgoing.ts'
import { webhookRules } from '../destination.ts'
import { resumeDeliveries } from '../queue.ts'
import { destinationNotAllowed, secretOfFormerForm, webhookNotFound } from '../refusals.ts'
import { keyOfStandardSecret, newSigningSecret } from '../signing-secret.ts'
import type { WebhookSettings } from './create-endpoint.ts'
import {
  deleteEndpoint,
  type Endpoint,
  endpointChange,
  getWatchedEndpoint,
  lockEndpoint,
  presentEndpoint,
  replaceSecret,
  storedSecretOf,
  updateEndpoint,
  type WatchedEndpoint,
} from './queries.ts'
import type { WebhookChanges } from './schemas.ts'

/**
 * Changes an endpoint, for attempts made from now on. Activating it resets its failure count and resumes its held
 * deliveries.
 *
 * @throws Problem `bad-request` for a literal address that is not allowed, `not-found`, `precondition-failed`, `conflict` for the
 *   signature of Standard Webhooks with a secret of the former form
 */
export async function changeEndpoint(
  { database, keyring, ...destinations }: WebhookSettings,
  caller: Caller,
  id: string,
  changes: WebhookChanges,
  ifMatch: string | undefined,
): Promise<WatchedEndpoint> {
  return transactionOf(database, caller, 'webhooks:update', async (tenant) => {
    const before = endpointChange.requireCurrent(await lockEndpoint(tenant, id), ifMatch)
    const reason = changes.url === undefined ? undefined : whyLiteralForbidden(changes.url, webhookRules(destinations))
    if (reason !== undefined) throw destinationNotAllowed(reason)

    const changed = changedFields(before, { ...changes, ...(changes.isActive && { failureCount: 0 }) })
    if (!changed) return getWatchedEndpoint(tenant, id)
    if (changed.standardSignature && !keyOfStandardSecret(keyring.decrypt(await storedSecretOf(tenant, id), id))) throw secretOfFormerForm()
    const endpoint = await updateEndpoint(tenant, id, changed)
    if (changed.isActive) await resumeDeliveries(tenant, id)
    await endpointChange.recordUpdate(tenant, caller.actor, before, endpoint)
    return getWatchedEndpoint(tenant, id)
  })
}

/**
 * Deletes an endpoint with its deliveries.
 *
 * @throws Problem `not-found`, `precondition-failed`
 */
export async function removeEndpoint(
  { database }: WebhookSettings,
  caller: Caller,
  id: string,
  ifMatch: string | undefined,
  reason: string | undefined,
): Promise<void> {
  await transactionOf(database, caller, 'webhooks:delete', async (tenant) => {
    const endpoint = endpointChange.requireCurrent(await deleteEndpoint(tenant, id), ifMatch)
    await endpointChange.recordDeletion(tenant, caller.actor, endpoint, reason)
  })
}

/**
 * Gives an endpoint a new secret. During the grace period the previous one signs too, so that the receiver has time to switch.
 *
 * @throws Problem `not-found`
 */
export async function rotateSecret(
  { database, keyring }: WebhookSettings,
  caller: Caller,
  id: string,
  gracePeriodSeconds: number,
): Promise<{ endpoint: Endpoint; secret: string }> {
  const secret = newSigningSecret()
  return transactionOf(database, caller, 'webhooks:update', async (tenant) => {
    const previousUntil = gracePeriodSeconds > 0 ? secondsAfter(tenant.now, gracePeriodSeconds) : null
    const endpoint = await replaceSecret(tenant, id, keyring.encrypt(secret, id), previousUntil)
    if (!endpoint) throw webhookNotFound()
    await record(tenant, caller.actor, {
      action: 'webhook.secret_rotated',
      webhook: presentEndpoint(endpoint),
      metadata: { gracePeriodSeconds },
    })
    return { endpoint, secret }
  })
}
