import type { FastifyReply, FastifyRequest } from 'fastify'
import { touchAfterResponse } from '../../access/touch.ts'
import { touchClient } from '../../clients/queries.ts'
import type { Database } from '../../platform/database/database.ts'
import { type PresentedClient, secretHashOf } from './client-authentication.ts'
import type { OAuthClient } from './queries.ts'

const touchEveryMilliseconds = 5 * 60_000

/**
 * Records, after the response, that a client was used, at most once in five minutes. The lookup of the client returns its last use,
 * so hardly any request of the token endpoint writes for it.
 */
export function noteUse(
  request: FastifyRequest,
  reply: FastifyReply,
  database: Database,
  { id, organisationId, secretHash, lastUsedAt, secretLastUsedAt }: OAuthClient,
  presented: PresentedClient,
): void {
  const presentedHash = secretHashOf(presented)
  const isCurrentSecret = presentedHash !== null && presentedHash === secretHash
  touchAfterResponse(
    request,
    reply,
    database.clock,
    isCurrentSecret ? secretLastUsedAt : lastUsedAt,
    (use) => touchClient(database.tenant(organisationId), { id, presentedHash, ...use }),
    touchEveryMilliseconds,
  )
}
