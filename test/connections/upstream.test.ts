import { describe, expect, it } from 'vitest'
import { UpstreamRefusal } from '../../src/connections/upstream/checks.ts'
import type { UpstreamSettings } from '../../src/connections/upstream/settings.ts'
import { createUpstream } from '../../src/connections/upstream/upstream.ts'
import { type Behaviour, type IdentityProvider, identityProvider } from '../support/identity-provider.ts'

const issuer = 'https://idp.example.test'
const redirectUri = 'https://gatehouse.example.test/federation/conn_1/callback'
const expected = { state: 'state-of-the-request', nonce: 'nonce-of-the-request', verifier: 'v'.repeat(43) }

const settingsOf = (changes: Partial<UpstreamSettings> = {}): UpstreamSettings => ({
  provider: 'oidc',
  configuration: { issuer, clientId: 'gatehouse', emailTrust: 'verified_claim', userInfo: false },
  secrets: ['secret'],
  redirectUri,
  verifiedDomains: [],
  ...changes,
})

const withConfiguration = (changes: Partial<UpstreamSettings['configuration']>) =>
  settingsOf({ configuration: { ...settingsOf().configuration, ...changes } })

/** A sign-in at an identity provider, from the start to the identity. */
async function signIn(
  provider: IdentityProvider,
  { upstream = upstreamOf(provider), settings = settingsOf(), maxAge = undefined as number | undefined } = {},
) {
  const url = await upstream.authorizationUrlOf(settings, { ...expected, maxAge })
  const back = new URL(provider.authorize(url.searchParams))
  return upstream.identityFrom(settings, back.searchParams, { ...expected, maxAge })
}

const upstreamOf = (provider: IdentityProvider, clock = { now: () => new Date() }) => createUpstream({ fetch: provider.fetch, clock })

async function refusalOf(attempt: Promise<unknown>): Promise<UpstreamRefusal> {
  const error = await attempt.catch((reason: unknown) => reason)
  if (!(error instanceof UpstreamRefusal))
    throw new Error(`It was not refused: ${error instanceof Error ? error.stack : JSON.stringify(error)}`)
  return error
}

const failedChecks = async (attempt: Promise<unknown>) =>
  (await refusalOf(attempt)).checks.filter(({ passed }) => !passed).map(({ name }) => name)

async function bent(changes: Partial<Behaviour>): Promise<IdentityProvider> {
  const provider = await identityProvider({ issuer })
  Object.assign(provider.behaviour, changes)
  return provider
}

const secondsAgo = (seconds: number) => Math.floor(Date.now() / 1_000) - seconds

