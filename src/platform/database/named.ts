import { sql } from 'kysely'

/**
 * Whether a record is among those that a request names by id or by slug. No text is both: ids contain an underscore, slugs of roles and
 * teams do not. Slugs of permissions contain a colon, ids do not.
 */
export const isNamed = (table: 'roles' | 'teams' | 'permissions', names: readonly string[]) =>
  sql<boolean>`(${sql.ref(`${table}.id`)} = any(${names}::text[]) or ${sql.ref(`${table}.slug`)} = any(${names}::text[]))`

/** The ids and slugs of these records. */
export const namesOf = (records: readonly { id: string; slug: string }[]): Set<string> =>
  new Set(records.flatMap(({ id, slug }) => [id, slug]))
