/** What attackers send to an application with `@gatehouse-iam/web`, and tokens that are wrong in forty ways. */
import { describe, expect, it } from 'vitest'
import { memoryStore } from '../../packages/web/src/index.ts'
import { freePort } from '../support/free-port.ts'
import { useService } from '../support/service.ts'
import { givenWeb, locationOf, logged, type Network, origin, resigned, type Signature, WebBrowser } from '../support/web-application.ts'

const port = await freePort()
const issuer = `http://127.0.0.1:${port}`
const service = useService({ environment: { PORT: String(port), PUBLIC_URL: issuer } })
const clock = () => service().clock.now().getTime()
const problem = { headers: { accept: 'application/json' } }

async function ready(given: Parameters<typeof givenWeb>[1] = {}) {
  const application = await givenWeb(service(), given)
  return { ...application, browser: new WebBrowser(application.web, application.app.organisation.owner) }
}

/** What the callback responds with, and whether a session has begun. */
async function callback(browser: WebBrowser, address: string) {
  const response = await browser.open(address, problem)
  const { code } = response.headers.get('content-type')?.includes('json')
    ? ((await response.json()) as { code: string })
    : { code: undefined }
  return { status: response.status, code, isSignedIn: browser.namesOf('session').length > 0 }
}

describe('returnTo', () => {
  it.each([
    'https://evil.example.test/',
    'https://evil.example.test\\@app.example.test/',
    'https://app.example.test.evil.example.test/',
    'https://app.example.test@evil.example.test/',
    'https://app.example.test:8443/',
    'http://app.example.test/',
    '//evil.example.test/',
    '///evil.example.test/',
    '/\\evil.example.test/',
    '\\\\evil.example.test/',
    '/\t/evil.example.test/',
    '\u0000//evil.example.test/',
    ' //evil.example.test/',
    'javascript:alert(1)',
    'data:text/html,hello',
    'blob:https://app.example.test/a',
    'blob:https:@app.example.test/',
    'filesystem:https://app.example.test/a',
    'view-source:https://app.example.test/a',
    'ftp://app.example.test/',
    'wss://app.example.test/',
    'https:/\\evil.example.test/',
    '\r\n//evil.example.test/',
    'https://app.example.test\u3002evil.example.test/',
    'https://\u0430pp.example.test/',
    'https://app.example.test:443:8443/',
    'https://app.example.test%2fevil.example.test/',
    'https://app.example.test./',
    `/${'a'.repeat(2_000)}`,
    // A browser would refuse the cookie.
    `/${'界'.repeat(1_000)}`,
  ])('never leads elsewhere: %j', async (returnTo) => {
    const { browser } = await shared()
    const asked = await browser.open(`/auth/login?${new URLSearchParams({ returnTo })}`, problem)
    expect([asked.status, await asked.json()]).toEqual([
      400,
      expect.objectContaining({ errors: [{ path: ['returnTo'], message: expect.any(String) }] }),
    ])
    expect(browser.namesOf('attempt')).toEqual([])
  })

  it.each([
    '//evil.example.test/x',
    '/.//evil.example.test',
    'https:evil.example.test',
    `${origin}//evil.example.test/`,
    'https://anna:secret@app.example.test/a',
  ])('stays at the application: %s', async (path) => {
    const { browser } = await shared()
    const returnTo = path.startsWith('//') ? `/.${path}` : path
    const back = await browser.signIn(`?${new URLSearchParams({ returnTo })}`)
    expect(locationOf(back)).toMatch(/^https:\/\/app\.example\.test\//)
    // A page that is required returns to its own path, whatever that looks like.
    const { response } = await browser.web.require(new Request(`${origin}//evil.example.test/x`))
    expect(new URL(locationOf(response as Response)).searchParams.get('returnTo')).toBe('/')
  })

  let made: ReturnType<typeof ready> | undefined
  const shared = async () => {
    made ??= ready()
    const { web, app } = await made
    return { browser: new WebBrowser(web, app.organisation.owner) }
  }

  it.each([
    ['prompt=everything', 'prompt'],
    ['max_age=soon', 'max_age'],
    ['max_age=-1', 'max_age'],
    [`login_hint=${'a'.repeat(300)}`, 'login_hint'],
    ['connection=a&connection=b', 'connection'],
    ['returnTo=/a&returnTo=/b', 'returnTo'],
    [`acr_values=${'a'.repeat(300)}`, 'acr_values'],
  ])('and other parameters are refused by name: %s', async (query, name) => {
    const { browser } = await shared()
    const refused = await browser.open(`/auth/login?${query}`, problem)
    expect([refused.status, ((await refused.json()) as { errors: { path: string[] }[] }).errors[0]?.path]).toEqual([400, [name]])
  })

  it('passes on nothing else', async () => {
    const { browser } = await shared()
    const address = new URL(
      locationOf(await browser.open('/auth/login?client_id=other&redirect_uri=https://evil.example.test&state=mine&scope=all')),
    )
    expect([address.searchParams.getAll('client_id').length, address.searchParams.get('redirect_uri')]).toEqual([
      1,
      `${origin}/auth/callback`,
    ])
    expect([address.searchParams.get('state'), address.searchParams.get('scope')]).not.toEqual(['mine', 'all'])
  })
})

describe('a callback', () => {
  const refused = { status: 400, code: 'unknown-attempt', isSignedIn: false }

  it('that an attacker has begun signs no victim in', async () => {
    const { browser, web } = await ready()
    const address = await browser.callback()
    const victim = new WebBrowser(web)
    expect(await callback(victim, address)).toEqual(refused)
    // Nor with an attempt of the victim's own.
    await victim.open('/auth/login')
    expect(await callback(victim, address)).toEqual(refused)
    const [own = ''] = victim.namesOf('attempt')
    const [theirs = ''] = browser.namesOf('attempt')
    victim.cookies.set(theirs, victim.cookies.get(own) ?? '')
    expect(await callback(victim, address)).toEqual(refused)
  })

  it('works once, also when a browser sends it twice at once or an attacker again', async () => {
    const { browser, network } = await ready()
    const address = await browser.callback()
    const [early, late] = [browser.copy(), browser.copy()]
    const both = await Promise.all([callback(browser, address), callback(early, address)])
    expect(both.map(({ status }) => status).toSorted()).toEqual([303, 400])
    expect(await callback(late, address)).toEqual(refused)
    expect(network.paths.filter((path) => path === '/oauth2/token')).toHaveLength(1)
    // A second use of the code would have ended the first session.
    const signedIn = both[0].isSignedIn ? browser : early
    service().clock.advance({ minutes: 60 })
    expect(await signedIn.session()).not.toBeNull()
  })

  it('of another process is used up at the issuer, which ends the session as well', async () => {
    const { browser, process } = await ready()
    const address = await browser.callback()
    const copy = browser.copy(process())
    await browser.open(address)
    expect(await callback(copy, address)).toEqual({ status: 403, code: 'refused-by-issuer', isSignedIn: false })
    service().clock.advance({ minutes: 60 })
    expect(await browser.session()).toBeNull()
  })

  it('that two processes with a store get at once is finished by one, also where the issuer was away at first', async () => {
    const { browser, process, network } = await ready({ options: { sessionStore: memoryStore({ clock }) } })
    const address = await browser.callback()
    const other = browser.copy(process())
    const redeemed = () => network.paths.filter((path) => path === '/oauth2/token').length
    network.isGone = true
    expect(await callback(other, address)).toMatchObject({ status: 503, isSignedIn: false })
    network.isGone = false
    const before = redeemed()
    const both = await Promise.all([callback(browser, address), callback(other, address)])
    expect(both.map(({ status }) => status).toSorted()).toEqual([303, 400])
    expect(redeemed() - before).toBe(1)
    const signedIn = both[0].isSignedIn ? browser : other
    service().clock.advance({ minutes: 60 })
    expect(await signedIn.session()).not.toBeNull()
  })

  it.each([
    ['of another issuer', (url: URL) => url.searchParams.set('iss', 'https://evil.example.test')],
    ['without the issuer', (url: URL) => url.searchParams.delete('iss')],
    ['with two issuers', (url: URL) => url.searchParams.append('iss', 'https://evil.example.test')],
    ['with two codes', (url: URL) => url.searchParams.append('code', 'evil')],
    ['without a code', (url: URL) => url.searchParams.delete('code')],
    ['with an ID token', (url: URL) => url.searchParams.append('id_token', 'a.b.c')],
  ])('%s is refused before the code is sent anywhere', async (_, bend) => {
    const { browser, network } = await ready()
    const address = new URL(await browser.callback())
    bend(address)
    network.paths.length = 0
    expect(await callback(browser, address.href)).toEqual({ status: 400, code: 'invalid-response', isSignedIn: false })
    expect(network.paths).toEqual([])
  })

  it.each([
    ['without a state', (url: URL) => url.searchParams.delete('state')],
    ['with two states', (url: URL) => url.searchParams.append('state', 'other')],
    ['with a part of the state', (url: URL) => url.searchParams.set('state', (url.searchParams.get('state') ?? '').slice(0, 20))],
    [
      'with a state that begins alike',
      (url: URL) => url.searchParams.set('state', `${(url.searchParams.get('state') ?? '').slice(0, 16)}other`),
    ],
  ])('%s belongs to no attempt', async (_, bend) => {
    const { browser } = await ready()
    const address = new URL(await browser.callback())
    bend(address)
    expect(await callback(browser, address.href)).toEqual(refused)
  })

  it('with an error shows what it says as text, and only to the browser that has begun', async () => {
    const { browser, web } = await ready()
    const state = new URL(locationOf(await browser.open('/auth/login'))).searchParams.get('state') ?? ''
    const query = new URLSearchParams({ state, iss: issuer, error: 'access_denied', error_description: '<script>alert(1)</script>' })
    expect((await (await new WebBrowser(web).open(`/auth/callback?${query}`)).text()).includes('alert')).toBe(false)
    const page = await browser.open(`/auth/callback?${query}`)
    expect([page.status, page.headers.get('content-security-policy')]).toEqual([403, "default-src 'none'; frame-ancestors 'none'"])
    expect(await page.text()).toContain('&#60;script&#62;alert(1)&#60;/script&#62;')
  })

  it('an hour later, or by the code of another application, is refused', async () => {
    const { browser, app } = await ready()
    const address = await browser.callback()
    const other = await ready({ organisation: app.organisation })
    const foreign = new URL(await other.browser.callback()).searchParams.get('code') ?? ''
    const swapped = new URL(await browser.callback())
    swapped.searchParams.set('code', foreign)
    expect(await callback(browser, swapped.href)).toMatchObject({ status: 403, code: 'refused-by-issuer', isSignedIn: false })
    service().clock.advance({ minutes: 31 })
    expect(await callback(browser, address)).toEqual(refused)
  })
})

describe('cookies', () => {
  it('that were changed, swapped or made elsewhere are no session', async () => {
    const { browser, web, app } = await ready()
    await browser.signIn()
    const other = new WebBrowser(web, await service().given.userWith(app.organisation.owner, ['users:read']))
    await other.signIn()
    await other.open('/auth/login')
    const [first = '', second = ''] = browser.namesOf('session')
    const value = browser.cookies.get(first) ?? ''
    const otherValue = other.cookies.get(first) ?? ''
    const attempt = other.cookies.get(other.namesOf('attempt')[0] ?? '') ?? ''
    const changed = (at: number) => value.slice(0, at) + (value[at] === 'A' ? 'B' : 'A') + value.slice(at + 1)
    const whole = new Map(browser.cookies)
    for (const [name, wrong] of [
      [first, changed(40)],
      [first, changed(1_000)],
      [first, changed(0)],
      [first, otherValue.replace(/^\d/, '2')],
      [first, `1.${attempt}`],
      [first, value.replace(/^2\./, '9.')],
      [first, value.replace(/^2\./, '-1.')],
      [first, ''],
      [second, otherValue.slice(2)],
      [second, ''],
      [second, value.slice(0, 3_500)],
    ] as const) {
      for (const [one, right] of whole) browser.cookies.set(one, right)
      browser.cookies.set(name, wrong)
      expect(await browser.session()).toBeNull()
      // It may be one of another process, and is left to the next sign-in.
      expect(browser.cookies).toEqual(new Map([...whole, [name, wrong]]))
    }
    for (const [one, right] of whole) browser.cookies.set(one, right)
    expect((await browser.session())?.user.id).toBe(app.organisation.owner.id)
    // The same secret does not make another application believe it.
    const foreign = browser.copy((await ready({ organisation: app.organisation })).web)
    expect(await foreign.session()).toBeNull()
    // A piece that is left over from a longer session is not read, and is taken away.
    for (const [one, right] of whole) other.cookies.set(one === first ? 'none' : one, right)
    expect(await other.session()).not.toBeNull()
  })

  it.each(['\u00a0', '\u0085', '\u000b', '\u000c'])(
    'that a neighbouring host may set, since %j begins their names, are not read',
    async (blank) => {
      const { browser: attacker, web } = await ready()
      const address = await attacker.callback()
      const planted = (browser: WebBrowser) => [...browser.cookies].map(([name, value]) => `${blank}${name}=${value}`).join('; ')
      const attempted = await web.handle(new Request(address, { headers: { cookie: planted(attacker), accept: 'application/json' } }))
      expect([attempted?.status, attempted?.headers.getSetCookie()]).toEqual([400, []])
      await attacker.open(address)
      expect(await web.session(new Request(origin, { headers: { cookie: planted(attacker) } }))).toMatchObject({ session: null })
      const spaced = [...attacker.cookies].map(([name, value]) => ` \t${name} = ${value}\t`).join(';')
      expect(await web.session(new Request(origin, { headers: { cookie: spaced } }))).toMatchObject({
        session: { user: expect.anything() },
      })
    },
  )

  it('of a store are worth nothing without the secret, nor are values that were moved', async () => {
    const values = new Map<string, string>()
    const sessionStore = memoryStore({ clock })
    const { replace, get } = sessionStore
    sessionStore.replace = async (id, former, value, about) => {
      values.set(id, value)
      return replace(id, former, value, about)
    }
    const { browser, web, app } = await ready({ options: { sessionStore } })
    await browser.signIn()
    const other = new WebBrowser(web, await service().given.userWith(app.organisation.owner, []))
    await other.signIn()
    const [mine = '', theirs = ''] = [...values.keys()].filter((id) => !id.startsWith('attempt '))
    expect([...values.values()].join()).not.toContain((await browser.session())?.accessToken())
    other.cookies.set('__Host-gatehouse.0', `1.${mine}`)
    expect(await other.session()).toBeNull()
    sessionStore.get = async (id) => get(id === mine ? theirs : id)
    expect(await browser.session()).toBeNull()
  })

  it('that would be too many are refused, and a session that has grown too large ends', async () => {
    const values = Array.from({ length: 3 }, (_, index) => ({
      name: `large_${index}`,
      in: ['id_token', 'access_token'],
      from: { value: 'x'.repeat(1_300) },
    }))
    const { browser, app, process } = await ready()
    await browser.signIn()
    expect(await app.organisation.owner.patch(`/v1/admin/clients/${app.id}`, { claimMappings: values })).toMatchObject({ status: 200 })
    service().clock.advance({ minutes: 60 })
    expect([await browser.session(), browser.namesOf('session')]).toEqual([null, []])
    const again = new WebBrowser(browser.web, await service().given.signIn(app.organisation.owner.email))
    expect(await callback(again, await again.callback())).toEqual({ status: 500, code: 'session-too-large', isSignedIn: false })
    again.web = process({ sessionStore: memoryStore({ clock }) })
    await again.signIn()
    expect((await again.session())?.user.claims).toMatchObject({ large_0: expect.any(String) })
    expect(again.namesOf('session')).toHaveLength(1)
  })

  it('of a new sign-in replace those of the former user', async () => {
    const { browser, web, app } = await ready({ options: { sessionStore: memoryStore({ clock }) } })
    await browser.signIn()
    const stolen = browser.copy()
    const other = new WebBrowser(web, await service().given.userWith(app.organisation.owner, []))
    for (const [name, value] of browser.cookies) other.cookies.set(name, value)
    await other.signIn()
    expect((await other.session())?.user.id).not.toBe(app.organisation.owner.id)
    expect(await stolen.session()).toBeNull()
  })
})

describe('signing out', () => {
  it.each([
    ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example.test' }],
    ['a neighbouring host', { 'sec-fetch-site': 'same-site', origin: 'https://evil.example.test' }],
    ['another origin', { origin: 'https://evil.example.test' }],
    ['an origin that begins alike', { origin: `${origin}.evil.example.test` }],
  ])('is not done for a form of %s', async (_, headers) => {
    const { browser } = await ready()
    await browser.signIn()
    expect((await browser.open('/auth/logout', { method: 'POST', headers })).status).toBe(403)
    expect(await browser.session()).not.toBeNull()
    for (const own of [{ 'sec-fetch-site': 'same-origin', origin: 'null' }, { origin }, {}] as Record<string, string>[])
      expect((await browser.copy().open('/auth/logout', { method: 'POST', headers: own })).status).toBe(303)
  })
})

describe('a token that is wrong', () => {
  const bending = (network: Network, kind: 'id_token' | 'access_token', bend: (token: string) => Promise<unknown> | unknown) => {
    network.bend = async (path, send) => {
      const response = await send()
      if (path !== '/oauth2/token') return response
      const body = (await response.json()) as Record<string, unknown>
      return Response.json({ ...body, [kind]: await bend(body[kind] as string) })
    }
  }
  const now = () => Math.floor(clock() / 1_000)
  type Way = { claims?: () => Record<string, unknown>; header?: Record<string, unknown>; signature?: Signature }
  const forBoth: [string, Way][] = [
    ['expired', { claims: () => ({ exp: now() - 60, iat: now() - 3_660 }) }],
    ['without an end', { claims: () => ({ exp: undefined }) }],
    ['with a text as its end', { claims: () => ({ exp: 'never' }) }],
    ['not valid yet', { claims: () => ({ nbf: now() + 120 }) }],
    ['without a time of issue', { claims: () => ({ iat: undefined }) }],
    ['of another issuer', { claims: () => ({ iss: 'https://evil.example.test' }) }],
    ['of an issuer with a slash', { claims: () => ({ iss: `${issuer}/` }) }],
    ['without an issuer', { claims: () => ({ iss: undefined }) }],
    ['of another user', { claims: () => ({ sub: 'usr_other' }) }],
    ['without a user', { claims: () => ({ sub: undefined }) }],
    ['with a broken signature', { signature: 'broken' }],
    ['without a signature', { signature: 'none' }],
    ['signed by an unknown key', { signature: 'unknown key' }],
    ['naming an unknown key', { header: { kid: 'unknown' } }],
  ]
  const idTokens: [string, Way][] = [
    ...forBoth,
    ['for another application', { claims: () => ({ aud: 'cli_other' }) }],
    ['for nothing', { claims: () => ({ aud: undefined }) }],
    ['for two, without a party', { claims: () => ({ aud: ['cli_other', 'cli_more'] }) }],
    ['of another attempt', { claims: () => ({ nonce: 'other' }) }],
    ['without a nonce', { claims: () => ({ nonce: undefined }) }],
    ['that is an access token', { header: { typ: 'at+jwt' } }],
  ]
  const accessTokens: [string, Way][] = [
    ...forBoth,
    ['of another application', { claims: () => ({ client_id: 'cli_other' }) }],
    ['without an application', { claims: () => ({ client_id: undefined }) }],
    ['without an organisation', { claims: () => ({ org: undefined }) }],
    ['whose organisation is a list', { claims: () => ({ org: ['org_other'] }) }],
    ['whose permissions are a text', { claims: () => ({ permissions: 'users:read' }) }],
    ['that is an ID token', { header: { typ: 'JWT' } }],
    ['without a type', { header: { typ: undefined } }],
  ]
  it.each([
    ['id_token', idTokens],
    ['access_token', accessTokens],
  ] as const)('as the %s signs no user in, and takes no session over', async (kind, ways) => {
    const { browser, network, app } = await ready()
    expect(ways.length).toBeGreaterThanOrEqual(20)
    for (const [name, { claims, header, signature = 'own' }] of ways) {
      const bent = new WebBrowser(browser.web, app.organisation.owner)
      bending(network, kind, (token) =>
        resigned(service(), token, { ...(claims && { claims: claims() }), ...(header && { header }), signature }),
      )
      expect([name, await callback(bent, await bent.callback())]).toEqual([
        name,
        { status: 400, code: 'invalid-response', isSignedIn: false },
      ])
    }
    for (const text of [undefined, '', 'a.b.c', 7]) {
      bending(network, kind, () => text)
      const bent = new WebBrowser(browser.web, app.organisation.owner)
      expect(await callback(bent, await bent.callback())).toEqual({ status: 400, code: 'invalid-response', isSignedIn: false })
    }
    // The same way with right tokens.
    bending(network, kind, (token) => resigned(service(), token, {}))
    await browser.signIn()
    const right = (await browser.session())?.accessToken()
    service().clock.advance({ minutes: 59, seconds: 30 })
    bending(network, kind, (token) => resigned(service(), token, { claims: { sub: 'usr_other' } }))
    const session = await browser.session()
    expect([session?.accessToken(), session?.user.id]).toEqual([right, app.organisation.owner.id])
  })
})

it('logs no token, no code and no secret', () => {
  expect(logged.length).toBeGreaterThan(5)
  expect(logged.join('\n')).not.toMatch(/eyJ|rt_|code=|state=/)
})
