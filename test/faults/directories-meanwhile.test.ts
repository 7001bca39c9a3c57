/** In which order what directories do locks rows: who waits for a user has locked nothing yet for which the holder of the user may wait. */
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Tenant } from '../../src/platform/database/database.ts'
import { type GivenDirectory, givenDirectory, operations, person } from '../support/directories.ts'
import type { Answer } from '../support/http-client.ts'
import { useService } from '../support/service.ts'

const service = useService()

type Table = 'users' | 'directories' | 'directory_groups'

/**
 * Sends a request while another transaction holds a row that it has to wait for.
 *
 * @param meanwhile what that transaction does while the request waits
 * @returns the response, once the row is released
 */
async function whileHeld(
  { organisation }: GivenDirectory,
  [table, id]: [Table, string],
  send: () => Promise<Answer>,
  meanwhile: (tenant: Tenant) => Promise<unknown>,
): Promise<Answer | undefined> {
  let response: Promise<Answer> | undefined
  await service().database.transaction(organisation.id, async (tenant) => {
    await sql`select from ${sql.table(table)} where id = ${id} for update`.execute(tenant)
    response = send()
    await expect.poll(() => isAwaited(tenant), { interval: 5 }).toBe(true)
    await meanwhile(tenant)
  })
  return response
}

/** Whether another transaction waits for this one. */
async function isAwaited(tenant: Tenant): Promise<boolean> {
  const { rows } = await sql`select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))`.execute(tenant)
  return rows.length > 0
}

/** Fails where another transaction has locked the row. */
const lockAtOnce = (table: Table, id: string) => (tenant: Tenant) =>
  sql`select from ${sql.table(table)} where id = ${id} for update nowait`.execute(tenant)

async function withGroup() {
  const directory = await givenDirectory(service())
  const { body: user } = await directory.scim.post('/Users', person(directory.address()))
  const { body: group } = await directory.scim.post('/Groups', { displayName: 'Sales', members: [{ value: user.id }] })
  return { directory, owner: directory.organisation.owner, user, group }
}

describe('the members of a group are locked before it', () => {
  const renamed = { displayName: 'Buyers' }

  it.each([
    ['by PATCH', ({ scim }: GivenDirectory, path: string) => scim.patch(path, operations({ op: 'replace', value: renamed }))],
    ['by PUT', ({ scim }: GivenDirectory, path: string) => scim.put(path, renamed)],
  ])('by another name, %s', async (_by, rename) => {
    const { directory, user, group } = await withGroup()
    const send = () => rename(directory, `/Groups/${group.id}`)
    const response = await whileHeld(directory, ['users', user.id], send, lockAtOnce('directory_groups', group.id))
    expect([200, 204]).toContain(response?.status)
  })

  it('by another name and by a deletion, also where a member is deleted and may be restored', async () => {
    const { directory, owner, user, group } = await withGroup()
    expect(await owner.delete(`/v1/admin/users/${user.id}`)).toMatchObject({ status: 204 })
    const path = `/Groups/${group.id}`
    const change = operations({ op: 'replace', value: renamed })
    for (const send of [() => directory.scim.patch(path, change), () => directory.scim.delete(path)])
      expect(await whileHeld(directory, ['users', user.id], send, lockAtOnce('directory_groups', group.id))).toMatchObject({ status: 204 })
  })

  it('by other mappings', async () => {
    const { directory, owner, user, group } = await withGroup()
    const { body: team } = await owner.post('/v1/admin/teams', { name: 'Mapped', slug: 'mapped' })
    const groupMappings = [{ group: { displayName: 'Sales' }, roleIds: [], teamIds: [team.id] }]
    const send = () => owner.patch(`/v1/admin/directories/${directory.id}`, { groupMappings })
    const response = await whileHeld(directory, ['users', user.id], send, lockAtOnce('directory_groups', group.id))
    expect(response).toMatchObject({ status: 200 })
  })
})

it('a directory is locked before a user whose deletion is undone', async () => {
  const { directory, owner, user } = await withGroup()
  await owner.delete(`/v1/admin/users/${user.id}`)
  const [deleted] = await owner.audit({ targetId: user.id, action: 'user.deleted', limit: 1 })
  const send = () => owner.post(`/v1/admin/audit-logs/${deleted.id}/undo`)
  const response = await whileHeld(directory, ['directories', directory.id], send, lockAtOnce('users', user.id))
  expect(response).toMatchObject({ status: 200 })
})

it('a user who is provisioned again meanwhile keeps their names', async () => {
  const directory = await givenDirectory(service())
  const { scim, address } = directory
  const { body: gone } = await scim.post('/Users', person(address(), { externalId: 'E-1' }))
  const { body: other } = await scim.post('/Users', person(address()))
  await scim.delete(`/Users/${gone.id}`)

  const send = () => scim.patch(`/Users/${other.id}`, operations({ op: 'replace', path: 'externalId', value: 'E-1' }))
  const response = await whileHeld(directory, ['users', gone.id], send, (tenant) =>
    tenant.updateTable('directoryUsers').set({ deprovisionedAt: null }).where('userId', '=', gone.id).execute(),
  )
  expect(response).toMatchObject({ status: 409, body: { scimType: 'uniqueness' } })
  expect((await scim.get(`/Users/${gone.id}`)).body).toMatchObject({ externalId: 'E-1' })
})
