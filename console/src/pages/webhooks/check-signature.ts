import { previousOf, standardHeaders, webhookHeaders } from '../../../../shared/webhook-headers.ts'
import { signatureOf, standardSignatureOf, type Variant } from '../../parts/webhook-variants.ts'

/** A fact about a request to a receiver. The texts are in the catalogue, by `kind`. */
export type Finding =
  | { kind: 'genuine' }
  /** The second signature matches the secret: the first one is that of a newer secret. */
  | { kind: 'former-secret' }
  /** The request was signed with the endpoint's current secret, which differs from the given one. */
  | { kind: 'not-present-secret' }
  /** The secret is the current one. The request was signed with an earlier one. */
  | { kind: 'signed-with-former' }
  | { kind: 'missing-prefix' }
  | { kind: 'signed-without-prefix' }
  | { kind: 'spaces-around-secret' }
  | { kind: 'body-rewritten' }
  | { kind: 'spaces-around-body' }
  | { kind: 'line-ends-changed' }
  /** At this character, counted from 1, the body differs from that of the delivery. */
  | { kind: 'body-changed'; at: number; sent: string; received: string }
  | { kind: 'no-signature' }
  | { kind: 'signature-format' }
  | { kind: 'other-variant'; expected: Variant; received: Variant }
  | { kind: 'event-differs'; header: string; body: string }
  | { kind: 'not-json' }
  | { kind: 'secret-or-body' }
  /** The headers of Standard Webhooks, which are sent with those of the format or alone. */
  | { kind: 'standard-genuine' }
  | { kind: 'standard-incomplete' }
  | { kind: 'standard-format' }
  | { kind: 'standard-secret' }
  /** Body and secret are right: the id or the time was changed. */
  | { kind: 'standard-headers' }
  | { kind: 'standard-mismatch' }
  | { kind: 'standard-old' }
  | { kind: 'old'; seconds: number }
  | { kind: 'future'; seconds: number }

/** Findings of good requests, too: retries and replays are old. */
const harmless: readonly Finding['kind'][] = ['genuine', 'standard-genuine', 'standard-old', 'old', 'future']
export const isMistake = ({ kind }: Finding): boolean => !harmless.includes(kind)

interface Request {
  /** The headers from `parseHeaders`: names in lower case. */
  headers: ReadonlyMap<string, string>
  body: string
}

interface Check {
  request: Request
  secret: string
  /** The format of the endpoint. */
  variant: Variant
  /** The current request from the API, if the delivery is known. */
  delivery?: { headers: Record<string, string>; body: string } | undefined
  now: Date
}

const staleAfterSeconds = 5 * 60

/** Decides whether a request came from Gatehouse unchanged, and otherwise names the mistake as exactly as possible. */
export async function checkSignature({ request, secret, variant, delivery, now }: Check): Promise<Finding[]> {
  const event = parseObject(request.body)
  const received = variantOf(request.headers, variant)
  const isStandard = standardHeaders.some((name) => request.headers.has(name))
  if (received === undefined && isStandard) {
    const unreadable: Finding[] = event ? [] : [{ kind: 'not-json' }]
    return [...unreadable, ...(await judgeStandard({ request, secret, now }, false)), ...judgeTime(event, now)]
  }
  if (received === undefined) return [{ kind: 'no-signature' }]
  const names = webhookHeaders[received]
  const envelope = event && ('type' in event ? 'B' : 'event' in event ? 'A' : undefined)
  const expected = received === variant ? (envelope ?? variant) : variant
  const name = String(event?.type ?? event?.event ?? '')
  const header = request.headers.get(names.event.toLowerCase())
  const judged = await judgeSignature({ request, secret, delivery }, names.signature)
  return [
    ...(received === expected ? [] : [{ kind: 'other-variant', expected, received } as const]),
    ...(event ? [] : [{ kind: 'not-json' } as const]),
    ...(event && header !== undefined && envelope === received && header !== name
      ? [{ kind: 'event-differs', header, body: name } as const]
      : []),
    judged,
    ...(isStandard ? await judgeStandard({ request, secret, now }, judged.kind === 'genuine') : []),
    ...judgeTime(event, now),
  ]
}

/** Checks a request like the libraries of Standard Webhooks 1.0. */
async function judgeStandard(
  { request: { headers, body }, secret, now }: Pick<Check, 'request' | 'secret' | 'now'>,
  isBodyGood: boolean,
): Promise<Finding[]> {
  const [id, timestamp, signatures] = standardHeaders.map((name) => headers.get(name))
  if (id === undefined || timestamp === undefined || signatures === undefined) return [{ kind: 'standard-incomplete' }]
  const received = signatures.split(' ').filter((signature) => /^v1,[A-Za-z\d+/]{43}=$/.test(signature))
  if (!/^\d+$/.test(timestamp) || received.length === 0) return [{ kind: 'standard-format' }]
  const expected = await standardSignatureOf(`${id}.${timestamp}.${body}`, secret.trim())
  if (expected === undefined) return [{ kind: 'standard-secret' }]
  if (!received.includes(expected)) return [{ kind: isBodyGood ? 'standard-headers' : 'standard-mismatch' }]
  const isOld = Math.abs(now.getTime() / 1000 - Number(timestamp)) > staleAfterSeconds
  return [{ kind: 'standard-genuine' }, ...(isOld ? [{ kind: 'standard-old' } as const] : [])]
}

