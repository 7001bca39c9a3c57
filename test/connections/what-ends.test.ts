import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enrolAuthenticator } from '../support/authenticator.ts'
import { callbackPath, clientOf, connect, meOf, signInBy, userByConnection } from '../support/federation.ts'
import { type IdentityProvider, listeningProvider } from '../support/identity-provider.ts'
import { PageVisitor } from '../support/page-visitor.ts'
import { useService } from '../support/service.ts'

const service = useService({ ofItsOwn: true, environment: { RATE_LIMIT: 'off' } })
const offline = { scope: 'openid offline_access' }
const invalidGrant = { status: 400, body: { error: 'invalid_grant' } }

let provider: IdentityProvider & { close(): Promise<void> }
beforeAll(async () => {
  provider = await listeningProvider({ now: () => service().clock.now() })
})
afterAll(() => provider.close())

describe('sessionMaxAgeSeconds', () => {
  it('bounds what applications hold, however often it is refreshed', async () => {
    const { application, browser, connectionId } = await userByConnection(service(), provider, { sessionMaxAgeSeconds: 600 })
    const began = service().clock.now().getTime() / 1_000
    let { refresh_token: token } = await application.signIn(offline, browser)
    expect((await application.introspect(token)).body.exp).toBeLessThanOrEqual(began + 600)
    service().clock.advance({ seconds: 500 })
    const refreshed = await application.refresh(token)
    expect(refreshed).toMatchObject({ status: 200 })
    token = refreshed.body.refresh_token
    expect((await application.introspect(token)).body.exp).toBeLessThanOrEqual(began + 600)

    // What was agreed at the sign-in is what holds.
    await service()
      .database.tenant(application.organisation.id)
      .updateTable('connections')
      .set({ sessionMaxAgeSeconds: null })
      .where('id', '=', connectionId)
      .execute()
    service().clock.advance({ seconds: 101 })

    expect((await application.introspect(token)).body).toEqual({ active: false })
    expect(await application.refresh(token)).toMatchObject(invalidGrant)
  })

  it('lets a code that is redeemed after it earn no refresh token', async () => {
    const { application, browser } = await userByConnection(service(), provider, { sessionMaxAgeSeconds: 30 })
    const { code, verifier } = await application.code(offline, browser)
    service().clock.advance({ seconds: 31 })
    const { status, body } = await application.redeem(code, verifier)
    expect([status, body.refresh_token]).toEqual([200, undefined])
  })

  it('bounds nothing that came another way', async () => {
    const { application } = await userByConnection(service(), provider, { sessionMaxAgeSeconds: 30 })
    const { refresh_token: token } = await application.signIn(offline)
    service().clock.advance({ seconds: 31 })
    expect(await application.refresh(token)).toMatchObject({ status: 200 })
  })
})

/** A user who has come by a connection and by another one, and the owner, each with what an application holds for them. */
async function threeFamilies() {
  const user = await userByConnection(service(), provider)
  const { application, organisation, connectionId } = user
  const other = await userByConnection(service(), provider, { application })
  return {
    ...user,
    path: `/v1/admin/connections/${connectionId}`,
    code: await application.code(offline, user.browser),
    tokens: await application.signIn(offline, user.browser),
    stays: [await application.signIn(offline, other.browser), await application.signIn(offline, organisation.owner)],
    other,
  }
}

type Families = Awaited<ReturnType<typeof threeFamilies>>

async function expectEnded({ application, visitor, code, tokens, stays, other }: Families) {
  expect(await meOf(service(), visitor)).toMatchObject({ status: 401 })
  expect((await application.introspect(tokens.access_token)).body).toEqual({ active: false })
  expect(await application.refresh(tokens.refresh_token)).toMatchObject(invalidGrant)
  expect(await application.redeem(code.code, code.verifier)).toMatchObject(invalidGrant)
  expect(await meOf(service(), other.visitor)).toMatchObject({ status: 200 })
  for (const { refresh_token: token } of stays) expect(await application.refresh(token)).toMatchObject({ status: 200 })
}

