import { type Kysely, sql } from 'kysely'
import { organisationId, secureTenantTable } from './tenant-table.ts'

/**
 * Passkeys of users (WebAuthn). A credential id is unique in the whole system, and each user has one handle, which the devices
 * store in place of anything that says who the user is. Challenges are not stored, only those that have been used, until they expire.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table passkey_users (
      ${organisationId},
      user_id text not null,
      handle text not null constraint passkey_users_handle_key unique,
      created_at timestamptz not null,
      primary key (organisation_id, user_id),
      foreign key (organisation_id, user_id) references users (organisation_id, id) on delete cascade
    )`.execute(database)
  await secureTenantTable(database, 'passkey_users')

  await sql`
    create table passkeys (
      ${organisationId},
      id text not null,
      user_id text not null,
      name text not null,
      rp_id text not null,
      credential_id text not null constraint passkeys_credential_id_key unique,
      public_key text not null,
      counter bigint not null,
      can_sign_in boolean not null,
      may_sync boolean not null,
      is_synced boolean not null,
      transports text[] not null,
      aaguid text not null,
      created_at timestamptz not null,
      last_used_at timestamptz,
      primary key (organisation_id, id),
      foreign key (organisation_id, user_id) references users (organisation_id, id) on delete cascade,
      check (may_sync or not is_synced)
    )`.execute(database)
  await sql`create index passkeys_user_index on passkeys (organisation_id, user_id)`.execute(database)
  await secureTenantTable(database, 'passkeys')

  await sql`
    create table spent_challenges (
      challenge_hash text primary key,
      expires_at timestamptz not null
    )`.execute(database)
  await sql`create index spent_challenges_expires_at_index on spent_challenges (expires_at)`.execute(database)
  // A challenge is spent in the transaction of the tenant for whom it is used, which learns from the conflict alone.
  await sql`grant insert on spent_challenges to gatehouse_tenant`.execute(database)

  // The previous release does not know the method, and meets it only once a user has enrolled it.
  await sql`alter table mfa_credentials drop constraint mfa_credentials_method_check`.execute(database)
  await sql`
    alter table mfa_credentials add constraint mfa_credentials_method_check check (method in ('totp', 'sms', 'passkey'))`.execute(database)
}
