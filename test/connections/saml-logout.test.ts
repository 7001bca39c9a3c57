import { beforeAll, describe, expect, it } from 'vitest'
import { askOnDevice, decide, deviceGrant, enterCode, poll } from '../support/devices.ts'
import { clientOf, meOf } from '../support/federation.ts'
import { type SignedInUser, unique } from '../support/given.ts'
import { givenApplication } from '../support/oauth.ts'
import { PageVisitor } from '../support/page-visitor.ts'
import {
  type LogoutRequestValues,
  logoutRequestOf,
  posted,
  redirectedQuery,
  type SamlProvider,
  samlProvider,
  signed,
} from '../support/saml-provider.ts'
import { connectSaml, newAtProvider, ownMetadataOf, signInBySaml } from '../support/saml-sign-in.ts'
import { type SamlifyProvider, samlifyProvider } from '../support/samlify-provider.ts'
import { useService } from '../support/service.ts'

const service = useService({ environment: { OAUTH_EXTENSIONS: 'device' } })
const home = 'https://portal.example.test/'

let provider: SamlifyProvider
let posting: SamlifyProvider
let without: SamlifyProvider
let stranger: SamlProvider
beforeAll(async () => {
  const now = () => service().clock.now()
  ;[provider, posting, without, stranger] = await Promise.all([
    samlifyProvider({ now }),
    samlifyProvider({ now, signsOutBy: ['HTTP-POST'] }),
    samlifyProvider({ now, signsOutBy: [] }),
    samlProvider(),
  ])
})

/** A user who has signed in by SAML, at an application as well. */
async function signedIn(at = provider, fields: Record<string, unknown> = {}) {
  const made = await connectSaml(service(), at, { upstreamLogout: true, ...fields })
  const user = newAtProvider(made.domain)
  const { visitor } = await signInBySaml(service(), made.connection, user, at)
  const application = await givenApplication(service(), { organisation: made, requireConsent: false, postLogoutRedirectUris: [home] })
  const tokens = await application.signIn({ scope: 'openid offline_access' }, service().anonymous.with({ cookie: visitor.cookie }))
  const logout = `/oauth2/logout?${new URLSearchParams({ id_token_hint: tokens.id_token, post_logout_redirect_uri: home, state: 's 1' })}`
  const metadata = await ownMetadataOf(service(), made.connection)
  return { ...made, user, visitor, application, tokens, logout, metadata, slo: `/saml/${made.connection.id}/slo` }
}
type SignedIn = Awaited<ReturnType<typeof signedIn>>

const locationOf = ({ headers }: { headers: Headers }) => headers.get('location') ?? ''
const isSignedIn = async (visitor: PageVisitor) => (await meOf(service(), visitor)).status === 200
const fieldsOf = (body: string) =>
  Object.fromEntries([...body.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]))

