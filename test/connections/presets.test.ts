import { decodeJwt, decodeProtectedHeader } from 'jose'
import { describe, expect, it } from 'vitest'
import { UpstreamRefusal } from '../../src/connections/upstream/checks.ts'
import type { UpstreamSettings } from '../../src/connections/upstream/settings.ts'
import { createUpstream } from '../../src/connections/upstream/upstream.ts'
import { type Behaviour, identityProvider } from '../support/identity-provider.ts'
import { appleAccount, appleProvider, type Github, githubFetch, workingGithub } from '../support/preset-providers.ts'

// Stand-ins that speak as the providers document. What they say is reached without a network.
const redirectUri = 'https://gatehouse.example.test/federation/conn_1/callback'
const expected = { state: 'state-of-the-request', nonce: 'nonce-of-the-request', verifier: 'v'.repeat(43) }
const clock = { now: () => new Date() }

async function signIn(
  issuer: string,
  settings: Pick<UpstreamSettings, 'provider'> & Partial<UpstreamSettings>,
  behaviour: Partial<Behaviour>,
  atIssuer = issuer,
) {
  const provider = await identityProvider({ issuer: atIssuer, alg: 'RS256' })
  Object.assign(provider.behaviour, behaviour)
  const fetch = (url: string, init?: RequestInit) => provider.fetch(url.replace(issuer, atIssuer), init)
  const upstream = createUpstream({ fetch, clock })
  const all = { configuration: { clientId: 'gatehouse' }, secrets: ['secret'], redirectUri, verifiedDomains: [], ...settings }
  const url = await upstream.authorizationUrlOf(all, expected)
  const back = new URL(provider.authorize(url.searchParams))
  return { url, identity: await upstream.identityFrom(all, back.searchParams, expected) }
}

async function failedChecks(attempt: Promise<unknown>): Promise<string[]> {
  const error = await attempt.catch((reason: unknown) => reason)
  if (!(error instanceof UpstreamRefusal))
    throw new Error(`It was not refused: ${error instanceof Error ? error.stack : JSON.stringify(error)}`)
  return error.checks.filter(({ passed }) => !passed).map(({ name }) => name)
}

describe('Google', () => {
  const signInAt = (claims: Record<string, unknown>, configuration = {}) =>
    signIn(
      'https://accounts.google.com',
      { provider: 'google', configuration: { clientId: 'gatehouse', ...configuration } },
      { user: { sub: '10769150350006150715113082367', azp: 'gatehouse', ...claims } },
    )

  it.each<[string, boolean, Record<string, unknown>]>([
    ['of Gmail', true, { email: 'ada@gmail.com', email_verified: true }],
    ['of the Workspace domain that the account is in', true, { email: 'ada@example.com', email_verified: true, hd: 'example.com' }],
    ['of another domain, although it was verified once', false, { email: 'ada@example.com', email_verified: true }],
    ['of another domain than that of the Workspace', false, { email: 'ada@other.example', email_verified: true, hd: 'example.com' }],
    ['that is not verified', false, { email: 'ada@gmail.com', email_verified: false }],
  ])('proves an address or does not: one %s', async (_name, emailIsProven, claims) => {
    expect((await signInAt(claims)).identity).toMatchObject({
      subject: '10769150350006150715113082367',
      emailIsProven,
      emailIsRelay: false,
    })
  })

  it('is held to the hosted domains of the connection', async () => {
    const configuration = { allowedHostedDomains: ['example.com'] }
    const { url } = await signInAt({ email: 'ada@example.com', email_verified: true, hd: 'example.com' }, configuration)

    expect(url.searchParams.get('hd')).toBe('example.com')
    expect(await failedChecks(signInAt({ email: 'eve@gmail.com', email_verified: true }, configuration))).toEqual(['hosted domain'])
    expect(await failedChecks(signInAt({ email: 'eve@other.example', hd: 'other.example' }, configuration))).toEqual(['hosted domain'])
    await expect(signInAt({ email: 'eve@gmail.com' }, configuration)).rejects.toMatchObject({ fault: 'browser' })
    await expect(signInAt({ email: 'eve@gmail.com', aud: 'another' }, configuration)).rejects.toMatchObject({ fault: 'upstream' })
  })
})

