import { type Kysely, sql } from 'kysely'
import { organisationId, secureTenantTable } from './tenant-table.ts'

/** SHA-256 of nothing, base64url: all of an older refresh token is its selector. */
const hashOfNothing = '47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU'

/**
 * Breaking: an earlier release does not find the refresh tokens that this one issues. A family keeps its latest refresh token
 * itself, found by the selector that all its tokens begin with, where each refresh used to add a row to a table of them. Tokens
 * from before continue: the unused one of a family becomes its selector, the used ones are unknown.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    alter table token_families
      add column selector_hash text,
      add column secret_hash text,
      add column refreshed_at timestamptz,
      add column refreshable_until timestamptz`.execute(database)
  await sql`
    update token_families f set selector_hash = r.token_hash, secret_hash = ${sql.lit(hashOfNothing)},
      refreshed_at = r.created_at, refreshable_until = r.expires_at, kept_until = r.kept_until
    from refresh_tokens r
    where r.organisation_id = f.organisation_id and r.family_id = f.id and r.rotated_at is null`.execute(database)
  await sql`drop table refresh_tokens`.execute(database)
  await sql`alter table token_families add constraint token_families_selector_key unique (organisation_id, selector_hash)`.execute(database)
  // Room for the next version of a row beside it: then a refresh writes to no index.
  await sql`alter table token_families set (fillfactor = 70)`.execute(database)

  await sql`
    create table refresh_answers (
      ${organisationId},
      family_id text not null,
      secret_hash text not null,
      answer_encrypted text not null,
      rotated_at timestamptz not null,
      primary key (organisation_id, family_id, secret_hash),
      foreign key (organisation_id, family_id) references token_families (organisation_id, id) on delete cascade
    )`.execute(database)
  await sql`create index refresh_answers_rotated_at_index on refresh_answers (rotated_at)`.execute(database)
  await secureTenantTable(database, 'refresh_answers')
}
