import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { startFederation } from '../../src/connections/federation/start.ts'
import { signInAttemptsChannel } from '../../src/sign-in/attempts.ts'
import { enrolAuthenticator } from '../support/authenticator.ts'
import { linkedIdentity } from '../support/connections.ts'
import { verifiedDomain } from '../support/domains.ts'
import { callbackPath, clientOf, connect, meOf, signInBy } from '../support/federation.ts'
import { type SignedInUser, unique } from '../support/given.ts'
import { type IdentityProvider, listeningProvider } from '../support/identity-provider.ts'
import { PageVisitor } from '../support/page-visitor.ts'
import { PasskeyDevice, registerPasskey } from '../support/passkeys.ts'
import { forgetStarts, useService } from '../support/service.ts'

const service = useService()

let provider: IdentityProvider & { close(): Promise<void> }
let usual: IdentityProvider['behaviour']
beforeAll(async () => {
  provider = await listeningProvider({ now: () => service().clock.now() })
  usual = { ...provider.behaviour }
})
afterAll(() => provider.close())
beforeEach(() => Object.assign(provider.behaviour, usual))

/** The account at the identity provider. */
function asUser(claims: Record<string, unknown> = {}) {
  const user = { sub: `sub-${unique()}`, email: `ada-${unique()}@example.test`, email_verified: true, ...claims }
  provider.behaviour.user = user
  return user
}

async function organisationWith(changes: Parameters<typeof connect>[3] = {}) {
  const organisation = await service().given.organisation()
  return { ...organisation, connectionId: await connect(service(), organisation, provider, changes) }
}

const jit = { provisioning: 'jit', configuration: undefined } as const
const configuration = (more: object) =>
  JSON.stringify({ issuer: provider.issuer, clientId: 'gatehouse', emailTrust: 'verified_claim', ...more })
const provisioning = () => ({ provisioning: jit.provisioning, configuration: configuration({ allowedDomains: ['example.test'] }) })