describe('Microsoft', () => {
  const tid = '72f988bf-86f1-41af-91ab-2d7cd011db47'
  const otherTid = 'f8cdef31-a31e-4b4a-93e4-5f571e91255a'
  const oid = '00000000-0000-0000-66f3-3332eca7ea81'
  const issuerOf = (tenant: string) => `https://login.microsoftonline.com/${tenant}/v2.0`

  const signInAt = (
    configuration: { tenant?: string; allowedTenants?: string[] },
    claims: Record<string, unknown> = {},
    { verifiedDomains = [] as string[], metadataIssuer = issuerOf(configuration.tenant?.length === 36 ? tid : '{tenantid}') } = {},
  ) => {
    const all = {
      iss: issuerOf(tid),
      tid,
      oid,
      sub: 'pairwise',
      email: 'Ada@example.com',
      preferred_username: 'ada@example.com',
      ...claims,
    }
    return signIn(
      issuerOf(configuration.tenant ?? 'common'),
      { provider: 'microsoft', configuration: { clientId: 'gatehouse', ...configuration }, verifiedDomains },
      { user: all, metadata: (metadata) => ({ ...metadata, issuer: metadataIssuer }) },
    )
  }

  it('knows a user by tenant and object, never by an address', async () => {
    expect((await signInAt({ tenant: tid })).identity).toMatchObject({ subject: `${tid}.${oid}`, email: 'ada@example.com' })
    expect(await failedChecks(signInAt({ tenant: tid }, { oid: undefined }))).toEqual(['subject'])
  })

  it.each<[string, boolean, Parameters<typeof signInAt>]>([
    ['by a connection of one tenant, of a verified domain', true, [{ tenant: tid }, {}, { verifiedDomains: ['example.com'] }]],
    ['by a connection of one tenant, of any domain', false, [{ tenant: tid }]],
    ['by a connection of all tenants, of a verified domain', false, [{ tenant: 'common' }, {}, { verifiedDomains: ['example.com'] }]],
    ['whose domain its tenant has proven', true, [{ tenant: 'common' }, { xms_edov: true }]],
    ['whose domain its tenant has not proven', false, [{ tenant: 'common' }, { xms_edov: false }]],
  ])('proves an address or does not: one %s', async (_name, emailIsProven, given) => {
    expect((await signInAt(...given)).identity.emailIsProven).toBe(emailIsProven)
  })

  it('is held to the issuer of the token’s own tenant', async () => {
    expect(await failedChecks(signInAt({ tenant: 'common' }, { iss: issuerOf(otherTid) }))).toContain('iss')
    expect(await failedChecks(signInAt({ tenant: 'common' }, { iss: issuerOf('common') }))).toContain('iss')
    expect(await failedChecks(signInAt({ tenant: 'common' }, { iss: 'https://evil.example/v2.0' }))).toContain('iss')
    expect(await failedChecks(signInAt({ tenant: tid }, { iss: issuerOf(otherTid), tid: otherTid }))).toContain('iss')
    expect(await failedChecks(signInAt({ tenant: 'common' }, { tid: undefined }))).toContain('iss')
  })

  it('is held to the tenants of the connection', async () => {
    await signInAt({ tenant: 'organizations', allowedTenants: [tid] })
    expect(await failedChecks(signInAt({ tenant: 'organizations', allowedTenants: [otherTid] }))).toEqual(['tenant'])
  })

  it('names the tenant of consumers in its discovery document', async () => {
    const consumers = '9188040d-6c67-4c5b-b112-36a304b66dad'
    const claims = { tid: consumers, iss: issuerOf(consumers) }

    await signInAt({ tenant: 'consumers' }, claims, { metadataIssuer: issuerOf(consumers) })
    expect(await failedChecks(signInAt({ tenant: 'consumers' }, claims, { metadataIssuer: 'https://evil.example' }))).toEqual([
      'discovery issuer',
    ])
  })
})