describe('a sign-in at an identity provider', () => {
  it('gives the identity, with every check that was made', async () => {
    const identity = await signIn(await bent({ claims: (claims) => ({ ...claims, amr: ['pwd', 'mfa'], acr: 'high', sid: 'session-1' }) }))

    expect(identity).toMatchObject({
      subject: 'user-1',
      email: 'ada@example.com',
      emailIsProven: true,
      amr: ['pwd', 'mfa'],
      acr: 'high',
      sessionId: 'session-1',
    })
    expect(identity.checks.map(({ name }) => name)).toEqual([
      'discovery issuer',
      'state',
      'response',
      'token endpoint',
      'alg',
      'iss',
      'aud',
      'exp',
      'iat',
      'nonce',
      'signature',
      'subject',
      'address',
    ])
    expect(identity.checks.every(({ passed }) => passed)).toBe(true)
    expect(JSON.stringify(identity.checks)).not.toContain(expected.nonce)
  })

  it('asks for a code with PKCE, state and nonce, and with what the connection adds', async () => {
    const settings = withConfiguration({ extraParameters: { domain_hint: 'example.com', state: 'bent' } })
    const url = await upstreamOf(await bent({})).authorizationUrlOf(settings, {
      ...expected,
      loginHint: 'ada@example.com',
      prompt: 'login',
      maxAge: 60,
    })

    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: 'gatehouse',
      response_type: 'code',
      redirect_uri: redirectUri,
      scope: 'openid email profile',
      state: expected.state,
      nonce: expected.nonce,
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
      login_hint: 'ada@example.com',
      prompt: 'login',
      max_age: '60',
      domain_hint: 'example.com',
    })
  })

  it.each<[string, string, Partial<Behaviour>]>([
    ['names another issuer', 'iss', { claims: (claims) => ({ ...claims, iss: 'https://other.example.test' }) }],
    ['is for another client', 'aud', { claims: (claims) => ({ ...claims, aud: 'other' }) }],
    [
      'is for several clients and was issued to another',
      'azp',
      { claims: (claims) => ({ ...claims, aud: ['gatehouse', 'other'], azp: 'other' }) },
    ],
    [
      'is for several clients and does not say to whom it was issued',
      'azp',
      { claims: (claims) => ({ ...claims, aud: ['gatehouse', 'other'] }) },
    ],
    ['was issued to another client', 'azp', { claims: (claims) => ({ ...claims, azp: 'other' }) }],
    ['has another nonce', 'nonce', { claims: (claims) => ({ ...claims, nonce: 'other' }) }],
    ['has no nonce', 'nonce', { claims: ({ nonce: _nonce, ...claims }) => claims }],
    ['has expired', 'exp', { claims: (claims) => ({ ...claims, iat: secondsAgo(400), exp: secondsAgo(61) }) }],
    ['is older than ten minutes', 'iat', { claims: (claims) => ({ ...claims, iat: secondsAgo(661) }) }],
    ['is of the future', 'iat', { claims: (claims) => ({ ...claims, iat: secondsAgo(-120) }) }],
    ['names no subject', 'subject', { claims: (claims) => ({ ...claims, sub: '' }) }],
    ['is signed by a key that is not published', 'signature', { header: { kid: 'unknown' } }],
    [
      'has been changed',
      'signature',
      { idToken: (token) => token.replace(/\.[^.]+\./, `.${encode({ ...decode(token), email: 'eve@example.com' })}.`) },
    ],
    ['is not signed', 'alg', { idToken: (token) => `${encode({ alg: 'none' })}.${token.split('.')[1]}.` }],
    ['is signed with the secret', 'alg', { idToken: (token) => `${encode({ alg: 'HS256' })}.${token.split('.')[1]}.c2lnbmF0dXJl` }],
    [
      'is signed with an algorithm that is not allowed',
      'alg',
      { idToken: (token) => `${encode({ alg: 'ES384' })}.${token.split('.')[1]}.c2lnbmF0dXJl` },
    ],
    ['is none', 'token endpoint', { idToken: () => undefined }],
    ['is no token', 'token endpoint', { idToken: () => 'nonsense' }],
  ])('is refused when the ID token %s', async (_name, failed, behaviour) => {
    expect((await failedChecks(signIn(await bent(behaviour))))[0]).toBe(failed)
  })

  it('takes a clock that is wrong by a minute', async () => {
    await signIn(await bent({ claims: (claims) => ({ ...claims, iat: secondsAgo(-55) }) }))
    await signIn(await bent({ claims: (claims) => ({ ...claims, iat: secondsAgo(300), exp: secondsAgo(50) }) }))
  })

  it.each<[string, string, Partial<Behaviour>]>([
    ['another state', 'state', { response: (parameters) => ({ ...parameters, state: 'other' }) }],
    ['another issuer', 'iss of the response', { response: (parameters) => ({ ...parameters, iss: 'https://other.example.test' }) }],
    [
      'no issuer although it was advertised',
      'iss of the response',
      { metadata: (metadata) => ({ ...metadata, authorization_response_iss_parameter_supported: true }) },
    ],
    ['an error', 'response', { response: ({ state = '' }) => ({ state, error: 'access_denied', error_description: 'Not today' }) }],
    ['no code', 'response', { response: ({ state = '' }) => ({ state }) }],
    ['an unknown code', 'token endpoint', { response: (parameters) => ({ ...parameters, code: 'unknown' }) }],
  ])('is refused when the response has %s', async (_name, failed, behaviour) => {
    expect(await failedChecks(signIn(await bent(behaviour)))).toEqual([failed])
  })

  it('says whose doing a failure is', async () => {
    const faultOf = async (behaviour: Partial<Behaviour>) => (await refusalOf(signIn(await bent(behaviour)))).fault

    expect(await faultOf({ response: ({ state = '' }) => ({ state, error: 'access_denied' }) })).toBe('browser')
    expect(await faultOf({ response: (parameters) => ({ ...parameters, code: 'unknown' }) })).toBe('browser')
    expect(await faultOf({ secrets: ['other'] })).toBe('upstream')
    expect(await faultOf({ header: { kid: 'unknown' } })).toBe('upstream')
  })

  it('is refused when the discovery document is of another issuer, or cannot be read', async () => {
    const failed = async (behaviour: Partial<Behaviour>) => (await failedChecks(signIn(await bent(behaviour))))[0]
    const answering = (response: () => Response): Partial<Behaviour> => ({
      intercept: (path) => (path.endsWith('openid-configuration') ? response() : undefined),
    })

    expect(await failed({ metadata: (metadata) => ({ ...metadata, issuer: 'https://other.example.test' }) })).toBe('discovery')
    expect(await failed(answering(() => new Response('{', { status: 200 })))).toBe('discovery')
    expect(
      await failed(answering(() => new Response(null, { status: 302, headers: { location: 'https://elsewhere.example.test' } }))),
    ).toBe('discovery')
    expect(await failed(answering(() => new Response('down', { status: 503 })))).toBe('discovery')
  })

  it('says what happened when the identity provider cannot be reached', async () => {
    const provider = await bent({})
    const fetch = async () => {
      throw new TypeError('fetch failed', { cause: new Error('idp.example.test resolves to a private address') })
    }
    const attempt = signIn(provider, { upstream: createUpstream({ fetch, clock: { now: () => new Date() } }) })

    await expect(attempt).rejects.toMatchObject({ fault: 'upstream', message: expect.stringContaining('resolves to a private address') })
  })

  it('requires the time of the sign-in where a new one was asked for', async () => {
    const at = (seconds: number) => bent({ claims: (claims) => ({ ...claims, auth_time: secondsAgo(seconds) }) })

    expect((await failedChecks(signIn(await bent({}), { maxAge: 0 })))[0]).toBe('auth_time')
    expect((await failedChecks(signIn(await at(200), { maxAge: 100 })))[0]).toBe('auth_time')
    expect(await signIn(await at(20), { maxAge: 100 })).toMatchObject({ authTime: expect.any(Date) })
  })
})

