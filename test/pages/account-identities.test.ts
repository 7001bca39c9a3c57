import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cameBy, createConnection, linkedIdentity } from '../support/connections.ts'
import { connect } from '../support/federation.ts'
import type { SignedInUser, TestOrganisation } from '../support/given.ts'
import { type IdentityProvider, listeningProvider } from '../support/identity-provider.ts'
import { PageVisitor } from '../support/page-visitor.ts'
import { useService } from '../support/service.ts'

const service = useService()
const path = '/account/identities'

let provider: IdentityProvider & { close(): Promise<void> }
beforeAll(async () => {
  provider = await listeningProvider({ now: () => service().clock.now() })
})
afterAll(() => provider.close())

async function aUser() {
  const own = await service().given.organisation()
  const user = await service().given.userWith(own.owner, [])
  return { own, user, browser: new PageVisitor(service().origin, user.cookie) }
}

/** A user with an account at an active connection. */
async function linkedUser() {
  const { own, user, browser } = await aUser()
  const connection = await createConnection(own.owner)
  const identity = await linkedIdentity(service(), { organisationId: own.id, userId: user.id, connectionId: connection.id })
  return { own, user, browser, connection, identity }
}

const identitiesOf = async (user: SignedInUser) => (await user.get('/v1/me/identities')).body.data
const withoutPassword = (own: TestOrganisation, user: { id: string }) =>
  service().database.tenant(own.id).updateTable('users').set({ passwordHash: null }).where('id', '=', user.id).execute()

/** Follows the page that continues by itself, and returns the path of the identity provider's response. */
async function signInThere(browser: PageVisitor, { body }: { body: string }): Promise<string> {
  const [, url = ''] = /http-equiv="refresh" content="0;url=([^"]+)"/.exec(body) ?? []
  const { pathname, search } = new URL(url.replaceAll('&amp;', '&'))
  const started = await browser.open(pathname + search)
  const back = new URL(provider.authorize(new URL(started.headers.get('location') ?? '').searchParams))
  return back.pathname + back.search
}

describe('the linked accounts on the account page', () => {
  it('have a section once the organisation has a connection, and none before', async () => {
    const { own, browser } = await aUser()
    expect((await browser.open('/account')).body).not.toContain(path)
    await createConnection(own.owner)
    expect((await browser.open('/account')).body).toContain(`href="${path}"`)
    expect((await browser.open('/account?ui_locales=de')).body).toContain('Verknüpfte Konten')
  })

  it('list each with its connection, address and times, and what can be linked besides', async () => {
    const { own, browser, connection, identity } = await linkedUser()
    const other = await createConnection(own.owner, { name: 'Other company' })
    const inactive = await createConnection(own.owner, { name: 'Former company' })
    await own.owner.patch(`/v1/admin/connections/${inactive.id}`, { isActive: false })
    const elsewhere = await linkedUser()

    const { status, body } = await browser.open(path)

    expect(status).toBe(200)
    for (const text of ['Acme', 'carol@acme.test · OpenID Connect', 'never used', 'linked <time', `identity=${identity.id}`, other.id]) {
      expect(body).toContain(text)
    }
    expect(body).not.toContain(`value="${connection.id}"`)
    for (const text of ['Former company', inactive.id, elsewhere.connection.id, elsewhere.identity.id]) expect(body).not.toContain(text)
    expect((await browser.open(`${path}?ui_locales=de`)).body).toContain('Konten, die Sie verknüpfen können')
  })

  it('are nothing for a browser that is not signed in', async () => {
    const answer = await service().anonymous.get(path)
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toBe(`/login?${new URLSearchParams({ returnTo: path })}`)
  })
})

