import { SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { enrolAuthenticator } from '../support/authenticator.ts'
import { documentClient, extensions as documents, resourceForAll } from '../support/client-documents.ts'
import { clientKey } from '../support/client-keys.ts'
import type { SignedInUser } from '../support/given.ts'
import type { Answer } from '../support/http-client.ts'
import {
  browserOf,
  callbackOf,
  claimsOf,
  consentPath,
  decideConsent,
  encode,
  givenApplication,
  pkce,
  postForm,
  type Registration,
  type TestApplication,
} from '../support/oauth.ts'
import { useReceiver } from '../support/receiver.ts'
import { useService } from '../support/service.ts'

const receiver = await useReceiver()

const service = useService({ environment: { OAUTH_EXTENSIONS: 'claims_parameter,jar,par,step_up' } })
const alone = useService({ environment: { OAUTH_EXTENSIONS: 'claims_parameter' } })
const without = useService()
const withDocuments = useService({
  environment: { OAUTH_EXTENSIONS: `claims_parameter,${documents}` },
  outgoing: { ca: receiver.ca },
})

interface Asked {
  userinfo?: Record<string, object | null>
  id_token?: Record<string, object | null>
}
const essential = { essential: true }
const named = (claims: Asked) => JSON.stringify(claims)

const asking = (registration: Registration = {}) => givenApplication(service(), { requireConsent: true, ...registration })

/** An application whose user has a telephone number. */
async function withPhone(registration: Registration = {}) {
  const app = await asking(registration)
  await app.organisation.owner.patch('/v1/me/profile', { phone: '+4915112345678' })
  return app
}

const errorOf = (answer: Answer) => {
  const back = callbackOf(answer)
  return [back.get('error'), back.get('error_description')]
}

/** Sends an authorization request. @returns the reference of the consent page that comes of it, if one does */
async function ask(app: TestApplication, parameters: Record<string, string>, user: SignedInUser = app.organisation.owner) {
  const { verifier, challenge } = pkce()
  const answer = await app.authorize({ scope: 'openid', code_challenge: challenge, code_challenge_method: 'S256', ...parameters }, user)
  const location = new URL(answer.headers.get('location') ?? '', 'http://x')
  return { answer, verifier, reference: location.pathname === '/oauth2/consent' ? (location.searchParams.get('request') ?? '') : undefined }
}

const listOn = (page: string) => [...page.matchAll(/<li><span>([^<]*)/g)].map(([, text]) => text)

/** Signs in, with consent where it is asked for. */
async function signIn(app: TestApplication, parameters: Record<string, string>, user: SignedInUser = app.organisation.owner) {
  const { answer, verifier, reference } = await ask(app, parameters, user)
  const back = reference === undefined ? answer : await user.get(await decideConsent(user, reference, 'allow'))
  const redeemed = await app.redeem(callbackOf(back).get('code') ?? '', verifier)
  expect(redeemed).toMatchObject({ status: 200 })
  const { body } = redeemed
  return { ...body, hasAsked: reference !== undefined, id: claimsOf(body.id_token), info: (await app.userInfo(body.access_token)).body }
}

const consentsOf = async (user: SignedInUser) => (await user.get('/v1/me/consents')).body.data

describe('claims that a request names', () => {
  it('are in UserInfo once the user has allowed them (oidcc-claims-essential)', async () => {
    const app = await asking()
    const { owner } = app.organisation

    const { info, id, hasAsked } = await signIn(app, { claims: named({ userinfo: { name: essential } }) })

    const { body: profile } = await owner.get('/v1/me/profile')
    expect(hasAsked).toBe(true)
    expect(info).toEqual({ sub: owner.id, name: profile.name })
    expect(id).not.toHaveProperty('name')
  })

  it('are where the request wants them, each with its value', async () => {
    const app = await withPhone()
    const { owner } = app.organisation
    const claims = named({
      id_token: { email: null, given_name: { essential: false }, foreign: essential, 'name#de': null },
      userinfo: { phone_number: essential, phone_number_verified: null, updated_at: null, email_verified: { value: true } },
    })

    const { info, id } = await signIn(app, { claims })

    const { body: profile } = await owner.get('/v1/me/profile')
    expect(info).toEqual({
      sub: owner.id,
      phone_number: '+4915112345678',
      phone_number_verified: false,
      updated_at: expect.any(Number),
      email_verified: profile.emailVerifiedAt !== null,
    })
    expect(id).toMatchObject({ email: owner.email, given_name: profile.firstName })
    for (const name of ['foreign', 'name#de', 'name', 'family_name', 'email_verified', 'phone_number', 'updated_at'])
      expect(id).not.toHaveProperty([name])
  })

  it('stay with the grant: a refresh reads them anew, for the ID token and for UserInfo', async () => {
    const app = await asking({ grantTypes: ['authorization_code', 'refresh_token'] })
    const { owner } = app.organisation
    const claims = named({ id_token: { name: null }, userinfo: { given_name: null } })
    const tokens = await signIn(app, { scope: 'openid offline_access', claims })
    await owner.patch('/v1/me/profile', { firstName: 'Carol', lastName: 'Danvers' })

    const { body } = await app.refresh(tokens.refresh_token)

    expect(claimsOf(body.id_token)).toMatchObject({ name: 'Carol Danvers' })
    expect(claimsOf(body.id_token)).not.toHaveProperty('given_name')
    expect((await app.userInfo(body.access_token)).body).toEqual({ sub: owner.id, given_name: 'Carol' })
    const narrowed = await app.refresh(body.refresh_token, { scope: 'openid' })
    expect((await app.userInfo(narrowed.body.access_token)).body).toEqual({ sub: owner.id, given_name: 'Carol' })
    // The access token says nothing of them.
    expect(claimsOf(body.access_token)).not.toHaveProperty('given_name')
    expect((await app.introspect(narrowed.body.access_token)).body).not.toHaveProperty('given_name')
  })

  it('that the scope grants are asked for by it alone', async () => {
    const app = await asking()
    const { owner } = app.organisation
    const { reference } = await ask(app, {
      scope: 'openid email',
      claims: named({ userinfo: { email: essential }, id_token: { email_verified: null } }),
    })
    const { body: page } = await browserOf(owner).open(consentPath(reference ?? ''))
    expect(listOn(page)).toEqual(['Know who you are when you sign in', 'See your e-mail address'])
    await decideConsent(owner, reference ?? '', 'allow')
    expect(await consentsOf(owner)).toMatchObject([{ scopes: ['openid', 'email'], claims: [] }])
  })

  it('mean nothing without openid, as there is neither an ID token nor UserInfo', async () => {
    const app = await asking({ scopes: ['reports:read'] })
    const { owner } = app.organisation
    const { reference } = await ask(app, { scope: 'reports:read', claims: named({ userinfo: { email: essential } }) })
    const { body: page } = await browserOf(owner).open(consentPath(reference ?? ''))
    expect(listOn(page)).toEqual(['Use “reports:read”'])
  })

  it('without a value, such as a telephone number that is not set, are left out and no error', async () => {
    const app = await asking()
    const { info } = await signIn(app, { claims: named({ userinfo: { phone_number: essential, website: essential } }) })
    expect(info).toEqual({ sub: app.organisation.owner.id })
  })
})

describe('consent to claims', () => {
  it('says each of them on the page, in the language of the user', async () => {
    const app = await asking()
    const { owner } = app.organisation
    const claims = named({
      id_token: { name: null, email: null },
      userinfo: { name: null, email_verified: null, phone_number: null, updated_at: null },
    })
    const { reference = '' } = await ask(app, { claims })

    const english = listOn((await browserOf(owner).open(consentPath(reference))).body)
    const german = listOn((await browserOf(owner).open(`${consentPath(reference)}&ui_locales=de`)).body)

    expect(english).toEqual([
      'Know who you are when you sign in',
      'See your e-mail address',
      'See whether your e-mail address is confirmed',
      'See your name',
      'See your phone number',
      'See when your account was last changed',
    ])
    expect(german).toEqual([
      'Erfahren, wer Sie sind',
      'Ihre E-Mail-Adresse sehen',
      'Sehen, ob Ihre E-Mail-Adresse bestätigt ist',
      'Ihren Namen sehen',
      'Ihre Telefonnummer sehen',
      'Sehen, wann Ihr Konto zuletzt geändert wurde',
    ])
  })

  it('is remembered for each claim: only what is new is asked for', async () => {
    const app = await asking()
    const { owner } = app.organisation
    await signIn(app, { claims: named({ userinfo: { email: null } }) })

    const again = await signIn(app, { claims: named({ id_token: { email: null }, userinfo: { email: essential } }) })
    expect([again.hasAsked, again.id.email, again.info.email]).toEqual([false, owner.email, owner.email])
    const more = await signIn(app, { claims: named({ userinfo: { email: null, name: null } }) })
    expect(more.hasAsked).toBe(true)
    expect(await consentsOf(owner)).toMatchObject([{ scopes: ['openid'], claims: ['email', 'name'] }])
    // Neither gives what a request does not name, nor the scope of the claim.
    expect((await signIn(app, {})).info).toEqual({ sub: owner.id })
    expect((await signIn(app, { scope: 'openid email' })).hasAsked).toBe(true)
    // What the scope covers is not listed twice.
    expect(await consentsOf(owner)).toMatchObject([{ scopes: ['email', 'openid'], claims: ['name'] }])
  })

  it('to a scope is consent to its claims', async () => {
    const app = await asking()
    await signIn(app, { scope: 'openid profile' })
    const { hasAsked, info } = await signIn(app, { claims: named({ userinfo: { family_name: null } }) })
    expect([hasAsked, Object.keys(info)]).toEqual([false, ['sub', 'family_name']])
  })

  it('is not asked for with prompt=none: what is not allowed yet is left out', async () => {
    const app = await asking()
    const { owner } = app.organisation
    const silent = { prompt: 'none', claims: named({ userinfo: { email: essential, name: essential }, id_token: { name: null } }) }
    expect(errorOf((await ask(app, silent)).answer)[0]).toBe('consent_required')
    await signIn(app, { claims: named({ userinfo: { email: null } }) })

    const { hasAsked, info, id } = await signIn(app, silent)

    expect([hasAsked, info]).toEqual([false, { sub: owner.id, email: owner.email }])
    expect(id).not.toHaveProperty('name')
  })

  it('is not asked for by an application that asks for none: what its scopes do not cover is left out', async () => {
    const app = await asking({ requireConsent: false })
    const { owner } = app.organisation
    const claims = named({ userinfo: { email: essential, given_name: null }, id_token: { email: essential } })

    const { hasAsked, info, id } = await signIn(app, { claims })
    expect([hasAsked, info]).toEqual([false, { sub: owner.id }])
    expect(id).not.toHaveProperty('email')
    expect((await signIn(app, { scope: 'openid email', claims })).info).toEqual({
      sub: owner.id,
      email: owner.email,
      email_verified: expect.any(Boolean),
    })

    // With prompt=consent the user is asked, and is so for this one time.
    const asked = await signIn(app, { prompt: 'consent', claims })
    expect([asked.hasAsked, asked.info.email, asked.id.email]).toEqual([true, owner.email, owner.email])
    expect((await signIn(app, { claims })).info).toEqual({ sub: owner.id })
  })

  it('is given to an application that introduces itself, at the API that its tokens are for', async () => {
    const { owner, resource } = await resourceForAll(withDocuments())
    const app = documentClient(withDocuments(), receiver)
    const ask = async (parameters: Record<string, string>) => {
      const { verifier, challenge } = pkce()
      const form = { scope: 'openid orders:read', code_challenge: challenge, code_challenge_method: 'S256', ...parameters }
      const answer = await app.authorize(owner, resource, form)
      const location = new URL(answer.headers.get('location') ?? '', 'http://x')
      const reference = location.pathname === '/oauth2/consent' ? location.searchParams.get('request') : null
      const back = reference === null ? answer : await owner.get(await decideConsent(owner, reference, 'allow'))
      const { answer: redeemed } = await app.redeem(callbackOf(back).get('code') ?? '', verifier)
      const headers = { authorization: `Bearer ${redeemed.body.access_token}` }
      return { hasAsked: reference !== null, info: (await withDocuments().anonymous.get('/oauth2/userinfo', { headers })).body }
    }
    const claims = named({ userinfo: { email: null } })

    const expected = { sub: owner.id, email: owner.email }
    expect(await ask({ claims })).toEqual({ hasAsked: true, info: expected })
    expect(await ask({ claims })).toEqual({ hasAsked: false, info: expected })
    expect(await ask({})).toEqual({ hasAsked: false, info: { sub: owner.id } })
    expect((await owner.get('/v1/me/consents')).body.data).toMatchObject([{ scopes: ['openid', 'orders:read'], claims: ['email'] }])
  })

  it('that is refused gives nothing, and is not remembered', async () => {
    const app = await asking()
    const { owner } = app.organisation
    await signIn(app, {})
    const claims = named({ userinfo: { email: null } })
    const { reference = '' } = await ask(app, { claims })
    expect(errorOf(await owner.get(await decideConsent(owner, reference, 'cancel')))[0]).toBe('access_denied')
    expect((await ask(app, { claims })).reference).toBeDefined()
    expect(await consentsOf(owner)).toMatchObject([{ claims: [] }])
  })

  it('is listed for the user, for administrators and on the account page, is audited, and ends with its tokens', async () => {
    const app = await asking()
    const { owner } = app.organisation
    const tokens = await signIn(app, { claims: named({ userinfo: { email: null } }) })

    const listed = { scopes: ['openid'], claims: ['email'] }
    expect(await consentsOf(owner)).toMatchObject([listed])
    expect((await owner.get(`/v1/admin/users/${owner.id}/consents`)).body.data).toMatchObject([listed])
    expect((await owner.get(`/v1/admin/clients/${app.id}/consents`)).body.data).toMatchObject([listed])
    expect((await browserOf(owner).open('/account')).body).toContain('Know who you are when you sign in; See your e-mail address')
    const [granted] = await owner.audit({ action: 'oauth2.consent.granted' })
    expect(granted.metadata).toMatchObject({ scopes: ['openid'], claims: ['email'] })

    await owner.delete(`/v1/me/consents/${app.id}`)
    expect((await app.userInfo(tokens.access_token)).status).toBe(401)
    expect((await ask(app, { claims: named({ userinfo: { email: null } }) })).reference).toBeDefined()
  })

  it('with an end is over then, also for claims that are allowed later without one', async () => {
    const app = await asking()
    const { owner } = app.organisation
    const claims = named({ userinfo: { email: null } })
    const { reference = '' } = await ask(app, { claims })
    await decideConsent(owner, reference, 'allow', { lifetime: 'hour' })
    const [{ expiresAt }] = await consentsOf(owner)
    // The page has not shown the claim again, so the sooner end counts for all.
    await signIn(app, { claims: named({ userinfo: { name: null } }) })
    expect(await consentsOf(owner)).toMatchObject([{ claims: ['email', 'name'], expiresAt }])
    // It has shown all of it: the new end counts.
    await signIn(app, { prompt: 'consent', claims: named({ userinfo: { name: null, email: null } }) })
    expect(await consentsOf(owner)).toMatchObject([{ claims: ['email', 'name'], expiresAt: null }])
  })
})

describe('the user that a request names in sub', () => {
  it('is the one that the session must be of, as with id_token_hint', async () => {
    const app = await asking({ requireConsent: false })
    const { owner } = app.organisation
    const other = await service().given.userWith(owner, [])
    const claims = named({ id_token: { sub: { value: owner.id } } })

    expect((await signIn(app, { claims, prompt: 'none' })).id.sub).toBe(owner.id)
    expect(errorOf((await ask(app, { claims, prompt: 'none' }, other)).answer)[0]).toBe('login_required')
    expect((await ask(app, { claims }, other)).answer.headers.get('location')).toMatch(/^\/login\?.*prompt=login/)
  })

  it('is the one of the hint beside it, or the request is refused', async () => {
    const app = await asking({ requireConsent: false })
    const { owner } = app.organisation
    const { id_token: hint } = await app.signIn({ scope: 'openid' })
    const naming = (value: string) => ({ id_token_hint: hint, claims: named({ id_token: { sub: { value } } }) })
    expect(callbackOf((await ask(app, naming(owner.id))).answer).has('code')).toBe(true)
    const { answer } = await ask(app, naming('usr_01kahm3z9n4v7f2t8q6w5r1y0x'))
    expect(errorOf(answer)).toEqual(['invalid_request', expect.stringContaining('claims and id_token_hint name different users')])
  })
})

describe('a level that a request names in acr', () => {
  const level = (value: object) => named({ id_token: { acr: value } })

  it('has to be met where it is essential', async () => {
    const app = await asking({ requireConsent: false })
    const { owner } = app.organisation
    expect((await signIn(app, { claims: level({ essential: true, values: ['aal1'] }) })).id.acr).toBe('aal1')
    for (const parameters of [
      { claims: level({ essential: true, values: ['phr', 'aal2'] }) },
      { claims: level({ essential: true, value: 'urn:foreign' }) },
      // What must be met wins over what is beside it.
      { claims: level({ essential: true, value: 'phr' }), acr_values: 'aal1' },
    ])
      expect(errorOf((await ask(app, parameters)).answer)[0]).toBe('unmet_authentication_requirements')
    const { body } = await owner.get('/v1/admin/diagnostics')
    expect(body.data[0]).toMatchObject({ check: 'claims_parameter', expected: ['phr'] })
  })

  it('is reached by stepping up', async () => {
    const app = await asking({ requireConsent: false })
    const { owner } = app.organisation
    await enrolAuthenticator(owner, service().clock)
    for (const claims of [level({ essential: true, values: ['phr', 'aal2'] }), level({ values: ['aal2'] })])
      expect((await ask(app, { claims })).answer.headers.get('location')).toMatch(/^\/login\/mfa\?for=session&level=aal2&/)
  })

  it('is voluntary otherwise, and then acr_values counts', async () => {
    const app = await asking({ requireConsent: false })
    expect((await signIn(app, { claims: level({ values: ['phr'] }) })).id.acr).toBe('aal1')
    expect((await signIn(app, { claims: level({ essential: true }) })).id).toMatchObject({ acr: 'aal1', auth_time: expect.any(Number) })
    const { answer } = await ask(app, { claims: level({ values: ['aal1'] }), acr_values: 'phr' })
    expect(errorOf(answer)[0]).toBe('unmet_authentication_requirements')
  })

  it('has to be that of the session where nothing can raise it', async () => {
    const app = await givenApplication(alone())
    const { owner } = app.organisation
    await enrolAuthenticator(owner, alone().clock)
    expect((await signIn(app, { claims: level({ essential: true, value: 'aal1' }) })).id.acr).toBe('aal1')
    expect((await signIn(app, { claims: level({ value: 'aal2' }) })).id.acr).toBe('aal1')
    const { answer } = await ask(app, { claims: level({ essential: true, value: 'aal2' }) })
    expect(errorOf(answer)[0]).toBe('unmet_authentication_requirements')
  })

  it('is in the ID token together with auth_time, which are always there', async () => {
    const app = await asking({ requireConsent: false })
    const { id } = await signIn(app, { claims: named({ id_token: { auth_time: essential, acr: null } }) })
    expect(id).toMatchObject({ auth_time: expect.any(Number), acr: 'aal1' })
  })
})

describe('a request with claims', () => {
  it.each([
    ['no JSON', '{"userinfo":'],
    ['a list', '["email"]'],
    ['a claim that is true', '{"userinfo":{"email":true}}'],
    ['an escaped NUL', String.raw`{"id_token":{"sub":{"value":"\u0000"}}}`],
    ['more than 8 KiB', JSON.stringify({ userinfo: { email: { value: 'x'.repeat(8_192) } } })],
  ])('is refused as %s', async (_, claims) => {
    const app = await asking({ requireConsent: false })
    const { answer } = await ask(app, { claims })
    expect(errorOf(answer)[0]).toBe('invalid_request')
    const pushed = await app.post('/oauth2/par', { response_type: 'code', redirect_uri: app.redirectUri, scope: 'openid', claims })
    expect(pushed).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
  })

  it('may be pushed', async () => {
    const app = await asking()
    const { owner } = app.organisation
    const { verifier, challenge } = pkce()
    const pushed = await app.post('/oauth2/par', {
      ...{ response_type: 'code', redirect_uri: app.redirectUri, scope: 'openid', claims: named({ userinfo: { email: null } }) },
      ...{ code_challenge: challenge, code_challenge_method: 'S256' },
    })
    const opened = await owner.get(`/oauth2/authorize?${encode({ client_id: app.id, request_uri: pushed.body.request_uri })}`)
    const reference = new URL(opened.headers.get('location') ?? '', 'http://x').searchParams.get('request') ?? ''
    const back = await owner.get(await decideConsent(owner, reference, 'allow'))
    const { body } = await app.redeem(callbackOf(back).get('code') ?? '', verifier)
    expect((await app.userInfo(body.access_token)).body).toEqual({ sub: owner.id, email: owner.email })
  })

  it('may be signed, with claims as the object that it is', async () => {
    const key = await clientKey('ES256', 'own')
    const app = await asking({ jwks: { keys: [key.publicKey] } })
    const { owner } = app.organisation
    const signed = async (claims: unknown) => {
      const { verifier, challenge } = pkce()
      const seconds = Math.floor(service().clock.now().getTime() / 1_000)
      const request = await new SignJWT({
        ...{ iss: app.id, client_id: app.id, aud: service().services.issuer, nbf: seconds, exp: seconds + 300 },
        ...{ response_type: 'code', redirect_uri: app.redirectUri, scope: 'openid', claims },
        ...{ code_challenge: challenge, code_challenge_method: 'S256' },
      })
        .setProtectedHeader({ alg: 'ES256', typ: 'oauth-authz-req+jwt', kid: 'own' })
        .sign(key.privateKey)
      // Beside it they do not count.
      const query = { client_id: app.id, request, claims: named({ userinfo: { name: null } }) }
      return { verifier, answer: await owner.get(`/oauth2/authorize?${encode(query)}`) }
    }
    const { verifier, answer } = await signed({ userinfo: { email: essential } })
    const reference = new URL(answer.headers.get('location') ?? '', 'http://x').searchParams.get('request') ?? ''
    const back = await owner.get(await decideConsent(owner, reference, 'allow'))
    const { body } = await app.redeem(callbackOf(back).get('code') ?? '', verifier)
    expect((await app.userInfo(body.access_token)).body).toEqual({ sub: owner.id, email: owner.email })
    for (const malformed of [[], true, { userinfo: { email: 1 } }])
      expect(errorOf((await signed(malformed)).answer)[0]).toBe('invalid_request')
  })

  it('may be posted, and is continued after the sign-in', async () => {
    const app = await asking()
    const { owner } = app.organisation
    const { challenge } = pkce()
    const posted = await postForm(service().anonymous, '/oauth2/authorize', {
      ...{
        response_type: 'code',
        client_id: app.id,
        redirect_uri: app.redirectUri,
        scope: 'openid',
        claims: named({ userinfo: { email: null } }),
      },
      ...{ code_challenge: challenge, code_challenge_method: 'S256' },
    })
    const continued = await owner.get(posted.headers.get('location') ?? '')
    const reference = new URL(continued.headers.get('location') ?? '', 'http://x').searchParams.get('request') ?? ''
    expect(listOn((await browserOf(owner).open(consentPath(reference))).body)).toContain('See your e-mail address')
  })

  it('is as any other while the extension is off, whatever they are', async () => {
    const app = await givenApplication(without(), { requireConsent: true })
    const { owner } = app.organisation
    for (const claims of [
      '{',
      named({ userinfo: { email: essential }, id_token: { sub: { value: 'usr_1' }, acr: { essential: true, value: 'phr' } } }),
    ]) {
      const { info } = await signIn(app, { claims })
      expect(info).toEqual({ sub: owner.id })
    }
    expect(await consentsOf(owner)).toMatchObject([{ scopes: ['openid'], claims: [] }])
  })
})
