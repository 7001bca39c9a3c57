import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../platform/database/database.ts'
import type { TokenIssuer } from '../tokens/issue-tokens.ts'
import type { DeliveryQueue } from '../webhooks/delivery/delivery-queue.ts'
import { type DeliveryEngine, startDeliveryEngine } from '../webhooks/delivery/engine.ts'
import type { Sender } from '../webhooks/delivery/send.ts'
import { attemptLogout } from './attempt.ts'
import { type ClaimedLogout, claimDueLogouts, giveUpLogouts, releaseLogouts } from './claim.ts'
import { recordLogoutAttempts } from './record-attempts.ts'

interface LogoutEngineOptions {
  database: Database
  issuer: TokenIssuer
  sender: Sender
  logger: FastifyBaseLogger
  leaseSeconds: number
}

/** Starts the engine that sends logout tokens. */
export function startLogoutEngine(options: LogoutEngineOptions): DeliveryEngine {
  const { sender, logger, database } = options
  return startDeliveryEngine({ queue: logoutQueue(options), sender, logger, clock: database.clock })
}

const logoutQueue = ({ database, issuer, sender, leaseSeconds }: LogoutEngineOptions): DeliveryQueue<ClaimedLogout> => ({
  what: 'logout',
  begin: async () => {},
  claim: (request) => claimDueLogouts(database.system(), { ...request, leaseSeconds }),
  setAside: (deliveries) => giveUpLogouts(database.system(), deliveries),
  release: (deliveries) => releaseLogouts(database.system(), deliveries),
  attempt: (delivery) => attemptLogout({ database, issuer, sender }, delivery),
  record: (attempts) => recordLogoutAttempts(database.system(), attempts),
})