describe('a sign-out of a session that came by SAML', () => {
  it('leads to the provider with a signed request that names the session, and comes back to where the application wanted', async () => {
    const { visitor, logout, connection, metadata, user, slo } = await signedIn()
    const left = await visitor.open(logout)

    // Ended before the browser leaves: the provider may never send it back.
    expect([left.status, left.headers.get('cache-control')]).toEqual([303, 'no-store'])
    expect(await isSignedIn(visitor)).toBe(false)
    const there = new URL(locationOf(left))
    expect(await provider.readLogoutRequest(metadata, there)).toMatchObject({
      request: { destination: 'https://samlify.test/slo' },
      issuer: connection.entityId,
      nameID: user.nameId,
      sessionIndex: user.sessionIndex,
    })
    const relayState = there.searchParams.get('RelayState') ?? ''
    expect(Buffer.byteLength(relayState)).toBeLessThanOrEqual(80)

    const back = await visitor.open(`${slo}?${new URLSearchParams({ SAMLResponse: 'unread', RelayState: relayState })}`)
    expect([back.status, locationOf(back)]).toEqual([303, `${home}?state=s+1`])
  })

  it('goes there by a form where the provider takes messages in no other way, and comes back by one', async () => {
    const { visitor, logout, metadata, user, slo } = await signedIn(posting)
    const { status, body } = await visitor.open(logout)
    expect(status).toBe(200)
    expect(body).toContain('<form method="post" action="https://samlify.test/slo">')
    const fields = fieldsOf(body)
    expect(await posting.readLogoutRequest(metadata, fields)).toMatchObject({ nameID: user.nameId, sessionIndex: user.sessionIndex })

    // The form of another site brings no cookie.
    const form = new URLSearchParams({ SAMLResponse: 'unread', RelayState: fields.RelayState ?? '' })
    const response = await fetch(service().origin + slo, { method: 'POST', redirect: 'manual', body: form })
    expect(response.status).toBe(303)
    expect(locationOf(await visitor.open(locationOf(response)))).toBe(`${home}?state=s+1`)
  })

  it('leads no other browser anywhere, nor this one with another RelayState, for another connection, later or twice', async () => {
    const [{ visitor, logout, slo }, other] = [await signedIn(), await signedIn()]
    const relayState = new URL(locationOf(await visitor.open(logout))).searchParams.get('RelayState') ?? ''
    const returned = async (browser: PageVisitor, path: string, given: string) =>
      locationOf(await browser.open(`${path}?${new URLSearchParams({ SAMLResponse: 'unread', RelayState: given })}`))

    expect(await returned(new PageVisitor(service().origin), slo, relayState)).toBe('/logged-out')
    const [stolen] = [new PageVisitor(service().origin, `svc_sign_out=${/svc_sign_out=([^;]*)/.exec(visitor.cookie)?.[1]}`)]
    expect(await returned(stolen, slo, relayState)).toBe('/logged-out')
    expect(await returned(visitor, other.slo, relayState)).toBe('/logged-out')
    const [again] = [await signedIn()]
    const second = new URL(locationOf(await again.visitor.open(again.logout))).searchParams.get('RelayState') ?? ''
    expect(await returned(again.visitor, again.slo, home)).toBe('/logged-out')
    expect(await returned(again.visitor, again.slo, second)).toBe('/logged-out')
  })

  it('ends here only where the connection does not ask for more, the provider takes none, or the session began before that', async () => {
    const asked = await signedIn(provider, { upstreamLogout: false })
    expect(locationOf(await asked.visitor.open(asked.logout))).toBe(`${home}?state=s+1`)
    const none = await signedIn(without)
    expect(locationOf(await none.visitor.open(none.logout))).toBe(`${home}?state=s+1`)
    const before = await signedIn(provider, { upstreamLogout: false })
    await before.owner.patch(`/v1/admin/connections/${before.connection.id}`, { upstreamLogout: true })
    expect(locationOf(await before.visitor.open(before.logout))).toBe(`${home}?state=s+1`)
  })
})

describe('the metadata of a connection', () => {
  it('name an address for single logout where it is on, by both bindings', async () => {
    const [on, off] = [await signedIn(), await signedIn(provider, { upstreamLogout: false })]
    expect(on.metadata.match(/SingleLogoutService Binding="[^"]*" Location="[^"]*"/g)).toEqual([
      `SingleLogoutService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="http://gatehouse.test${on.slo}"`,
      `SingleLogoutService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="http://gatehouse.test${on.slo}"`,
    ])
    expect(off.metadata).not.toContain('SingleLogoutService')
    expect((await off.visitor.open(`${off.slo}?SAMLRequest=a`)).status).toBe(404)
    expect((await off.visitor.open(off.slo)).status).toBe(404)
  })
})

const requestOf = ({ connection, user }: SignedIn, changes: Partial<LogoutRequestValues> = {}) =>
  logoutRequestOf({
    id: `_${unique()}`,
    issuer: connection.configuration.entityId ?? '',
    destination: `http://gatehouse.test/saml/${connection.id}/slo`,
    nameId: `<saml:NameID Format="urn:oasis:names:tc:SAML:2.0:nameid-format:persistent">${user.nameId}</saml:NameID>`,
    sessionIndexes: [user.sessionIndex ?? ''],
    issuedAt: service().clock.now(),
    ...changes,
  })

const idIn = (xml: string) => /ID="([^"]+)"/.exec(xml)?.[1] ?? ''
const signedBy = (by: SamlProvider, xml: string) => signed(by, xml, { id: idIn(xml) })

/** Sends a request as the browser of a user who signs out at the provider does. */
const sendForm = ({ slo }: SignedIn, xml: string, relayState?: string) =>
  fetch(service().origin + slo, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: 'https://samlify.test', 'sec-fetch-site': 'cross-site' },
    body: new URLSearchParams({ SAMLRequest: posted(xml), ...(relayState !== undefined && { RelayState: relayState }) }),
  })
const sendAddress = ({ slo }: SignedIn, query: string) => fetch(`${service().origin}${slo}?${query}`, { redirect: 'manual' })

