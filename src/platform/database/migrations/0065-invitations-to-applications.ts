import { type Kysely, sql } from 'kysely'

/** The application that a person is invited to. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    alter table invitations add column client_id text,
      add constraint invitations_client_fkey foreign key (organisation_id, client_id) references clients (organisation_id, id)`.execute(
    database,
  )
}
