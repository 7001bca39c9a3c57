import { createSecretKey, randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { checkRequest, type Finding, parseHeaders } from '../../console/src/pages/webhooks/check-signature.ts'
import { isMistake, type Variant } from '../../shared/webhook-signature.ts'
import { headsOf, tailOf } from '../../src/activity/envelopes.ts'
import { headersOf } from '../../src/webhooks/delivery/variants.ts'

const now = new Date('2026-11-22T09:00:00.000Z')
const newSecret = () => `whsec_${randomBytes(32).toString('base64url')}`
const keyOf = (secret: string) => createSecretKey(Buffer.from(secret))

/** A request as the service signs and sends it. */
interface Sent {
  variant: Variant
  secret: string
  former: string | undefined
  body: string
  headers: Record<string, string>
}

const sent: fc.Arbitrary<Sent> = fc
  .record({
    variant: fc.constantFrom('A' as const, 'B' as const),
    data: fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue()),
    isRotated: fc.boolean(),
  })
  .map(({ variant, data, isRotated }) => {
    const head = headsOf('evt_1', 'role.created', now, 'org_1')
    const body = (variant === 'A' ? head.head_a : head.head_b) + tailOf(data)
    const [secret, former] = [newSecret(), isRotated ? newSecret() : undefined]
    const headers = headersOf(
      { id: 'dlv_1', event: 'role.created', variant, body },
      { current: keyOf(secret), previous: former === undefined ? undefined : keyOf(former) },
    )
    return { variant, secret, former, body, headers }
  })

