import { describe, expect, it } from 'vitest'
import { unique } from '../support/given.ts'
import { claimsOf, givenApplication, postForm, type Registration } from '../support/oauth.ts'
import { useService } from '../support/service.ts'

const service = useService()
const web = (registration: Registration = {}) => givenApplication(service(), registration)

describe('GET /oauth2/userinfo', () => {
  it('returns the claims that the scope allows', async () => {
    const app = await web()
    const { owner } = app.organisation
    await owner.patch(`/v1/admin/users/${owner.id}`, { firstName: 'Ada', lastName: 'Lovelace', phone: '+44 20 7946 0000' })
    const everything = await app.signIn({ scope: 'openid profile email phone' })

    const answer = await app.userInfo(everything.access_token)

    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.body).toEqual({
      sub: owner.id,
      name: 'Ada Lovelace',
      given_name: 'Ada',
      family_name: 'Lovelace',
      updated_at: expect.any(Number),
      email: owner.email,
      email_verified: true,
      phone_number: '+44 20 7946 0000',
      phone_number_verified: false,
    })
    const little = await app.signIn({ scope: 'openid' })
    expect((await app.userInfo(little.access_token)).body).toEqual({ sub: owner.id })
  })

  it('leaves out the number of a user who has none, as ID tokens do', async () => {
    const { operator, mailbox, anonymous, given } = service()
    const ownerEmail = `owner-${unique()}@acme.test`
    const asked = { name: `Acme ${unique()}`, slug: `acme-${unique()}`, email: ownerEmail, ownerEmail }
    const created = await operator.post('/v1/organisations', asked)
    expect(created).toMatchObject({ status: 201 })
    const token = await mailbox.tokenTo(ownerEmail)
    const password = 'correct horse battery'
    expect(await anonymous.post('/v1/auth/password/reset', { token, password })).toMatchObject({ status: 200 })
    const owner = await given.signIn(ownerEmail, password)
    const app = await givenApplication(service(), { organisation: { ...created.body.organisation, owner } })
    const withoutNumber = await owner.patch('/v1/me/profile', { phone: '' })
    expect(withoutNumber).toMatchObject({ status: 200, body: { lastName: '', phone: null } })

    const tokens = await app.signIn({ scope: 'openid profile phone' })

    const firstName = ownerEmail.split('@')[0]
    const claims = { sub: owner.id, name: firstName, given_name: firstName, family_name: '', updated_at: expect.any(Number) }
    expect((await app.userInfo(tokens.access_token)).body).toEqual(claims)
    const ofIdToken = claimsOf(tokens.id_token)
    expect(ofIdToken).toMatchObject(claims)
    for (const name of ['phone_number', 'phone_number_verified']) expect(ofIdToken).not.toHaveProperty(name)
  })

  it('accepts the token in the body of a POST, and in one way only', async () => {
    const app = await web()
    const { access_token: token } = await app.signIn({ scope: 'openid' })
    expect(await postForm(service().anonymous, '/oauth2/userinfo', { access_token: token })).toMatchObject({ status: 200 })
    const both = await postForm(service().anonymous, '/oauth2/userinfo', { access_token: token }, { authorization: `Bearer ${token}` })
    expect(both).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
    expect(await service().anonymous.get(`/oauth2/userinfo?access_token=${token}`)).toMatchObject({ status: 401 })
  })

  it('responds to a request without a token with a challenge, and stores no diagnosis', async () => {
    const answer = await service().anonymous.get('/oauth2/userinfo')
    expect(answer.status).toBe(401)
    expect(answer.headers.get('www-authenticate')).toBe(
      'Bearer error="invalid_token", error_description="an access token is required", realm="userinfo"',
    )
  })

  it.each(['Bearer nonsense', 'Bearer a.b.c', 'Bearer', 'Basic abc'])('refuses %s with invalid_token', async (authorization) => {
    const answer = await service().anonymous.get('/oauth2/userinfo', { headers: { authorization } })
    expect(answer.status).toBe(401)
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer .*error="invalid_token"/)
  })

  it('refuses a token that has expired', async () => {
    const app = await web({ accessTokenLifetime: 60 })
    const { access_token: token } = await app.signIn({ scope: 'openid' })
    service().clock.advance({ seconds: 61 })
    const answer = await app.userInfo(token)
    expect(answer.status).toBe(401)
    expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"')
  })

  it('refuses a token without openid, such as one of a client, with 403', async () => {
    const app = await web({ grantTypes: ['authorization_code', 'client_credentials'] })
    const { access_token: token } = await app.signIn({ scope: 'profile' })
    const { body } = await app.token({ grant_type: 'client_credentials' })
    for (const insufficient of [token, body.access_token]) {
      const answer = await app.userInfo(insufficient)
      expect(answer.status).toBe(403)
      expect(answer.headers.get('www-authenticate')).toMatch(/error="insufficient_scope".*scope="openid"/)
    }
  })

  it('may be called from any origin', async () => {
    const answer = await service().anonymous.get('/oauth2/userinfo', { headers: { origin: 'https://spa.example' } })
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
  })
})
