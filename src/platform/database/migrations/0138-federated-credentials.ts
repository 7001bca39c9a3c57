import { type Kysely, sql } from 'kysely'
import { organisationId, secureTenantTable } from './tenant-table.ts'

/**
 * Identities of platforms by which clients authenticate, and for which API keys give out short-lived keys. A trigger keeps which identity
 * is whose, so that each is of one client or key in the whole installation, however the row is written.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`alter table clients add column federated_credentials jsonb`.execute(database)
  await sql`alter table api_keys add column federated_credentials jsonb`.execute(database)
  // The new rule holds the former one, and no client has such credentials yet, so no row has to be looked at.
  await sql`alter table clients drop constraint clients_secret_check`.execute(database)
  await sql`
    alter table clients add constraint clients_secret_check check (case token_endpoint_auth_method when 'none' then secret_hash is null
      when 'private_key_jwt' then jwks is not null or jwks_uri is not null or federated_credentials is not null
      when 'self_signed_tls_client_auth' then jwks is not null or jwks_uri is not null
      when 'tls_client_auth' then tls_client_auth is not null
      else secret_hash is not null end) not valid`.execute(database)

  await sql`
    create table federated_subjects (
      ${organisationId},
      subject_hash text not null constraint federated_subjects_subject_hash_key unique,
      client_id text,
      api_key_id text,
      primary key (organisation_id, subject_hash),
      foreign key (organisation_id, client_id) references clients (organisation_id, id) on delete cascade,
      foreign key (organisation_id, api_key_id) references api_keys (organisation_id, id) on delete cascade
    )`.execute(database)
  await sql`create index federated_subjects_client_index on federated_subjects (organisation_id, client_id)`.execute(database)
  await sql`create index federated_subjects_api_key_index on federated_subjects (api_key_id)`.execute(database)
  await secureTenantTable(database, 'federated_subjects')

  await sql`
    create table exchanged_keys (
      ${organisationId},
      key_hash text not null constraint exchanged_keys_key_hash_key unique,
      api_key_id text not null,
      expires_at timestamptz not null,
      created_at timestamptz not null,
      primary key (organisation_id, key_hash),
      foreign key (organisation_id, api_key_id) references api_keys (organisation_id, id) on delete cascade
    )`.execute(database)
  await sql`create index exchanged_keys_api_key_index on exchanged_keys (organisation_id, api_key_id)`.execute(database)
  await sql`create index exchanged_keys_expires_at_index on exchanged_keys (expires_at)`.execute(database)
  await secureTenantTable(database, 'exchanged_keys')

  // In one order: two that write the same identities wait for each other, and never for ever.
  await sql`
    create function hold_federated_subjects() returns trigger language plpgsql as $$
    declare
      of_client text := case when tg_table_name = 'clients' then new.id end;
      of_api_key text := case when tg_table_name = 'api_keys' then new.id end;
    begin
      if of_client is not null then
        delete from federated_subjects where organisation_id = new.organisation_id and client_id = of_client;
      else
        delete from federated_subjects where organisation_id = new.organisation_id and api_key_id = of_api_key;
      end if;
      if new.federated_credentials is not null and new.deleted_at is null then
        insert into federated_subjects (organisation_id, subject_hash, client_id, api_key_id)
        select new.organisation_id, named.hash, of_client, of_api_key
        from (
          select encode(sha256(convert_to(jsonb_build_array(one -> 'issuer', one -> 'subject', one -> 'claims')::text, 'UTF8')), 'hex') as hash
          from jsonb_array_elements(new.federated_credentials) as one) as named
        order by named.hash;
      end if;
      return null;
    end $$`.execute(database)
  for (const table of ['clients', 'api_keys']) {
    const name = sql.table(table)
    await sql`
      create trigger ${sql.id(`${table}_begin_federated_subjects`)} after insert on ${name}
        for each row when (new.federated_credentials is not null) execute function hold_federated_subjects()`.execute(database)
    await sql`
      create trigger ${sql.id(`${table}_hold_federated_subjects`)} after update of federated_credentials, deleted_at on ${name}
        for each row when (old.federated_credentials is distinct from new.federated_credentials
          or (new.federated_credentials is not null and old.deleted_at is distinct from new.deleted_at))
        execute function hold_federated_subjects()`.execute(database)
  }
}
