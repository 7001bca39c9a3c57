import { createLocalJWKSet, jwtVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import { removeExpiredTokens } from '../../src/tokens/remove-expired-tokens.ts'
import { enrolAuthenticator } from '../support/authenticator.ts'
import { SignedInUser } from '../support/given.ts'
import {
  askForAssertion,
  diagnosisOf,
  identityAssertion,
  refreshTokenType,
  tokenExchange,
  withAssertions,
} from '../support/identity-assertions.ts'
import { claimsOf, decideConsent, givenApplication, pkce, type Registration } from '../support/oauth.ts'
import { booksResource, grantOf, resourceAuthorizationServer } from '../support/resource-authorization-servers.ts'
import { startTestService, useService } from '../support/service.ts'

const service = useService({ environment: withAssertions })

/** An organisation whose editor may act for its users at the API of another company, and a sign-in of the owner to that editor. */
async function world({ server = {}, registration = {} }: { server?: Record<string, unknown>; registration?: Registration } = {}) {
  const organisation = await service().given.organisation()
  const { owner } = organisation
  const app = { organisation, grantTypes: ['authorization_code', 'refresh_token', tokenExchange], requireConsent: false }
  const editor = await givenApplication(service(), { ...app, name: 'Editor', ...registration })
  const shop = await givenApplication(service(), { organisation, name: 'Books', idTokenSignedResponseAlg: 'RS256' })
  const books = await resourceAuthorizationServer(owner, shop.id, { grants: [grantOf(editor.id)], ...server })
  const tokens = await editor.signIn({ scope: 'openid offline_access' })
  const form = { subject_token: tokens.id_token, audience: books.issuer, resource: booksResource }
  return { organisation, owner, editor, shop, books, tokens, form, path: `/v1/admin/resource-authorization-servers/${books.id}` }
}

describe('a token exchange for an identity assertion', () => {
  it('gives an assertion by which the client acts there for the user, signed as the ID tokens of that company are', async () => {
    const { organisation, owner, editor, books, form } = await world()

    const answer = await askForAssertion(editor, { ...form, scope: 'books:read' })

    expect(answer).toMatchObject({
      status: 200,
      body: { token_type: 'N_A', issued_token_type: identityAssertion, expires_in: 300, scope: 'books:read' },
    })
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const keys = createLocalJWKSet((await service().anonymous.get('/oauth2/jwks.json')).body)
    const { payload } = await jwtVerify(answer.body.access_token, keys, { typ: 'oauth-id-jag+jwt', algorithms: ['RS256'] })
    expect(payload).toEqual({
      ...{ iss: 'http://gatehouse.test', sub: owner.id, aud: books.issuer, client_id: 'acme-editor', jti: expect.any(String) },
      ...{ iat: expect.any(Number), exp: (payload.iat ?? 0) + 300, tenant: organisation.id, resource: booksResource, scope: 'books:read' },
      ...{ auth_time: expect.any(Number), acr: 'aal1', amr: ['pwd'] },
    })
    expect(await owner.audit({ action: 'oauth2.identity_assertion.issued' })).toMatchObject([
      {
        ...{ actorType: 'client', actorId: editor.id, targetId: editor.id },
        metadata: { userId: owner.id, audience: books.issuer, resources: [booksResource], scopes: ['books:read'] },
      },
    ])
    expect(JSON.stringify(service().logLines)).not.toContain(answer.body.access_token)
  })

  it('takes a refresh token of the client, which stays as it is', async () => {
    const { editor, tokens, form } = await world()
    const byRefreshToken = { ...form, subject_token: tokens.refresh_token, subject_token_type: refreshTokenType }

    expect((await askForAssertion(editor, byRefreshToken)).status).toBe(200)
    expect((await askForAssertion(editor, byRefreshToken)).status).toBe(200)

    const refreshed = await editor.refresh(tokens.refresh_token)
    expect(refreshed.status).toBe(200)
    expect(await askForAssertion(editor, byRefreshToken)).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
    // As at the refresh itself, the second use ends the family: one of two callers is a thief.
    expect((await editor.refresh(refreshed.body.refresh_token)).status).toBe(400)
  })

  it('takes a refresh token that was exchanged a moment ago from a client with a grace, whose tokens stay', async () => {
    const { editor, tokens, form } = await world({ registration: { refreshTokenGraceSeconds: 30 } })
    const byRefreshToken = { ...form, subject_token: tokens.refresh_token, subject_token_type: refreshTokenType }
    const refreshed = await editor.refresh(tokens.refresh_token)

    expect((await askForAssertion(editor, byRefreshToken)).status).toBe(200)

    const again = await editor.refresh(refreshed.body.refresh_token)
    expect(again.status).toBe(200)
    service().clock.advance({ seconds: 31 })
    expect((await askForAssertion(editor, byRefreshToken)).status).toBe(400)
    expect((await editor.refresh(again.body.refresh_token)).status).toBe(400)
  })

  it('gives nothing by an ID token once the consent has ended that its user has limited since', async () => {
    const { organisation, owner, editor, form } = await world({ registration: { idTokenLifetime: 86_400 } })
    await service()
      .database.tenant(organisation.id)
      .updateTable('sessions')
      .set({ idleTimeout: 86_400, expiresAt: new Date(service().clock.now().getTime() + 86_400_000) })
      .execute()
    expect((await owner.patch(`/v1/admin/clients/${editor.id}`, { requireConsent: true })).status).toBe(200)
    const asked = { code_challenge: pkce().challenge, code_challenge_method: 'S256', scope: 'openid offline_access', prompt: 'consent' }
    const location = (await editor.authorize(asked)).headers.get('location') ?? ''
    const reference = new URL(location, 'http://gatehouse.test').searchParams.get('request') ?? ''
    await decideConsent(owner, reference, 'allow', { lifetime: 'hour' })
    expect((await askForAssertion(editor, form)).status).toBe(200)

    service().clock.advance({ minutes: 61 })

    expect(await askForAssertion(editor, form)).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
  })

  it('takes an ID token for as long as it lives, also once the other tokens of its response have expired', async () => {
    const week = 7 * 86_400
    const { organisation, editor, tokens, form } = await world({ registration: { idTokenLifetime: week } })
    await service()
      .database.tenant(organisation.id)
      .updateTable('sessions')
      .set({ idleTimeout: week, expiresAt: new Date(service().clock.now().getTime() + week * 1_000) })
      .execute()
    const { id_token: idToken } = await editor.signIn({ scope: 'openid' })
    await editor.revoke(tokens.refresh_token)
    const askNow = async () => {
      while (await removeExpiredTokens.run(service().database));
      return askForAssertion(editor, { ...form, subject_token: idToken })
    }

    service().clock.advance({ hours: 26 })
    expect(await askNow()).toMatchObject({ status: 200 })

    service().clock.advance({ days: 6 })
    expect(await askNow()).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
  })

  it('tells the address only where that company is to know it, and lives as long as it says', async () => {
    const { owner, editor, form } = await world({ server: { includesEmail: true, lifetimeSeconds: 30 } })
    const { body } = await askForAssertion(editor, form)
    const { email, email_verified, exp, iat } = claimsOf(body.access_token)
    expect({ email, email_verified, lives: exp - iat, told: body.expires_in }).toEqual({
      ...{ email: owner.email, email_verified: true, lives: 30, told: 30 },
    })
  })

  it('has all that is granted without a scope, and what is granted of those that are asked for', async () => {
    const { owner, editor, form, path } = await world()
    expect((await askForAssertion(editor, form)).body.scope).toBe('books:read books:write')
    await owner.patch(path, { grants: [grantOf(editor.id, { scopes: ['books:read'] })] })
    expect((await askForAssertion(editor, { ...form, scope: 'books:write books:read' })).body.scope).toBe('books:read')
    const nothing = await askForAssertion(editor, { ...form, scope: 'books:write' })
    expect(nothing).toMatchObject({ status: 400, body: { error: 'access_denied' } })
    expect(await diagnosisOf(owner, nothing)).toMatchObject({ check: 'scope', received: ['books:write'] })
  })

  it('is for the users whom a grant names by role or team, or for all', async () => {
    const { owner, editor, form, path } = await world()
    const role = await service().given.role(owner)
    const team = (await owner.post('/v1/admin/teams', { name: 'Readers', slug: 'readers' })).body
    for (const named of [{ roleIds: [role.id] }, { teamIds: [team.id] }]) {
      await owner.patch(path, { grants: [grantOf(editor.id, named)] })
      expect(await askForAssertion(editor, form)).toMatchObject({ status: 400, body: { error: 'access_denied' } })
    }
    await owner.post(`/v1/admin/teams/${team.id}/members`, { userId: owner.id })
    expect((await askForAssertion(editor, form)).status).toBe(200)
    expect((await owner.delete(`/v1/admin/teams/${team.id}/members`, { userId: owner.id })).status).toBeLessThan(300)
    expect(await askForAssertion(editor, form)).toMatchObject({ status: 400, body: { error: 'access_denied' } })
  })

  it('needs the level that is required there', async () => {
    const { owner, editor, form } = await world({ server: { requiredAcr: 'aal2' } })
    const answer = await askForAssertion(editor, form)
    expect(answer).toMatchObject({ status: 400, body: { error: 'insufficient_user_authentication', acr_values: 'aal2' } })
    expect(await diagnosisOf(owner, answer)).toEqual({ check: 'acr_values', expected: 'aal2', received: 'aal1' })

    const { email, password } = owner
    const { backupCodes } = await enrolAuthenticator(await service().given.signIn(email), service().clock)
    const { body: login } = await service().anonymous.post('/v1/auth/login', { email, password })
    const proven = await service().anonymous.post('/v1/auth/login/mfa', { mfaToken: login.mfaToken, code: backupCodes[0] })
    expect(proven).toMatchObject({ status: 200 })
    const tokens = await editor.signIn({ scope: 'openid' }, new SignedInUser(service().origin, proven, { email, password }))
    const { body } = await askForAssertion(editor, { ...form, subject_token: tokens.id_token })
    expect(claimsOf(body.access_token)).toMatchObject({ acr: 'aal2', amr: expect.arrayContaining(['pwd', 'otp', 'mfa']) })
  })
})

/** The pair of audience and resource is checked (M §7.6.1). */
describe('the pair of audience and resource', () => {
  it.each<[string, string, (issuers: { books: string; films: string }) => Record<string, string | undefined>]>([
    ['books at the issuer of books', 'issued', ({ books }) => ({ audience: books, resource: booksResource })],
    ['books at the issuer of books with a slash', 'issued', ({ books }) => ({ audience: `${books}/`, resource: booksResource })],
    ['films at the issuer of films', 'issued', ({ films }) => ({ audience: films, resource: 'https://api.films.test' })],
    ['films at the issuer of books', 'resource', ({ books }) => ({ audience: books, resource: 'https://api.films.test' })],
    ['books at the issuer of films', 'resource', ({ films }) => ({ audience: films, resource: booksResource })],
    ['an unknown API at the issuer of books', 'resource', ({ books }) => ({ audience: books, resource: 'https://unknown.test' })],
    ['no API at the issuer of books', 'resource', ({ books }) => ({ audience: books, resource: undefined })],
    ['books at an unknown issuer', 'audience', () => ({ audience: 'https://unknown.test', resource: booksResource })],
    ['books at this service', 'audience', () => ({ audience: 'http://gatehouse.test', resource: booksResource })],
  ])('of %s: %s', async (_, outcome, pair) => {
    const { owner, editor, shop, books, form } = await world()
    const resources = [{ identifier: 'https://api.films.test', scopes: ['films:read'] }]
    const granted = [grantOf(editor.id, { resources: ['https://api.films.test'], scopes: ['films:read'] })]
    const films = await resourceAuthorizationServer(owner, shop.id, { resources, grants: granted })
    const asked = Object.entries({ ...form, ...pair({ books: books.issuer, films: films.issuer }) })
    const answer = await askForAssertion(
      editor,
      Object.fromEntries(asked.filter((entry): entry is [string, string] => entry[1] !== undefined)),
    )
    if (outcome === 'issued') return expect(answer.status).toBe(200)
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_target' } })
    expect(await diagnosisOf(owner, answer)).toMatchObject({ check: outcome })
  })

  it('is unknown where the issuer is another organisation’s, or switched off', async () => {
    const [one, other] = [await world(), await world()]
    const foreign = await askForAssertion(one.editor, { ...one.form, audience: other.books.issuer })
    expect(foreign).toMatchObject({ status: 400, body: { error: 'invalid_target' } })
    await one.owner.patch(one.path, { isActive: false })
    expect(await askForAssertion(one.editor, one.form)).toMatchObject({ status: 400, body: { error: 'invalid_target' } })
    expect(await other.owner.delete(`/v1/admin/clients/${other.shop.id}`)).toMatchObject({ status: 204 })
    expect(await askForAssertion(other.editor, other.form)).toMatchObject({ status: 400, body: { error: 'invalid_target' } })
  })
})

describe('no assertion is issued', () => {
  type World = Awaited<ReturnType<typeof world>>
  it.each<[string, string, string, (world: World) => Record<string, string> | Promise<Record<string, string>>]>([
    [
      'for another kind of token',
      'invalid_request',
      'requested_token_type',
      () => ({
        requested_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      }),
    ],
    [
      'by an access token',
      'invalid_request',
      'subject_token_type',
      ({ tokens }) => ({
        subject_token: tokens.access_token,
        subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      }),
    ],
    [
      'by an access token that is called an ID token',
      'invalid_request',
      'subject_token',
      ({ tokens }) => ({ subject_token: tokens.access_token }),
    ],
    ['by something that is no token', 'invalid_request', 'subject_token', () => ({ subject_token: 'token' })],
    [
      'by an ID token of another client',
      'invalid_request',
      'subject_token',
      async ({ shop }) => ({
        subject_token: (await shop.signIn({ scope: 'openid' })).id_token,
      }),
    ],
    [
      'by a refresh token of another client',
      'invalid_request',
      'subject_token',
      async ({ organisation }) => {
        const grantTypes = ['authorization_code', 'refresh_token']
        const other = await givenApplication(service(), { organisation, grantTypes, requireConsent: false })
        return {
          subject_token: (await other.signIn({ scope: 'openid offline_access' })).refresh_token,
          subject_token_type: refreshTokenType,
        }
      },
    ],
    [
      'to a client that no grant names',
      'access_denied',
      'authorization',
      async ({ owner, path }) => {
        await owner.patch(path, { grants: [] })
        return {}
      },
    ],
  ])('%s', async (_, error, check, change) => {
    const made = await world()
    const answer = await askForAssertion(made.editor, { ...made.form, ...(await change(made)) })
    expect(answer).toMatchObject({ status: 400, body: { error } })
    expect(await diagnosisOf(made.owner, answer)).toMatchObject({ check })
    expect(await made.owner.audit({ action: 'oauth2.identity_assertion.issued' })).toEqual([])
  })

  it.each<[string, (world: World) => Promise<{ status: number }>]>([
    ['has signed out', async ({ owner }) => owner.delete(`/v1/me/sessions/${owner.sessionId}`)],
    [
      'has taken back what the client may do, although the session lives',
      async ({ owner, editor }) => owner.delete(`/v1/me/consents/${editor.id}`),
    ],
  ])('once the user %s', async (_, end) => {
    const { owner, editor, form, tokens, ...rest } = await world()
    expect((await askForAssertion(editor, form)).status).toBe(200)
    await end({ owner, editor, form, tokens, ...rest })
    expect(await askForAssertion(editor, form)).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
  })

  it('for a user who is blocked, by either kind of token', async () => {
    const { owner, editor, form } = await world()
    const person = await service().given.userWith(owner, [])
    const tokens = await editor.signIn({ scope: 'openid offline_access' }, person)
    const own = { ...form, subject_token: tokens.id_token }
    const refresh = { ...form, subject_token: tokens.refresh_token, subject_token_type: refreshTokenType }
    for (const asked of [own, refresh]) expect((await askForAssertion(editor, asked)).status).toBe(200)
    expect(await owner.patch(`/v1/admin/users/${person.id}`, { blockedAt: '2026-01-01T00:00:00.000Z' })).toMatchObject({ status: 200 })
    for (const asked of [own, refresh])
      expect(await askForAssertion(editor, asked)).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
  })

  it('to a public client, nor to one without the grant', async () => {
    const { organisation, owner, form } = await world()
    const registered = await owner.post('/v1/admin/clients', {
      ...{
        name: 'SPA',
        clientType: 'public',
        redirectUris: ['https://spa.example.test/'],
        grantTypes: ['authorization_code', tokenExchange],
      },
    })
    expect(registered).toMatchObject({ status: 400 })
    const other = await givenApplication(service(), { organisation })
    expect(await askForAssertion(other, form)).toMatchObject({ status: 400, body: { error: 'unauthorized_client' } })
  })
})

describe('without identity_assertions', () => {
  it('neither grant is there, and no client gets one', async () => {
    const plain = await startTestService({ environment: { OAUTH_EXTENSIONS: 'resource_indicators' } })
    try {
      const app = await givenApplication(plain)
      for (const grantType of [tokenExchange, 'urn:ietf:params:oauth:grant-type:jwt-bearer']) {
        expect(await app.token({ grant_type: grantType, assertion: 'a' })).toMatchObject({ body: { error: 'unsupported_grant_type' } })
        const changed = await app.organisation.owner.patch(`/v1/admin/clients/${app.id}`, { grantTypes: ['authorization_code', grantType] })
        expect(changed).toMatchObject({
          status: 400,
          body: { errors: [{ message: 'Needs OAUTH_EXTENSIONS to hold identity_assertions' }] },
        })
      }
      const created = await app.organisation.owner.post('/v1/admin/connections', {
        ...{
          name: 'Acme',
          slug: 'acme',
          provider: 'oidc',
          configuration: { issuer: 'https://login.acme.test', clientId: 'gatehouse' },
          secret: 's',
        },
        identityAssertions: { accepted: true },
      })
      expect(created).toMatchObject({ status: 400, body: { errors: [{ message: 'Needs OAUTH_EXTENSIONS to hold identity_assertions' }] } })
    } finally {
      await plain.stop()
    }
  })
})
