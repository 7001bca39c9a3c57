import { webhookHeaders } from '../../../../shared/webhook-headers.ts'
import {
  checkSignature,
  parseObject,
  type SignatureFinding,
  type SignedRequest,
  signatureOf,
  type Variant,
  variantOf,
} from '../../../../shared/webhook-signature.ts'

/** What is known of a request, also by the delivery that it was. The texts are in the catalogue, by `kind`. */
export type Finding =
  | SignatureFinding
  /** The request was signed with the endpoint's current secret, which differs from the given one. */
  | { kind: 'not-present-secret' }
  /** The secret is the current one. The request was signed with an earlier one. */
  | { kind: 'signed-with-former' }
  /** At this character, counted from 1, the body differs from that of the delivery. */
  | { kind: 'body-changed'; at: number; sent: string; received: string }

interface Check {
  request: SignedRequest
  secret: string
  /** The format of the endpoint. */
  variant: Variant
  /** The current request from the API, if the delivery is known. */
  delivery?: Delivery | undefined
  now: Date
}

interface Delivery {
  headers: Record<string, string>
  body: string
}

/** Checks a request, and says more where its delivery is known. */
export async function checkRequest({ delivery, ...check }: Check): Promise<Finding[]> {
  const findings = await checkSignature(check)
  const received = variantOf(check.request.headers, check.variant)
  if (!delivery || received === undefined) return findings
  const header = webhookHeaders[received].signature
  const signature = check.request.headers.get(header.toLowerCase())
  const compared = { ...check.request, secret: check.secret, signature, present: headerOf(delivery.headers, header) }
  return Promise.all(findings.map((finding) => compare(finding, compared, delivery)))
}

interface Compared {
  body: string
  secret: string
  signature: string | undefined
  /** The signature that the API shows; undefined when it is masked. */
  present: string | undefined
}

async function compare(finding: Finding, { body, secret, signature, present }: Compared, delivery: Delivery): Promise<Finding> {
  if (finding.kind === 'genuine')
    return present !== undefined && delivery.body === body && present !== signature ? { kind: 'signed-with-former' } : finding
  if (finding.kind !== 'secret-or-body') return finding
  if (body !== delivery.body) return { kind: 'body-changed', ...firstDifference(delivery.body, body) }
  // The current signature of these bytes is known without the secret.
  if (signature === present) return { kind: 'not-present-secret' }
  return present === (await signatureOf(body, secret)) ? { kind: 'signed-with-former' } : finding
}

function firstDifference(sent: string, received: string): { at: number; sent: string; received: string } {
  let at = 0
  while (at < sent.length && sent[at] === received[at]) at++
  const around = (text: string) => text.slice(Math.max(0, at - 12), at + 12)
  return { at: at + 1, sent: around(sent), received: around(received) }
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

/** Undefined, too, for a masked header. */
function headerOf(headers: Record<string, string>, name: string): string | undefined {
  const value = Object.entries(headers).find(([one]) => one.toLowerCase() === name.toLowerCase())?.[1]
  return value?.endsWith('***') ? undefined : value
}
