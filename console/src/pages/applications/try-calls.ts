import type { Client } from '../../api/clients.ts'
import { Problem } from '../../api/problem.ts'
import { referenceIn } from '../../parts/reference.ts'
import type { PublicKey } from './signed-token.ts'
import { claimsFor, type ProofKey, proofOf, type SigningKey, sign } from './signing-key.ts'

export type StepName =
  | 'keys'
  | 'prepare'
  | 'push'
  | 'authorize'
  | 'answer'
  | 'token'
  | 'idToken'
  | 'accessToken'
  | 'userinfo'
  | 'refresh'
  | 'refreshKept'
  | 'introspect'
  | 'revoke'
  | 'after'

/** What the application has signed and sent along. */
export interface Message {
  kind: 'assertion' | 'requestObject' | 'proof'
  text: string
}

export interface Exchange {
  messages?: readonly Message[]
  status?: number
  body?: unknown
}

export interface Step extends Exchange {
  name: StepName
  /** `stopped`: the person has ended the attempt during it. */
  state: 'running' | 'done' | 'failed' | 'stopped' | 'skipped'
  /** The request: the parameters of the authorization request, or a call as curl. */
  parameters?: Record<string, string>
  curl?: string
  /** The first try, which the service has refused only to tell its nonce. */
  withoutNonce?: Exchange
  /** The token to decode, with the expected values of its claims. */
  token?: { text: string; keys: readonly PublicKey[]; expected: Record<string, string> }
  /** The reason why it was skipped or has failed, as a text of the page; or the error of the service. */
  because?: 'closed' | 'noKeys' | 'noOffline' | 'noRefreshGrant' | 'public' | 'noOpenid' | 'otherIssuer'
  error?: unknown
  /** The reference of the refusal, which leads to its explanation. */
  reference?: string
}

export interface Attempt {
  client: Client
  issuer: string
  /** The address of the service, which a proof names, wherever the console is open. */
  publicUrl: string
  grant: 'authorization_code' | 'client_credentials'
  scope: string
  /** The secret of a confidential application. It is sent only to the service. */
  secret: string | undefined
  /** The key with which the application signs. It is sent nowhere. */
  key: SigningKey | undefined
  /** The key to which tokens are bound, for an application that demands it. */
  proofKey?: ProofKey | undefined
  /** The window, opened on the click, since browsers allow it only then. Null when the browser has blocked it: then the user opens it. */
  popup: Window | null
  signal: AbortSignal
  report: (step: Step) => void
}

/** The attempt cannot continue; its failure was reported. */
export class Stopped extends Error {}

export type Answer = {
  access_token?: string
  refresh_token?: string
  id_token?: string
  request_uri?: string
  keys?: readonly PublicKey[]
  error?: string
  error_description?: string
}

interface Call {
  name: StepName
  method: 'GET' | 'POST'
  path: string
  form?: Record<string, string>
  headers?: Record<string, string>
  curl: string
  /** Signed once for all tries. */
  requestObject?: string | undefined
  /** Whether a proof belongs to it. */
  isProven: boolean
  accessToken?: string
  parameters?: Record<string, string>
  isAsExpected: (response: Response, body: Answer | null) => boolean
  /** Why a successful response is not as expected. */
  otherwise?: Step['because']
}

type Own = Pick<Call, 'requestObject' | 'parameters'>

/** Makes one call of the application, without the cookies of the console: it relies on its own credentials. */
export async function call(attempt: Attempt, name: StepName, path: string, form: Record<string, string>, own: Own = {}): Promise<Answer> {
  const { client, secret = '', proofKey } = attempt
  const method = client.tokenEndpointAuthMethod
  const isBasic = method === 'client_secret_basic'
  const isProven = proofKey !== undefined && ['/oauth2/token', '/oauth2/par'].includes(path)
  const credentials = isBasic ? {} : { client_id: client.clientId, ...(method === 'client_secret_post' && { client_secret: secret }) }
  const sent = { ...form, ...credentials }
  const signed = {
    ...(own.requestObject && { request: '' }),
    ...(method === 'private_key_jwt' && { client_assertion_type: assertionType, client_assertion: '' }),
  }
  return send(attempt, {
    ...own,
    name,
    method: 'POST',
    path,
    form: sent,
    ...(isBasic && { headers: { Authorization: `Basic ${btoa(`${encoded(client.clientId)}:${encoded(secret)}`)}` } }),
    curl: asCurl(path, { ...sent, ...signed }, { basicFor: isBasic ? client.clientId : undefined, isProven }),
    isProven,
    isAsExpected: ({ ok }) => ok,
  })
}

export async function callUserinfo(attempt: Attempt, name: 'userinfo' | 'after', accessToken: string): Promise<void> {
  const isProven = attempt.proofKey !== undefined
  const scheme = isProven ? 'DPoP' : 'Bearer'
  await send(attempt, {
    name,
    method: 'GET',
    path: '/oauth2/userinfo',
    headers: { Authorization: `${scheme} ${accessToken}` },
    curl: [
      `curl -sS '${location.origin}/oauth2/userinfo'`,
      `-H "Authorization: ${scheme} $ACCESS_TOKEN"`,
      ...(isProven ? [proofHeader] : []),
    ].join(' \\\n  '),
    isProven,
    accessToken,
    isAsExpected: ({ ok }) => ok === (name === 'userinfo'),
  })
}

