import { sql } from 'kysely'
import type { System } from '../platform/database/database.ts'
import { type Actor, metadataOf } from './actor.ts'
import type { Action, ApiObject, Occurrence } from './catalogue.ts'
import { changesOfWhole } from './changes.ts'
import { envelopesOf } from './envelopes.ts'
import type { EventName } from './events.ts'

/** Actions on the whole database, or on keys that serve all of it. */
const ofWholeDatabase = [
  'database.backed_up',
  'database.restored',
  'database.moved',
  'database.migrated',
  'signing_keys.rotated',
  'secret_key.rotated',
] as const satisfies readonly Action[]

const ofEveryOrganisation: readonly Action[] = ['permission.created', 'permission.granted', 'permission.deleted', ...ofWholeDatabase]

/**
 * Whether an entry of the audit log reports an act of the operator on this organisation alone, by the system API or a command. An
 * entry of a job names no caller.
 */
export const isActOfOperator = sql<boolean>`
  actor_type = 'system' and num_nonnulls(actor_id, request_id, ip_address) > 0
  and action <> all (${sql.raw(`'{${ofEveryOrganisation.join(',')}}'`)}::text[]) and metadata ->> 'because' is distinct from 'permission.deleted'`

const insertEntries = sql`
  insert into audit_logs
    (organisation_id, id, action, actor_type, actor_id, target_type, target_id, target_name, ip_address, user_agent, request_id, changes, metadata,
      created_at)`

/** Records a new permission in the audit log of each organisation, and that its owner role has been given it. */
export async function recordForEveryOrganisation(
  system: System,
  actor: Actor,
  { permission }: { action: 'permission.created'; permission: ApiObject },
): Promise<void> {
  const { actorType, actorId, ipAddress, userAgent, requestId } = actor
  const by = sql`${actorType}, ${actorId}`
  const from = sql`${ipAddress}, ${userAgent}, ${requestId}`
  const metadata = metadataOf(actor, { permission })
  await sql`${insertEntries}
    select id, new_id('aud', ${system.now}), 'permission.created', ${by}, 'permission', ${permission.id}, ${permission.name}, ${from},
      ${JSON.stringify(changesOfWhole(permission, 'begins'))}::jsonb, ${metadata}::jsonb, ${system.now}
    from organisations where status <> 'cancelled'`.execute(system)
  await sql`${insertEntries}
    select role.organisation_id, new_id('aud', ${system.now}), 'permission.granted', ${by}, 'role', role.id, role.name, ${from},
      null, ${metadata}::jsonb, ${system.now}
    from roles role join organisations organisation on organisation.id = role.organisation_id
    where role.is_owner and organisation.status <> 'cancelled'`.execute(system)
}

