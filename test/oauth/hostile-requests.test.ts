/** Requests at the edges of the standards, as careless clients or attackers send them. */
import { describe, expect, it } from 'vitest'
import { basic, callbackOf, claimsOf, encode, givenApplication, headerOf, pkce, postForm, type Registration } from '../support/oauth.ts'
import { useService } from '../support/service.ts'

const service = useService()
const web = (registration: Registration = {}) => givenApplication(service(), registration)
const machine = (registration: Registration = {}) =>
  web({ grantTypes: ['client_credentials'], redirectUris: [], scopes: ['orders:read'], ...registration })
const grant = 'grant_type=client_credentials'
const formType = 'application/x-www-form-urlencoded'
const challenge = () => ({ code_challenge: pkce().challenge, code_challenge_method: 'S256' })
const errorOf = (answer: { headers: Headers }) => new URL(answer.headers.get('location') ?? 'about:blank').searchParams.get('error')

/** Posts a body as it is, byte for byte. */
async function postRaw(path: string, body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) {
  const answer = await fetch(service().origin + path, { method: 'POST', body, headers: { 'content-type': formType, ...headers } })
  const text = await answer.text()
  return { status: answer.status, headers: answer.headers, body: text.startsWith('{') ? JSON.parse(text) : text }
}

describe('client authentication at its edges', () => {
  it.each(['basic', 'BASIC', 'bAsIc'])('accepts the scheme as %s', async (scheme) => {
    const app = await machine()
    const authorization = `${scheme} ${app.authorization.authorization?.split(' ')[1]}`
    expect(await postRaw('/oauth2/token', grant, { authorization })).toMatchObject({ status: 200 })
  })

  it('accepts credentials of which every character is percent-encoded', async () => {
    const app = await machine()
    const encodeAll = (text: string) => [...text].map((character) => `%${character.charCodeAt(0).toString(16)}`).join('')
    const authorization = `Basic ${Buffer.from(`${encodeAll(app.id)}:${encodeAll(app.secret ?? '')}`).toString('base64')}`
    expect(await postRaw('/oauth2/token', grant, { authorization })).toMatchObject({ status: 200 })
  })

  it.each([
    ['a broken percent-encoding', (id: string) => `${id}:%zz`],
    ['bytes that are no UTF-8', (id: string) => `${id}:%ff`],
    ['no secret', (id: string) => `${id}:`],
    ['no id', (_id: string, secret: string) => `:${secret}`],
    ['an id of 100,000 characters', () => `${'x'.repeat(10_000)}:y`],
  ])('refuses %s in the header with 401', async (_what, pair) => {
    const app = await machine()
    const authorization = `Basic ${Buffer.from(pair(app.id, app.secret ?? '')).toString('base64')}`
    const answer = await postRaw('/oauth2/token', grant, { authorization })
    expect(answer).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
    expect(answer.headers.get('www-authenticate')).toMatch(/^Basic /)
  })

  it('accepts the same client_id in the body beside the header, but no secret there', async () => {
    const app = await machine()
    expect(await postRaw('/oauth2/token', `${grant}&client_id=${app.id}`, app.authorization)).toMatchObject({ status: 200 })
    expect(await postRaw('/oauth2/token', `${grant}&client_id=${app.id}&client_secret=`, app.authorization)).toMatchObject({ status: 200 })
    for (const path of ['token', 'revoke', 'introspect']) {
      const body = `${grant}&token=x&client_id=${app.id}&client_secret=${app.secret}`
      expect(await postRaw(`/oauth2/${path}`, body, app.authorization)).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
    }
  })

  it('reads no credentials and no parameters from the address', async () => {
    const app = await machine({ tokenEndpointAuthMethod: 'client_secret_post' })
    const query = `${grant}&client_id=${app.id}&client_secret=${app.secret}`
    expect(await postRaw(`/oauth2/token?${query}`, '')).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
    expect(await postRaw(`/oauth2/token?${query}`, `client_id=${app.id}&client_secret=${app.secret}`)).toMatchObject({
      status: 400,
      body: { error: 'invalid_request' },
    })
  })

  it('does not let a public client act with a secret, nor a confidential one without', async () => {
    const app = await web({ clientType: 'public' })
    const form = { grant_type: 'refresh_token', refresh_token: 'rt_x' }
    for (const secret of ['anything', 'x']) {
      expect(await postForm(service().anonymous, '/oauth2/token', { ...form, client_id: app.id, client_secret: secret })).toMatchObject({
        status: 401,
      })
      expect(await postForm(service().anonymous, '/oauth2/token', form, { authorization: basic(app.id, secret) })).toMatchObject({
        status: 401,
      })
    }
  })
})

