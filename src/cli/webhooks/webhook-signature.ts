import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { previousOf, standardHeaders, webhookHeaders } from '../../../shared/webhook-headers.ts'
import { keyOfStandardSecret } from '../../webhooks/signing-secret.ts'

const staleAfterMilliseconds = 5 * 60_000

/** In lower case, like Node's header names. */
const variants = Object.entries(webhookHeaders).map(([name, { signature, event, delivery }]) => ({
  name,
  signature: signature.toLowerCase(),
  event: event.toLowerCase(),
  delivery: delivery?.toLowerCase(),
}))

/**
 * Explains a request to a webhook receiver, and what is wrong with it.
 *
 * @param secret undefined checks everything but the signature
 * @returns whether a receiver should accept it, and lines to print
 */
export function explainRequest(
  headers: IncomingHttpHeaders,
  body: Buffer,
  secret: string | undefined,
  now: Date,
): { accepted: boolean; lines: string[] } {
  const variant = variants.find(({ signature, event }) => headers[signature] !== undefined || headers[event] !== undefined)
  const isStandard = standardHeaders.some((name) => headers[name] !== undefined)
  if (!variant && !isStandard) {
    return { accepted: false, lines: ['✗ missing header: none of X-Svc-Signature, X-Webhook-Signature and webhook-signature came'] }
  }
  const event = parse(body)
  const ofVariant = secret === undefined || !variant ? [] : signatureMistakes(headers, variant.signature, body, event, secret)
  const ofStandard =
    secret === undefined || !isStandard ? [] : standardMistakes(headers, body, secret, variant !== undefined && ofVariant.length === 0)
  const mistakes = [
    ...(event ? [] : ['the body is not JSON: it was changed on its way']),
    ...(event && variant ? headerMistakes(event, headers[variant.event]) : []),
    ...ofVariant,
    ...ofStandard,
  ]
  const lines = [
    ...(variant ? [shownVariant(variant, headers)] : []),
    ...(isStandard ? [`Standard Webhooks, id ${headers['webhook-id'] ?? '(missing header)'}`] : []),
    ...mistakes.map((mistake) => `✗ ${mistake}`),
  ]
  if (secret !== undefined && mistakes.length === 0) {
    if (variant) lines.push('✓ signature is good')
    if (isStandard) lines.push('✓ signature of Standard Webhooks is good')
  }
  if (isStandard) lines.push(...standardTimeHints(headers, now))
  if (event) lines.push(...timeHints(event, now), JSON.stringify(event))
  return { accepted: mistakes.length === 0, lines }
}

const shownVariant = ({ name, event, delivery }: (typeof variants)[number], headers: IncomingHttpHeaders): string =>
  `variant ${name}, event ${headers[event] ?? '(missing header)'}${delivery ? `, delivery ${headers[delivery] ?? '(missing header)'}` : ''}`

/**
 * Checks a request by Standard Webhooks 1.0, as its libraries do.
 *
 * @param isBodyGood whether the signature of the variant has shown that body and secret are right
 */
function standardMistakes(headers: IncomingHttpHeaders, body: Buffer, secret: string, isBodyGood: boolean): string[] {
  const missing = standardHeaders.filter((name) => typeof headers[name] !== 'string')
  if (missing.length > 0) return missing.map((name) => `missing header: ${name}, without which no library of Standard Webhooks accepts it`)
  const [id, timestamp, signatures] = standardHeaders.map((name) => String(headers[name])) as [string, string, string]
  if (!/^\d+$/.test(timestamp)) return ['webhook-timestamp is not a whole number of seconds']
  const received = signatures.split(' ').flatMap((signature) => /^v1,([A-Za-z\d+/]{43}=)$/.exec(signature)?.[1] ?? [])
  if (received.length === 0) return ['webhook-signature holds no v1, with 44 characters of base64 after it']
  const key = keyOfStandardSecret(secret.trim())
  if (!key) return ['the secret is not whsec_ with 44 characters of base64, which the libraries of Standard Webhooks need: rotate it']
  const digest = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')
  if (received.some((signature) => same(signature, digest))) return []
  return [
    isBodyGood
      ? 'webhook-id or webhook-timestamp was changed on its way: the body and the secret are right, the signature of Standard Webhooks is not'
      : 'the signature of Standard Webhooks is of another secret, body, webhook-id or webhook-timestamp',
  ]
}

function standardTimeHints(headers: IncomingHttpHeaders, now: Date): string[] {
  const age = now.getTime() - Number(headers['webhook-timestamp']) * 1_000
  if (!(Math.abs(age) > staleAfterMilliseconds)) return []
  const by = age > 0 ? `${seconds(age)} old` : `${seconds(-age)} in the future`
  return [`! webhook-timestamp is ${by}: libraries of Standard Webhooks refuse more than five minutes`]
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
  const previous = headers[previousOf(name).toLowerCase()]
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
