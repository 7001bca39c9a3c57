import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { type GatehouseRefused, type ReceivedWebhook, verifyWebhook } from '../../packages/client/src/index.ts'
import { type ReceivedRequest, useReceiver } from '../support/receiver.ts'
import { useService } from '../support/service.ts'
import { createEndpoint } from '../support/webhooks.ts'

const receiver = await useReceiver()
const service = useService({ environment: { WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'true' }, webhooks: receiver.reachable, ofItsOwn: true })
const atService = () => ({ clock: () => service().clock.now().getTime() })
const asFetched = ({ headers, body }: ReceivedRequest) =>
  new Request('https://shop.example.test/hooks', { method: 'POST', headers: headers as Record<string, string>, body })

const now = Date.parse('2026-01-31T09:30:00Z')
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const former = `whsec_${Buffer.alloc(32, 8).toString('base64')}`
const hmac = (body: string, key = secret) => createHmac('sha256', key).update(body).digest('hex')

const bodies = {
  A: (timestamp = new Date(now).toISOString()) =>
    JSON.stringify({ event: 'webhook.test', timestamp, organisationId: 'org_1', data: { message: 'ä', webhookId: 'wh_1' } }),
  B: (createdAt = new Date(now).toISOString()) =>
    JSON.stringify({ id: 'evt_1', type: 'webhook.test', createdAt, organisationId: 'org_1', data: { message: 'ä', webhookId: 'wh_1' } }),
}
const signatureOf = { A: 'x-webhook-signature', B: 'x-svc-signature' }

/** A request that the library of Standard Webhooks has signed. */
function standard(body: string, { at = now, key = secret }: { at?: number; key?: string } = {}): Record<string, string> {
  return {
    'webhook-id': 'evt_1',
    'webhook-timestamp': `${Math.floor(at / 1_000)}`,
    'webhook-signature': new Webhook(key).sign('evt_1', new Date(at), body),
  }
}

const refusalOf = async (request: ReceivedWebhook, secrets: string | string[] = secret): Promise<unknown> =>
  verifyWebhook(request, secrets, { clock: () => now }).then(
    () => 'accepted',
    ({ code, status }: GatehouseRefused) => `${status} ${code}`,
  )

describe('a webhook of the service', () => {
  it.each([
    ['A', false],
    ['A', true],
    ['B', false],
    ['B', true],
  ] as const)(
    'is verified in variant %s, with standardSignature %s, by the secret that is and the one that was',
    async (variant, standardSignature) => {
      const { id: organisationId, owner } = await service().given.organisation()
      const hook = receiver.hook()
      const fields = { url: hook.url, variant, standardSignature, events: ['role.created'] }
      const { id, secret: first } = await createEndpoint(owner, fields)
      const { secret: second } = (await owner.post(`/v1/admin/webhooks/${id}/rotate-secret`, { gracePeriodSeconds: 3_600 })).body
      const { body: role } = await owner.post('/v1/admin/roles', { name: 'Auditor', slug: 'auditor' })
      await service().deliverDueWebhooks()
      const request = await hook.request()

      const event = await verifyWebhook(asFetched(request), first, atService())
      expect(event).toMatchObject({ type: 'role.created', organisationId, data: { role: { id: role.id }, actor: { id: owner.id } } })
      expect(event.id).toMatch(variant === 'A' && !standardSignature ? /^sha256:[\da-f]{64}$/ : /^evt_/)
      // Its type says what it carries.
      if (event.type === 'role.created') expect(event.data.role.slug satisfies string).toBe('auditor')
      // Node's headers with the text, and several secrets, too.
      expect(await verifyWebhook(request, ['whsec_other', second], atService())).toEqual(event)
      await expect(verifyWebhook(request, 'whsec_other', atService())).rejects.toMatchObject({ code: 'webhook-signature-invalid' })
    },
  )

  it('is accepted when an attempt comes late, if the attempt is what is signed', async () => {
    const { owner } = await service().given.organisation()
    const [timed, untimed] = [receiver.hook(), receiver.hook()]
    const events = ['role.created']
    const { secret: ofTimed } = await createEndpoint(owner, { url: timed.url, events, standardSignature: true })
    const { secret: ofUntimed } = await createEndpoint(owner, { url: untimed.url, events })
    for (const hook of [timed, untimed]) hook.answer = () => ({ status: 503 })
    await owner.post('/v1/admin/roles', { name: 'Auditor', slug: 'auditor' })
    for (const minutes of [0, 2, 6]) {
      service().clock.advance({ minutes })
      await service().deliverDueWebhooks()
    }
    expect(await verifyWebhook(await timed.request(3), ofTimed, atService())).toMatchObject({ type: 'role.created' })
    const late = await untimed.request(3)
    await expect(verifyWebhook(late, ofUntimed, atService())).rejects.toMatchObject({
      code: 'webhook-too-old',
      status: 401,
      detail: expect.stringContaining('standardSignature'),
    })
    expect(await verifyWebhook(late, ofUntimed, { ...atService(), maxAgeSeconds: 86_400 })).toMatchObject({ type: 'role.created' })
  })
})