/** Returns the first of the causes that explains the signature. */
async function judgeSignature(
  { request: { headers, body }, secret, delivery }: Pick<Check, 'request' | 'secret' | 'delivery'>,
  header: string,
): Promise<Finding> {
  const signature = headers.get(header.toLowerCase())
  if (signature === undefined) return { kind: 'no-signature' }
  const previous = headers.get(previousOf(header).toLowerCase())
  const isSigned = async (bytes: string, key: string, by = signature) => key !== '' && (await signatureOf(bytes, key)) === by
  const present = delivery && headerOf(delivery.headers, header)
  if (await isSigned(body, secret)) {
    return present !== undefined && delivery?.body === body && present !== signature ? { kind: 'signed-with-former' } : { kind: 'genuine' }
  }
  const digits = /[0-9a-f]{64}/i.exec(signature)?.[0].toLowerCase()
  if (digits === undefined) return { kind: 'signature-format' }
  if (digits !== signature && (await isSigned(body, secret, digits))) return { kind: 'signature-format' }
  if (previous !== undefined && (await isSigned(body, secret, previous))) return { kind: 'former-secret' }
  const trimmed = secret.trim()
  if (trimmed !== secret && (await isSigned(body, trimmed))) return { kind: 'spaces-around-secret' }
  if (!trimmed.startsWith('whsec_') && (await isSigned(body, `whsec_${trimmed}`))) return { kind: 'missing-prefix' }
  if (trimmed.startsWith('whsec_') && (await isSigned(body, trimmed.slice(6)))) return { kind: 'signed-without-prefix' }
  return (await judgeBody(body, isSigned, secret)) ?? (await judgeByDelivery({ body, secret, signature }, delivery, present))
}

/** The ways in which intermediaries between Gatehouse and the check change a body. */
async function judgeBody(
  body: string,
  isSigned: (bytes: string, key: string) => Promise<boolean>,
  secret: string,
): Promise<Finding | undefined> {
  if (await isSigned(body.trim(), secret)) return { kind: 'spaces-around-body' }
  if (body.includes('\n') && (await isSigned(body.replaceAll(/\r?\n/g, '\r\n'), secret))) return { kind: 'line-ends-changed' }
  const parsed = parseObject(body)
  return parsed && (await isSigned(JSON.stringify(parsed), secret)) ? { kind: 'body-rewritten' } : undefined
}

async function judgeByDelivery(
  { body, secret, signature }: { body: string; secret: string; signature: string },
  delivery: Check['delivery'],
  present: string | undefined,
): Promise<Finding> {
  if (!delivery) return { kind: 'secret-or-body' }
  if (body !== delivery.body) return { kind: 'body-changed', ...firstDifference(delivery.body, body) }
  // The current signature of these bytes is known without the secret.
  if (signature === present) return { kind: 'not-present-secret' }
  return present === (await signatureOf(body, secret)) ? { kind: 'signed-with-former' } : { kind: 'secret-or-body' }
}

function firstDifference(sent: string, received: string): { at: number; sent: string; received: string } {
  let at = 0
  while (at < sent.length && sent[at] === received[at]) at++
  const around = (text: string) => text.slice(Math.max(0, at - 12), at + 12)
  return { at: at + 1, sent: around(sent), received: around(received) }
}

function judgeTime(event: Envelope | undefined, now: Date): Finding[] {
  const at = Date.parse(String(event?.createdAt ?? event?.timestamp))
  const seconds = Math.round((now.getTime() - at) / 1000)
  if (seconds > staleAfterSeconds) return [{ kind: 'old', seconds }]
  return seconds < -staleAfterSeconds ? [{ kind: 'future', seconds: -seconds }] : []
}

/** The variant whose headers were sent, which may differ from the expected one. */
function variantOf(headers: Request['headers'], expected: Variant): Variant | undefined {
  const has = (variant: Variant) =>
    [webhookHeaders[variant].signature, webhookHeaders[variant].event].some((name) => headers.has(name.toLowerCase()))
  return [expected, 'A' as const, 'B' as const].find(has)
}

/** Parses headers in the forms in which they are pasted: lines, JSON, or options of curl. */
export function parseHeaders(text: string): Map<string, string> {
  const fields = parseObject(text)
  const pairs = fields
    ? Object.entries(fields).map(([name, value]) => [name, String(value)] as const)
    : text.split('\n').flatMap((line) => {
        const [, name, value] = /^\s*(?:-H\s+|--header\s+)?['"]?([\w-]+)['"]?\s*:\s*(.*?)\s*\\?\s*$/.exec(line) ?? []
        return name === undefined || value === undefined ? [] : [[name, value.replace(/^['"]|['"]?,?$/g, '')] as const]
      })
  return new Map(pairs.map(([name, value]) => [name.toLowerCase(), value]))
}

interface Envelope {
  type?: unknown
  event?: unknown
  createdAt?: unknown
  timestamp?: unknown
}

function parseObject(text: string): (Envelope & object) | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

/** Undefined, too, for a masked header. */
function headerOf(headers: Record<string, string>, name: string): string | undefined {
  const value = Object.entries(headers).find(([one]) => one.toLowerCase() === name.toLowerCase())?.[1]
  return value?.endsWith('***') ? undefined : value
}
