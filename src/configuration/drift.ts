import { sql } from 'kysely'
import { findLastChanges, type LastChange } from '../audit/last-changes.ts'
import type { Tenant } from '../platform/database/database.ts'
import type { Current, FieldChange, PlannedChange, Section } from './plan.ts'
import { findStoredKeys } from './queries.ts'
import { keyedSections, kinds } from './read-current.ts'

export interface DriftedField extends FieldChange {
  /** Null if the audit log has no entry, such as for a field that has never changed. */
  readonly lastChange: LastChange | null
}

export interface Drift extends PlannedChange {
  readonly fields: DriftedField[]
  /** Who deleted an object that would be created; null if the audit log has no entry. */
  readonly ended: LastChange | null
}

/** Finds who last changed each of these fields, and when. The entry of an object that begins or ends has all of its fields. */
export async function findDrift(tenant: Tenant, changes: readonly PlannedChange[], present: Current): Promise<Drift[]> {
  const asked = changes.flatMap((change, index) => {
    const { section, object: key, fields } = change
    const targetId = section === 'settings' || key === null ? tenant.organisationId : present[section].get(key)?.id
    return targetId === undefined
      ? []
      : fields.map(({ field }, place) => ({ index, place, targetId, field: field.split('.')[0] as string }))
  })
  const last = await findLastChanges(tenant, asked)
  const found = new Map(asked.map(({ index, place }, position) => [`${index} ${place}`, last[position]]))
  const ended = await findEnds(tenant, changes)
  return changes.map((change, index) => ({
    ...change,
    ended: ended.get(index) ?? null,
    fields: change.fields.map((field, place) => ({ ...field, lastChange: found.get(`${index} ${place}`) ?? null })),
  }))
}

/** The action that ends an object, and the field of its entry that holds the key. Without a field, the stored key is looked up. */
const endOf = (section: Section) => ({ action: `${kinds[section].name}.deleted`, field: kinds[section].keyField })

/** The end of each object that does not exist, by the index of its change. */
async function findEnds(tenant: Tenant, changes: readonly PlannedChange[]): Promise<Map<number, LastChange>> {
  const idsByKey = new Map<string, string>()
  for (const section of keyedSections) {
    if (!changes.some((change) => change.section === section && change.action === 'create')) continue
    for (const [id, key] of await findStoredKeys(tenant, section)) idsByKey.set(`${section} ${key}`, id)
  }
  const asked = changes.flatMap(({ section, object: key, action }, index) =>
    action === 'create' && section !== 'settings' && key !== null
      ? [{ index, key, ...endOf(section), targetId: idsByKey.get(`${section} ${key}`) ?? null }]
      : [],
  )
  if (asked.length === 0) return new Map()
  const { rows } = await sql<LastChange & { index: number }>`
    select asked.index, last.action, last.created_at as at, last.actor_type, last.actor_id, last.actor_name, last.actor_email
    from unnest(${asked.map(({ index }) => index)}::int[], ${asked.map(({ action }) => action)}::text[], ${asked.map(({ field }) => field ?? null)}::text[],
      ${asked.map(({ key }) => key)}::text[], ${asked.map(({ targetId }) => targetId)}::text[]) as asked (index, action, field, key, target_id)
    cross join lateral (
      select * from audit_logs entry
      where entry.organisation_id = ${tenant.organisationId} and entry.action = asked.action
        and (entry.target_id = asked.target_id or entry.changes -> asked.field ->> 'from' = asked.key)
      order by entry.id desc limit 1
    ) last`.execute(tenant)
  return new Map(rows.map(({ index, ...last }) => [index, last]))
}
