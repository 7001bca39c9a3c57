import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { userType } from '../protocol/attributes.ts'
import type { Directory } from './directory.ts'
import type { Column, Filterable } from './filter-to-sql.ts'

const text = (expression: RawBuilder<unknown>, details: Partial<Column> = {}): Column => ({ expression, type: 'text', ...details })

/** A part of a stored attribute. */
const stored = (...path: string[]) => sql`m.attributes #>> ${`{${path.join(',')}}`}::text[]`

/** Of `email_key`: an index takes no value of any length. */
const keyLength = 320

/** As `userResource` shows them. */
const emails = sql`coalesce(m.attributes->'emails', jsonb_build_array(jsonb_build_object('value', u.email, 'type', 'work', 'primary', true)))`

/**
 * What users can be filtered by. Their tables are `u` and `m`, as in `user-queries.ts`. What directories look users up by uses an index: no
 * planner finds one for a name that comes from either of two tables.
 */
export function filterableUsers({ id: directoryId, organisationId }: Directory): Filterable {
  const isOneOf = (ids: RawBuilder<unknown>) => sql<SqlBool>`(u.id = any(array(${ids})))`
  const managed = sql`select one.user_id from directory_users one where one.organisation_id = ${organisationId} and one.directory_id = ${directoryId}`
  return {
    type: userType,
    columns: {
      id: text(sql`u.id`, { caseExact: true, equals: (value) => sql<SqlBool>`(u.id = ${value})` }),
      externalId: text(sql`m.external_id`, {
        caseExact: true,
        equals: (value) => isOneOf(sql`${managed} and one.external_id = ${value}`),
      }),
      userName: text(sql`coalesce(m.user_name, u.email)`, {
        equals: (value) => sql<SqlBool>`(${isOneOf(sql`
          ${managed} and one.user_name_key = lower(${value}::text)
          union all select other.id from users other where other.organisation_id = ${organisationId} and other.email = lower(${value}::text)`)}
          and lower(coalesce(m.user_name, u.email)) = lower(${value}::text))`,
      }),
      active: { expression: sql`(u.blocked_at is null)`, type: 'boolean' },
      displayName: text(sql`coalesce(m.attributes->>'displayName', u.name)`),
      'name.givenName': text(sql`u.first_name`),
      'name.familyName': text(sql`u.last_name`),
      'name.formatted': text(stored('name', 'formatted')),
      'name.middleName': text(stored('name', 'middleName')),
      'name.honorificPrefix': text(stored('name', 'honorificPrefix')),
      'name.honorificSuffix': text(stored('name', 'honorificSuffix')),
      'meta.created': { expression: sql`u.created_at`, type: 'time' },
      'meta.lastModified': { expression: sql`greatest(u.updated_at, m.updated_at)`, type: 'time' },
    },
    lists: {
      emails: {
        narrow: (value) =>
          isOneOf(sql`
            ${managed} and one.email_key = left(lower(${value}::text), ${keyLength})
            union all ${managed} and one.has_more_emails
            union all select other.id from users other where other.organisation_id = ${organisationId} and other.email = lower(${value}::text)`),
        values: sql`jsonb_array_elements(${emails}) as e`,
        columns: {
          value: text(sql`e->>'value'`),
          type: text(sql`e->>'type'`),
          display: text(sql`e->>'display'`),
          primary: { expression: sql`coalesce((e->>'primary')::boolean, false)`, type: 'boolean' },
        },
      },
    },
  }
}
