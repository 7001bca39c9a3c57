import type { Caller } from '../../access/caller.ts'
import { transactionOf } from '../../access/hold-caller.ts'
import { record } from '../../activity/record.ts'
import { entriesOfRequest } from '../../audit/queries.ts'
import type { Database, Tenant } from '../../platform/database/database.ts'
import { malformedRequest } from '../../platform/http/refusals.ts'
import type { Outbox } from '../../platform/mail/outbox.ts'
import { directoryInHistory } from '../present-directory.ts'
import { getDirectory, type Directory as StoredDirectory } from '../queries.ts'
import { requestPath, type ScimRequest, type ScimResponse } from '../scim/context.ts'
import { holdDirectory } from '../scim/directory.ts'
import { maskPath } from '../scim/mask.ts'
import { refusalOf } from '../scim/refusal-of.ts'
import type { RequestToTry, TriedRequest } from './schemas.ts'

export interface Trials {
  database: Database
  publicUrl: string
  trialMaxUsers: number
}

const changesMax = 200

/** Nothing is told of what does not happen. */
const noOutbox: Outbox = { queue: async () => {} }

/**
 * Carries a request of a directory out and rolls it back: what the response would be, and what would change. The audit log says that it
 * was tried, and nothing of its content.
 *
 * @throws Problem `not-found`
 */
export async function tryRequest(trials: Trials, caller: Caller, directoryId: string, asked: RequestToTry): Promise<TriedRequest> {
  const { database } = trials
  const { directory } = await getDirectory(database.tenant(caller.organisationId), directoryId)
  const tried = await rehearsed(trials, caller, directory, asked)
  await transactionOf(database, caller, 'directories:update', (tenant) =>
    record(tenant, caller.actor, {
      action: 'directory.request_tried',
      directory: directoryInHistory(directory),
      metadata: {
        method: asked.method,
        path: maskPath(requestPath(pathAndQuery(trials, directory, asked.path)[0])),
        status: tried.response.status,
      },
    }),
  )
  return tried
}

async function rehearsed(trials: Trials, caller: Caller, { id, name }: StoredDirectory, asked: RequestToTry): Promise<TriedRequest> {
  const { database, publicUrl, trialMaxUsers } = trials
  const { ipAddress, userAgent, requestId } = caller.actor
  const actor = { actorType: 'directory', actorId: id, name, ipAddress, userAgent, requestId } as const
  let tried: TriedRequest | undefined
  const { carryOut } = await import('../scim/carry-out.ts')
  try {
    await database.rehearse(caller.organisationId, async (tenant) => {
      // No client has sent it, so it has no token. Reads need an active directory, too.
      const directory = await holdDirectory(tenant, { id, tokenId: undefined })
      const context = { tenant, directory, actor, outbox: noOutbox, publicUrl, trialMaxUsers }
      const response = await carryOut(context, requestOf(trials, { id }, asked))
      tried = { response: presentResponse(response), ...(await recordedIn(tenant, requestId)) }
    })
  } catch (error) {
    const refusal = refusalOf(error)
    if (!refusal) throw error
    return { response: presentResponse(refusal), changes: [], changesTotal: 0 }
  }
  return tried as TriedRequest
}

/** What the audit log would have, before it is rolled back. */
async function recordedIn(tenant: Tenant, requestId: string | null): Promise<Pick<TriedRequest, 'changes' | 'changesTotal'>> {
  const entries = await entriesOfRequest(tenant, requestId).execute()
  return { changes: entries.slice(0, changesMax).map(({ id: _, ...entry }) => entry), changesTotal: entries.length }
}

const presentResponse = ({ status, headers, body }: ScimResponse): TriedRequest['response'] => ({
  status,
  headers: { ...headers },
  body: body ? (body as Record<string, unknown>) : null,
})

/** @throws Problem `bad-request` for a path that cannot be decoded, as the service would refuse it */
function requestOf({ publicUrl }: Pick<Trials, 'publicUrl'>, { id }: { id: string }, asked: RequestToTry): ScimRequest {
  const [path, query] = pathAndQuery({ publicUrl }, { id }, asked.path)
  const names = new Set(query.keys())
  return {
    method: asked.method,
    path: requestPath(decoded(path)),
    query: Object.fromEntries([...names].map((name) => [name, query.getAll(name).join(',')])),
    headers: Object.fromEntries(Object.entries(asked.headers).map(([name, value]) => [name.toLowerCase(), value])),
    body: asked.body,
  }
}

function pathAndQuery(
  { publicUrl }: Pick<Trials, 'publicUrl'>,
  { id }: { id: string },
  address: string,
): [path: string, query: URLSearchParams] {
  const base = `${publicUrl}/scim/v2/${id}`
  const rest = address.startsWith(base) ? address.slice(base.length) : address
  const mark = rest.indexOf('?')
  return mark < 0 ? [rest, new URLSearchParams()] : [rest.slice(0, mark), new URLSearchParams(rest.slice(mark + 1))]
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch (cause) {
    throw malformedRequest(cause)
  }
}
