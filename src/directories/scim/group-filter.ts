import { type SqlBool, sql } from 'kysely'
import { groupType } from '../protocol/attributes.ts'
import type { Filterable } from './filter-to-sql.ts'

/** What groups can be filtered by. Their table is `g`, as in `group-queries.ts`. */
export const filterableGroups: Filterable = {
  type: groupType,
  columns: {
    id: { expression: sql`g.id`, type: 'text', caseExact: true, equals: (value) => sql<SqlBool>`(g.id = ${value})` },
    externalId: { expression: sql`g.external_id`, type: 'text', caseExact: true },
    displayName: {
      expression: sql`g.display_name`,
      type: 'text',
      equals: (value) => sql<SqlBool>`(lower(g.display_name) = lower(${value}::text))`,
    },
    'meta.created': { expression: sql`g.created_at`, type: 'time' },
    'meta.lastModified': { expression: sql`g.updated_at`, type: 'time' },
  },
  lists: {
    members: {
      values: sql`(
        select gm.user_id from directory_group_members gm where gm.organisation_id = g.organisation_id and gm.group_id = g.id) as e`,
      columns: {
        value: { expression: sql`e.user_id`, type: 'text', caseExact: true, equals: (value) => sql<SqlBool>`(e.user_id = ${value})` },
      },
    },
  },
}
