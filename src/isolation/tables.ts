/** Reads the tables from the catalogue of the database. */
import { sql } from 'kysely'
import type { System } from '../platform/database/database.ts'

export interface Column {
  name: string
  type: string
  isRequired: boolean
  hasDefault: boolean
}

/** A reference of a table to the rows of another, or of itself, of the same organisation. */
export interface Reference {
  name: string
  columns: string[]
  table: string
  targets: string[]
}

export interface TenantTable {
  name: string
  /** The column that determines the owner of a row. */
  owner: 'organisation_id' | 'id'
  columns: Column[]
  key: string[]
  references: Reference[]
  /** The conditions of its checks, as PostgreSQL prints them. */
  checks: string[]
  /** Whether row-level security applies to every role, including the owner of the table. */
  isForced: boolean
  /** Whether the tenant's role has the policy that limits it to one organisation's rows, for reading and writing. */
  hasPolicy: boolean
}

/** Every table that holds data of organisations. */
export async function tenantTables(system: System): Promise<TenantTable[]> {
  const { rows } = await sql<TenantTable>`
    select c.relname as name,
      case when c.relname = 'organisations' then 'id' else 'organisation_id' end as owner,
      (select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, null), 'isRequired', a.attnotnull,
          'hasDefault', a.atthasdef or a.attidentity <> '') order by a.attnum)
        from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
      coalesce((select json_agg(a.attname order by a.attnum) from pg_constraint k join pg_attribute a on a.attrelid = c.oid and a.attnum = any(k.conkey)
        where k.conrelid = c.oid and k.contype = 'p'), '[]') as key,
      coalesce((select json_agg(json_build_object('name', k.conname, 'table', target.relname,
          'columns', (select json_agg(a.attname order by n) from unnest(k.conkey) with ordinality as u(attnum, n) join pg_attribute a on a.attrelid = c.oid and a.attnum = u.attnum),
          'targets', (select json_agg(a.attname order by n) from unnest(k.confkey) with ordinality as u(attnum, n) join pg_attribute a on a.attrelid = target.oid and a.attnum = u.attnum))
          order by k.conname)
        from pg_constraint k join pg_class target on target.oid = k.confrelid where k.conrelid = c.oid and k.contype = 'f'), '[]') as "references",
      coalesce((select json_agg(pg_get_constraintdef(k.oid)) from pg_constraint k where k.conrelid = c.oid and k.contype = 'c'), '[]') as checks,
      c.relrowsecurity and c.relforcerowsecurity as "isForced",
      (select count(*) = 1 from pg_policy p
        where p.polrelid = c.oid and p.polroles && array[(select oid from pg_roles where rolname = 'gatehouse_tenant'), 0::oid])
      and exists (
        select from pg_policy p
        where p.polrelid = c.oid and p.polroles = array[(select oid from pg_roles where rolname = 'gatehouse_tenant')]
          and p.polcmd = '*' and p.polpermissive
          and pg_get_expr(p.polqual, p.polrelid) like '%app.organisation_id%'
          and pg_get_expr(p.polwithcheck, p.polrelid) like '%app.organisation_id%'
      ) as "hasPolicy"
    from pg_class c
    where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace
      and (c.relname = 'organisations' or exists (
        select from pg_attribute a where a.attrelid = c.oid and a.attname = 'organisation_id' and not a.attisdropped))
    order by 1`.execute(system)
  return rows
}

/** The tables that belong to no organisation, and whether the tenant's role may read them. */
export async function sharedTables(system: System): Promise<{ name: string; isReadable: boolean }[]> {
  const { rows } = await sql<{ name: string; isReadable: boolean }>`
    select c.relname as name, has_table_privilege('gatehouse_tenant', c.oid, 'select') as "isReadable"
    from pg_class c
    where c.relkind in ('r', 'p', 'v', 'm') and c.relnamespace = 'public'::regnamespace and c.relname <> 'organisations' and not exists (
      select from pg_attribute a where a.attrelid = c.oid and a.attname = 'organisation_id' and not a.attisdropped)
    order by 1`.execute(system)
  return rows
}