const usersOf = async (owner: SignedInUser) => (await owner.get('/v1/admin/users')).body
const organisationOf = async (owner: SignedInUser) => (await owner.get('/v1/admin/organisation')).body
const referenceIn = (body: string) => /([0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{4})/.exec(body)?.[1]

describe('a sign-in by a connection', () => {
  it('creates a user where the organisation lets it, and signs the same one in from then on', async () => {
    const { owner, connectionId } = await organisationWith(provisioning())
    const { email } = asUser({ given_name: 'Ada', family_name: 'Lovelace' })

    const first = await signInBy(service(), provider, connectionId)
    const second = await signInBy(service(), provider, connectionId)

    expect(first).toMatchObject({ status: 303 })
    expect(first.headers.get('location')).toBe('/account')
    const [me, again] = [await meOf(service(), first.visitor), await meOf(service(), second.visitor)]
    expect(me.body).toMatchObject({ email, firstName: 'Ada', lastName: 'Lovelace', emailVerified: true })
    expect(again.body.id).toBe(me.body.id)
    expect(await owner.audit({ action: 'user.created' })).toMatchObject([{ targetId: me.body.id, actorId: me.body.id }])
    expect(await owner.audit({ action: 'identity.linked' })).toMatchObject([
      { actorId: me.body.id, metadata: { userId: me.body.id, connectionId } },
    ])
    const ofUser = await owner.audit({ action: 'login.success', actorId: me.body.id })
    expect(ofUser).toMatchObject([{ metadata: { connectionId } }, { metadata: { connectionId } }])
  })

  it('is a use of the connection once a user is signed in, and not before', async () => {
    const { id: organisationId, owner, connectionId } = await organisationWith()
    const user = await service().given.user(owner)
    const { subject } = await linkedIdentity(service(), { organisationId, userId: user.id, connectionId })
    const lastUsedAt = async () => (await owner.get(`/v1/admin/connections/${connectionId}`)).body.lastUsedAt
    asUser()
    expect((await signInBy(service(), provider, connectionId)).status).toBe(403)
    asUser({ sub: subject })
    await owner.patch(`/v1/admin/users/${user.id}`, { blockedAt: '2026-01-01T00:00:00Z' })
    expect((await signInBy(service(), provider, connectionId)).status).toBe(403)
    expect(await lastUsedAt()).toBeNull()

    await owner.patch(`/v1/admin/users/${user.id}`, { blockedAt: null })
    expect((await signInBy(service(), provider, connectionId)).status).toBe(303)
    expect(await lastUsedAt()).toEqual(expect.any(String))
  })

  it('is counted by what becomes of it', async () => {
    const { owner, connectionId } = await organisationWith()
    const results: string[] = []
    const note = (message: unknown) => void results.push((message as { result: string }).result)
    subscribe(signInAttemptsChannel, note)
    onTestFinished(() => void unsubscribe(signInAttemptsChannel, note))

    asUser()
    await signInBy(service(), provider, connectionId)
    const { email, id: userId } = await service().given.user(owner)
    const { subject } = await linkedIdentity(service(), { organisationId: (await organisationOf(owner)).id, userId, connectionId })
    asUser({ sub: subject, email })
    await signInBy(service(), provider, connectionId)
    provider.behaviour.response = ({ state = '' }) => ({ state, error: 'access_denied' })
    await signInBy(service(), provider, connectionId)

    expect(results).toEqual(['identity_refused', 'right_identity', 'identity_provider_refused'])
  })

  it('asks for a new sign-in there, with a time of it only where the provider is sure to send one', async () => {
    const organisation = await service().given.organisation()
    const { services } = service()
    const sentTo = async (changes: Parameters<typeof connect>[3], isNewSignIn: boolean) => {
      const connectionId = await connect(service(), organisation, provider, changes)
      const sent: { maxAge?: number | undefined; prompt?: string | undefined }[] = []
      const upstream = await services.openUpstream()
      const authorizationUrlOf: typeof upstream.authorizationUrlOf = async (_settings, { maxAge, prompt }) => {
        sent.push({ maxAge, prompt })
        return new URL('https://login.example.test')
      }
      const recording = { ...services, openUpstream: async () => ({ ...upstream, authorizationUrlOf }) }
      const request = {
        connectionId,
        browser: undefined,
        returnTo: '/',
        loginHint: undefined,
        isNewSignIn,
        uiLocales: undefined,
        signInId: 'sgn_1',
        address: '192.0.2.1',
      }
      await startFederation(recording, request)
      return sent[0]
    }

    expect(await sentTo({}, true)).toEqual({ maxAge: 0, prompt: 'login' })
    expect(await sentTo({ provider: 'google' }, true)).toEqual({ prompt: 'login' })
    expect(await sentTo({ provider: 'microsoft' }, true)).toEqual({ prompt: 'login' })
    expect(await sentTo({}, false)).toEqual({})
  })

  it('gives a session that says where it came from, with no methods of which we know nothing', async () => {
    const { id, connectionId } = await organisationWith(provisioning())
    const { sub } = asUser()
    provider.behaviour.claims = (claims) => ({ ...claims, sid: 'upstream-session', amr: ['pwd', 'mfa'] })
    const { visitor } = await signInBy(service(), provider, connectionId)

    const sessions = await service()
      .database.tenant(id)
      .selectFrom('sessions')
      .selectAll()
      .where('connectionId', '=', connectionId)
      .execute()
    expect(await meOf(service(), visitor)).toMatchObject({ status: 200 })
    expect(sessions).toMatchObject([{ upstreamSubject: sub, upstreamSession: 'upstream-session', authenticationMethods: [] }])
  })

  it('lasts as long as the connection says, where that is shorter', async () => {
    const { id, connectionId } = await organisationWith({ ...provisioning(), sessionMaxAgeSeconds: 600 })
    asUser()
    await signInBy(service(), provider, connectionId)

    const [session] = await service()
      .database.tenant(id)
      .selectFrom('sessions')
      .selectAll()
      .where('connectionId', '=', connectionId)
      .execute()
    expect(Number(session?.expiresAt) - Number(session?.createdAt)).toBe(600_000)
  })

  it('takes the second factor of the identity provider only where the connection trusts it', async () => {
    const methods = async (changes: object, amr: string[], acr?: string) => {
      const { id, connectionId } = await organisationWith({ ...provisioning(), ...changes })
      asUser()
      provider.behaviour.claims = (claims) => ({ ...claims, amr, acr })
      await signInBy(service(), provider, connectionId)
      const [session] = await service()
        .database.tenant(id)
        .selectFrom('sessions')
        .selectAll()
        .where('connectionId', '=', connectionId)
        .execute()
      return session?.authenticationMethods
    }

    expect(await methods({ trustsMfa: true }, ['pwd', 'mfa', 'invented'])).toEqual(['pwd', 'mfa'])
    expect(await methods({ trustsMfa: true }, ['pwd'])).toEqual(['pwd'])
    expect(await methods({ trustsMfa: true, mfaContexts: '["high"]' }, ['pwd'], 'high')).toEqual(['pwd', 'mfa'])
    expect(await methods({ mfaContexts: '["high"]' }, ['mfa'], 'high')).toEqual([])
  })

  it('removes no password, whatever the identity provider says of a passkey there', async () => {
    const { connectionId } = await organisationWith({ ...provisioning(), trustsMfa: true })
    asUser()
    const authTime = Math.floor(service().clock.now().getTime() / 1_000)
    provider.behaviour.claims = (claims) => ({ ...claims, amr: ['hwk', 'user', 'mfa'], auth_time: authTime })
    const { visitor } = await signInBy(service(), provider, connectionId)
    const refused = { status: 403, body: { code: 'recent-sign-in-required', methods: ['passkey'] } }
    expect(await (await clientOf(service(), visitor)).delete('/v1/me/password')).toMatchObject(refused)
  })

  it('is followed by enrolment where the organisation requires a second factor, unless the connection vouches for one', async () => {
    const { owner, connectionId } = await organisationWith(provisioning())
    const trusting = await connect(service(), { id: (await owner.get('/v1/admin/organisation')).body.id }, provider, {
      ...provisioning(),
      trustsMfa: true,
    })
    await owner.patch('/v1/admin/organisation', { requireMfa: true })
    provider.behaviour.claims = (claims) => ({ ...claims, amr: ['mfa'] })
    asUser()
    const asked = await signInBy(service(), provider, connectionId)
    asUser()
    const trusted = await signInBy(service(), provider, trusting)

    expect(asked.headers.get('location')).toContain('/mfa/enroll')
    expect(trusted.headers.get('location')).toBe('/account')
  })

  it('goes back to where it began, and nowhere else', async () => {
    const { connectionId } = await organisationWith(provisioning())
    asUser()
    const inside = await signInBy(service(), provider, connectionId, { returnTo: '/account/profile' })
    const outside = await signInBy(service(), provider, connectionId, { returnTo: 'https://evil.example' })

    expect(inside.headers.get('location')).toBe('/account/profile')
    expect(outside.headers.get('location')).toBe('/')
  })

  it('takes a response that comes by a form, in the browser that began', async () => {
    const { connectionId } = await organisationWith(provisioning())
    const { email } = asUser()
    const visitor = new PageVisitor(service().origin)
    const path = await callbackPath(provider, connectionId, visitor)
    const { pathname, searchParams } = new URL(path, 'http://gatehouse.test')
    // A form of another site brings no cookie.
    const posted = await fetch(service().origin + pathname, { method: 'POST', body: searchParams, redirect: 'manual' })
    const location = posted.headers.get('location') ?? ''

    expect(posted.status).toBe(303)
    expect(location).not.toContain(searchParams.get('code'))
    expect(await new PageVisitor(service().origin).open(location)).toMatchObject({ status: 400 })
    expect(await visitor.open(location)).toMatchObject({ status: 303 })
    expect((await meOf(service(), visitor)).body.email).toBe(email)
  })
})

describe('a state', () => {
  it('is good for one callback of many, and one session', async () => {
    const { id, connectionId } = await organisationWith(provisioning())
    asUser()
    const visitor = new PageVisitor(service().origin)
    const path = await callbackPath(provider, connectionId, visitor)
    const { cookie } = visitor
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => fetch(service().origin + path, { redirect: 'manual', headers: { cookie } })),
    )

    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 400, 400, 400, 400])
    expect(
      await service().database.tenant(id).selectFrom('sessions').selectAll().where('connectionId', '=', connectionId).execute(),
    ).toHaveLength(1)
  })

  it('is good only in the browser that began, for its connection, and for ten minutes', async () => {
    const { id, connectionId } = await organisationWith(provisioning())
    const other = await connect(service(), { id }, provider, provisioning())
    asUser()
    const visitor = new PageVisitor(service().origin)
    const path = await callbackPath(provider, connectionId, visitor)

    expect(await new PageVisitor(service().origin).open(path)).toMatchObject({ status: 400 })
    expect(await visitor.open(path.replace(connectionId, other))).toMatchObject({ status: 400 })
    expect(await visitor.open(path)).toMatchObject({ status: 303 })

    const late = await callbackPath(provider, connectionId, visitor)
    service().clock.advance({ minutes: 10 })
    expect(await visitor.open(late)).toMatchObject({ status: 400 })
  })
})

