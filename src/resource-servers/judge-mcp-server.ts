/** What an MCP server has to answer so that clients find the way to this service (RFC 9728, MCP authorization). No rule here fetches anything. */
import { parseJsonObject } from '../platform/json-object.ts'
import { isPlainText, storableText } from '../platform/text.ts'
import { challengeNaming } from './present-resource-server.ts'
import { resourceScopeMistake } from './rules.ts'
import type { McpServerFinding } from './schemas.ts'

/** What a server answered, or why it did not. */
export type Answered = { response: Response; body: string } | { failure: string }

const headerLengthMax = 2_000
const receivedLengthMax = 512
const scopesMax = 100

/** The address in the challenge of a response: the parameter `resource_metadata` of the scheme Bearer, or DPoP (RFC 9449 §7.1). */
export function metadataAddressIn(header: string | null): URL | undefined {
  const parameter = /(?:^|,)\s*(?:Bearer|DPoP)\s(?:.*?[\s,])?resource_metadata=(?:"([^"]+)"|([^\s,"]+))/i.exec(
    header?.slice(0, headerLengthMax) ?? '',
  )
  return URL.parse(parameter?.[1] ?? parameter?.[2] ?? '') ?? undefined
}

type Code = McpServerFinding['code']

const finding = (code: Code, isMet: boolean, expected: string, received: string | null): McpServerFinding => ({
  code,
  outcome: isMet ? 'met' : 'unmet',
  expected,
  received: received === null ? null : storableText(received, receivedLengthMax),
})

const notChecked = (code: Code, expected: string): McpServerFinding => ({ code, outcome: 'not-checked', expected, received: null })

/** A request without a token is refused. */
export function judgeRefusal(answered: Answered): McpServerFinding {
  if ('failure' in answered) return finding('refuses-without-token', false, '401', answered.failure)
  const { status } = answered.response
  return finding('refuses-without-token', status === 401, '401', String(status))
}

/** The refusal names where the document is, and asks for a proof of a key if the document says that tokens are bound. */
export function judgeChallenge(answered: Answered, url: string, requireDpop: boolean): McpServerFinding {
  const expected = challengeNaming(url, requireDpop)
  if ('failure' in answered) return notChecked('names-its-metadata', expected)
  const header = answered.response.headers.get('www-authenticate')
  const asksForProof = /(?:^|,)\s*DPoP\s/i.test(header?.slice(0, headerLengthMax) ?? '')
  return finding('names-its-metadata', metadataAddressIn(header) !== undefined && (asksForProof || !requireDpop), expected, header)
}

/** What the document says, once it has arrived as a JSON object. */
export interface ReadDocument {
  findings: McpServerFinding[]
  name: string | null
  scopes: string[]
  /** Whether it takes tokens alone that are bound to a key. */
  requireDpop: boolean
}

/** The document names exactly this server, and this service as its authorization server. */
export function judgeDocument(answered: Answered, { identifier, issuer }: { identifier: string; issuer: string }): ReadDocument {
  const expected = '200, application/json'
  const document = 'failure' in answered ? undefined : parseJsonObject(answered.body)
  if ('failure' in answered || answered.response.status !== 200 || document === undefined) {
    const received = 'failure' in answered ? answered.failure : describe(answered.response, document === undefined)
    const findings = [
      finding('publishes-its-metadata', false, expected, received),
      notChecked('names-itself', identifier),
      notChecked('names-this-issuer', issuer),
    ]
    return { findings, name: null, scopes: [], requireDpop: false }
  }
  const { resource, authorization_servers, resource_name, scopes_supported, dpop_bound_access_tokens_required: requireDpop } = document
  const issuers = textsIn(authorization_servers)
  return {
    findings: [
      finding('publishes-its-metadata', true, expected, describe(answered.response)),
      finding('names-itself', resource === identifier, identifier, typeof resource === 'string' ? resource : null),
      finding('names-this-issuer', issuers.includes(issuer), issuer, issuers.length > 0 ? issuers.join(', ') : null),
    ],
    name: typeof resource_name === 'string' && isPlainText(resource_name) ? resource_name.trim().slice(0, 100) || null : null,
    scopes: [...new Set(textsIn(scopes_supported))].filter((scope) => resourceScopeMistake(scope) === undefined).slice(0, scopesMax),
    requireDpop: requireDpop === true,
  }
}

const describe = ({ status, headers }: Response, isNoObject = false): string =>
  [String(status), headers.get('content-type'), status === 200 && isNoObject ? 'no JSON object' : null]
    .filter((one) => one !== null)
    .join(', ')

const textsIn = (value: unknown): string[] => (Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [])
