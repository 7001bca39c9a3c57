import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import type { HttpClient } from '../support/http-client.ts'
import { useService } from '../support/service.ts'
import { type DescribedRoute, describedRoutes } from './described.ts'
import { mutations } from './mutations.ts'
import { ordinaryTables } from './ordinary.ts'
import { endpoint, type World, worldOf } from './world.ts'

const service = useService({ ofItsOwn: true })
const patches = Object.entries(mutations).filter(([name]) => name.startsWith('PATCH '))

let routes: DescribedRoute[]
beforeAll(async () => {
  routes = await describedRoutes(service().anonymous)
})

/** All traces of a change: each record with its time of change, the audit log, and the deliveries. */
async function tracesIn({ organisation }: World) {
  const tables = [
    'users',
    'roles',
    'role_permissions',
    'teams',
    'clients',
    'resource_servers',
    'connections',
    'directories',
    'webhook_endpoints',
    'organisations',
    ...ordinaryTables,
    'audit_logs',
    'webhook_deliveries',
  ]
  const column = (table: string) => sql.ref(table === 'organisations' ? 'id' : 'organisation_id')
  // The progress of a delivery does not matter here.
  const fieldsOf = (table: string) => (table === 'webhook_deliveries' ? sql`id, event` : sql`*`)
  const traces: Record<string, unknown> = {}
  for (const table of tables) {
    const { rows } = await sql<Record<string, unknown>>`
      select ${fieldsOf(table)} from ${sql.table(table)} where ${column(table)} = ${organisation.id}`.execute(service().database.system())
    traces[table] = sortedByText(rows.map(({ lastTriggeredAt, lastFailureAt, lastError, failureCount, ...row }) => row))
  }
  return traces
}

const sortedByText = <T>(rows: T[]): T[] => rows.sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1))

describe('a PATCH that changes nothing', () => {
  it('is tried for every route', () => {
    const described = routes.filter(({ method }) => method === 'PATCH').map(({ name }) => name)
    expect(described.length).toBeGreaterThan(7)
    expect(patches.map(([name]) => name)).toEqual(expect.arrayContaining(described))
  })

  it.each(patches)('responds 200, does not change updatedAt, and writes no entry and no event: %s', async (_name, { request, leaves }) => {
    const world = await worldOf(service())
    await endpoint(world)
    const { path, body, by = world.owner } = await request(world)
    const first = await by.patch(path, body)
    expect(first).toMatchObject({ status: 200 })
    service().clock.advance({ minutes: 1 })
    const before = await tracesIn(world)
    // The first request did change something, so the second comparison is meaningful.
    expect(before.audit_logs).toContainEqual(expect.objectContaining({ action: leaves }))

    const same = await by.patch(path, body)
    expect(same).toMatchObject({ status: 200 })
    expect(withoutUse(same.body)).toEqual(withoutUse(first.body))
    const required = path.endsWith('/suspend') ? { reason: 'Payment overdue' } : {}
    for (const sent of [required, { ...first.body, ...required }, { ...required, blocked: true }]) {
      const answer = await by.patch(path, withoutDerived(sent))
      expect([answer.status, withoutUse(answer.body)]).toEqual([200, withoutUse(first.body)])
    }
    expect(await tracesIn(world)).toEqual(before)
  })

  it('leaves unchanged fields out of the history when others change', async () => {
    const world = await worldOf(service())
    const user = await world.given.user(world.owner, { firstName: 'Carol' })
    const path = `/v1/admin/users/${user.id}`
    expect(await world.owner.patch(path, { firstName: 'Carol', lastName: 'Changed', phone: null })).toMatchObject({ status: 200 })
    expect(await changesOf(world.owner, user.id)).toEqual([
      { lastName: { from: 'User', to: 'Changed' }, name: { from: 'Carol User', to: 'Carol Changed' } },
    ])
  })

  it('is still refused without the permission or the record', async () => {
    const world = await worldOf(service())
    const role = await world.given.role(world.owner, { permissions: ['users:read'] })
    const user = await world.given.userWith(world.owner, ['roles:update'])
    expect(await user.patch(`/v1/admin/roles/${role.id}`, {})).toMatchObject({ status: 403 })
    expect(await world.owner.patch('/v1/admin/roles/rol_none', {})).toMatchObject({ status: 404 })
  })

  it('does not include the activation of an endpoint with failures, which resets their count', async () => {
    const world = await worldOf(service())
    const id = await endpoint(world)
    const endpoints = service().database.tenant(world.organisation.id).updateTable('webhookEndpoints')
    await endpoints.set({ failureCount: 3 }).where('id', '=', id).execute()
    const answer = await world.owner.patch(`/v1/admin/webhooks/${id}`, { isActive: true })
    expect(answer).toMatchObject({ status: 200, body: { failureCount: 0 } })
    expect(await changesOf(world.owner, id, 'webhook.updated')).toEqual([{ failureCount: { from: 3, to: 0 } }])
  })
})

/** The profile tells when the session of the request ends unless it is used: each request is a use. */
const withoutUse = ({ session, ...body }: Record<string, unknown> & { session?: { idleExpiresAt: string } }) => ({
  ...body,
  session: session && { ...session, idleExpiresAt: expect.any(String) },
})

/** A client's own lifetimes are null while it shows the ones that it follows. */
const withoutDerived = (body: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(body).filter(([field]) => !/Lifetime$/.test(field) || field === 'sessionLifetime'))

async function changesOf(by: HttpClient, targetId: string, action = 'user.updated') {
  return (await by.audit({ targetId, action })).map(({ changes }: { changes: unknown }) => changes)
}