describe('verifyWebhook', () => {
  it.each(['A', 'B'] as const)('refuses what is not genuine or not recent, in variant %s', async (variant) => {
    const body = bodies[variant]()
    const header = signatureOf[variant]
    const signed = { [header]: hmac(body) }
    const at = (seconds: number) => bodies[variant](new Date(now + seconds * 1_000).toISOString())
    const rows: [string, ReceivedWebhook, string, (string | string[])?][] = [
      ['as it was sent', { headers: signed, body }, 'accepted'],
      ['in bytes, with headers of fetch', { headers: new Headers(signed), body: Buffer.from(body) }, 'accepted'],
      ['the former secret', { headers: { [`${header}-previous`]: hmac(body, former) }, body }, 'accepted', former],
      ['the former secret beside the new one', { headers: { [header]: hmac(body, former) }, body }, 'accepted', [secret, former]],
      ['another byte', { headers: signed, body: `${body} ` }, '401 webhook-signature-invalid'],
      ['another secret', { headers: { [header]: hmac(body, former) }, body }, '401 webhook-signature-invalid'],
      ['no signature', { headers: {}, body }, '401 webhook-unsigned'],
      ['an empty signature', { headers: { [header]: '' }, body }, '401 webhook-unsigned'],
      ['a signature cut short', { headers: { [header]: hmac(body).slice(0, 62) }, body }, '401 webhook-unsigned'],
      ['five minutes old', { headers: { [header]: hmac(at(-300)) }, body: at(-300) }, 'accepted'],
      ['older', { headers: { [header]: hmac(at(-301)) }, body: at(-301) }, '401 webhook-too-old'],
      ['of the future', { headers: { [header]: hmac(at(301)) }, body: at(301) }, '401 webhook-too-old'],
      ['no JSON', { headers: { [header]: hmac('{') }, body: '{' }, '400 webhook-unreadable'],
      ['no event', { headers: { [header]: hmac('null') }, body: 'null' }, '400 webhook-unreadable'],
      ['without a time', { headers: { [header]: hmac('{}') }, body: '{}' }, '401 webhook-too-old'],
      ['by Standard Webhooks', { headers: standard(body), body }, 'accepted'],
      ['two signatures of it', { headers: standardOfBoth(body), body }, 'accepted', former],
      ['its attempt is old', { headers: standard(body, { at: now - 301_000 }), body }, '401 webhook-too-old'],
      [
        'its time is changed',
        { headers: { ...standard(body, { at: now - 301_000 }), 'webhook-timestamp': `${now / 1_000}` }, body },
        '401 webhook-signature-invalid',
      ],
      ['its event is old, the attempt is not', { headers: standard(at(-9_000)), body: at(-9_000) }, 'accepted'],
      // What was recorded long ago does not become recent by leaving out the time of its attempt.
      ['without the time of an old attempt', { headers: { [header]: hmac(at(-9_000)) }, body: at(-9_000) }, '401 webhook-too-old'],
    ]
    const seen = await Promise.all(rows.map(async ([name, request, , secrets]) => [name, await refusalOf(request, secrets)]))
    expect(seen).toEqual(rows.map(([name, , expected]) => [name, expected]))
  })

  it.each(['A', 'B'] as const)('takes only what Standard Webhooks signs where that is required, in variant %s', async (variant) => {
    const body = bodies[variant]()
    const ofVariant = { [signatureOf[variant]]: hmac(body) }
    const outcomeOf = (headers: Record<string, string>) =>
      verifyWebhook({ headers, body }, secret, { clock: () => now, requireStandardSignature: true }).then(
        ({ id }) => id,
        ({ code }: GatehouseRefused) => code,
      )
    expect(await outcomeOf({ ...standard(body), ...ofVariant })).toBe('evt_1')
    expect(await outcomeOf(ofVariant)).toBe('webhook-unsigned')
    expect(await outcomeOf({ ...standard(body, { key: former }), ...ofVariant })).toBe('webhook-signature-invalid')
  })

  it('takes no empty secret, with which anyone could sign, and no parsed body', async () => {
    const body = bodies.B()
    for (const secrets of ['', [], [secret, '']]) {
      await expect(verifyWebhook({ headers: { 'x-svc-signature': hmac(body) }, body }, secrets)).rejects.toThrow(TypeError)
    }
    await expect(verifyWebhook({ headers: {}, body: JSON.parse(body) }, secret)).rejects.toThrow('body is not the text or the bytes')
  })
})

function standardOfBoth(body: string): Record<string, string> {
  const [one, other] = [standard(body), standard(body, { key: former })]
  return { ...one, 'webhook-signature': `${one['webhook-signature']} ${other['webhook-signature']}` }
}
