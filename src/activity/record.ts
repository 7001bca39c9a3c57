import { channel } from 'node:diagnostics_channel'
import { type RawBuilder, sql } from 'kysely'
import type { Database, Tenant } from '../platform/database/database.ts'
import { type KeyedValues, type Statement, statement } from '../platform/database/statement.ts'
import { newId } from '../platform/ids.ts'
import { reportQueued } from '../platform/queued.ts'
import { type Actor, metadataOf } from './actor.ts'
import { type Action, type ApiObject, type Changes, catalogue, type Occurrence } from './catalogue.ts'
import { changesOfWhole } from './changes.ts'
import { envelopesOf } from './envelopes.ts'

/** The diagnostics channel that publishes each occurrence, as `{ action }`, for metrics when it is recorded: before the commit. */
export const recordedChannel = 'gatehouse.recorded'
const recorded = channel(recordedChannel)

/** A rehearsal is rolled back, so nothing has happened. */
function publish({ isRehearsal }: Tenant, action: Action): void {
  if (!isRehearsal) recorded.publish({ action })
}

/** An occurrence without an entry of its own, or with one that is written already. */
type ReportedOccurrence = Extract<Occurrence, { action: 'session.ended' | 'role.unassigned' }>
export type AuditedOccurrence = Exclude<Occurrence, { action: 'session.ended' | 'oauth2.token.issued' }>

/**
 * Records what happened, in the transaction that made it happen: the audit entry and, for each active endpoint that has
 * subscribed to one of its events, the delivery with the bytes that every attempt will send. One statement; without a
 * subscriber it writes nothing but the audit entry. Called once for each occurrence.
 */
export async function record(tenant: Tenant, actor: Actor, occurrence: Occurrence): Promise<void> {
  publish(tenant, occurrence.action)
  const { events, ...consequences } = catalogue[occurrence.action]
  const audited = !('audited' in consequences)
  if (events.length === 0) await insertAuditEntries(tenant, actor, [occurrence]).execute(tenant)
  else if (audited) await insertAuditedDeliveries(tenant, actor, occurrence).execute(tenant)
  else await insertDeliveries(tenant, actor, [occurrence]).execute(tenant)
}

/** An attempt to sign in, which is audited and reported, and counted besides. */
type CountedOccurrence = Extract<Occurrence, { action: 'login.success' | 'login.failed' }>

/** Records an attempt to sign in as {@link record} does. @param count an insertion that counts it in the same statement */
export async function recordCounted(
  tenant: Tenant,
  actor: Actor,
  occurrence: CountedOccurrence,
  count: RawBuilder<unknown>,
): Promise<void> {
  publish(tenant, occurrence.action)
  await insertAuditedDeliveries(tenant, actor, occurrence, sql`, counted as (${count})`).execute(tenant)
}

const insertAuditedDeliveries = (tenant: Tenant, actor: Actor, occurrence: Occurrence, besides = sql``) =>
  sql`with entry as (${insertAuditEntries(tenant, actor, [occurrence])})${besides} ${insertDeliveries(tenant, actor, [occurrence])}`

const sliceSize = 1_000

/** Records several occurrences that accompany one change, as {@link record} does, with one statement. */
export async function recordEach(tenant: Tenant, actor: Actor, occurrences: readonly AuditedOccurrence[]): Promise<void> {
  for (const { action } of occurrences) publish(tenant, action)
  for (let start = 0; start < occurrences.length; start += sliceSize) {
    const slice = occurrences.slice(start, start + sliceSize)
    const entries = insertAuditEntries(tenant, actor, slice)
    const isReported = slice.some(({ action }) => catalogue[action].events.length > 0)
    if (isReported) await sql`with entries as (${entries}) ${insertDeliveries(tenant, actor, slice)}`.execute(tenant)
    else await entries.execute(tenant)
  }
}

/**
 * Changes any number of users and writes the entry of each, both in one statement.
 *
 * @param change a statement that returns the `user_id` of each user that it changed
 * @returns their ids
 */