describe('two first sign-ins of one subject at once', () => {
  it('make one user', async () => {
    const { owner, connectionId } = await organisationWith(provisioning())
    const { email } = asUser()
    const before = (await usersOf(owner)).total
    const answers = await Promise.all(Array.from({ length: 4 }, () => signInBy(service(), provider, connectionId)))
    const ids = await Promise.all(answers.map(async ({ visitor }) => (await meOf(service(), visitor)).body.id))

    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303])
    expect(new Set(ids).size).toBe(1)
    expect((await usersOf(owner)).total).toBe(before + 1)
    expect(await owner.audit({ action: 'identity.linked' })).toHaveLength(1)
    expect((await usersOf(owner)).data.filter((user: { email: string }) => user.email === email)).toHaveLength(1)
  })
})

describe('an address that a user has', () => {
  it('links at once where linking is automatic and both have proven it', async () => {
    const { owner, connectionId } = await organisationWith({ linking: 'automatic' })
    const user = await service().given.user(owner)
    await service()
      .database.tenant((await owner.get('/v1/admin/organisation')).body.id)
      .updateTable('users')
      .set({ emailVerifiedAt: new Date() })
      .where('id', '=', user.id)
      .execute()
    asUser({ email: user.email.toUpperCase() })

    const { status, visitor } = await signInBy(service(), provider, connectionId)
    expect(status).toBe(303)
    expect((await meOf(service(), visitor)).body.id).toBe(user.id)
    // Its address is never looked at again.
    provider.behaviour.user = { ...provider.behaviour.user, email: owner.email }
    const again = await signInBy(service(), provider, connectionId)
    expect((await meOf(service(), again.visitor)).body.id).toBe(user.id)
  })

  it('asks for a sign-in of the account, once, before it is linked', async () => {
    const { owner, connectionId } = await organisationWith()
    const user = await service().given.user(owner)
    asUser({ email: user.email })
    const { status, headers, visitor } = await signInBy(service(), provider, connectionId)
    expect([status, headers.get('location')]).toEqual([303, '/link'])
    // Both last as long as the account waits to be confirmed.
    const lasting = headers.getSetCookie().filter((line) => line.includes('Max-Age=600'))
    expect(lasting.map((line) => line.split('=')[0])).toEqual(['svc_federation', 'svc_link'])
    expect((await meOf(service(), visitor)).status).toBe(401)

    const asked = await visitor.open('/link')
    expect(asked.body).toContain('Sign in to it as you usually do')
    expect((await visitor.submit('/link', {})).status).toBe(403)
    expect(await owner.audit({ action: 'identity.linked' })).toHaveLength(0)
    await visitor.submit('/login', { email: user.email, password: 'correct horse battery' })
    const linked = await visitor.submit('/link', {})
    expect([linked.status, linked.headers.get('location')]).toEqual([303, '/account'])
    expect(await owner.audit({ action: 'identity.linked' })).toMatchObject([{ actorId: user.id }])
    expect((await visitor.open('/link')).status).toBe(400)

    const again = await signInBy(service(), provider, connectionId)
    expect((await meOf(service(), again.visitor)).body.id).toBe(user.id)
  })

  it.each<[string, (asked: { id: string; owner: SignedInUser; user: { id: string }; at: string }) => Promise<unknown>, number]>([
    ['comes by a connection that links no account by its address any more', ({ owner, at }) => owner.patch(at, { linking: 'none' }), 403],
    [
      'comes by a connection of another provider by now',
      ({ owner, at }) => owner.patch(at, { configuration: { issuer: 'https://another.test' } }),
      400,
    ],
    [
      'comes by a connection that believes its provider no address any more',
      ({ owner, at }) => owner.patch(at, { configuration: { emailTrust: 'verified_domain' } }),
      400,
    ],
    [
      'has an address that is the user’s no more',
      ({ id, user }) =>
        service()
          .database.tenant(id)
          .updateTable('users')
          .set({ email: `moved-${unique()}@example.test` })
          .where('id', '=', user.id)
          .execute(),
      403,
    ],
    ['would lead to the owner', ({ owner, user }) => owner.post('/v1/admin/organisation/transfer-ownership', { userId: user.id }), 403],
  ])('is judged again when it is confirmed: one that %s is not linked', async (_change, change, refused) => {
    const { id, owner, connectionId } = await organisationWith()
    const user = await service().given.user(owner)
    asUser({ email: user.email })
    const { visitor } = await signInBy(service(), provider, connectionId)
    await visitor.submit('/login', { email: user.email, password: 'correct horse battery' })
    const { formToken } = await visitor.open('/link')
    await change({ id, owner, user, at: `/v1/admin/connections/${connectionId}` })

    const { status } = await visitor.submit('/link', { formToken }, {}, '/account')
    expect(status).toBe(refused)
    const identities = service().database.tenant(id).selectFrom('identities').selectAll()
    expect(await identities.where('userId', '=', user.id).execute()).toEqual([])
  })

  it('is not linked by another user who is signed in, nor by a session of before', async () => {
    const { owner, connectionId } = await organisationWith()
    const [user, other] = [await service().given.user(owner), await service().given.user(owner)]
    const visitor = new PageVisitor(service().origin)
    await visitor.submit('/login', { email: user.email, password: 'correct horse battery' })
    service().clock.advance({ minutes: 1 })
    asUser({ email: user.email })
    await signInBy(service(), provider, connectionId, { visitor })
    expect((await visitor.open('/link')).body).toContain('Sign in to it as you usually do')
    await visitor.submit('/login', { email: other.email, password: 'correct horse battery' })
    expect((await visitor.open('/link')).body).toContain('Sign in to it as you usually do')
    await visitor.submit('/link', {})

    expect(await owner.audit({ action: 'identity.linked' })).toHaveLength(0)
  })

  it('is not linked by a session that has yet to enrol a second factor', async () => {
    const { owner, connectionId } = await organisationWith()
    const user = await service().given.user(owner)
    await owner.patch('/v1/admin/organisation', { requireMfa: true })
    asUser({ email: user.email })
    const { visitor } = await signInBy(service(), provider, connectionId)
    const signedIn = await visitor.submit('/login', { email: user.email, password: 'correct horse battery' })
    expect(signedIn.status).toBe(303)

    expect((await visitor.open('/link')).body).toContain('Sign in to it as you usually do')
    expect((await visitor.submit('/link', {})).status).not.toBe(303)
    expect(await owner.audit({ action: 'identity.linked' })).toHaveLength(0)
  })

  it('is refused when it is the owner’s, another organisation’s, or a deleted user’s, and changes nothing', async () => {
    const { owner, connectionId } = await organisationWith({ ...provisioning(), linking: 'automatic' })
    const elsewhere = await service().given.organisation()
    const deleted = await service().given.user(owner)
    await owner.delete(`/v1/admin/users/${deleted.id}`)
    const texts = []
    for (const email of [owner.email, elsewhere.owner.email, deleted.email]) {
      asUser({ email })
      const { status, body, visitor } = await signInBy(service(), provider, connectionId)
      expect(status).toBe(403)
      expect((await meOf(service(), visitor)).status).toBe(401)
      texts.push(
        body.includes('There is an account with your e-mail address') ? 'owner' : body.includes('cannot be used here') ? 'unusable' : body,
      )
    }

    expect(texts).toEqual(['owner', 'unusable', 'unusable'])
    expect(await owner.audit({ action: 'identity.linked' })).toHaveLength(0)
    expect(await elsewhere.owner.audit({ action: 'identity.linked' })).toHaveLength(0)
  })

  it('is refused when the identity provider has not confirmed it', async () => {
    const { owner, connectionId } = await organisationWith({ ...provisioning(), linking: 'automatic' })
    const user = await service().given.user(owner)
    asUser({ email: user.email, email_verified: false })
    const { status, body } = await signInBy(service(), provider, connectionId)

    expect([status, body.includes('did not confirm an e-mail address')]).toEqual([403, true])
  })
})

