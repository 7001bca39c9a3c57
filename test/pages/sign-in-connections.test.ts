import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { enrolAuthenticator } from '../support/authenticator.ts'
import { createConnection } from '../support/connections.ts'
import { freshEngine } from '../support/database.ts'
import { insertConnection, verifiedDomain } from '../support/domains.ts'
import { codeIn } from '../support/email-codes.ts'
import { connect } from '../support/federation.ts'
import { type TestOrganisation, unique } from '../support/given.ts'
import { type IdentityProvider, listeningProvider } from '../support/identity-provider.ts'
import { givenApplication, pkce } from '../support/oauth.ts'
import { PageVisitor } from '../support/page-visitor.ts'
import { PasskeyDevice, registerPasskey } from '../support/passkeys.ts'
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

/** Where the link of a page with this text leads. */
const linkIn = (body: string, text: string) =>
  [...body.matchAll(/<a\b[^>]*href="([^"]*)"[^>]*>([\s\S]*?)<\/a>/g)]
    .filter(([, , content = '']) =>
      content
        .replaceAll(/<[^>]+>/g, '')
        .trim()
        .startsWith(text),
    )
    .map(([, href]) => unescaped(href))[0] ?? ''

/** What an address asks of the sign-in. */
const wishesIn = (href: string) => {
  const { searchParams } = new URL(href, service().origin)
  return { login_hint: searchParams.get('login_hint'), prompt: searchParams.get('prompt') }
}
const wishesOf = ({ email }: { email: string }) => ({ login_hint: email, prompt: 'login' })

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

  it('passes it on after a wrong password and after a wrong passkey as well, and offers no session that is not asked for', async () => {
    const organisation = await service().given.organisation()
    await connect(service(), organisation, provider)
    const { visitor, location } = await signInPage(organisation, { login_hint: 'ada@example.test' })
    const { email, password } = organisation.owner
    await visitor.submit('/login', { email, password })
    const anew = `${location}&prompt=login`
    const actionsOf = (body: string) => [...body.matchAll(/<form[^>]* action="(\/login[^"]*)"/g)].map(([, action]) => unescaped(action))

    const { body: opened } = await visitor.open(anew)
    expect(actionsOf(opened)).toHaveLength(2)
    for (const fields of [
      { email, password: 'wrong' },
      { credential: '{}', flowToken: 'x' },
    ])
      for (const action of actionsOf(opened)) {
        const { status, body } = await visitor.submit(action, fields, {}, anew)
        expect(status).toBeGreaterThanOrEqual(400)
        expect(body).not.toContain('You are signed in as')
        for (const { href } of buttonsIn(body))
          expect(Object.fromEntries(new URL(href, service().origin).searchParams)).toMatchObject({
            login_hint: 'ada@example.test',
            prompt: 'login',
          })
        expect(buttonsIn(body)).toHaveLength(1)
      }
    // Without that request, the page says who is signed in.
    expect((await visitor.submit(location, { email, password: 'wrong' })).body).toContain(`You are signed in as ${email}`)
  })

  it('passes it on where the second factor came too late, and says so', async () => {
    const organisation = await service().given.organisation()
    await connect(service(), organisation, provider)
    const { owner } = organisation
    const { authenticator } = await enrolAuthenticator(owner, service().clock)
    const other = await service().given.user(owner)
    const { visitor, location } = await signInPage(organisation, { login_hint: owner.email })
    await visitor.submit('/login', { email: other.email, password: owner.password })

    const asked = await visitor.submit(`${location}&prompt=login`, { email: owner.email, password: owner.password })
    const secondFactor = asked.headers.get('location') ?? ''
    expect(secondFactor).toMatch(/^\/login\/mfa\?/)
    const { body: question } = await visitor.open(secondFactor)
    expect(wishesIn(linkIn(question, 'Use another account'))).toEqual(wishesOf(owner))
    service().clock.advance({ minutes: 6 })
    const late = await visitor.submit(secondFactor, { code: authenticator.nextCode() })
    const again = late.headers.get('location') ?? ''
    expect(wishesIn(again)).toEqual(wishesOf(owner))
    const { body } = await visitor.open(again)
    expect(body).toContain('That took too long')
    expect(body).not.toContain('You are signed in as')
    for (const { href } of buttonsIn(body)) expect(wishesIn(href)).toEqual(wishesOf(owner))
    expect(buttonsIn(body)).toHaveLength(1)

    // What has just happened is said also where the session would do.
    const plain = (await visitor.open('/login?notice=step-expired')).body
    expect(plain).toContain('That took too long')
  })

  it('passes it on through the pages of a code by e-mail and of a forgotten password, and back', async () => {
    const organisation = await service().given.organisation()
    const { owner } = organisation
    await owner.patch('/v1/admin/organisation', { signInPolicy: { emailCode: 'allowed' } })
    await enrolAuthenticator(owner, service().clock)
    const { visitor, location } = await signInPage(organisation, { login_hint: owner.email })
    const { body } = await visitor.open(`${location}&prompt=login`)
    for (const label of ['Send me a code by e-mail', 'Forgot password?']) {
      const { body: opened } = await visitor.open(linkIn(body, label))
      expect(opened).toContain(`value="${owner.email}"`)
      expect(wishesIn(linkIn(opened, 'Back to sign-in'))).toEqual(wishesOf(owner))
    }

    const byCode = await visitor.submit(linkIn(body, 'Send me a code by e-mail'), { email: owner.email })
    const step = await visitor.open(byCode.headers.get('location') ?? '')
    expect(wishesIn(linkIn(step.body, 'Back to sign-in'))).toEqual(wishesOf(owner))
    const token = await service().mailbox.tokenTo(owner.email, 'Sign in to')
    const mailed = `/login/email?token=${token}`
    const { body: linked } = await visitor.open(mailed)
    const next = await visitor.submit(unescaped(/action="([^"]*)"/.exec(linked)?.[1]), { token }, {}, mailed)
    expect(next.headers.get('location')).toMatch(/^\/login\/mfa\?prompt=login&returnTo=%2Foauth2%2Fauthorize/)
  })

  it('passes it on from the page of a refusal by the identity provider, in the same language', async () => {
    const organisation = await service().given.organisation()
    await connect(service(), organisation, provider)
    const { owner } = organisation
    const { visitor, location } = await signInPage(organisation, { login_hint: owner.email })
    const { body } = await visitor.open(`${location}&prompt=login&ui_locales=de`)
    provider.behaviour.response = ({ state = '' }) => ({ state, error: 'access_denied' })

    const { completed } = await signInThere(visitor, buttonsIn(body)[0]?.href ?? '')
    expect(completed.body).toContain('<html lang="de">')
    for (const label of ['Noch einmal versuchen', 'Auf andere Weise anmelden']) {
      const href = linkIn(completed.body, label)
      expect(wishesIn(href)).toEqual(wishesOf(owner))
      expect(href).toContain('ui_locales=de')
    }
    const { sent } = await signInThere(visitor, linkIn(completed.body, 'Noch einmal versuchen'))
    expect(Object.fromEntries(sent)).toMatchObject(wishesOf(owner))
  })

  it('says it in the language of the page, in which the sign-in continues', async () => {
    const organisation = await service().given.organisation()
    await connect(service(), organisation, provider, { ...jit(), name: 'Acme' })
    const { visitor, location } = await signInPage(organisation)
    const { body } = await visitor.open(`${location}&ui_locales=de`)
    const [button] = buttonsIn(body)
    expect(button).toMatchObject({ text: 'Weiter mit Acme', href: expect.stringContaining('ui_locales=de') })

    asUser()
    const { completed } = await signInThere(visitor, button?.href ?? '')
    expect(continuedTo(completed.body)).toMatch(/^\/oauth2\/authorize\?request=[\w-]+&ui_locales=de$/)
  })

  it('keeps that language on the steps after the identity provider', async () => {
    const organisation = await service().given.organisation()
    await connect(service(), organisation, provider)
    const user = await service().given.user(organisation.owner)
    const { visitor, location } = await signInPage(organisation)
    const german = async () => buttonsIn((await visitor.open(`${location}&ui_locales=de`)).body)[0]?.href ?? ''
    provider.behaviour.user = { sub: `sub-${unique()}`, email: user.email, email_verified: true }

    const { completed: toLink } = await signInThere(visitor, await german())
    expect(toLink.headers.get('location')).toBe('/link?ui_locales=de')
    const { body } = await visitor.open('/link?ui_locales=de')
    expect(body).toContain('<html lang="de">')
    service().clock.advance({ seconds: 1 })
    const signedIn = await visitor.submit(linkIn(body, 'Anmelden'), { email: user.email, password: organisation.owner.password })
    expect(signedIn.headers.get('location')).toBe('/link?ui_locales=de')
    await visitor.submit('/link?ui_locales=de', {})
    expect(await service().mailbox.mailTo(user.email, 'Ein Konto wurde mit Ihrem verknüpft')).toBeDefined()

    await enrolAuthenticator(await service().given.signIn(user.email), service().clock)
    const { completed } = await signInThere(visitor, await german())
    const secondFactor = completed.headers.get('location') ?? ''
    expect(secondFactor).toMatch(/^\/login\/mfa\?/)
    expect(secondFactor).toContain('&ui_locales=de')
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

describe('the way that was used last', () => {
  it('is marked in the browser that used it, at that organisation, and comes first', async () => {
    const organisation = await service().given.organisation()
    for (const name of ['First', 'Second']) await connect(service(), organisation, provider, { ...jit(), name })
    const used = await connect(service(), organisation, provider, { ...jit(), name: 'Third' })
    asUser()
    const { visitor, body, location } = await signInPage(organisation)
    expect(body).not.toContain('Last used')

    const { href = '' } = buttonsIn(body).find((button) => button.href.includes(used)) ?? {}
    const { completed } = await signInThere(visitor, href)
    const [cookie] = completed.headers.getSetCookie().filter((line) => line.startsWith('svc_last_'))
    expect(cookie).toMatch(new RegExp(`^svc_last_${organisation.id}=${used}; .*Path=/login; HttpOnly;.* SameSite=Lax`))
    const again = await visitor.open(`${location}&prompt=login`)
    const [first, ...others] = buttonsIn(again.body).map(({ text }) => text)
    expect([first, others.toSorted()]).toEqual(['Continue with Third Last used', ['Continue with First', 'Continue with Second']])

    await visitor.submit('/login', { email: organisation.owner.email, password: organisation.owner.password }, {}, location)
    const elsewhere = await service().given.organisation()
    await connect(service(), elsewhere, provider)
    const { location: other } = await askedBy(visitor, elsewhere, { prompt: 'login' })
    expect((await visitor.open(other)).body).not.toContain('Last used')
  })

  it('may be the password, and is noted only where there is a choice', async () => {
    const organisation = await service().given.organisation()
    const { email, password } = organisation.owner
    const alone = await signInPage(organisation)
    const plain = await alone.visitor.submit(alone.location, { email, password })
    expect(plain.headers.getSetCookie().join()).not.toContain('svc_last_')

    await connect(service(), organisation, provider)
    const { visitor, location } = await signInPage(organisation)
    await visitor.submit(location, { email, password })
    expect((await visitor.open(`${location}&prompt=login`)).body).toMatch(
      /<button class="button" type="submit"><span>Sign in<.span> <span class="badge">Last used/,
    )
  })

  it('may be a passkey, and then a code by e-mail', async () => {
    const organisation = await service().given.organisation()
    const { owner } = organisation
    await owner.patch('/v1/admin/organisation', { signInPolicy: { emailCode: 'allowed' } })
    await connect(service(), organisation, provider)
    const device = new PasskeyDevice()
    await registerPasskey(owner, device)
    const { visitor, location } = await signInPage(organisation)
    const again = async () => (await visitor.open(`${location}&prompt=login`)).body
    const marked = (body: string) => [...body.matchAll(/<span>([^<]*)<.span> <span class="badge">Last used/g)].map(([, label]) => label)

    const form = await visitor.passkeyForm(location)
    const proof = { flowToken: form?.flowToken ?? '', credential: JSON.stringify(device.get(form?.options ?? {})) }
    const signedIn = await visitor.submit(form?.action ?? '', proof, {}, location)
    expect(signedIn.headers.getSetCookie().join()).toContain(`svc_last_${organisation.id}=passkey;`)
    expect(marked(await again())).toEqual(['Sign in with a passkey'])

    await expect.poll(again).toContain('href="/login/email')
    const byCode = unescaped(/href="(\/login\/email[^"]*)"/.exec(await again())?.[1])
    const asked = await visitor.submit(byCode, { email: owner.email })
    const { text } = await service().mailbox.mailTo(owner.email, 'Sign in to')
    await visitor.submit(asked.headers.get('location') ?? '', { code: codeIn(text) })
    expect(marked(await again())).toEqual(['Send me a code by e-mail'])
  })
})

describe('the sign-in page of an organisation whose domain leads to a connection', () => {
  async function led(sso: 'offered' | 'required') {
    const organisation = await service().given.organisation()
    const connectionId = await connect(service(), organisation, provider, { ...jit(), name: 'Workforce' })
    const other = await connect(service(), organisation, provider, { ...jit(), name: 'Partners' })
    const { domain, id } = await verifiedDomain(service(), organisation.owner, { connectionId, sso })
    return { organisation, connectionId, other, domain, path: `/v1/admin/domains/${id}` }
  }
  const passwordField = 'name="password"'

  it.each(['offered', 'required'] as const)('asks for the address alone, which leads there where it is %s', async (sso) => {
    const { organisation, connectionId, other, domain } = await led(sso)
    const { visitor, location, body } = await signInPage(organisation)
    expect(body).not.toContain(passwordField)
    expect(buttonsIn(body)).toMatchObject([{ text: 'Continue with Partners', href: expect.stringContaining(other) }])

    const [, action = ''] = /action="([^"]+)"/.exec(body) ?? []
    const asked = await visitor.submit(unescaped(action), { email: `Ada@${domain.toUpperCase()}` }, {}, location)
    const to = new URL(continuedTo(asked.body))
    expect([to.origin, to.pathname]).toEqual(['http://gatehouse.test', `/federation/${connectionId}/start`])
    expect(to.searchParams.get('login_hint')).toBe(`ada@${domain}`)
    expect(to.searchParams.get('returnTo')).toMatch(/^\/oauth2\/authorize\?request=/)
    asUser()
    expect((await signInThere(visitor, to.pathname + to.search)).completed.status).toBe(200)
  })

  it('continues with the password for every other address, with an account or without', async () => {
    const { organisation } = await led('required')
    const elsewhere = await led('required')
    const { visitor, location, body } = await signInPage(organisation)
    const [, action = ''] = /action="([^"]+)"/.exec(body) ?? []
    const { email, password } = organisation.owner
    const next = []
    for (const address of [email, 'nobody@example.test', `guest@${elsewhere.domain}`, 'no address']) {
      const { status, headers } = await visitor.submit(unescaped(action), { email: address }, {}, location)
      next.push([status, headers.get('location')?.replace(encodeURIComponent(address).replaceAll('%20', '+'), 'ADDRESS')])
    }
    expect(new Set(next.map(String)).size).toBe(1)
    const { headers } = await visitor.submit(unescaped(action), { email }, {}, location)
    const step = headers.get('location') ?? ''
    const page = await visitor.open(step)
    expect(page.body).toContain(passwordField)
    expect(page.body).toContain(`value="${email}"`)
    expect(buttonsIn(page.body)).toHaveLength(2)
    const wrong = await visitor.submit(step, { email, password: 'not the password' })
    expect([wrong.status, wrong.body.includes(passwordField)]).toEqual([401, true])
    expect((await visitor.submit(step, { email, password })).status).toBe(200)
  })

  it('has a way to the password without an address, and is as before once nothing is led', async () => {
    const { organisation, path, connectionId } = await led('offered')
    const { visitor, body, location } = await signInPage(organisation)
    const [, toPassword = ''] = /href="([^"]+)">Sign in with a password/.exec(body) ?? []
    expect((await visitor.open(unescaped(toPassword))).body).toContain(passwordField)

    await organisation.owner.patch(`/v1/admin/connections/${connectionId}`, { isActive: false })
    const { domain } = (await organisation.owner.get(path)).body ?? {}
    const [, action = ''] = /action="([^"]+)"/.exec(body) ?? []
    const asked = await visitor.submit(unescaped(action), { email: `ada@${domain}` }, {}, location)
    expect(asked.headers.get('location')).toContain('step=password')
    await organisation.owner.patch(path, { sso: 'off' })
    expect((await visitor.open(location)).body).toContain(passwordField)
  })

  it('is reached from the page of no organisation by a link, which is there only if it leads anywhere', async () => {
    const engine = recordingEngine(await freshEngine())
    const ofItsOwn = await startTestService({ engine })
    const visitor = new PageVisitor(ofItsOwn.origin)
    const read = async () => {
      engine.statements.length = 0
      const { body } = await visitor.open('/login')
      return { isThere: body.includes('href="/login/sso"'), statements: engine.statements.filter(({ ofRequest }) => ofRequest).length }
    }
    const organisation = await ofItsOwn.given.organisation()
    await ofItsOwn.settled()
    expect(await read()).toEqual({ isThere: false, statements: 0 })

    const connectionId = await insertConnection(ofItsOwn, organisation.id)
    const { domain } = await verifiedDomain(ofItsOwn, organisation.owner, { connectionId, sso: 'offered' })
    await ofItsOwn.settled()
    expect(await read()).toEqual({ isThere: true, statements: 0 })
    expect((await visitor.open('/login')).body).toContain(passwordField)
    const asked = await visitor.submit('/login/sso', { email: `ada@${domain}` })
    expect(continuedTo(asked.body)).toContain(`/federation/${connectionId}/start?login_hint=`)
    await ofItsOwn.stop()
  })
})

