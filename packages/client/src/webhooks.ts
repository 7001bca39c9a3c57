import { GatehouseRefused } from './errors.ts'
import type { EventData } from './events.ts'

/** An event, whatever the variant of the endpoint: its `type` says what `data` is. */
export type WebhookEvent = { [Name in keyof EventData]: EventOf<Name> }[keyof EventData]

/** The event of one name. */
export interface EventOf<Name extends keyof EventData> {
  /** The same at every attempt and replay: deduplicate by it. In variant A without `standardSignature` it is a hash of the body. */
  id: string
  type: Name
  /** When it happened, in ISO 8601. */
  createdAt: string
  organisationId: string
  data: EventData[Name]
}

/** A request of fetch, or the headers with the body as it arrived: JSON that was parsed and written again is no longer what was signed. */
export type ReceivedWebhook =
  | Request
  | { headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>; body: string | Uint8Array }

export interface VerifyOptions {
  /** How old a request may be, in seconds; 300 by default. */
  maxAgeSeconds?: number
  /**
   * Takes only what the headers of Standard Webhooks sign: for endpoints with `standardSignature`, which new ones should have. Without it a
   * recorded request is genuine by the other headers alone, and then has another id in variant A.
   */
  requireStandardSignature?: boolean
  /** Milliseconds since 1970; the clock of the machine by default. */
  clock?: () => number
}

const signatureHeaders = ['x-svc-signature', 'x-svc-signature-previous', 'x-webhook-signature', 'x-webhook-signature-previous']
/** While a rotation lasts there are two. */
const signaturesMax = 8

/**
 * Checks that a request is of Gatehouse and recent, and reads its event. Both variants are understood, and the headers of Standard Webhooks.
 *
 * The age is that of the attempt if the endpoint has `standardSignature`, else that of the event, since nothing else is signed. Retries come
 * later than five minutes: switch `standardSignature` on, or set `maxAgeSeconds`.
 *
 * @param secret the secret of the endpoint; several while it is being rotated, or for several endpoints at one address
 * @throws GatehouseRefused with the status to respond with: `webhook-unsigned`, `webhook-signature-invalid`, `webhook-too-old`, `webhook-unreadable`
 * @throws TypeError without a secret
 *
 * @example
 * const event = await verifyWebhook(request, secret, { requireStandardSignature: true })
 * if (event.type === 'user.created') console.log(event.data.user.email)
 */
export async function verifyWebhook(
  request: ReceivedWebhook,
  secret: string | readonly string[],
  { maxAgeSeconds = 300, requireStandardSignature = false, clock = Date.now }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const secrets = typeof secret === 'string' ? [secret] : secret
  // Anyone can sign with an empty one, which is a variable that is not set.
  if (secrets.length === 0 || secrets.some((one) => !one)) throw new TypeError('A secret is missing')
  const header = readerOf(request.headers)
  const body = await bytesOf(request)
  const standard = standardOf(header, body)
  const isStandard = await isSignedByOne(standard.signatures, standard.signed, secrets.flatMap(standardKeyOf))
  // The id and the time of the attempt are in no others.
  const signatures = requireStandardSignature ? [] : signatureHeaders.flatMap((name) => bytesOfHex(header(name)))
  if (!isStandard && signatures.length === 0 && standard.signatures.length === 0) {
    const which = requireStandardSignature ? ' of Standard Webhooks: the endpoint needs standardSignature' : ''
    throw refused(401, 'webhook-unsigned', `The request bears no signature${which}`)
  }
  if (!isStandard && !(await isSignedByOne(signatures, body, secrets.map(textKeyOf)))) {
    throw refused(401, 'webhook-signature-invalid', 'The body is not what one of the secrets has signed')
  }

  const event = await eventIn(body, isStandard ? standard.id : undefined)
  const signedAt = isStandard ? standard.timestamp * 1_000 : Date.parse(event.createdAt)
  // Not a number is not recent.
  if (!(Math.abs(clock() - signedAt) <= maxAgeSeconds * 1_000)) {
    const advice = isStandard ? '' : ': with standardSignature the endpoint signs the time of each attempt in place of that of the event'
    throw refused(401, 'webhook-too-old', `The request is not of the last ${maxAgeSeconds} seconds${advice}`)
  }
  return event
}

