import { createLocalJWKSet, jwtVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import type { Answer } from '../support/http-client.ts'
import { givenApplication, postForm, type Registration, type TestApplication } from '../support/oauth.ts'
import { useService } from '../support/service.ts'

const service = useService({ environment: { OAUTH_EXTENSIONS: 'jwt_introspection' } })
const without = useService()
const web = (registration: Registration = {}) => givenApplication(service(), registration)

const signed = 'application/token-introspection+jwt'
const introspect = (
  { authorization }: Pick<TestApplication, 'authorization'>,
  token: string,
  accept: string,
  at = service(),
): Promise<Answer> => postForm(at.anonymous, '/oauth2/introspect', { token }, { accept, ...authorization })

/** The claims of a signed response, and the algorithm. */
async function read({ body }: Answer, aud: string) {
  const keys = createLocalJWKSet((await service().anonymous.get('/oauth2/jwks.json')).body)
  const { payload, protectedHeader } = await jwtVerify(body, keys, {
    ...{ typ: 'token-introspection+jwt', issuer: 'http://gatehouse.test', audience: aud },
    currentDate: service().clock.now(),
  })
  return { payload, alg: protectedHeader.alg }
}

describe('introspection in signed form', () => {
  it.each([
    ['RS256', null],
    ['RS256', 'RS256'],
    ['EdDSA', 'EdDSA'],
    ['EdDSA', 'Ed25519'],
  ])('says by %s what it says otherwise, to a client that is set to %s', async (expected, introspectionSignedResponseAlg) => {
    service().clock.stop()
    const app = await web({ introspectionSignedResponseAlg })
    const { access_token, refresh_token } = await app.signIn({ scope: 'openid email offline_access' })
    for (const token of [access_token, refresh_token]) {
      const answer = await introspect(app, token, signed)
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toBe(signed)
      expect(answer.headers.get('cache-control')).toBe('no-store')
      const { payload, alg } = await read(answer, app.id)
      expect(alg).toBe(expected)
      expect(payload).toEqual({
        iss: 'http://gatehouse.test',
        aud: app.id,
        iat: Math.floor(service().clock.now().getTime() / 1_000),
        token_introspection: (await app.introspect(token)).body,
      })
    }
  })

  it('is for the client that asks, and not for the one that the token was issued to', async () => {
    const app = await web()
    const api = await givenApplication(service(), { organisation: app.organisation })
    const { access_token: token } = await app.signIn()
    const { payload } = await read(await introspect(api, token, signed), api.id)
    expect(payload.token_introspection).toMatchObject({ active: true, client_id: app.id })
  })

  it('says of an inactive, foreign or malformed token nothing else', async () => {
    const [app, stranger] = [await web(), await web()]
    const { access_token: token } = await app.signIn()
    const revoked = (await app.signIn()).access_token
    await app.revoke(revoked)
    for (const [by, one] of [
      [app, revoked],
      [stranger, token],
      [app, 'nonsense'],
    ] as const)
      expect((await read(await introspect(by, one, signed), by.id)).payload.token_introspection).toEqual({ active: false })
  })

  it.each([
    ['', 'application/json'],
    ['*/*', 'application/json'],
    ['application/json', 'application/json'],
    ['application/*', 'application/json'],
    [`${signed};q=0`, 'application/json'],
    [`application/json;q=0.5, ${signed.toUpperCase()};q=1`, signed],
    [`text/html,${signed}`, signed],
  ])('is for who names it: Accept %j gets %s', async (accept, type) => {
    const app = await web()
    const { access_token: token } = await app.signIn()
    const answer = await introspect(app, token, accept)
    expect([answer.status, answer.headers.get('content-type')?.split(';')[0]]).toEqual([200, type])
  })

  it('is a refusal in JSON where the client does not authenticate', async () => {
    const answer = await introspect({ authorization: { authorization: 'Basic eDp5' } }, 'nonsense', signed)
    expect(answer).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
  })

  it('is taken for no token', async () => {
    const app = await web()
    const { access_token: token } = await app.signIn()
    const { body } = await introspect(app, token, signed)
    expect((await app.userInfo(body)).status).toBe(401)
    expect((await app.introspect(body)).body).toEqual({ active: false })
  })

  it('does not exist without the extension, and no client can be set to it', async () => {
    const app = await givenApplication(without())
    const { access_token: token } = await app.signIn()
    const answer = await introspect(app, token, signed, without())
    expect(answer.headers.get('content-type')).toContain('application/json')
    expect(answer.body).toMatchObject({ active: true })
    const { owner } = app.organisation
    expect(await owner.patch(`/v1/admin/clients/${app.id}`, { introspectionSignedResponseAlg: 'EdDSA' })).toMatchObject({
      status: 400,
      body: { errors: [{ path: ['introspectionSignedResponseAlg'], message: 'Needs OAUTH_EXTENSIONS to hold jwt_introspection' }] },
    })
  })
})
