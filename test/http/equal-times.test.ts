import { type RawBuilder, sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { newId, newStamp } from '../../src/platform/ids.ts'
import type { HttpClient } from '../support/http-client.ts'
import { useService } from '../support/service.ts'
import { type DescribedRoute, describedRoutes } from './described.ts'
import { fillLists, pathOf, takesCursor } from './filled-lists.ts'
import { type World, worldOf } from './world.ts'

/** No other test may add to the operator's lists meanwhile. */
const service = useService({ ofItsOwn: true })
const count = 1_000

const orderings = ({ operation: { parameters = [] } }: DescribedRoute): Record<string, string>[] =>
  parameters.find(({ name }) => name === 'sort')?.schema.enum?.map((sort) => ({ sort: String(sort) })) ?? [{}]

/** All records of a list in its order, in pages of one length. */
async function readAll(by: HttpClient, path: string, query: Record<string, string>, limit: number): Promise<Listed[]> {
  const read: Listed[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { status, body } = await by.get(`${path}?${new URLSearchParams({ ...query, limit: String(limit), ...(cursor && { cursor }) })}`)
    expect([path, status]).toEqual([path, 200])
    expect(body.data.length).toBeLessThanOrEqual(limit)
    read.push(...body.data)
    cursor = body.nextCursor
  }
  return read
}

/** Makes a thousand copies of a row, which differ in these columns alone. */
async function copy(table: string, where: RawBuilder<unknown>, of: (index: number) => Record<string, string>): Promise<void> {
  const system = service().database.system()
  const { rows } = await sql<{ name: string }>`
    select column_name as name from information_schema.columns
    where table_schema = 'public' and table_name = ${table} and is_generated = 'NEVER'`.execute(system)
  const columns = sql.join(rows.map(({ name }) => sql.ref(name)))
  const changes = JSON.stringify(Array.from({ length: count }, (_, index) => of(index)))
  await sql`
    insert into ${sql.table(table)} (${columns})
    select ${sql.join(rows.map(({ name }) => sql`copied.${sql.ref(name)}`))}
    from (select * from ${sql.table(table)} where ${where} limit 1) former, jsonb_array_elements(${changes}::jsonb) change,
      jsonb_populate_record(null::${sql.table(table)}, to_jsonb(former) || change) copied`.execute(system)
}

type Listed = Record<string, unknown>
/** Its identifier: when it was last used, and how often it was tried, may change between two readings. */
const keyOf = (record: Listed) => String(record.id ?? record.reference ?? JSON.stringify(record))

describe('records that were made at one time', () => {
  let world: World
  let ids: Record<string, string>
  let lists: DescribedRoute[]

  beforeAll(async () => {
    world = await worldOf(service())
    ids = await fillLists(world)
    lists = (await describedRoutes(service().anonymous)).filter((route) => route.method === 'GET' && takesCursor(route))
    const system = service().database.system()
    const { rows: tables } = await sql<{ name: string; columns: string[] }>`
      select table_name as name, array_agg(column_name::text) as columns from information_schema.columns
      where table_schema = 'public' and column_name in ('created_at', 'last_activity_at', 'last_login_at')
        and table_name in (select table_name from information_schema.columns where table_schema = 'public' and column_name = 'organisation_id')
      group by table_name`.execute(system)
    for (const { name, columns } of tables) {
      const set = sql.join(columns.map((column) => sql`${sql.ref(column)} = ${system.now}`))
      await sql`update ${sql.table(name)} set ${set} where organisation_id = ${world.organisation.id}`.execute(system)
    }
  })

  it('are all in every list, once and in one order, whatever the length of its pages', async () => {
    expect(lists.length).toBeGreaterThan(30)
    for (const route of lists) {
      const by = route.path.startsWith('/v1/system/') ? world.operator : world.owner
      const path = pathOf(route.path, ids)
      for (const query of orderings(route)) {
        const all = (await readAll(by, path, query, 100)).map(keyOf)
        expect([route.name, query, new Set(all).size]).toEqual([route.name, query, all.length])
        expect([route.name, query, (await readAll(by, path, query, 1)).map(keyOf)]).toEqual([route.name, query, all])
      }
    }
  })

  it('are all in a list of a thousand, whatever it is sorted by', async () => {
    const { owner, organisation } = world
    const at = service().database.system().now
    const ofOrganisation = sql`organisation_id = ${organisation.id}`
    const made = {
      users: (index: number) => ({ id: newId('usr', at), email: `copy-${index}@${organisation.slug}.test` }),
      sessions: () => ({ id: newId('ses', at), token_hash: newId('ses', at) }),
      diagnostics: () => ({ reference: newStamp(at).slice(-16) }),
      audit_logs: () => ({ id: newId('aud', at) }),
    }
    await copy('users', sql`id = (select id from users where ${ofOrganisation} and id <> ${owner.id} limit 1)`, made.users)
    await copy('sessions', sql`id = ${owner.sessionId}`, made.sessions)
    await copy('diagnostics', ofOrganisation, made.diagnostics)
    await copy('audit_logs', ofOrganisation, made.audit_logs)
    const paths = ['/v1/admin/users', '/v1/me/sessions', '/v1/admin/diagnostics', '/v1/admin/audit-logs']
    for (const route of lists.filter(({ path }) => paths.includes(path))) {
      for (const query of orderings(route)) {
        const read = (await readAll(owner, route.path, query, 90)).map(keyOf)
        expect(read.length).toBeGreaterThan(count)
        expect([route.name, query, new Set(read).size]).toEqual([route.name, query, read.length])
        const { total = read.length } = (await owner.get(`${route.path}?limit=1`)).body
        expect([route.name, query, read.length]).toEqual([route.name, query, total])
      }
    }
  })
})
