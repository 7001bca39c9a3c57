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
