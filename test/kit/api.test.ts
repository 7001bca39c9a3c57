import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { AuthInfo } from '@modelcontextprotocol/sdk/server/auth/types.js'
import express from 'express'
import fastify from 'fastify'
import { Hono } from 'hono'
import { exportJWK, generateKeyPair, type JWTHeaderParameters, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { hashedByWebCrypto, sha256 } from '../../packages/api/src/hash.ts'
import { AccessRefused, createVerifier, type Requirements, type VerifierOptions } from '../../packages/api/src/index.ts'
import { claimsOf, givenApplication, type TestApplication } from '../support/oauth.ts'
import { requirements } from '../support/requirements.ts'
import { resourceServer } from '../support/resource-servers.ts'
import { useService } from '../support/service.ts'

const service = useService({ environment: { OAUTH_EXTENSIONS: 'resource_indicators' } })

const issuer = () => service().services.publicUrl
/** The service is not at the address that it is told it has. */
const toService: typeof fetch = (url, options) => fetch(String(url).replace(issuer(), service().origin), options)

interface World {
  app: TestApplication
  audience: string
  organisationId: string
  token: string
  claims: Record<string, unknown>
  verifier: (options?: Partial<VerifierOptions>) => ReturnType<typeof createVerifier>
}

let world: World
beforeAll(async () => {
  const organisation = await service().given.organisation()
  const orders = await resourceServer(organisation.owner, { name: 'Orders API' })
  const app = await givenApplication(service(), {
    organisation,
    grantTypes: ['client_credentials'],
    scopes: ['orders:read'],
    resourceServerIds: [orders.id],
  })
  const answer = await app.token({ grant_type: 'client_credentials', resource: orders.identifier, scope: 'orders:read' })
  expect(answer).toMatchObject({ status: 200 })
  const token: string = answer.body.access_token
  const clock = () => service().clock.now().getTime()
  world = {
    app,
    audience: orders.identifier,
    organisationId: organisation.id,
    token,
    claims: claimsOf(token),
    verifier: (options = {}) => createVerifier({ issuer: issuer(), audience: orders.identifier, clock, fetch: toService, ...options }),
  }
})

const bearing = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

async function refusalOf(token: string, options: Partial<VerifierOptions> = {}, requirements: Requirements = {}): Promise<AccessRefused> {
  const refused = await world
    .verifier(options)
    .verify(bearing(token), requirements)
    .then(
      () => undefined,
      (error: unknown) => error,
    )
  expect(refused).toBeInstanceOf(AccessRefused)
  return refused as AccessRefused
}

/** A token as the service signs it, with other claims or another header. */
async function signed(claims: Record<string, unknown>, header: Partial<JWTHeaderParameters> = {}): Promise<string> {
  const key = await service().services.signingKeys.signer('EdDSA')
  const all = Object.fromEntries(Object.entries({ ...world.claims, ...claims }).filter(([, value]) => value !== undefined))
  return new SignJWT(all).setProtectedHeader({ alg: 'EdDSA', kid: key.id, typ: 'at+jwt', ...header }).sign(key.privateKey)
}

describe('a verifier', () => {
  it('accepts a token of the issuer for the API, and gives what it says', async () => {
    const { app, claims, verifier, token, organisationId } = world
    const access = await verifier({ organisation: organisationId }).verify(bearing(token), { scope: 'orders:read' })
    const said = { clientId: app.id, scopes: ['orders:read'], expiresAt: claims.exp, permissions: [], organisationId }
    // Tools of an MCP server get it as AuthInfo.
    expect(access satisfies AuthInfo).toEqual({ claims, token, ...said })
  })

  it('forgets what a handler changes in the scopes and the claims that it got', async () => {
    const verifier = world.verifier()
    for (const _ of ['new', 'seen before']) {
      const { scopes, claims } = await verifier.verify(bearing(world.token))
      scopes.push('orders:write')
      claims.permissions?.push('users:delete')
      Object.assign(claims, { org: 'org_other', acr: 'phrh', exp: claims.exp + 1_000_000 })
    }
    const { claims, organisationId } = await verifier.verify(bearing(world.token))
    expect([claims.org, claims.org]).toEqual([organisationId, expect.not.stringContaining('other')])
    for (const [requirements, code] of [
      [{ scope: 'orders:write' }, 'insufficient-scope'],
      [{ permission: 'users:delete' }, 'missing-permission'],
      [{ acr: 'phrh' }, 'insufficient-user-authentication'],
    ] as const)
      await expect(verifier.verify(bearing(world.token), requirements)).rejects.toMatchObject({ code })
  })

  it('takes the headers of fetch and of Node alike, in any case of the scheme', async () => {
    const { verifier, token } = world
    const request = new Request('https://api.example.test/orders', { headers: { authorization: `bearer ${token}` } })
    expect((await verifier().verify(request)).token).toBe(token)
  })

  it.each([
    ['without a header', undefined, 401, 'authentication-required', 'Bearer scope="orders:read"'],
    ['with another scheme', 'Basic YTpi', 401, 'authentication-required', 'Bearer scope="orders:read"'],
    ['without a token', 'Bearer', 400, 'malformed-authorization', expect.stringContaining('error="invalid_request"')],
    ['with two tokens', 'Bearer a b', 400, 'malformed-authorization', expect.stringContaining('error="invalid_request"')],
    ['of 20 kB', `Bearer ${'a'.repeat(20_000)}`, 400, 'malformed-authorization', expect.stringContaining('error="invalid_request"')],
    ['that is no JWT', 'Bearer abc', 401, 'invalid-token', expect.stringContaining('error="invalid_token"')],
  ])('refuses a request %s', async (_, authorization, status, code, challenge) => {
    const refused: AccessRefused = await world
      .verifier()
      .verify({ headers: { authorization } }, { scope: 'orders:read' })
      .then(
        () => expect.fail('it was accepted'),
        (error) => error,
      )
    expect(refused).toMatchObject({ status, code })
    expect(refused.headers.get('www-authenticate')).toEqual(challenge)
  })

  const hour = 3_600
  const bent: readonly [string, (now: number) => Record<string, unknown>, Partial<JWTHeaderParameters>?][] = [
    ['that has expired', (now) => ({ exp: now - 6, iat: now - hour })],
    ['without an end', () => ({ exp: undefined })],
    ['whose end is a text', () => ({ exp: 'never' })],
    ['that is not valid yet', (now) => ({ nbf: now + 60 })],
    ['that was issued in the future', (now) => ({ iat: now + 60, exp: now + hour })],
    ['without a time of issue', () => ({ iat: undefined })],
    ['of another issuer', () => ({ iss: 'https://issuer.example.test' })],
    ['of an issuer that begins alike', () => ({ iss: `${issuer()}.example.test` })],
    ['of the issuer with a slash', () => ({ iss: `${issuer()}/` })],
    ['without an issuer', () => ({ iss: undefined })],
    ['for another API', () => ({ aud: 'https://api.example.test/bills' })],
    ['for an API that begins alike', () => ({ aud: `${world.audience}/more` })],
    ['for several others', () => ({ aud: ['https://one.example.test', 'https://two.example.test'] })],
    ['for nothing', () => ({ aud: undefined })],
    ['whose audience is empty', () => ({ aud: [] })],
    ['without an organisation', () => ({ org: undefined })],
    ['of another organisation', () => ({ org: 'org_other' })],
    ['whose organisation is a list', () => ({ org: [world.organisationId] })],
    ['without a subject', () => ({ sub: undefined })],
    ['without a client', () => ({ client_id: undefined })],
    ['without an id', () => ({ jti: undefined })],
    ['without scopes', () => ({ scope: undefined })],
    ['whose scopes are a list', () => ({ scope: ['orders:read'] })],
    ['whose permissions are a text', () => ({ permissions: 'orders:read' })],
    ['whose permissions are empty', () => ({ permissions: null })],
    ['whose time of sign-in is a text', () => ({ auth_time: '9999999999' })],
    ['whose client is a number', () => ({ client_id: 7 })],
    ['that is an ID token', () => ({}), { typ: 'JWT' }],
    ['without a type', () => ({}), { typ: undefined as never }],
    ['of the type of logout tokens', () => ({}), { typ: 'logout+jwt' }],
    ['that is bound to a key', () => ({ cnf: { jkt: '0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I' } })],
    ['that is bound to a certificate', () => ({ cnf: { 'x5t#S256': 'bwcK0esc3ACC3DB2Y5_lESsXE8o9ltc05O89jdN-dg2' } })],
    ['with an unknown critical header', () => ({}), { crit: ['urn:example'], 'urn:example': true } as never],
    ['of an unknown key', () => ({}), { kid: 'unknown' }],
  ]
  it.each(bent)('refuses a token %s', async (_, claims, header) => {
    const now = Math.floor(service().clock.now().getTime() / 1_000)
    const token = await signed(claims(now), header).catch(() => undefined)
    // What jose does not sign is put together by hand.
    const refused = await refusalOf(token ?? `${world.token}x`, { organisation: world.organisationId })
    expect(refused).toMatchObject({ status: 401, code: 'invalid-token' })
    expect(refused.headers.get('www-authenticate')).toMatch(/^Bearer error="invalid_token", error_description="[^"]+"$/)
  })

  it('refuses a token whose signature is broken, missing, of another key, or of an algorithm that proves nothing', async () => {
    const [header = '', payload = '', signature = ''] = world.token.split('.')
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString())
    const { privateKey, publicKey } = await generateKeyPair('EdDSA')
    const { keys } = (await (await fetch(`${service().origin}/oauth2/jwks.json`)).json()) as { keys: { x: string }[] }
    const published = keys[0] as { x: string }
    const hs256 = (secret: string) =>
      new SignJWT(world.claims).setProtectedHeader({ alg: 'HS256', kid, typ: 'at+jwt' }).sign(new TextEncoder().encode(secret.padEnd(32)))
    const own = (more: object) =>
      new SignJWT(world.claims).setProtectedHeader({ alg: 'EdDSA', kid, typ: 'at+jwt', ...more }).sign(privateKey)
    const tokens = [
      `${header}.${payload}.${signature.slice(0, -4)}AAAA`,
      `${header}.${payload}.`,
      `${header}.${payload}`,
      `${part({ alg: 'none', typ: 'at+jwt' })}.${payload}.`,
      `${part({ alg: 'None', typ: 'at+jwt' })}.${payload}.${signature}`,
      `${header}.${part({ ...world.claims, scope: 'orders:write' })}.${signature}`,
      `${part({ alg: 'RS256', kid, typ: 'at+jwt' })}.${payload}.${signature}`,
      await hs256(published.x),
      await hs256(JSON.stringify(published)),
      await own({}),
      await own({ jwk: await exportJWK(publicKey) }),
      await own({ jku: 'https://keys.example.test/jwks.json' }),
      `${header}.${payload}.${signature}.${signature}`,
    ]
    for (const token of tokens) expect(await refusalOf(token)).toMatchObject({ status: 401, code: 'invalid-token' })
  })

  it('names the scope that is missing, and all that are needed', async () => {
    const refused = await refusalOf(world.token, {}, { scope: 'orders:read orders:write' })
    expect(refused).toMatchObject({ status: 403, code: 'insufficient-scope', detail: 'The application lacks the scope orders:write' })
    expect(refused.headers.get('www-authenticate')).toBe(
      'Bearer error="insufficient_scope", error_description="The application lacks the scope orders:write", scope="orders:read orders:write"',
    )
  })

  it('asks for permissions of the user, which a client for itself has none of', async () => {
    expect(await refusalOf(world.token, {}, { permission: 'users:read' })).toMatchObject({ status: 403, code: 'missing-permission' })
    const token = await signed({ permissions: ['users:read'] })
    expect((await world.verifier().verify(bearing(token), { permission: ['users:read'] })).permissions).toEqual(['users:read'])
    expect(await refusalOf(token, {}, { permission: 'users:read users:delete' })).toMatchObject({
      detail: 'The user lacks the permission users:delete',
    })
  })

  it.each(requirements)('that needs %j is content with %j: %s', async (needs, has, isEnough) => {
    const token = await signed({ permissions: undefined, acr: undefined, ...has })
    if (isEnough) expect(await world.verifier().verify(bearing(token), needs)).toMatchObject({ token })
    else await refusalOf(token, {}, needs)
  })

  it('asks for a stronger or more recent sign-in, in the words of RFC 9470', async () => {
    const now = Math.floor(service().clock.now().getTime() / 1_000)
    const then = { clock: () => now * 1_000 }
    const weak = await signed({ acr: 'aal1', auth_time: now - 600 })
    const refused = await refusalOf(weak, then, { acr: 'aal2', maxAge: 300 })
    expect(refused).toMatchObject({ status: 401, code: 'insufficient-user-authentication' })
    expect(refused.headers.get('www-authenticate')).toBe(
      'Bearer error="insufficient_user_authentication", error_description="A stronger sign-in is needed", acr_values="aal2", max_age="300"',
    )
    // Of several levels, which are named best first, any one will do.
    const [lower, own] = [await signed({ acr: 'aal1' }), await signed({ acr: 'urn:example:gold' })]
    for (const token of [await signed({ acr: 'phr' }), await signed({ acr: 'aal2' }), own])
      expect(await world.verifier(then).verify(bearing(token), { acr: 'phr urn:example:gold aal2' })).toMatchObject({ token })
    const unmet = await refusalOf(lower, then, { acr: 'phr urn:example:gold aal2' })
    expect(unmet.headers.get('www-authenticate')).toContain('acr_values="phr urn:example:gold aal2"')
    expect(await refusalOf(await signed({ acr: 'phr', auth_time: now - 306 }), then, { acr: 'aal2', maxAge: 300 })).toMatchObject({
      status: 401,
    })
    expect(await refusalOf(world.token, then, { maxAge: 300 })).toMatchObject({ code: 'insufficient-user-authentication' })
    const strong = await signed({ acr: 'phr', auth_time: now - 300 })
    expect(await world.verifier(then).verify(bearing(strong), { acr: 'aal2', maxAge: 300 })).toMatchObject({ token: strong })
  })

  it('allows for the difference between the clocks in the age of a sign-in, too', async () => {
    const now = Math.floor(service().clock.now().getTime() / 1_000)
    const then = { clock: () => now * 1_000 }
    const token = await signed({ auth_time: now - 301 })
    expect(await world.verifier(then).verify(bearing(token), { maxAge: 300 })).toMatchObject({ token })
    expect(await refusalOf(token, { ...then, clockToleranceSeconds: 0 }, { maxAge: 300 })).toMatchObject({
      code: 'insufficient-user-authentication',
    })
    const ahead = { clock: () => (now + 20) * 1_000, clockToleranceSeconds: 30 }
    expect(await world.verifier(ahead).verify(bearing(await signed({ auth_time: now })), { maxAge: 0 })).toMatchObject({
      clientId: expect.any(String),
    })
  })

  it('refuses a token that it has accepted when its time is over', async () => {
    let now = service().clock.now().getTime()
    const verifier = world.verifier({ clock: () => now })
    await verifier.verify(bearing(world.token))
    now = (Number(world.claims.exp) + 6) * 1_000
    await expect(verifier.verify(bearing(world.token))).rejects.toMatchObject({ code: 'invalid-token', detail: 'The token has expired' })
  })

  it('fetches the keys once for many tokens, and again for a new key', async () => {
    let fetched = 0
    const counting: typeof fetch = (...parameters) => {
      fetched++
      return toService(...parameters)
    }
    const verifier = world.verifier({ fetch: counting })
    const tokens = await Promise.all(Array.from({ length: 20 }, (_, index) => signed({ jti: `token-${index}` })))
    await Promise.all(tokens.map((token) => verifier.verify(bearing(token))))
    expect(fetched).toBe(1)
  })

  it('is 503 while the keys were never read, and works with its copy while the issuer is away', async () => {
    let isAway = true
    const verifier = world.verifier({
      fetch: (...parameters) => (isAway ? Promise.reject(new TypeError('fetch failed')) : toService(...parameters)),
    })
    const refused: AccessRefused = await verifier.verify(bearing(world.token)).then(
      () => expect.fail('it was accepted'),
      (error) => error,
    )
    expect(refused).toMatchObject({ status: 503, code: 'issuer-unavailable' })
    expect(refused.headers.get('retry-after')).toBe('5')
    isAway = false
    // It is asked again after a second.
    const time = vi.spyOn(Date, 'now')
    onTestFinished(() => time.mockRestore())
    time.mockReturnValue(Date.now() + 1_000)
    await verifier.verify(bearing(world.token))
    isAway = true
    expect(await verifier.verify(bearing(await signed({ jti: 'another' })))).toMatchObject({ organisationId: world.organisationId })
  })

  it('waits for an issuer that is away once in ten seconds, not with each token', async () => {
    let isAway = false
    let fetched = 0
    const verifier = world.verifier({
      fetch: (...parameters) => {
        fetched++
        return isAway ? Promise.reject(new TypeError('fetch failed')) : toService(...parameters)
      },
    })
    const tokens = await Promise.all(Array.from({ length: 5 }, (_, index) => signed({ jti: `away-${index}` })))
    const [first = '', second = '', third = '', fourth = '', fifth = ''] = tokens
    await verifier.verify(bearing(first))
    const began = Date.now()
    const now = vi.spyOn(Date, 'now')
    onTestFinished(() => now.mockRestore())
    const fetchedAt = async (seconds: number, token: string) => {
      now.mockReturnValue(began + seconds * 1_000)
      await verifier.verify(bearing(token))
      return fetched
    }
    isAway = true
    // The copy is old by then, and used until there is another.
    expect([await fetchedAt(601, second), await fetchedAt(602, third), await fetchedAt(612, fourth)]).toEqual([2, 2, 3])
    isAway = false
    expect(await fetchedAt(623, fifth)).toBe(4)
  })

  it('asks the issuer where it is told to, and uses the answer for ten seconds at most', async () => {
    const { app, verifier } = world
    let now = service().clock.now().getTime()
    const introspection = { clientId: app.id, clientSecret: app.secret as string }
    for (const more of [{}, { cacheSeconds: 3_600 }]) {
      const asking = verifier({ introspection: { ...introspection, ...more }, clock: () => now })
      const { body } = await app.token({ grant_type: 'client_credentials', resource: world.audience })
      await asking.verify(bearing(body.access_token))
      await app.revoke(body.access_token)
      await asking.verify(bearing(body.access_token))
      now += 10_000
      await expect(asking.verify(bearing(body.access_token))).rejects.toMatchObject({ status: 401, code: 'invalid-token' })
    }
    const wrong = verifier({ introspection: { ...introspection, clientSecret: 'wrong' } })
    await expect(wrong.verify(bearing(world.token))).rejects.toMatchObject({ status: 503, code: 'issuer-unavailable' })
  })

  it('asks by a client of the organisation of each token, and serves no organisation that has none', async () => {
    const given = async () => {
      const organisation = await service().given.organisation()
      const app = await givenApplication(service(), { organisation, grantTypes: ['client_credentials'], scopes: ['orders:read'] })
      const answer = await app.token({ grant_type: 'client_credentials', scope: 'orders:read' })
      const options = { clientId: app.id, clientSecret: app.secret as string }
      return { organisationId: organisation.id, app, options, token: answer.body.access_token as string }
    }
    const [acme, beta, unserved] = [await given(), await given(), await given()]
    const options = { audience: [acme, beta, unserved].map(({ app }) => app.id) }
    const clients = new Map([acme, beta].map(({ organisationId, options }) => [organisationId, options]))

    const asking = world.verifier({ ...options, introspection: async (organisationId) => clients.get(organisationId) })
    for (const { token, organisationId } of [acme, beta]) expect(await asking.verify(bearing(token))).toMatchObject({ organisationId })
    await expect(asking.verify(bearing(unserved.token))).rejects.toMatchObject({ status: 401, code: 'invalid-token' })
    const forgetful = world.verifier({ ...options, introspection: () => ({ ...beta.options, cacheSeconds: 0 }) })
    await forgetful.verify(bearing(beta.token))
    await beta.app.revoke(beta.token)
    await expect(forgetful.verify(bearing(beta.token))).rejects.toMatchObject({ code: 'invalid-token' })

    // The one client of another organisation is told of no token.
    const one = world.verifier({ ...options, introspection: beta.options })
    await expect(one.verify(bearing(acme.token))).rejects.toMatchObject({
      code: 'invalid-token',
      detail: 'The issuer says that the token is not active, or not one that this API may ask about',
    })
  })

  it('is not available while the client of an organisation cannot be found, whom it looks for once for all requests with a token', async () => {
    const introspection = { clientId: world.app.id, clientSecret: world.app.secret as string }
    let found = Promise.withResolvers<typeof introspection>()
    let lookups = 0
    const find = () => {
      lookups++
      return found.promise
    }
    const asking = world.verifier({ introspection: find })
    const verifying = Promise.allSettled([1, 2, 3].map(() => asking.verify(bearing(world.token))))
    await expect.poll(() => lookups).toBeGreaterThan(0)
    const cause = new Error('The database is away')
    found.reject(cause)
    for (const outcome of await verifying)
      expect(outcome).toMatchObject({ status: 'rejected', reason: { status: 503, code: 'issuer-unavailable', cause } })
    expect(lookups).toBe(1)

    found = Promise.withResolvers()
    found.resolve(introspection)
    expect(await asking.verify(bearing(world.token))).toMatchObject({ organisationId: world.organisationId })
    const broken = world.verifier({
      introspection: () => {
        throw cause
      },
    })
    await expect(broken.verify(bearing(world.token))).rejects.toMatchObject({ code: 'issuer-unavailable', cause })
  })

  it('publishes what clients need to find the issuer, and leads them there', async () => {
    const verifier = world.verifier({ resourceMetadata: { name: 'Orders', scopes: ['orders:read'] } })
    expect(verifier.protectedResourceMetadata()).toEqual({
      resource: world.audience,
      authorization_servers: [issuer()],
      scopes_supported: ['orders:read'],
      resource_name: 'Orders',
      bearer_methods_supported: ['header'],
    })
    const { origin, pathname } = new URL(world.audience)
    await expect(verifier.verify({ headers: {} })).rejects.toMatchObject({
      headers: new Headers({ 'www-authenticate': `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource${pathname}"` }),
    })
  })
})

