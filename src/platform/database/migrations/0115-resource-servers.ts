import { type Kysely, sql } from 'kysely'
import { addPermissions, type NewPermission } from './add-permissions.ts'
import { organisationId, secureTenantTable } from './tenant-table.ts'

/**
 * Resource servers: the APIs that access tokens can be issued for (RFC 8707), which clients may ask for them, and what users have allowed
 * each client at each of them. Codes and families hold the ids of the resource servers that were authorized. The permissions are in the
 * catalogue and in every owner role; where an operator has added one of these slugs already, it becomes the service's own.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(database)

  await sql`
    create table resource_servers (
      ${organisationId},
      id text not null constraint resource_servers_id_key unique,
      name text not null,
      identifier text not null constraint resource_servers_identifier_key unique,
      scopes jsonb not null default '[]',
      access_token_lifetime integer check (access_token_lifetime > 0),
      access_token_signing_alg text not null default 'EdDSA' check (access_token_signing_alg in ('EdDSA', 'RS256')),
      allows_automatic_clients boolean not null default false,
      require_dpop boolean not null default false,
      include_authentication_context boolean not null default false,
      introspection_client_ids text[] not null default '{}',
      exchange_client_ids text[] not null default '{}',
      is_active boolean not null default true,
      tokens_valid_after timestamptz,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      primary key (organisation_id, id),
      constraint resource_servers_of_organisation_key unique (organisation_id, identifier)
    )`.execute(database)
  await secureTenantTable(database, 'resource_servers')

  await run('alter table clients add column resource_server_ids text[], add column default_resource text')
  // No client has one yet, so no row has to be looked at.
  await run(`
    alter table clients add constraint clients_default_resource_fkey
      foreign key (organisation_id, default_resource) references resource_servers (organisation_id, identifier) not valid`)
  await run('alter table authorization_codes add column resources text[]')
  await run('alter table token_families add column resources text[]')

  // Beside the consents of a client, whose key the previous release relies on.
  await sql`
    create table resource_consents (
      ${organisationId},
      user_id text not null,
      client_id text not null,
      resource_server_id text not null,
      scopes text[] not null,
      granted_at timestamptz not null,
      primary key (organisation_id, user_id, client_id, resource_server_id),
      foreign key (organisation_id, user_id) references users (organisation_id, id) on delete cascade,
      foreign key (organisation_id, client_id) references clients (organisation_id, id) on delete cascade,
      foreign key (organisation_id, resource_server_id) references resource_servers (organisation_id, id) on delete cascade
    )`.execute(database)
  await run('create index resource_consents_client_index on resource_consents (organisation_id, client_id)')
  await run('create index resource_consents_resource_server_index on resource_consents (organisation_id, resource_server_id)')
  await secureTenantTable(database, 'resource_consents')

  // The new list holds the former one.
  await run('alter table configuration_keys drop constraint configuration_keys_kind_check')
  await run(`
    alter table configuration_keys add constraint configuration_keys_kind_check
      check (kind in ('clients', 'webhooks', 'directories', 'resourceServers')) not valid`)

  await addPermissions(database, 'clients', permissions)
}

const permissions: readonly NewPermission[] = [
  ['resource_servers:read', 'Read resource servers', 'List the APIs that access tokens can be issued for'],
  ['resource_servers:create', 'Create resource servers', 'Register APIs that access tokens can be issued for'],
  ['resource_servers:update', 'Update resource servers', 'Change resource servers, their scopes and who introspects their tokens'],
  ['resource_servers:delete', 'Delete resource servers', 'Delete resource servers and end their tokens'],
]