describe('a connection that an import has brought without its secret', () => {
  it('is offered nowhere, and counts as no way to sign in, until it has one', async () => {
    const organisation = await service().given.organisation()
    const { owner } = organisation
    const [connectionId, shown] = [
      await connect(service(), organisation, provider, { secretEncrypted: null }),
      await connect(service(), organisation, provider, { secretEncrypted: null }),
    ]
    const { domain } = await verifiedDomain(service(), owner, { connectionId, sso: 'offered' })
    const identified = async () =>
      (await service().anonymous.post('/v1/auth/identify', { email: `ada@${domain}` })).body.connections.map(({ id }: { id: string }) => id)
    const byDomain = async () =>
      continuedTo((await new PageVisitor(service().origin).submit('/login/sso', { email: `ada@${domain}` })).body)
    const named = async () => (await askedBy(new PageVisitor(service().origin), organisation, { connection: connectionId })).location
    const buttons = async () => buttonsIn((await signInPage(organisation)).body)
    const withoutPasswords = () => owner.patch('/v1/admin/organisation', { signInPolicy: { password: 'disabled', passkeys: 'off' } })

    expect(await identified()).toEqual([])
    expect(await byDomain()).not.toContain('/federation/')
    expect(await named()).toMatch(/^\/login\?returnTo=/)
    expect(await buttons()).toEqual([])
    expect(await withoutPasswords()).toMatchObject({ status: 400, body: { errors: [{ reason: 'no-way-to-sign-in' }] } })

    for (const id of [connectionId, shown])
      expect((await owner.post(`/v1/admin/connections/${id}/rotate-secret`, { secret: 'new', gracePeriodSeconds: 0 })).status).toBe(200)
    expect(await identified()).toEqual([connectionId])
    expect(await byDomain()).toContain(`/federation/${connectionId}/start?`)
    expect(await named()).toContain(`/federation/${connectionId}/start?`)
    expect(await buttons()).toMatchObject([{ href: expect.stringContaining(shown) }])
    expect(await withoutPasswords()).toMatchObject({ status: 200 })
  })
})

