import { beforeAll, describe, expect, it } from 'vitest'
import { removeExpiredExchangedKeys } from '../../src/api-keys/exchanged-keys.ts'
import { clientKey } from '../support/client-keys.ts'
import { unique } from '../support/given.ts'
import type { HttpClient } from '../support/http-client.ts'
import { credentialOf, type Platform, platform, platformNames, type Token } from '../support/platforms.ts'
import { useService } from '../support/service.ts'

const service = useService({ environment: { OAUTH_EXTENSIONS: 'federated_credentials' } })
const without = useService()

let github: Platform
beforeAll(async () => {
  github = await platform('github')
})

const issuer = () => service().services.issuer
const now = () => service().clock.now()
let last = 0
const own = (fields: Record<string, unknown> = {}) => {
  last += 1
  return credentialOf(github, { subject: `repo:acme/job-${last}:ref:refs/heads/main`, ...fields })
}

interface Key {
  id: string
  credential: ReturnType<typeof credentialOf>
}

async function workloadKey(admin: HttpClient, fields: Record<string, unknown> = {}, credential = own()): Promise<Key> {
  const permissions = ['users:read', 'api_keys:read', 'api_keys:create']
  const body = { name: 'Deployment', permissions, secret: 'none', federatedCredentials: [credential], ...fields }
  const created = await admin.post('/v1/admin/api-keys', body)
  expect(created).toMatchObject({ status: 201, body: { prefix: '' } })
  expect(created.body).not.toHaveProperty('key')
  return { id: created.body.id, credential }
}

const tokenFor = ({ credential }: Key, token: Token = {}) =>
  github.token(issuer(), now(), { ...token, claims: { sub: credential.subject, ...token.claims } })

const exchange = async (key: Key, token?: string) =>
  service().anonymous.post('/v1/auth/api-keys/exchange', { apiKeyId: key.id, token: token ?? (await tokenFor(key)) })

const by = (apiKey: string) => service().anonymous.with({ authorization: `Bearer ${apiKey}` })

/** The short-lived key of a workload. */
async function exchanged(key: Key): Promise<HttpClient> {
  const answer = await exchange(key)
  expect(answer).toMatchObject({ status: 201 })
  return by(answer.body.apiKey)
}

const refused = { status: 401, body: { code: 'exchange-refused', detail: 'The token cannot be exchanged for this API key' } }