describe('a signed-in user', () => {
  const link = async (user: SignedInUser, connectionId: string, visitor = new PageVisitor(service().origin, user.cookie)) => {
    const { status, body } = await user.post('/v1/me/identities', { connectionId, returnTo: '/account/profile' })
    expect(status).toBe(200)
    const { pathname, search } = new URL(body.url)
    const started = await visitor.open(pathname + search)
    const location = started.headers.get('location')
    if (started.status !== 303 || !location) return { started, visitor }
    const back = new URL(provider.authorize(new URL(location).searchParams))
    return { started, visitor, path: back.pathname + back.search }
  }

  it('links an account that has no address of theirs, also the owner, and signs in by it from then on', async () => {
    const { owner, connectionId } = await organisationWith()
    asUser({ email: undefined, email_verified: undefined })
    const { visitor, path = '' } = await link(owner, connectionId)
    const linked = await visitor.open(path)
    const again = await signInBy(service(), provider, connectionId)

    expect([linked.status, linked.headers.get('location')]).toEqual([303, '/account/profile'])
    expect((await meOf(service(), again.visitor)).body.id).toBe(owner.id)
    expect(await owner.audit({ action: 'identity.linked' })).toMatchObject([{ actorId: owner.id }])
  })

  it('cannot link an account that is another user’s', async () => {
    const { owner, connectionId } = await organisationWith(provisioning())
    asUser()
    await signInBy(service(), provider, connectionId)
    const { visitor, path = '' } = await link(owner, connectionId)

    expect(await visitor.open(path)).toMatchObject({ status: 409, body: expect.stringContaining('linked to another user') })
  })

  it('links nothing in the browser of another, after signing out, or after ten minutes', async () => {
    const { owner, connectionId } = await organisationWith()
    const other = await service().given.signIn((await service().given.user(owner)).email)
    asUser()
    const elsewhere = await link(owner, connectionId, new PageVisitor(service().origin, other.cookie))
    expect(elsewhere.started.status).toBe(400)

    const user = await service().given.signIn(owner.email)
    const { visitor, path = '' } = await link(user, connectionId)
    await user.post('/v1/auth/logout')
    expect((await visitor.open(path)).status).toBe(400)

    const { body } = await owner.post('/v1/me/identities', { connectionId })
    service().clock.advance({ minutes: 10 })
    const { pathname, search } = new URL(body.url)
    expect((await new PageVisitor(service().origin, owner.cookie).open(pathname + search)).status).toBe(400)
    expect(await owner.audit({ action: 'identity.linked' })).toHaveLength(0)
  })

  it('needs a recent sign-in, and a connection of the own organisation', async () => {
    const { owner, connectionId } = await organisationWith()
    const elsewhere = await organisationWith()
    expect(await owner.post('/v1/me/identities', { connectionId: elsewhere.connectionId })).toMatchObject({ status: 404 })
    await elsewhere.owner.patch(`/v1/admin/connections/${elsewhere.connectionId}`, { isActive: false })
    expect(await owner.post('/v1/me/identities', { connectionId: elsewhere.connectionId })).toMatchObject({ status: 404 })
    service().clock.advance({ minutes: 16 })
    expect(await owner.post('/v1/me/identities', { connectionId })).toMatchObject({
      status: 403,
      body: { code: 'recent-sign-in-required' },
    })
  })
})

