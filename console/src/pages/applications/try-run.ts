import { answerOf, api } from '../../api/client.ts'
import type { Client } from '../../api/clients.ts'
import { referenceIn } from '../../parts/reference.ts'
import { withRedirectUri } from '../../parts/try-redirect-uri.ts'
import { base64url, type PublicKey } from './signed-token.ts'
import { answerTo, type TryAnswer, tryPath } from './try-channel.ts'

export type StepName =
  | 'prepare'
  | 'authorize'
  | 'answer'
  | 'token'
  | 'idToken'
  | 'accessToken'
  | 'userinfo'
  | 'refresh'
  | 'introspect'
  | 'revoke'
  | 'after'

export interface Step {
  name: StepName
  state: 'running' | 'done' | 'failed' | 'skipped'
  /** The request: the parameters of the authorization request, or a call as curl. */
  parameters?: Record<string, string>
  curl?: string
  status?: number
  body?: unknown
  /** The token to decode, with the expected values of its claims. */
  token?: { text: string; keys: readonly PublicKey[]; expected: Record<string, string> }
  /** The reason why it was skipped or has failed, as a text of the page; or the error of the service. */
  because?: 'closed' | 'noOffline' | 'noRefreshGrant' | 'public' | 'noOpenid' | 'otherIssuer'
  error?: unknown
  /** The reference of the refusal, which leads to its explanation. */
  reference?: string
}

export interface Attempt {
  client: Client
  issuer: string
  grant: 'authorization_code' | 'client_credentials'
  scope: string
  /** The secret of a confidential application. It is sent only to the service. */
  secret: string | undefined
  /** The window, opened on the click, since browsers allow it only then. Null when the browser has blocked it: then the user opens it. */
  popup: Window | null
  signal: AbortSignal
  report: (step: Step) => void
}

/** The attempt cannot continue; its failure was reported. */
class Stopped extends Error {}

/** Runs the flow of an application as the application would, and reports each step as it happens. */
export async function runAttempt(attempt: Attempt): Promise<void> {
  try {
    await (attempt.grant === 'client_credentials' ? runClientCredentials(attempt) : runSignIn(attempt))
  } catch (error) {
    if (!(error instanceof Stopped) && !attempt.signal.aborted) throw error
  } finally {
    attempt.popup?.close()
  }
}

async function runSignIn(attempt: Attempt): Promise<void> {
  const { client, issuer, report } = attempt
  const keys = await publishedKeys()
  const verifier = random()
  const nonce = random()
  const redirectUri = location.origin + tryPath
  const code = await askForCode(attempt, { verifier, nonce, redirectUri })
  const tokens = await call(attempt, 'token', '/oauth2/token', {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
  })
  const { access_token: accessToken = '', id_token: idToken, refresh_token: refreshToken } = tokens
  if (idToken) {
    const expected = { iss: issuer, aud: client.clientId, nonce }
    report({ name: 'idToken', state: 'done', token: { text: idToken, keys, expected } })
  } else report({ name: 'idToken', state: 'skipped', because: 'noOpenid' })
  report({ name: 'accessToken', state: 'done', token: { text: accessToken, keys, expected: { iss: issuer, client_id: client.clientId } } })
  if (attempt.scope.split(' ').includes('openid')) await callUserinfo(attempt, 'userinfo', accessToken)
  else report({ name: 'userinfo', state: 'skipped', because: 'noOpenid' })
  const latest = refreshToken ? await refresh(attempt, refreshToken) : skipRefresh(attempt)
  await endTokens(attempt, latest?.access_token ?? accessToken, latest?.refresh_token)
}

function skipRefresh({ client, report }: Attempt): undefined {
  report({ name: 'refresh', state: 'skipped', because: client.grantTypes.includes('refresh_token') ? 'noOffline' : 'noRefreshGrant' })
}

const refresh = (attempt: Attempt, refreshToken: string) =>
  call(attempt, 'refresh', '/oauth2/token', { grant_type: 'refresh_token', refresh_token: refreshToken })

