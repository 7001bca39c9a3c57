import { type Kysely, sql } from 'kysely'
import { organisationId, secureTenantTable } from './tenant-table.ts'

/** What happened, what is to be mailed, and what runs from time to time. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table audit_logs (
      ${organisationId},
      id text not null,
      action text not null,
      actor_type text not null check (actor_type in ('user', 'api_key', 'client', 'system')),
      actor_id text,
      target_type text not null,
      target_id text not null,
      ip_address text,
      user_agent text,
      changes jsonb,
      metadata jsonb,
      created_at timestamptz not null,
      primary key (organisation_id, id)
    )`.execute(database)
  await sql`create index audit_logs_action_index on audit_logs (organisation_id, action, id)`.execute(database)
  await sql`create index audit_logs_actor_index on audit_logs (organisation_id, actor_id, id)`.execute(database)
  await sql`create index audit_logs_target_index on audit_logs (organisation_id, target_id, id)`.execute(database)
  await sql`create index audit_logs_created_at_index on audit_logs (organisation_id, created_at)`.execute(database)
  await secureTenantTable(database, 'audit_logs')
  // History is added to and read; the only thing that removes it is the purge of its organisation.
  await sql`revoke update, delete on audit_logs from gatehouse_tenant`.execute(database)

  await sql`
    create table mails (
      ${organisationId},
      id text not null,
      recipient text not null,
      subject text not null,
      content_encrypted text,
      attempt_count integer not null default 0,
      next_attempt_at timestamptz,
      claimed_until timestamptz,
      last_error text,
      created_at timestamptz not null,
      sent_at timestamptz,
      primary key (organisation_id, id)
    )`.execute(database)
  await sql`create index mails_next_attempt_index on mails (next_attempt_at) where next_attempt_at is not null`.execute(database)
  await secureTenantTable(database, 'mails')
  await sql`
    create function notify_mails() returns trigger language plpgsql as $$
    begin
      perform pg_notify('gatehouse_mails', '');
      return null;
    end $$`.execute(database)
  await sql`create trigger mails_notify after insert on mails for each statement execute function notify_mails()`.execute(database)

  await sql`
    create table tasks (
      name text primary key,
      next_run_at timestamptz not null,
      claimed_until timestamptz,
      last_run_at timestamptz,
      last_error text
    )`.execute(database)
}
