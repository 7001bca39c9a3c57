import { AxeBuilder } from '@axe-core/playwright'
import { describe, expect, it } from 'vitest'
import { fileTransport } from '../../src/platform/mail/transports.ts'
import { useBrowserAndService } from '../support/browser.ts'

const { browser, service } = useBrowserAndService()

/** A mail as an attacker might craft it, in the folder of the service. */
async function store(html: string, text = 'Hello'): Promise<string> {
  const { origin, dataDir } = service()
  const mail = { from: 'a@b.test', to: 'carol@acme.test', language: 'en', subject: 'Hello', messageId: '<mail_1@acme.test>' } as const
  await fileTransport(`${dataDir}/mail`).send({ ...mail, text, html }, new AbortController().signal)
  return `${origin}/dev/mail/-mail_1-acme-test-.eml`
}

describe('/dev/mail', () => {
  it('shows the HTML of a mail, in which nothing runs and nothing is loaded', async () => {
    const { origin } = service()
    const mail = await store(`<!doctype html><html><head><link rel="stylesheet" href="${origin}/healthz?style"></head>
      <body onload="top.document.title='ran'"><script>document.title = 'ran'; fetch('${origin}/healthz?script')</script>
      <h2 style="color:#ff0000">Hello Carol</h2><img src="${origin}/healthz?image"><iframe src="${origin}/healthz?frame"></iframe>
      <form action="${origin}/healthz?form" method="post"><button>Send</button></form>
      <a href="${origin}/login?from=mail">Sign in</a></body></html>`)
    const page = await browser().newPage()
    const answered: string[] = []
    page.on('response', (response) => answered.push(response.url()))

    await page.goto(mail, { waitUntil: 'networkidle' })

    const frame = page.frameLocator('iframe')
    expect(await frame.locator('h2').textContent()).toBe('Hello Carol')
    await frame.locator('button').click()
    expect(answered.filter((url) => url.includes('healthz'))).toEqual([])
    expect(await page.title()).toBe('Hello')

    await frame.getByText('Sign in').click()
    await page.waitForURL(`${origin}/login?from=mail`)
    await page.close()
  })

  it('is a page with landmarks, from which links and codes are copied, on a phone and in the dark', async () => {
    const mail = await store(
      '<!doctype html><html><head></head><body><p>Hello Zoë</p></body></html>',
      'Your code is 402913. Or https://acme.test/in?token=abc',
    )
    const context = await browser().newContext({ colorScheme: 'dark', viewport: { width: 390, height: 844 } })
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const page = await context.newPage()
    const faults: string[] = []
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
    page.on('pageerror', (error) => faults.push(String(error)))
    await page.goto(mail)
    await page.getByRole('button', { name: 'Copy the code 402913' }).click()
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe('402913')
    await page.getByRole('button', { name: 'Copy the link https://acme.test/in?token=abc' }).click()
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe('https://acme.test/in?token=abc')
    expect((await new AxeBuilder({ page }).exclude('iframe').analyze()).violations).toEqual([])
    await page.getByRole('link', { name: 'All mails' }).click()
    await page.getByRole('navigation', { name: 'Mails' }).getByRole('link', { name: 'Hello' }).waitFor()
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
    expect(faults).toEqual([])
    await context.close()
  })

  it('serves the HTML alone under a policy of its own, and no other part', async () => {
    const { anonymous, origin } = service()
    const path = (await store('<html><head></head><body><p>Hello Zoë</p></body></html>')).slice(origin.length)

    const { status, headers, body } = await anonymous.get(`${path}/html`)

    expect(status).toBe(200)
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; .*sandbox allow-top-navigation-by-user-activation$/)
    expect(body).toBe('<html><head><base target="_top"></head><body><p>Hello Zoë</p></body></html>')
    expect(await anonymous.get('/dev/mail/unknown.eml/html')).toMatchObject({ status: 404 })
    expect(await anonymous.get(`${path}/html`, { headers: { 'x-forwarded-for': '127.0.0.1' } })).toMatchObject({ status: 403 })
  })
})
