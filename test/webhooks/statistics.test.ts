import { describe, expect, it } from 'vitest'
import { removeOldWebhookHours } from '../../src/webhooks/delivery/remove-old-deliveries.ts'
import type { HttpClient } from '../support/http-client.ts'
import { useReceiver } from '../support/receiver.ts'
import { useService } from '../support/service.ts'
import { createEndpoint } from '../support/webhooks.ts'

const receiver = await useReceiver()
const service = useService({
  ofItsOwn: true,
  environment: { WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'true' },
  webhooks: receiver.reachable,
})

async function givenEndpoint() {
  const { owner } = await service().given.organisation()
  const hook = receiver.hook()
  const { id } = await createEndpoint(owner, { url: hook.url, events: ['role.created'], variant: 'A' })
  const send = async () => {
    // Anew: a session ends while the time is moved.
    const admin = await service().given.signIn(owner.email)
    expect(await admin.post(`/v1/admin/webhooks/${id}/test`)).toMatchObject({ status: 200 })
    await service().deliverDueWebhooks()
  }
  return { owner, hook, id, send }
}

type Bucket = { at: string; delivered: number; failed: number; p50: number | null; p95: number | null }

const statistics = async (admin: HttpClient, id: string, query = ''): Promise<Bucket[]> =>
  (await admin.get(`/v1/admin/webhooks/${id}/statistics${query}`)).body.data