const linesOf = (headers: Record<string, string>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')

const check = ({ headers, body, secret, variant }: Sent, changed: Partial<Sent> = {}, isKnown = false, at = now): Promise<Finding[]> =>
  checkRequest({
    request: { headers: parseHeaders(linesOf(changed.headers ?? headers)), body: changed.body ?? body },
    secret: changed.secret ?? secret,
    variant: changed.variant ?? variant,
    delivery: isKnown ? { headers, body } : undefined,
    now: at,
  })

const always = (holds: (request: Sent, isKnown: boolean) => Promise<void>) =>
  fc.assert(
    fc.asyncProperty(sent, fc.boolean(), async (request, isKnown) => {
      await holds(request, isKnown)
    }),
    { numRuns: 60 },
  )

describe('the signature checker of the console', () => {
  it('finds what the service signed genuine, and nothing else', () =>
    always(async (request, isKnown) => expect(await check(request, {}, isKnown)).toEqual([{ kind: 'genuine' }])))

  it('never finds a body genuine in which one character is another, and shows where when the delivery is known', () =>
    fc.assert(
      fc.asyncProperty(sent, fc.nat(), fc.boolean(), async (request, place, isKnown) => {
        const at = place % request.body.length
        const other = request.body[at] === 'x' ? 'y' : 'x'
        const body = request.body.slice(0, at) + other + request.body.slice(at + 1)
        const findings = await check(request, { body }, isKnown)

        expect(findings.filter(isMistake)).not.toEqual([])
        expect(findings).not.toContainEqual({ kind: 'genuine' })
        expect(findings).toContainEqual(
          isKnown ? expect.objectContaining({ kind: 'body-changed', at: at + 1 }) : { kind: 'secret-or-body' },
        )
      }),
    ))

  it('names a body that was parsed and written again', () =>
    always(async (request, isKnown) => {
      const body = JSON.stringify(JSON.parse(request.body), null, 2)
      expect(await check(request, { body }, isKnown)).toEqual([{ kind: 'body-rewritten' }])
    }))

  it('names white space around the body, as an editor adds it', () =>
    always(async (request, isKnown) =>
      expect(await check(request, { body: `${request.body}\n` }, isKnown)).toEqual([{ kind: 'spaces-around-body' }]),
    ))

  it('names a missing whsec_', () =>
    always(async (request, isKnown) =>
      expect(await check(request, { secret: request.secret.slice(6) }, isKnown)).toEqual([{ kind: 'missing-prefix' }]),
    ))

  it('names white space around the secret', () =>
    always(async (request, isKnown) =>
      expect(await check(request, { secret: ` ${request.secret}\n` }, isKnown)).toEqual([{ kind: 'spaces-around-secret' }]),
    ))

  it('names the former secret while both sign', () =>
    always(async (request, isKnown) => {
      if (request.former === undefined) return
      expect(await check(request, { secret: request.former }, isKnown)).toEqual([{ kind: 'former-secret' }])
    }))

  it('tells by the delivery whether the secret or the request is from before a rotation', () =>
    always(async (request) => {
      const { variant, body, secret } = request
      const rotated = newSecret()
      const delivery = { id: 'dlv_1', event: 'role.created', variant, body }
      const today = headersOf(delivery, { current: keyOf(rotated), previous: undefined })
      const withToday = (changed: Partial<Sent>) => check({ ...request, headers: today }, changed, true)

      expect(await withToday({ secret })).toEqual([{ kind: 'not-present-secret' }])
      expect(await withToday({ headers: request.headers, secret: rotated })).toEqual([{ kind: 'signed-with-former' }])
      expect(await withToday({ headers: request.headers, secret })).toEqual([{ kind: 'signed-with-former' }])
    }))

  it('names the other variant, whose headers came or whose envelope the body is', () =>
    always(async (request) => {
      const other = request.variant === 'A' ? 'B' : 'A'
      const mistaken = { kind: 'other-variant', expected: other, received: request.variant }
      expect(await check(request, { variant: other })).toEqual([mistaken, { kind: 'genuine' }])

      const swapped = headersOf(
        { id: 'dlv_1', event: 'role.created', variant: other, body: request.body },
        {
          current: keyOf(request.secret),
          previous: undefined,
        },
      )
      expect(await check(request, { headers: swapped, variant: other })).toContainEqual({
        ...mistaken,
        expected: request.variant,
        received: other,
      })
    }))

  it('says so when a signature is not in the documented form, or missing', () =>
    always(async (request) => {
      const name = request.variant === 'A' ? 'X-Webhook-Signature' : 'X-Svc-Signature'
      const { [name]: signature = '', ...others } = request.headers
      for (const written of [`sha256=${signature}`, signature.toUpperCase(), 'none']) {
        const headers = { ...others, [name]: written }
        if (written === signature) continue
        expect(await check(request, { headers })).toEqual([{ kind: 'signature-format' }])
      }
      expect(await check(request, { headers: others })).toEqual([{ kind: 'no-signature' }])
      expect(await check(request, { headers: { 'Content-Type': 'application/json' } })).toEqual([{ kind: 'no-signature' }])
    }))

  it('tells of a clock that is wrong, and of an old event, which is no mistake', async () => {
    const [request] = fc.sample(sent, 1) as [Sent]
    const minute = 60_000
    expect(await check(request, {}, false, new Date(now.getTime() - 10 * minute))).toEqual([
      { kind: 'genuine' },
      { kind: 'future', seconds: 600 },
    ])
    const old = await check(request, {}, false, new Date(now.getTime() + 60 * minute))
    expect(old).toEqual([{ kind: 'genuine' }, { kind: 'old', seconds: 3600 }])
    expect(old.filter(isMistake)).toEqual([])
  })

  it('names an event that is another in the header', async () => {
    const [request] = fc.sample(sent, 1) as [Sent]
    const name = request.variant === 'A' ? 'X-Webhook-Event' : 'X-Svc-Event'
    const findings = await check(request, { headers: { ...request.headers, [name]: 'role.deleted' } })
    expect(findings).toEqual([{ kind: 'event-differs', header: 'role.deleted', body: 'role.created' }, { kind: 'genuine' }])
  })

  it.each([
    ['lines', 'X-Svc-Event: user.created\r\nX-Svc-Delivery:dlv_1'],
    ['JSON', '{"x-svc-event":"user.created","x-svc-delivery":"dlv_1"}'],
    ['lines of an object', `  "x-svc-event": "user.created",\n  'x-svc-delivery': 'dlv_1',`],
    ['options of curl', "  -H 'X-Svc-Event: user.created' \\\n  --header 'X-Svc-Delivery: dlv_1' \\"],
  ])('reads headers as %s', (_form, text) => {
    expect(Object.fromEntries(parseHeaders(text))).toEqual({ 'x-svc-event': 'user.created', 'x-svc-delivery': 'dlv_1' })
  })

  describe('given the headers of Standard Webhooks', () => {
    const secret = `whsec_${randomBytes(32).toString('base64')}`
    const body = headsOf('evt_1', 'role.created', now, 'org_1').head_b + tailOf({})
    const standard = {
      'webhook-id': 'evt_1',
      'webhook-timestamp': String(now.getTime() / 1000),
      'webhook-signature': `v1,former ${new Webhook(secret).sign('evt_1', now, body)}`,
    }
    const ofVariant = headersOf({ id: 'dlv_1', event: 'role.created', variant: 'B', body }, { current: keyOf(secret), previous: undefined })
    const judge = (headers: Record<string, string>, changed: { secret?: string; at?: Date } = {}) =>
      check({ variant: 'B', secret, former: undefined, body, headers }, changed, false, changed.at)

    it('says that their library accepts it, with the headers of a format or without', async () => {
      expect(await judge(standard)).toEqual([{ kind: 'standard-genuine' }])
      expect(await judge({ ...ofVariant, ...standard })).toEqual([{ kind: 'genuine' }, { kind: 'standard-genuine' }])
      const later = new Date(now.getTime() + 301_000)
      expect(await judge(standard, { at: later })).toMatchObject([
        { kind: 'standard-genuine' },
        { kind: 'standard-old' },
        { kind: 'old', seconds: 301 },
      ])
    })

    it('says what is wrong', async () => {
      const { 'webhook-id': _, ...incomplete } = standard
      expect(await judge(incomplete)).toEqual([{ kind: 'standard-incomplete' }])
      expect(await judge({ ...standard, 'webhook-signature': 'v2,x' })).toEqual([{ kind: 'standard-format' }])
      expect(await judge(standard, { secret: 'whsec_former' })).toEqual([{ kind: 'standard-secret' }])
      expect(await judge({ ...ofVariant, ...standard, 'webhook-id': 'evt_2' })).toEqual([{ kind: 'genuine' }, { kind: 'standard-headers' }])
      expect(await judge({ ...standard, 'webhook-id': 'evt_2' })).toEqual([{ kind: 'standard-mismatch' }])
    })
  })
})
