import { execFile } from 'node:child_process'
import { createSecretKey } from 'node:crypto'
import { stripTypeScriptTypes } from 'node:module'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { envelopeOf, headersOf as exampleHeadersOf } from '../../console/src/pages/events/envelopes.ts'
import { deliveryAsCurl, fixtureOf, newTestSecret } from '../../console/src/pages/webhooks/fixture.ts'
import { headsOf, tailOf } from '../../src/activity/envelopes.ts'
import { requestHeadersOf } from '../../src/webhooks/delivery/request-headers.ts'
import { headersOf } from '../../src/webhooks/delivery/variants.ts'
import { newSigningSecret } from '../../src/webhooks/signing-secret.ts'
import { needsPython } from '../support/languages.ts'

const run = promisify(execFile)
const at = new Date('2026-11-22T09:00:00.000Z')
const example = { name: 'role.created', data: { role: { name: 'Röle "quoted" 🎉\n\\ \u2028 it’s' } }, organisationId: 'org_1', at }
const signing = { current: createSecretKey(Buffer.from('whsec_1')), previous: createSecretKey(Buffer.from('whsec_0')) }

const deliveryIn = (variant: 'A' | 'B') => {
  const head = headsOf('evt_1', example.name, at, example.organisationId)
  const body = (variant === 'A' ? head.head_a : head.head_b) + tailOf(example.data)
  return { event: example.name, request: { body, headers: headersOf({ id: 'dlv_1', event: example.name, variant, body }, signing) } }
}

describe.each(['A', 'B'] as const)('of a delivery in format %s', (variant) => {
  const delivery = deliveryIn(variant)

  it('the test for Vitest passes as it is shown', async () => {
    const shown = await fixtureOf('vitest', delivery, "whsec_test'1")
    const program = stripTypeScriptTypes(shown).replace(
      "import { expect, test } from 'vitest'",
      "import assert from 'node:assert'\nconst test = (name, body) => { body(); console.log(name) }\nconst expect = (one) => ({ toBe: (other) => assert.equal(one, other) })",
    )
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program])
    expect(stdout).toBe('accepts a genuine role.created\n')
    // The signature of the endpoint's former secret is of no use to it.
    expect(shown).not.toContain('Previous')
  })

  it('the test for pytest passes as it is shown', needsPython, async () => {
    const shown = await fixtureOf('pytest', delivery, "whsec_test'1")
    const { stdout } = await run('python3', ['-c', `${shown}\ntest_accepts_a_genuine_role_created()\nprint('passed')`])
    expect(stdout).toBe('passed\n')
  })

  it('curl sends the same bytes and headers, whatever a shell would make of them', async () => {
    const command = deliveryAsCurl("https://receiver.test/it's", delivery.request).replace('curl', "printf '%s\\0'")
    const { stdout } = await run('sh', ['-c', command])
    const sent = stdout.split('\0')
    expect(sent).toContain("https://receiver.test/it's")
    expect(sent).toContain(delivery.request.body)
    for (const [name, value] of Object.entries(delivery.request.headers)) expect(sent).toContain(`${name}: ${value}`)
  })

  it('the example of the catalogue has the bytes and the headers that the service sends', () =>
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (data) => {
        const head = headsOf('evt_1', example.name, at, 'org_1')
        const body = (variant === 'A' ? head.head_a : head.head_b) + tailOf(data)
        expect(JSON.stringify(envelopeOf(variant, { ...example, data }, 'evt_1'))).toBe(body)
        const {
          'X-Svc-Signature': _b,
          'X-Webhook-Signature': _a,
          ...sent
        } = headersOf({ id: 'dlv_1', event: example.name, variant, body }, { ...signing, previous: undefined })
        expect(exampleHeadersOf(variant, example.name, 'dlv_1', 'signature')).toMatchObject(sent)
      }),
    ))
})

describe('of a delivery with the headers of Standard Webhooks', () => {
  const [current, previous] = [newSigningSecret(), newSigningSecret()]
  const body = headsOf('evt_1', example.name, at, example.organisationId).head_b + tailOf(example.data)
  const delivery = { id: 'dlv_1', eventId: 'evt_1', event: example.name, variant: 'B' as const, body, standardSignature: true }
  const real = { current: createSecretKey(Buffer.from(current)), previous: createSecretKey(Buffer.from(previous)) }
  const headers = requestHeadersOf(delivery, real, new Date())
  const headersIn = (shown: string): Record<string, string> => JSON.parse(/^HEADERS = (\{[^}]*\})$/m.exec(shown)?.[1] ?? '')

  it('both signatures are of the secret of the test, by the libraries too, and none is of the real one', async () => {
    const secret = newTestSecret()
    const shown = await fixtureOf('pytest', { event: example.name, request: { body, headers } }, secret)
    expect(new Webhook(secret).verify(body, headersIn(shown))).toEqual(JSON.parse(body))
    expect(() => new Webhook(current).verify(body, headersIn(shown))).toThrow()
    for (const signature of (headers['webhook-signature'] ?? '').split(' ')) expect(shown).not.toContain(signature)
    expect(headersIn(shown)['X-Svc-Signature']).toMatch(/^[0-9a-f]{64}$/)
  })

  it('they are left out with a secret that the libraries cannot read', async () => {
    const shown = await fixtureOf('pytest', { event: example.name, request: { body, headers } }, 'whsec_of-this-test')
    expect(Object.keys(headersIn(shown)).filter((name) => name.startsWith('webhook-'))).toEqual([])
    expect(headersIn(shown)).toHaveProperty('X-Svc-Signature')
  })
})
