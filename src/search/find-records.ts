import { type RawBuilder, sql } from 'kysely'
import type { PermissionSlug } from '../access/permission-slugs.ts'
import type { Tenant } from '../platform/database/database.ts'
import { beginsWith } from '../platform/database/keyset.ts'
import { purposesOf } from '../setup-links/rules.ts'
import type { SearchQuery, SearchResult } from './schemas.ts'

type Permissions = Pick<ReadonlySet<string>, 'has'>

/** Describes how one kind of record is found. The texts are SQL. */
interface Kind {
  readonly type: SearchResult['type']
  /** What reads all of them; or which of them these permissions read, if any. */
  readonly permission: PermissionSlug | ((permissions: Permissions) => RawBuilder<unknown> | undefined)
  readonly table: string
  readonly title: string
  readonly subtitle: string
  /** The condition of the records, in addition to being active. */
  readonly condition?: string
  /** A unique value of a record other than its id. */
  readonly address?: string
  /** The columns that may contain the text: lower-cased and of collation "C". The first one orders the records. */
  readonly keys: readonly string[]
  /** Further columns that may begin with the text. */
  readonly beginnings?: readonly string[]
}

const notDeleted = 'deleted_at is null'

/** The order in which equally close records are listed. */
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
    // Those that no administrator has registered are marked: a document by the host that vouches for it.
    subtitle: `case origin when 'metadata_document' then split_part(automatic_client_id, '/', 3)
      when 'registration' then 'registered itself' else client_type end`,
    condition: notDeleted,
    address: 'automatic_client_id',
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
    type: 'connection',
    permission: 'connections:read',
    table: 'connections',
    title: 'name',
    subtitle: "case when is_active then slug else slug || ', off' end",
    keys: ['lower(name) collate "C"', 'slug collate "C"'],
  },
  {
    type: 'domain',
    permission: 'domains:read',
    table: 'organisation_domains',
    title: 'domain',
    subtitle: 'status',
    keys: ['domain collate "C"'],
  },
  {
    type: 'directory',
    permission: 'directories:read',
    table: 'directories',
    title: 'name',
    subtitle: "case when is_active then 'SCIM' else 'SCIM, off' end",
    keys: ['lower(name) collate "C"'],
  },
  {
    type: 'setup_link',
    permission(permissions) {
      const purposes = purposesOf(permissions)
      return purposes.length === 0 ? undefined : sql`purposes <@ ${purposes}::text[]`
    },
    table: 'setup_links',
    title: 'name',
    subtitle: "array_to_string(purposes, ', ')",
    keys: ['lower(name) collate "C"'],
  },
  {
    type: 'resource_server',
    permission: 'resource_servers:read',
    table: 'resource_servers',
    title: 'name',
    subtitle: 'identifier',
    keys: ['lower(name) collate "C"', 'lower(identifier) collate "C"'],
  },
  {
    type: 'resource_authorization_server',
    permission: 'resource_servers:read',
    table: 'resource_authorization_servers',
    title: 'name',
    subtitle: 'issuer',
    keys: ['lower(name) collate "C"', 'lower(issuer) collate "C"'],
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
 * Finds the records that are closest to a text, of the kinds that these permissions let a caller read, in one statement: the record with
 * this id or e-mail address, then records that begin with the text. No index finds records that merely contain it: they are searched only
 * when no record has the text as its id or address, and fewer than `limit` begin with it.
 */
export async function findRecords(tenant: Tenant, permissions: Permissions, { q, limit }: SearchQuery): Promise<SearchResult[]> {
  const readable = kinds.flatMap((kind) => {
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
  kind: Kind & { which: RawBuilder<unknown> },
  distance: number,
  matching: RawBuilder<unknown>,
  limit: number,
  key = kind.keys[0] as string,
): RawBuilder<unknown> {
  const { type, table, title, subtitle, which, condition = 'true' } = kind
  const columns = sql.raw(
    `'${type}' as type, id, ${title} as title, ${subtitle} as subtitle, ${kinds.findIndex((one) => one.type === type)} as place`,
  )
  return sql`(
    select ${columns}, ${sql.lit(distance)} as distance from ${sql.table(table)}
    where ${sql.raw(condition)} and ${which} and ${matching} order by ${sql.raw(key)}, id limit ${limit})`
}
