import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enrolAuthenticator } from '../support/authenticator.ts'
import { type connect, meOf, signInBy, userByConnection } from '../support/federation.ts'
import { type IdentityProvider, listeningProvider } from '../support/identity-provider.ts'
import { postForm } from '../support/oauth.ts'
import { PageVisitor } from '../support/page-visitor.ts'
import { useService } from '../support/service.ts'

const service = useService({ ofItsOwn: true, environment: { RATE_LIMIT: 'off' } })
const home = 'https://portal.example.test/'

let provider: IdentityProvider & { close(): Promise<void> }
let without: typeof provider
beforeAll(async () => {
  const now = () => service().clock.now()
  provider = await listeningProvider({ now })
  provider.behaviour.metadata = (metadata) => ({ ...metadata, end_session_endpoint: `${provider.issuer}/end?tenant=1` })
  without = await listeningProvider({ now })
})
afterAll(async () => {
  await provider.close()
  await without.close()
})

/** A user who has signed in by a connection, and to an application of the organisation. */
async function signedIn(changes: Parameters<typeof connect>[3] = {}, at = provider) {
  const user = await userByConnection(service(), at, { upstreamLogout: true, ...changes })
  const { id_token: hint } = await user.application.signIn({ scope: 'openid' }, user.browser)
  const logout = `/oauth2/logout?${new URLSearchParams({ id_token_hint: hint, post_logout_redirect_uri: home, state: 's 1' })}`
  return { ...user, logout }
}

const sessionsOf = (organisationId: string, connectionId: string) =>
  service().database.tenant(organisationId).selectFrom('sessions').selectAll().where('connectionId', '=', connectionId).execute()

const locationOf = ({ headers }: { headers: Headers }) => headers.get('location') ?? ''

describe('a sign-out of a session that came by a connection', () => {
  it('continues at the identity provider, which learns whose it is, and comes back to where the application wanted', async () => {
    const { organisation, connectionId, visitor, logout } = await signedIn()

    const left = await visitor.open(logout)

    // Ended before the browser leaves: the provider may never send it back.
    expect(left.status).toBe(303)
    expect(left.headers.get('cache-control')).toBe('no-store')
    expect(await meOf(service(), visitor)).toMatchObject({ status: 401 })
    expect(await sessionsOf(organisation.id, connectionId)).toMatchObject([{ revokedAt: expect.any(Date) }])
    const there = new URL(locationOf(left))
    expect(there.origin + there.pathname).toBe(`${provider.issuer}/end`)
    expect(Object.fromEntries(there.searchParams)).toEqual({
      tenant: '1',
      client_id: 'gatehouse',
      id_token_hint: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      post_logout_redirect_uri: expect.stringMatching(new RegExp(`/federation/${connectionId}/logged-out$`)),
      state: expect.any(String),
    })

    const back = await visitor.open(`/federation/${connectionId}/logged-out?${new URLSearchParams({ state: stateOf(there) })}`)
    expect([back.status, locationOf(back)]).toEqual([303, `${home}?state=s+1`])
  })

  it('goes there from the page that asks before it signs out, too', async () => {
    const { visitor } = await signedIn()
    const { body } = await visitor.open('/oauth2/logout')
    const fields = Object.fromEntries([...body.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]))
    const left = await postForm(service().anonymous.with({ cookie: visitor.cookie }), '/oauth2/logout/confirm', fields)

    expect(left.status).toBe(200)
    expect(left.body).toContain(`content="0;url=${provider.issuer}/end?tenant=1&amp;`)
    expect(await meOf(service(), visitor)).toMatchObject({ status: 401 })
  })

  it('leads no other browser anywhere, nor this one for another connection, later, or with a state of its own', async () => {
    const { visitor, logout, connectionId } = await signedIn()
    const state = stateOf(new URL(locationOf(await visitor.open(logout))))
    const returned = async (browser: PageVisitor, id: string, given: string | undefined) =>
      locationOf(await browser.open(`/federation/${id}/logged-out?${new URLSearchParams(given === undefined ? {} : { state: given })}`))

    expect(await returned(new PageVisitor(service().origin), connectionId, state)).toBe('/logged-out')
    expect(await returned((await signedIn()).visitor, connectionId, state)).toBe('/logged-out')
    expect(await returned(visitor, 'con_another', state)).toBe('/logged-out')
    expect(await returned(visitor, connectionId, undefined)).toBe('/logged-out')
    expect(await returned(visitor, connectionId, home)).toBe('/logged-out')
    expect(await returned(visitor, connectionId, state)).toBe(`${home}?state=s+1`)
    service().clock.advance({ minutes: 11 })
    expect(await returned(visitor, connectionId, state)).toBe('/logged-out')
  })

  it.each([
    ['does not ask for it', { upstreamLogout: false }],
    ['has been deactivated since', { isActive: false }],
  ])('ends as before where the connection %s', async (_what, changed) => {
    const { organisation, connectionId, visitor, logout } = await signedIn()
    await service().database.tenant(organisation.id).updateTable('connections').set(changed).where('id', '=', connectionId).execute()
    expect(locationOf(await visitor.open(logout))).toBe(`${home}?state=s+1`)
    expect(await meOf(service(), visitor)).toMatchObject({ status: 401 })
  })

  it('ends as before where the identity provider has no such endpoint, or cannot be reached', async () => {
    const first = await signedIn({}, without)
    expect(locationOf(await first.visitor.open(first.logout))).toBe(`${home}?state=s+1`)

    const second = await signedIn({}, without)
    service().clock.advance({ minutes: 11 })
    without.behaviour.intercept = () => new Response(null, { status: 503 })
    expect(locationOf(await second.visitor.open(second.logout))).toBe(`${home}?state=s+1`)
    expect(await meOf(service(), second.visitor)).toMatchObject({ status: 401 })
    without.behaviour.intercept = undefined
  })
})