/** Reads the keys that the service publishes, without which no signature can be verified. */
export async function callKeys(attempt: Attempt): Promise<readonly PublicKey[]> {
  const path = '/oauth2/jwks.json'
  const { keys = [] } = await send(attempt, {
    name: 'keys',
    method: 'GET',
    path,
    curl: `curl -sS '${location.origin}${path}'`,
    isProven: false,
    isAsExpected: ({ ok }, body) => ok && isKeySet(body?.keys),
    otherwise: 'noKeys',
  })
  return keys
}

const isKeySet = (keys: unknown): boolean =>
  Array.isArray(keys) && keys.length > 0 && keys.every((key) => typeof key === 'object' && key !== null)

const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
const proofHeader = '-H "DPoP: $DPOP_PROOF"'

/** Sends a request, and once more where the service asks for its nonce (RFC 9449 §8): with new messages, since each counts once. */
async function send(attempt: Attempt, asked: Call): Promise<Answer> {
  const { report, signal, proofKey } = attempt
  const { name, method, path, headers = {}, form, curl, parameters, requestObject } = asked
  let withoutNonce: Exchange | undefined
  report({ name, curl, ...(parameters && { parameters }), state: 'running' })
  for (;;) {
    const { messages, fields, proof } = await messagesOf(attempt, asked)
    const step = {
      name,
      curl,
      ...(parameters && { parameters }),
      ...(messages.length > 0 && { messages }),
      ...(withoutNonce && { withoutNonce }),
    }
    report({ ...step, state: 'running' })
    const response = await fetch(path, {
      method,
      credentials: 'omit',
      signal,
      headers: { ...headers, ...(proof !== undefined && { DPoP: proof }) },
      ...(form && { body: new URLSearchParams({ ...form, ...(requestObject && { request: requestObject }), ...fields }) }),
    }).catch((error: unknown) => {
      if (signal.aborted) throw error
      throw Problem.unreachable()
    })
    const { status } = response
    const body = (await response.json().catch(() => null)) as Answer | null
    const nonce = response.headers.get('dpop-nonce')
    if (proofKey && nonce !== null) proofKey.nonce = nonce
    if (body?.error === 'use_dpop_nonce' && !withoutNonce && asked.isProven) {
      withoutNonce = { messages, status, body }
      continue
    }
    if (asked.isAsExpected(response, body)) {
      report({ ...step, state: 'done', status, body })
      return body ?? {}
    }
    const reference = referenceIn(body?.error_description ?? '')
    const because = response.ok ? asked.otherwise : undefined
    report({ ...step, state: 'failed', status, body, ...(reference && { reference }), ...(because && { because }) })
    throw new Stopped()
  }
}

async function messagesOf({ client, issuer, publicUrl, key, proofKey }: Attempt, asked: Call) {
  const { method, path, accessToken, isProven, requestObject } = asked
  const messages: Message[] = []
  const fields: Record<string, string> = {}
  if (requestObject) messages.push({ kind: 'requestObject', text: requestObject })
  if (key && method === 'POST' && client.tokenEndpointAuthMethod === 'private_key_jwt') {
    const claims = { iss: client.clientId, sub: client.clientId, ...claimsFor(issuer) }
    const text = await sign(key, { claims, algorithm: client.tokenEndpointAuthSigningAlg })
    Object.assign(fields, { client_assertion_type: assertionType, client_assertion: text })
    messages.push({ kind: 'assertion', text })
  }
  const url = new URL(path, publicUrl).href
  const proof = proofKey && isProven ? await proofOf(proofKey, { method, url, accessToken }) : undefined
  if (proof !== undefined) messages.push({ kind: 'proof', text: proof })
  return { messages, fields, proof }
}

/** Formats a call, with the secret, tokens and signed messages as shell variables. */
function asCurl(
  path: string,
  form: Record<string, string>,
  { basicFor, isProven }: { basicFor: string | undefined; isProven: boolean },
): string {
  const variables: Record<string, string> = {
    client_secret: 'CLIENT_SECRET',
    client_assertion: 'CLIENT_ASSERTION',
    request: 'REQUEST_OBJECT',
    refresh_token: 'REFRESH_TOKEN',
    token: 'TOKEN',
  }
  const data = Object.entries(form).map(([name, value]) =>
    variables[name] ? `--data-urlencode "${name}=$${variables[name]}"` : `--data-urlencode '${name}=${value}'`,
  )
  const credentials = [...(basicFor ? [`-u "${basicFor}:$CLIENT_SECRET"`] : []), ...(isProven ? [proofHeader] : [])]
  return [`curl -sS '${location.origin}${path}'`, ...credentials, ...data].join(' \\\n  ')
}

/** Form-encodes a text, as each part of the header requires (RFC 6749 §2.3.1). */
const encoded = (text: string) => new URLSearchParams({ '': text }).toString().slice(1)
