/** `@gatehouse-iam/testing` as applications use it, and the ten cases of docs/testing.md. */
import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { allowInsecureRequests, ClientSecretBasic, discovery, refreshTokenGrant } from 'openid-client'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { createVerifier } from '../../packages/api/src/index.ts'
import {
  type Client,
  connectToGatehouse,
  type Gatehouse,
  type Organisation,
  startGatehouse,
  type Tokens,
} from '../../packages/testing/src/index.ts'
import { builtService } from '../support/built-service.ts'
import { needsPython } from '../support/languages.ts'

let gatehouse: Gatehouse
let acme: Organisation
beforeAll(async () => {
  gatehouse = await startGatehouse({
    command: [process.execPath, builtService],
    env: { XDG_CACHE_HOME: resolve('node_modules/.cache'), OAUTH_EXTENSIONS: 'step_up' },
  })
  acme = await organisation()
})
afterAll(() => gatehouse?.stop())

const organisation = () =>
  gatehouse.organisation({
    roles: { clerk: { name: 'Clerk', permissions: ['users:read'] } },
    users: [{ email: 'anna', roles: ['clerk'], totp: true }],
    clients: [{ key: 'web', redirectUris: ['https://app.test/callback'] }],
  })

describe('a seed', () => {
  const start = async (text: string, environment: Record<string, string> = {}) => {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-seed-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const seed = join(folder, 'acme.yaml')
    await writeFile(seed, text)
    const env = { XDG_CACHE_HOME: resolve('node_modules/.cache'), ...environment }
    return startGatehouse({ command: [process.execPath, builtService], env, seed })
  }

  it('is an organisation that is there from the start, as the guide has it', async () => {
    const [, text = ''] = /```yaml\n# acme\.yaml\n(.*?)```/s.exec(await readFile('docs/testing.md', 'utf8')) ?? []
    await using started = await start(text)
    const [seeded] = started.seeded as [Organisation]
    expect(seeded).toMatchObject({ slug: 'acme', name: 'Acme', owner: { email: 'owner@acme.test' } })
    const [anna, web] = [seeded.user('anna@acme.test'), seeded.client('web')]
    expect(anna.password).toBe('correct horse battery staple')
    expect(await started.tokens(anna, web)).toMatchObject({ id_token: expect.any(String) })
    const other = await connectToGatehouse({ url: started.url })
    expect(JSON.stringify(other.seeded)).toBe(JSON.stringify(started.seeded))
    expect(other.seeded[0]?.client('web').secret).toBe(web.secret)
    const ajv = new Ajv2020({ strict: false })
    addFormats.default(ajv)
    const validate = ajv.compile(JSON.parse(await readFile('docs/seed.schema.json', 'utf8')))
    expect([validate(parse(text)), validate.errors]).toEqual([true, null])
  })

  it('names what is wrong by its place, and nothing starts', async () => {
    const wrong: [string, string][] = [
      ['users: []', 'acme.yaml: organisation: '],
      ['organisation: acme\nusers: [{ email: nowhere }]', 'acme.yaml: users.0.email: '],
      ['organisation: acme\nusers: [{ email: anna@acme.test, roles: [nope] }]', 'acme.yaml: users.0.roles.0: Role not found'],
      [
        `organisation: acme\nconnections: { work: { name: Work, provider: oidc, secret: '\${WORK}' } }`,
        'connections.work.secret: the variable WORK',
      ],
      ['organisation: [', 'acme.yaml: '],
    ]
    for (const [text, detail] of wrong)
      expect([text, await start(text).catch((error) => error.message)]).toEqual([text, expect.stringContaining(detail)])
    await expect(startGatehouse({ command: [process.execPath, builtService], seed: 'missing.yaml' })).rejects.toThrow(
      'missing.yaml cannot be read: there is no such file',
    )
  })
})

