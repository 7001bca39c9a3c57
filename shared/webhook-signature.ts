import { previousOf, standardHeaders, webhookHeaders } from './webhook-headers.ts'

/** The two documented formats of a delivery. */
export type Variant = keyof typeof webhookHeaders

/** A fact about a request to a receiver. Console and command say each in their own words. */
export type SignatureFinding =
  | { kind: 'genuine' }
  /** The second signature matches the secret: the first one is that of a newer secret. */
  | { kind: 'former-secret' }
  | { kind: 'missing-prefix' }
  | { kind: 'signed-without-prefix' }
  | { kind: 'spaces-around-secret' }
  | { kind: 'body-rewritten' }
  | { kind: 'spaces-around-body' }
  | { kind: 'line-ends-changed' }
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
const harmless: readonly string[] = ['genuine', 'standard-genuine', 'standard-old', 'old', 'future']
export const isMistake = ({ kind }: { kind: string }): boolean => !harmless.includes(kind)

export interface SignedRequest {
  /** Names in lower case. */
  headers: ReadonlyMap<string, string>
  body: string
}

export interface SignatureCheck {
  request: SignedRequest
  /** Undefined checks everything but the signatures. */
  secret: string | undefined
  /** The format of the endpoint; undefined for that of the headers. */
  variant?: Variant | undefined
  now: Date
}

const staleAfterSeconds = 5 * 60

/** Decides whether a request came from Gatehouse unchanged, and otherwise names the mistake as exactly as possible. */
export async function checkSignature({ request, secret, variant, now }: SignatureCheck): Promise<SignatureFinding[]> {
  const event = parseObject(request.body)
  const received = variantOf(request.headers, variant)
  const isStandard = standardHeaders.some((name) => request.headers.has(name))
  const byStandard = async (isBodyGood: boolean) =>
    secret === undefined || !isStandard ? [] : judgeStandard({ request, secret, now }, isBodyGood)
  if (received === undefined && isStandard) {
    const unreadable: SignatureFinding[] = event ? [] : [{ kind: 'not-json' }]
    return [...unreadable, ...(await byStandard(false)), ...judgeTime(event, now)]
  }
  if (received === undefined) return [{ kind: 'no-signature' }]
  const names = webhookHeaders[received]
  const envelope = event && ('type' in event ? 'B' : 'event' in event ? 'A' : undefined)
  const expected = variant === undefined || received === variant ? (envelope ?? received) : variant
  const name = String(event?.type ?? event?.event ?? '')
  const header = request.headers.get(names.event.toLowerCase())
  const judged = secret === undefined ? undefined : await judgeSignature(request, secret, names.signature)
  return [
    ...(received === expected ? [] : [{ kind: 'other-variant', expected, received } as const]),
    ...(event ? [] : [{ kind: 'not-json' } as const]),
    ...(event && header !== undefined && envelope === received && header !== name
      ? [{ kind: 'event-differs', header, body: name } as const]
      : []),
    ...(judged ? [judged] : []),
    ...(await byStandard(judged?.kind === 'genuine')),
    ...judgeTime(event, now),
  ]
}

/** Checks a request like the libraries of Standard Webhooks 1.0. */
async function judgeStandard(
  { request: { headers, body }, secret, now }: { request: SignedRequest; secret: string; now: Date },
  isBodyGood: boolean,
): Promise<SignatureFinding[]> {
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
async function judgeSignature({ headers, body }: SignedRequest, secret: string, header: string): Promise<SignatureFinding> {
  const signature = headers.get(header.toLowerCase())
  if (signature === undefined) return { kind: 'no-signature' }
  const previous = headers.get(previousOf(header).toLowerCase())
  const isSigned = async (bytes: string, key: string, by = signature) => key !== '' && (await signatureOf(bytes, key)) === by
  if (await isSigned(body, secret)) return { kind: 'genuine' }
  const digits = /[0-9a-f]{64}/i.exec(signature)?.[0].toLowerCase()
  if (digits === undefined) return { kind: 'signature-format' }
  if (digits !== signature && (await isSigned(body, secret, digits))) return { kind: 'signature-format' }
  if (previous !== undefined && (await isSigned(body, secret, previous))) return { kind: 'former-secret' }
  const trimmed = secret.trim()
  if (trimmed !== secret && (await isSigned(body, trimmed))) return { kind: 'spaces-around-secret' }
  if (!trimmed.startsWith('whsec_') && (await isSigned(body, `whsec_${trimmed}`))) return { kind: 'missing-prefix' }
  if (trimmed.startsWith('whsec_') && (await isSigned(body, trimmed.slice(6)))) return { kind: 'signed-without-prefix' }
  return (await judgeBody(body, isSigned, secret)) ?? { kind: 'secret-or-body' }
}

/** The ways in which intermediaries between Gatehouse and the check change a body. */
async function judgeBody(
  body: string,
  isSigned: (bytes: string, key: string) => Promise<boolean>,
  secret: string,
): Promise<SignatureFinding | undefined> {
  if (await isSigned(body.trim(), secret)) return { kind: 'spaces-around-body' }
  if (body.includes('\n') && (await isSigned(body.replaceAll(/\r?\n/g, '\r\n'), secret))) return { kind: 'line-ends-changed' }
  const parsed = parseObject(body)
  return parsed && (await isSigned(JSON.stringify(parsed), secret)) ? { kind: 'body-rewritten' } : undefined
}

function judgeTime(event: Envelope | undefined, now: Date): SignatureFinding[] {
  const at = Date.parse(String(event?.createdAt ?? event?.timestamp))
  const seconds = Math.round((now.getTime() - at) / 1000)
  if (seconds > staleAfterSeconds) return [{ kind: 'old', seconds }]
  return seconds < -staleAfterSeconds ? [{ kind: 'future', seconds: -seconds }] : []
}

/** The variant whose headers were sent, which may differ from the expected one. */
export function variantOf(headers: SignedRequest['headers'], expected?: Variant): Variant | undefined {
  const has = (variant: Variant) =>
    [webhookHeaders[variant].signature, webhookHeaders[variant].event].some((name) => headers.has(name.toLowerCase()))
  return [...(expected ? [expected] : []), 'A' as const, 'B' as const].find(has)
}

/** The HMAC-SHA256 of the raw body with the whole secret, in lower-case hexadecimal. */
export async function signatureOf(body: string, secret: string): Promise<string> {
  return [...(await hmacOf(body, new TextEncoder().encode(secret)))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** The signature of `<id>.<timestamp>.<body>` by Standard Webhooks; undefined for a secret in another form. */
export async function standardSignatureOf(signed: string, secret: string): Promise<string | undefined> {
  const encoded = /^whsec_([A-Za-z\d+/]{43}=)$/.exec(secret)?.[1]
  if (encoded === undefined) return undefined
  const key = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0))
  return `v1,${btoa(String.fromCharCode(...(await hmacOf(signed, key))))}`
}

async function hmacOf(text: string, secret: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const key = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(text)))
}

interface Envelope {
  type?: unknown
  event?: unknown
  createdAt?: unknown
  timestamp?: unknown
}

export function parseObject(text: string): (Envelope & object) | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
