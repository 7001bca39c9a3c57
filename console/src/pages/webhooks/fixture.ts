import { standardHeaders, webhookHeaders } from '../../../../shared/webhook-headers.ts'
import { signatureOf, standardSignatureOf, type Variant } from '../../../../shared/webhook-signature.ts'

/** The parts of a delivery that a test needs. */
interface Sent {
  event: string
  request: { headers: Record<string, string>; body: string }
}

const variantOfHeaders = (headers: Record<string, string>): Variant => (webhookHeaders.A.signature in headers ? 'A' : 'B')

/** The request as a command that sends it to a receiver again, with the same bytes and signature. */
export function deliveryAsCurl(url: string, { headers, body }: Sent['request']): string {
  return [
    `curl -sS -X POST ${quoted(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    `--data-binary ${quoted(body)}`,
  ].join(' \\\n  ')
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

export const fixtureKinds = ['vitest', 'pytest'] as const
export type FixtureKind = (typeof fixtureKinds)[number]

/**
 * A passing test with the request of a delivery, signed with a secret. It has a place where one's own receiver is called.
 */
export async function fixtureOf(kind: FixtureKind, { event, request }: Sent, secret: string) {
  const { signature } = webhookHeaders[variantOfHeaders(request.headers)]
  const { [`${signature}-Previous`]: _previous, ...others } = request.headers
  const headers = await withStandardSignature({ ...others, [signature]: await signatureOf(request.body, secret) }, request.body, secret)
  return { vitest: asVitest, pytest: asPytest }[kind](event, headers, signature, request.body, secret)
}

/** Signs the headers of Standard Webhooks again, too. Without a secret in the form that its libraries read, they are left out. */
async function withStandardSignature(headers: Record<string, string>, body: string, secret: string): Promise<Record<string, string>> {
  const [id, timestamp, signature] = standardHeaders
  if (!(signature in headers)) return headers
  const signed = await standardSignatureOf(`${headers[id]}.${headers[timestamp]}.${body}`, secret)
  if (signed !== undefined) return { ...headers, [signature]: signed }
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !standardHeaders.some((standard) => standard === name)))
}

/** Makes a secret in the form of those that the service makes, which libraries of Standard Webhooks read. */
export const newTestSecret = () => `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))}`

const asVitest = (event: string, headers: Record<string, string>, signature: string, body: string, secret: string) =>
  `import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'

const secret = ${literal(secret)}
const headers: Record<string, string> = ${literal(headers)}
// The signature covers these bytes: do not format them.
const body = ${literal(body)}

test(${literal(`accepts a genuine ${event}`)}, () => {
  // Call your receiver with headers and body here.
  const expected = createHmac('sha256', secret).update(body).digest('hex')
  expect(headers[${literal(signature)}]).toBe(expected)
})
`

const asPytest = (event: string, headers: Record<string, string>, signature: string, body: string, secret: string) =>
  `import hashlib
import hmac

SECRET = ${literal(secret)}
HEADERS = ${literal(headers)}
# The signature covers these bytes: do not format them.
BODY = ${literal(body)}.encode()


def test_accepts_a_genuine_${event.replaceAll(/\W/g, '_')}():
    # Call your receiver with HEADERS and BODY here.
    expected = hmac.new(SECRET.encode(), BODY, hashlib.sha256).hexdigest()
    assert hmac.compare_digest(HEADERS[${literal(signature)}], expected)
`

/** Serialises texts and objects of texts in the syntax of both languages. */
const literal = (value: unknown) => JSON.stringify(value, null, 4)
