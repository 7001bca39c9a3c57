import type { FastifyBaseLogger } from 'fastify'
import type { Keyring } from '../../platform/crypto/keyring.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Outbox } from '../../platform/mail/outbox.ts'
import { deactivateEndpoint, findFailingEndpoints } from '../endpoints/deactivate-endpoint.ts'
import type { EndpointKey } from '../endpoints/queries.ts'
import { attemptDelivery } from './attempt.ts'
import { type ClaimedDelivery, claimDueDeliveries, holdDeliveries, releaseDeliveries } from './claim.ts'
import type { DeliveryQueue } from './delivery-queue.ts'
import { type DeliveryEngine, startDeliveryEngine } from './engine.ts'
import { recordAttempts } from './record-attempts.ts'
import { secretsDecrypter } from './secrets.ts'
import type { Sender } from './send.ts'

interface WebhookEngineOptions {
  database: Database
  keyring: Keyring
  outbox: Outbox
  sender: Sender
  logger: FastifyBaseLogger
  leaseSeconds: number
}

/** Starts the engine that delivers webhooks. */
export function startWebhookEngine(options: WebhookEngineOptions): DeliveryEngine {
  const { sender, logger, database } = options
  return startDeliveryEngine({ queue: webhookQueue(options), sender, logger, clock: database.clock })
}

function webhookQueue({ database, keyring, outbox, sender, logger, leaseSeconds }: WebhookEngineOptions): DeliveryQueue<ClaimedDelivery> {
  const { clock } = database
  const decryptSecrets = secretsDecrypter(keyring)
  const deactivateAll = async (endpoints: EndpointKey[]) => {
    await Promise.all(
      endpoints.map((endpoint) =>
        // The attempts are recorded by now. Its next failure, or the next start, finds the endpoint again.
        deactivateEndpoint(database, outbox, endpoint).catch((error) =>
          logger.error({ err: error, ...endpoint }, 'a failing webhook endpoint could not be deactivated'),
        ),
      ),
    )
  }
  return {
    what: 'webhook',
    begin: async () => deactivateAll(await findFailingEndpoints(database.system())),
    claim: (request) => claimDueDeliveries(database.system(), { ...request, leaseSeconds }),
    setAside: (deliveries) => holdDeliveries(database.system(), deliveries),
    release: (deliveries) => releaseDeliveries(database.system(), deliveries),
    attempt: (delivery) => attemptDelivery({ clock, sender, decryptSecrets }, delivery),
    record: async (attempts) => deactivateAll(await recordAttempts(database.system(), attempts)),
  }
}