describe('GET /v1/admin/webhooks/:id/statistics', () => {
  it('counts deliveries by the hour in which they ended, with how long attempts took', async () => {
    const { owner, hook, id, send } = await givenEndpoint()
    await send()
    await send()
    service().clock.advance({ hours: 1 })
    hook.answer = () => ({ status: 400 })
    await send()

    const data = await statistics(await service().given.signIn(owner.email), id, '?interval=hour')

    expect(data).toHaveLength(25)
    expect(data.at(-2)).toMatchObject({ delivered: 2, failed: 0, p50: expect.any(Number), p95: expect.any(Number) })
    expect(data.at(-1)).toMatchObject({ delivered: 0, failed: 1, p50: expect.any(Number) })
    expect(data[0]).toMatchObject({ delivered: 0, failed: 0, p50: null, p95: null })
    for (const { at } of data) expect(at).toMatch(/:00:00\.000Z$/)
    expect((data.at(-1) as Bucket).at > (data.at(-2) as Bucket).at).toBe(true)
  })

  it('counts by the day, also of more attempts than are recorded at once', async () => {
    const { owner, id, send } = await givenEndpoint()
    const before = service().clock.now().toISOString()
    await Promise.all(Array.from({ length: 20 }, () => owner.post(`/v1/admin/webhooks/${id}/test`)))
    await send()
    const data = await statistics(owner, id, `?from=${before}`)
    expect(data.reduce((sum, { delivered }) => sum + delivered, 0)).toBe(21)
    expect(await statistics(owner, id)).toHaveLength(31)
  })

  it('counts by the hours and days of any time zone', async () => {
    const { owner, id, send } = await givenEndpoint()
    const { clock } = service()
    const day = clock.now().toISOString().slice(0, 10)
    clock.advance({ seconds: 86_400 + (Date.parse(`${day}T19:45:00Z`) - clock.now().getTime()) / 1_000 })
    await send()
    const today = clock.now().toISOString().slice(0, 10)
    const admin = await service().given.signIn(owner.email)
    const delivered = async (query: string) =>
      (await statistics(admin, id, `?${query}`)).flatMap(({ at, delivered }) => (delivered > 0 ? [[at, delivered]] : []))

    expect(await delivered('timeZone=UTC')).toEqual([[`${today}T00:00:00.000Z`, 1]])
    expect(await delivered('timeZone=Asia/Kolkata')).toEqual([[`${today}T18:30:00.000Z`, 1]])
    expect(await delivered('timeZone=Asia/Tokyo')).toEqual([[`${today}T15:00:00.000Z`, 1]])
    expect(await delivered('interval=hour&timeZone=Asia/Kolkata')).toEqual([[`${today}T18:30:00.000Z`, 1]])
    const refused = await admin.get(`/v1/admin/webhooks/${id}/statistics?timeZone=Mars`)
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: ['timeZone'] }] } })
  })

  it('does not count an attempt after which another follows', async () => {
    const { owner, hook, id, send } = await givenEndpoint()
    hook.answer = () => ({ status: 503 })
    await send()
    expect((await statistics(owner, id, '?interval=hour')).at(-1)).toMatchObject({ delivered: 0, failed: 0, p50: expect.any(Number) })
    expect((await owner.get(`/v1/admin/webhooks/${id}`)).body).toMatchObject({
      failing: true,
      lastError: 'Response status 503',
      last24Hours: { delivered: 0, failed: 0 },
    })
  })

  it.each([
    ['an empty range', 'from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z', 'empty-range'],
    ['more than 31 days of hours', 'interval=hour&from=2026-01-01T00:00:00Z&to=2026-02-02T00:00:00Z', 'range-too-long'],
    ['more than 90 days', 'from=2026-01-01T00:00:00Z&to=2026-05-01T00:00:00Z', 'range-too-long'],
  ])('refuses %s', async (_, query, code) => {
    const { owner, id } = await givenEndpoint()
    expect(await owner.get(`/v1/admin/webhooks/${id}/statistics?${query}`)).toMatchObject({ status: 400, body: { code } })
  })

  it('is not shown to another organisation, and requires webhooks:read', async () => {
    const { owner, id } = await givenEndpoint()
    const stranger = await service().given.organisation()
    expect(await stranger.owner.get(`/v1/admin/webhooks/${id}/statistics`)).toMatchObject({ status: 404 })
    const clerk = await service().given.userWith(owner, ['users:read'])
    expect(await clerk.get(`/v1/admin/webhooks/${id}/statistics`)).toMatchObject({ status: 403 })
  })

  it('is removed after 90 days', async () => {
    const { id, send } = await givenEndpoint()
    await send()
    const hours = () => service().database.system().selectFrom('webhookHours').select('hour').where('endpointId', '=', id).execute()
    expect(await hours()).toHaveLength(1)
    service().clock.advance({ days: 90 })
    await removeOldWebhookHours.run(service().database)
    expect(await hours()).toHaveLength(1)
    service().clock.advance({ days: 2 })
    await removeOldWebhookHours.run(service().database)
    expect(await hours()).toHaveLength(0)
  })
})

describe('a webhook in the list', () => {
  it('shows what came of its deliveries in the last 24 hours, and whether it fails', async () => {
    const { owner, hook, id, send } = await givenEndpoint()
    const other = await createEndpoint(owner, { url: receiver.hook().url, events: ['user.created'] })
    const listed = async (admin: HttpClient) => (await admin.get('/v1/admin/webhooks')).body.data
    await send()
    hook.answer = () => ({ status: 400 })
    await send()

    const [failing, unused] = await listed(owner)
    expect(failing).toMatchObject({
      id,
      failing: true,
      lastError: 'Response status 400',
      failureCount: 1,
      last24Hours: { delivered: 1, failed: 1 },
    })
    expect(unused).toMatchObject({ id: other.id, failing: false, lastError: null, last24Hours: { delivered: 0, failed: 0 } })
    expect((await owner.get(`/v1/admin/webhooks/${id}`)).body).toEqual(failing)

    hook.answer = () => ({ status: 200 })
    service().clock.advance({ hours: 25 })
    await send()
    const later = await service().given.signIn(owner.email)
    expect((await listed(later))[0]).toMatchObject({
      failing: false,
      lastError: 'Response status 400',
      last24Hours: { delivered: 1, failed: 0 },
    })
  })
})
