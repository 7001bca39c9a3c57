import { type RawBuilder, sql } from 'kysely'
import { type KindWith, kinds } from '../../shared/kinds.ts'
import { type PermissionSlug, readPermissionOf } from '../access/permission-slugs.ts'
import type { Tenant } from '../platform/database/database.ts'
import { beginsWith } from '../platform/database/keyset.ts'
import { purposesOf } from '../setup-links/rules.ts'
import { type SearchQuery, type SearchResult, searchedKinds } from './schemas.ts'

type Permissions = Pick<ReadonlySet<string>, 'has'>

/** Describes how one kind of record is found. The texts are SQL. */
interface Found {
  readonly type: SearchResult['type']
  /** What reads all of them; or which of them these permissions read, if any. */
  readonly permission: PermissionSlug | Which
  readonly table: string
  readonly title: string
  readonly subtitle: string
  readonly condition?: string
  readonly address?: string
  readonly keys: readonly string[]
  readonly beginnings?: readonly string[]
}

type Which = (permissions: Permissions) => RawBuilder<unknown> | undefined

/** What reads kinds that have no permissions of their own. */
const readBy = {
  setup_link(permissions: Permissions) {
    const purposes = purposesOf(permissions)
    return purposes.length === 0 ? undefined : sql`purposes <@ ${purposes}::text[]`
  },
  resource_authorization_server: 'resource_servers:read',
} as const satisfies Readonly<Record<Exclude<SearchResult['type'], KindWith<'permissions'>>, PermissionSlug | Which>>

const found: readonly Found[] = searchedKinds.map((type) => {
  const { table, search } = kinds[type]
  const permission = type === 'setup_link' || type === 'resource_authorization_server' ? readBy[type] : readPermissionOf(type)
  return { title: 'name', ...search, type, table, permission }
})

/**
 * Finds the records that are closest to a text, of the kinds that these permissions let a caller read, in one statement: the record with
 * this id or e-mail address, then records that begin with the text. No index finds records that merely contain it: they are searched only
 * when no record has the text as its id or address, and fewer than `limit` begin with it.
 */
export async function findRecords(tenant: Tenant, permissions: Permissions, { q, limit }: SearchQuery): Promise<SearchResult[]> {
  const readable = found.flatMap((kind) => {
    const { permission } = kind
    const which = typeof permission === 'function' ? permission(permissions) : permissions.has(permission) ? sql`true` : undefined
    return which ? [{ ...kind, which }] : []
  })
  if (readable.length === 0) return []

  // Use a subquery, so that it is computed once and not for each record.
  const text = sql`(select lower(${q}))`
  const near = readable.flatMap((kind) => [
    part(kind, 0, sql`id = ${q}`, limit),
    ...(kind.address ? [part(kind, 0, sql`${sql.raw(kind.address)} = lower(${q})`, limit)] : []),
    ...[...kind.keys, ...(kind.beginnings ?? [])].map((key) => part(kind, 1, beginsWith(sql.raw(key), q), limit, key)),
  ])
  const far = readable.map((kind) => {
    const contained = kind.keys.map((key) => sql`strpos(${sql.raw(key)}, ${text}) > 0`)
    // The close records are found again here.
    return part(
      kind,
      2,
      sql`(select count(*) < ${limit} and min(distance) is distinct from 0 from near) and (${sql.join(contained, sql` or `)})`,
      2 * limit,
    )
  })
  const { rows } = await sql<SearchResult>`
    with near as materialized (
      select distinct on (id) * from (${sql.join(near, sql` union all `)}) as found order by id, distance
    ),
    nearest as (
      select distinct on (id) * from (select * from near union all (${sql.join(far, sql` union all `)})) as found order by id, distance
    )
    select type, id, title, subtitle from nearest order by distance, place, title collate "C", id limit ${limit}`.execute(tenant)
  return rows
}

/** Selects some records of a kind, in the order of a key. */
function part(
  kind: Found & { which: RawBuilder<unknown> },
  distance: number,
  matching: RawBuilder<unknown>,
  limit: number,
  key = kind.keys[0] as string,
): RawBuilder<unknown> {
  const { type, table, title, subtitle, which, condition = 'true' } = kind
  const columns = sql.raw(
    `'${type}' as type, id, ${title} as title, ${subtitle} as subtitle, ${found.findIndex((one) => one.type === type)} as place`,
  )
  return sql`(
    select ${columns}, ${sql.lit(distance)} as distance from ${sql.table(table)}
    where ${sql.raw(condition)} and ${which} and ${matching} order by ${sql.raw(key)}, id limit ${limit})`
}
