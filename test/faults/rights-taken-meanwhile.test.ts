import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newConnection } from '../support/connections.ts'
import { freshEngine } from '../support/database.ts'
import { type SignedInUser, unique } from '../support/given.ts'
import type { Answer } from '../support/http-client.ts'
import { type RecordingEngine, recordingEngine } from '../support/recording-engine.ts'
import { startTestService, type TestService } from '../support/service.ts'

let engine: RecordingEngine
let service: TestService
beforeAll(async () => {
  engine = recordingEngine(await freshEngine())
  service = await startTestService({ engine })
})
afterAll(() => service?.stop())

const made = async (by: SignedInUser, path: string, body: object): Promise<string> => {
  const { status, body: record } = await by.post(path, body)
  expect([path, status]).toEqual([path, 201])
  return record.id
}

/** What trusts another party with sign-ins: by the owner it is prepared, by an administrator it is carried out. */
const trusting: Record<string, (owner: SignedInUser) => Promise<(by: SignedInUser) => Promise<Answer>>> = {
  'a connection is made': async () => (by) => by.post('/v1/admin/connections', newConnection()),
  'a connection is changed': async (owner) => {
    const id = await made(owner, '/v1/admin/connections', newConnection())
    return (by) => by.patch(`/v1/admin/connections/${id}`, { configuration: { issuer: 'https://other.acme.test' } })
  },
  'a domain is given to a connection': async (owner) => {
    const connectionId = await made(owner, '/v1/admin/connections', newConnection())
    return (by) => by.post('/v1/admin/domains', { domain: `${unique()}.example.com`, connectionId })
  },
  'a domain is given to another connection': async (owner) => {
    const id = await made(owner, '/v1/admin/domains', { domain: `${unique()}.example.com` })
    const connectionId = await made(owner, '/v1/admin/connections', newConnection())
    return (by) => by.patch(`/v1/admin/domains/${id}`, { connectionId })
  },
  'a directory is made': async () => (by) => by.post('/v1/admin/directories', { name: unique() }),
  'the users that a directory reaches are changed': async (owner) => {
    const id = await made(owner, '/v1/admin/directories', { name: unique() })
    const connectionId = await made(owner, '/v1/admin/connections', newConnection())
    return (by) => by.patch(`/v1/admin/directories/${id}`, { userMatch: 'externalId', connectionId })
  },
}

const administration = ['connections:create', 'connections:update', 'directories:create', 'directories:update', 'domains:update']

describe('a role that is taken from an administrator', () => {
  it.each(Object.keys(trusting))('counts while %s, although the request came first', async (what) => {
    const { owner } = await service.given.organisation()
    const administrator = await service.given.userWith(owner, administration)
    const deleting = await service.given.role(owner, { permissions: ['users:delete'] })
    const give = { roleId: deleting.id }
    await owner.post(`/v1/admin/users/${administrator.id}/roles`, give)
    await service.given.user(owner, { roleIds: [deleting.id] })
    const carryOut = await trusting[what]?.(owner)

    const release = engine.holdBack('select from users where id', { ofRequests: true })
    const answer = carryOut?.(administrator)
    await Promise.race([release.reached, answer])
    const taken = await owner.delete(`/v1/admin/users/${administrator.id}/roles`, give)
    release()

    expect(taken.status).toBe(200)
    expect(await answer).toMatchObject({ status: 403, body: { detail: expect.stringContaining('users:delete') } })
  })
})

/** What gives a permission to users: by the owner it is prepared, by an administrator it is carried out. */
const granting: Record<string, (owner: SignedInUser, roleId: string) => Promise<(by: SignedInUser) => Promise<Answer>>> = {
  async 'a role is assigned'(owner, roleId) {
    const { id } = await service.given.user(owner)
    return (by) => by.post(`/v1/admin/users/${id}/roles`, { roleId })
  },
  'a role is created': async () => (by) =>
    by.post('/v1/admin/roles', { name: 'Deleting', slug: `role-${unique()}`, permissionIds: ['users:delete'] }),
  async 'a role is changed'(owner) {
    const { id } = await service.given.role(owner)
    return (by) => by.patch(`/v1/admin/roles/${id}`, { permissionIds: ['users:delete'] })
  },
  async 'a deleted user is restored'(owner, roleId) {
    const { id } = await service.given.user(owner, { roleIds: [roleId] })
    expect(await owner.delete(`/v1/admin/users/${id}`)).toMatchObject({ status: 204 })
    return (by) => by.post(`/v1/admin/users/${id}/restore`)
  },
}

describe('an administrator whose rights end', () => {
  /** Carries it out, and lets something happen between the check of the request and that of the change. */
  async function meanwhile(what: string, happens: (owner: SignedInUser, administrator: SignedInUser, roleId: string) => Promise<Answer>) {
    const { owner } = await service.given.organisation()
    const administrator = await service.given.userWith(owner, ['roles:create', 'roles:update', 'users:create', 'users:update'])
    const { id: roleId } = await service.given.role(owner, { permissions: ['users:delete'] })
    await owner.post(`/v1/admin/users/${administrator.id}/roles`, { roleId })
    const carryOut = await granting[what]?.(owner, roleId)
    const release = engine.holdBack('select from sessions s join users', { ofRequests: true })
    const answer = carryOut?.(administrator)
    await Promise.race([release.reached, answer])
    const happened = await happens(owner, administrator, roleId)
    release()
    expect(happened).toMatchObject({ status: 200 })
    return answer
  }

  it.each(Object.keys(granting))('gives none that they have just lost when %s', async (what) => {
    const answer = await meanwhile(what, (owner, { id }, roleId) => owner.delete(`/v1/admin/users/${id}/roles`, { roleId }))
    expect(answer).toMatchObject({ status: 403, body: { detail: 'Cannot grant a permission you do not have: users:delete' } })
  })

  it.each(Object.keys(granting))('gives none once they are blocked when %s', async (what) => {
    const blockedAt = service.clock.now().toISOString()
    const answer = await meanwhile(what, (owner, { id }) => owner.patch(`/v1/admin/users/${id}`, { blockedAt }))
    expect(answer).toMatchObject({ status: 401 })
  })
})
