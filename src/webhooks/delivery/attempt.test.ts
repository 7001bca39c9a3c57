import { createSecretKey } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { attemptDelivery } from './attempt.ts'
import type { ClaimedDelivery } from './claim.ts'
import type { AttemptResult, Sender } from './send.ts'
import { signatureOf } from './signature.ts'

const at = new Date('2026-01-31T09:30:00.000Z')
const key = createSecretKey(Buffer.from('whsec_test'))
const delivery: ClaimedDelivery = {
  organisationId: 'org_1',
  id: 'dlv_1',
  endpointId: 'wh_1',
  eventId: 'evt_1',
  event: 'role.created',
  variant: 'B',
  body: '{"id":"evt_1"}',
  attemptCount: 1,
  url: 'https://example.com/hooks',
  isWanted: true,
  secretEncrypted: '',
  standardSignature: false,
  previousSecretEncrypted: null,
  previousSecretExpiresAt: null,
}
const resultOf = (status: number | null): AttemptResult => ({
  status,
  durationMilliseconds: 1_500,
  error: null,
  response: null,
  retryAfterSeconds: undefined,
})

function attempt(send: Sender['send'], decryptSecrets = () => ({ current: key, previous: undefined })) {
  return attemptDelivery({ clock: { now: () => at }, sender: { send }, decryptSecrets }, delivery)
}

describe('an attempt', () => {
  it('sends the stored bytes, signed, to the URL of the endpoint', async () => {
    const sent: Parameters<Sender['send']>[0][] = []
    await attempt(async (request) => {
      sent.push(request)
      return resultOf(200)
    })
    expect(sent).toMatchObject([{ url: delivery.url, variant: 'B', body: delivery.body }])
    expect(sent[0]?.headers).toMatchObject({ 'X-Svc-Delivery': 'dlv_1', 'X-Svc-Signature': signatureOf(delivery.body, key) })
  })

  it('has delivered with a 2xx', async () => {
    expect(await attempt(async () => resultOf(204))).toMatchObject({ delivery, at, verdict: { kind: 'delivered' } })
  })

  it.each([null, 500])('is followed by the next of the schedule after %s, counted from its end', async (status) => {
    const finished = await attempt(async () => resultOf(status))
    // The second attempt of variant B waits five minutes for the third.
    expect(finished?.verdict).toEqual({ kind: 'retry', at: new Date(at.getTime() + 1_500 + 300_000) })
  })

  it('has no result when it was aborted', async () => {
    expect(await attempt(async () => undefined)).toBeUndefined()
  })

  it('is not made without a signature', async () => {
    let isSent = false
    const refused = attempt(
      async () => {
        isSent = true
        return resultOf(200)
      },
      () => {
        throw new Error('No key decrypts this')
      },
    )
    await expect(refused).rejects.toThrow('No key decrypts this')
    expect(isSent).toBe(false)
  })
})
