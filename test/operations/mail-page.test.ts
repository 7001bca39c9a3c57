import { describe, expect, it } from 'vitest'
import { fileTransport } from '../../src/platform/mail/transports.ts'
import { useBrowserAndService } from '../support/browser.ts'

const { browser, service } = useBrowserAndService()

/** A mail as an attacker might craft it, in the folder of the service. */
async function store(html: string): Promise<string> {
  const { origin, dataDir } = service()
  await fileTransport(`${dataDir}/mail`).send({
    from: 'a@b.test',
    to: 'carol@acme.test',
    language: 'en',
    subject: 'Hello',
    text: 'Hello',
    html,
    messageId: '<mail_1@acme.test>',
  })
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
