import { type Kysely, sql } from 'kysely'
import { organisationId, secureTenantTable } from './tenant-table.ts'

/** Webhook endpoints, what is to be delivered to them, and every attempt at it. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table webhook_endpoints (
      ${organisationId},
      id text not null,
      url text not null,
      events text[] not null,
      client_id text,
      variant text not null check (variant in ('A', 'B')),
      is_active boolean not null default true,
      failure_count integer not null default 0,
      last_triggered_at timestamptz,
      secret_encrypted text not null,
      previous_secret_encrypted text,
      previous_secret_expires_at timestamptz,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      primary key (organisation_id, id),
      foreign key (organisation_id, client_id) references clients (organisation_id, id)
    )`.execute(database)
  await sql`create index webhook_endpoints_failing_index on webhook_endpoints (failure_count) where is_active and failure_count >= 10`.execute(
    database,
  )
  await secureTenantTable(database, 'webhook_endpoints')

  await sql`
    create table webhook_deliveries (
      ${organisationId},
      id text not null,
      endpoint_id text not null,
      event_id text not null,
      event text not null,
      variant text not null check (variant in ('A', 'B')),
      body text not null,
      is_test boolean not null default false,
      status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
      attempt_count integer not null default 0,
      next_attempt_at timestamptz,
      claimed_until timestamptz,
      last_status_code integer,
      created_at timestamptz not null,
      delivered_at timestamptz,
      primary key (organisation_id, id),
      foreign key (organisation_id, endpoint_id) references webhook_endpoints (organisation_id, id) on delete cascade
    )`.execute(database)
  // Work is looked for endpoint by endpoint, so that a long queue of one cannot stand before the others.
  await sql`
    create index webhook_deliveries_pending_index on webhook_deliveries (organisation_id, endpoint_id, next_attempt_at)
      where status = 'pending' and next_attempt_at is not null`.execute(database)
  await sql`create index webhook_deliveries_endpoint_index on webhook_deliveries (organisation_id, endpoint_id, id)`.execute(database)
  await sql`create index webhook_deliveries_created_at_index on webhook_deliveries (created_at)`.execute(database)
  await secureTenantTable(database, 'webhook_deliveries')

  await sql`
    create table webhook_attempts (
      ${organisationId},
      delivery_id text not null,
      number integer not null,
      at timestamptz not null,
      status integer,
      duration_milliseconds integer not null,
      error text,
      response text,
      primary key (organisation_id, delivery_id, number),
      foreign key (organisation_id, delivery_id) references webhook_deliveries (organisation_id, id) on delete cascade
    )`.execute(database)
  await secureTenantTable(database, 'webhook_attempts')

  // Deliveries are made by one statement that selects the subscribers, so their ids are made in the database too.
  await sql`
    create function new_id(prefix text, at timestamptz) returns text language sql volatile as $$
      select prefix || '_' ||
        (select string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz', ((floor(extract(epoch from at) * 1000)::bigint >> (5 * place)) & 31)::int + 1, 1), '' order by place desc)
         from generate_series(0, 9) place) ||
        (select string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz', (get_byte(random, place) & 31) + 1, 1), '')
         from (select decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex') as random) made,
              unnest(array[0, 1, 2, 3, 4, 5, 7, 9, 10, 11, 12, 13, 14, 15, 16, 17]) place)
    $$`.execute(database)
  // Most records have no subscriber and insert no row: a notice for each would make commits wait for one another.
  await sql`
    create function notify_deliveries() returns trigger language plpgsql as $$
    begin
      if exists (select from inserted) then
        perform pg_notify('gatehouse_deliveries', '');
      end if;
      return null;
    end $$`.execute(database)
  await sql`
    create trigger webhook_deliveries_notify after insert on webhook_deliveries
      referencing new table as inserted for each statement execute function notify_deliveries()`.execute(database)
}