describe('the UserInfo endpoint', () => {
  const settings = withConfiguration({ userInfo: true })

  it('completes the claims', async () => {
    const provider = await bent({ claims: ({ email: _email, email_verified: _verified, ...claims }) => claims })

    expect(await signIn(provider, { settings })).toMatchObject({ email: 'ada@example.com', emailIsProven: true })
  })

  it('says nothing of the sign-in, which the ID token alone does', async () => {
    const said = { amr: ['mfa'], acr: 'high', auth_time: 1, iat: 1, sid: 'session-1' }
    const provider = await bent({ userInfo: (claims) => ({ ...claims, ...said }) })

    const identity = await signIn(provider, { settings })
    expect(identity).toMatchObject({ amr: [], acr: undefined, authTime: undefined, sessionId: undefined })
    expect(identity.issuedAt?.getTime()).toBeGreaterThan(1_000)
  })

  it('is refused when it speaks of another subject', async () => {
    expect(await failedChecks(signIn(await bent({ userInfo: (claims) => ({ ...claims, sub: 'user-2' }) }), { settings }))).toEqual([
      'sub of UserInfo',
    ])
  })

  it('does not prove the address of the ID token', async () => {
    const provider = await bent({
      claims: ({ email_verified: _verified, ...claims }) => claims,
      userInfo: (claims) => ({ ...claims, email: 'other@example.com', email_verified: true }),
    })

    expect(await signIn(provider, { settings })).toMatchObject({ email: 'ada@example.com', emailIsProven: false })
  })
})