describe('the token endpoint at its edges', () => {
  it.each(['GET', 'HEAD', 'PUT', 'DELETE'])('does not support %s', async (method) => {
    const app = await machine()
    const answer = await service().anonymous.request(method, `/oauth2/token?${grant}`, { headers: app.authorization })
    expect([404, 405]).toContain(answer.status)
    expect(JSON.stringify(answer.body)).not.toContain('access_token')
  })

  it.each([
    ['JSON', 'application/json', '{"grant_type":"client_credentials"}'],
    ['text', 'text/plain', grant],
    [
      'a multipart form',
      'multipart/form-data; boundary=x',
      '--x\r\ncontent-disposition: form-data; name="grant_type"\r\n\r\nclient_credentials\r\n--x--',
    ],
  ])('refuses %s as a body', async (_what, contentType, body) => {
    const app = await machine()
    for (const path of ['token', 'revoke', 'introspect']) {
      const answer = await postRaw(`/oauth2/${path}`, body, { ...app.authorization, 'content-type': contentType })
      expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
    }
  })

  it('accepts a form that names its character set', async () => {
    const app = await machine()
    const headers = { ...app.authorization, 'content-type': `${formType}; charset=UTF-8` }
    expect(await postRaw('/oauth2/token', grant, headers)).toMatchObject({ status: 200 })
  })

  it('ignores parameters that it does not know, also repeated and malformed ones', async () => {
    const app = await machine()
    const body = `${grant}&resource=https://a.example&resource=https://b.example&__proto__=x&constructor=y&unknown=%00`
    expect(await postRaw('/oauth2/token', body, app.authorization)).toMatchObject({ status: 200, body: { scope: 'orders:read' } })
  })

  it.each([
    ['the same value', `${grant}&${grant}`],
    ['another value', `${grant}&grant_type=authorization_code`],
    ['no value', `${grant}&scope=&scope=`],
  ])('refuses a known parameter that comes twice with %s', async (_what, body) => {
    const app = await machine()
    expect(await postRaw('/oauth2/token', body, app.authorization)).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
  })

  it.each([
    ['bytes that are no UTF-8', new Uint8Array([...Buffer.from(`${grant}&scope=`), 0xff, 0xfe, 0xc0])],
    ['percent-encoded bytes that are no UTF-8', `${grant}&scope=%ff%fe%c0`],
    ['half a surrogate pair', `${grant}&scope=%ed%a0%80`],
    ['a NUL', `${grant}&scope=%00`],
    ['a raw NUL', new Uint8Array([...Buffer.from(`${grant}&scope=a`), 0])],
    ['a line break', `${grant}&scope=a%0d%0aset-cookie:x`],
    ['quotes and backslashes', `${grant}&scope=%22%5c`],
    ['60,000 characters', `${grant}&scope=${'x'.repeat(60_000)}`],
    ['20,000 values', `${grant}&scope=${'x+'.repeat(20_000)}`],
  ])('refuses %s as a scope, in words that RFC 6749 allows', async (_what, body) => {
    const app = await machine()
    const answer = await postRaw('/oauth2/token', body, app.authorization)
    expect(answer.status).toBe(400)
    expect(['invalid_scope', 'invalid_request']).toContain(answer.body.error)
    expect(answer.body.error_description).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]{1,250}$/)
  })

  it('refuses a form of more than 64 KiB with 413', async () => {
    const app = await machine()
    expect(await postRaw('/oauth2/token', `${grant}&scope=${'x'.repeat(70_000)}`, app.authorization)).toMatchObject({
      status: 413,
      body: { error: 'invalid_request' },
    })
  })

  it.each([
    ['code', { grant_type: 'authorization_code', redirect_uri: 'https://portal.example.test/callback' }],
    ['refresh_token', { grant_type: 'refresh_token' }],
  ])('names %s when it is missing or empty, and calls an unknown one an invalid grant', async (name, form) => {
    const app = await web()
    for (const missing of [form, { ...form, [name]: '' }])
      expect(await app.token(missing)).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
    for (const strange of ['x', 'rt_', '\u{1f600}', "' or 1=1 --", 'x'.repeat(10_000)])
      expect(await app.token({ ...form, [name]: strange })).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  it('binds a code to the redirect_uri only where the request had one', async () => {
    const app = await web()
    const { code, verifier } = await app.code({ redirect_uri: undefined })
    expect(await app.redeem(code, verifier, { redirect_uri: 'https://portal.example.test/other' })).toMatchObject({ status: 400 })
    expect(await app.redeem(code, verifier, { redirect_uri: undefined })).toMatchObject({ status: 200 })
    const other = await app.code({ redirect_uri: undefined })
    expect(await app.redeem(other.code, other.verifier)).toMatchObject({ status: 200 })
    const sent = await app.code()
    expect(await app.redeem(sent.code, sent.verifier, { redirect_uri: '' })).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    })
  })
})