/** Introspects the token before and after the revocation; a public application sees the end of its token at userinfo. */
async function endTokens(attempt: Attempt, accessToken: string, refreshToken: string | undefined): Promise<void> {
  const isPublic = attempt.client.clientType === 'public'
  if (isPublic) attempt.report({ name: 'introspect', state: 'skipped', because: 'public' })
  else await call(attempt, 'introspect', '/oauth2/introspect', { token: accessToken })
  await call(attempt, 'revoke', '/oauth2/revoke', { token: refreshToken ?? accessToken })
  if (!isPublic) await call(attempt, 'after', '/oauth2/introspect', { token: accessToken })
  else if (attempt.scope.split(' ').includes('openid')) await callUserinfo(attempt, 'after', accessToken)
}

async function runClientCredentials(attempt: Attempt): Promise<void> {
  const { client, issuer, report, scope } = attempt
  const keys = await publishedKeys()
  const tokens = await call(attempt, 'token', '/oauth2/token', { grant_type: 'client_credentials', ...(scope && { scope }) })
  const { access_token: text = '' } = tokens
  report({ name: 'accessToken', state: 'done', token: { text, keys, expected: { iss: issuer, client_id: client.clientId } } })
  await endTokens(attempt, text, undefined)
}

interface Proof {
  verifier: string
  nonce: string
  redirectUri: string
}

export const authorizeUrl = (parameters: Record<string, string>) => `${location.origin}/oauth2/authorize?${new URLSearchParams(parameters)}`

/** Opens the sign-in while the redirect URI is registered, and returns the code. */
async function askForCode(attempt: Attempt, { verifier, nonce, redirectUri }: Proof): Promise<string> {
  const { client, popup, report, scope, signal } = attempt
  report({ name: 'prepare', state: 'running' })
  const work = async (): Promise<string> => {
    report({ name: 'prepare', state: 'done' })
    const state = random()
    const parameters = {
      response_type: 'code',
      client_id: client.clientId,
      redirect_uri: redirectUri,
      scope,
      state,
      nonce,
      code_challenge: await challengeOf(verifier),
      code_challenge_method: 'S256',
    }
    report({ name: 'authorize', state: 'running', parameters })
    const ended = new AbortController()
    const answering = answerTo(state, AbortSignal.any([signal, ended.signal]))
    answering.catch(() => {})
    if (popup) popup.location.href = authorizeUrl(parameters)
    try {
      const outcome = await Promise.race([answering, otherwise(attempt, state, ended.signal)])
      if ('kind' in outcome) {
        report({ name: 'authorize', state: 'failed', parameters, ...outcome.step })
        throw new Stopped()
      }
      report({ name: 'authorize', state: 'done', parameters })
      return readAnswer(attempt, outcome)
    } finally {
      ended.abort()
    }
  }
  try {
    return await withRedirectUri(client.id, redirectUri, work)
  } catch (error) {
    if (!(error instanceof Stopped) && !signal.aborted) report({ name: 'prepare', state: 'failed', error })
    throw error instanceof Stopped ? error : new Stopped()
  }
}

function readAnswer({ issuer, report }: Attempt, answer: TryAnswer): string {
  const { code, error, error_description: description, iss } = answer
  const parameters = { ...answer } as Record<string, string>
  const reference = referenceIn(description ?? '')
  if (error || !code) report({ name: 'answer', state: 'failed', parameters, ...(reference && { reference }) })
  else if (iss !== undefined && iss !== issuer) report({ name: 'answer', state: 'failed', parameters, because: 'otherIssuer' })
  else {
    report({ name: 'answer', state: 'done', parameters })
    return code
  }
  throw new Stopped()
}

/** Detects that no response will come: the window shows a refusal, or was closed. */
async function otherwise({ client, popup }: Attempt, state: string, signal: AbortSignal): Promise<{ kind: 'none'; step: Partial<Step> }> {
  const from = new Date(Date.now() - 60_000).toISOString()
  for (let rounds = 1; ; rounds++) {
    await pause(500, signal)
    if (popup?.closed) {
      // The window sends its response before it closes.
      await pause(500, signal)
      return { kind: 'none', step: { because: 'closed' } }
    }
    if (rounds % 4 !== 0) continue
    const query = { clientId: client.id, from, limit: 5 }
    const { data } = await answerOf(api.GET('/v1/admin/diagnostics', { params: { query }, signal }))
    const refusal = data.find(({ parameters: { state: sent } }) => sent === state)
    if (refusal) return { kind: 'none', step: { reference: refusal.reference } }
  }
}