describe('how an address can sign in', () => {
  const identify = async (email: string, clientId?: string) =>
    (await service().anonymous.post('/v1/auth/identify', { email, clientId })).body

  it('is decided by its domain, the same for an account and for none', async () => {
    const { owner, connectionId } = await organisationWith()
    const added = await verifiedDomain(service(), owner, { connectionId, sso: 'offered' })
    const user = await service().given.user(owner, { email: `ada@${added.domain}` })
    const startUrl = (email: string) =>
      `http://gatehouse.test/federation/${connectionId}/start?${new URLSearchParams({ login_hint: email })}`
    const offered = (email: string) => ({
      password: true,
      passkey: true,
      emailCode: false,
      connections: [{ id: connectionId, name: 'Workforce', provider: 'oidc', startUrl: startUrl(email) }],
      required: false,
    })

    expect(await identify(user.email)).toEqual(offered(user.email))
    expect(await identify(`nobody@${added.domain}`)).toEqual(offered(`nobody@${added.domain}`))
    await owner.patch(`/v1/admin/domains/${added.id}`, { sso: 'required' })
    expect(await identify(user.email)).toMatchObject({
      password: false,
      passkey: false,
      required: true,
      connections: [{ id: connectionId }],
    })
    await owner.patch(`/v1/admin/domains/${added.id}`, { sso: 'off' })
    expect(await identify(user.email)).toMatchObject({ password: true, required: false, connections: [] })
  })

  it('has the connections of the application’s organisation, but those that are switched off', async () => {
    const { id, owner, connectionId } = await organisationWith()
    await connect(service(), { id }, provider, { isActive: false })
    const fields = { name: 'Planner', clientType: 'public', redirectUris: ['https://app.test/callback'] }
    const client = (await owner.post('/v1/admin/clients', fields)).body

    expect((await identify('ada@unknown.test', client.clientId)).connections).toMatchObject([{ id: connectionId }])
    expect((await identify('ada@unknown.test')).connections).toEqual([])
    expect((await identify('ada@unknown.test', 'cli_unknown')).connections).toEqual([])
  })

  it('has no connection of the application besides the one that the domain requires', async () => {
    const { id, owner, connectionId } = await organisationWith()
    const other = await connect(service(), { id }, provider)
    const domain = await verifiedDomain(service(), owner, { connectionId, sso: 'offered' })
    const fields = { name: 'Planner', clientType: 'public', redirectUris: ['https://app.test/callback'] }
    const { clientId } = (await owner.post('/v1/admin/clients', fields)).body
    const offered = async () =>
      (await identify(`ada@${domain.domain}`, clientId)).connections.map((connection: { id: string }) => connection.id)

    expect(await offered()).toEqual([connectionId, other])
    await owner.patch(`/v1/admin/domains/${domain.id}`, { sso: 'required' })
    expect(await offered()).toEqual([connectionId])
  })

  it('knows only organisations on trial or active', async () => {
    const { id, owner, connectionId } = await organisationWith()
    const { domain } = await verifiedDomain(service(), owner, { connectionId, sso: 'required' })
    const fields = { name: 'Planner', clientType: 'public', redirectUris: ['https://app.test/callback'] }
    const { clientId } = (await owner.post('/v1/admin/clients', fields)).body
    const answers = async () => [await identify(`ada@${domain}`), await identify('ada@unknown.test', clientId)]
    expect(await answers()).toMatchObject([{ required: true }, { connections: [{ id: connectionId }] }])

    const ofNone = await identify('ada@unknown.test')
    for (const status of ['suspended', 'cancelled'] as const) {
      const deletedAt = status === 'cancelled' ? new Date() : null
      await service().database.tenant(id).updateTable('organisations').set({ status, deletedAt }).execute()
      expect(await answers()).toEqual([ofNone, ofNone])
    }
  })

  it('is asked 60 times in five minutes from an address, by a counter of its own', async () => {
    const { connectionId } = await organisationWith()
    const limit = service().services.limits.identificationsByAddress
    const address = new URL(service().origin).hostname
    await limit.forget(address)
    const ask = () => service().anonymous.post('/v1/auth/identify', { email: 'ada@unknown.test' })
    for (let asked = 0; asked < 60; asked++) expect((await ask()).status).toBe(200)

    expect(await ask()).toMatchObject({ status: 429, body: { code: 'too-many-identifications' } })
    await forgetStarts(service())
    expect((await new PageVisitor(service().origin).open(`/federation/${connectionId}/start`)).status).not.toBe(429)
    await limit.forget(address)
  })
})

describe('an account whose address is unproven', () => {
  it('is taken over by the assigned domain, and nothing that was set up before survives', async () => {
    const { id, owner, connectionId } = await organisationWith()
    const { domain } = await verifiedDomain(service(), owner, { connectionId })
    const user = await service().given.user(owner, { email: `ada@${domain}` })
    const earlier = await service().given.signIn(user.email)
    await enrolAuthenticator(earlier, service().clock)
    await registerPasskey(earlier, new PasskeyDevice())
    asUser({ email: user.email })
    const { status, visitor } = await signInBy(service(), provider, connectionId)

    expect(status).toBe(303)
    expect((await meOf(service(), visitor)).body).toMatchObject({ id: user.id, emailVerified: true, mfaEnabled: false })
    expect((await earlier.get('/v1/me/profile')).status).toBe(401)
    const left = { email: user.email, password: 'correct horse battery' }
    expect((await service().anonymous.post('/v1/auth/login', left)).status).toBe(401)
    expect(await service().database.tenant(id).selectFrom('passkeys').select('id').execute()).toEqual([])
    expect(await owner.audit({ action: 'passkey.deleted' })).toHaveLength(1)
  })

  it('is taken over, too, where a confirmation would need a sign-in that the domain does not allow', async () => {
    const { owner, connectionId } = await organisationWith({ linking: 'confirm' })
    const { domain, id } = await verifiedDomain(service(), owner, { connectionId, sso: 'required' })
    const [bound, passing] = [
      await service().given.user(owner, { email: `ada@${domain}` }),
      await service().given.user(owner, { email: `grace@${domain}` }),
    ]
    await owner.patch(`/v1/admin/domains/${id}`, { sso: 'offered' })
    await enrolAuthenticator(await service().given.signIn(passing.email), service().clock)
    await owner.patch(`/v1/admin/domains/${id}`, { sso: 'required', bypassUserIds: [passing.id] })

    asUser({ email: bound.email })
    const { status, headers, visitor } = await signInBy(service(), provider, connectionId)
    expect([status, headers.get('location')]).toEqual([303, '/account'])
    expect((await meOf(service(), visitor)).body.id).toBe(bound.id)
    asUser({ email: passing.email })
    expect((await signInBy(service(), provider, connectionId)).headers.get('location')).toBe('/link')
    expect(await owner.audit({ action: 'identity.linked' })).toHaveLength(1)
  })

  it('keeps what its user has set up who has proven it', async () => {
    const { id, owner, connectionId } = await organisationWith()
    const { domain } = await verifiedDomain(service(), owner, { connectionId })
    const user = await service().given.user(owner, { email: `ada@${domain}` })
    const proven = service().database.tenant(id).updateTable('users').set({ emailVerifiedAt: new Date() }).where('id', '=', user.id)
    await proven.execute()
    const earlier = await service().given.signIn(user.email)
    asUser({ email: user.email })

    expect((await signInBy(service(), provider, connectionId)).headers.get('location')).toBe('/account')
    expect((await earlier.get('/v1/me/profile')).status).toBe(200)
  })
})

