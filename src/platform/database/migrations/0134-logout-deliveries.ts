import { type Kysely, sql } from 'kysely'
import { organisationId, secureTenantTable } from './tenant-table.ts'

/**
 * Clients that are told of the end of sessions (OpenID Connect Back-Channel Logout 1.0): by which session each has got tokens, what is to
 * be delivered, and every attempt at it.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    alter table clients add column backchannel_logout_uri text,
      add column backchannel_logout_session_required boolean not null default false,
      add column backchannel_logout_revokes_refresh boolean not null default false`.execute(database)

  // Without a reference to the session: a code may be redeemed after it has ended, and the row then waits to be told.
  await sql`
    create table session_clients (
      ${organisationId},
      session_id text not null,
      client_id text not null,
      user_id text not null,
      check_at timestamptz not null,
      primary key (organisation_id, session_id, client_id),
      foreign key (organisation_id, client_id) references clients (organisation_id, id) on delete cascade,
      foreign key (organisation_id, user_id) references users (organisation_id, id) on delete cascade
    )`.execute(database)
  await sql`create index session_clients_check_at_index on session_clients (check_at)`.execute(database)
  await sql`create index session_clients_client_index on session_clients (organisation_id, client_id)`.execute(database)
  await sql`create index session_clients_user_index on session_clients (organisation_id, user_id)`.execute(database)
  await secureTenantTable(database, 'session_clients')

  await sql`
    create table logout_deliveries (
      ${organisationId},
      id text not null,
      client_id text not null,
      user_id text,
      session_id text not null,
      is_test boolean not null default false,
      status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
      attempt_count integer not null default 0,
      next_attempt_at timestamptz,
      claimed_until timestamptz,
      last_status_code integer,
      created_at timestamptz not null,
      delivered_at timestamptz,
      primary key (organisation_id, id),
      constraint logout_deliveries_user_check check (is_test or user_id is not null),
      foreign key (organisation_id, client_id) references clients (organisation_id, id) on delete cascade,
      foreign key (organisation_id, user_id) references users (organisation_id, id) on delete cascade
    )`.execute(database)
  // Work is looked for client by client, as that of webhooks is endpoint by endpoint.
  await sql`
    create index logout_deliveries_pending_index on logout_deliveries (organisation_id, client_id, next_attempt_at)
      where status = 'pending' and next_attempt_at is not null`.execute(database)
  await sql`create index logout_deliveries_client_index on logout_deliveries (organisation_id, client_id, id)`.execute(database)
  await sql`create index logout_deliveries_user_index on logout_deliveries (organisation_id, user_id)`.execute(database)
  await sql`create index logout_deliveries_created_at_index on logout_deliveries (created_at)`.execute(database)
  await secureTenantTable(database, 'logout_deliveries')

  await sql`
    create table logout_attempts (
      ${organisationId},
      delivery_id text not null,
      number integer not null,
      at timestamptz not null,
      status integer,
      duration_milliseconds integer not null,
      error text,
      response text,
      primary key (organisation_id, delivery_id, number),
      foreign key (organisation_id, delivery_id) references logout_deliveries (organisation_id, id) on delete cascade
    )`.execute(database)
  await secureTenantTable(database, 'logout_attempts')

  await sql`
    create function notify_logout_deliveries() returns trigger language plpgsql as $$
    begin
      if exists (select from inserted) then
        perform pg_notify('gatehouse_logout_deliveries', '');
      end if;
      return null;
    end $$`.execute(database)
  await sql`
    create trigger logout_deliveries_notify after insert on logout_deliveries
      referencing new table as inserted for each statement execute function notify_logout_deliveries()`.execute(database)
}
