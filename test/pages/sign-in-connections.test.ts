import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createConnection } from '../support/connections.ts'
import { freshEngine } from '../support/database.ts'
import { connect } from '../support/federation.ts'
import { type TestOrganisation, unique } from '../support/given.ts'
import { type IdentityProvider, listeningProvider } from '../support/identity-provider.ts'
import { givenApplication, pkce } from '../support/oauth.ts'
import { PageVisitor } from '../support/page-visitor.ts'
import { recordingEngine } from '../support/recording-engine.ts'
import { startTestService, type TestService, useService } from '../support/service.ts'

const service = useService()

let provider: IdentityProvider & { close(): Promise<void> }
let usual: IdentityProvider['behaviour']
beforeAll(async () => {
  provider = await listeningProvider({ now: () => service().clock.now() })
  usual = { ...provider.behaviour }
})
afterAll(() => provider.close())
beforeEach(() => Object.assign(provider.behaviour, usual))

const unescaped = (text = '') => text.replaceAll('&amp;', '&')

/** Where the links of a page lead that begin sign-ins by a connection, with their texts. */
const buttonsIn = (body: string) =>
  [...body.matchAll(/<a class="button quiet" href="(\/federation\/[^"]+)">(.*?)<\/a>/g)].map(([, href, content = '']) => ({
    href: unescaped(href),
    text: content.replaceAll(/<svg.*?<\/svg>|<[^>]+>/g, '').trim(),
  }))

/** Where a page leads that continues at once. */
const continuedTo = (body: string) => unescaped(/http-equiv="refresh" content="0;url=([^"]*)"/.exec(body)?.[1])

/** An application of the organisation sends the browser to sign in. */
async function askedBy(
  visitor: PageVisitor,
  organisation: TestOrganisation,
  parameters: Record<string, string> = {},
  at: TestService = service(),
) {
  const application = await givenApplication(at, { organisation })
  const asked = new URLSearchParams({
    ...{ response_type: 'code', client_id: application.id, redirect_uri: application.redirectUri, state: 'xyz', scope: 'openid' },
    ...{ code_challenge: pkce().challenge, code_challenge_method: 'S256', ...parameters },
  })
  const answer = await visitor.open(`/oauth2/authorize?${asked}`)
  return { application, location: answer.headers.get('location') ?? '' }
}

async function signInPage(organisation: TestOrganisation, parameters: Record<string, string> = {}) {
  const visitor = new PageVisitor(service().origin)
  const { application, location } = await askedBy(visitor, organisation, parameters)
  return { visitor, application, location, ...(await visitor.open(location)) }
}

/** Follows a link to the identity provider, signs in there, and comes back. */
async function signInThere(visitor: PageVisitor, href: string) {
  const started = await visitor.open(href)
  const location = new URL(started.headers.get('location') ?? 'about:blank')
  const back = new URL(provider.authorize(location.searchParams))
  return { sent: location.searchParams, completed: await visitor.open(back.pathname + back.search) }
}

const jit = () => ({
  provisioning: 'jit' as const,
  configuration: JSON.stringify({
    ...{ issuer: provider.issuer, clientId: 'gatehouse', emailTrust: 'verified_claim', allowedDomains: ['example.test'] },
  }),
})

function asUser() {
  const user = { sub: `sub-${unique()}`, email: `ada-${unique()}@example.test`, email_verified: true }
  provider.behaviour.user = user
  return user
}

