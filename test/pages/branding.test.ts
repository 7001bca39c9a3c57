import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { generate } from 'selfsigned'
import { describe, expect, it, onTestFinished } from 'vitest'
import { useBrowserAndService } from '../support/browser.ts'
import { type TestOrganisation, unique } from '../support/given.ts'
import { encode, givenApplication, pkce } from '../support/oauth.ts'
import { PageVisitor } from '../support/page-visitor.ts'

const { browser, service } = useBrowserAndService()

const injections = [
  'https://a;frame-ancestors/x.png',
  "https://a;script-src'unsafe-inline'/x.png",
  'https://a,b.test/x.png',
  'https://*/x.png',
  'https://a_b.test/x.png',
]

/** Branding as it may have been stored before it was validated. */
async function store(organisation: TestOrganisation, branding: object): Promise<void> {
  await service()
    .database.system()
    .updateTable('organisations')
    .set({ branding: JSON.stringify(branding) })
    .where('id', '=', organisation.id)
    .execute()
}

/** The address of the sign-in page for an application's request. */
async function signInPageOf(organisation: TestOrganisation): Promise<string> {
  const app = await givenApplication(service(), { organisation })
  const asked = await app.authorize({ code_challenge: pkce().challenge, code_challenge_method: 'S256' }, null)
  return asked.headers.get('location') ?? ''
}

describe('an address of a picture or an origin', () => {
  it.each(['no address', 'ftp://a.test/logo.png', 'https://a;b/logo.png', 'http://a;b/logo.png'])(
    'is called invalid once: %s',
    async (address) => {
      const { owner } = await service().given.organisation()
      const invalid = { message: 'Invalid URL', path: ['logoUrl'], reason: 'invalid-url' }
      const client = { name: 'C', clientType: 'public', redirectUris: ['https://a.test/'], logoUrl: address }

      const { errors } = (await owner.post('/v1/admin/clients', client)).body
      expect(errors).toEqual([{ ...invalid, code: expect.any(String) }])
      const ofBranding = (await owner.patch('/v1/admin/organisation', { branding: { logoUrl: address } })).body.errors
      expect(ofBranding).toEqual([{ ...invalid, path: ['branding', 'logoUrl'], code: expect.any(String) }])
    },
  )

  it('is refused when its host could begin another directive of a policy', async () => {
    const { owner } = await service().given.organisation()
    for (const address of injections) {
      for (const name of ['logoUrl', 'faviconUrl']) {
        expect(await owner.patch('/v1/admin/organisation', { branding: { [name]: address } })).toMatchObject({
          status: 400,
          body: { errors: [{ path: ['branding', name] }] },
        })
      }
      const client = { name: 'C', clientType: 'public', redirectUris: ['https://a.test/'], logoUrl: address }
      expect(await owner.post('/v1/admin/clients', client)).toMatchObject({ status: 400, body: { errors: [{ path: ['logoUrl'] }] } })
      const allowedOrigins = [new URL(address).origin]
      expect(await owner.patch('/v1/admin/organisation', { allowedOrigins })).toMatchObject({
        status: 400,
        body: { errors: [{ path: ['allowedOrigins', 0] }] },
      })
    }
  })

  it.each([
    'https://logos.acme.test/a.svg',
    'https://logos.acme.test:8443/a.svg',
    'https://[2001:db8::1]:8443/a.svg',
    'https://bücher.test/a',
  ])('may be %s', async (logoUrl) => {
    const { owner } = await service().given.organisation()
    expect(await owner.patch('/v1/admin/organisation', { branding: { logoUrl } })).toMatchObject({ status: 200 })
    const page = await owner.get('/account')
    expect(page.headers.get('content-security-policy')).toContain(`img-src 'self' ${new URL(logoUrl).origin};`)
  })
})