const pause = (milliseconds: number, signal: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })

type Tokens = { access_token?: string; refresh_token?: string; id_token?: string }

/** Makes one call of the application, without the cookies of the console: it relies on its own credentials. */
async function call(attempt: Attempt, name: StepName, path: string, form: Record<string, string>): Promise<Tokens> {
  const { client, secret = '', report, signal } = attempt
  const method = client.tokenEndpointAuthMethod
  const isBasic = method === 'client_secret_basic'
  const credentials = isBasic ? {} : { client_id: client.clientId, ...(method === 'client_secret_post' && { client_secret: secret }) }
  const curl = asCurl(path, { ...form, ...credentials }, isBasic ? client.clientId : undefined)
  report({ name, state: 'running', curl })
  const authorization = isBasic ? { Authorization: `Basic ${btoa(`${encoded(client.clientId)}:${encoded(secret)}`)}` } : undefined
  const body = new URLSearchParams({ ...form, ...credentials })
  const response = await fetch(path, {
    method: 'POST',
    credentials: 'omit',
    body,
    signal,
    ...(authorization && { headers: authorization }),
  })
  return reportResponse(attempt, { name, curl }, response, response.ok)
}

async function callUserinfo(attempt: Attempt, name: 'userinfo' | 'after', accessToken: string): Promise<void> {
  const curl = `curl -sS '${location.origin}/oauth2/userinfo' \\\n  -H "Authorization: Bearer $ACCESS_TOKEN"`
  attempt.report({ name, state: 'running', curl })
  const headers = { Authorization: `Bearer ${accessToken}` }
  const response = await fetch('/oauth2/userinfo', { credentials: 'omit', headers, signal: attempt.signal })
  await reportResponse(attempt, { name, curl }, response, response.ok === (name === 'userinfo'))
}

async function reportResponse(
  { report }: Attempt,
  step: Pick<Step, 'name' | 'curl'>,
  response: Response,
  isAsExpected: boolean,
): Promise<Tokens> {
  const { status } = response
  const body = (await response.json().catch(() => null)) as (Tokens & { error_description?: string }) | null
  if (isAsExpected) {
    report({ ...step, state: 'done', status, body })
    return body ?? {}
  }
  const reference = referenceIn(body?.error_description ?? '')
  report({ ...step, state: 'failed', status, body, ...(reference && { reference }) })
  throw new Stopped()
}

/** Formats a call, with the secret and tokens as shell variables. */
function asCurl(path: string, form: Record<string, string>, basicFor: string | undefined): string {
  const variables: Record<string, string> = { client_secret: 'CLIENT_SECRET', refresh_token: 'REFRESH_TOKEN', token: 'TOKEN' }
  const data = Object.entries(form).map(([name, value]) =>
    variables[name] ? `--data-urlencode "${name}=$${variables[name]}"` : `--data-urlencode '${name}=${value}'`,
  )
  const lines = [`curl -sS '${location.origin}${path}'`, ...(basicFor ? [`-u "${basicFor}:$CLIENT_SECRET"`] : []), ...data]
  return lines.join(' \\\n  ')
}

/** Form-encodes a text, as each part of the header requires (RFC 6749 §2.3.1). */
const encoded = (text: string) => new URLSearchParams({ '': text }).toString().slice(1)

async function publishedKeys(): Promise<readonly PublicKey[]> {
  const response = await fetch('/oauth2/jwks.json', { credentials: 'omit' })
  return ((await response.json()) as { keys: PublicKey[] }).keys
}

const random = () => base64url(crypto.getRandomValues(new Uint8Array(32)))

const challengeOf = async (verifier: string) =>
  base64url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))))
