import { type RawBuilder, sql } from 'kysely'
import type { MistakeCode } from '../../../shared/directory-mistakes/texts.ts'
import type { Actor } from '../../activity/actor.ts'
import type { Database, Tenant } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import { storableText } from '../../platform/text.ts'
import { storedError } from '../last-error.ts'
import { isRefusal } from './answered-requests.ts'
import type { ScimRequest, ScimResponse } from './context.ts'
import type { AuthenticatedDirectory } from './directory.ts'
import { maskBody, maskFilter, maskPath, maskQuoted } from './mask.ts'
import { recordFailing } from './report-failing.ts'

/** A request of a directory and what became of it. */
export interface AnsweredRequest {
  request: Pick<ScimRequest, 'method' | 'path' | 'query' | 'body'>
  response: ScimResponse
  actor: Actor
  durationMilliseconds: number
}

/** Of so many refused requests in a row, the last makes a directory failing. */
const refusedMax = 20
const touchEverySeconds = 60
const bodyMax = 4_096
const textMax = 500

/**
 * Writes a request into the log of its directory, and notes when the directory was heard of last. A success is one statement, which
 * touches the row of the directory at most once a minute: requests that write hold it.
 */
export async function logRequest(database: Database, directory: AuthenticatedDirectory, answered: AnsweredRequest): Promise<void> {
  const { organisationId, id } = directory
  if (!isRefused(answered)) return void (await noted(database.tenant(organisationId), directory, answered))
  await database.transaction(organisationId, async (tenant) => {
    if (await noted(tenant, directory, answered)) await recordFailing(tenant, id)
  })
}

const isRefused = ({ response: { status } }: AnsweredRequest) => isRefusal(status)

/** What is refused because of us says nothing of how the directory works. */
const ofOurs: ReadonlySet<string> = new Set(['not-activated', 'organisation-suspended'] satisfies MistakeCode[])

/** @returns whether the directory is failing since this request */
async function noted(tenant: Tenant, { id, tokenId }: AuthenticatedDirectory, answered: AnsweredRequest): Promise<boolean> {
  const { method, path, query, body } = answered.request
  const { status } = answered.response
  const { scimType, detail: told } = (status >= 400 ? (answered.response.body ?? {}) : {}) as { scimType?: string; detail?: string }
  const reason = maskedReason(answered.response.reason)
  const detail = told === undefined ? undefined : maskQuoted(withoutReceived(told, answered.response.reason, reason))
  const { ipAddress, userAgent, requestId } = answered.actor
  const row = {
    id: newId('drq', tenant.now),
    directoryId: id,
    method,
    path: storableText(maskPath(path), textMax),
    filter: query.filter === undefined ? null : storableText(maskFilter(query.filter), textMax),
    status,
    scimType: scimType ?? null,
    detail: detail === undefined ? null : storableText(detail, textMax),
    requestBody: shownBody(body, { isSearch: path.endsWith('/.search') }),
    responseBody: shownBody(detail === undefined ? answered.response.body : { ...answered.response.body, detail }),
    ipAddress,
    userAgent,
    requestId,
    durationMilliseconds: answered.durationMilliseconds,
    createdAt: tenant.now,
  }
  const columns = Object.keys(row).map((name) => sql.ref(name))
  const { rows } = await sql<{ isFailingNow: boolean }>`
    with logged as (insert into directory_requests (${sql.join(columns)}) values (${sql.join(Object.values(row))})),
    used as (
      update directory_tokens set last_used_at = ${tenant.now}
      where organisation_id = ${tenant.organisationId} and id = ${tokenId} and ${isLongAgo(tenant, 'last_used_at')}
    )
    ${isRefused(answered) ? refusal(tenant, id, reason, detail) : success(tenant, id, status < 400)}`.execute(tenant)
  return rows[0]?.isFailingNow ?? false
}

const isLongAgo = ({ now }: Tenant, column: string) =>
  sql`(${sql.ref(column)} is null or ${sql.ref(column)} < ${new Date(now.getTime() - touchEverySeconds * 1_000)})`

const success = (tenant: Tenant, id: string, isSuccess: boolean): RawBuilder<unknown> => sql`
  update directories set last_request_at = ${tenant.now},
    last_success_at = case when ${isSuccess}::boolean then ${tenant.now}::timestamptz else last_success_at end,
    refused_in_a_row = case when ${isSuccess}::boolean then 0 else refused_in_a_row end,
    failing_since = case when ${isSuccess}::boolean then null else failing_since end,
    last_error = case when ${isSuccess}::boolean then null else last_error end
  where organisation_id = ${tenant.organisationId} and id = ${id} and (
    ${isLongAgo(tenant, 'last_request_at')} or (${isSuccess}::boolean and (last_success_at is null or refused_in_a_row > 0 or failing_since is not null)))
  returning false as is_failing_now`

function refusal(tenant: Tenant, id: string, reason: ScimResponse['reason'], detail = ''): RawBuilder<unknown> {
  const inARow = sql`refused_in_a_row + ${reason && ofOurs.has(reason.code) ? 0 : 1}::integer`
  return sql`
    update directories set last_request_at = ${tenant.now}, refused_in_a_row = ${inARow},
      last_error = ${storedError(detail, reason)},
      failing_since = case when ${inARow} >= ${refusedMax}::integer then coalesce(failing_since, ${tenant.now}::timestamptz)
        else failing_since end
    where organisation_id = ${tenant.organisationId} and id = ${id}
    returning refused_in_a_row = ${refusedMax}::integer and failing_since = ${tenant.now} as is_failing_now`
}

type Reason = ScimResponse['reason']

/** What was received may be the path of a PATCH or a filter, with the values that it names. The name of a directory is none. */
const maskedReason = (reason: Reason): Reason =>
  reason && reason.received !== null && reason.code !== ('managed-by-another' satisfies MistakeCode)
    ? { ...reason, received: maskFilter(reason.received) }
    : reason

const withoutReceived = (told: string, sent: Reason, shown: Reason): string =>
  sent?.received ? told.replaceAll(sent.received, () => shown?.received ?? '') : told

function shownBody(body: unknown, options?: { isSearch: boolean }): string | null {
  return body === undefined ? null : storableText(JSON.stringify(maskBody(body, options)), bodyMax)
}
