import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { connect, meOf, signInBy } from '../support/federation.ts'
import { type SignedInUser, unique } from '../support/given.ts'
import { type IdentityProvider, listeningProvider } from '../support/identity-provider.ts'
import { callbackOf, consentPath, givenApplication, pkce } from '../support/oauth.ts'
import { PageVisitor } from '../support/page-visitor.ts'
import { useService } from '../support/service.ts'
import { applicationAndUser, entriesOf, sentToSignIn, wholeSignIn } from '../support/sign-ins.ts'

const service = useService()
const password = 'correct horse battery'

const signInOf = async (caller: SignedInUser, id: string) => (await caller.get(`/v1/admin/sign-ins/${id}`)).body
const kindsOf = (signIn: { steps: { kind: string }[] }) => signIn.steps.map(({ kind }) => kind)
const referenceIn = (text: string) => /([0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{4})/.exec(text)?.[1] ?? ''

describe('a sign-in', () => {
  it('is shown from the request of the application to the end of its session', async () => {
    const { app, user, authenticator } = await applicationAndUser(service())
    const { owner } = app.organisation
    const { visitor, entry, exchanged } = await wholeSignIn(service(), { app, user, authenticator })
    const browser = service().anonymous.with({ cookie: visitor.cookie })
    const { csrfToken } = (await browser.get('/v1/auth/csrf')).body
    await browser.with({ 'x-csrf-token': csrfToken }).post('/v1/auth/logout')

    const signIn = await signInOf(owner, entry.signInId)
    const portal = { id: app.id, name: 'Portal' }
    const session = entry.targetId
    expect(signIn).toMatchObject({
      id: entry.signInId,
      user: { id: user.id, email: user.email },
      client: portal,
      connection: null,
      state: 'ended',
      isComplete: true,
      leftOut: [],
    })
    expect(signIn.steps).toMatchObject([
      { kind: 'begun', at: signIn.begunAt, client: portal },
      { kind: 'failed', reason: 'wrong password', client: portal },
      { kind: 'factor_given', code: 'password' },
      { kind: 'second_factor_asked' },
      { kind: 'factor_given', code: 'totp' },
      { kind: 'signed_in', entryId: entry.id, sessionId: session, client: portal, methods: ['pwd', 'otp', 'mfa'] },
      { kind: 'consent_given', client: portal, scopes: ['openid', 'offline_access'] },
      { kind: 'code_issued', client: portal, sessionId: session, scopes: ['openid', 'offline_access'] },
      { kind: 'tokens_issued', client: portal },
      { kind: 'tokens_refreshed', client: portal },
      { kind: 'signed_out', at: signIn.endedAt, sessionId: session },
    ])
    const times = signIn.steps.map(({ at }: { at: string }) => at)
    expect(times).toEqual(times.toSorted())
    // Every entry of the way leads to it.
    const entries = await entriesOf(owner, `actorId=${user.id}`)
    const ofSignIn = entries.filter(({ signInId }: { signInId: string }) => signInId === signIn.id)
    expect(ofSignIn.map(({ action }: { action: string }) => action)).toEqual(['auth.logout', 'oauth2.consent.granted', 'login.success'])
    expect(JSON.stringify(signIn)).not.toContain(exchanged)
  })

  it('is named by its session, and by what its user does in that session', async () => {
    const { owner } = await service().given.organisation()
    const role = await service().given.role(owner)
    const [entry] = await entriesOf(owner, `action=role.created&targetId=${role.id}`)
    const { body: sessions } = await owner.get(`/v1/admin/users/${owner.id}/sessions`)

    expect(sessions.data).toMatchObject([{ signInId: entry.signInId, current: true }])
    const signIn = await signInOf(owner, entry.signInId)
    expect(signIn).toMatchObject({ state: 'active', endedAt: null, user: { id: owner.id }, client: null })
    // The role is no part of the way in.
    expect(kindsOf(signIn)).toEqual(['begun', 'factor_given', 'signed_in'])
  })

  it('ends when another ends its session, or by itself', async () => {
    const { owner } = await service().given.organisation()
    const { id } = await service().given.user(owner)
    const { email } = (await owner.get(`/v1/admin/users/${id}`)).body
    await service().given.signIn(email)
    await service().given.signIn(email)
    const [second, ended] = (await owner.get(`/v1/admin/users/${id}/sessions`)).body.data
    service().clock.advance({ seconds: 1 })
    await owner.delete(`/v1/admin/users/${id}/sessions/${ended.id}`)

    const byAdministrator = await signInOf(owner, ended.signInId)
    expect(byAdministrator).toMatchObject({ state: 'ended', steps: [{}, {}, {}, { kind: 'session_ended', sessionId: ended.id }] })
    expect(byAdministrator.endedAt).toBe(byAdministrator.steps[3].at)
    service().clock.advance({ seconds: 31 * 60 })
    const again = await service().given.signIn(owner.email)
    const expired = await signInOf(again, second.signInId)
    expect(expired).toMatchObject({ state: 'ended', endedAt: expect.any(String) })
    expect(kindsOf(expired).at(-1)).toBe('session_expired')
  })

  it('has the refusals of its applications', async () => {
    const app = await givenApplication(service(), { requireConsent: true, grantTypes: ['authorization_code', 'refresh_token'] })
    const { owner } = app.organisation
    const [{ signInId }] = (await owner.get(`/v1/admin/users/${owner.id}/sessions`)).body.data
    const { challenge } = pkce()
    const asked = await app.authorize({ code_challenge: challenge, code_challenge_method: 'S256', scope: 'offline_access' })
    const reference = new URL(asked.headers.get('location') ?? '', 'http://x').searchParams.get('request') ?? ''
    const visitor = new PageVisitor(service().origin, owner.cookie)
    await visitor.submit(consentPath(reference), { decision: 'cancel' })
    const denied = callbackOf(await visitor.open(`/oauth2/authorize?request=${reference}`))

    const diagnostic = referenceIn(denied.get('error_description') ?? '')
    expect((await owner.get(`/v1/admin/diagnostics/${diagnostic}`)).body).toMatchObject({ signInId })
    const signIn = await signInOf(owner, signInId)
    // It has come later, in a session that began without it.
    expect(signIn.steps[0]).toMatchObject({ kind: 'begun', client: null })
    expect(signIn.steps).toContainEqual(
      expect.objectContaining({ kind: 'refused', code: 'access_denied', reference: diagnostic, client: { id: app.id, name: 'Portal' } }),
    )
  })

  it('has the end of tokens that were presented twice', async () => {
    const app = await givenApplication(service(), { grantTypes: ['authorization_code', 'refresh_token'] })
    const { owner } = app.organisation
    const { refresh_token: token } = await app.signIn({ scope: 'openid offline_access' })
    await app.refresh(token)
    service().clock.advance({ seconds: 1 })
    const refused = await app.refresh(token)

    const [entry] = await entriesOf(owner, 'action=oauth2.token.revoked')
    const signIn = await signInOf(owner, entry.signInId)
    expect(signIn.steps.slice(-2)).toMatchObject([
      { kind: 'tokens_ended', reason: 'refresh token used twice', client: { id: app.id }, entryId: entry.id },
      { kind: 'refused', code: 'invalid_grant', reference: referenceIn(refused.body.error_description) },
    ])
    // Once: the family that ended then is that of the entry.
    expect(kindsOf(signIn).filter((kind) => kind === 'tokens_ended')).toHaveLength(1)
  })

  it('leaves out what its reader may not see', async () => {
    const app = await givenApplication(service(), { grantTypes: ['authorization_code', 'refresh_token'] })
    const { owner } = app.organisation
    await app.signIn({ scope: 'openid offline_access' })
    const auditor = await service().given.userWith(owner, ['audit:read'])
    const [{ signInId }] = await entriesOf(owner, `action=login.success&actorId=${owner.id}`)

    const signIn = await signInOf(auditor, signInId)
    expect(kindsOf(signIn)).toEqual(['begun', 'signed_in'])
    expect(signIn).toMatchObject({ state: 'unknown', leftOut: ['users:read', 'clients:read'] })
  })

  it('is unknown to other organisations, and without anything that is part of it', async () => {
    const { owner } = await service().given.organisation()
    const other = await service().given.organisation()
    const [{ signInId }] = await entriesOf(owner, `action=login.success&actorId=${owner.id}`)

    expect(await other.owner.get(`/v1/admin/sign-ins/${signInId}`)).toMatchObject({ status: 404, body: { code: 'sign-in-not-found' } })
    expect(await owner.get('/v1/admin/sign-ins/sgn_01kahm3z9n4v7f2t8q6w5r1y0x')).toMatchObject({ status: 404 })
    expect(await owner.get('/v1/admin/sign-ins/nothing')).toMatchObject({ status: 404 })
  })

  it('names the waiting application to its own organisation alone', async () => {
    const app = await givenApplication(service())
    const { owner } = await service().given.organisation()
    const { visitor, login } = await sentToSignIn(service(), app, 'openid')
    await visitor.submit(login, { email: owner.email, password })

    const [entry] = await entriesOf(owner, `action=login.success&actorId=${owner.id}&limit=1`)
    expect(entry.metadata).not.toHaveProperty('clientId')
    expect(await signInOf(owner, entry.signInId)).toMatchObject({ client: null })
  })
})

describe('a sign-in by a connection', () => {
  let provider: IdentityProvider & { close(): Promise<void> }
  beforeAll(async () => {
    provider = await listeningProvider({ now: () => service().clock.now() })
  })
  afterAll(() => provider.close())
  beforeEach(() => {
    provider.behaviour.user = { sub: `sub-${unique()}`, email: `ada-${unique()}@example.test`, email_verified: true }
  })
  const configuration = (more: object) =>
    JSON.stringify({ issuer: provider.issuer, clientId: 'gatehouse', emailTrust: 'verified_claim', ...more })

  it('says by which, and what was made of it', async () => {
    const organisation = await service().given.organisation()
    const { owner } = organisation
    const app = await givenApplication(service(), { organisation })
    const connectionId = await connect(service(), organisation, provider, {
      provisioning: 'jit',
      configuration: configuration({ allowedDomains: ['example.test'] }),
    })
    const { returnTo } = await sentToSignIn(service(), app, 'openid')
    const { visitor } = await signInBy(service(), provider, connectionId, { returnTo })
    const me = await meOf(service(), visitor)

    const [{ signInId, targetId }] = await entriesOf(owner, `action=login.success&actorId=${me.body.id}`)
    const signIn = await signInOf(owner, signInId)
    const connection = expect.objectContaining({ id: connectionId, name: expect.any(String) })
    expect(signIn).toMatchObject({ connection, user: { id: me.body.id }, state: 'active' })
    expect(signIn.steps).toMatchObject([
      { kind: 'begun', client: { id: app.id } },
      { kind: 'account_created' },
      { kind: 'account_linked', connection },
      { kind: 'factor_given', code: 'federated', connection },
      { kind: 'signed_in', connection, sessionId: targetId },
    ])
  })

  it('that is refused has its checks and its reference', async () => {
    const organisation = await service().given.organisation()
    const connectionId = await connect(service(), organisation, provider)
    const refused = await signInBy(service(), provider, connectionId)

    const reference = referenceIn(refused.body)
    const { body: diagnostic } = await organisation.owner.get(`/v1/admin/diagnostics/${reference}`)
    const signIn = await signInOf(organisation.owner, diagnostic.signInId)
    expect(signIn).toMatchObject({ state: 'not_signed_in', user: null, connection: { id: connectionId } })
    expect(signIn.steps).toMatchObject([{ kind: 'begun' }, { kind: 'refused', reference, checks: diagnostic.checks }])
    expect(diagnostic.checks.length).toBeGreaterThan(3)
  })
})