describe('the keys of an identity provider', () => {
  const keysAskedFor = ({ requests }: IdentityProvider) => requests.filter((path) => path === '/jwks').length

  it('are read once in ten minutes, as discovery is', async () => {
    const provider = await bent({})
    let now = Date.now()
    const upstream = upstreamOf(provider, { now: () => new Date(now) })
    provider.behaviour.claims = (claims) => ({ ...claims, iat: now / 1_000, exp: now / 1_000 + 300 })
    await signIn(provider, { upstream })
    now += 9 * 60_000
    await signIn(provider, { upstream })
    expect(keysAskedFor(provider)).toBe(1)
    now += 2 * 60_000
    await signIn(provider, { upstream })

    expect(keysAskedFor(provider)).toBe(2)
    expect(provider.requests.filter((path) => path.includes('well-known'))).toHaveLength(2)
  })

  it('are read again for an unknown one, at most once a minute', async () => {
    const provider = await bent({})
    let now = Date.now()
    const upstream = upstreamOf(provider, { now: () => new Date(now) })
    provider.behaviour.claims = (claims) => ({ ...claims, iat: now / 1_000, exp: now / 1_000 + 300 })
    await signIn(provider, { upstream })
    await provider.rotateKeys()
    expect(await failedChecks(signIn(provider, { upstream }))).toEqual(['signature'])
    now += 61_000
    await signIn(provider, { upstream })
    provider.behaviour.header = { kid: 'unknown' }
    await failedChecks(signIn(provider, { upstream }))
    await failedChecks(signIn(provider, { upstream }))

    expect(keysAskedFor(provider)).toBe(2)
  })

  it('are read by one request for sign-ins at the same time', async () => {
    const provider = await bent({})
    const upstream = upstreamOf(provider)
    await Promise.all(Array.from({ length: 5 }, () => signIn(provider, { upstream })))

    expect(keysAskedFor(provider)).toBe(1)
  })

  it('are read again at once when an administrator asks', async () => {
    const provider = await bent({})
    const upstream = upstreamOf(provider)
    await signIn(provider, { upstream })
    await provider.rotateKeys({ drop: true })
    await upstream.refresh(settingsOf())

    await signIn(provider, { upstream })
  })
})

describe('the secret of a connection', () => {
  it('is sent as the connection says', async () => {
    const provider = await bent({})
    const ways = ['client_secret_basic', 'client_secret_post'] as const
    for (const clientAuthentication of ways) await signIn(provider, { settings: withConfiguration({ clientAuthentication }) })
    expect(provider.authentications).toEqual(ways)
  })

  it('is followed by the previous one while both hold', async () => {
    const settings = settingsOf({ secrets: ['new', 'old'] })

    await signIn(await bent({ secrets: ['old'] }), { settings })
    await signIn(await bent({ secrets: ['new'] }), { settings })
    expect(await failedChecks(signIn(await bent({ secrets: ['other'] }), { settings }))).toEqual(['token endpoint'])
  })
})

describe('an address', () => {
  it.each<[string, boolean, Partial<UpstreamSettings>, Record<string, unknown>]>([
    ['verified, where the claim is trusted', true, {}, {}],
    ['not verified, where the claim is trusted', false, {}, { email_verified: false }],
    ['verified by a text', false, {}, { email_verified: 'true' }],
    ['of another claim than the verified one', false, { emailClaim: 'mail' }, { mail: 'ada@example.com' }],
    ['where nothing is trusted', false, withConfiguration({ emailTrust: undefined }), {}],
    [
      'of a verified domain, where that is trusted',
      true,
      { ...withConfiguration({ emailTrust: 'verified_domain' }), verifiedDomains: ['example.com'] },
      {},
    ],
    ['of another domain', false, { ...withConfiguration({ emailTrust: 'verified_domain' }), verifiedDomains: ['ample.com'] }, {}],
  ])('is proven or not: %s', async (_name, isProven, settings, claims) => {
    const provider = await bent({ claims: (all) => ({ ...all, ...claims }) })

    expect(await signIn(provider, { settings: settingsOf(settings) })).toMatchObject({ email: 'ada@example.com', emailIsProven: isProven })
  })
})

const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url')
const decode = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