describe('Apple', () => {
  async function signInWith(user: Record<string, unknown>, response: Behaviour['response'] = (parameters) => parameters) {
    const { provider, pem, secrets } = await appleProvider()
    Object.assign(provider.behaviour, { user, response })
    const upstream = createUpstream({ fetch: (url, init) => provider.fetch(url, init as RequestInit), clock })
    const settings = { provider: 'apple', configuration: appleAccount, secrets: [pem], redirectUri, verifiedDomains: [] } as const
    const url = await upstream.authorizationUrlOf(settings, expected)
    const back = new URL(provider.authorize(url.searchParams))
    return { url, secrets, identity: await upstream.identityFrom(settings, back.searchParams, expected) }
  }

  const ada = { sub: '001999.aa.0001', email: 'ada@example.com', email_verified: 'true' }

  it('asks for its response by a form, and for the name', async () => {
    const { url } = await signInWith(ada)

    expect(Object.fromEntries(url.searchParams)).toMatchObject({ response_mode: 'form_post', scope: 'openid email name' })
  })

  it('takes for a secret a token that the key of the account signs, made for the request', async () => {
    const { secrets } = await signInWith(ada)
    const [secret = ''] = secrets
    const { iat = 0, exp } = decodeJwt(secret)

    expect(decodeProtectedHeader(secret)).toMatchObject({ alg: 'ES256', kid: 'ABC123DEFG' })
    expect(exp).toBe(iat + 300)
  })

  it('proves an address that it has verified, also by a text', async () => {
    expect((await signInWith(ada)).identity).toMatchObject({ emailIsProven: true, emailIsRelay: false })
    expect((await signInWith({ ...ada, email_verified: true })).identity).toMatchObject({ emailIsProven: true })
    expect((await signInWith({ ...ada, email_verified: 'false' })).identity).toMatchObject({ emailIsProven: false })
  })

  it('says of an address that it has made it up', async () => {
    const relay = { ...ada, email: 'x7@privaterelay.appleid.com' }

    expect((await signInWith(relay)).identity).toMatchObject({ emailIsProven: true, emailIsRelay: true })
    expect((await signInWith({ ...ada, is_private_email: 'true' })).identity).toMatchObject({ emailIsRelay: true })
  })

  it('gives the name once, beside the token, and nothing else that counts', async () => {
    const user = JSON.stringify({ name: { firstName: 'Ada', lastName: 'Lovelace' }, email: 'eve@example.com' })
    const { identity } = await signInWith(ada, (parameters) => ({ ...parameters, user }))
    const { identity: unreadable } = await signInWith(ada, (parameters) => ({ ...parameters, user: '{' }))

    expect(identity).toMatchObject({ email: 'ada@example.com', claims: { given_name: 'Ada', family_name: 'Lovelace' } })
    expect(unreadable.claims).not.toHaveProperty('given_name')
  })
})

describe('GitHub', () => {
  async function signInAt(changes: Partial<Github> = {}, { host = undefined as string | undefined, secrets = ['secret'] } = {}) {
    const answer = githubFetch({ ...workingGithub, ...changes }, host)
    const asked: { url: string; init: RequestInit }[] = []
    const fetch = (url: string, init: RequestInit) => {
      asked.push({ url, init })
      return answer(url, init)
    }
    const upstream = createUpstream({ fetch, clock })
    const settings = {
      provider: 'github',
      configuration: { clientId: 'gatehouse', host },
      secrets,
      redirectUri,
      verifiedDomains: [],
    } as const
    const url = await upstream.authorizationUrlOf(settings, { ...expected, loginHint: 'octocat' })
    const response = new URLSearchParams({ code: 'code', state: url.searchParams.get('state') ?? '' })
    return { url, asked, identity: await upstream.identityFrom(settings, response, expected) }
  }

  it('knows a user by the number, and proves the address that is primary and verified', async () => {
    const { url, identity, asked } = await signInAt()

    expect(`${url.origin}${url.pathname}`).toBe('https://github.com/login/oauth/authorize')
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      scope: 'read:user user:email',
      login: 'octocat',
      code_challenge_method: 'S256',
    })
    expect(identity).toMatchObject({ subject: '583231', email: 'octocat@example.com', emailIsProven: true, claims: { name: 'Mona Lisa' } })
    expect(String(asked[0]?.init.body)).toContain(`code_verifier=${expected.verifier}`)
  })

  it('proves no address that is not verified, and none that is only public', async () => {
    const unverified = await signInAt({ emails: [{ email: 'octocat@example.com', verified: false, primary: true }] })
    const none = await signInAt({ emails: [{ email: 'other@example.com', verified: true, primary: false }] })

    expect(unverified.identity).toMatchObject({ email: 'octocat@example.com', emailIsProven: false })
    expect(none.identity).toMatchObject({ email: undefined, emailIsProven: false })
  })

  it('is asked at the host of an Enterprise Server', async () => {
    const { url, identity } = await signInAt({}, { host: 'github.example.com' })

    expect(url.origin).toBe('https://github.example.com')
    expect(identity.subject).toBe('583231')
  })

  it('is read right when it reports an error with status 200', async () => {
    const attempt = signInAt({ tokens: { error: 'bad_verification_code', error_description: 'The code passed is incorrect or expired.' } })

    await expect(attempt).rejects.toMatchObject({
      fault: 'browser',
      message: expect.stringContaining('The code passed is incorrect or expired.'),
    })
  })

  it('is given the previous secret while both hold', async () => {
    expect((await signInAt({}, { secrets: ['new', 'secret'] })).identity.subject).toBe('583231')
    await expect(signInAt({}, { secrets: ['new'] })).rejects.toMatchObject({ fault: 'upstream' })
  })

  it('is refused when it does not say who the user is', async () => {
    expect(await failedChecks(signInAt({ user: { login: 'octocat' } }))).toEqual(['subject'])
    expect(await failedChecks(signInAt({ status: 403 }))).toContain('/user')
  })
})
