import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { useBrowserAndService } from '../support/browser.ts'
import { linkedIdentity } from '../support/connections.ts'
import { connect } from '../support/federation.ts'
import { type TestOrganisation, unique } from '../support/given.ts'
import { type Behaviour, type IdentityProvider, listeningProvider } from '../support/identity-provider.ts'

const { browser, service } = useBrowserAndService()

let provider: IdentityProvider & { close(): Promise<void> }
let usual: Behaviour
let own: TestOrganisation
let connectionId: string
beforeAll(async () => {
  provider = await listeningProvider()
  usual = { ...provider.behaviour }
  own = await service().given.organisation()
  connectionId = await connected(own)
})
afterAll(() => provider.close())
afterEach(async () => {
  Object.assign(provider.behaviour, usual)
  for (const context of browser().contexts()) await context.close()
})

const connected = (organisation: { id: string }, changes: object = {}, more: object = {}) =>
  connect(service(), organisation, provider, {
    provisioning: 'jit',
    configuration: JSON.stringify({
      issuer: provider.issuer,
      clientId: 'gatehouse',
      emailTrust: 'verified_claim',
      allowedDomains: ['*'],
      ...more,
    }),
    ...changes,
  })

const person = (claims: object = {}) => ({ sub: `sub-${unique()}`, email: `ada-${unique()}@example.test`, email_verified: true, ...claims })

/** Opens the address of a sign-in by a connection, and agrees to it. */
async function begin(page: Page, id: string): Promise<void> {
  await page.goto(`${service().origin}/federation/${id}/start?returnTo=/account`)
  if ((await page.locator('form button').count()) === 0) return
  await page.click('form button')
  const refused = page.getByRole('heading', { name: 'Sign-in failed' }).waitFor()
  await Promise.any([page.waitForURL((url) => !url.pathname.endsWith('/start')), refused])
}

/** A new browser that begins to sign in by a connection, and is back from the provider. */
async function visit(id: string): Promise<Page> {
  const page = await (await browser().newContext({ locale: 'en' })).newPage()
  await begin(page, id)
  return page
}