describe('a verified domain', () => {
  it('lets its addresses in, and proves them where the connection trusts it', async () => {
    const configured = (emailTrust: string) => JSON.stringify({ issuer: provider.issuer, clientId: 'gatehouse', emailTrust })
    const organisation = await service().given.organisation()
    const connectionId = await connect(service(), organisation, provider, {
      provisioning: 'jit',
      configuration: configured('verified_domain'),
    })
    asUser({ email: `ada@${unique()}.test`, email_verified: true })
    expect((await signInBy(service(), provider, connectionId)).status).toBe(403)
    const { domain } = await verifiedDomain(service(), organisation.owner, {})
    asUser({ email: `ada@${domain}`, email_verified: false })

    expect((await signInBy(service(), provider, connectionId)).status).toBe(303)
  })
})

describe('a new address', () => {
  it('gets no account where no user is created, or its domain is not allowed', async () => {
    const { owner, connectionId } = await organisationWith()
    const before = (await usersOf(owner)).total
    asUser()
    expect(await signInBy(service(), provider, connectionId)).toMatchObject({
      status: 403,
      body: expect.stringContaining('You have no account here'),
    })
    const narrow = await connect(service(), { id: (await owner.get('/v1/admin/organisation')).body.id }, provider, {
      provisioning: 'jit',
      configuration: configuration({ allowedDomains: ['other.test'] }),
    })
    expect(await signInBy(service(), provider, narrow)).toMatchObject({ status: 403 })
    expect((await usersOf(owner)).total).toBe(before)
  })

  it('accepts its invitation, with the role and the teams', async () => {
    const { owner, connectionId } = await organisationWith()
    const role = await service().given.role(owner)
    const team = await owner.post('/v1/admin/teams', { name: 'Europe', slug: `europe-${unique()}` })
    const { email } = asUser()
    const invited = await owner.post('/v1/admin/invitations', { email, roleId: role.id, teamIds: [team.body.id] })
    expect(invited.status).toBe(201)
    const { visitor } = await signInBy(service(), provider, connectionId)
    const { id } = (await meOf(service(), visitor)).body

    expect((await owner.get(`/v1/admin/users/${id}`)).body).toMatchObject({ roles: [{ id: role.id }], teams: [{ id: team.body.id }] })
    expect(await owner.audit({ action: 'invitation.accepted' })).toHaveLength(1)
  })
})

describe('names and the phone number', () => {
  it('come from the claims that the mapping names, at the first sign-in, and at every one where the connection says so', async () => {
    const mapping = JSON.stringify({ firstName: '/profile/first', phone: 'phone_number' })
    for (const [syncOn, phone] of [
      ['creation', '+44 20 7946 0000'],
      ['every_sign_in', '+44 20 7946 0001'],
    ] as const) {
      const { owner, connectionId } = await organisationWith({ ...provisioning(), mapping, syncOn })
      const claims = asUser({ profile: { first: 'Ada' }, family_name: 'Lovelace', phone_number: '+44 20 7946 0000' })
      const { visitor } = await signInBy(service(), provider, connectionId)
      const { id } = (await meOf(service(), visitor)).body
      const shown = async () => (await owner.get(`/v1/admin/users/${id}`)).body
      expect(await shown()).toMatchObject({ firstName: 'Ada', lastName: 'Lovelace', phone: '+44 20 7946 0000' })

      // What the provider no longer gives stays.
      provider.behaviour.user = { ...claims, family_name: undefined, phone_number: '+44 20 7946 0001' }
      await signInBy(service(), provider, connectionId)
      expect(await shown()).toMatchObject({ lastName: 'Lovelace', phone })
      provider.behaviour.user = { ...claims, phone_number: undefined }
      await signInBy(service(), provider, connectionId)
      expect(await shown()).toMatchObject({ phone })
    }
  })

  it('have no phone number where the mapping names no claim', async () => {
    const { owner, connectionId } = await organisationWith(provisioning())
    asUser({ phone_number: '+44 20 7946 0000' })
    const { visitor } = await signInBy(service(), provider, connectionId)
    const { id } = (await meOf(service(), visitor)).body
    expect((await owner.get(`/v1/admin/users/${id}`)).body.phone).toBeNull()
  })
})

describe('the claims that are stored with an account', () => {
  it('may have several lines, and are none with characters that nothing stored has', async () => {
    const { id, connectionId } = await organisationWith(provisioning())
    const stored = () => service().database.tenant(id).selectFrom('identities').select('claims').execute()
    const user = asUser({ address: { formatted: 'Downing Street 10\r\nLondon' } })
    expect((await signInBy(service(), provider, connectionId)).status).toBe(303)
    expect(await stored()).toMatchObject([{ claims: { address: { formatted: 'Downing Street 10\r\nLondon' } } }])

    provider.behaviour.user = { ...user, address: { formatted: 'London\u009b31m' } }
    expect((await signInBy(service(), provider, connectionId)).status).toBe(303)
    expect(await stored()).toEqual([{ claims: { sub: user.sub } }])
  })
})

