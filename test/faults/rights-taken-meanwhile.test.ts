import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { purgeOrganisations } from '../../src/system/purge-organisations.ts'
import { newConnection } from '../support/connections.ts'
import { freshEngine } from '../support/database.ts'
import { type SignedInUser, unique } from '../support/given.ts'
import { type Answer, HttpClient } from '../support/http-client.ts'
import { credentialOf, type Platform, platform } from '../support/platforms.ts'
import { type RecordingEngine, recordingEngine } from '../support/recording-engine.ts'
import { startTestService, type TestService } from '../support/service.ts'

let engine: RecordingEngine
let service: TestService
let github: Platform
beforeAll(async () => {
  engine = recordingEngine(await freshEngine())
  service = await startTestService({ engine, environment: { OAUTH_EXTENSIONS: 'federated_credentials' } })
  github = await platform('github')
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
  'a platform comes to stand in for an API key of another': async (owner) => {
    const id = await made(owner, '/v1/admin/api-keys', { name: 'Cleaning', permissions: ['users:delete'] })
    return (by) => by.patch(`/v1/admin/api-keys/${id}`, { federatedCredentials: [credentialOf(github)] })
  },
}

const administration = [
  'api_keys:create',
  'connections:create',
  'connections:update',
  'directories:create',
  'directories:update',
  'domains:update',
]

describe('a role that is taken from an administrator', () => {
  it.each(Object.keys(trusting))('counts while %s, although the request came first', async (what) => {
    const { owner } = await service.given.organisation()
    const administrator = await service.given.userWith(owner, administration)
    const deleting = await service.given.role(owner, { permissions: ['users:delete'] })
    const give = { roleId: deleting.id }
    await owner.post(`/v1/admin/users/${administrator.id}/roles`, give)
    await service.given.user(owner, { roleIds: [deleting.id] })
    const carryOut = await trusting[what]?.(owner)

    const answer = await around(
      'for share',
      () => carryOut?.(administrator),
      () => owner.delete(`/v1/admin/users/${administrator.id}/roles`, give),
    )

    expect(answer).toMatchObject({ status: 403, body: { detail: expect.stringContaining('users:delete') } })
  })
})

/** Sends a request, and lets something happen before its first statement with this text. @returns the response to it */
async function around(text: string, send: () => Promise<Answer> | undefined, happens: () => Promise<Answer>) {
  const release = engine.holdBack(text, { ofRequests: true, firstOnly: true })
  const answer = send()
  await Promise.race([release.reached, answer])
  const happened = await happens()
  release()
  expect(happened.status).toBeOneOf([200, 204])
  return answer
}

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
    return around(
      'select from sessions s join users',
      () => carryOut?.(administrator),
      () => happens(owner, administrator, roleId),
    )
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

/** What a blocked administrator would do to be unblocked: it is prepared while they are not blocked. */
const unblocking: Record<string, (owner: SignedInUser, administrator: SignedInUser, block: object) => Promise<() => Promise<Answer>>> = {
  'a change of their own user': async (_owner, administrator) => () =>
    administrator.patch(`/v1/admin/users/${administrator.id}`, { blockedAt: null }),
  async 'the undo of an earlier block'(owner, { id, email }, block) {
    for (const change of [block, { blockedAt: null }]) await owner.patch(`/v1/admin/users/${id}`, change)
    const [entry] = await owner.audit({ targetId: id, action: 'user.blocked' })
    const administrator = await service.given.signIn(email)
    return () => administrator.post(`/v1/admin/audit-logs/${entry.id}/undo`)
  },
}

describe('an administrator who is blocked', () => {
  it.each(Object.keys(unblocking))('stays so in spite of %s that was sent before', async (what) => {
    const { owner } = await service.given.organisation()
    const administrator = await service.given.userWith(owner, ['users:update', 'audit:read'])
    const path = `/v1/admin/users/${administrator.id}`
    const block = { blockedAt: service.clock.now().toISOString() }
    const send = await unblocking[what]?.(owner, administrator, block)

    const answer = await around(
      'select "id" from "users" where "id"',
      () => send?.(),
      () => owner.patch(path, block),
    )

    expect(answer).toMatchObject({ status: 401 })
    expect((await owner.get(path)).body).toMatchObject(block)
  })
})

interface Lasting {
  permission: string
  /** The statement before which the caller's access ends. */
  before: string
  prepare(owner: SignedInUser): Promise<(by: SignedInUser) => Promise<Answer>>
}

const client = () => ({ name: unique(), clientType: 'confidential', redirectUris: ['https://app.example.com/callback'] })
const session = 'select from sessions s join users'
const user = 'select from users where id'

/** What an administrator has from it after their access has ended. */
const lasting: Record<string, Lasting> = {
  'the secret of a client': {
    permission: 'clients:update',
    before: session,
    async prepare(owner) {
      const id = await made(owner, '/v1/admin/clients', client())
      return (by) => by.post(`/v1/admin/clients/${id}/rotate-secret`, {})
    },
  },
  'a client that is activated again': {
    permission: 'clients:update',
    before: session,
    async prepare(owner) {
      const id = await made(owner, '/v1/admin/clients', client())
      await owner.post(`/v1/admin/clients/${id}/revoke`)
      return (by) => by.post(`/v1/admin/clients/${id}/activate`)
    },
  },
  'the secret of a webhook': {
    permission: 'webhooks:update',
    before: session,
    async prepare(owner) {
      const id = await made(owner, '/v1/admin/webhooks', { url: 'https://hooks.example.com/', events: ['user.created'] })
      return (by) => by.post(`/v1/admin/webhooks/${id}/rotate-secret`, {})
    },
  },
  'a change of the organisation': {
    permission: 'organisation:update',
    before: user,
    prepare: async () => (by) => by.patch('/v1/admin/organisation', { phone: '+4930123456' }),
  },
}

describe.each(Object.entries(lasting))('%s', (_what, { permission, before, prepare }) => {
  async function meanwhile(happens: (owner: SignedInUser, id: string, roleId: string) => Promise<Answer>) {
    const { owner } = await service.given.organisation()
    const { id: roleId } = await service.given.role(owner, { permissions: [permission] })
    const { id, email } = await service.given.user(owner, { roleIds: [roleId] })
    const administrator = await service.given.signIn(email)
    const carryOut = await prepare(owner)
    return around(
      before,
      () => carryOut(administrator),
      () => happens(owner, id, roleId),
    )
  }

  it('is not for an administrator who has just been blocked', async () => {
    const blockedAt = service.clock.now().toISOString()
    expect(await meanwhile((owner, id) => owner.patch(`/v1/admin/users/${id}`, { blockedAt }))).toMatchObject({ status: 401 })
  })

  it('is not for an administrator who has just lost the right to it', async () => {
    const detail = `Missing required permission: ${permission}`
    const answer = await meanwhile((owner, id, roleId) => owner.delete(`/v1/admin/users/${id}/roles`, { roleId }))
    expect(answer).toMatchObject({ status: 403, body: { detail } })
  })
})

describe('an owner whose session ends', () => {
  it.each<[string, (owner: SignedInUser, otherId: string) => Promise<Answer>]>([
    ['hand over', (owner, userId) => owner.post('/v1/admin/organisation/transfer-ownership', { userId })],
    ['delete', (owner) => owner.delete('/v1/admin/organisation')],
  ])('does not %s the organisation', async (_what, send) => {
    const { owner } = await service.given.organisation()
    const other = await service.given.user(owner)
    const elsewhere = await service.given.signIn(owner.email)

    const answer = await around(
      user,
      () => send(owner, other.id),
      () => elsewhere.delete(`/v1/admin/users/${owner.id}/sessions`),
    )

    expect(answer).toMatchObject({ status: 401 })
    const again = await service.given.signIn(owner.email)
    expect((await again.get('/v1/admin/organisation')).body).toMatchObject({ ownerId: owner.id, status: 'active' })
  })
})

describe('an organisation that is no longer active', () => {
  const logo = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const changes: Record<string, (by: SignedInUser) => Promise<Answer>> = {
    settings: (by) => by.patch('/v1/admin/organisation', { phone: '+4930123456' }),
    logo: (by) => by.post('/v1/admin/organisation/logo', { content: logo }),
  }

  it.each(Object.entries(changes))('is not given another %s by a request that waited', async (_what, change) => {
    const suspended = await service.given.organisation()
    const cancelled = await service.given.organisation()
    const path = ({ id }: { id: string }) => `/v1/system/organisations/${id}`

    const afterSuspension = await around(
      user,
      () => change(suspended.owner),
      () => service.operator.patch(`${path(suspended)}/suspend`, { reason: 'Unpaid' }),
    )
    const afterCancellation = await around(
      user,
      () => change(cancelled.owner),
      () => service.operator.delete(path(cancelled)),
    )

    expect(afterSuspension).toMatchObject({ status: 403, body: { detail: 'Organisation is suspended' } })
    expect(afterCancellation).toMatchObject({ status: 404 })
  })

  it('has no user recovered once it is cancelled, although the operator began before', async () => {
    const { id, owner } = await service.given.organisation()
    const path = `/v1/system/organisations/${id}`

    const answer = await around(
      'for update',
      () => service.operator.post(`${path}/users/${owner.id}/recover`, { passwordLink: true }),
      () => service.operator.delete(path),
    )

    expect(answer).toMatchObject({ status: 409, body: { code: 'organisation-cancelled' } })
    const entries = await service.database.tenant(id).selectFrom('auditLogs').select('action').orderBy('id', 'desc').limit(1).execute()
    expect(entries).toEqual([{ action: 'organisation.deleted' }])
  })
})

/** Whether a statement waits for a lock. */
async function isWaiting(): Promise<boolean> {
  const { rows } = await sql`
    select pid from pg_locks join pg_stat_activity using (pid) where datname = current_database() and not granted`.execute(
    service.database.system(),
  )
  return rows.length > 0
}

it('an erasure outlasts a restoration that comes between its steps', async () => {
  const { owner, id } = await service.given.organisation()
  const user = await service.given.user(owner)
  const path = `/v1/admin/users/${user.id}`

  const answer = await around(
    'organisation_id, id, email from users',
    () => service.operator.post(`/v1/system/organisations/${id}/users/${user.id}/erase`),
    () => owner.post(`${path}/restore`),
  )

  expect(answer).toMatchObject({ status: 200 })
  expect(await owner.get(path)).toMatchObject({ status: 404 })
  const { rows } = await sql`select email, erased_at is not null as is_erased from users where id = ${user.id}`.execute(
    service.database.system(),
  )
  expect(rows).toEqual([{ email: `${user.id}@erased.invalid`, isErased: true }])
})

it('a purge leaves an organisation that was restored and cancelled anew since it was found', async () => {
  const { id } = await service.given.organisation()
  const { operator, database, clock } = service
  const path = `/v1/system/organisations/${id}`
  await operator.delete(path)
  await sql`update organisation_exports set finished_at = now() where organisation_id = ${id}`.execute(database.system())
  clock.advance({ days: 31 })

  const release = engine.holdBack('set "owner_id"', { ofRequests: false, firstOnly: true })
  const purged = purgeOrganisations({ retentionDays: 30, onPurged: () => {} }).run(database)
  await Promise.race([release.reached, purged])
  expect([(await operator.post(`${path}/restore`)).status, (await operator.delete(path)).status]).toEqual([200, 204])
  release()
  await purged

  const { rows } = await sql`select owner_id is not null as is_owned from organisations where id = ${id}`.execute(database.system())
  expect(rows).toEqual([{ isOwned: true }])
})

it('a change of a user that waited for a role of theirs does not say that it has given it', async () => {
  const { owner } = await service.given.organisation()
  const user = await service.given.user(owner)
  const role = await service.given.role(owner)
  const path = `/v1/admin/users/${user.id}`

  const release = engine.holdBack('user_role_sources', { ofRequests: true, firstOnly: true })
  const assigned = owner.post(`${path}/roles`, { roleId: role.id })
  await Promise.race([release.reached, assigned])
  const changed = owner.patch(path, { phone: '+44 20 7946 0000' })
  await expect.poll(isWaiting, { timeout: 20_000 }).toBe(true)
  release()

  expect([(await assigned).status, (await changed).status]).toEqual([200, 200])
  const [entry] = await owner.audit({ targetId: user.id, action: 'user.updated' })
  expect(entry.changes).toEqual({ phone: { from: null, to: '+44 20 7946 0000' } })
  expect((await owner.post(`/v1/admin/audit-logs/${entry.id}/undo`)).status).toBe(200)
})

it('a change of a role that waited for another one does not overwrite it', async () => {
  const { owner } = await service.given.organisation()
  const { id } = await service.given.role(owner)
  const path = `/v1/admin/roles/${id}`
  const etag = (await owner.get(path)).headers.get('etag') as string
  const change = (slug: string) => owner.patch(path, { permissionIds: [slug] }, { headers: { 'if-match': etag } })
  const release = engine.holdBack('delete from "role_permissions"', { ofRequests: true, firstOnly: true })
  const first = change('users:read')
  await Promise.race([release.reached, first])
  const second = change('users:delete')
  await expect.poll(isWaiting, { timeout: 20_000 }).toBe(true)
  release()

  expect(await first).toMatchObject({ status: 200 })
  expect(await second).toMatchObject({ status: 412 })
  expect((await owner.get(path)).body.permissions).toMatchObject([{ slug: 'users:read' }])
})

describe('two requests by one API key, both of which are held while neither has locked the organisation', () => {
  /** What locks the organisation: by the owner it is prepared, by the key it is carried out. */
  const limited: Record<string, (owner: SignedInUser) => Promise<(by: HttpClient) => Promise<Answer>>> = {
    'a user is created': async () => (by) => by.post('/v1/admin/users', { email: `${unique()}@acme.test`, firstName: 'A', lastName: 'B' }),
    async 'a deleted user is restored'(owner) {
      const { id } = await service.given.user(owner)
      expect(await owner.delete(`/v1/admin/users/${id}`)).toMatchObject({ status: 204 })
      return (by) => by.post(`/v1/admin/users/${id}/restore`)
    },
    'a default role is created': async () => (by) =>
      by.post('/v1/admin/roles', { name: 'Reader', slug: `role-${unique()}`, permissionIds: [], isDefault: true }),
    async 'a role becomes the default'(owner) {
      const { id } = await service.given.role(owner)
      return (by) => by.patch(`/v1/admin/roles/${id}`, { isDefault: true })
    },
  }

  it.each(Object.entries(limited))('do not wait for each other where %s', async (_what, prepare) => {
    const { owner } = await service.given.organisation({ status: 'trial' })
    const { body: permissions } = await owner.get('/v1/admin/permissions')
    const { body: key } = await owner.post('/v1/admin/api-keys', {
      name: 'Sync',
      permissions: permissions.data.map(({ slug }: { slug: string }) => slug),
    })
    const byKey = new HttpClient(service.origin, { authorization: `Bearer ${key.key}` })
    const [one, other] = [await prepare(owner), await prepare(owner)]

    const release = engine.holdBack('select "id" from "organisations"', { ofRequests: true, firstOnly: true })
    const first = one(byKey)
    await Promise.race([release.reached, first])
    const answered: number[] = []
    const second = other(byKey).then(({ status }) => answered.push(status))
    await vi.waitUntil(async () => answered.length > 0 || (await isWaiting()), { timeout: 20_000 })
    const answeredMeanwhile = [...answered]
    release()

    expect(answeredMeanwhile).toEqual([(await first).status])
    expect(answeredMeanwhile[0]).toBeOneOf([200, 201])
    await second
  })
})

describe('a short-lived key of a workload', () => {
  it('makes nothing once the platform was taken from its API key, although the request came first', async () => {
    const { owner } = await service.given.organisation()
    const id = await made(owner, '/v1/admin/api-keys', {
      name: 'Deployment',
      permissions: ['users:create'],
      secret: 'none',
      federatedCredentials: [credentialOf(github)],
    })
    const token = await github.token(service.services.issuer, service.clock.now())
    const { body } = await service.anonymous.post('/v1/auth/api-keys/exchange', { apiKeyId: id, token })
    const workload = service.anonymous.with({ authorization: `Bearer ${body.apiKey}` })

    const answer = await around(
      'for share of u, k for key share of o',
      () =>
        workload.post('/v1/admin/users', {
          email: `${unique()}@acme.test`,
          firstName: 'Ada',
          lastName: 'Lovelace',
          password: 'correct horse battery',
        }),
      () =>
        owner.patch(`/v1/admin/api-keys/${id}`, {
          federatedCredentials: [credentialOf(github, { subject: 'repo:acme/other:ref:refs/heads/main' })],
        }),
    )

    expect(answer).toMatchObject({ status: 401 })
    expect(await owner.audit({ action: 'user.created' })).toEqual([])
  })
})