/** Records in the audit log of each organisation that a permission was deleted, and which of its roles and API keys lose it. */
export async function recordDeletedPermission(system: System, actor: Actor, permission: ApiObject & { slug: string }): Promise<void> {
  const { actorType, actorId, ipAddress, userAgent, requestId } = actor
  const by = sql`${actorType}, ${actorId}`
  const from = sql`${ipAddress}, ${userAgent}, ${requestId}`
  const metadata = metadataOf(actor, { because: 'permission.deleted', permission })
  await sql`${insertEntries}
    select role.organisation_id, new_id('aud', ${system.now}), 'role.updated', ${by}, 'role', role.id, role.name, ${from},
      jsonb_build_object('permissions', jsonb_build_object('from', listed.before, 'to', listed.after)), ${metadata}::jsonb, ${system.now}
    from role_permissions held
    join roles role on role.organisation_id = held.organisation_id and role.id = held.role_id
    join organisations organisation on organisation.id = role.organisation_id
    cross join lateral (
      select jsonb_agg(shown.permission order by shown.slug) as before,
        coalesce(jsonb_agg(shown.permission order by shown.slug) filter (where shown.id <> ${permission.id}), '[]') as after
      from (
        select p.id, p.slug, jsonb_build_object('id', p.id, 'slug', p.slug, 'name', p.name) as permission
        from role_permissions also join permissions p on p.id = also.permission_id
        where also.organisation_id = role.organisation_id and also.role_id = role.id
      ) shown
    ) listed
    where held.permission_id = ${permission.id} and organisation.status <> 'cancelled'`.execute(system)
  await sql`${insertEntries}
    select key.organisation_id, new_id('aud', ${system.now}), 'api_key.updated', ${by}, 'api_key', key.id, key.name, ${from},
      jsonb_build_object('permissions', jsonb_build_object(
        'from', to_jsonb(key.permissions), 'to', to_jsonb(array_remove(key.permissions, ${permission.slug}::text)))),
      ${metadata}::jsonb, ${system.now}
    from api_keys key join organisations organisation on organisation.id = key.organisation_id
    where ${permission.slug}::text = any(key.permissions) and key.deleted_at is null and organisation.status <> 'cancelled'`.execute(system)
  await sql`${insertEntries}
    select id, new_id('aud', ${system.now}), 'permission.deleted', ${by}, 'permission', ${permission.id}, ${permission.name}, ${from},
      ${JSON.stringify(changesOfWhole(permission, 'ends'))}::jsonb, ${metadataOf(actor, undefined)}::jsonb, ${system.now}
    from organisations where status <> 'cancelled'`.execute(system)
}

/** Records an action on the whole database, or on keys that serve all of it, in the audit log of each organisation. */
export async function recordForWholeDatabase(
  system: System,
  actor: Actor,
  { action, metadata }: { action: (typeof ofWholeDatabase)[number]; metadata?: Record<string, unknown> },
): Promise<void> {
  const { actorType, actorId, ipAddress, userAgent, requestId } = actor
  await sql`${insertEntries}
    select id, new_id('aud', ${system.now}), ${action}, ${actorType}, ${actorId}, 'organisation', id, name, ${ipAddress}, ${userAgent}, ${requestId},
      null, ${metadataOf(actor, metadata)}::jsonb, ${system.now}
    from organisations where status <> 'cancelled'`.execute(system)
}

/** The organisations with an endpoint that has subscribed to an event. */
export async function organisationsThatHearOf(system: System, event: EventName): Promise<string[]> {
  const { rows } = await sql<{ organisationId: string }>`
    select distinct endpoint.organisation_id
    from webhook_endpoints endpoint join organisations organisation on organisation.id = endpoint.organisation_id
    where endpoint.is_active and endpoint.client_id is null and endpoint.events && array['*', ${event}]
      and organisation.status <> 'cancelled'`.execute(system)
  return rows.map(({ organisationId }) => organisationId)
}

/** Reports something in each of several organisations, with one statement. */
export async function reportInOrganisations(
  system: System,
  actor: Actor,
  occurrences: readonly { organisationId: string; occurrence: Extract<Occurrence, { action: 'permission.granted' | 'role.updated' }> }[],
): Promise<void> {
  const { now } = system
  const events = occurrences.flatMap(({ organisationId, occurrence }) => {
    const { heads, tails } = envelopesOf({ now, organisationId }, actor, [occurrence])
    return heads.map((head) => ({ organisation_id: organisationId, ...head, tail: tails[0] }))
  })
  await sql`
    insert into webhook_deliveries (organisation_id, id, endpoint_id, event_id, event, variant, body, next_attempt_at, created_at)
    select endpoint.organisation_id, new_id('dlv', ${now}), endpoint.id, event.id, event.name, endpoint.variant,
      case endpoint.variant when 'A' then event.head_a else event.head_b end || event.tail, ${now}, ${now}
    from json_to_recordset(${JSON.stringify(events)}::json)
      as event (organisation_id text, id text, name text, head_a text, head_b text, tail text)
    join webhook_endpoints endpoint
      on endpoint.organisation_id = event.organisation_id and endpoint.events && array['*', event.name]
    where endpoint.is_active and endpoint.client_id is null`.execute(system)
}
