import { describe, expect, it } from 'vitest'
import { unique } from '../support/given.ts'
import { useService } from '../support/service.ts'

const service = useService()
const url = 'https://example.com/hooks'

describe('POST /v1/admin/webhooks', () => {
  it('creates an endpoint of the default variant and shows the secret in the flat record', async () => {
    const { owner, id } = await service().given.organisation()

    const created = await owner.post('/v1/admin/webhooks', { url, events: ['user.created', 'role.assigned'] })

    expect(created).toMatchObject({ status: 201 })
    expect(created.body).toEqual({
      id: expect.stringMatching(/^wh_[0-9a-z]{26}$/),
      organisationId: id,
      url,
      events: ['user.created', 'role.assigned'],
      clientId: null,
      variant: 'B',
      standardSignature: false,
      isActive: true,
      failureCount: 0,
      lastTriggeredAt: null,
      lastFailureAt: null,
      createdAt: expect.stringMatching(/\.\d{3}Z$/),
      updatedAt: expect.stringMatching(/\.\d{3}Z$/),
      secret: expect.stringMatching(/^whsec_[A-Za-z\d+/]{43}=$/),
    })
  })

  it('wraps the record when variant A is named', async () => {
    const { owner } = await service().given.organisation()

    const created = await owner.post('/v1/admin/webhooks', { url, events: ['*'], variant: 'A' })

    expect(created).toMatchObject({ status: 201, body: { webhook: { url, variant: 'A' }, secret: expect.stringMatching(/^whsec_/) } })
    expect(Object.keys(created.body)).toEqual(['webhook', 'secret'])
    expect(created.body.webhook).not.toHaveProperty('secret')
  })

  it('never shows the secret again, nor stores or records it readably', async () => {
    const { owner, id } = await service().given.organisation()
    const { body: created } = await owner.post('/v1/admin/webhooks', { url, events: ['*'] })

    const shown = [
      await owner.get('/v1/admin/webhooks'),
      await owner.get(`/v1/admin/webhooks/${created.id}`),
      await owner.patch(`/v1/admin/webhooks/${created.id}`, { events: ['user.created'] }),
      await owner.get('/v1/admin/audit-logs'),
    ]

    for (const { status, body } of shown) {
      expect(status).toBe(200)
      expect(JSON.stringify(body)).not.toMatch(/whsec_|secretEncrypted/)
    }
    const stored = await service().database.tenant(id).selectFrom('webhookEndpoints').selectAll().execute()
    expect(JSON.stringify(stored)).not.toContain(created.secret)
    expect(service().logLines.join('')).not.toContain(created.secret)
  })

  it.each([
    ['an http address', { url: 'http://example.com/hooks' }, ['url']],
    ['no address', { url: 'example.com' }, ['url']],
    ['an address with a password', { url: 'https://user:secret@example.com/' }, ['url']],
    ['a loopback address', { url: 'https://127.0.0.1/' }, ['url']],
    ['a loopback address as one number', { url: 'https://2130706433/' }, ['url']],
    ['a loopback address in hexadecimal', { url: 'https://0x7f.1/' }, ['url']],
    ['a mapped loopback address', { url: 'https://[::ffff:127.0.0.1]/' }, ['url']],
    ['the address of cloud metadata', { url: 'https://169.254.169.254/latest' }, ['url']],
    ['a private address', { url: 'https://192.168.1.20/' }, ['url']],
    ['an unknown event', { events: ['user.created', 'user.exploded'] }, ['events', 1]],
    ['no event', { events: [] }, ['events']],
    ['events that are no list', { events: 'user.created' }, ['events']],
    ['an unknown variant', { variant: 'C' }, ['variant']],
  ])('refuses %s and leaves nothing behind', async (_, fields, path) => {
    const { owner } = await service().given.organisation()

    const refused = await owner.post('/v1/admin/webhooks', { url, events: ['user.created'], ...fields })

    expect(refused).toMatchObject({ status: 400, body: { detail: 'Invalid input', errors: [{ path }] } })
    expect((await owner.get('/v1/admin/webhooks')).body).toEqual({ data: [], total: 0 })
    expect(await owner.audit({ action: 'webhook.created' })).toEqual([])
  })

  it('refuses the 101st endpoint of an organisation, even when several are created at once', async () => {
    const { owner } = await service().given.organisation()
    const create = () => owner.post('/v1/admin/webhooks', { url, events: ['user.created'] })
    for (let n = 0; n < 95; n++) await create()

    const answers = await Promise.all(Array.from({ length: 10 }, create))

    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5)
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expect(answer).toMatchObject({ status: 400, body: { code: 'too-many-webhook-endpoints', detail: 'Too many webhook endpoints' } })
    }
    const { data, total } = (await owner.get('/v1/admin/webhooks')).body
    expect([data.length, total]).toEqual([100, 100])
    expect(await owner.audit({ action: 'webhook.created' })).toHaveLength(100)

    await owner.delete(`/v1/admin/webhooks/${data[0].id}`)
    expect(await create()).toMatchObject({ status: 201 })
  })

  it('refuses a client of another organisation like an unknown one', async () => {
    const { owner } = await service().given.organisation()
    const other = await service().given.organisation()
    const client = await createClient(other.owner)

    for (const clientId of [client.id, 'cli_unknown']) {
      expect(await owner.post('/v1/admin/webhooks', { url, events: ['*'], clientId })).toMatchObject({
        status: 404,
        body: { detail: 'Client not found' },
      })
    }
    expect(await other.owner.post('/v1/admin/webhooks', { url, events: ['*'], clientId: client.id })).toMatchObject({
      status: 201,
      body: { clientId: client.id },
    })
  })

  it('refuses a deleted client like an unknown one', async () => {
    const { owner } = await service().given.organisation()
    const client = await createClient(owner)
    expect(await owner.delete(`/v1/admin/clients/${client.id}`)).toMatchObject({ status: 204 })

    expect(await owner.post('/v1/admin/webhooks', { url, events: ['*'], clientId: client.id })).toMatchObject({
      status: 404,
      body: { detail: 'Client not found' },
    })
  })
})

