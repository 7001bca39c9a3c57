import { sql } from 'kysely'
import type { Tenant } from '../platform/database/database.ts'
import type { ConfigurationKeysTable } from '../platform/database/tables.ts'

export type KeyedSection = ConfigurationKeysTable['kind']

export async function findStoredKeys(tenant: Tenant, kind: KeyedSection): Promise<Map<string, string>> {
  const rows = await tenant.selectFrom('configurationKeys').select(['objectId', 'key']).where('kind', '=', kind).execute()
  return new Map(rows.map(({ objectId, key }) => [objectId, key]))
}

/** Stores the keys of these objects, replacing the keys of these and of former objects. */
export async function storeKeys(tenant: Tenant, kind: KeyedSection, keys: ReadonlyMap<string, string>): Promise<void> {
  if (keys.size === 0) return
  const [ids, names] = [[...keys.keys()], [...keys.values()]]
  await sql`delete from configuration_keys where kind = ${kind} and (object_id = any(${ids}::text[]) or key = any(${names}::text[]))`.execute(
    tenant,
  )
  await sql`insert into configuration_keys (kind, object_id, key)
    select ${kind}, object_id, key from unnest(${ids}::text[], ${names}::text[]) as given (object_id, key)`.execute(tenant)
}
