import type { Caller } from '../access/caller.ts'
import type { WebhookSettings } from './create-endpoint.ts'
import { findDelivery, listAttempts, presentAttempt, presentDelivery } from './delivery-queries.ts'
import { deliveryNotFound } from './refusals.ts'
import type { DeliveryDetails } from './schemas.ts'
import { findSecrets, secretsDecrypter } from './secrets.ts'
import { headersOf } from './variants.ts'

/** A delivery with its request, as it would be made now, and every attempt. Throws a Problem `not-found`. */
export async function showDelivery(
  { database, keyring }: WebhookSettings,
  caller: Caller,
  endpointId: string,
  deliveryId: string,
): Promise<DeliveryDetails> {
  const tenant = database.tenant(caller.organisationId)
  const delivery = await findDelivery(tenant, endpointId, deliveryId)
  const secrets = delivery && (await findSecrets(tenant, endpointId))
  if (!delivery || !secrets) throw deliveryNotFound()
  const attempts = await listAttempts(tenant, deliveryId)
  return {
    ...presentDelivery(delivery),
    request: { headers: headersOf(delivery, secretsDecrypter(keyring)(endpointId, secrets, tenant.now)), body: delivery.body },
    attempts: attempts.map(presentAttempt),
  }
}