describe('roles and teams', () => {
  it('follow the claims at every sign-in, and nothing that was given by hand', async () => {
    const organisation = await service().given.organisation()
    const { owner } = organisation
    const [mapped, manual] = [await service().given.role(owner), await service().given.role(owner)]
    const team = (await owner.post('/v1/admin/teams', { name: 'Europe', slug: `europe-${unique()}` })).body
    const connectionId = await connect(service(), organisation, provider, {
      ...provisioning(),
      syncOn: 'every_sign_in',
      roleMappings: JSON.stringify([{ claim: 'groups', value: 'support', roleId: mapped.id }]),
      teamMappings: JSON.stringify([{ claim: '/realm/teams', value: 'eu', teamId: team.id }]),
    })
    const user = asUser({ groups: ['support', 'other'], realm: { teams: ['eu'] }, given_name: 'Ada' })
    const { visitor } = await signInBy(service(), provider, connectionId)
    const { id } = (await meOf(service(), visitor)).body
    const shown = async () => (await owner.get(`/v1/admin/users/${id}`)).body
    expect(await shown()).toMatchObject({ roles: [{ id: mapped.id }], teams: [{ id: team.id }] })

    await owner.post(`/v1/admin/users/${id}/roles`, { roleId: manual.id })
    provider.behaviour.user = { ...user, groups: [], realm: {}, given_name: 'Augusta' }
    await signInBy(service(), provider, connectionId)
    expect(await shown()).toMatchObject({ firstName: 'Augusta', roles: [{ id: manual.id }], teams: [] })
  })

  it.each(['none', 'one'])(
    'are those of the mappings that are left, or else the default one, as the test page says: %s is left',
    async (which) => {
      const organisation = await service().given.organisation()
      const { owner } = organisation
      const [gone, left] = [await service().given.role(owner), await service().given.role(owner)]
      const standard = await service().given.role(owner, { isDefault: true })
      const mappings = [gone, ...(which === 'one' ? [left] : [])].map(({ id }) => ({ claim: 'groups', value: 'support', roleId: id }))
      const connectionId = await connect(service(), organisation, provider, { ...provisioning(), roleMappings: JSON.stringify(mappings) })
      await owner.delete(`/v1/admin/roles/${gone.id}`)
      const expected = which === 'one' ? left : standard

      asUser({ groups: ['support'] })
      const { body: test } = await owner.post(`/v1/admin/connections/${connectionId}/test`)
      const tester = new PageVisitor(service().origin, owner.cookie)
      const { pathname } = new URL(test.url)
      const departed = await tester.open(pathname)
      const back = new URL(provider.authorize(new URL(departed.headers.get('location') ?? '').searchParams))
      await tester.open(back.pathname + back.search)
      expect((await tester.open(pathname)).body).toContain(expected.name)

      const { visitor } = await signInBy(service(), provider, connectionId)
      const { id } = (await meOf(service(), visitor)).body
      expect((await owner.get(`/v1/admin/users/${id}`)).body.roles).toMatchObject([{ id: expected.id }])
    },
  )

  it('come from where the mapping says that the groups are', async () => {
    const organisation = await service().given.organisation()
    const { owner } = organisation
    const [mapped, other] = [await service().given.role(owner), await service().given.role(owner)]
    const team = (await owner.post('/v1/admin/teams', { name: 'Europe', slug: `europe-${unique()}` })).body
    const connectionId = await connect(service(), organisation, provider, {
      ...provisioning(),
      mapping: JSON.stringify({ groups: '/realm_access/roles' }),
      roleMappings: JSON.stringify([
        { claim: 'groups', value: 'support', roleId: mapped.id },
        { claim: 'groups', value: 'elsewhere', roleId: other.id },
      ]),
      teamMappings: JSON.stringify([{ claim: 'groups', value: 'eu', teamId: team.id }]),
    })
    const user = asUser({ groups: ['elsewhere'], realm_access: { roles: ['support', 'eu'] } })
    const { visitor } = await signInBy(service(), provider, connectionId)
    const { id } = (await meOf(service(), visitor)).body
    expect((await owner.get(`/v1/admin/users/${id}`)).body).toMatchObject({ roles: [{ id: mapped.id }], teams: [{ id: team.id }] })

    provider.behaviour.user = { ...user, _claim_names: { groups: 'src1' } }
    expect(await signInBy(service(), provider, connectionId)).toMatchObject({ status: 303 })
    provider.behaviour.user = { ...user, realm_access: { roles: Array.from({ length: 1_001 }, (_role, number) => `role ${number}`) } }
    await signInBy(service(), provider, connectionId)
    const { body } = await owner.get(`/v1/admin/connections/${connectionId}`)
    expect(body.status.groupsCutSince).toEqual(expect.any(String))
  })

  it.each([
    ['groups', {}],
    ['/groups', {}],
    ['groups', { groups: '/groups' }],
  ])('are refused, not taken away, when the groups did not come because there are too many: %s, %o', async (claim, mapping) => {
    const organisation = await service().given.organisation()
    const role = await service().given.role(organisation.owner)
    const connectionId = await connect(service(), organisation, provider, {
      ...provisioning(),
      mapping: JSON.stringify(mapping),
      roleMappings: JSON.stringify([{ claim, value: 'support', roleId: role.id }]),
    })
    asUser({ _claim_names: { groups: 'src1' }, _claim_sources: { src1: { endpoint: 'https://graph.example' } } })

    expect(await signInBy(service(), provider, connectionId)).toMatchObject({ status: 400 })
  })
})

describe('a connection that cannot be used', () => {
  it('begins and completes nothing', async () => {
    const { id, owner, connectionId } = await organisationWith(provisioning())
    asUser()
    const visitor = new PageVisitor(service().origin)
    const path = await callbackPath(provider, connectionId, visitor)
    await service().database.tenant(id).updateTable('connections').set({ isActive: false }).where('id', '=', connectionId).execute()

    expect(await visitor.open(path)).toMatchObject({ status: 403 })
    expect(await visitor.open(`/federation/${connectionId}/start`)).toMatchObject({ status: 403 })
    expect(await visitor.open('/federation/con_unknown/start')).toMatchObject({ status: 404 })
    expect(await owner.audit({ action: 'login.success' })).toHaveLength(1)
  })

  it('signs no user in who is blocked, or whose organisation is suspended', async () => {
    const { id, owner, connectionId } = await organisationWith(provisioning())
    asUser()
    const { visitor } = await signInBy(service(), provider, connectionId)
    const user = (await meOf(service(), visitor)).body
    const path = await callbackPath(provider, connectionId, visitor)
    await owner.patch(`/v1/admin/users/${user.id}`, { blockedAt: '2026-01-31T09:30:00Z' })
    expect(await visitor.open(path)).toMatchObject({ status: 403, body: expect.stringContaining('This account is blocked') })

    expect(await owner.audit({ action: 'login.failed' })).toMatchObject([
      { targetId: user.id, actorId: null, metadata: { reason: 'User is blocked', connectionId } },
    ])

    await owner.patch(`/v1/admin/users/${user.id}`, { blockedAt: null })
    const later = await callbackPath(provider, connectionId, visitor)
    await service().operator.patch(`/v1/system/organisations/${id}/suspend`, { reason: 'Payment overdue' })
    expect(await visitor.open(later)).toMatchObject({ status: 403 })
  })
})