describe('the hash of a token', () => {
  it('is the same in runtimes that have no `node:crypto`', async () => {
    for (const text of ['', 'a', 'ünïcödé', 'x'.repeat(16_384)]) {
      const bytes = await sha256(text)
      expect(Buffer.from(bytes).toString('hex')).toBe(Buffer.from(await hashedByWebCrypto(text)).toString('hex'))
    }
  })
})

describe('an API in Express, Fastify and Hono', () => {
  const servers: Server[] = []
  const origins: Record<string, string> = {}
  beforeAll(async () => {
    const verifier = world.verifier()
    const needs = { scope: 'orders:read' }
    const onExpress = express()
    onExpress.get(
      '/orders',
      verifier.forExpress(needs),
      (request, response) => void response.json((request as never as WithAuth).auth.scopes),
    )
    const onFastify = fastify()
    onFastify.get(
      '/orders',
      { schema: { hide: true }, preHandler: verifier.forFastify(needs) as never } as never,
      async (request) => (request as never as WithAuth).auth.scopes,
    )
    await onFastify.ready()
    const onHono = new Hono<{ Variables: WithAuth }>()
    onHono.get('/orders', verifier.forHono(needs) as never, (context) => context.json(context.get('auth').scopes as string[]))
    const handlers = {
      express: onExpress,
      fastify: onFastify.routing,
      hono: async (request: IncomingMessage, response: ServerResponse) => {
        const answer = await onHono.request(request.url ?? '/', { headers: request.headers as Record<string, string> })
        response.writeHead(answer.status, Object.fromEntries(answer.headers))
        response.end(await answer.text())
      },
    }
    for (const [name, handler] of Object.entries(handlers)) {
      const server = createServer(handler as never)
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      servers.push(server)
      origins[name] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    }
  })
  afterAll(() => Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve)))))

  interface WithAuth {
    auth: { scopes: readonly string[] }
  }

  it.each(['express', 'fastify', 'hono'])('%s serves who may, and tells others why not', async (framework) => {
    const get = (headers: Record<string, string>) => fetch(`${origins[framework]}/orders`, { headers })
    const served = await get({ authorization: `Bearer ${world.token}` })
    expect([served.status, await served.json()]).toEqual([200, ['orders:read']])
    const refused = await get({})
    expect(refused.status).toBe(401)
    expect(refused.headers.get('www-authenticate')).toBe('Bearer scope="orders:read"')
    expect(refused.headers.get('content-type')).toMatch(/^application\/problem\+json\b/)
    expect(await refused.json()).toMatchObject({ status: 401, code: 'authentication-required' })
    const other = await get({ authorization: `Bearer ${await signed({ scope: 'orders:write' })}` })
    expect([other.status, ((await other.json()) as { code: string }).code]).toEqual([403, 'insufficient-scope'])
  })
})
