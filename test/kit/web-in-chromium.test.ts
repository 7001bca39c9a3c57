/** `@gatehouse-iam/web` where a browser decides: which cookies it sends along, to whom, and from which tab. */
import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createWeb, toNode, type Web } from '../../packages/web/src/index.ts'
import { useBrowserAndService } from '../support/browser.ts'
import { freePort } from '../support/free-port.ts'
import { givenApplication, type TestApplication } from '../support/oauth.ts'
import { cookieSecret, WebBrowser } from '../support/web-application.ts'

const { browser, service } = useBrowserAndService()
const [appPort, evilPort] = [await freePort(), await freePort()]
const here = `http://localhost:${appPort}`
const elsewhere = `http://127.0.0.1:${evilPort}`
const servers: Server[] = []

const page = (body: string, headers: Record<string, string> = {}) =>
  new Response(`<!doctype html>${body}`, { headers: { 'content-type': 'text/html', ...headers } })
const listen = async (port: number, handler: (request: Request) => Promise<Response | null>) => {
  const server = createServer((request, response) => void toNode(handler)(request, response))
  await new Promise<void>((resolve) => server.listen(port, resolve))
  servers.push(server)
}

let app: TestApplication
let web: Web
/** What the page of another site does. */
let attack = ''
beforeAll(async () => {
  app = await givenApplication(service(), { redirectUris: [`${here}/auth/callback`] })
  web = createWeb({
    issuer: service().services.publicUrl,
    clientId: app.id,
    clientSecret: app.secret ?? '',
    redirectUri: `${here}/auth/callback`,
    cookieSecret,
  })
  await listen(appPort, async (request) => {
    const handled = await web.handle(request)
    if (handled) return handled
    const { session, headers, response } = await web.require(request)
    if (response) return response
    const form = '<form method="post" action="/auth/logout"><button>Sign out</button></form>'
    return page(`<h1>${session.user.email}</h1>${form}`, {
      'set-cookie': headers.get('set-cookie') ?? 'unrelated=1',
      'referrer-policy': 'no-referrer',
    })
  })
  await listen(evilPort, async () => page(attack))
})
afterAll(() => Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve)))))

it('signs in from two tabs, and neither lets another site sign in or out', async () => {
  const { owner } = app.organisation
  const context = await browser().newContext()
  const [first, second] = [await context.newPage(), await context.newPage()]
  await first.goto(`${here}/orders?tab=1`)
  await second.goto(`${here}/orders?tab=2`)
  const attempts = async () => (await context.cookies(here)).filter(({ name }) => name.includes('-attempt-'))
  expect(await attempts()).toHaveLength(2)
  expect(await attempts()).toEqual(Array(2).fill(expect.objectContaining({ httpOnly: true, sameSite: 'Lax', path: '/' })))
  await first.locator('#email').fill(owner.email)
  await first.locator('#password').fill(owner.password)
  await first.locator('button[type=submit]').first().click()
  await first.waitForURL(`${here}/orders?tab=1`)
  // Where the sign-in page of the other tab would continue.
  await second.goto(new URL(new URL(second.url()).searchParams.get('returnTo') ?? '', second.url()).href)
  await second.waitForURL(`${here}/orders?tab=2`)
  for (const tab of [first, second]) expect(await tab.locator('h1').textContent()).toBe(owner.email)
  expect(await attempts()).toEqual([])
  expect(await first.evaluate('document.cookie')).not.toContain('gatehouse')

  // Another site sends the browser to the callback of an attacker's own sign-in.
  const attacker = new WebBrowser(web, await service().given.userWith(owner, []), here)
  const begun = await attacker.callback()
  attack = `<a href="${begun}">Win</a>`
  await second.goto(elsewhere)
  await second.locator('a').click()
  await second.getByRole('link', { name: 'Sign in again' }).waitFor()
  // It posts to sign the user out.
  attack = `<form method="post" action="${here}/auth/logout"><button>Win</button></form>`
  await second.goto(elsewhere)
  await second.locator('button').click()
  await second.getByRole('heading', { name: 'Forbidden' }).waitFor()
  await first.reload()
  expect(await first.locator('h1').textContent()).toBe(owner.email)

  await first.getByRole('button', { name: 'Sign out' }).click()
  await first.waitForURL((url) => url.origin === service().services.publicUrl)
  expect((await context.cookies(here)).filter(({ name }) => name.startsWith('gatehouse'))).toEqual([])
  await second.goto(`${here}/orders`)
  await second.locator('#email').waitFor()
  await context.close()
})
