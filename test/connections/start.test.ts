import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connect } from '../support/federation.ts'
import { type TestOrganisation, unique } from '../support/given.ts'
import { type IdentityProvider, listeningProvider } from '../support/identity-provider.ts'
import { encode, givenApplication, pkce } from '../support/oauth.ts'
import { PageVisitor } from '../support/page-visitor.ts'
import { useService } from '../support/service.ts'

const service = useService()

let provider: IdentityProvider & { close(): Promise<void> }
let organisation: TestOrganisation
let connectionId: string
beforeAll(async () => {
  provider = await listeningProvider({ now: () => service().clock.now() })
  organisation = await service().given.organisation()
  const configuration = { issuer: provider.issuer, clientId: 'gatehouse', emailTrust: 'verified_claim', allowedDomains: ['*'] }
  connectionId = await connect(service(), organisation, provider, { provisioning: 'jit', configuration: JSON.stringify(configuration) })
})
afterAll(() => provider.close())

const fromElsewhere = { 'sec-fetch-site': 'cross-site' }
const browser = () => new PageVisitor(service().origin)
const startAt = (query: Record<string, string> = {}) => `/federation/${connectionId}/start?${encode(query)}`
const unescaped = (text = '') => text.replaceAll('&amp;', '&')
const continuedTo = (body: string) => new URL(unescaped(/http-equiv="refresh" content="0;url=([^"]*)"/.exec(body)?.[1]))

/** Where a browser is that has signed in at the identity provider after a question. */
async function landedAt(visitor: PageVisitor, page: string): Promise<string | null> {
  const action = unescaped(/<form method="post" action="([^"]*)"/.exec((await visitor.open(page, fromElsewhere)).body)?.[1])
  const there = continuedTo((await visitor.submit(action, {}, {}, '/login')).body)
  provider.behaviour.user = { sub: `sub-${unique()}`, email: `ada-${unique()}@example.test`, email_verified: true }
  const { pathname, search } = new URL(provider.authorize(there.searchParams))
  return (await visitor.open(pathname + search)).headers.get('location')
}

/** The address at which the request of an application waits for a sign-in. */
async function pendingRequestOf(of: TestOrganisation): Promise<string> {
  const { id, redirectUri } = await givenApplication(service(), { organisation: of })
  const asked = { response_type: 'code', client_id: id, redirect_uri: redirectUri, code_challenge: pkce().challenge }
  const { headers } = await browser().open(`/oauth2/authorize?${encode({ ...asked, code_challenge_method: 'S256' })}`)
  return new URL(headers.get('location') ?? '', service().origin).searchParams.get('returnTo') ?? ''
}

describe('the start of a sign-in by a connection', () => {
  it.each(['cross-site', 'same-site', 'none', ''])(
    'that no page of ours led to asks first, and names whom it leads to (Sec-Fetch-Site %j)',
    async (site) => {
      const visitor = browser()
      const asked = await visitor.open(startAt(), { 'sec-fetch-site': site })

      expect(asked).toMatchObject({ status: 200, body: expect.stringContaining(organisation.name) })
      expect(asked.body).toContain(new URL(provider.issuer).host)
      expect(asked.headers.get('location')).toBe(null)
      expect(visitor.cookie).not.toContain('svc_federation')
    },
  )

  it('asks in the language of the browser, and names the host of a provider that we know', async () => {
    const configuration = JSON.stringify({ clientId: 'gatehouse', tenant: 'organizations' })
    const id = await connect(service(), organisation, provider, { provider: 'microsoft', configuration })
    const { body } = await browser().open(`/federation/${id}/start?ui_locales=de`, fromElsewhere)
    expect(body).toContain(`Bei ${organisation.name} anmelden?`)
    expect(body).toContain('<dd>login.microsoftonline.com</dd>')
  })

  it('continues by the button of the page, with what the address asked for', async () => {
    const visitor = browser()
    const asked = startAt({ returnTo: '/account/profile', login_hint: 'ada@example.test', prompt: 'login' })
    const action = unescaped(/<form method="post" action="([^"]*)"/.exec((await visitor.open(asked, fromElsewhere)).body)?.[1])
    const { searchParams, origin } = continuedTo((await visitor.submit(action, {}, {}, '/login')).body)
    expect(origin).toBe(new URL(provider.issuer).origin)
    expect(Object.fromEntries(searchParams)).toMatchObject({ login_hint: 'ada@example.test', prompt: 'login' })
    expect(await landedAt(visitor, startAt({ returnTo: '/account/profile' }))).toBe('/account/profile')
  })

  it('does not continue by the form of another site', async () => {
    const sent = await browser().submit(startAt(), { formToken: 'another' }, {}, '/login')
    expect(sent.status).toBe(403)
    expect(sent.body).not.toContain('http-equiv="refresh"')
  })

  it('asks nothing where a page of ours, the request of an application or a signed-in user has led there', async () => {
    const leads = { status: 303, headers: expect.any(Headers) }
    expect(await browser().open(startAt())).toMatchObject(leads)
    const returnTo = await pendingRequestOf(organisation)
    expect(await browser().open(startAt({ returnTo }), fromElsewhere)).toMatchObject(leads)
    const { owner } = organisation
    const { pathname, search } = new URL((await owner.post('/v1/me/identities', { connectionId })).body.url)
    expect(await new PageVisitor(service().origin, owner.cookie).open(pathname + search, fromElsewhere)).toMatchObject(leads)
  })

  it('leads to an application only by its own request, which waits for a user of the organisation', async () => {
    const other = await service().given.organisation()
    const unknown = 'authorize?client_id=cli_1&redirect_uri=https://evil.example/'
    for (const returnTo of [await pendingRequestOf(other), `/oauth2/${unknown}`, `/%6Fauth2/${unknown}`]) {
      expect((await browser().open(startAt({ returnTo }), fromElsewhere)).status).toBe(200)
      expect(await landedAt(browser(), startAt({ returnTo }))).toBe('/')
    }
  })

  it('is asked about, too, when a page of ours would return there', async () => {
    const { body } = await browser().open(`/login?${encode({ returnTo: startAt({ returnTo: '/account' }) })}`)
    expect(body).toContain('action="/login"')
  })
})