describe('@gatehouse-iam/testing', () => {
  it('connects to a test mode that runs already, and shares its time', async () => {
    const other = await connectToGatehouse({ url: `${gatehouse.url}/` })
    expect(other).toMatchObject({ url: gatehouse.url, systemApiKey: gatehouse.systemApiKey })
    const apart = () => Math.abs(other.clock.now() - gatehouse.clock.now())
    await gatehouse.clock.advance({ hours: 2 })
    // Nothing tells it so far.
    expect(apart()).toBeGreaterThan(7_000_000)
    await other.clock.sync()
    expect(apart()).toBeLessThan(10_000)
    await gatehouse.clock.freeze()
    await other.settled()
    expect(apart()).toBe(0)
    await other.clock.real()
    await gatehouse.settled()
    expect(apart()).toBeLessThan(10_000)
    expect(Math.abs(gatehouse.clock.now() - Date.now())).toBeLessThan(10_000)
  })

  it('believes the later of two times, whichever response arrives first', async () => {
    const [arrived, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const slow: typeof fetch = async (address, init) => {
      const response = await fetch(address, init)
      if (!String(address).endsWith('/settled')) return response
      arrived.resolve()
      await held.promise
      return response
    }
    const other = await connectToGatehouse({ url: gatehouse.url, fetch: slow })
    const settling = other.settled()
    await arrived.promise
    await other.clock.advance({ hours: 2 })
    const later = other.clock.now()
    held.resolve()
    await settling
    expect(other.clock.now()).toBeGreaterThanOrEqual(later)
    await gatehouse.clock.real()
  })

  it('finds users and clients by name, and says what is missing', () => {
    expect(acme.client('web').redirectUris).toEqual(['https://app.test/callback'])
    expect(acme.user('Anna')).toEqual(acme.users[0])
    expect(acme.user(acme.users[0]?.email ?? '')).toEqual({ ...acme.users[0], email: `anna@${acme.slug}.test` })
    expect(() => acme.user('otto@acme.test')).toThrow(`${acme.name} was made without the user otto@acme.test`)
  })

  it('makes a user of the same name in each organisation, and one of an address once', async () => {
    const [one, other] = [await organisation(), await organisation()]
    expect(new Set([one, other, acme].map((made) => made.user('anna').email)).size).toBe(3)
    await gatehouse.tokens(other.user('anna'), other.client('web'))
    const users = [{ email: 'otto@once.test' }]
    await gatehouse.organisation({ users })
    await expect(gatehouse.organisation({ users })).rejects.toMatchObject({ code: 'email-taken' })
    for (const email of ['', 'an na', 'anna@', '@acme.test', 'anna@acme'])
      await expect(gatehouse.organisation({ users: [{ email }] })).rejects.toMatchObject({
        status: 400,
        errors: [{ path: ['users', 0, 'email'] }],
      })
  })

  it('rejects with a code, a status and the place of each mistake', async () => {
    const refused = gatehouse.organisation({ users: [{ email: 'otto@acme.test', roles: ['nope'] }] })
    await expect(refused).rejects.toMatchObject({
      name: 'TestingRefused',
      code: 'invalid-input',
      status: 400,
      requestId: expect.any(String),
      errors: [{ path: ['users', 0, 'roles', 0] }],
      message: 'Invalid input\nusers.0.roles.0: Role not found',
    })
    await expect(startGatehouse({ command: [process.execPath, builtService], env: { NODE_ENV: 'production' } })).rejects.toMatchObject({
      code: 'not-started',
      detail: expect.stringContaining('NODE_ENV is "production"'),
    })
  })

  it.each([
    ['is none', ['/no/such/program'], 'ENOENT'],
    ['says something else', [process.execPath, '-e', 'console.log("Hello"); setInterval(() => {}, 1000)'], 'its first line is Hello'],
    ['ends without a word', [process.execPath, '-e', ''], 'it has ended without a word'],
  ])('does not start by a command that %s', async (_, command, why) => {
    await expect(startGatehouse({ command })).rejects.toMatchObject({
      name: 'TestingRefused',
      code: 'not-started',
      detail: expect.stringContaining(why),
    })
  })

  it('says what it has met where there is no test mode', async () => {
    const page = async () => new Response('<html>', { status: 200 })
    await expect(connectToGatehouse({ url: gatehouse.url, fetch: page })).rejects.toMatchObject({
      name: 'TestingRefused',
      code: 'unexpected',
    })
    const gone = async () => Promise.reject(new TypeError('fetch failed'))
    await expect(connectToGatehouse({ url: gatehouse.url, fetch: gone })).rejects.toMatchObject({ code: 'unreachable', status: 0 })
  })

  it('plays a browser and an authenticator by what Playwright offers', async () => {
    const cookies: object[] = []
    const commands: string[] = []
    const send = async (method: string) => {
      commands.push(method)
      return { authenticatorId: 'a', credentials: [] }
    }
    const page = {
      context: () => ({ addCookies: async (some: object[]) => void cookies.push(...some), newCDPSession: async () => ({ send }) }),
    }
    const [user] = acme.users
    if (!user) throw new Error('There is no user')
    await gatehouse.signIn(page, user)
    const [cookie] = cookies as { name: string; value: string; url: string }[]
    const account = await fetch(`${gatehouse.url}/account`, { headers: { cookie: `${cookie?.name}=${cookie?.value}` }, redirect: 'manual' })
    expect([account.status, cookie?.url]).toEqual([200, gatehouse.url])
    const authenticator = await gatehouse.authenticator(page)
    expect(await authenticator.credentials()).toEqual([])
    expect(commands).toEqual(['WebAuthn.enable', 'WebAuthn.addVirtualAuthenticator', 'WebAuthn.getCredentials'])
    expect(await gatehouse.totp(user)).toMatch(/^\d{6}$/)
  })

  it('goes back to a snapshot, and its clock with it', async () => {
    const snapshot = await gatehouse.snapshot()
    const before = gatehouse.clock.now()
    const later = await organisation()
    await gatehouse.clock.advance({ days: 9 })
    await gatehouse.restore(snapshot)
    expect(gatehouse.clock.now() - before).toBeLessThan(3_600_000)
    await expect(gatehouse.tokens(later.owner, later.client('web'))).rejects.toMatchObject({ status: 404 })
  })

  it('gives mails and webhooks', async () => {
    const { owner, ...made } = await gatehouse.organisation({ webhooks: ['user.blocked'], users: [{ email: 'ben' }] })
    await fetch(`${gatehouse.url}/v1/auth/password/forgot`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: owner.email }),
    })
    const { links } = await gatehouse.mails.next({ to: owner.email })
    expect(links).toEqual([expect.stringContaining('/password/reset?token=')])
    await gatehouse.block(made.user('ben'))
    expect(await gatehouse.webhooks.received('user.blocked', { organisation: { owner, ...made } })).toMatchObject({
      organisationId: made.id,
    })
    await gatehouse.suspend({ owner, ...made })
    await gatehouse.settled()
    expect((await gatehouse.mails.all()).length).toBeGreaterThan(0)
  })
})

