import type { Caller } from '../../access/caller.ts'
import type { WebhookSettings } from '../endpoints/create-endpoint.ts'
import type { DeliveryDetails } from '../endpoints/schemas.ts'
import { deliveryNotFound } from '../refusals.ts'
import { presentAttempt } from './attempts.ts'
import { findDeliveryDetails, presentDelivery } from './queries.ts'
import { requestHeadersOf, withMaskedSignatures } from './request-headers.ts'
import { secretsDecrypter } from './secrets.ts'

/**
 * A delivery with its attempts and the request that an attempt would send now. Only callers who may replay it get the complete signatures:
 * with them, any other reader could send a genuine event to the receiver.
 *
 * @throws Problem `not-found`
 */
export async function showDelivery(
  { database, keyring }: WebhookSettings,
  caller: Caller,
  endpointId: string,
  deliveryId: string,
): Promise<DeliveryDetails> {
  const tenant = database.tenant(caller.organisationId)
  const delivery = await findDeliveryDetails(tenant, endpointId, deliveryId)
  if (!delivery) throw deliveryNotFound()
  const headers = requestHeadersOf(delivery, secretsDecrypter(keyring)(endpointId, delivery, tenant.now), tenant.now)
  const mayReplay = caller.permissions.has('webhooks:update')
  return {
    ...presentDelivery(delivery),
    request: { headers: mayReplay ? headers : withMaskedSignatures(headers), body: delivery.body },
    attempts: delivery.attempts.map(presentAttempt),
  }
}