describe('an endpoint', () => {
  it('is listed, changed and deleted, with an audit entry for each change', async () => {
    const { owner } = await service().given.organisation()
    const { body: created } = await owner.post('/v1/admin/webhooks', { url, events: ['*'] })
    const path = `/v1/admin/webhooks/${created.id}`

    const changed = await owner.patch(path, { url: 'https://example.com/new', isActive: false, variant: 'A' })
    expect(changed).toMatchObject({ status: 200, body: { id: created.id, url: 'https://example.com/new', isActive: false, variant: 'A' } })
    const shown = { ...changed.body, failing: false, lastError: null, last24Hours: { delivered: 0, failed: 0 } }
    expect((await owner.get(path)).body).toEqual(shown)
    expect((await owner.get('/v1/admin/webhooks')).body).toEqual({ data: [shown], total: 1 })
    expect(await owner.delete(path)).toMatchObject({ status: 204 })
    expect(await owner.get(path)).toMatchObject({ status: 404, body: { detail: 'Webhook not found' } })
    expect(await owner.delete(path)).toMatchObject({ status: 404 })

    const { body } = await owner.get(`/v1/admin/audit-logs?targetId=${created.id}`)
    expect(body.data.map(({ action }: { action: string }) => action)).toEqual(['webhook.deleted', 'webhook.updated', 'webhook.created'])
    expect(body.data[1].changes).toEqual({
      url: { from: url, to: 'https://example.com/new' },
      isActive: { from: true, to: false },
      variant: { from: 'B', to: 'A' },
    })
  })

  it('is out of reach of another organisation', async () => {
    const { owner } = await service().given.organisation()
    const stranger = await service().given.organisation()
    const { body: created } = await owner.post('/v1/admin/webhooks', { url, events: ['*'] })
    const path = `/v1/admin/webhooks/${created.id}`

    const refused = [
      await stranger.owner.get(path),
      await stranger.owner.patch(path, { isActive: false }),
      await stranger.owner.delete(path),
      await stranger.owner.post(`${path}/rotate-secret`),
      await stranger.owner.post(`${path}/test`),
      await stranger.owner.post('/v1/admin/webhooks/test', { webhookId: created.id }),
      await stranger.owner.get(`${path}/deliveries`),
      await stranger.owner.post(`${path}/replay`, { from: '2026-01-01T00:00:00Z' }),
    ]

    for (const answer of refused) expect(answer).toMatchObject({ status: 404, body: { detail: 'Webhook not found' } })
    expect((await owner.get(path)).body).toMatchObject({ isActive: true })
  })

  it('requires the permission of each operation', async () => {
    const { owner } = await service().given.organisation()
    const { body: created } = await owner.post('/v1/admin/webhooks', { url, events: ['*'] })
    const unprivileged = await service().given.userWith(owner, [])
    const path = `/v1/admin/webhooks/${created.id}`

    const missing = async (answer: Promise<{ status: number; body: { detail: string } }>) => (await answer).body.detail.split(': ')[1]
    expect(await missing(unprivileged.get('/v1/admin/webhooks'))).toBe('webhooks:read')
    expect(await missing(unprivileged.get(`${path}/deliveries`))).toBe('webhooks:read')
    expect(await missing(unprivileged.get('/v1/admin/events'))).toBe('webhooks:read')
    expect(await missing(unprivileged.post('/v1/admin/webhooks', { url, events: ['*'] }))).toBe('webhooks:create')
    expect(await missing(unprivileged.patch(path, {}))).toBe('webhooks:update')
    expect(await missing(unprivileged.post(`${path}/rotate-secret`))).toBe('webhooks:update')
    expect(await missing(unprivileged.post(`${path}/test`))).toBe('webhooks:update')
    expect(await missing(unprivileged.post('/v1/admin/webhooks/test', {}))).toBe('webhooks:update')
    expect(await missing(unprivileged.post(`${path}/replay`, {}))).toBe('webhooks:update')
    expect(await missing(unprivileged.delete(path))).toBe('webhooks:delete')
  })

  it('gets a new secret by rotation', async () => {
    const { owner } = await service().given.organisation()
    const { body: created } = await owner.post('/v1/admin/webhooks', { url, events: ['*'] })

    const rotated = await owner.post(`/v1/admin/webhooks/${created.id}/rotate-secret`)

    expect(rotated).toMatchObject({ status: 200, body: { id: created.id, secret: expect.stringMatching(/^whsec_[A-Za-z\d+/]{43}=$/) } })
    expect(rotated.body.secret).not.toBe(created.secret)
    expect(await owner.post(`/v1/admin/webhooks/${created.id}/rotate-secret`, { gracePeriodSeconds: 604_801 })).toMatchObject({
      status: 400,
      body: { errors: [{ path: ['gracePeriodSeconds'], code: 'too_big' }] },
    })
  })

  it('is listed page by page', async () => {
    const { owner } = await service().given.organisation()
    for (let n = 0; n < 3; n++) await owner.post('/v1/admin/webhooks', { url, events: ['*'] })

    const first = await owner.get('/v1/admin/webhooks?limit=2')
    const second = await owner.get(`/v1/admin/webhooks?limit=2&cursor=${first.body.nextCursor}`)

    expect(first.body).toMatchObject({ total: 3, nextCursor: expect.any(String) })
    expect([...first.body.data, ...second.body.data]).toHaveLength(3)
    expect(second.body.nextCursor).toBeNull()
  })
})

const createClient = async (admin: { post(path: string, body: unknown): Promise<{ body: { id: string } }> }) =>
  (
    await admin.post('/v1/admin/clients', {
      name: `Client ${unique()}`,
      clientType: 'confidential',
      redirectUris: ['https://app.example.com/callback'],
    })
  ).body
