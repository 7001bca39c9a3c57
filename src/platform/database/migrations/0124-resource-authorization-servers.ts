import { type Kysely, sql } from 'kysely'
import { organisationId, secureTenantTable } from './tenant-table.ts'

/** Authorization servers of other companies that take identity assertions of an organisation, and which client may do what there. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table resource_authorization_servers (
      ${organisationId},
      id text not null constraint resource_authorization_servers_id_key unique,
      name text not null,
      issuer text not null,
      audience_client_id text not null,
      resources jsonb not null,
      grants jsonb not null,
      required_acr text check (required_acr in ('aal1', 'aal2', 'phr', 'phrh')),
      lifetime_seconds integer not null check (lifetime_seconds between 1 and 300),
      includes_email boolean not null,
      is_active boolean not null,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      primary key (organisation_id, id),
      constraint resource_authorization_servers_issuer_key unique (organisation_id, issuer),
      foreign key (organisation_id, audience_client_id) references clients (organisation_id, id) on delete cascade
    )`.execute(database)
  await sql`
    create index resource_authorization_servers_client_index
    on resource_authorization_servers (organisation_id, audience_client_id)`.execute(database)
  await secureTenantTable(database, 'resource_authorization_servers')

  // The new list holds the former one, so no row has to be looked at.
  await sql`alter table configuration_keys drop constraint configuration_keys_kind_check`.execute(database)
  await sql`
    alter table configuration_keys add constraint configuration_keys_kind_check
      check (kind in ('clients', 'webhooks', 'directories', 'resourceServers', 'resourceAuthorizationServers')) not valid`.execute(database)
}