describe('the authorization endpoint at its edges', () => {
  const address = (app: { id: string; redirectUri: string }, more = '') =>
    `/oauth2/authorize?${encode({ response_type: 'code', client_id: app.id, redirect_uri: app.redirectUri, ...challenge() })}${more}`

  it('treats parameters without a value as omitted', async () => {
    const app = await web()
    const empty =
      '&scope=&nonce=&prompt=&max_age=&login_hint=&ui_locales=&response_mode=&id_token_hint=&request=&request_uri=&registration='
    const answer = await app.organisation.owner.get(address(app, empty))
    expect(Object.fromEntries(callbackOf(answer))).toEqual({ code: expect.any(String), iss: 'http://gatehouse.test' })
  })

  it('ignores parameters that it does not know or need: display, claims_locales, acr_values, logout and foreign ones', async () => {
    const app = await web()
    const more = `&${encode({ display: 'popup', claims_locales: 'xx', ui_locales: 'xx yy', acr_values: 'urn:none', foreign: 'a\nb', claims: '{}' })}&resource=a&resource=b`
    expect(callbackOf(await app.organisation.owner.get(address(app, more))).has('code')).toBe(true)
  })

  it('sends state and nonce back unchanged, with any characters and length', async () => {
    const app = await web()
    for (const strange of ['\u{1f600} ä=&?#%25"<', `${'s'.repeat(2_000)}`, '+%20 +']) {
      const { verifier, challenge: made } = pkce()
      const answer = await app.authorize({
        code_challenge: made,
        code_challenge_method: 'S256',
        scope: 'openid',
        state: strange,
        nonce: strange,
      })
      const callback = callbackOf(answer)
      expect(callback.get('state')).toBe(strange)
      const { body } = await app.redeem(callback.get('code') ?? '', verifier)
      expect(claimsOf(body.id_token).nonce).toBe(strange)
    }
  })

  it.each(['nonce', 'login_hint', 'ui_locales'])('refuses a %s of more than 2,048 characters', async (name) => {
    const app = await web()
    expect(errorOf(await app.authorize({ ...challenge(), [name]: 'x'.repeat(2_049) }))).toBe('invalid_request')
  })

  it.each([
    ['a NUL', 'state=%00'],
    ['bytes that are no UTF-8', 'state=%ff%fe'],
    ['a line break', 'state=a%0d%0alocation:%20https://evil.example'],
  ])('adds no header for %s in the state', async (_what, more) => {
    const app = await web()
    const answer = await app.organisation.owner.get(address(app, `&${more}`))
    const location = new URL(answer.headers.get('location') ?? '')
    expect(location.origin + location.pathname).toBe(app.redirectUri)
    expect(answer.headers.get('location')).toMatch(/^[\x21-\x7e]+$/)
  })

  it.each(['application/json', 'text/plain'])('shows a page for a POST as %s, and redirects nowhere', async (contentType) => {
    const app = await web()
    const answer = await postRaw('/oauth2/authorize', JSON.stringify({ client_id: app.id }), { 'content-type': contentType })
    expect(answer.status).toBe(400)
    expect(answer.headers.get('content-type')).toMatch(/^text\/html/)
    expect(answer.headers.get('location')).toBeNull()
  })

  it.each([
    ['with the host in another case', (uri: string) => uri.replace('portal', 'PORTAL')],
    ['percent-encoded', (uri: string) => uri.replace('callback', '%63allback')],
    ['with a query more', (uri: string) => `${uri}?x=1`],
    ['with a fragment', (uri: string) => `${uri}#x`],
    ['with dots in its path', (uri: string) => uri.replace('/callback', '/x/../callback')],
    ['with a port', (uri: string) => uri.replace('.test/', '.test:443/')],
    ['with a user', (uri: string) => uri.replace('https://', 'https://portal@')],
    ['with a blank', (uri: string) => `${uri} `],
    ['that begins alike', (uri: string) => `${uri}.evil`],
  ])('never redirects to a registered URI %s', async (_how, change) => {
    const app = await web()
    const answer = await app.authorize({ ...challenge(), redirect_uri: change(app.redirectUri) })
    expect(answer.status).toBe(400)
    expect(answer.headers.get('location')).toBeNull()
  })

  it('identifies a resumed authorization request by its reference alone, and ignores everything else', async () => {
    const app = await web()
    const begun = await app.authorize({ ...challenge(), scope: 'openid' }, null)
    const returnTo = new URL(begun.headers.get('location') ?? '', 'http://x').searchParams.get('returnTo') ?? ''
    const answer = await app.organisation.owner.get(`${returnTo}&redirect_uri=https://evil.example&state=changed&scope=openid+email`)
    expect(answer.headers.get('location')).toContain(`${app.redirectUri}?`)
    expect(callbackOf(answer).get('state')).toBe('xyz')
  })

  it('issues nothing to OPTIONS', async () => {
    const app = await web()
    const { status, headers } = await app.organisation.owner.request('OPTIONS', address(app))
    expect(status).toBe(404)
    expect(headers.get('location')).toBeNull()
  })
})