describe('a refusal of the identity provider', () => {
  it('shows a page with a reference under which an administrator finds every check', async () => {
    const { owner, connectionId } = await organisationWith(provisioning())
    asUser()
    provider.behaviour.claims = (claims) => ({ ...claims, nonce: 'of another sign-in' })
    const { status, body } = await signInBy(service(), provider, connectionId)
    const diagnostic = await owner.get(`/v1/admin/diagnostics/${referenceIn(body)}`)

    expect(status).toBe(400)
    expect(diagnostic.body).toMatchObject({
      endpoint: 'federation',
      connectionId,
      clientId: null,
      error: 'identity-provider-refused',
      check: 'nonce',
    })
    expect(diagnostic.body.checks).toContainEqual({
      code: 'iss',
      name: 'iss',
      expected: provider.issuer,
      received: provider.issuer,
      phrases: { expected: null, received: null },
      passed: true,
    })
    expect(diagnostic.body.checks).toContainEqual(expect.objectContaining({ name: 'nonce', received: 'of a…', passed: false }))
    expect(diagnostic.body.checks).toContainEqual(
      expect.objectContaining({
        code: 'exp',
        phrases: { expected: { phrase: 'after', values: [expect.stringMatching(/^\d{4}-/)] }, received: null },
      }),
    )
    const of = async (id: string) => (await owner.get(`/v1/admin/diagnostics?connectionId=${id}`)).body.data
    expect(await of(connectionId)).toEqual([diagnostic.body])
    expect(await of('con_another')).toEqual([])
  })

  it('shows the same for who is refused by us', async () => {
    const { owner, connectionId } = await organisationWith()
    asUser()
    const { body } = await signInBy(service(), provider, connectionId)
    const { body: diagnostic } = await owner.get(`/v1/admin/diagnostics/${referenceIn(body)}`)

    // No user whom the organisation knows has failed to sign in.
    expect(await owner.audit({ action: 'login.failed' })).toEqual([])
    expect(diagnostic).toMatchObject({ error: 'no-account-here', check: 'user' })
    expect(diagnostic.checks.filter(({ passed }: { passed: boolean }) => !passed)).toHaveLength(1)
  })

  it('is shown when it cannot be reached, and is over as soon as it can', async () => {
    const { id, connectionId } = await organisationWith(provisioning())
    const state = async () => {
      const found = await service()
        .database.tenant(id)
        .selectFrom('connections')
        .selectAll()
        .where('id', '=', connectionId)
        .executeTakeFirstOrThrow()
      return { failures: found.failures, isFailing: found.failingSince !== null, lastError: found.lastError }
    }
    asUser()
    provider.behaviour.secrets = ['another']
    for (let attempt = 0; attempt < 3; attempt++) await signInBy(service(), provider, connectionId)
    expect(await state()).toEqual({ failures: 3, isFailing: true, lastError: expect.stringContaining('invalid_client') })

    provider.behaviour.secrets = ['secret']
    await signInBy(service(), provider, connectionId)
    expect(await state()).toEqual({ failures: 0, isFailing: false, lastError: null })
  })

  it('does not count as a failure of the connection when the browser caused it', async () => {
    const { id, connectionId } = await organisationWith(provisioning())
    asUser()
    provider.behaviour.response = ({ state = '' }) => ({ state, error: 'access_denied' })
    for (let attempt = 0; attempt < 3; attempt++) await signInBy(service(), provider, connectionId)

    const found = await service()
      .database.tenant(id)
      .selectFrom('connections')
      .selectAll()
      .where('id', '=', connectionId)
      .executeTakeFirstOrThrow()
    expect(found.failures).toBe(0)
  })

  it('gives a page also when nothing can be begun', async () => {
    const organisation = await service().given.organisation()
    const connectionId = await connect(service(), organisation, { issuer: 'http://127.0.0.1:9' })
    const { status, body } = await new PageVisitor(service().origin).open(`/federation/${connectionId}/start`)
    const diagnostic = await organisation.owner.get(`/v1/admin/diagnostics/${referenceIn(body)}`)

    expect(status).toBe(400)
    expect(diagnostic.body).toMatchObject({ check: 'discovery', connectionId })
  })
})

describe('responses by a form, and addresses that the page of single sign-on is asked about', () => {
  it.each([
    [
      'federationFormsByAddress',
      async (id: string) => fetch(`${service().origin}/federation/${id}/callback`, { method: 'POST', redirect: 'manual' }),
    ],
    ['ssoPagesByAddress', async () => new PageVisitor(service().origin).submit('/login/sso', { email: 'ada@unknown.test' })],
  ] as const)('are limited for an address (%s), above what sign-ins take', async (name, ask) => {
    const limit = service().services.limits[name]
    const address = new URL(service().origin).hostname
    await limit.forget(address)
    // As many as sign-ins may be begun, and as many again.
    for (let counted = 0; counted < 119; counted++) await limit.count(address)
    const { connectionId } = await organisationWith()
    const statuses = [(await ask(connectionId)).status, (await ask(connectionId)).status]
    await limit.forget(address)
    expect(statuses).toEqual([303, 429])
  })
})

describe('starts of sign-ins', () => {
  it('are limited for an address', async () => {
    const { connectionId } = await organisationWith()
    const from = (address: string) =>
      fetch(`${service().origin}/federation/${connectionId}/start`, {
        redirect: 'manual',
        headers: { 'x-forwarded-for': address, 'sec-fetch-site': 'same-origin' },
      })
    const statuses = []
    for (let count = 0; count < 61; count++) statuses.push((await from('203.0.113.77')).status)
    // Other files share the service, and its clock.
    service().clock.advance({ minutes: 5 })

    expect(statuses.filter((status) => status === 303).length).toBeLessThanOrEqual(60)
    expect(statuses.at(-1)).toBe(429)
  })
})
