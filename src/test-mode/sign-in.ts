import { createHash } from 'node:crypto'
import { z } from 'zod'
import { csrfTokenOf } from '../access/csrf.ts'
import type { Services } from '../app/services.ts'
import { listCredentials } from '../mfa/queries.ts'
import { nextCode } from '../mfa/totp.ts'
import { newSecret } from '../platform/crypto/secrets.ts'
import type { App } from '../platform/http/app.ts'
import { Problem } from '../platform/http/problem.ts'
import type { ProvenFactor } from '../sessions/proven-factors.ts'
import { beginSignIn } from '../sign-in/begin.ts'
import { findAccountOf } from '../sign-in/queries.ts'
import { refusalOf, takeNextStep } from '../sign-in/start-session.ts'
import { type FoundUser, findUser } from './find-user.ts'

export interface BegunSession {
  sessionId: string
  cookie: { name: string; value: string; expires: string }
  csrfToken: string
}

/**
 * Begins a session as after a right password, and a right code for users with a second factor, without any page.
 *
 * @param named the user, by id or e-mail address
 * @param known the same user, if the test mode has made them: it saves to look for them
 * @throws Problem `not-found`, `forbidden` for a user who may not sign in, `conflict` when the sign-in would need a page
 */
export async function beginSession(
  services: Services,
  cookieName: string,
  named: string,
  known: FoundUser | undefined,
): Promise<BegunSession> {
  const { database, keyring, relyingParty } = services
  const { id, organisationId } = known ?? (await findUser(database, named))
  const outcome = await database.transaction(organisationId, async (tenant) => {
    const account = await findAccountOf(tenant, id, relyingParty.id)
    if (!account) return undefined
    const refusal = refusalOf(account)
    if (refusal) throw refusal
    const provenAt = tenant.now
    const factors: ProvenFactor[] = [
      { factor: 'password', provenAt },
      ...(account.mfaEnabled ? [{ factor: 'totp' as const, provenAt }] : []),
    ]
    const origin = beginSignIn({ ipAddress: '127.0.0.1', userAgent: 'test-mode', requestId: null }, tenant.now)
    return takeNextStep(tenant, services, account, origin, { factors, passwordHash: null })
  })
  // A known user may have been deleted.
  if (!outcome) await findUser(database, named)
  if (outcome?.kind !== 'authenticated') throw needsPage(outcome?.kind ?? 'refused')
  const { id: sessionId, token, expiresAt } = outcome.session
  return {
    sessionId,
    cookie: { name: cookieName, value: token, expires: expiresAt.toISOString() },
    csrfToken: csrfTokenOf(keyring, token),
  }
}

export const AskedTokens = z.strictObject({
  user: z.string().meta({ description: 'Id or e-mail address', example: 'anna@acme.test' }),
  clientId: z.string().meta({ description: 'Id of the client', example: 'cli_01j5a7k3m9q2w4e6r8t0y1u3i5' }),
  clientSecret: z.string().optional().meta({ description: 'Its secret, unless the test mode has made the client', example: 'cs_…' }),
  redirectUri: z.url().optional().meta({ description: 'The first of the client by default', example: 'https://app.test/callback' }),
  scope: z.string().default('openid').meta({ description: 'Scope', example: 'openid profile' }),
  nonce: z.string().optional().meta({ description: 'Nonce', example: 'n-0S6_WzA2Mj' }),
  parameters: z
    .record(z.string(), z.string())
    .default({})
    .meta({ description: 'Further parameters of the authorization request', example: { acr_values: 'mfa' } }),
})
export type AskedTokens = z.output<typeof AskedTokens>

/** A client that the test mode has made, whose secret the service has forgotten. */
export interface KnownClient {
  secret: string | null
  redirectUris: readonly string[]
}

/**
 * Gets tokens by the authorization code flow with PKCE, over the routes of the service.
 *
 * @returns the status and the body of the token endpoint
 * @throws Problem `conflict` when the flow leads to a page, such as one that asks for consent
 */
export async function getTokens(
  app: App,
  services: Services,
  asked: AskedTokens,
  { client, user }: { client: KnownClient | undefined; user: FoundUser | undefined },
): Promise<{ status: number; body: unknown }> {
  const { cookie } = await beginSession(services, app.sessionCookieName, asked.user, user)
  const verifier = newSecret()
  const redirectUri = asked.redirectUri ?? client?.redirectUris[0] ?? ''
  const authorization = new URLSearchParams({
    response_type: 'code',
    client_id: asked.clientId,
    redirect_uri: redirectUri,
    scope: asked.scope,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...(asked.nonce !== undefined && { nonce: asked.nonce }),
    ...asked.parameters,
  })
  const authorized = await app.inject({ url: `/oauth2/authorize?${authorization}`, headers: { cookie: `${cookie.name}=${cookie.value}` } })
  const location = String(authorized.headers.location ?? '')
  const answer = URL.canParse(location) ? new URL(location).searchParams : undefined
  const code = answer?.get('code')
  if (!code)
    throw needsPage(
      answer?.get('error_description') ?? answer?.get('error') ?? (location.split('?')[0] || `status ${authorized.statusCode}`),
    )
  const secret = asked.clientSecret ?? client?.secret
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
    ...(!secret && { client_id: asked.clientId }),
  })
  const { statusCode, payload } = await app.inject({
    method: 'POST',
    url: '/oauth2/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...(secret && { authorization: basic(asked.clientId, secret) }) },
    payload: form.toString(),
  })
  return { status: statusCode, body: JSON.parse(payload) }
}

/**
 * The code of a user's authenticator app that is accepted next. Each counts once.
 *
 * @throws Problem `not-found` for an unknown user, or one without an app, `conflict` when a later time is needed for the next code
 */
export async function nextCodeOf({ database, keyring }: Services, named: string): Promise<string> {
  const { id, organisationId } = await findUser(database, named)
  const tenant = database.tenant(organisationId)
  const credential = (await listCredentials(tenant, id)).find(({ method }) => method === 'totp')
  if (!credential?.secretEncrypted) throw new Problem('no-authenticator-app', 'not-found', 'This user has no authenticator app')
  const secret = keyring.decrypt(credential.secretEncrypted, credential.id)
  const { code, acceptedFrom } = nextCode(secret, tenant.now, credential.lastUsedStep)
  if (acceptedFrom <= tenant.now) return code
  const when = `the next one is accepted from ${acceptedFrom.toISOString()}`
  throw new Problem('code-used', 'conflict', `The codes of this moment have been used, and ${when}: advance the clock`)
}

const needsPage = (why: string) => new Problem('page-needed', 'conflict', `This sign-in does not end without a page: ${why}`)

const basic = (id: string, secret: string) =>
  `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`
