import { type Kysely, sql } from 'kysely'
import { asSystem } from './as-system.ts'

// Default_Ignorable_Code_Point of Unicode 17, and the blank pattern of Braille, which has no dots.
const invisible = String.raw`[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]`

/**
 * Names of organisations differ in what is seen of them: NFKC, without invisible characters, white space once. Organisations
 * whose names look like that of an older one keep them until they choose another, and block no other.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(database)
  await run(`
    alter table organisations
      add column distinct_name text collate "C" not null
        generated always as (btrim(regexp_replace(normalize(regexp_replace(name, '${invisible}', '', 'g'), NFKC), '\\s+', ' ', 'g'))) stored,
      add column looks_like_another boolean not null default false`)
  await asSystem(database, () =>
    run(`
      update organisations o set looks_like_another = true
      from (select id, row_number() over (partition by distinct_name order by created_at, id) as place from organisations) counted
      where o.id = counted.id and counted.place > 1`),
  )
  // A table cannot be altered while a deferred constraint of it is still to be checked.
  await run('set constraints all immediate')
  await run('create unique index organisations_distinct_name_key on organisations (distinct_name) where not looks_like_another')
}
