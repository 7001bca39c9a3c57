import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { linkedIdentity } from '../support/connections.ts'
import { connect } from '../support/federation.ts'
import { type IdentityProvider, listeningProvider } from '../support/identity-provider.ts'
import { PageVisitor } from '../support/page-visitor.ts'
import { useService } from '../support/service.ts'

const service = useService()
const returnTo = '/account/passkeys'

let provider: IdentityProvider & { close(): Promise<void> }
beforeAll(async () => {
  provider = await listeningProvider({ now: () => service().clock.now() })
})
afterAll(() => provider.close())

/** A user with a linked account, and neither password nor passkey. */
async function linkedUser() {
  const own = await service().given.organisation()
  const user = await service().given.userWith(own.owner, [])
  const connectionId = await connect(service(), own, provider)
  const { subject } = await linkedIdentity(service(), { organisationId: own.id, userId: user.id, connectionId })
  await service().database.tenant(own.id).updateTable('users').set({ passwordHash: null }).where('id', '=', user.id).execute()
  return { own, user, browser: new PageVisitor(service().origin, user.cookie), connectionId, subject }
}

describe('a user whose linked account is the only way to sign in', () => {
  it('proves who they are by signing in there again, not by a password that they do not have', async () => {
    const { own, browser, connectionId } = await linkedUser()

    const { status, body } = await browser.open(`/reauthenticate?${new URLSearchParams({ returnTo })}`)

    expect(status).toBe(200)
    expect(body).not.toContain('name="password"')
    expect(body).toContain('Sign in with Workforce')
    expect((await browser.open('/reauthenticate?ui_locales=de')).body).toContain('Mit Workforce anmelden')
    await own.owner.patch(`/v1/admin/connections/${connectionId}`, { isActive: false })
    expect((await browser.open('/reauthenticate')).body).toContain('href="/login?prompt=login"')
  })

  it('is fresh again after that', async () => {
    const { user, browser, subject } = await linkedUser()
    service().clock.advance({ minutes: 16 })
    expect((await user.post('/v1/me/passkeys/options', {})).status).toBe(403)
    const authTime = Math.floor(service().clock.now().getTime() / 1000)
    Object.assign(provider.behaviour, { user: { sub: subject, auth_time: authTime } })

    const { body } = await browser.open(`/reauthenticate?${new URLSearchParams({ returnTo })}`)
    const [, start = ''] = /href="(\/federation\/[^"]+)"/.exec(body) ?? []
    const started = await browser.open(start.replaceAll('&amp;', '&'))
    const request = new URL(started.headers.get('location') ?? '').searchParams
    expect([request.get('prompt'), request.get('max_age')]).toEqual(['login', '0'])
    const { pathname, search } = new URL(provider.authorize(request))
    const done = await browser.open(pathname + search)

    expect(done.headers.get('location')).toBe(returnTo)
    expect((await browser.open(returnTo)).body).not.toContain('/reauthenticate')
  })

  it('is led to the sign-in page, whose codes by e-mail prove it, where the provider does not say when it asked the user', async () => {
    const { own, browser, connectionId } = await linkedUser()
    const tenant = service().database.tenant(own.id)
    await tenant.updateTable('connections').set({ provider: 'google' }).where('id', '=', connectionId).execute()
    const { body } = await browser.open('/reauthenticate')
    expect(body).toContain('href="/login?prompt=login"')
    expect(body).not.toContain('/federation/')
  })

  it('is told so alone: who has a password is asked for it', async () => {
    const { own } = await linkedUser()
    const colleague = await service().given.userWith(own.owner, [])
    const { body } = await new PageVisitor(service().origin, colleague.cookie).open('/reauthenticate')
    expect(body).toContain('name="password"')
    expect(body).not.toContain('Workforce')
  })
})

describe('the proof of who a user is', () => {
  const withConsole = `/account/passkeys?${new URLSearchParams({ returnTo: '/console/users?page=2', ui_locales: 'en' })}`
  const at = (target: string) => `/reauthenticate?${new URLSearchParams({ returnTo: target })}`
  const wayBack = 'href="/console/users?page=2"'

  it('on the way to a page of the account is a page of it: it leads back to the console, and has its script', async () => {
    const { owner } = await service().given.organisation()
    const user = await service().given.userWith(owner, [])
    const browser = new PageVisitor(service().origin, user.cookie)

    for (const target of [withConsole, withConsole.replace('passkeys', 'identities')]) {
      const { body } = await browser.open(at(target))
      for (const text of [wayBack, 'Back to the console', '/assets/account-', 'data-shows="password"']) expect(body).toContain(text)
    }
    const refused = await browser.submit(at(withConsole), { password: 'a wrong one' })
    expect(refused).toMatchObject({ status: 400, body: expect.stringContaining(wayBack) })
    const { body } = await browser.open(at('/account/passkeys'))
    expect(body).toContain('/assets/account-')
    expect(body).not.toContain('Back to the console')
  })

  it('on any other way is not, even for an address that begins alike', async () => {
    const { owner } = await service().given.organisation()
    const browser = new PageVisitor(service().origin, owner.cookie)
    for (const target of ['/device', '/accounts?returnTo=/console', '/console/users?page=2']) {
      const { body } = await browser.open(at(target))
      expect([target, body.includes('Back to the console'), body.includes('/assets/account-')]).toEqual([target, false, false])
    }
  })

  it('leads to no other site on the way back', async () => {
    const { owner } = await service().given.organisation()
    const browser = new PageVisitor(service().origin, owner.cookie)
    const { body } = await browser.open(at(`/account/passkeys?${new URLSearchParams({ returnTo: '//evil.example/console' })}`))
    expect(body).toMatch(/class="way-back"><a href="\/console"/)
  })
})