const pathOf = (page: Page) => new URL(page.url()).pathname
const textOf = (page: Page) => page.locator('main').textContent()
const referenceOn = async (page: Page) => /[0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{4}/.exec((await textOf(page)) ?? '')?.[0]

/** No user is signed in there. */
async function expectNobody(page: Page): Promise<void> {
  await page.goto(`${service().origin}/account`)
  expect(pathOf(page)).toBe('/login')
}

const encode = (header: object) => Buffer.from(JSON.stringify(header)).toString('base64url')
const now = () => Math.floor(Date.now() / 1_000)
const claims = (changes: object | (() => object)): Partial<Behaviour> => ({
  claims: (before) => ({ ...before, ...(typeof changes === 'function' ? changes() : changes) }),
})

describe('a browser that comes back from an identity provider', () => {
  it.each<[what: string, check: string, Partial<Behaviour>]>([
    ['an ID token of another issuer', 'iss', claims({ iss: 'https://other.example.test' })],
    ['one for another client', 'aud', claims({ aud: 'other' })],
    ['one for several clients, issued to another', 'azp', claims({ aud: ['gatehouse', 'other'], azp: 'other' })],
    ['one for several clients, issued to no client', 'azp', claims({ aud: ['gatehouse', 'other'] })],
    ['one with another nonce', 'nonce', claims({ nonce: 'other' })],
    ['one that has expired', 'exp', claims(() => ({ iat: now() - 400, exp: now() - 61 }))],
    ['one that is older than ten minutes', 'iat', claims(() => ({ iat: now() - 661 }))],
    ['one that is signed by an unknown key', 'signature', { header: { kid: 'unknown' } }],
    ['one that is not signed', 'alg', { idToken: (token) => `${encode({ alg: 'none' })}.${token.split('.')[1]}.` }],
    [
      'one that is signed with the secret',
      'alg',
      { idToken: (token) => `${encode({ alg: 'HS256' })}.${token.split('.')[1]}.c2lnbmF0dXJl` },
    ],
    ['another subject at the UserInfo endpoint', 'sub of UserInfo', { userInfo: (before) => ({ ...before, sub: 'other' }) }],
    [
      'the issuer of another in the response',
      'iss of the response',
      { response: (before) => ({ ...before, iss: 'https://other.example.test' }) },
    ],
    ['an error', 'response', { response: ({ state = '' }) => ({ state, error: 'access_denied' }) }],
    ['a code that is unknown there', 'token endpoint', { response: (before) => ({ ...before, code: 'unknown' }) }],
  ])('with %s is told that the sign-in failed, with a reference that names the check', async (_, check, behaviour) => {
    Object.assign(provider.behaviour, { user: person(), ...behaviour })
    const page = await visit(connectionId)
    const { body } = await own.owner.get(`/v1/admin/diagnostics/${await referenceOn(page)}`)
    expect(body).toMatchObject({ endpoint: 'federation', connectionId, check })
    expect(body.checks.find(({ passed }: { passed: boolean }) => !passed)).toMatchObject({ name: check })
    await expectNobody(page)
  })

  it('that began elsewhere, or with a state that is used, is told to begin again', async () => {
    provider.behaviour.user = person()
    let back = ''
    const page = await (await browser().newContext({ locale: 'en' })).newPage()
    page.on('request', (request) => {
      if (request.url().includes('/callback?')) back = request.url()
    })
    await begin(page, connectionId)
    expect(pathOf(page)).toBe('/account')
    await page.goto(back)
    expect(await textOf(page)).toMatch(/sign-in failed|expired/i)

    const stranger = await (await browser().newContext({ locale: 'en' })).newPage()
    await stranger.goto(back)
    expect(await textOf(stranger)).toMatch(/sign-in failed|expired/i)
    await expectNobody(stranger)
  })

  it('from one that says it is another in its discovery document is told so before it leaves', async () => {
    const other = await listeningProvider()
    other.behaviour.metadata = (metadata) => ({ ...metadata, issuer: 'https://other.example.test' })
    const id = await connect(service(), own, other)
    const page = await visit(id)
    const { body } = await own.owner.get(`/v1/admin/diagnostics/${await referenceOn(page)}`)
    expect(body).toMatchObject({ connectionId: id, check: expect.stringMatching(/^discovery/) })
    await other.close()
  })
})

describe('who comes by a connection', () => {
  interface Scene {
    organisation: TestOrganisation
    id: string
  }
  const verified = (organisation: { id: string }, userId: string) =>
    service()
      .database.tenant(organisation.id)
      .updateTable('users')
      .set({ emailVerifiedAt: service().clock.now() })
      .where('id', '=', userId)
      .execute()
  const linked = async ({ organisation, id }: Scene) => {
    const user = await service().given.user(organisation.owner)
    const { subject } = await linkedIdentity(service(), { organisationId: organisation.id, userId: user.id, connectionId: id })
    return { user, claims: person({ sub: subject, email: organisation.owner.email }) }
  }

  it.each<[who: string, outcome: string | RegExp, (scene: Scene) => Promise<object>, changes?: object]>([
    ['an account that is linked', '/account', async (scene) => (await linked(scene)).claims],
    [
      'one whose user is blocked',
      /is blocked/,
      async (scene) => {
        const { user, claims } = await linked(scene)
        await scene.organisation.owner.patch(`/v1/admin/users/${user.id}`, { blockedAt: '2026-01-31T09:30:00Z' })
        return claims
      },
    ],
    [
      'one whose user is deleted',
      /cannot be used here|no account here/i,
      async (scene) => {
        const { user, claims } = await linked(scene)
        await scene.organisation.owner.delete(`/v1/admin/users/${user.id}`)
        return { ...claims, email: user.email }
      },
    ],
    ['an address that is not proven', /did not confirm an e-mail address/, async () => person({ email_verified: false })],
    [
      'the address of a user, both having proven it',
      '/account',
      async ({ organisation }) => {
        const user = await service().given.user(organisation.owner)
        await verified(organisation, user.id)
        return person({ email: user.email })
      },
      { linking: 'automatic' },
    ],
    [
      'the address of a user who has to confirm it',
      '/link',
      async ({ organisation }) => person({ email: (await service().given.user(organisation.owner)).email }),
    ],
    [
      'the address of a user where none is linked',
      /There is an account with your e-mail address/,
      async ({ organisation }) => person({ email: (await service().given.user(organisation.owner)).email }),
      { linking: 'none' },
    ],
    [
      'the address of the owner',
      /There is an account with your e-mail address/,
      async ({ organisation }) => person({ email: organisation.owner.email }),
      { linking: 'automatic' },
    ],
    [
      'the address of another organisation’s user',
      /cannot be used here/,
      async () => person({ email: own.owner.email }),
      { linking: 'automatic' },
    ],
    ['an unknown address', '/account', async () => person()],
    ['an unknown address, where no user is created', /no account here/i, async () => person(), { provisioning: 'none' }],
    [
      'an address that is invited, where no user is created',
      '/account',
      async ({ organisation }) => {
        const { email, ...others } = person()
        const { id: roleId } = await service().given.role(organisation.owner)
        expect(await organisation.owner.post('/v1/admin/invitations', { email, roleId })).toMatchObject({ status: 201 })
        return { email, ...others }
      },
      { provisioning: 'none' },
    ],
  ])('%s: %s', async (_, outcome, prepare, changes) => {
    const organisation = await service().given.organisation()
    const id = await connected(organisation, changes)
    provider.behaviour.user = (await prepare({ organisation, id })) as Behaviour['user']
    const page = await visit(id)
    if (typeof outcome === 'string') return expect(pathOf(page)).toBe(outcome)
    expect(await textOf(page)).toMatch(outcome)
    await expectNobody(page)
  })

  it('an organisation that is suspended, and a connection that is switched off, sign no user in', async () => {
    const organisation = await service().given.organisation()
    const id = await connected(organisation, { isActive: false })
    provider.behaviour.user = person()
    expect(await textOf(await visit(id))).toContain('not available')
    const active = await connected(organisation)
    await service().operator.patch(`/v1/system/organisations/${organisation.id}/suspend`, { reason: 'Payment overdue' })
    const page = await visit(active)
    expect(await textOf(page)).toContain('not available')
    await expectNobody(page)
  })
})
