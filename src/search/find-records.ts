import { type RawBuilder, sql } from 'kysely'
import type { PermissionSlug } from '../access/permission-slugs.ts'
import type { Tenant } from '../platform/database/database.ts'
import { beginsWith } from '../platform/database/keyset.ts'
import type { SearchQuery, SearchResult } from './schemas.ts'

/** How one kind of record is found. The texts are SQL. */
interface Kind {
  readonly type: SearchResult['type']
  readonly permission: PermissionSlug
  readonly table: string
  readonly title: string
  readonly subtitle: string
  /** Which records there are, besides deleted ones. */
  readonly condition?: string
  /** What has a record of its own for each value, besides the id. */
  readonly address?: string
  /** What the text may be a part of: lower-cased and of collation "C". The records are in the order of the first. */
  readonly keys: readonly string[]
  /** What it may be the beginning of, besides. */
  readonly beginnings?: readonly string[]
}

const notDeleted = 'deleted_at is null'

/** In the order in which equally near records are listed. */
const kinds: readonly Kind[] = [
  {
    type: 'user',
    permission: 'users:read',
    table: 'users',
    title: "coalesce(nullif(name, ''), email)",
    subtitle: 'email',
    condition: notDeleted,
    address: 'email',
    keys: ['name_key', 'email'],
    beginnings: ['last_name_key'],
  },
  { type: 'team', permission: 'teams:read', table: 'teams', title: 'name', subtitle: 'slug', keys: ['name_key', 'slug'] },
  { type: 'role', permission: 'roles:read', table: 'roles', title: 'name', subtitle: 'slug', keys: ['name_key', 'slug'] },
  {
    type: 'client',
    permission: 'clients:read',
    table: 'clients',
    title: 'name',
    subtitle: 'client_type',
    condition: notDeleted,
    keys: ['name_key'],
  },
  {
    type: 'webhook',
    permission: 'webhooks:read',
    table: 'webhook_endpoints',
    title: 'url',
    subtitle: "array_to_string(events, ', ')",
    keys: ['lower(url) collate "C"'],
  },
  {
    type: 'api_key',
    permission: 'api_keys:read',
    table: 'api_keys',
    title: 'name',
    subtitle: 'prefix',
    condition: notDeleted,
    keys: ['name_key'],
    beginnings: ['lower(prefix) collate "C"'],
  },
]

/**
 * The records that are nearest to a text, of the kinds that these permissions let a caller read, by one statement: what has this id
 * or e-mail address, then what begins with the text. What contains it no index finds: it is looked for only when none has the
 * text as its id or address, and fewer than `limit` begin with it.
 */
export async function findRecords(
  tenant: Tenant,
  permissions: Pick<ReadonlySet<string>, 'has'>,
  { q, limit }: SearchQuery,
): Promise<SearchResult[]> {
  const readable = kinds.filter(({ permission }) => permissions.has(permission))
  if (readable.length === 0) return []

  // A subquery, so that it is computed once and not for each record.
  const text = sql`(select lower(${q}))`
  const near = readable.flatMap((kind) => [
    part(kind, 0, sql`id = ${q}`, limit),
    ...(kind.address ? [part(kind, 0, sql`${sql.raw(kind.address)} = lower(${q})`, limit)] : []),
    ...[...kind.keys, ...(kind.beginnings ?? [])].map((key) => part(kind, 1, beginsWith(sql.raw(key), q), limit, key)),
  ])
  const far = readable.map((kind) => {
    const contained = kind.keys.map((key) => sql`strpos(${sql.raw(key)}, ${text}) > 0`)
    // Those that are near are found again here.
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

/** Some records of a kind, in the order of a key. */
function part(
  kind: Kind,
  distance: number,
  matching: RawBuilder<unknown>,
  limit: number,
  key = kind.keys[0] as string,
): RawBuilder<unknown> {
  const { type, table, title, subtitle, condition = 'true' } = kind
  const columns = sql.raw(`'${type}' as type, id, ${title} as title, ${subtitle} as subtitle, ${kinds.indexOf(kind)} as place`)
  return sql`(
    select ${columns}, ${sql.lit(distance)} as distance from ${sql.table(table)}
    where ${sql.raw(condition)} and ${matching} order by ${sql.raw(key)}, id limit ${limit})`
}
