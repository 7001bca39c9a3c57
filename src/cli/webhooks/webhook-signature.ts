import type { IncomingHttpHeaders } from 'node:http'
import { standardHeaders, webhookHeaders } from '../../../shared/webhook-headers.ts'
import { checkSignature, isMistake, parseObject, type SignatureFinding, variantOf } from '../../../shared/webhook-signature.ts'

/**
 * Explains a request to a webhook receiver, and what is wrong with it.
 *
 * @param secret undefined checks everything but the signature
 * @returns whether a receiver should accept it, and lines to print
 */
export async function explainRequest(
  sent: IncomingHttpHeaders,
  body: Buffer,
  secret: string | undefined,
  now: Date,
): Promise<{ accepted: boolean; lines: string[] }> {
  const headers = new Map(Object.entries(sent).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : [])))
  const variant = variantOf(headers)
  const isStandard = standardHeaders.some((name) => headers.has(name))
  if (!variant && !isStandard) {
    return { accepted: false, lines: ['✗ missing header: none of X-Svc-Signature, X-Webhook-Signature and webhook-signature came'] }
  }
  const findings = await checkSignature({ request: { headers, body: body.toString() }, secret, now })
  const names = variant && webhookHeaders[variant]
  const headerOf = (name: string) => headers.get(name.toLowerCase()) ?? '(missing header)'
  const described = { signature: names?.signature.toLowerCase() ?? '', missing: standardHeaders.filter((name) => !headers.has(name)) }
  const event = parseObject(body.toString())
  return {
    accepted: !findings.some(isMistake),
    lines: [
      ...(names
        ? [`variant ${variant}, event ${headerOf(names.event)}${names.delivery ? `, delivery ${headerOf(names.delivery)}` : ''}`]
        : []),
      ...(isStandard ? [`Standard Webhooks, id ${headerOf('webhook-id')}`] : []),
      ...findings.map((finding) => lineOf(finding, described)),
      ...(event ? [JSON.stringify(event)] : []),
    ],
  }
}

interface Described {
  /** The header of the signature, in lower case. */
  signature: string
  /** The headers of Standard Webhooks that are missing. */
  missing: readonly string[]
}

function lineOf(finding: SignatureFinding, described: Described): string {
  const mark = isMistake(finding) ? '✗' : finding.kind === 'genuine' || finding.kind === 'standard-genuine' ? '✓' : '!'
  return `${mark} ${wordsOf(finding, described)}`
}

function wordsOf(finding: SignatureFinding, { signature, missing }: Described): string {
  switch (finding.kind) {
    case 'genuine':
      return 'signature is good'
    case 'former-secret':
      return 'your secret is the former one: it was rotated, use the new one before the grace period ends'
    case 'missing-prefix':
      return 'wrong secret: the prefix whsec_ belongs to it'
    case 'signed-without-prefix':
      return 'it was signed without the prefix: the key is the whole secret, whsec_ included'
    case 'spaces-around-secret':
      return 'wrong secret: there is white space around it'
    case 'body-rewritten':
      return 'changed body: it was parsed and written again; verify the raw bytes'
    case 'spaces-around-body':
      return 'changed body: white space was added around it'
    case 'line-ends-changed':
      return 'changed body: the ends of its lines were changed'
    case 'no-signature':
      return `missing header: ${signature}`
    case 'signature-format':
      return `${signature} is not 64 lower-case hexadecimal digits`
    case 'other-variant':
      return `the headers are those of variant ${finding.received}, the body is one of variant ${finding.expected}`
    case 'event-differs':
      return `the event header says ${finding.header}, the body ${finding.body}: one of them was changed`
    case 'not-json':
      return 'the body is not JSON: it was changed on its way'
    case 'secret-or-body':
      return 'wrong secret, or the body was changed on its way: compare the secret with that of this endpoint, and the bytes with the delivery'
    case 'standard-genuine':
      return 'signature of Standard Webhooks is good'
    case 'standard-incomplete':
      return `missing header: ${missing.join(', ')}, without which no library of Standard Webhooks accepts it`
    case 'standard-format':
      return 'webhook-timestamp is not a whole number of seconds, or webhook-signature holds no v1, with 44 characters of base64 after it'
    case 'standard-secret':
      return 'the secret is not whsec_ with 44 characters of base64, which the libraries of Standard Webhooks need: rotate it'
    case 'standard-headers':
      return 'webhook-id or webhook-timestamp was changed on its way: the body and the secret are right, the signature of Standard Webhooks is not'
    case 'standard-mismatch':
      return 'the signature of Standard Webhooks is of another secret, body, webhook-id or webhook-timestamp'
    case 'standard-old':
      return 'webhook-timestamp is more than five minutes from now: libraries of Standard Webhooks refuse that'
    case 'old':
      return `the event is ${finding.seconds} s old: a retry, a replay, or a wrong clock`
    case 'future':
      return `the event is from the future: one of the clocks is wrong by ${finding.seconds} s`
  }
}