export async function changeAndRecordForUsers(
  tenant: Tenant,
  actor: Actor,
  { action, metadata }: { action: 'role.unassigned'; metadata: Record<string, unknown> },
  change: RawBuilder<{ userId: string }>,
): Promise<string[]> {
  const { actorType, actorId, ipAddress, userAgent, requestId, signInId = null } = actor
  const by = sql.join([actorType, actorId, ...nameAndEmailOfActor(actor)])
  const { rows } = await sql<{ userId: string }>`
    with changed as (${change}), entries as (
      insert into audit_logs (${sql.raw(columnNames)})
      select new_id('aud', ${tenant.now}), ${action}, ${by}, 'user', users.id, users.name, users.email,
        ${ipAddress}, ${userAgent}, ${requestId}, ${signInId}, null, ${metadataOf(actor, metadata)}::jsonb, ${tenant.now}
      from changed join users on users.id = changed.user_id
    )
    select user_id from changed`.execute(tenant)
  for (const _ of rows) publish(tenant, action)
  return rows.map(({ userId }) => userId)
}

/**
 * Reports occurrences that accompany another change, whose entry is their history. It writes their deliveries with one
 * statement, and nothing when no endpoint has subscribed.
 */
export async function reportAll(tenant: Tenant, actor: Actor, occurrences: readonly ReportedOccurrence[]): Promise<void> {
  for (let start = 0; start < occurrences.length; start += sliceSize) {
    await insertDeliveries(tenant, actor, occurrences.slice(start, start + sliceSize)).execute(tenant)
  }
}

/** Whether an endpoint of the organisation has subscribed to an event of this action: if not, its data need not be read. */
export async function hasSubscriber(tenant: Tenant, action: Action): Promise<boolean> {
  const names = ['*', ...catalogue[action].events]
  const { rows } = await sql`
    select from webhook_endpoints
    where organisation_id = ${tenant.organisationId} and is_active and events && ${names}::text[] limit 1`.execute(tenant)
  return rows.length > 0
}

/**
 * Makes a change and, if it changed anything, writes its audit entry, both in one statement. It is meant for frequent changes and
 * reports no event: the caller has checked whether an endpoint has subscribed.
 *
 * @param change made by {@link withAuditEntry}
 * @returns whether it changed anything
 */
export async function changeAndAudit<Values extends KeyedValues>(
  database: Database,
  actor: Actor,
  occurrence: Occurrence,
  change: AuditedChange<Values>,
  values: Values,
): Promise<boolean> {
  const entry = auditValues({ now: database.clock.now(), organisationId: values.organisationId }, actor, occurrence)
  const entryValues = Object.fromEntries(entryParameters.map((name, index) => [name, entry[index]])) as Record<EntryParameter, unknown>
  const changed = await database.keyedWrite(change, { ...values, ...entryValues })
  if (changed) recorded.publish({ action: occurrence.action })
  return changed !== undefined
}

const auditColumns = {
  id: 'text',
  action: 'text',
  actor_type: 'text',
  actor_id: 'text',
  actor_name: 'text',
  actor_email: 'text',
  target_type: 'text',
  target_id: 'text',
  target_name: 'text',
  target_email: 'text',
  ip_address: 'text',
  user_agent: 'text',
  request_id: 'text',
  sign_in_id: 'text',
  changes: 'jsonb',
  metadata: 'jsonb',
  created_at: 'timestamptz',
}
const columnNames = Object.keys(auditColumns).join(', ')
type EntryParameter = `entry_${keyof typeof auditColumns}`
const entryParameters = Object.keys(auditColumns).map((column) => `entry_${column}`) as EntryParameter[]

function auditValues({ now, organisationId }: Pick<Tenant, 'now' | 'organisationId'>, actor: Actor, occurrence: Occurrence): unknown[] {
  const { object } = catalogue[occurrence.action]
  const target = occurrence[object as keyof typeof occurrence] as ApiObject
  const { metadata } = occurrence
  const changes = changesOf(occurrence, target)
  return [
    newId('aud', now),
    occurrence.action,
    actor.actorType,
    actor.actorId,
    ...nameAndEmailOfActor(actor),
    object,
    target.id,
    ...nameAndEmailOfTarget(target, occurrence),
    actor.ipAddress,
    actor.userAgent,
    actor.requestId,
    actor.signInId ?? null,
    changes ? JSON.stringify(changes) : null,
    metadataOf(actor, withWaitingClient(metadata, actor, organisationId)),
    now,
  ]
}