describe('linking an account on the page', () => {
  it('signs in at the identity provider, and leads back to the page', async () => {
    const { own, user, browser } = await aUser()
    const connectionId = await connect(service(), own, provider)
    Object.assign(provider.behaviour, { user: { sub: `sub-${user.id}`, email: 'someone@else.test', email_verified: false } })

    const begun = await browser.submit(path, { action: 'link', connection: connectionId })
    expect(begun.status).toBe(200)
    expect(await identitiesOf(user)).toEqual([])
    const linked = await browser.open(await signInThere(browser, begun))

    expect(linked).toMatchObject({ status: 303 })
    expect(linked.headers.get('location')).toBe(`${path}?notice=linked`)
    expect((await browser.open(`${path}?notice=linked`)).body).toContain('The account has been linked.')
    expect(await identitiesOf(user)).toMatchObject([{ connection: { id: connectionId }, email: 'someone@else.test' }])
  })

  it('leads back to the page when it is refused, and never on to a sign-in', async () => {
    const { own, user, browser } = await aUser()
    const connectionId = await connect(service(), own, provider)
    const { subject } = await linkedIdentity(service(), { organisationId: own.id, userId: own.owner.id, connectionId })
    Object.assign(provider.behaviour, { user: { sub: subject } })

    const begun = await browser.submit(path, { action: 'link', connection: connectionId })
    const { status, body } = await browser.open(await signInThere(browser, begun))

    expect(status).toBe(409)
    for (const text of ['The account was not linked', 'linked to another user', `href="${path}"`]) expect(body).toContain(text)
    for (const text of ['/start', '/login']) expect(body).not.toContain(text)
    expect(await identitiesOf(user)).toEqual([])
  })

  it('asks for a fresh sign-in first', async () => {
    const { own, user, browser } = await aUser()
    const connection = await createConnection(own.owner)
    service().clock.advance({ minutes: 16 })

    const refused = await browser.submit(path, { action: 'link', connection: connection.id })

    expect(refused.status).toBe(303)
    expect(refused.headers.get('location')).toBe(`/reauthenticate?${new URLSearchParams({ returnTo: path })}`)
    expect(await browser.submit('/reauthenticate', { password: user.password })).toMatchObject({ status: 303 })
    expect((await browser.submit(path, { action: 'link', connection: connection.id })).status).toBe(200)
  })

  it('begins by no connection of another organisation, and by no form of another site', async () => {
    const { own, browser } = await aUser()
    const connection = await createConnection(own.owner)
    const elsewhere = await linkedUser()
    const foreign = await browser.submit(path, { action: 'link', connection: elsewhere.connection.id })
    expect(foreign).toMatchObject({ status: 404, body: expect.stringContaining('is not available') })
    const forged = await browser.submit(path, { action: 'link', connection: connection.id, formToken: 'invented' })
    expect(forged).toMatchObject({ status: 403, body: expect.not.stringContaining('http-equiv="refresh"') })
  })
})

describe('unlinking an account on the page', () => {
  it('asks first, then unlinks it and ends the other sessions that came by it', async () => {
    const { own, user, browser, identity } = await linkedUser()
    const session = await service().given.signIn(user.email, user.password)
    await cameBy(service(), { organisationId: own.id, sessionId: session.sessionId }, identity)
    const page = `${path}?identity=${identity.id}`

    expect(await browser.open(page)).toMatchObject({ status: 200, body: expect.stringContaining('Unlink Acme?') })
    expect(await identitiesOf(user)).toHaveLength(1)
    const unlinked = await browser.submit(page, { action: 'unlink', identity: identity.id })

    expect(unlinked.headers.get('location')).toBe(`${path}?notice=unlinked`)
    expect((await browser.open(`${path}?notice=unlinked`)).body).toContain('The account has been unlinked.')
    expect(await identitiesOf(user)).toEqual([])
    expect((await session.get('/v1/me/profile')).status).toBe(401)
    const again = await browser.submit(path, { action: 'unlink', identity: identity.id })
    expect(again).toMatchObject({ status: 404, body: expect.stringContaining('unlinked already') })
  })

  it('asks for a fresh sign-in, and leads back to the question', async () => {
    const { user, browser, identity } = await linkedUser()
    service().clock.advance({ minutes: 16 })
    const page = `${path}?identity=${identity.id}`

    const refused = await browser.submit(page, { action: 'unlink', identity: identity.id })

    expect(refused.headers.get('location')).toBe(`/reauthenticate?${new URLSearchParams({ returnTo: page })}`)
    expect(await identitiesOf(user)).toHaveLength(1)
  })

  it('is refused for the last way to sign in, and says why', async () => {
    const { own, user, browser, identity } = await linkedUser()
    await withoutPassword(own, user)
    const page = `${path}?identity=${identity.id}`

    const refused = await browser.submit(page, { action: 'unlink', identity: identity.id })

    expect(refused).toMatchObject({ status: 400, body: expect.stringContaining('This is your last way to sign in.') })
    expect(await identitiesOf(user)).toHaveLength(1)
  })

  it('is not possible for an account of another user, nor by a form of another site', async () => {
    const { own, user, browser, identity } = await linkedUser()
    const colleague = await service().given.userWith(own.owner, [])
    const theirs = new PageVisitor(service().origin, colleague.cookie)

    expect((await theirs.open(`${path}?identity=${identity.id}`)).body).not.toContain('Unlink Acme?')
    expect((await theirs.submit(path, { action: 'unlink', identity: identity.id })).status).toBe(404)
    const forged = await browser.submit(path, { action: 'unlink', identity: identity.id, formToken: 'invented' })

    expect(forged.status).toBe(403)
    expect(await identitiesOf(user)).toHaveLength(1)
  })
})
