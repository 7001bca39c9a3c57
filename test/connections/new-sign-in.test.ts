import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enrolAuthenticator } from '../support/authenticator.ts'
import { linkedIdentity } from '../support/connections.ts'
import { clientOf, connect, signInBy } from '../support/federation.ts'
import type { SignedInUser } from '../support/given.ts'
import { type IdentityProvider, listeningProvider } from '../support/identity-provider.ts'
import { claimsOf, givenApplication, pkce, type TestApplication } from '../support/oauth.ts'
import { PageVisitor } from '../support/page-visitor.ts'
import { forgetStarts, useService } from '../support/service.ts'

const service = useService()

let provider: IdentityProvider & { close(): Promise<void> }
beforeAll(async () => {
  provider = await listeningProvider({ now: () => service().clock.now() })
})
afterAll(() => provider.close())

const days = 24 * 60 * 60
const secondsAgo = (seconds: number) => Math.floor(service().clock.now().getTime() / 1_000) - seconds

/** A user with a linked account and nothing else to sign in with, unless they keep their password. */
async function linkedUser({ keepsPassword = false } = {}) {
  const application = await givenApplication(service())
  const { organisation } = application
  const user = await service().given.userWith(organisation.owner, [])
  const connectionId = await connect(service(), organisation, provider)
  const { subject } = await linkedIdentity(service(), { organisationId: organisation.id, userId: user.id, connectionId })
  if (!keepsPassword) {
    await service().database.tenant(organisation.id).updateTable('users').set({ passwordHash: null }).where('id', '=', user.id).execute()
  }
  return { application, user, connectionId, subject }
}

/** Signs the account in at the provider, which says when that was, or nothing of it. */
function signedInThere(subject: string, authTime: number | undefined): void {
  provider.behaviour.user = { sub: subject, ...(authTime !== undefined && { auth_time: authTime }) }
}

const continuedTo = (body: string) => /http-equiv="refresh" content="0;url=([^"]*)"/.exec(body)?.[1]?.replaceAll('&amp;', '&') ?? ''

async function ask(visitor: PageVisitor, application: TestApplication, parameters: Record<string, string>) {
  const { verifier, challenge } = pkce()
  const asked = new URLSearchParams({
    ...{ response_type: 'code', client_id: application.id, redirect_uri: application.redirectUri, state: 'xyz', scope: 'openid' },
    ...{ code_challenge: challenge, code_challenge_method: 'S256', ...parameters },
  })
  const answer = await visitor.open(`/oauth2/authorize?${asked}`)
  return { verifier, location: answer.headers.get('location') ?? '' }
}

/** Follows the browser from an authorization request through the provider, and back to what the request needs next. */
async function askAndSignIn(visitor: PageVisitor, application: TestApplication, connection: string, parameters: Record<string, string>) {
  await forgetStarts(service())
  const { verifier, location } = await ask(visitor, application, { connection, ...parameters })
  // As if the person at the browser had taken the wish out of the address.
  const returnTo = new URL(location, service().origin).searchParams.get('returnTo') ?? ''
  const started = await visitor.open(`/federation/${connection}/start?${new URLSearchParams({ returnTo })}`)
  const sent = new URL(started.headers.get('location') ?? '').searchParams
  const back = new URL(provider.authorize(sent))
  const completed = await visitor.open(back.pathname + back.search)
  expect(continuedTo(completed.body)).toBe(returnTo)
  const answered = await visitor.open(returnTo)
  return { verifier, sent, returnTo, next: new URL(answered.headers.get('location') ?? '', service().origin) }
}

async function authTimeOf(application: TestApplication, next: URL, verifier: string): Promise<number> {
  const { body } = await application.redeem(next.searchParams.get('code') ?? '', verifier)
  return claimsOf(body.id_token).auth_time
}

const mayRegisterPasskey = async (user: Pick<SignedInUser, 'post'>) => (await user.post('/v1/me/passkeys/options', {})).status