const failedChecks = async (owner: SignedInUser, body: string) => {
  const reference = /([0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{4})/.exec(body)?.[1]
  const { body: diagnostic } = await owner.get(`/v1/admin/diagnostics/${reference}`)
  return diagnostic.checks.filter(({ passed }: { passed: boolean }) => !passed).map(({ code }: { code: string }) => code)
}

describe('a request of the provider to sign out', () => {
  it('ends the session and what applications have by it, once, and is answered with a signed response', async () => {
    const world = await signedIn()
    const xml = requestOf(world)
    const query = redirectedQuery(provider, xml, { relayState: 'theirs & more' })
    const response = await sendAddress(world, query)

    expect([response.status, response.headers.get('cache-control')]).toEqual([303, 'no-store'])
    const there = new URL(locationOf(response))
    expect(there.searchParams.get('RelayState')).toBe('theirs & more')
    expect(await provider.readLogoutResponse(world.metadata, there)).toMatchObject({
      inResponseTo: idIn(xml),
      destination: 'https://samlify.test/slo',
    })
    expect(await isSignedIn(world.visitor)).toBe(false)
    expect(await world.application.refresh(world.tokens.refresh_token)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect(await world.owner.audit({ action: 'session.revoked' })).toMatchObject([{ actorType: 'system' }])

    const again = await sendAddress(world, query)
    expect(again.status).toBe(400)
    expect(await failedChecks(world.owner, await again.text())).toEqual(['message_id'])
  })

  it('comes by a form, too, and gets its response by one where the provider takes no other', async () => {
    const world = await signedIn(posting)
    const xml = requestOf(world)
    const response = await sendForm(world, signedBy(posting, xml), 'theirs')
    const fields = fieldsOf(await response.text())

    expect(response.status).toBe(200)
    expect(fields.RelayState).toBe('theirs')
    expect(await posting.readLogoutResponse(world.metadata, fields)).toMatchObject({ inResponseTo: idIn(xml) })
    expect(await isSignedIn(world.visitor)).toBe(false)
  })

  it('that names no session ends all of the user, as samlify sends it', async () => {
    const world = await signedIn()
    const second = await signInBySaml(service(), world.connection, { ...world.user, sessionIndex: '_second' }, provider)
    const colleague = await signInBySaml(service(), world.connection, newAtProvider(world.domain), provider)

    const asked = provider.logoutRequest(world.metadata, world.user.nameId, 'theirs')
    expect((await sendAddress(world, asked.search.slice(1))).status).toBe(303)
    expect([await isSignedIn(world.visitor), await isSignedIn(second.visitor), await isSignedIn(colleague.visitor)]).toEqual([
      false,
      false,
      true,
    ])
  })

  it('that names no session ends what the user has allowed a device, although the session here has ended before', async () => {
    const world = await signedIn()
    const registration = { clientType: 'public', redirectUris: [], grantTypes: [deviceGrant], organisation: world } as const
    const television = await givenApplication(service(), registration)
    const codes = await askOnDevice(television, { scope: 'openid' })
    await enterCode(world.visitor, codes.user_code)
    expect((await decide(world.visitor, 'allow')).status).toBe(200)
    await world.application.revoke(world.tokens.refresh_token)
    expect((await (await clientOf(service(), world.visitor)).post('/v1/auth/logout')).status).toBe(204)

    const asked = provider.logoutRequest(world.metadata, world.user.nameId, 'theirs')
    expect((await sendAddress(world, asked.search.slice(1))).status).toBe(303)
    expect(await poll(television, codes)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  it('ends no other session of the user, no user with the same SessionIndex, and nothing of another connection', async () => {
    const world = await signedIn()
    const second = await signInBySaml(service(), world.connection, { ...world.user, sessionIndex: '_second' }, provider)
    const sameIndex = { ...newAtProvider(world.domain), sessionIndex: world.user.sessionIndex ?? '' }
    const colleague = await signInBySaml(service(), world.connection, sameIndex, provider)
    const elsewhere = await connectSaml(service(), provider, { upstreamLogout: true })
    const there = { ...newAtProvider(elsewhere.domain), nameId: world.user.nameId, sessionIndex: world.user.sessionIndex ?? '' }
    const other = await signInBySaml(service(), elsewhere.connection, there, provider)

    expect((await sendAddress(world, redirectedQuery(provider, requestOf(world)))).status).toBe(303)
    const visitors = [world.visitor, second.visitor, colleague.visitor, other.visitor]
    expect(await Promise.all(visitors.map(isSignedIn))).toEqual([false, true, true, true])
  })

  it('finds the session of a user who is known by an attribute, and of a connection that was switched off since', async () => {
    const configuration = { metadataXml: provider.metadata, subjectAttribute: 'email' }
    const world = await signedIn(provider, { configuration })
    await world.owner.patch(`/v1/admin/domains/${world.domainId}`, { sso: 'off' })
    await world.owner.patch(`/v1/admin/connections/${world.connection.id}`, { isActive: false })

    expect((await sendAddress(world, redirectedQuery(provider, requestOf(world)))).status).toBe(303)
    expect(await isSignedIn(world.visitor)).toBe(false)
  })

  it('leads to our page where the provider takes no response', async () => {
    const world = await signedIn(without)

    expect(locationOf(await sendForm(world, signedBy(without, requestOf(world))))).toBe('/logged-out')
    expect(await isSignedIn(world.visitor)).toBe(false)
  })

  it('is not read after 60 that were refused at the connection in five minutes', async () => {
    const user = await signedIn()
    for (let turn = 0; turn < 3; turn++) expect((await sendAddress(user, redirectedQuery(provider, requestOf(user)))).status).toBe(303)
    const answers = await Promise.all(Array.from({ length: 61 }, () => sendAddress(user, 'SAMLRequest=%')))
    const statuses = answers.map(({ status }) => status)
    expect([400, 429].map((status) => statuses.filter((one) => one === status).length)).toEqual([60, 1])
    expect((await sendAddress(user, redirectedQuery(provider, requestOf(user)))).status).toBe(429)

    const elsewhere = await signedIn()
    expect((await sendAddress(elsewhere, redirectedQuery(provider, requestOf(elsewhere)))).status).toBe(303)
    service().clock.advance({ minutes: 6 })
    expect((await sendAddress(user, redirectedQuery(provider, requestOf(user)))).status).toBe(303)
  })

  // None of them ends it.
  let world: SignedIn
  beforeAll(async () => {
    world = await signedIn()
  })
  const ago = (seconds: number) => new Date(service().clock.now().getTime() - seconds * 1_000)
  const address = (xml: string, options?: Parameters<typeof redirectedQuery>[2]) => (world: SignedIn) =>
    sendAddress(world, redirectedQuery(provider, xml, options))
  const form = (xml: string) => (world: SignedIn) => sendForm(world, xml)

  it.each<[string, (world: SignedIn) => (world: SignedIn) => Promise<Response>, string]>([
    ['without a signature', (world) => form(requestOf(world)), 'signature'],
    [
      'in an address without a signature',
      (world) => (to) => sendAddress(to, redirectedQuery(provider, requestOf(world)).replace(/&Signature=.*/, '')),
      'signature',
    ],
    ['signed by a stranger', (world) => form(signedBy(stranger, requestOf(world))), 'signature'],
    ['in an address signed by a stranger', (world) => (to) => sendAddress(to, redirectedQuery(stranger, requestOf(world))), 'signature'],
    ['changed after it was signed', (world) => form(signedBy(provider, requestOf(world)).replace(world.user.nameId, 'owner')), 'signature'],
    [
      'with another RelayState than was signed',
      (world) => (to) =>
        sendAddress(to, redirectedQuery(provider, requestOf(world), { relayState: 'a' }).replace('RelayState=a', 'RelayState=b')),
      'signature',
    ],
    [
      'with a signature of SHA-1',
      (world) => address(requestOf(world), { algorithm: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1', hash: 'sha1' }),
      'signature_algorithm',
    ],
    ['of another provider', (world) => address(requestOf(world, { issuer: 'https://other.test' })), 'iss'],
    ['for another address', (world) => address(requestOf(world, { destination: 'https://other.test/slo' })), 'destination'],
    ['without an address', (world) => address(requestOf(world).replace(/ Destination="[^"]*"/, '')), 'destination'],
    ['of more than five minutes ago', (world) => address(requestOf(world, { issuedAt: ago(360) })), 'not_on_or_after'],
    ['of the future', (world) => address(requestOf(world, { issuedAt: ago(-61) })), 'issue_instant'],
    ['that has ended', (world) => address(requestOf(world, { notOnOrAfter: ago(60) })), 'not_on_or_after'],
    [
      'with an end that cannot be read',
      (world) => address(requestOf(world).replace(' Destination', ' NotOnOrAfter="soon" Destination')),
      'not_on_or_after',
    ],
    ['without a NameID', (world) => address(requestOf(world, { nameId: '' })), 'subject'],
    [
      'with more than a hundred sessions',
      (world) => address(requestOf(world, { sessionIndexes: Array.from({ length: 101 }, (_one, n) => `_${n}`) })),
      'session_index',
    ],
    [
      'with a comment in its NameID',
      (world) => address(requestOf(world).replace(world.user.nameId, `${world.user.nameId}<!-- -->`)),
      'markup',
    ],
    ['that is another message', (world) => address(requestOf(world).replaceAll('LogoutRequest', 'LogoutResponse')), 'root'],
    ['that inflates to more than 256 KiB', (world) => address(requestOf(world, { nameId: ' '.repeat(300_000) })), 'size'],
    ['that is nothing', () => (to) => sendAddress(to, 'SAMLRequest=%'), 'encoding'],
  ])('%s ends nothing', async (_name, bent, check) => {
    const response = await bent(world)(world)

    expect(response.status).toBe(400)
    expect(locationOf(response)).toBe('')
    expect(await failedChecks(world.owner, await response.text())).toEqual([check])
    expect(await isSignedIn(world.visitor)).toBe(true)
  })
})
