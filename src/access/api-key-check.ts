import type { FastifyReply, FastifyRequest } from 'fastify'
import { hashSecret } from '../platform/crypto/secrets.ts'
import type { Database } from '../platform/database/database.ts'
import { type KeyCaller, originOf } from './caller.ts'
import { setCorsHeaders } from './cross-origin.ts'
import type { AdminAccess } from './declarations.ts'
import { apiKeyPrefix, bearerOf, exchangedKeyPrefix } from './explain-credentials.ts'
import { findApiKey, findExchangedKey, touchApiKey } from './queries.ts'
import { invalidApiKey, missingPermission } from './refusals.ts'
import { checkTenant, refuseWhileSuspended } from './tenant-check.ts'
import { touchAfterResponse } from './touch.ts'

/** The API key that a request presents in place of a session; undefined when it presents none. */
export function presentedApiKey(request: FastifyRequest): string | undefined {
  const token = bearerOf(request)
  return token?.startsWith(apiKeyPrefix) ? token : undefined
}

/**
 * The checks of an admin request by API key. A browser never sends the key by itself, so no CSRF token is needed.
 */
export async function checkApiKey(
  request: FastifyRequest,
  reply: FastifyReply,
  key: string,
  access: AdminAccess,
  options: { database: Database; tenantHeader: 'optional' | 'required' },
): Promise<KeyCaller> {
  const { database } = options
  const keyHash = hashSecret(key)
  const isExchanged = key.startsWith(exchangedKeyPrefix)
  const found = await (isExchanged ? findExchangedKey : findApiKey)(database, keyHash, database.clock.now())
  await setCorsHeaders(request, reply, database, found)
  if (!found) throw invalidApiKey()
  touchAfterResponse(request, reply, database.clock, found.lastUsedAt, (use) => touchApiKey(database, found.organisationId, found.id, use))

  await checkTenant(request, found, options)
  refuseWhileSuspended(request, found)
  const permissions = new Set(found.permissions)
  const lacking = access.permissions.find((permission) => !permissions.has(permission))
  if (lacking) throw missingPermission(lacking)
  request.logContext = { organisationId: found.organisationId, actorId: found.id }
  return {
    kind: 'api-key',
    organisationId: found.organisationId,
    permissions,
    actor: { actorType: 'api_key', actorId: found.id, name: found.name, ...originOf(request) },
    responsibleUserId: found.createdById,
    ...(isExchanged && { exchangedKeyHash: keyHash }),
  }
}
