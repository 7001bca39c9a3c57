import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { uniqueDomain, verifiedDomain } from '../support/domains.ts'
import { connect } from '../support/federation.ts'
import { unique } from '../support/given.ts'
import { type IdentityProvider, listeningProvider } from '../support/identity-provider.ts'
import { givenApplication, pkce } from '../support/oauth.ts'
import { PageVisitor } from '../support/page-visitor.ts'
import { forgetStarts, useService } from '../support/service.ts'

const service = useService()

let provider: IdentityProvider & { close(): Promise<void> }
let world: Awaited<ReturnType<typeof aWorld>>
beforeAll(async () => {
  provider = await listeningProvider({ now: () => service().clock.now() })
  world = await aWorld()
})
afterAll(() => provider.close())

/** An organisation with a connection that signs in whom it likes, one that a domain requires, and one that a domain offers. */
async function aWorld() {
  const organisation = await service().given.organisation()
  const application = await givenApplication(service(), { organisation })
  const [free, required, offered] = [
    await connect(service(), organisation, provider),
    await connect(service(), organisation, provider),
    await connect(service(), organisation, provider),
  ]
  const [bound, led] = [uniqueDomain(), uniqueDomain()]
  await verifiedDomain(service(), organisation.owner, { domain: bound, connectionId: required, sso: 'required' })
  await verifiedDomain(service(), organisation.owner, { domain: led, connectionId: offered, sso: 'offered' })
  return { application, free, bound, led }
}

const unescaped = (text = '') => text.replaceAll('&amp;', '&')
const continuedTo = (body: string) => {
  const { pathname, search } = new URL(unescaped(/http-equiv="refresh" content="0;url=([^"]*)"/.exec(body)?.[1]), 'http://gatehouse.test')
  return pathname + search
}

type Wish = Record<string, string>

/** Sends the browser to sign in. @returns where it arrives */
async function ask(visitor: PageVisitor, parameters: Wish): Promise<string> {
  const { application } = world
  const asked = new URLSearchParams({
    ...{ response_type: 'code', client_id: application.id, redirect_uri: application.redirectUri, state: 'xyz', scope: 'openid' },
    ...{ code_challenge: pkce().challenge, code_challenge_method: 'S256', ...parameters },
  })
  return (await visitor.open(`/oauth2/authorize?${asked}`)).headers.get('location') ?? ''
}

/** The page on which the address alone is asked for, of which the next page asks for the password. */
async function submitAddress(visitor: PageVisitor, location: string, email: string) {
  const { body } = await visitor.open(location)
  return visitor.submit(unescaped(/action="([^"]+)"/.exec(body)?.[1]), { email }, {}, location)
}

/** What leads a browser with a request of an application to the start of a sign-in by a connection. */
const ways: Record<string, (visitor: PageVisitor, wish: Wish) => Promise<string>> = {
  'the parameter that names the connection': (visitor, wish) => ask(visitor, { connection: world.free, ...wish }),
  'a login_hint whose domain requires it': (visitor, wish) => ask(visitor, { login_hint: `ada@${world.bound}`, ...wish }),
  async 'its button on the sign-in page'(visitor, wish) {
    const { body } = await visitor.open(await ask(visitor, wish))
    return unescaped(new RegExp(`href="(/federation/${world.free}/start[^"]*)"`).exec(body)?.[1])
  },
  async 'an address whose domain offers it'(visitor, wish) {
    return continuedTo((await submitAddress(visitor, await ask(visitor, wish), `ada@${world.led}`)).body)
  },
  async 'a password that its domain does not take'(visitor, wish) {
    const { headers } = await submitAddress(visitor, await ask(visitor, wish), 'ada@example.test')
    const page = headers.get('location') ?? ''
    return continuedTo((await visitor.submit(page, { email: `ada@${world.bound}`, password: 'any password' })).body)
  },
  async 'the page of a sign-in that was refused'(visitor, wish) {
    const start = await ask(visitor, { connection: world.free, ...wish })
    const sent = new URL((await visitor.open(start)).headers.get('location') ?? '').searchParams
    const refusal = new URLSearchParams({ error: 'access_denied', state: sent.get('state') ?? '', iss: provider.issuer })
    const { body } = await visitor.open(`/federation/${world.free}/callback?${refusal}`)
    return unescaped(new RegExp(`href="(/federation/${world.free}/start[^"]*)"`).exec(body)?.[1])
  },
}

/** The files that write an address where a sign-in by a connection starts: the ways that go by them, or why no request waits there. */
const writtenIn: Record<string, string> = {
  'src/connections/federation/identify.ts': 'tells a program the address, which adds where to return',
  'src/connections/federation/link-token.ts': 'links an account of a user who is signed in',
  'src/domains/sso-requirement.ts': 'a password that its domain does not take',
  'src/oauth/authorization/authorize.ts': 'the parameter that names the connection',
  'src/pages/connection-buttons.ts': 'its button on the sign-in page',
  'src/pages/federation-start.ts': 'asks only where no request of an application waits',
  'src/pages/federation.ts': 'the page of a sign-in that was refused',
  'src/pages/reauthenticate.ts': 'asks for a new sign-in whatever waits',
  'src/pages/sso.ts': 'an address whose domain offers it',
}

describe('what an application asks of a sign-in', () => {
  it.each(Object.entries(ways))('reaches the identity provider by %s', async (_way, lead) => {
    const wishes: [Wish, { prompt: string | null; max_age: string | null }][] = [
      [{}, { prompt: null, max_age: null }],
      [{ prompt: 'login' }, { prompt: 'login', max_age: '0' }],
      [{ max_age: '0' }, { prompt: 'login', max_age: '0' }],
      [{ max_age: '3600' }, { prompt: null, max_age: '3600' }],
      [
        { max_age: '3600', prompt: 'login' },
        { prompt: 'login', max_age: '3600' },
      ],
    ]
    for (const [wish, expected] of wishes) {
      await forgetStarts(service())
      const visitor = new PageVisitor(service().origin)
      const start = new URL(await lead(visitor, { ui_locales: 'en', nonce: unique(), ...wish }), service().origin)
      expect(start.pathname).toMatch(/^\/federation\/con_\w+\/start$/)
      // As if the person at the browser had taken the wish out of the address.
      start.searchParams.delete('prompt')
      const { status, headers, body } = await visitor.open(start.pathname + start.search)
      expect([status, body]).toEqual([303, ''])
      const sent = new URL(headers.get('location') ?? '').searchParams
      expect([wish, { prompt: sent.get('prompt'), max_age: sent.get('max_age') }]).toEqual([wish, expected])
    }
  })

  it('is asked by every way that there is', () => {
    const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
    )
    const writing = files.filter((file) => /federation\/\$\{[^}]*\}\/start/.test(readFileSync(`src/${file}`, 'utf8')))
    expect(writing.map((file) => `src/${file}`).sort()).toEqual(Object.keys(writtenIn))
  })
})