/** Only the application's own organisation learns which application requested a sign-in: anyone may sign in on its way. */
function withWaitingClient(metadata: Record<string, unknown> | undefined, { waitingClient }: Actor, organisationId: string) {
  return waitingClient?.organisationId === organisationId ? { ...metadata, clientId: waitingClient.id } : metadata
}

type NameAndEmail = [name: string | null, email: string | null]

/** The name and address of the actor; empty for a caller who was not identified. */
const nameAndEmailOfActor = ({ actorId, name, email }: Actor): NameAndEmail =>
  actorId === null ? [null, null] : [name ?? null, email ?? null]

/** The name of a target whose id alone says nothing later: a session has its user's name, an endpoint its address. */
function nameAndEmailOfTarget(target: ApiObject, { user }: Occurrence): NameAndEmail {
  const shown = target.id.startsWith('ses_') ? { ...user } : target
  const [name, email] = [shown.name ?? shown.url ?? shown.domain, shown.email].map((text) => (typeof text === 'string' ? text : null))
  return [name ?? null, email ?? null]
}

function insertAuditEntries(tenant: Tenant, actor: Actor, occurrences: readonly Occurrence[]) {
  const rows = occurrences.map((occurrence) => sql`(${sql.join(auditValues(tenant, actor, occurrence))})`)
  return sql`insert into audit_logs (${sql.raw(columnNames)}) values ${sql.join(rows)}`
}

export type AuditedChange<Values extends KeyedValues> = Statement<Values & Record<EntryParameter, unknown>, object>

/** Combines a change with its audit entry, for {@link changeAndAudit}. Call it once, at module level. */
export function withAuditEntry<Values extends KeyedValues>(change: Statement<Values, object>): AuditedChange<Values> {
  const values = Object.values(auditColumns).map((type, index) => `:${entryParameters[index]}::${type}`)
  return statement(`with changed as (${change.text}), entry as (
    insert into audit_logs (organisation_id, ${columnNames}) select :organisationId::text, ${values.join(', ')} from changed
  ) select from changed`)
}

function changesOf({ action, changes }: Occurrence, target: ApiObject): Changes | undefined {
  const kind = catalogue[action]
  return changes ?? ('lifecycle' in kind ? changesOfWhole(target, kind.lifecycle) : undefined)
}

/** @param occurrences that concern the same client, if any */
function insertDeliveries(tenant: Tenant, actor: Actor, occurrences: readonly Occurrence[]) {
  const { heads, tails } = envelopesOf(tenant, actor, occurrences)
  if (!tenant.isRehearsal) for (const { id } of heads) reportQueued(id)
  return sql`
    insert into webhook_deliveries (id, endpoint_id, event_id, event, variant, body, next_attempt_at, created_at)
    select new_id('dlv', ${tenant.now}), endpoint.id, event.id, event.name, endpoint.variant,
      case endpoint.variant when 'A' then event.head_a else event.head_b end || (${tails}::text[])[event.place], ${tenant.now}, ${tenant.now}
    from webhook_endpoints endpoint
    join json_to_recordset(${JSON.stringify(heads)}::json) as event (id text, name text, head_a text, head_b text, place int)
      on endpoint.events && array['*', event.name]
    where endpoint.organisation_id = ${tenant.organisationId} and endpoint.is_active
      and (endpoint.client_id is null or endpoint.client_id = ${clientOf(actor, occurrences[0])})`
}

/** The client that an occurrence concerns, or that acted in it: endpoints that are bound to a client receive no other. */
function clientOf(actor: Actor, occurrence: Occurrence | undefined): string | null {
  const id = occurrence?.client?.id
  if (typeof id === 'string') return id
  return actor.actorType === 'client' ? actor.actorId : null
}