describe('POST /v1/auth/api-keys/exchange', () => {
  it.each(platformNames)('gives a key of fifteen minutes for a token of %s', async (name) => {
    const { owner } = await service().given.organisation()
    const of = await platform(name)
    const { id } = await workloadKey(owner, {}, credentialOf(of))
    const token = await of.token(issuer(), now())
    const answer = await service().anonymous.post('/v1/auth/api-keys/exchange', { apiKeyId: id, token })
    expect(answer).toMatchObject({ status: 201 })
    const left = new Date(answer.body.expiresAt).getTime() - now().getTime()
    expect(left).toBeGreaterThan(14 * 60_000)
    expect(left).toBeLessThanOrEqual(15 * 60_000)
    expect(Object.keys(answer.body)).toEqual(['apiKey', 'expiresAt'])
    const client = by(answer.body.apiKey)
    expect(await client.get('/v1/admin/users')).toMatchObject({ status: 200 })
    expect(await client.get('/v1/admin/clients')).toMatchObject({ status: 403 })
    service().clock.advance({ minutes: 15 })
    expect(await client.get('/v1/admin/users')).toMatchObject({ status: 401, body: { code: 'invalid-api-key' } })
  })

  it('takes keys that were set, where the issuer publishes none', async () => {
    const { owner } = await service().given.organisation()
    const cluster = await platform('kubernetes', { isPublished: false })
    const credential = credentialOf(cluster, { jwks: { keys: [cluster.key.publicKey] } })
    const { id } = await workloadKey(owner, {}, credential)
    const token = await cluster.token(issuer(), now())
    expect(await service().anonymous.post('/v1/auth/api-keys/exchange', { apiKeyId: id, token })).toMatchObject({ status: 201 })
    expect(cluster.published.requests).toEqual([])
  })

  it('leaves an entry in the name of the key, and its requests are those of the key', async () => {
    const { owner } = await service().given.organisation()
    const key = await workloadKey(owner)
    const client = await exchanged(key)
    const made = await client.post('/v1/admin/api-keys', { name: 'Made by a job', permissions: ['users:read'] })
    expect(made).toMatchObject({ status: 201 })
    const { data } = (await owner.get(`/v1/admin/audit-logs?actorId=${key.id}`)).body
    expect(data.map(({ action }: { action: string }) => action)).toEqual(['api_key.created', 'api_key.exchanged'])
    expect(data[1].metadata).toEqual({ credential: 'Deployment', issuer: github.issuer, subject: key.credential.subject })
    expect((await owner.get(`/v1/admin/api-keys/${key.id}`)).body.lastUsedAt).not.toBeNull()
  })

  it('does not let a key outlive its API key, whose time it tells', async () => {
    const { owner } = await service().given.organisation()
    const expiresAt = new Date(now().getTime() + 5 * 60_000).toISOString()
    const key = await workloadKey(owner, { expiresAt })
    const answer = await exchange(key)
    expect(answer).toMatchObject({ status: 201, body: { expiresAt } })
    service().clock.advance({ minutes: 6 })
    expect(await by(answer.body.apiKey).get('/v1/admin/users')).toMatchObject({ status: 401 })
    expect(await exchange(key)).toMatchObject(refused)
  })

  it('fills neither the list of keys nor their number, and expired ones are removed', async () => {
    const { owner, id } = await service().given.organisation()
    const key = await workloadKey(owner)
    for (let time = 0; time < 3; time += 1) await exchanged(key)
    const list = await owner.get('/v1/admin/api-keys?limit=20')
    expect(list.body.data).toHaveLength(1)
    expect((await owner.get('/v1/admin/api-keys?limit=20&total=true')).body.data).toHaveLength(1)
    const rows = () => service().database.tenant(id).selectFrom('exchangedKeys').selectAll().execute()
    expect(await rows()).toHaveLength(3)
    service().clock.advance({ minutes: 16 })
    await removeExpiredExchangedKeys.run(service().database)
    expect(await rows()).toEqual([])
  })

  it.each<[string, (of: { owner: HttpClient; creator: { id: string }; key: Key }) => Promise<unknown>]>([
    ['the API key is deleted', ({ owner, key }) => owner.delete(`/v1/admin/api-keys/${key.id}`)],
    ['its user is blocked', ({ owner, creator }) => owner.patch(`/v1/admin/users/${creator.id}`, { blockedAt: now().toISOString() })],
    ['its user is deleted', ({ owner, creator }) => owner.delete(`/v1/admin/users/${creator.id}`)],
    ['its credentials are taken away', ({ owner, key }) => owner.patch(`/v1/admin/api-keys/${key.id}`, { federatedCredentials: [] })],
    [
      'its credential is replaced',
      ({ owner, key }) =>
        owner.patch(`/v1/admin/api-keys/${key.id}`, { federatedCredentials: [{ ...key.credential, claims: { ref: 'x' } }] }),
    ],
  ])('ends its keys when %s', async (_, end) => {
    const { owner } = await service().given.organisation()
    const creator = await service().given.userWith(owner, ['users:read', 'api_keys:read', 'api_keys:create'])
    const key = await workloadKey(creator)
    const client = await exchanged(key)
    expect(await client.get('/v1/admin/users')).toMatchObject({ status: 200 })
    const answer = (await end({ owner, creator, key })) as { status: number }
    expect(answer.status).toBeLessThan(300)
    expect((await client.get('/v1/admin/users')).status).toBeGreaterThanOrEqual(401)
    expect(await exchange(key)).toMatchObject(refused)
  })

  it('gives none while the organisation is suspended, when those that there are only read', async () => {
    const { owner, id } = await service().given.organisation()
    const key = await workloadKey(owner)
    const client = await exchanged(key)
    await service().operator.patch(`/v1/system/organisations/${id}/suspend`, { reason: 'Payment overdue' })
    expect(await client.post('/v1/admin/api-keys', { name: 'More', permissions: [] })).toMatchObject({ status: 403 })
    expect(await exchange(key)).toMatchObject(refused)
  })

  it('answers each failure alike, and tells the organisation alone what it was', async () => {
    const { owner } = await service().given.organisation()
    const key = await workloadKey(owner)
    const other = await workloadKey((await service().given.organisation()).owner)
    const token = await tokenFor(key)
    const attempts: [Key, string, string][] = [
      [{ ...key, id: 'key_01kahm3z9n4v7f2t8q6w5r1y0x' }, token, ''],
      [other, token, ''],
      [key, 'no token', 'a signed JWT'],
      [key, await tokenFor(key, { claims: { sub: 'repo:acme/elsewhere:x' } }), `sub: ${key.credential.subject}`],
      [key, await tokenFor(key, { claims: { aud: 'https://elsewhere.example.test' } }), `aud: ${issuer()} ${issuer()}/oauth2/token`],
      [key, await tokenFor(key, { by: await clientKey('RS256', 'github-1') }), 'signed by a key of the client'],
    ]
    const bodies = new Set<string>()
    for (const [of, sent, expected] of attempts) {
      const answer = await exchange(of, sent)
      expect(answer).toMatchObject(refused)
      const { instance: _, ...body } = answer.body
      bodies.add(JSON.stringify(body))
      if (expected === '') continue
      const { body: found } = await owner.get('/v1/admin/diagnostics')
      expect(found.data[0]).toMatchObject({ endpoint: 'api_key_exchange', check: 'federated_token', expected })
    }
    expect(bodies.size).toBe(1)
  })

  it('is limited by the address of the caller, in what fails', async () => {
    const { owner } = await service().given.organisation()
    const key = await workloadKey(owner)
    const token = await tokenFor(key)
    service().clock.advance({ minutes: 1 })
    for (let time = 0; time < 70; time += 1) expect(await exchange(key, token)).toMatchObject({ status: 201 })
    const statuses = new Set<number>()
    for (let time = 0; time < 61; time += 1) statuses.add((await exchange(key, 'no token')).status)
    expect(statuses).toEqual(new Set([401, 429]))
    expect(await exchange(key, token)).toMatchObject({ status: 429, body: { code: 'too-many-exchanges' } })
    service().clock.advance({ minutes: 6 })
    expect(await exchange(key)).toMatchObject({ status: 201 })
  })

  it('takes valid tokens of a network that has used up the limit for other keys, and tells nothing by it', async () => {
    const { owner } = await service().given.organisation()
    const [key, other] = [await workloadKey(owner), await workloadKey(owner)]
    service().clock.advance({ minutes: 6 })
    const unknown = { ...key, id: 'key_01kahm3z9n4v7f2t8q6w5r1y0x' }
    for (let time = 0; time < 40; time += 1) expect(await exchange(unknown, 'no token')).toMatchObject(refused)
    for (let time = 0; time < 20; time += 1) expect(await exchange(other, 'no token')).toMatchObject(refused)
    const limited = { status: 429, body: { code: 'too-many-exchanges' } }
    for (const one of [unknown, other, key]) expect(await exchange(one, 'no token')).toMatchObject(limited)
    for (const one of [key, other]) expect(await exchange(one)).toMatchObject({ status: 201 })
  })

  it('takes a hundred valid tokens at once', async () => {
    const { owner } = await service().given.organisation()
    const key = await workloadKey(owner)
    const token = await tokenFor(key)
    service().clock.advance({ minutes: 4 })
    const answers = await Promise.all(Array.from({ length: 100 }, () => exchange(key, token)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
  })

  it('is no address while the extension is off', async () => {
    const answer = await without().anonymous.post('/v1/auth/api-keys/exchange', { apiKeyId: 'key_01kahm3z9n4v7f2t8q6w5r1y0x', token: 'x' })
    expect(answer).toMatchObject({ status: 404 })
  })
})

describe('the credentials of an API key', () => {
  it('are beside its secret, unless it has none', async () => {
    const { owner } = await service().given.organisation()
    const credential = own()
    const body = { name: 'Both', permissions: ['users:read'], federatedCredentials: [credential] }
    const created = await owner.post('/v1/admin/api-keys', body)
    expect(created).toMatchObject({ status: 201, body: { key: expect.stringMatching(/^ak_/) } })
    const key = { id: created.body.id, credential }
    expect(await by(created.body.key).get('/v1/admin/users')).toMatchObject({ status: 200 })
    expect(await (await exchanged(key)).get('/v1/admin/users')).toMatchObject({ status: 200 })
    const none = await owner.post('/v1/admin/api-keys', { name: 'None', permissions: [], secret: 'none' })
    expect(none).toMatchObject({ status: 400, body: { errors: [{ path: ['federatedCredentials'], reason: 'credentials-missing' }] } })
  })

  it('are set by callers who may grant what the key may do, and taken away by callers who may make keys', async () => {
    const { owner } = await service().given.organisation()
    const key = await workloadKey(owner)
    const lesser = await service().given.userWith(owner, ['api_keys:create'])
    const path = `/v1/admin/api-keys/${key.id}`
    const added = { federatedCredentials: [key.credential, own({ name: 'Another' })] }
    const beyond = { status: 403, body: { detail: 'Cannot grant a permission you do not have: users:read' } }
    expect(await lesser.patch(path, added)).toMatchObject(beyond)
    expect(await owner.patch(path, added)).toMatchObject({
      status: 200,
      body: { federatedCredentials: [{ name: 'Deployment' }, { name: 'Another' }] },
    })
    const { body } = await owner.get(`/v1/admin/audit-logs?targetId=${key.id}&action=api_key.updated`)
    expect(body.data[0].changes.federatedCredentials.to).toHaveLength(2)
    expect(await owner.post(`/v1/admin/audit-logs/${body.data[0].id}/undo`)).toMatchObject({
      status: 400,
      body: { code: 'undo-trust-set' },
    })
    expect(await lesser.patch(path, { federatedCredentials: [] })).toMatchObject({ status: 200, body: { federatedCredentials: [] } })
    const reader = await service().given.userWith(owner, ['api_keys:read'])
    expect(await reader.patch(path, { federatedCredentials: [] })).toMatchObject({ status: 403 })
    const stranger = await service().given.organisation()
    expect(await stranger.owner.patch(path, { federatedCredentials: [] })).toMatchObject({
      status: 404,
      body: { code: 'api-key-not-found' },
    })
  })

  it('are replaced by one alone of two administrators who have read the same ones', async () => {
    const { owner } = await service().given.organisation()
    const key = await workloadKey(owner)
    const path = `/v1/admin/api-keys/${key.id}`
    const read = await owner.get(path)
    const headers = { 'if-match': read.headers.get('etag') as string }
    const [first, second] = [own({ name: 'First' }), own({ name: 'Second' })]

    expect(await owner.patch(path, { federatedCredentials: [key.credential, first] }, { headers })).toMatchObject({ status: 200 })
    const client = await exchanged({ id: key.id, credential: first })
    const late = await owner.patch(path, { federatedCredentials: [key.credential, second] }, { headers })
    expect(late).toMatchObject({ status: 412, body: { code: 'precondition-failed' } })
    expect(await owner.delete(path, undefined, { headers })).toMatchObject({ status: 412 })
    expect((await owner.get(path)).body.federatedCredentials).toMatchObject([{ name: 'Deployment' }, { name: 'First' }])
    expect(await client.get('/v1/admin/users')).toMatchObject({ status: 200 })
  })

  it('are mailed to the person who is responsible for the key, when it is made and when one is added', async () => {
    const { owner } = await service().given.organisation()
    const admin = await service().given.userWith(owner, ['api_keys:create', 'api_keys:read', 'users:read'])
    const key = await workloadKey(admin)
    const made = await service().mailbox.mailTo(admin.email, 'An API key has been made in your name')
    expect(made.text).toContain('The API key Deployment at')
    expect(made.text).not.toContain('begins with')

    const path = `/v1/admin/api-keys/${key.id}`
    const mails = () => service().mailbox.mails.filter(({ to, subject }) => to === admin.email && subject.startsWith('A workload'))
    expect(await owner.patch(path, { federatedCredentials: [key.credential, own({ name: 'Nightly' })] })).toMatchObject({ status: 200 })
    const added = await service().mailbox.mailTo(admin.email, 'A workload can use an API key of yours')
    expect(added.text).toMatch(/API key Deployment at .* can now be used by: Nightly\./)
    expect(await owner.patch(path, { federatedCredentials: [key.credential] })).toMatchObject({ status: 200 })
    await service().settled()
    expect(mails()).toHaveLength(1)
  })

  it('end when the user resets the password, if they are younger than a day, and the mail names the key', async () => {
    const { owner } = await service().given.organisation()
    const slug = `reports:read-${unique()}`
    const ofReports = { slug, name: 'Read reports', description: 'See every report', category: 'custom' }
    const { body: permission } = await service().operator.post('/v1/system/permissions', ofReports)
    const admin = await service().given.userWith(owner, ['api_keys:create', 'api_keys:read', 'users:read', slug])
    const permissions = ['users:read', 'api_keys:read', 'api_keys:create', slug]
    const [key, untouched] = [await workloadKey(admin, { permissions }), await workloadKey(admin, { name: 'Untouched' })]
    service().clock.advance({ hours: 25 })
    // Another change of the key, whose entry says nothing of its credentials.
    expect(await service().operator.delete(`/v1/system/permissions/${permission.id}`)).toMatchObject({ status: 204 })
    const thief = own({ name: 'Thief' })
    const again = await service().given.signIn(admin.email)
    const added = { federatedCredentials: [key.credential, thief] }
    expect(await again.patch(`/v1/admin/api-keys/${key.id}`, added)).toMatchObject({ status: 200 })
    const byThief = await exchanged({ id: key.id, credential: thief })
    const byOther = await exchanged(untouched)

    await service().anonymous.post('/v1/auth/password/forgot', { email: admin.email })
    await service().given.setPassword(admin.email, 'quite another long secret', 'Choose a new password')

    expect(await byThief.get('/v1/admin/users')).toMatchObject({ status: 401 })
    expect(await exchange({ id: key.id, credential: thief })).toMatchObject(refused)
    expect(await byOther.get('/v1/admin/users')).toMatchObject({ status: 200 })
    await exchanged(key)
    const { text } = await service().mailbox.mailTo(admin.email, 'password has been changed')
    expect(text).toMatch(/can no longer use them: Deployment\./)
    const now = await service().given.signIn(owner.email)
    expect(await now.audit({ targetId: key.id, action: 'api_key.updated' })).toMatchObject([
      { metadata: { because: 'auth.password_reset' }, changes: { federatedCredentials: { to: [{ name: 'Deployment' }] } } },
      { actorId: admin.id },
      { changes: { permissions: { from: expect.arrayContaining([slug]) } } },
    ])
  })

  it('are of one client or key in the whole installation, also when twenty ask at once', async () => {
    const { owner } = await service().given.organisation()
    const credential = own()
    const body = { name: 'Job', permissions: [], secret: 'none', federatedCredentials: [credential] }
    const client = { name: 'Job', clientType: 'confidential', grantTypes: ['client_credentials'], federatedCredentials: [credential] }
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        index % 2 === 0 ? owner.post('/v1/admin/api-keys', body) : owner.post('/v1/admin/clients', client),
      ),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19)
  })

  it('are free again once the key is deleted', async () => {
    const { owner } = await service().given.organisation()
    const key = await workloadKey(owner)
    const { owner: other } = await service().given.organisation()
    const body = { name: 'Job', permissions: [], secret: 'none', federatedCredentials: [key.credential] }
    expect(await other.post('/v1/admin/api-keys', body)).toMatchObject({ status: 409, body: { code: 'federated-subject-taken' } })
    await owner.delete(`/v1/admin/api-keys/${key.id}`)
    expect(await other.post('/v1/admin/api-keys', body)).toMatchObject({ status: 201 })
  })

  it('need the extension, and so does a key without a secret', async () => {
    const { owner } = await without().given.organisation()
    const needed = (path: string) => ({ status: 400, body: { errors: [{ path: [path], reason: 'extension-needed' }] } })
    const body = { name: 'Job', permissions: [] }
    expect(await owner.post('/v1/admin/api-keys', { ...body, federatedCredentials: [own()] })).toMatchObject(needed('federatedCredentials'))
    expect(await owner.post('/v1/admin/api-keys', { ...body, secret: 'none', federatedCredentials: [own()] })).toMatchObject(
      needed('secret'),
    )
    const created = await owner.post('/v1/admin/api-keys', body)
    expect(created).toMatchObject({ status: 201, body: { federatedCredentials: [] } })
    const change = { federatedCredentials: [own()] }
    expect(await owner.patch(`/v1/admin/api-keys/${created.body.id}`, change)).toMatchObject(needed('federatedCredentials'))
  })
})
