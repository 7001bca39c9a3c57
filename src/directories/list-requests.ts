import type { Selectable } from 'kysely'
import type { Tenant } from '../platform/database/database.ts'
import type { DirectoryRequestsTable } from '../platform/database/tables.ts'
import { presentTime } from '../platform/http/fields.ts'
import { pageOf } from '../platform/http/lists.ts'
import { idsFrom } from '../platform/ids.ts'
import { requireDirectory } from './queries.ts'
import type { DirectoryRequestRecord, RequestsQuery } from './schemas.ts'

type LoggedRequest = Selectable<DirectoryRequestsTable>

/**
 * A page of the requests of a directory, newest first.
 *
 * @throws Problem `not-found`
 */
export async function listRequests(
  tenant: Tenant,
  directoryId: string,
  { outcome, method, since, limit, cursor }: RequestsQuery,
): Promise<{ data: DirectoryRequestRecord[]; nextCursor: string | null }> {
  await requireDirectory(tenant, directoryId)
  const found = await tenant
    .selectFrom('directoryRequests')
    .selectAll()
    .where('directoryId', '=', directoryId)
    .$if(outcome === 'accepted', (requests) => requests.where('status', '<', 400))
    .$if(outcome === 'refused', (requests) => requests.where('status', '>=', 400))
    .$if(method !== undefined, (requests) => requests.where('method', '=', method ?? ''))
    .$if(since !== undefined, (requests) => requests.where('id', '>=', idsFrom('drq', since ?? tenant.now)))
    .$if(cursor !== undefined, (requests) => requests.where('id', '<', cursor ?? ''))
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  return pageOf(found, limit, presentRequest)
}

const presentRequest = (request: LoggedRequest): DirectoryRequestRecord => ({
  id: request.id,
  method: request.method,
  path: request.path,
  filter: request.filter,
  status: request.status,
  scimType: request.scimType,
  detail: request.detail,
  requestBody: request.requestBody,
  responseBody: request.responseBody,
  ipAddress: request.ipAddress,
  userAgent: request.userAgent,
  requestId: request.requestId,
  durationMilliseconds: request.durationMilliseconds,
  createdAt: presentTime(request.createdAt),
})