describe('a new sign-in that an application asks for', () => {
  it.each([
    [{ prompt: 'login' }, { prompt: 'login', max_age: '0' }],
    [{ max_age: '0' }, { prompt: 'login', max_age: '0' }],
    [{ max_age: '3600' }, { prompt: null, max_age: '3600' }],
    [{}, { prompt: null, max_age: null }],
  ])('is asked for by the stored request, never by the address of a page: %o', async (parameters, expected) => {
    const { application, connectionId, subject } = await linkedUser()
    const authTime = secondsAgo(0)
    signedInThere(subject, authTime)
    const visitor = new PageVisitor(service().origin)

    const { sent, next, verifier } = await askAndSignIn(visitor, application, connectionId, parameters as Record<string, string>)

    expect({ prompt: sent.get('prompt'), max_age: sent.get('max_age') }).toEqual(expected)
    expect(await authTimeOf(application, next, verifier)).toBeGreaterThanOrEqual(authTime)
  })

  it.each([
    ['an old session there', 'prompt=login', 3 * days],
    ['an old session there', 'max_age=3600', 3 * days],
    ['nothing of when', 'prompt=login', undefined],
    ['nothing of when', 'max_age=3600', undefined],
  ])('is not met by a provider that answers with %s, and neither loops nor passes: %s', async (_name, wish, age) => {
    const { application, connectionId, subject } = await linkedUser()
    signedInThere(subject, age === undefined ? undefined : secondsAgo(age))

    const visitor = new PageVisitor(service().origin)
    const { next } = await askAndSignIn(visitor, application, connectionId, Object.fromEntries(new URLSearchParams(wish)))

    expect(next.href).toContain(application.redirectUri)
    expect(next.searchParams.get('error')).toBe('login_required')
    expect(next.searchParams.has('code')).toBe(false)
  })

  it.each([
    ['an old session there', 3 * days],
    ['nothing of when', undefined],
  ])('takes a proof of ours where the provider answers with %s and the user has one, and tokens say when that was', async (_name, age) => {
    const { application, user, connectionId, subject } = await linkedUser({ keepsPassword: true })
    signedInThere(subject, age === undefined ? undefined : secondsAgo(age))
    const visitor = new PageVisitor(service().origin)

    const wish = { prompt: 'login', ui_locales: 'de' }
    const { next, returnTo, verifier } = await askAndSignIn(visitor, application, connectionId, wish)
    expect([next.pathname, Object.fromEntries(next.searchParams)]).toEqual(['/reauthenticate', { returnTo, ui_locales: 'de' }])
    // Nothing but the proof leads on.
    expect((await visitor.open(returnTo)).headers.get('location')).toContain('/reauthenticate?')
    service().clock.advance({ seconds: 90 })
    const provenAt = secondsAgo(0)
    const proven = await visitor.submit(next.pathname + next.search, { password: user.password })
    expect(continuedTo(proven.body)).toBe(`${returnTo}&ui_locales=de`)

    const answered = new URL((await visitor.open(returnTo)).headers.get('location') ?? '')
    expect(await authTimeOf(application, answered, verifier)).toBeGreaterThanOrEqual(provenAt)
  })

  it('takes the second factor that the sign-in has asked for', async () => {
    const { application, user, connectionId, subject } = await linkedUser({ keepsPassword: true })
    const { authenticator } = await enrolAuthenticator(user, service().clock)
    signedInThere(subject, secondsAgo(3 * days))
    const visitor = new PageVisitor(service().origin)
    await signInBy(service(), provider, connectionId, { visitor })
    const code = authenticator.nextCode()
    await visitor.submit('/login/mfa', { code })
    expect(await mayRegisterPasskey(await clientOf(service(), visitor))).toBe(200)

    const { location, verifier } = await ask(visitor, application, { max_age: '600' })
    expect(await authTimeOf(application, new URL(location), verifier)).toBeGreaterThanOrEqual(secondsAgo(1))
  })

  it('is not asked for by others, whose tokens name the sign-in at the provider', async () => {
    const { application, connectionId, subject } = await linkedUser()
    const authTime = secondsAgo(3 * days)
    signedInThere(subject, authTime)
    const { next, verifier } = await askAndSignIn(new PageVisitor(service().origin), application, connectionId, {})

    expect(await authTimeOf(application, next, verifier)).toBe(authTime)
  })

  it('is for another user than the one who came: the application is told, and the browser is not sent in circles', async () => {
    const { application, connectionId, subject } = await linkedUser()
    const { id_token: idTokenHint } = await application.signIn({ scope: 'openid' })
    signedInThere(subject, secondsAgo(3 * days))
    const visitor = new PageVisitor(service().origin)
    const { next } = await askAndSignIn(visitor, application, connectionId, { id_token_hint: idTokenHint })

    expect(next.searchParams.get('error')).toBe('login_required')
  })
})

describe('what asks for a recent sign-in', () => {
  it.each([
    ['the provider has asked the user just now', 10, 200],
    ['the provider has asked the user days ago', 3 * days, 403],
    ['the provider does not say when it has asked the user', undefined, 403],
  ])('counts when %s', async (_name, age, status) => {
    const { connectionId, subject } = await linkedUser()
    signedInThere(subject, age === undefined ? undefined : secondsAgo(age))
    const { visitor } = await signInBy(service(), provider, connectionId)

    expect(await mayRegisterPasskey(await clientOf(service(), visitor))).toBe(status)
  })

  it('takes a factor of ours of the last 900 seconds, whatever the age of the federated one beside it', async () => {
    const { user, connectionId, subject } = await linkedUser({ keepsPassword: true })
    signedInThere(subject, secondsAgo(3 * days))
    const { visitor } = await signInBy(service(), provider, connectionId)
    const browser = await clientOf(service(), visitor)
    expect(await mayRegisterPasskey(browser)).toBe(403)

    expect(await browser.post('/v1/me/reauthenticate', { password: user.password })).toMatchObject({ status: 200 })
    service().clock.advance({ minutes: 14 })
    expect(await mayRegisterPasskey(browser)).toBe(200)
    service().clock.advance({ minutes: 2 })
    expect(await mayRegisterPasskey(browser)).toBe(403)
  })
})