describe('an authorization request', () => {
  it('that names a connection goes there at once, by its id or its slug', async () => {
    const organisation = await service().given.organisation()
    const slug = `slug-${unique()}`
    const connectionId = await connect(service(), organisation, provider, { ...jit(), slug })
    const authTime = Math.floor(service().clock.now().getTime() / 1_000)
    provider.behaviour.claims = (claims) => ({ ...claims, auth_time: authTime })
    for (const connection of [connectionId, slug]) {
      const visitor = new PageVisitor(service().origin)
      const { location } = await askedBy(visitor, organisation, { connection, prompt: 'login', login_hint: 'ada@example.test' })
      expect(location).toContain(`/federation/${connectionId}/start?`)
      asUser()
      const { sent, completed } = await signInThere(visitor, location)
      expect(Object.fromEntries(sent)).toMatchObject({ prompt: 'login', login_hint: 'ada@example.test' })
      const answered = await visitor.open(continuedTo(completed.body))
      expect(new URL(answered.headers.get('location') ?? '').searchParams.get('code')).toBeTruthy()
    }
  })

  it('ignores one that is unknown, inactive or of another organisation', async () => {
    const [organisation, elsewhere] = [await service().given.organisation(), await service().given.organisation()]
    const inactive = await connect(service(), organisation, provider, { isActive: false })
    for (const connection of ['unknown', inactive, await connect(service(), elsewhere, provider), 'a%00b', "' or true"]) {
      const { location } = await askedBy(new PageVisitor(service().origin), organisation, { connection })
      expect(location).toMatch(/^\/login\?returnTo=/)
    }
  })

  it('goes where the domain of its login_hint requires it, of this organisation alone', async () => {
    const [organisation, elsewhere] = [await service().given.organisation(), await service().given.organisation()]
    const connectionId = await connect(service(), organisation, provider)
    const { domain, id } = await verifiedDomain(service(), organisation.owner, { connectionId, sso: 'required' })
    const locationOf = async (asking: TestOrganisation, hint: string) =>
      (await askedBy(new PageVisitor(service().origin), asking, { login_hint: hint })).location

    expect(await locationOf(organisation, `ada@${domain}`)).toContain(`/federation/${connectionId}/start?`)
    expect(await locationOf(elsewhere, `ada@${domain}`)).toContain('/login?')
    expect(await locationOf(organisation, 'ada@example.test')).toContain('/login?')
    await organisation.owner.patch(`/v1/admin/domains/${id}`, { sso: 'offered' })
    expect(await locationOf(organisation, `ada@${domain}`)).toContain('/login?')
  })

  it('leads nowhere with prompt=none', async () => {
    const organisation = await service().given.organisation()
    const connection = await connect(service(), organisation, provider)
    const { location } = await askedBy(new PageVisitor(service().origin), organisation, { connection, prompt: 'none' })

    expect(new URL(location).searchParams.get('error')).toBe('login_required')
  })
})
