import { resolve } from 'node:path'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { TestMode } from '../../src/test-mode/start-on.ts'
import { startTestMode } from '../../src/test-mode/start-test-mode.ts'
import { databaseKind, dropDatabase, freshPostgresUrl } from '../support/database.ts'
import { type Answer, HttpClient } from '../support/http-client.ts'
import { claimsOf, headerOf } from '../support/oauth.ts'

const redirectUri = 'https://app.test/callback'
let mode: TestMode
let http: HttpClient
let databaseUrl: string | undefined
const log: string[] = []
beforeAll(async () => {
  databaseUrl = databaseKind() === 'postgres' ? await freshPostgresUrl() : undefined
  const environment = { XDG_CACHE_HOME: resolve('node_modules/.cache'), ...(databaseUrl && { DATABASE_URL: databaseUrl }) }
  mode = await startTestMode({ environment, port: 0, log: { write: (line) => void log.push(line) } })
  http = new HttpClient(mode.url)
})
afterAll(async () => {
  await mode?.stop()
  if (databaseUrl) await dropDatabase(databaseUrl)
})

const control = (path: string, body?: unknown) => http.post(`/_test${path}`, body)
async function done(answer: Promise<Answer>): Promise<Answer['body']> {
  const { status, body } = await answer
  expect({ status, body }).toMatchObject({ status: expect.toSatisfy((code: number) => code < 300) })
  return body
}

let made = 0
/** An organisation with a user, an application and a receiver of webhooks. */
async function organisation() {
  const name = `anna${++made}`
  const body = await done(
    control('/organisations', {
      users: [{ email: `${name}@acme.test`, firstName: 'Anna', roles: ['admin'] }],
      clients: [{ key: 'web', redirectUris: [redirectUri] }],
      webhooks: ['user.blocked'],
    }),
  )
  const [user] = body.users
  const [client] = body.clients
  const tokens = (more: object = {}) =>
    control('/tokens', { user: user.email, clientId: client.id, scope: 'openid offline_access', nonce: 'n', ...more })
  const authorization = `Basic ${btoa(`${client.id}:${client.secret}`)}`
  const redeem = (refreshToken: string) =>
    http.post('/oauth2/token', `grant_type=refresh_token&refresh_token=${refreshToken}`, {
      headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
    })
  return { ...body, user, client, tokens, redeem }
}

async function verified(token: string, options: { audience: string; currentDate: Date }) {
  const { body } = await http.get('/oauth2/jwks.json')
  return jwtVerify(token, createLocalJWKSet(body), { issuer: mode.url, ...options }).then(
    () => 'valid',
    (error) => error.code,
  )
}

const now = async () => new Date((await http.get('/_test')).body.now)