// The application under test: an API, and what a web application does with tokens.
const request = (token: string) => new Request('https://api.test/', { headers: { authorization: `Bearer ${token}` } })
const apiOf = (client: Client, options = {}) =>
  createVerifier({ issuer: gatehouse.url, audience: client.id, clock: gatehouse.clock.now, ...options })
async function refresh({ refresh_token = '' }: Tokens, client: Client): Promise<Tokens> {
  const web = await discovery(new URL(gatehouse.url), client.id, undefined, ClientSecretBasic(client.secret ?? ''), {
    execute: [allowInsecureRequests],
  })
  return (await refreshTokenGrant(web, refresh_token)) as Tokens
}

describe('an application', () => {
  const scope = 'openid offline_access'

  it('gets a new token when one expires in the middle', async () => {
    const [anna, web] = [acme.user('anna'), acme.client('web')]
    const api = apiOf(web)
    const tokens = await gatehouse.tokens(anna, web, { scope })
    await api.verify(request(tokens.access_token))

    await gatehouse.clock.advance({ hours: 2 })

    await expect(api.verify(request(tokens.access_token))).rejects.toMatchObject({ status: 401, code: 'invalid-token' })
    const renewed = await refresh(tokens, web)
    await api.verify(request(renewed.access_token))
  })

  it('takes tokens of a new signing key, and of the former one', async () => {
    const [anna, web] = [acme.user('anna'), acme.client('web')]
    const api = apiOf(web)
    const former = await gatehouse.tokens(anna, web)
    await api.verify(request(former.access_token))

    await gatehouse.rotateKeys()

    const { access_token } = await gatehouse.tokens(anna, web)
    // An API may fetch the keys only once a second.
    await expect.poll(() => api.verify(request(access_token)).catch(() => undefined)).toMatchObject({ token: access_token })
    await api.verify(request(former.access_token))
  })

  it('signs a user out whose refresh token was used twice', async () => {
    const [anna, web] = [acme.user('anna'), acme.client('web')]
    const tokens = await gatehouse.tokens(anna, web, { scope })
    const next = await refresh(tokens, web)

    await expect(refresh(tokens, web)).rejects.toMatchObject({ error: 'invalid_grant' })

    await expect(refresh(next, web)).rejects.toMatchObject({ error: 'invalid_grant' })
  })

  it('notices that the user has signed out elsewhere', async () => {
    const [anna, web] = [acme.user('anna'), acme.client('web')]
    const introspection = { clientId: web.id, clientSecret: web.secret ?? '', cacheSeconds: 0 }
    const tokens = await gatehouse.tokens(anna, web, { scope })
    await apiOf(web, { introspection }).verify(request(tokens.access_token))

    await gatehouse.revokeAll(anna)

    await expect(apiOf(web, { introspection }).verify(request(tokens.access_token))).rejects.toMatchObject({ code: 'invalid-token' })
    await expect(refresh(tokens, web)).rejects.toMatchObject({ error: 'invalid_grant' })
  })

  it('refuses a user who was blocked', async () => {
    const other = await organisation()
    const [anna, web] = [other.user('anna'), other.client('web')]
    const tokens = await gatehouse.tokens(anna, web, { scope })

    await gatehouse.block(anna)

    await expect(refresh(tokens, web)).rejects.toMatchObject({ error: 'invalid_grant' })
    await expect(gatehouse.tokens(anna, web)).rejects.toMatchObject({ status: 403, code: 'user-blocked' })
  })

  it('asks for a stronger sign-in where one is needed', async () => {
    const [anna, web] = [acme.user('anna'), acme.client('web')]
    const { access_token } = await gatehouse.tokens(anna, web)
    const refused = await apiOf(web)
      .verify(request(access_token), { acr: 'aal2' })
      .catch((error) => error)
    expect(refused).toMatchObject({ status: 401, code: 'insufficient-user-authentication' })
    expect(refused.headers.get('www-authenticate')).toContain('acr_values="aal2"')

    const strong = await gatehouse.tokens(anna, web, { parameters: { acr_values: 'aal2' } })

    await apiOf(web).verify(request(strong.access_token), { acr: 'aal2' })
  })

  it('takes a right away with the role', async () => {
    const [anna, web] = [acme.user('anna'), acme.client('web')]
    const tokens = await gatehouse.tokens(anna, web, { scope })
    await apiOf(web).verify(request(tokens.access_token), { permission: 'users:read' })

    const { cookie, csrfToken } = await gatehouse.session(acme.owner)
    const removed = await fetch(`${gatehouse.url}/v1/admin/users/${anna.id}/roles`, {
      method: 'DELETE',
      headers: { cookie: `${cookie.name}=${cookie.value}`, 'x-csrf-token': csrfToken, 'content-type': 'application/json' },
      body: JSON.stringify({ roleId: 'clerk' }),
    })
    expect(removed.ok).toBe(true)

    const { access_token } = await refresh(tokens, web)
    await expect(apiOf(web).verify(request(access_token), { permission: 'users:read' })).rejects.toMatchObject({ status: 403 })
  })

  it('tries again when the token endpoint is away', async () => {
    const [anna, web] = [acme.user('anna'), acme.client('web')]
    const tokens = await gatehouse.tokens(anna, web, { scope })
    await gatehouse.fail({ path: '/oauth2/token', method: 'POST', status: 503 })

    await expect(refresh(tokens, web)).rejects.toMatchObject({ code: 'OAUTH_RESPONSE_IS_NOT_CONFORM' })

    // The refused request has not used the refresh token up.
    await refresh(tokens, web)
  })

  it('tolerates a clock that is a little ahead, and no token of the future', async () => {
    const [anna, web] = [acme.user('anna'), acme.client('web')]
    const behind = apiOf(web, { clock: () => gatehouse.clock.now() - 3_000 })
    const { access_token } = await gatehouse.tokens(anna, web)
    await behind.verify(request(access_token))

    await gatehouse.bend({ token: 'access', notYetValid: true })

    const early = await gatehouse.tokens(anna, web)
    await expect(apiOf(web).verify(request(early.access_token))).rejects.toMatchObject({ code: 'invalid-token' })
  })

  it('refuses a token for another audience, and an ID token', async () => {
    const [anna, web] = [acme.user('anna'), acme.client('web')]
    await gatehouse.bend({ token: 'access', audience: 'https://other.test' })

    const { access_token, id_token = '' } = await gatehouse.tokens(anna, web)

    await expect(apiOf(web).verify(request(access_token))).rejects.toMatchObject({ status: 401, code: 'invalid-token' })
    await expect(apiOf(web).verify(request(id_token))).rejects.toMatchObject({ status: 401, code: 'invalid-token' })
  })

  it.each([
    { expired: true },
    { issuer: 'https://other.test' },
    { signature: 'broken' },
    { signature: 'none' },
    { signature: 'unknown key' },
    { claims: { exp: undefined, aud: [] } },
  ] as const)('refuses a token that is bent by %o', async (way) => {
    await gatehouse.bend({ token: 'access', ...way, ...('claims' in way && { claims: { ...way.claims } }) })
    const { access_token } = await gatehouse.tokens(acme.user('anna'), acme.client('web'))
    await expect(apiOf(acme.client('web')).verify(request(access_token))).rejects.toMatchObject({ status: 401, code: 'invalid-token' })
  })
})