describe('branding that was stored before it was checked', () => {
  it('adds nothing to the policy of a page', async () => {
    const organisation = await service().given.organisation()
    const plain = (await organisation.owner.get('/account')).headers.get('content-security-policy')
    for (const address of injections) {
      await store(organisation, { logoUrl: address, faviconUrl: address })
      const page = await organisation.owner.get('/account')
      expect(page.status).toBe(200)
      expect(page.headers.get('content-security-policy')).toBe(plain)
    }
  })

  it('does not let a browser show the sign-in page in a frame of another site', async () => {
    const organisation = await service().given.organisation()
    const path = await signInPageOf(organisation)
    expect((await service().anonymous.get(path)).body).toContain(organisation.name)

    // Another origin on this machine: browsers ask before a site of the network frames a local one.
    const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }])
    const other = createServer({ key, cert }, ({ url }, response) => {
      const framed = url === '/own' ? '/framed' : service().origin + path
      response.setHeader('content-type', 'text/html')
      response.end(url === '/framed' ? 'framed' : `<!doctype html><iframe src="${framed}"></iframe>`)
    })
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void other.close())
    const origin = `https://localhost:${(other.address() as AddressInfo).port}`
    // In the policy, the second origin would follow the directive name in the first one.
    await store(organisation, { logoUrl: 'https://a;frame-ancestors/x.png', faviconUrl: `${origin}/i.png` })
    const page = await (await browser().newContext({ ignoreHTTPSErrors: true })).newPage()
    // The frame shows another page, which proves that frames work.
    await page.goto(`${origin}/own`)
    expect(await page.frames()[1]?.textContent('body')).toBe('framed')
    await page.goto(`${origin}/`)
    await expect.poll(() => page.frames()[1]?.url()).toMatch(/^chrome-error:/)
    expect(await page.frames()[1]?.locator('form').count()).toBe(0)
    await page.context().close()
  })
})

describe('a page of a signed-in user', () => {
  it("shows the user's own organisation, whatever it returns to; only a sign-in shows the application's", async () => {
    const own = await service().given.organisation()
    const other = await service().given.organisation()
    await other.owner.patch('/v1/admin/organisation', { branding: { logoUrl: `https://${unique()}.test/logo.svg` } })
    const signInPage = await signInPageOf(other)
    const returnTo = new URL(signInPage, service().origin).searchParams.get('returnTo') ?? ''

    const visitor = new PageVisitor(service().origin)
    await visitor.submit('/login', { email: own.owner.email, password: own.owner.password })
    for (const path of ['/account', '/account/profile', '/account/password', '/mfa/enroll', '/logged-out']) {
      const page = await visitor.open(`${path}?${encode({ returnTo })}`)
      expect([path, page.status]).toEqual([path, 200])
      expect(page.body).toContain(own.name)
      expect(page.body).not.toContain(other.name)
      expect(page.headers.get('content-security-policy')).toContain("img-src 'self';")
    }
    expect((await visitor.open(signInPage)).body).toContain(other.name)
  })

  it("shows the user's own organisation where another one's application asks to sign out, or is refused", async () => {
    const own = await service().given.organisation()
    const other = await service().given.organisation()
    await other.owner.patch('/v1/admin/organisation', { branding: { logoUrl: `https://${unique()}.test/logo.svg` } })
    const home = 'https://portal.example.test/'
    const app = await givenApplication(service(), { organisation: other, postLogoutRedirectUris: [home] })
    const logout = `/oauth2/logout?${encode({ client_id: app.id, post_logout_redirect_uri: home })}`
    const refused = `/oauth2/authorize?${encode({ response_type: 'code', client_id: app.id, redirect_uri: 'https://evil.test/' })}`

    for (const [path, status] of [
      [logout, 200],
      [refused, 400],
    ] as const) {
      const page = await own.owner.get(path)
      expect([path, page.status]).toEqual([path, status])
      expect(page.body).toContain(own.name)
      expect(page.body).not.toContain(other.name)
      expect(page.headers.get('content-security-policy')).toContain("img-src 'self';")
      // Without a session the application decides, as at the sign-in.
      expect((await service().anonymous.get(path)).body).toContain(other.name)
    }
  })
})