describe('what applications hold by a connection', () => {
  it('ends with its sessions when it is deactivated so, and not otherwise', async () => {
    const families = await threeFamilies()
    const { organisation, application, path, tokens } = families
    await organisation.owner.patch(path, { isActive: false })
    const refreshed = await application.refresh(tokens.refresh_token)
    expect(refreshed).toMatchObject({ status: 200 })

    await organisation.owner.patch(path, { isActive: false, endSessions: true })

    await expectEnded({ ...families, tokens: refreshed.body })
  })

  it('ends when it is deleted, also where the session is long gone', async () => {
    const families = await threeFamilies()
    const { organisation, path, connectionId } = families
    await service().database.tenant(organisation.id).deleteFrom('sessions').where('connectionId', '=', connectionId).execute()

    expect(await organisation.owner.delete(path)).toMatchObject({ status: 204 })

    await expectEnded(families)
  })

  it('ends when an administrator unlinks the account', async () => {
    const families = await threeFamilies()
    const { organisation, browser } = families
    const { body: me } = await browser.get('/v1/me/profile')
    const { body: identities } = await browser.get('/v1/me/identities')

    const unlinked = await organisation.owner.delete(`/v1/admin/users/${me.id}/identities/${identities.data[0].id}`)

    expect(unlinked).toMatchObject({ status: 204 })
    await expectEnded(families)
  })

  it('ends when the user unlinks it, but for what hangs on the session of the request', async () => {
    const { application, organisation, connectionId, visitor, browser: other } = await userByConnection(service(), provider)
    const elsewhere = await application.signIn(offline, other)
    provider.behaviour.user = { ...provider.behaviour.user, auth_time: Math.floor(service().clock.now().getTime() / 1_000) }
    const recent = await signInBy(service(), provider, connectionId)
    const browser = await clientOf(service(), recent.visitor)
    const here = await application.signIn(offline, browser)
    const { body: me } = await browser.get('/v1/me/profile')
    const { body: identities } = await browser.get('/v1/me/identities')
    const another = await connect(service(), organisation, provider)
    const tenant = service().database.tenant(organisation.id)
    await tenant
      .insertInto('identities')
      .values({ id: `idn_${another}`, connectionId: another, subject: 'x', userId: me.id, email: null, createdAt: tenant.now })
      .execute()

    expect(await browser.delete(`/v1/me/identities/${identities.data[0].id}`)).toMatchObject({ status: 204 })

    expect(await meOf(service(), visitor)).toMatchObject({ status: 401 })
    expect(await application.refresh(elsewhere.refresh_token)).toMatchObject(invalidGrant)
    expect(await browser.get('/v1/me/profile')).toMatchObject({ status: 200 })
    expect(await application.refresh(here.refresh_token)).toMatchObject({ status: 200 })
  })
})

describe('a sign-in by a connection that waits for a second factor', () => {
  it.each(['deactivated', 'deactivated with its sessions', 'deleted'])('is completed no more when the connection is %s', async (how) => {
    const { organisation, connectionId, browser } = await userByConnection(service(), provider)
    const { authenticator } = await enrolAuthenticator(browser, service().clock)
    const { visitor } = await signInBy(service(), provider, connectionId)
    const path = `/v1/admin/connections/${connectionId}`
    if (how === 'deleted') await organisation.owner.delete(path)
    else await organisation.owner.patch(path, { isActive: false, ...(how !== 'deactivated' && { endSessions: true }) })

    const answered = await visitor.submit('/login/mfa', { code: authenticator.nextCode() })

    expect(answered.status).toBeLessThan(500)
    expect(await meOf(service(), visitor)).toMatchObject({ status: 401 })
  })
})

describe('a callback', () => {
  it('shows a page when the organisation has been suspended since', async () => {
    const { organisation, connectionId } = await userByConnection(service(), provider)
    const visitor = new PageVisitor(service().origin)
    const back = await callbackPath(provider, connectionId, visitor)
    await service().database.system().updateTable('organisations').set({ status: 'suspended' }).where('id', '=', organisation.id).execute()
    const { status, body } = await visitor.open(back)

    expect([status, body.includes('This way of signing in is not available')]).toEqual([403, true])
    expect(await meOf(service(), visitor)).toMatchObject({ status: 401 })
  })
})