describe('docs/testing.md', () => {
  it('has a helper for pytest whose test passes', needsPython, async () => {
    const [, code = ''] = /```python\n(.*?)```/s.exec(await readFile('docs/testing.md', 'utf8')) ?? []
    // Without pytest: its decorator does nothing, and the fixture is the service that runs here.
    const stub = "import sys, types\nsys.modules['pytest'] = types.SimpleNamespace(fixture=lambda **_: lambda made: made)\n"
    const call = `test_expiry(${JSON.stringify({ url: gatehouse.url, controls: `${gatehouse.url}/_test` })})\n`
    const { status, stderr } = spawnSync('python3', ['-c', stub + code + call], { encoding: 'utf8' })
    expect([status, stderr]).toEqual([0, ''])
  })

  it('shows the ten cases as they run here', async () => {
    const [document, here] = await Promise.all(['docs/testing.md', 'test/kit/testing.test.ts'].map((file) => readFile(file, 'utf8')))
    const cases = [...(document ?? '').matchAll(/```ts case\n(.*?)```/gs)].map(([, code = '']) => code)
    expect(cases).toHaveLength(10)
    const indented = cases.map((code) => code.replaceAll(/^(?=.)/gm, '  '))
    expect(indented.filter((code) => !here?.includes(code))).toEqual([])
  })
})
