import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { newSecret } from '../../src/platform/crypto/secrets.ts'
import type { HttpClient } from '../support/http-client.ts'
import { type ReceivedRequest, useReceiver } from '../support/receiver.ts'
import { useService } from '../support/service.ts'
import { createEndpoint } from '../support/webhooks.ts'

const receiver = await useReceiver()
const service = useService({ environment: { WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'true' }, webhooks: receiver.reachable, ofItsOwn: true })

const standard = { events: ['role.created'], standardSignature: true }
const createRole = (admin: HttpClient, slug: string) => admin.post('/v1/admin/roles', { name: slug, slug })

/** Verifies a request as its receiver does, by the library of Standard Webhooks. */
const verify = ({ body, headers }: ReceivedRequest, secret: string) => new Webhook(secret).verify(body, headers as Record<string, string>)

/** Gives an endpoint a secret as it was made by a former release. */
async function withFormerSecret(organisationId: string, id: string): Promise<string> {
  const secret = newSecret('whsec_')
  const { database, services } = service()
  const secretEncrypted = services.keyring.encrypt(secret, id)
  await database.tenant(organisationId).updateTable('webhookEndpoints').set({ secretEncrypted }).where('id', '=', id).execute()
  return secret
}

describe('a webhook with standardSignature', () => {
  it.each(['A', 'B'] as const)(
    'is verified by the library of Standard Webhooks, besides the documented headers, in variant %s',
    async (variant) => {
      const { owner } = await service().given.organisation()
      const hook = receiver.hook()
      const { secret } = await createEndpoint(owner, { url: hook.url, variant, ...standard })

      await createRole(owner, 'auditor')
      const request = await hook.request()

      expect(secret).toMatch(/^whsec_[A-Za-z\d+/]{43}=$/)
      expect(verify(request, secret)).toEqual(JSON.parse(request.body))
      expect(request.headers).toHaveProperty(variant === 'A' ? 'x-webhook-signature' : 'x-svc-signature')
      expect(request.headers['webhook-id']).toMatch(/^evt_/)
      if (variant === 'B') expect(request.headers['webhook-id']).toBe(JSON.parse(request.body).id)
      expect(() => verify({ ...request, body: `${request.body} ` }, secret)).toThrow()
    },
  )

  it('signs each attempt at its own time, under the same id', async () => {
    const { owner } = await service().given.organisation()
    const hook = receiver.hook()
    const { secret } = await createEndpoint(owner, { url: hook.url, ...standard })
    hook.answer = () => ({ status: 503 })

    await createRole(owner, 'auditor')
    await service().deliverDueWebhooks()
    const first = await hook.request()
    service().clock.advance({ seconds: 61 })
    await service().deliverDueWebhooks()
    const second = await hook.request(2)

    expect(second.headers['webhook-id']).toBe(first.headers['webhook-id'])
    expect(Number(second.headers['webhook-timestamp'])).toBeGreaterThan(Number(first.headers['webhook-timestamp']))
    verify(second, secret)
  })

  it('is signed by both secrets while a rotation lasts', async () => {
    const { owner } = await service().given.organisation()
    const hook = receiver.hook()
    const { id, secret: former } = await createEndpoint(owner, { url: hook.url, ...standard })
    const { secret } = (await owner.post(`/v1/admin/webhooks/${id}/rotate-secret`, { gracePeriodSeconds: 3_600 })).body

    await createRole(owner, 'auditor')
    const request = await hook.request()

    expect(String(request.headers['webhook-signature']).split(' ')).toHaveLength(2)
    verify(request, former)
    verify(request, secret)
  })

  it('cannot be switched on with a former secret: it is rotated first', async () => {
    const { id: organisationId, owner } = await service().given.organisation()
    const hook = receiver.hook()
    const { id } = await createEndpoint(owner, { url: hook.url, events: ['role.created'] })
    const former = await withFormerSecret(organisationId, id)
    const path = `/v1/admin/webhooks/${id}`

    expect((await owner.get(path)).body.standardSignature).toBe(false)
    expect(await owner.patch(path, { standardSignature: true })).toMatchObject({
      status: 409,
      body: { code: 'webhook-secret-of-former-form', detail: 'rotate the secret first' },
    })
    expect((await owner.get(path)).body.standardSignature).toBe(false)

    await createRole(owner, 'before')
    expect((await hook.request()).headers).not.toHaveProperty('webhook-signature')
    const { secret } = (await owner.post(`${path}/rotate-secret`, { gracePeriodSeconds: 3_600 })).body
    expect(await owner.patch(path, { standardSignature: true })).toMatchObject({ status: 200, body: { standardSignature: true } })
    await createRole(owner, 'after')
    const request = await hook.request(2)
    verify(request, secret)
    // The former secret signs as it did, and not as the library has it, which cannot read it.
    expect(request.headers).toHaveProperty('x-svc-signature-previous')
    expect(String(request.headers['webhook-signature']).split(' ')).toHaveLength(1)
    expect(former).toMatch(/^whsec_[\w-]{43}$/)
  })
})
