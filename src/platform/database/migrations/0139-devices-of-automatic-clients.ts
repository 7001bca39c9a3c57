import { type Kysely, sql } from 'kysely'

// The former release finds no device whose client is not stored yet, and tells its user that the code is unknown.
export const stopsFormerRelease = undefined

/** Devices of applications that have introduced themselves. Before a user allows such a client it has no row, so the request describes it. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    alter table device_codes
      alter column client_id drop not null,
      add column automatic_client jsonb,
      add constraint device_codes_client_check check (client_id is not null or (automatic_client is not null and decision is distinct from 'allow')) not valid
  `.execute(database)
}
