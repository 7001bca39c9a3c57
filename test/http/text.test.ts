import { request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { unique } from '../support/given.ts'
import { callbackOf, givenApplication, pkce } from '../support/oauth.ts'
import { PageVisitor } from '../support/page-visitor.ts'
import { useService } from '../support/service.ts'

const service = useService()

const refused = (...path: (string | number)[]) => ({
  status: 400,
  body: { code: 'invalid-input', errors: expect.arrayContaining([expect.objectContaining({ path, reason: 'invalid-characters' })]) },
})

describe('a name', () => {
  it.each([
    ['reverses the text', '\u202e'],
    ['isolates text', '\u2066'],
    ['marks a direction', '\u200f'],
    ['marks an Arabic letter', '\u061c'],
    ['has no width', '\u200b'],
    ['joins words', '\u2060'],
    ['marks the order of bytes', '\ufeff'],
  ])('is refused when a character of it %s, also at its ends', async (_, character) => {
    const { owner } = await service().given.organisation()
    for (const name of [`Ac${character}me`, `${character}Acme`, `Acme${character}`]) {
      expect(await owner.patch('/v1/admin/organisation', { name })).toMatchObject(refused('name'))
      expect(await owner.post('/v1/admin/roles', { name, slug: 'r' })).toMatchObject(refused('name'))
      expect(await owner.post('/v1/admin/teams', { name, slug: 't' })).toMatchObject(refused('name'))
      expect(await owner.post('/v1/admin/clients', { name, clientType: 'public' })).toMatchObject(refused('name'))
      expect(await owner.post('/v1/admin/api-keys', { name, permissions: [] })).toMatchObject(refused('name'))
      expect(await owner.patch('/v1/me/profile', { firstName: name })).toMatchObject(refused('firstName'))
    }
    expect((await owner.get('/v1/admin/teams')).body.total).toBe(0)
  })

  it('preserves the joiners of Persian, Indic scripts and emoji', async () => {
    const { owner } = await service().given.organisation()
    for (const name of ['می‌خواهم', 'क्‍ष', '👩‍👩‍👧']) {
      expect(await owner.patch('/v1/me/profile', { firstName: name })).toMatchObject({ status: 200, body: { firstName: name } })
    }
  })
})

describe('a description or a reason', () => {
  it('preserves its lines and tabs, and contains no other control character', async () => {
    const { owner, id } = await service().given.organisation()
    const { operator } = service()
    const user = await service().given.user(owner)
    const lines = 'First line\n\tsecond line'
    const sent = 'First line\r\n\tsecond line'
    const role = await owner.post('/v1/admin/roles', { name: 'R', slug: 'r', description: sent })
    expect(role).toMatchObject({ status: 201, body: { description: lines } })
    expect(await owner.patch(`/v1/admin/roles/${role.body.id}`, { description: lines })).toMatchObject({ body: { description: lines } })
    expect(await owner.post('/v1/admin/teams', { name: 'T', slug: 't', description: lines })).toMatchObject({
      body: { description: lines },
    })
    const client = { name: 'C', clientType: 'public', redirectUris: ['https://a.test/'], description: lines }
    expect(await owner.post('/v1/admin/clients', client)).toMatchObject({ body: { description: lines } })
    const blocked = { blockedAt: '2026-01-31T09:30:00Z', blockedReason: lines }
    expect(await owner.patch(`/v1/admin/users/${user.id}`, blocked)).toMatchObject({ body: { blockedReason: lines } })
    const permission = { slug: `lines:${unique()}`, name: 'P', description: lines, category: 'users' }
    expect(await operator.post('/v1/system/permissions', permission)).toMatchObject({ body: { description: lines } })
    expect(await operator.patch(`/v1/system/organisations/${id}/suspend`, { reason: lines })).toMatchObject({ status: 200 })

    for (const unfit of ['a\u0000', 'a\u000bb', 'a\u0085b', 'a\ud83d']) {
      const reason = { reason: unfit }
      expect(await operator.patch(`/v1/system/organisations/${id}/suspend`, reason)).toMatchObject(refused('reason'))
      expect(await operator.post('/v1/system/permissions', { ...permission, description: unfit })).toMatchObject(refused('description'))
    }
  })
})

describe('free-form text', () => {
  it('is refused with the position that cannot be stored', async () => {
    const { owner } = await service().given.organisation()
    for (const unfit of ['\u0000', '\u0007', '\ud800', '\udc00']) {
      const metadata = { plan: { notes: ['fine\n', unfit] } }
      expect(await owner.patch('/v1/admin/organisation', { metadata })).toMatchObject(refused('metadata', 'plan', 'notes', 1))
      expect(await owner.patch('/v1/admin/organisation', { metadata: { [unfit]: 1 } })).toMatchObject(refused('metadata'))
    }
    const metadata = { notes: 'two\nlines \u202e😀' }
    expect(await owner.patch('/v1/admin/organisation', { metadata })).toMatchObject({ status: 200, body: { metadata } })
  })
})

describe('a user agent', () => {
  /** Fetch sends no such header. */
  function signInWith(userAgent: string, email: string, password: string): Promise<{ status: number | undefined; body: unknown }> {
    const body = JSON.stringify({ email, password })
    const headers = { 'content-type': 'application/json', 'user-agent': Buffer.from(userAgent).toString('latin1') }
    return new Promise((resolve, reject) => {
      const sent = request(`${service().origin}/v1/auth/login`, { method: 'POST', headers }, (response) => {
        let text = ''
        response.on('data', (chunk) => {
          text += chunk
        })
        response.on('end', () => resolve({ status: response.statusCode, body: JSON.parse(text) }))
      })
      // As bytes: a string would encode the headers as UTF-8, too.
      sent.on('error', reject).end(Buffer.from(body))
    })
  }

  it('is stored as it was sent, cut between characters', async () => {
    const { owner } = await service().given.organisation()
    const user = await service().given.user(owner)
    const long = `${'É'.repeat(511)}😀😀`
    expect(await signInWith(long, user.email, 'correct horse battery')).toMatchObject({ status: 200 })
    const { data } = (await owner.get(`/v1/admin/users/${user.id}/sessions`)).body
    expect(data[0].userAgent).toBe('É'.repeat(511))
  })

  it('is refused with control characters', async () => {
    const { owner } = await service().given.organisation()
    for (const unfit of ['a\u0085b', 'a\tb']) {
      expect(await signInWith(unfit, owner.email, owner.password)).toMatchObject({
        status: 400,
        body: { errors: [{ path: ['User-Agent'] }] },
      })
    }
  })
})

describe('a long name of an organisation', () => {
  it.each([
    ['letters', 'x'.repeat(255)],
    ['Chinese', '阿'.repeat(255)],
    ['emoji', '😀'.repeat(127)],
  ])('of %s fits into the QR code of an enrolment', async (_, text) => {
    const { owner } = await service().given.organisation()
    const name = `${text.slice(0, -20)}${unique()}`
    expect(await owner.patch('/v1/admin/organisation', { name: name.toWellFormed() })).toMatchObject({ status: 200 })
    const { status, body } = await owner.post('/v1/me/mfa/enable')
    expect(status).toBe(200)
    const issuer = new URL(body.qrCodeUri).searchParams.get('issuer') ?? ''
    expect(issuer.length).toBeLessThanOrEqual(60)
    expect(name.startsWith(issuer.replace('…', ''))).toBe(true)
    const visitor = new PageVisitor(service().origin)
    await visitor.submit('/login', { email: owner.email, password: owner.password })
    await visitor.submit('/mfa/enroll/method', {}, {}, '/mfa/enroll')
    const page = await visitor.open('/mfa/enroll')
    expect(page).toMatchObject({ status: 200, body: expect.stringContaining('<svg') })
  })
})

describe('text of OAuth', () => {
  it('that is stored when it is refused is cut between characters', async () => {
    const app = await givenApplication(service(), { clientType: 'confidential' })
    const { owner } = app.organisation
    for (const at of [6, 40, 100, 255, 499, 500, 512, 2_046, 2_047, 2_048]) {
      const text = `${'x'.repeat(at - 1)}😀😀`
      const authorize = (fields: Record<string, string>) => app.authorize({ ...fields })
      for (const name of ['state', 'nonce', 'scope', 'login_hint', 'prompt', 'response_type', 'code_challenge'])
        expect([name, at, (await authorize({ [name]: text, prompt: name === 'prompt' ? text : 'none' })).status]).toEqual([name, at, 302])
      expect((await authorize({ client_id: text })).status).toBe(400)
      expect((await authorize({ redirect_uri: text })).status).toBe(400)
      const grant = { grant_type: 'authorization_code' }
      expect(await app.token({ ...grant, code: text })).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
      expect(await app.token({ grant_type: 'refresh_token', refresh_token: text })).toMatchObject({ status: 400 })
      expect(await app.token({ ...grant, code: 'x', client_id: text, client_secret: text }, {})).toMatchObject({ status: 401 })
      expect(await app.introspect(text)).toMatchObject({ status: 200, body: { active: false } })
      expect(await app.revoke(text)).toMatchObject({ status: 200 })
      const logout = new URLSearchParams({ client_id: text, state: text, id_token_hint: text, post_logout_redirect_uri: text })
      expect((await owner.get(`/oauth2/logout?${logout}`)).status).toBe(400)
    }
  })

  it('is at most 2,048 characters long where it is sent back', async () => {
    const app = await givenApplication(service())
    const challenge = { code_challenge: pkce().challenge, code_challenge_method: 'S256' }
    for (const name of ['state', 'nonce', 'login_hint', 'ui_locales', 'scope']) {
      const answer = callbackOf(await app.authorize({ ...challenge, [name]: 'x'.repeat(2_049) }))
      expect([name, answer.get('error'), answer.get('code')]).toEqual([name, 'invalid_request', null])
      expect(answer.get('error_description')).toContain(name)
    }
    const longest = `${'x'.repeat(2_046)}😀`
    const answer = callbackOf(await app.authorize({ ...challenge, state: longest, nonce: longest }))
    expect([answer.get('state'), answer.get('error'), answer.has('code')]).toEqual([longest, null, true])
  })

  it('is not a valid token once its organisation has been removed', async () => {
    const app = await givenApplication(service())
    const { access_token: token } = await app.signIn({ scope: 'openid' })
    expect(await app.userInfo(token)).toMatchObject({ status: 200 })
    await service().database.system().deleteFrom('organisations').where('id', '=', app.organisation.id).execute()
    const answer = await app.userInfo(token)
    expect(answer).toMatchObject({ status: 401, body: { error: 'invalid_token' } })
    expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"')
  })
})