describe('the sign-in page of an organisation with connections', () => {
  it('leads to each of them that signs in, and on to the application', async () => {
    const organisation = await service().given.organisation()
    const connectionId = await connect(service(), organisation, provider, { ...jit(), name: 'Acme <Workforce>' })
    const github = await createConnection(organisation.owner, { name: 'GitHub', provider: 'github', configuration: { clientId: 'acme' } })
    await createConnection(organisation.owner, { name: 'Switched off', isActive: false })
    const elsewhere = await service().given.organisation()
    await connect(service(), elsewhere, provider, { name: 'Elsewhere' })
    asUser()

    const { visitor, body, application } = await signInPage(organisation)
    const buttons = buttonsIn(body)
    expect(buttons.map(({ text }) => text).toSorted()).toEqual(['Continue with Acme &lt;Workforce&gt;', 'Continue with GitHub'])
    expect(buttons.find(({ text }) => text.endsWith('GitHub'))?.href).toContain(`/federation/${github.id}/start?returnTo=`)

    const { href = '' } = buttons.find(({ href }) => href.includes(connectionId)) ?? {}
    const { completed } = await signInThere(visitor, href)
    const answered = await visitor.open(continuedTo(completed.body))
    expect(answered.headers.get('location')).toContain(`${application.redirectUri}?`)
    expect(new URL(answered.headers.get('location') ?? '').searchParams.get('code')).toBeTruthy()
  })

  it('passes on whose account and whether a new sign-in is asked for', async () => {
    const organisation = await service().given.organisation()
    await connect(service(), organisation, provider)
    const { visitor, location } = await signInPage(organisation, { login_hint: 'ada@example.test' })

    const [again] = buttonsIn((await visitor.open(`${location}&prompt=login`)).body)
    const { sent } = await signInThere(visitor, again?.href ?? '')
    expect(Object.fromEntries(sent)).toMatchObject({ login_hint: 'ada@example.test', prompt: 'login' })

    const [once] = buttonsIn((await visitor.open(location)).body)
    const first = await signInThere(visitor, once?.href ?? '')
    expect(first.sent.has('prompt')).toBe(false)
  })

  it('says it in the language of the page', async () => {
    const organisation = await service().given.organisation()
    await connect(service(), organisation, provider, { name: 'Acme' })
    const { body } = await signInPage(organisation, { ui_locales: 'de' })

    expect(buttonsIn(body)).toMatchObject([{ text: 'Weiter mit Acme', href: expect.stringContaining('ui_locales=de') }])
  })

  it('folds away what is more than five, but not a single one', async () => {
    const organisation = await service().given.organisation()
    for (let made = 0; made < 6; made++) await connect(service(), organisation, provider)
    expect((await signInPage(organisation)).body).not.toContain('<details')

    await connect(service(), organisation, provider)
    const { body } = await signInPage(organisation)
    const [shown = '', folded = ''] = body.split('<details')
    expect(buttonsIn(shown)).toHaveLength(5)
    expect(buttonsIn(folded)).toHaveLength(2)
    expect(folded).toContain('More ways')
  })

  it('shows none where the organisation has none, or is not known', async () => {
    expect(buttonsIn((await signInPage(await service().given.organisation())).body)).toEqual([])
    expect(buttonsIn((await new PageVisitor(service().origin).open('/login')).body)).toEqual([])
  })

  it('takes no statement more than that of an organisation without any', async () => {
    const engine = recordingEngine(await freshEngine())
    const ofItsOwn = await startTestService({ engine })
    const statementsWith = async (organisation: TestOrganisation) => {
      const visitor = new PageVisitor(ofItsOwn.origin)
      const { location } = await askedBy(visitor, organisation, {}, ofItsOwn)
      await ofItsOwn.settled()
      engine.statements.length = 0
      const { body } = await visitor.open(location)
      const statements = engine.statements.filter(({ ofRequest }) => ofRequest).map(({ query }) => query.sql)
      return { statements, buttons: buttonsIn(body).length }
    }
    const [plain, connected] = [await ofItsOwn.given.organisation(), await ofItsOwn.given.organisation()]
    for (let made = 0; made < 3; made++) await connect(ofItsOwn, connected, provider)

    const without = await statementsWith(plain)
    const withThem = await statementsWith(connected)
    expect([without.buttons, withThem.buttons]).toEqual([0, 3])
    expect(withThem.statements).toEqual(without.statements)
    expect(without.statements).toHaveLength(2)
    await ofItsOwn.stop()
  })
})
