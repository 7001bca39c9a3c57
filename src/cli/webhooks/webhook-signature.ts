import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

const staleAfterMilliseconds = 5 * 60_000
const variants = [
  { name: 'A', signature: 'x-webhook-signature', event: 'x-webhook-event', delivery: undefined },
  { name: 'B', signature: 'x-svc-signature', event: 'x-svc-event', delivery: 'x-svc-delivery' },
]

/**
 * What a request to a webhook receiver is, and what is wrong with it.
 *
 * @param secret undefined looks at everything but the signature
 * @returns whether a receiver should accept it, and lines to print
 */
export function explainRequest(
  headers: IncomingHttpHeaders,
  body: Buffer,
  secret: string | undefined,
  now: Date,
): { accepted: boolean; lines: string[] } {
  const variant = variants.find(({ signature, event }) => headers[signature] !== undefined || headers[event] !== undefined)
  if (!variant) return { accepted: false, lines: ['✗ missing header: neither X-Svc-Signature nor X-Webhook-Signature came'] }
  const event = parse(body)
  const lines = [
    `variant ${variant.name}, event ${headers[variant.event] ?? '(missing header)'}${variant.delivery ? `, delivery ${headers[variant.delivery] ?? '(missing header)'}` : ''}`,
  ]
  const mistakes = [
    ...(event ? headerMistakes(event, headers[variant.event]) : ['the body is not JSON: it was changed on its way']),
    ...(secret === undefined ? [] : signatureMistakes(headers, variant.signature, body, event, secret)),
  ]
  lines.push(...mistakes.map((mistake) => `✗ ${mistake}`))
  if (mistakes.length === 0 && secret !== undefined) lines.push('✓ signature is good')
  if (event) lines.push(...timeHints(event, now), JSON.stringify(event))
  return { accepted: mistakes.length === 0, lines }
}

interface Envelope {
  type?: unknown
  event?: unknown
  createdAt?: unknown
  timestamp?: unknown
}

function headerMistakes(event: Envelope, header: unknown): string[] {
  const name = event.type ?? event.event
  return header === name ? [] : [`the event header says ${header ?? 'nothing'}, the body ${name}: one of them was changed`]
}

function signatureMistakes(
  headers: IncomingHttpHeaders,
  name: string,
  body: Buffer,
  event: Envelope | undefined,
  secret: string,
): string[] {
  const received = headers[name]
  const previous = headers[`${name}-previous`]
  if (typeof received !== 'string') return [`missing header: ${name}`]
  if (!/^[0-9a-f]{64}$/.test(received)) return [`${name} is not 64 lower-case hexadecimal digits`]
  const isSigned = (bytes: string | Buffer, key: string, signature = received) => same(hmac(bytes, key), signature)
  if (isSigned(body, secret)) return []
  if (typeof previous === 'string' && isSigned(body, secret, previous)) {
    return ['your secret is the former one: it was rotated, use the new one before the grace period ends']
  }
  if (isSigned(body, secret.replace(/^whsec_/, '')))
    return ['it was signed without the prefix: the key is the whole secret, whsec_ included']
  if (!secret.startsWith('whsec_') && isSigned(body, `whsec_${secret}`)) return ['wrong secret: the prefix whsec_ belongs to it']
  if (secret !== secret.trim() && isSigned(body, secret.trim())) return ['wrong secret: there is white space around it']
  if (event && isSigned(JSON.stringify(event), secret)) return ['changed body: it was parsed and written again; verify the raw bytes']
  if (isSigned(body.toString().trim(), secret)) return ['changed body: white space was added around it']
  return [
    'wrong secret, or the body was changed on its way: compare the secret with that of this endpoint, and the bytes with the delivery',
  ]
}

function timeHints(event: Envelope, now: Date): string[] {
  const at = Date.parse(String(event.createdAt ?? event.timestamp))
  if (Number.isNaN(at)) return ['! the body has no time']
  const age = now.getTime() - at
  if (age < -staleAfterMilliseconds) return [`! the event is from the future: one of the clocks is wrong by ${seconds(-age)}`]
  if (age > staleAfterMilliseconds) return [`! the event is ${seconds(age)} old: a retry, a replay, or a wrong clock`]
  return []
}

const seconds = (milliseconds: number) => `${Math.round(milliseconds / 1_000)} s`

function parse(body: Buffer): Envelope | undefined {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

const hmac = (bytes: string | Buffer, key: string) => createHmac('sha256', key).update(bytes).digest('hex')
const same = (left: string, right: string) => left.length === right.length && timingSafeEqual(Buffer.from(left), Buffer.from(right))