describe('userinfo at its edges', () => {
  it.each(['bearer', 'BEARER'])('accepts the scheme as %s', async (scheme) => {
    const { access_token: token } = await (await web()).signIn({ scope: 'openid' })
    expect(await service().anonymous.get('/oauth2/userinfo', { headers: { authorization: `${scheme} ${token}` } })).toMatchObject({
      status: 200,
    })
  })

  it('starts its challenge with the error, as clients expect, and has each parameter once', async () => {
    const answer = await service().anonymous.get('/oauth2/userinfo', { headers: { authorization: 'Bearer x' } })
    const challenged = answer.headers.get('www-authenticate') ?? ''
    expect(challenged).toMatch(/^Bearer error="invalid_token"(, \w+="[\x20\x21\x23-\x5b\x5d-\x7e]+")+$/)
    expect([...challenged.matchAll(/(\w+)="/g)].map(([, name]) => name)).toEqual(['error', 'error_description', 'realm'])
  })

  it.each(['application/json', 'text/plain', 'multipart/form-data; boundary=x'])(
    'reads no token from a body of %s',
    async (contentType) => {
      const { access_token: token } = await (await web()).signIn({ scope: 'openid' })
      const answer = await postRaw('/oauth2/userinfo', `access_token=${token}`, { 'content-type': contentType })
      expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
      expect(answer.headers.get('www-authenticate')).toContain('error="invalid_request"')
    },
  )

  it('refuses a token that comes twice in the form, and one in the query', async () => {
    const { access_token: token } = await (await web()).signIn({ scope: 'openid' })
    const twice = await postRaw('/oauth2/userinfo', `access_token=${token}&access_token=${token}`)
    expect(twice).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
    expect(twice.headers.get('www-authenticate')).toContain('error="invalid_request"')
    expect(await service().anonymous.get(`/oauth2/userinfo?access_token=${token}`)).toMatchObject({ status: 401 })
    expect(await postRaw(`/oauth2/userinfo?access_token=${token}`, '')).toMatchObject({ status: 401 })
  })

  it('accepts neither refresh token, code, ID token nor API key', async () => {
    const app = await web()
    const tokens = await app.signIn({ scope: 'openid offline_access' })
    const { code } = await app.code({ scope: 'openid' })
    for (const token of [tokens.refresh_token, code, tokens.id_token, 'ak_x', app.secret ?? ''])
      expect(await app.userInfo(token)).toMatchObject({ status: 401, body: { error: 'invalid_token' } })
  })

  it('responds to HEAD as to GET, without the body', async () => {
    const { access_token: token } = await (await web()).signIn({ scope: 'openid' })
    const answer = await service().anonymous.request('HEAD', '/oauth2/userinfo', { headers: { authorization: `Bearer ${token}` } })
    expect(answer).toMatchObject({ status: 200, body: null })
  })
})

describe('revocation and introspection at their edges', () => {
  it('do nothing by GET', async () => {
    const app = await web()
    const { access_token: token } = await app.signIn({ scope: 'openid' })
    for (const path of ['revoke', 'introspect']) {
      const answer = await service().anonymous.get(`/oauth2/${path}?token=${token}`, { headers: app.authorization })
      expect([404, 405]).toContain(answer.status)
    }
    expect((await app.introspect(token)).body.active).toBe(true)
  })

  it('do not affect a token that a client of another organisation presents', async () => {
    const app = await web()
    const stranger = await web()
    const tokens = await app.signIn({ scope: 'openid offline_access' })
    await stranger.revoke(tokens.access_token)
    await stranger.revoke(tokens.refresh_token)
    expect((await stranger.introspect(tokens.access_token)).body).toEqual({ active: false })
    expect((await app.introspect(tokens.access_token)).body.active).toBe(true)
    expect(await app.refresh(tokens.refresh_token)).toMatchObject({ status: 200 })
    expect(await stranger.refresh(tokens.refresh_token)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  it.each(['access_token', 'refresh_token', 'unknown_type', ''])('are not misled by the hint "%s"', async (hint) => {
    const app = await web()
    const tokens = await app.signIn({ scope: 'openid offline_access' })
    for (const token of [tokens.access_token, tokens.refresh_token]) {
      expect((await app.post('/oauth2/introspect', { token, token_type_hint: hint })).body.active).toBe(true)
      expect(await app.post('/oauth2/revoke', { token, token_type_hint: hint })).toMatchObject({ status: 200, body: {} })
      expect((await app.post('/oauth2/introspect', { token, token_type_hint: hint })).body).toEqual({ active: false })
    }
  })

  it('refuse introspection by a public client, with any authentication', async () => {
    const app = await web({ clientType: 'public' })
    const { access_token: token } = await app.signIn({ scope: 'openid' })
    for (const headers of [{}, { authorization: basic(app.id, '') }, { authorization: basic(app.id, 'x') }])
      expect(await app.post('/oauth2/introspect', { token }, headers)).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
  })
})

describe('tokens', () => {
  it('name one audience, their client, and a key that is published', async () => {
    const app = await web()
    const tokens = await app.signIn({ scope: 'openid' })
    const { body } = await service().anonymous.get('/oauth2/jwks.json')
    const kids = body.keys.map(({ kid }: { kid: string }) => kid)
    for (const token of [tokens.access_token, tokens.id_token]) {
      expect(claimsOf(token).aud).toBe(app.id)
      expect(kids).toContain(headerOf(token).kid)
    }
  })

  it('name users and clients by identifiers that cannot be taken for one another', async () => {
    const app = await web({ grantTypes: ['authorization_code', 'client_credentials'] })
    const chosen = await app.organisation.owner.post('/v1/admin/clients', {
      id: app.organisation.owner.id,
      clientId: app.organisation.owner.id,
      name: 'Impostor',
      clientType: 'confidential',
      grantTypes: ['client_credentials'],
    })
    expect(chosen.body.clientId).toMatch(/^cli_[0-9a-z]{26}$/)
    expect(claimsOf((await app.signIn({ scope: 'openid' })).access_token).sub).toMatch(/^usr_[0-9a-z]{26}$/)
    expect(claimsOf((await app.token({ grant_type: 'client_credentials' })).body.access_token).sub).toMatch(/^cli_[0-9a-z]{26}$/)
  })
})
