import { type Kysely, sql } from 'kysely'
import { organisationId, secureTenantTable } from './tenant-table.ts'

/** Second factors of users, and sign-ins that wait for one. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table mfa_credentials (
      ${organisationId},
      id text not null,
      user_id text not null,
      method text not null check (method in ('totp', 'sms')),
      secret_encrypted text,
      phone text,
      last_used_step bigint,
      created_at timestamptz not null,
      verified_at timestamptz,
      primary key (organisation_id, id),
      foreign key (organisation_id, user_id) references users (organisation_id, id) on delete cascade,
      check ((method = 'totp') = (secret_encrypted is not null)),
      check ((method = 'sms') = (phone is not null))
    )`.execute(database)
  await sql`create unique index mfa_credentials_verified_key on mfa_credentials (organisation_id, user_id, method) where verified_at is not null`.execute(
    database,
  )
  // One enrolment at a time: the next begins anew.
  await sql`create unique index mfa_credentials_pending_key on mfa_credentials (organisation_id, user_id) where verified_at is null`.execute(
    database,
  )
  await secureTenantTable(database, 'mfa_credentials')

  await sql`
    create table mfa_backup_codes (
      ${organisationId},
      user_id text not null,
      code_hash text not null,
      created_at timestamptz not null,
      primary key (organisation_id, user_id, code_hash),
      foreign key (organisation_id, user_id) references users (organisation_id, id) on delete cascade
    )`.execute(database)
  await secureTenantTable(database, 'mfa_backup_codes')

  await sql`
    create table mfa_sent_codes (
      ${organisationId},
      credential_id text not null,
      code_hash text not null,
      expires_at timestamptz not null,
      created_at timestamptz not null,
      primary key (organisation_id, credential_id),
      foreign key (organisation_id, credential_id) references mfa_credentials (organisation_id, id) on delete cascade
    )`.execute(database)
  await secureTenantTable(database, 'mfa_sent_codes')

  await sql`
    create table mfa_challenges (
      ${organisationId},
      id text not null,
      user_id text not null,
      token_hash text not null constraint mfa_challenges_token_hash_key unique,
      failure_count integer not null default 0,
      expires_at timestamptz not null,
      created_at timestamptz not null,
      used_at timestamptz,
      primary key (organisation_id, id),
      foreign key (organisation_id, user_id) references users (organisation_id, id) on delete cascade
    )`.execute(database)
  await sql`create index mfa_challenges_user_index on mfa_challenges (organisation_id, user_id)`.execute(database)
  await sql`create index mfa_challenges_expires_at_index on mfa_challenges (expires_at)`.execute(database)
  await secureTenantTable(database, 'mfa_challenges')
}