describe('the test mode', () => {
  it('says in every response what it is, and describes its controls', async () => {
    for (const path of ['/healthz', '/login', '/no-such-address', '/_test', '/_test/no-such-address'])
      expect((await http.get(path)).headers.get('gatehouse-test-mode')).toBe('on')
    const told = () => http.get('/_test/no-such-address').then(({ headers }) => headers.get('gatehouse-test-clock'))
    const before = await told()
    expect(before).toMatch(/^[\dT:.-]+Z; moves=\d+$/)
    expect((await http.get('/healthz')).headers.get('gatehouse-test-clock')).toBeNull()
    await done(control('/clock/freeze'))
    expect(await told()).toBe(`${(await http.get('/_test')).body.now}; moves=${Number(before?.split('=')[1]) + 1}; frozen`)
    await done(control('/clock/real'))
    const { body } = await http.get('/_test/openapi.json')
    expect(Object.keys(body.paths)).toContain('/_test/clock/advance')
    expect(Object.keys((await http.get('/openapi.json')).body.paths).filter((path) => path.startsWith('/_test'))).toEqual([])
  })

  it('is the service itself: its users sign in by password, and its operator has a key', async () => {
    const { user, id } = await organisation()
    const login = await http.post('/v1/auth/login', { email: user.email, password: user.password })
    expect(login).toMatchObject({ status: 200, body: { status: 'authenticated' } })
    const operator = http.with({ authorization: `Bearer ${mode.systemApiKey}` })
    expect(await operator.get(`/v1/system/organisations/${id}`)).toMatchObject({ status: 200, body: { status: 'active' } })
  })

  it.each([
    [
      'an organisation with an unknown role',
      '/organisations',
      { users: [{ email: 'a@b.test', roles: ['nope'] }] },
      ['users', 0, 'roles', 0],
    ],
    ['an unknown field', '/organisations', { nope: 1 }, []],
    ['an application with an unknown field', '/organisations', { clients: [{ key: 'web', nope: 1 }] }, ['clients', 'web']],
    ['a fault without a status', '/faults', { path: '/' }, ['status']],
    ['a slow response without a delay', '/faults', { path: '/', status: 'slow' }, ['delayMilliseconds']],
    ['a token that is not there', '/bends', { token: 'refresh' }, ['token']],
    ['a time that is none', '/clock/set', { time: 'soon' }, ['time']],
    ['a time after all years', '/clock/set', { time: '9999-12-31T00:00:00Z' }, []],
  ])('refuses %s', async (_, path, body, place) => {
    expect(await control(path, body)).toMatchObject({ status: 400, body: { errors: [{ path: place }] } })
  })

  it('leaves nothing of an organisation that is refused', async () => {
    const whole = { slug: 'half-made', users: [{ email: 'half@made.test' }] }
    const wrong = [
      { ...whole, users: [{ email: 'half@made.test', roles: ['nope'] }] },
      { ...whole, clients: [{ key: 'web', redirectUris: ['http://half-made.test/callback'] }] },
    ]
    for (const input of wrong) expect(await control('/organisations', input)).toMatchObject({ status: 400 })
    expect(await control('/organisations', whole)).toMatchObject({ status: 201 })
  })

  it('refuses a page of another origin, and a name that leads here', async () => {
    const fromPage = http.with({ origin: 'https://evil.test' })
    expect(await fromPage.post('/_test/clock/freeze')).toMatchObject({ status: 403, body: { code: 'test-mode-elsewhere' } })
    const { request } = await import('node:http')
    const status = await new Promise((answer, fail) =>
      request(`${mode.url}/_test`, { headers: { host: 'evil.test' } }, (response) => answer(response.resume().statusCode))
        .on('error', fail)
        .end(),
    )
    expect(status).toBe(403)
    expect((await http.get('/_test')).body.mode).toBe('test')
  })
})