describe('the ID token of an identity provider', () => {
  it('is stored with the session, encrypted, and only where signing out needs it', async () => {
    const kept = await signedIn()
    const [session] = await sessionsOf(kept.organisation.id, kept.connectionId)
    const idToken = service().services.keyring.decrypt(session?.idTokenEncrypted ?? '', session?.id ?? '')
    expect(JSON.parse(Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString())).toMatchObject({ aud: 'gatehouse' })

    const other = await signedIn({ upstreamLogout: false })
    expect(await sessionsOf(other.organisation.id, other.connectionId)).toMatchObject([{ idTokenEncrypted: null }])
  })

  it('is not stored when it is too long for an address', async () => {
    provider.behaviour.claims = (claims) => ({ ...claims, groups: Array.from({ length: 200 }, () => 'a group with a long name') })
    const { organisation, connectionId, visitor, logout } = await signedIn()
    provider.behaviour.claims = (claims) => claims
    expect(await sessionsOf(organisation.id, connectionId)).toMatchObject([{ idTokenEncrypted: null }])
    expect(new URL(locationOf(await visitor.open(logout))).searchParams.has('id_token_hint')).toBe(false)
  })

  it('waits with the sign-in for a second factor', async () => {
    const { organisation, connectionId, browser } = await signedIn()
    const { authenticator } = await enrolAuthenticator(browser, service().clock)
    const again = await signInBy(service(), provider, connectionId)
    expect(locationOf(again)).toContain('/login/mfa')
    const answered = await again.visitor.submit('/login/mfa', { code: authenticator.nextCode() })
    expect(answered.status).toBe(303)

    const sessions = await sessionsOf(organisation.id, connectionId)
    const newest = sessions.toSorted((one, other) => one.id.localeCompare(other.id)).at(-1)
    expect(service().services.keyring.decrypt(newest?.idTokenEncrypted ?? '', newest?.id ?? '')).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
  })
})

const stateOf = (url: URL) => url.searchParams.get('state') ?? ''
