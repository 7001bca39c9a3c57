import { sql } from 'kysely'
import type { System } from '../platform/database/database.ts'
import type { TenantTable } from './rules.ts'

/** Every table of the schema whose rows belong to organisations. It reads the catalogue, so a new table cannot be missed. */
export async function listTenantTables(system: System): Promise<TenantTable[]> {
  const { rows } = await sql<TenantTable>`
    select t.relname as name,
      array(
        select a.attname::text
        from pg_index i
        cross join unnest(i.indkey::int2[]) with ordinality as part(attnum, place)
        join pg_attribute a on a.attrelid = i.indrelid and a.attnum = part.attnum
        where i.indrelid = t.oid and i.indisprimary and a.attname <> 'organisation_id'
        order by part.place
      ) as key,
      array(
        select distinct other.relname::text
        from pg_constraint f join pg_class other on other.oid = f.confrelid
        where f.conrelid = t.oid and f.contype = 'f' and other.relname <> 'organisations'
      ) as references
    from pg_class t
    join pg_attribute tenant on tenant.attrelid = t.oid and tenant.attname = 'organisation_id' and not tenant.attisdropped
    where t.relkind in ('r', 'p') and not t.relispartition and t.relnamespace = current_schema()::regnamespace
    order by t.relname`.execute(system)
  return rows
}
