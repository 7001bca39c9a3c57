import { answerOf, api } from '../../api/client.ts'
import { randomText } from '../../base/base64url.ts'
import { referenceIn } from '../../parts/reference.ts'
import { withRedirectUri } from '../../parts/try-redirect-uri.ts'
import { claimsFor, makeProofKey, type SigningKey, sha256, sign } from './signing-key.ts'
import { type Attempt, call, callKeys, callUserinfo, type Step, Stopped } from './try-calls.ts'
import { answerTo, type TryAnswer, tryPath } from './try-channel.ts'

/**
 * Runs the flow of an application as the application would, and reports each step as it happens. Whatever ends it early is reported at
 * the step during which it did.
 */
export async function runAttempt(asked: Attempt): Promise<void> {
  let current: Step = { name: 'keys', state: 'running' }
  const report = (step: Step) => {
    current = step
    asked.report(step)
  }
  try {
    const attempt = { ...asked, report, proofKey: asked.client.requireDpop ? await makeProofKey() : undefined }
    await (attempt.grant === 'client_credentials' ? runClientCredentials(attempt) : runSignIn(attempt))
  } catch (error) {
    if (error instanceof Stopped) return
    report(asked.signal.aborted ? { ...current, state: 'stopped' } : { ...current, state: 'failed', error })
  } finally {
    asked.popup?.close()
  }
}

async function runSignIn(attempt: Attempt): Promise<void> {
  const { client, issuer, report } = attempt
  const keys = await callKeys(attempt)
  const verifier = randomText()
  const nonce = randomText()
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
  await endTokens(attempt, latest?.access_token ?? accessToken, latest?.refresh_token ?? refreshToken)
}

function skipRefresh({ client, report }: Attempt): undefined {
  report({ name: 'refresh', state: 'skipped', because: client.grantTypes.includes('refresh_token') ? 'noOffline' : 'noRefreshGrant' })
}

/** By the profile, the token stays the same (FAPI 2.0 Security Profile §5.3.2.1). */
const refresh = (attempt: Attempt, refreshToken: string) =>
  call(attempt, attempt.client.profile === 'fapi2' ? 'refreshKept' : 'refresh', '/oauth2/token', {
    grant_type: 'refresh_token',
    refresh_token: refreshToken,
  })

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
  const keys = await callKeys(attempt)
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

/** What the browser is sent with: the parameters, those that the application has signed, or the reference of those that it has pushed. */
async function requestOf(attempt: Attempt, parameters: Record<string, string>): Promise<Pick<Step, 'parameters' | 'messages'>> {
  const { client, issuer, key } = attempt
  const client_id = client.clientId
  const requestObject = client.requireSignedRequestObject
    ? await sign(key as SigningKey, {
        header: { typ: 'oauth-authz-req+jwt' },
        claims: { iss: client_id, ...claimsFor(issuer), ...parameters },
        algorithm: client.requestObjectSigningAlg,
      })
    : undefined
  const unsigned = requestObject ? { client_id } : parameters
  if (client.requirePushedAuthorizationRequests) {
    const shown = { requestObject, parameters }
    const { request_uri = '' } = await call(attempt, 'push', '/oauth2/par', unsigned, shown)
    return { parameters: { client_id, request_uri } }
  }
  if (!requestObject) return { parameters }
  return { parameters: { ...unsigned, request: requestObject }, messages: [{ kind: 'requestObject', text: requestObject }] }
}

/** Opens the sign-in while the redirect URI is registered, and returns the code. */
async function askForCode(attempt: Attempt, { verifier, nonce, redirectUri }: Proof): Promise<string> {
  const { client, popup, report, scope, signal } = attempt
  report({ name: 'prepare', state: 'running' })
  const work = async (): Promise<string> => {
    report({ name: 'prepare', state: 'done' })
    report({ name: client.requirePushedAuthorizationRequests ? 'push' : 'authorize', state: 'running' })
    signal.throwIfAborted()
    const state = randomText()
    const { parameters = {}, ...signed } = await requestOf(attempt, {
      response_type: 'code',
      client_id: client.clientId,
      redirect_uri: redirectUri,
      scope,
      state,
      nonce,
      code_challenge: await sha256(verifier),
      code_challenge_method: 'S256',
    })
    const request = { name: 'authorize', parameters, ...signed } as const
    report({ ...request, state: 'running' })
    const former = parameters.state === undefined ? new Set((await refusalsOf(attempt)).map(({ reference }) => reference)) : undefined
    const ended = new AbortController()
    const answering = answerTo(state, AbortSignal.any([signal, ended.signal]))
    answering.catch(() => {})
    if (popup) popup.location.href = authorizeUrl(parameters)
    try {
      const outcome = await Promise.race([answering, otherwise(attempt, { state, former }, ended.signal)])
      if ('kind' in outcome) {
        report({ ...request, state: 'failed', ...outcome.step })
        throw new Stopped()
      }
      report({ ...request, state: 'done' })
      return readAnswer(attempt, outcome)
    } finally {
      ended.abort()
    }
  }
  return withRedirectUri(client.id, redirectUri, work)
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

interface Expected {
  state: string
  /** What was refused before, where the browser does not bring the state along. */
  former: ReadonlySet<string> | undefined
}

/** Detects that no response will come: the window shows a refusal, or was closed. */
async function otherwise(
  attempt: Attempt,
  { state, former }: Expected,
  signal: AbortSignal,
): Promise<{ kind: 'none'; step: Partial<Step> }> {
  for (let rounds = 1; ; rounds++) {
    await pause(500, signal)
    if (attempt.popup?.closed) {
      // The window sends its response before it closes.
      await pause(500, signal)
      return { kind: 'none', step: { because: 'closed' } }
    }
    if (rounds % 4 !== 0) continue
    const refusal = (await refusalsOf(attempt, signal)).find(({ reference, parameters: { state: sent } }) =>
      former && sent === undefined ? !former.has(reference) : sent === state,
    )
    if (refusal) return { kind: 'none', step: { reference: refusal.reference } }
  }
}

async function refusalsOf({ client, signal }: Attempt, until = signal) {
  const from = new Date(Date.now() - 60_000).toISOString()
  const query = { clientId: client.id, from, limit: 5 }
  return (await answerOf(api.GET('/v1/admin/diagnostics', { params: { query }, signal: until }))).data
}

const pause = (milliseconds: number, signal: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    signal.throwIfAborted()
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