const refused = (status: number, code: GatehouseRefused['code'], detail: string, cause?: unknown) =>
  new GatehouseRefused({ status, code, detail, cause })

type Bytes = Uint8Array<ArrayBuffer>

function readerOf(headers: ReceivedWebhook['headers']): (name: string) => string {
  // Platforms and libraries have classes of their own.
  if (isOfFetch(headers)) return (name) => headers.get(name) ?? ''
  const lowerCase = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  return (name) => String(lowerCase.get(name) ?? '')
}

const isOfFetch = (headers: ReceivedWebhook['headers']): headers is Headers => typeof headers.get === 'function'

async function bytesOf(request: ReceivedWebhook): Promise<Bytes> {
  if ('arrayBuffer' in request) return new Uint8Array(await request.arrayBuffer())
  const { body } = request
  if (typeof body === 'string') return new TextEncoder().encode(body)
  if (body instanceof Uint8Array) return new Uint8Array(body)
  throw new TypeError('body is not the text or the bytes of the request')
}

/** The headers of Standard Webhooks 1.0: `webhook-signature` has a signature of each secret, of the id, the time and the body. */
function standardOf(header: (name: string) => string, body: Bytes) {
  const [id, timestamp] = [header('webhook-id'), header('webhook-timestamp')]
  const start = new TextEncoder().encode(`${id}.${timestamp}.`)
  const signed = new Uint8Array(start.length + body.length)
  signed.set(start)
  signed.set(body, start.length)
  const signatures = header('webhook-signature')
    .split(' ', signaturesMax)
    .flatMap((one) => (one.startsWith('v1,') ? bytesOfBase64(one.slice(3)) : []))
  return { id, timestamp: Number(timestamp), signed, signatures }
}

/** The key of a secret in the form of Standard Webhooks; none for that of a former release. */
const standardKeyOf = (secret: string): Bytes[] => (secret.startsWith('whsec_') ? bytesOfBase64(secret.slice(6)) : [])

const textKeyOf = (secret: string): Bytes => new TextEncoder().encode(secret)

/** Tries each key for each signature; to compare is constant in time. */
async function isSignedByOne(signatures: readonly Bytes[], signed: Bytes, keys: readonly Bytes[]): Promise<boolean> {
  if (signatures.length === 0) return false
  for (const bytes of keys) {
    const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
    for (const signature of signatures) if (await crypto.subtle.verify('HMAC', key, signature, signed)) return true
  }
  return false
}

function bytesOfBase64(text: string): Bytes[] {
  if (!/^[A-Za-z\d+/]{43}=$/.test(text)) return []
  return [Uint8Array.from(atob(text), (character) => character.charCodeAt(0))]
}

function bytesOfHex(text: string): Bytes[] {
  if (!/^[\da-f]{64}$/.test(text)) return []
  return [Uint8Array.from({ length: 32 }, (_, index) => Number.parseInt(text.slice(index * 2, index * 2 + 2), 16))]
}

/** The event of a body that is genuine: `{event, timestamp, …}` in variant A, `{id, type, createdAt, …}` in variant B. */
async function eventIn(body: Bytes, standardId: string | undefined): Promise<WebhookEvent> {
  const { event, timestamp, id, type, createdAt, organisationId, data } = parsed(body)
  return {
    id: id ?? standardId ?? (await hashOf(body)),
    type: type ?? event,
    createdAt: createdAt ?? timestamp,
    organisationId,
    data,
  } as WebhookEvent
}

function parsed(body: Bytes): Record<string, unknown> & { id?: string } {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(body))
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
  } catch (cause) {
    throw refused(400, 'webhook-unreadable', 'The body is no JSON', cause)
  }
  throw refused(400, 'webhook-unreadable', 'The body is no event')
}

async function hashOf(body: Bytes): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', body))
  return `sha256:${Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