describe('the tokens of the test mode', () => {
  it('come by the real flow, and are right unless they are bent', async () => {
    const { tokens, client } = await organisation()
    const { access_token, id_token, refresh_token } = await done(tokens())
    const right = { audience: client.id, currentDate: await now() }
    expect(await verified(access_token, right)).toBe('valid')
    expect(await verified(id_token, right)).toBe('valid')
    expect(claimsOf(id_token)).toMatchObject({ nonce: 'n', amr: ['pwd'] })
    expect(refresh_token).toMatch(/^rt_/)
  })

  it('are wrong in just the way that was asked for, once', async () => {
    const { tokens, client } = await organisation()
    const right = { audience: client.id, currentDate: await now() }
    const bent = async (bend: object) => {
      await done(control('/bends', bend))
      return done(tokens())
    }
    const ways: [object, string][] = [
      [{ expired: true }, 'ERR_JWT_EXPIRED'],
      [{ notYetValid: true }, 'ERR_JWT_CLAIM_VALIDATION_FAILED'],
      [{ audience: 'other' }, 'ERR_JWT_CLAIM_VALIDATION_FAILED'],
      [{ issuer: 'https://other.test' }, 'ERR_JWT_CLAIM_VALIDATION_FAILED'],
      [{ signature: 'broken' }, 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED'],
      [{ signature: 'unknown key' }, 'ERR_JWKS_NO_MATCHING_KEY'],
    ]
    for (const token of ['access', 'id'] as const)
      for (const [way, code] of ways) {
        const answer = await bent({ token, ...way })
        const [wrong, other] = token === 'access' ? [answer.access_token, answer.id_token] : [answer.id_token, answer.access_token]
        expect([way, await verified(wrong, right)]).toEqual([way, code])
        expect(await verified(other, right)).toBe('valid')
      }
    expect(headerOf((await bent({ token: 'access', signature: 'none' })).access_token)).toMatchObject({ alg: 'none', typ: 'at+jwt' })
    const answer = await bent({ token: 'id', nonce: 'other', claims: { org: 'org_other' } })
    expect(claimsOf(answer.id_token)).toMatchObject({ nonce: 'other', org: 'org_other' })
    // The hash in the ID token is that of the bent access token: nothing else is wrong.
    const hashes = [await bent({ token: 'access', audience: 'other' }), await done(tokens())].map(
      ({ id_token }) => claimsOf(id_token).at_hash,
    )
    expect(new Set(hashes).size).toBe(2)
    expect(await verified((await done(tokens())).id_token, right)).toBe('valid')
  })

  it('need a page where the sign-in does', async () => {
    const body = await done(
      control('/organisations', {
        users: [{ email: 'consent@acme.test' }],
        clients: [{ key: 'web', redirectUris: [redirectUri], requireConsent: true }],
      }),
    )
    const asked = { user: 'consent@acme.test', clientId: body.clients[0].id }
    expect(await control('/tokens', asked)).toMatchObject({ status: 409, body: { code: 'page-needed' } })
    expect(await control('/tokens', { ...asked, user: 'nobody@acme.test' })).toMatchObject({ status: 404 })
  })
})

describe('what a test holds in its hands', () => {
  it('moves the time: tokens expire, and what is due is done', async () => {
    const { tokens, client, redeem } = await organisation()
    const { access_token, refresh_token } = await done(tokens())
    const before = await now()
    const { now: after } = await done(control('/clock/advance', { hours: 2 }))
    expect(Date.parse(after) - before.getTime()).toBeGreaterThanOrEqual(2 * 3_600_000)
    expect(await verified(access_token, { audience: client.id, currentDate: new Date(after) })).toBe('ERR_JWT_EXPIRED')
    expect(await redeem(refresh_token)).toMatchObject({ status: 200 })

    const frozen = await done(control('/clock/freeze'))
    expect(frozen.isFrozen).toBe(true)
    expect((await now()).toISOString()).toBe(frozen.now)
    expect((await done(control('/clock/advance', { seconds: 1 }))).now).toBe(new Date(Date.parse(frozen.now) + 1_000).toISOString())
    expect((await done(control('/clock/set', { time: '2031-01-01T00:00:00Z' }))).now).toBe('2031-01-01T00:00:00.000Z')
    expect(Date.parse((await done(control('/clock/real'))).now) - Date.now()).toBeLessThan(3_600_000)
  })

  it('takes mails with their links, and refuses some', async () => {
    const { user } = await organisation()
    const forgot = () => done(http.post('/v1/auth/password/forgot', { email: user.email }))
    await done(control('/mails/fail'))
    await forgot()
    const quick = { to: user.email, timeoutMilliseconds: 0 }
    expect(await control('/mails/next', quick)).toMatchObject({ status: 404, body: { code: 'nothing-has-come' } })
    await done(control('/clock/advance', { minutes: 2 }))
    const mail = await done(control('/mails/next', { ...quick, subject: 'password' }))
    expect(mail).toMatchObject({ to: user.email, links: [expect.stringContaining(`${mode.url}/password/reset?token=`)], code: null })
    expect(await control('/mails/next', quick)).toMatchObject({ status: 404 })
    expect((await http.get('/_test/mails')).body.data).toContainEqual(mail)
  })

  it('blocks and revokes by name, and receives the webhook of it', async () => {
    const { id, user, tokens, redeem } = await organisation()
    const first = await done(tokens())
    await done(control(`/users/${user.email}/revoke`))
    expect(await redeem(first.refresh_token)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    await done(control(`/users/${user.id}/block`))
    const webhook = await done(control('/webhooks/next', { event: 'user.blocked' }))
    expect(webhook).toMatchObject({ organisationId: id, event: 'user.blocked' })
    expect(webhook.body).toContain(user.id)
    expect(await tokens()).toMatchObject({ status: 403 })
    expect(await control('/users/nobody@acme.test/block')).toMatchObject({ status: 404 })
  })

  it('tries a webhook again at its time, when the receiver has failed', async () => {
    const { user, id } = await organisation()
    await done(control('/webhooks/receiver', { status: 500 }))
    await done(control(`/users/${user.id}/block`))
    const next = { event: 'user.blocked', organisationId: id, timeoutMilliseconds: 0 }
    await done(control('/webhooks/next', next))
    expect(await control('/webhooks/next', next)).toMatchObject({ status: 404 })
    await done(control('/webhooks/receiver', { status: 200 }))
    await done(control('/clock/advance', { hours: 1 }))
    await done(control('/webhooks/next', next))
  })

  it('suspends an organisation', async () => {
    const { id, tokens } = await organisation()
    await done(control(`/organisations/${id}/suspend`))
    expect(await tokens()).toMatchObject({ status: 403 })
  })

  it('rotates keys: the new one signs at once, and the former is still published', async () => {
    const { tokens, client } = await organisation()
    const before = await done(tokens())
    await done(control('/keys/rotate'))
    const after = await done(tokens())
    expect(headerOf(after.access_token).kid).not.toBe(headerOf(before.access_token).kid)
    const right = { audience: client.id, currentDate: await now() }
    expect(await Promise.all([before, after].map(({ access_token }) => verified(access_token, right)))).toEqual(['valid', 'valid'])
  })

  it('lets requests fail, as often as was asked for', async () => {
    await done(control('/faults', { path: '/oauth2/*', method: 'post', status: 503, times: 2 }))
    const failing = [await http.post('/oauth2/token'), await http.get('/oauth2/jwks.json'), await http.post('/oauth2/revoke')]
    expect(failing.map(({ status }) => status)).toEqual([503, 200, 503])
    expect(failing[0]?.headers.get('retry-after')).toBe('1')
    expect((await http.post('/oauth2/token')).status).not.toBe(503)
    await done(control('/faults', { path: '/healthz', status: 'reset' }))
    await expect(http.get('/healthz')).rejects.toThrow('fetch failed')
    await done(control('/faults', { path: '/healthz', status: 'slow', delayMilliseconds: 1 }))
    expect((await http.get('/healthz')).status).toBe(200)
    await done(control('/faults', { path: '/healthz', status: 500, times: 9 }))
    await done(control('/reset'))
    expect((await http.get('/healthz')).status).toBe(200)
  })

  it('lets no fault meet what it asks of the service itself', async () => {
    const { tokens } = await organisation()
    for (const status of ['reset', 503]) {
      await done(control('/faults', { path: '/oauth2/*', status }))
      await done(tokens())
      const met = await http.post('/oauth2/token').catch(() => 'reset')
      expect(met).toEqual(status === 503 ? expect.objectContaining({ status }) : 'reset')
    }
  })

  it('forgets what is still to fail', async () => {
    const { user, id } = await organisation()
    await done(control('/mails/fail', { times: 9 }))
    await done(control('/texts/fail', { times: 9 }))
    await done(control('/webhooks/receiver', { status: 500 }))
    await done(control('/reset'))
    await done(http.post('/v1/auth/password/forgot', { email: user.email }))
    await done(control('/mails/next', { to: user.email, timeoutMilliseconds: 0 }))
    await done(control(`/users/${user.id}/block`))
    await done(control('/webhooks/next', { organisationId: id, timeoutMilliseconds: 0 }))
    await done(control('/clock/advance', { hours: 1 }))
    // It was taken the first time.
    expect(await control('/webhooks/next', { organisationId: id, timeoutMilliseconds: 0 })).toMatchObject({ status: 404 })
  })

  it('signs in no user who was deleted, and none whom it does not know', async () => {
    const { owner, users } = await done(control('/organisations', { users: [{ email: 'olga@acme.test' }] }))
    const { id } = users[0]
    const { cookie, csrfToken } = await done(control('/sessions', { user: owner.id }))
    const asOwner = http.with({ cookie: `${cookie.name}=${cookie.value}`, 'x-csrf-token': csrfToken })
    expect((await asOwner.delete(`/v1/admin/users/${id}`)).status).toBeLessThan(300)
    for (const user of [id, 'olga@acme.test', 'usr_unknown'])
      expect(await control('/sessions', { user })).toMatchObject({ status: 404, body: { code: 'user-not-found' } })
  })

  it('knows the code of an authenticator app, and signs its user in with it', async () => {
    const { users } = await done(control('/organisations', { users: [{ email: 'otto@acme.test', totp: true }] }))
    const login = await http.post('/v1/auth/login', { email: 'otto@acme.test', password: users[0].password })
    expect(login.body).toMatchObject({ status: 'mfa_required' })
    const { code } = (await http.get('/_test/users/otto@acme.test/totp')).body
    expect(code).toHaveLength(new TOTP().digits)
    const { cookie, csrfToken } = await done(control('/sessions', { user: 'otto@acme.test' }))
    const otto = http.with({ cookie: `${cookie.name}=${cookie.value}`, 'x-csrf-token': csrfToken })
    expect(await otto.get('/v1/me/profile')).toMatchObject({ status: 200, body: { email: 'otto@acme.test' } })
  })

  it('gives the code that is accepted next, and none where the clock has to move', async () => {
    const { users } = await done(control('/organisations', { users: [{ email: 'olaf@acme.test', totp: true }] }))
    await done(control('/clock/freeze'))
    onTestFinished(async () => void (await done(control('/clock/real'))))
    const codeOf = () => http.get(`/_test/users/${users[0].id}/totp`)
    const signIn = async () => {
      const { body: login } = await http.post('/v1/auth/login', { email: 'olaf@acme.test', password: users[0].password })
      const { code } = await done(codeOf())
      expect((await done(codeOf())).code).toBe(code)
      return http.post('/v1/auth/login/mfa', { mfaToken: login.mfaToken, code })
    }
    for (let time = 0; time < 2; time++) expect(await signIn()).toMatchObject({ status: 200, body: { status: 'authenticated' } })
    const refused = await codeOf()
    expect(refused).toMatchObject({ status: 409, body: { code: 'code-used', detail: expect.stringContaining('advance the clock') } })
    await done(control('/clock/advance', { seconds: 30 }))
    expect(await signIn()).toMatchObject({ status: 200, body: { status: 'authenticated' } })
  })

  it('goes back to a snapshot: rows, keys, the time and what was sent', async () => {
    const { user, client, tokens, redeem } = await organisation()
    const taken = await control('/snapshots')
    if (databaseKind() === 'postgres') {
      expect(taken).toMatchObject({ status: 409, body: { code: 'snapshots-not-possible' } })
      return
    }
    const { id } = await done(Promise.resolve(taken))
    const at = await now()
    for (let round = 0; round < 2; round++) {
      const { refresh_token } = await done(tokens())
      await done(control('/clock/advance', { days: 40 }))
      await done(control('/keys/rotate'))
      await done(control(`/users/${user.id}/block`))
      await done(control('/webhooks/next', { event: 'user.blocked', timeoutMilliseconds: 0 }))
      await done(control('/mails/fail', { times: 9 }))
      await done(control('/webhooks/receiver', { status: 500 }))
      await done(control(`/snapshots/${id}/restore`))
      await done(http.post('/v1/auth/password/forgot', { email: user.email }))
      await done(control('/mails/next', { to: user.email, timeoutMilliseconds: 0 }))
      expect((await now()).getTime() - at.getTime()).toBeLessThan(3_600_000)
      expect(await redeem(refresh_token)).toMatchObject({ status: 400 })
      const { access_token } = await done(tokens())
      expect(await verified(access_token, { audience: client.id, currentDate: await now() })).toBe('valid')
    }
    expect(await http.delete(`/_test/snapshots/${id}`)).toMatchObject({ status: 204 })
    expect(await control(`/snapshots/${id}/restore`)).toMatchObject({ status: 404, body: { code: 'snapshot-not-found' } })
  })

  it('counts requests anew in a snapshot that it goes back to', async () => {
    if (databaseKind() === 'postgres') return
    const environment = { XDG_CACHE_HOME: resolve('node_modules/.cache'), RATE_LIMIT: 'on' }
    const limited = await startTestMode({ environment, port: 0, log: { write: (line) => void log.push(line) } })
    onTestFinished(() => limited.stop())
    const there = new HttpClient(limited.url)
    const { owner } = await done(there.post('/_test/organisations', {}))
    const { id } = await done(there.post('/_test/snapshots'))
    const tried = async (password: string) => (await there.post('/v1/auth/login', { email: owner.email, password })).status
    for (let time = 0; time < 10; time++) expect(await tried('wrong password')).toBe(401)
    expect(await tried(owner.password)).toBe(429)

    await done(there.post(`/_test/snapshots/${id}/restore`))

    expect(await tried(owner.password)).toBe(200)
  })

  it('logs no failure', () => {
    expect(log.filter((line) => /"level":[56]0/.test(line))).toEqual([])
  })
})
