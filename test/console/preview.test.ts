import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { useConsole } from '../support/console.ts'
import type { TestOrganisation } from '../support/given.ts'
import { encode, pkce } from '../support/oauth.ts'

// There are passkeys at `localhost` alone.
const { service, openConsole } = useConsole({ host: 'localhost' })

const logoUrl = 'https://logos.test/northwind.svg'
const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" width="190" height="40" viewBox="0 0 190 40"><circle cx="20" cy="20" r="18" fill="#0f766e"/></svg>'
const screens = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 800 } }

const previewOf = (parameters: Record<string, string> = {}) => `/login/preview?${encode(parameters)}`

interface Element {
  id: string
  style: { setProperty(name: string, value: string): void }
  remove(): void
}

/** What is used of a browser's types, which the tests do not have. */
interface Browser {
  document: {
    createElement(name: 'iframe'): Element & { sandbox: string; width: string; height: string; src: string; onload: () => void }
    querySelector(selector: string): Element | null
    body: { append(element: Element): void }
  }
}

/** The sign-in page of an application that has the name of its organisation, which the preview names too. */
async function signInPageOf(organisation: TestOrganisation): Promise<string> {
  const { body: client } = await organisation.owner.post('/v1/admin/clients', {
    name: organisation.name,
    clientType: 'public',
    redirectUris: ['https://a.test/'],
  })
  return `/oauth2/authorize?${encode({
    response_type: 'code',
    client_id: client.clientId,
    redirect_uri: 'https://a.test/',
    code_challenge: pkce().challenge,
    code_challenge_method: 'S256',
  })}`
}

async function showLogo(context: BrowserContext): Promise<void> {
  await context.route('https://logos.test/**', (route) => route.fulfill({ contentType: 'image/svg+xml', body: logo }))
}

/** What users see who open the page without a session. The field that takes the focus loses it: a preview takes none. */
async function pictureOf(opener: Page, path: string, options: BrowserContextOptions): Promise<Buffer> {
  const context = await opener
    .context()
    .browser()
    ?.newContext({ baseURL: service().origin, ...options })
  if (!context) throw new Error('The browser has gone')
  await showLogo(context)
  const page = await context.newPage()
  await page.goto(path)
  await page.locator(':focus').blur()
  // What its scripts show is drawn over the first picture: drawn at once, as in the frame, its corners are the same.
  await page.evaluate('{ const { documentElement: all } = document; all.hidden = true; all.offsetHeight; all.hidden = false }')
  const picture = await page.screenshot()
  await context.close()
  return picture
}

/** The preview in a frame of the console. */
async function pictureInFrame(page: Page, path: string, viewport: { width: number; height: number }): Promise<Buffer> {
  await page.setViewportSize(viewport)
  await page.evaluate(
    ([src, width, height]) => {
      const { document } = globalThis as unknown as Browser
      const frame = document.createElement('iframe')
      frame.sandbox = 'allow-same-origin'
      frame.width = width
      frame.height = height
      frame.id = 'preview'
      for (const [name, value] of Object.entries({ border: '0', position: 'fixed', inset: '0', 'z-index': '1000' })) {
        frame.style.setProperty(name, value)
      }
      document.querySelector('#preview')?.remove()
      return new Promise<void>((resolve) => {
        frame.onload = () => resolve()
        frame.src = src
        document.body.append(frame)
      })
    },
    [path, String(viewport.width), String(viewport.height)] as const,
  )
  return page.screenshot()
}

describe('the preview of the sign-in page', () => {
  it('equals the real page pixel for pixel: light and dark, phone and desktop, in both languages', async () => {
    const organisation = await service().given.organisation()
    const branding = { primaryColor: '#0f766e', logoUrl }
    await organisation.owner.patch('/v1/admin/organisation', { branding, signInPolicy: { emailCode: 'allowed' } })
    const signInPage = await signInPageOf(organisation)
    for (const browserScheme of ['light', 'dark'] as const) {
      // The frame shows the scheme that it is asked for, whatever the browser of the administrator prefers.
      const opened = await openConsole(organisation.owner, '/console', { colorScheme: browserScheme === 'light' ? 'dark' : 'light' })
      const { page, faults, context } = opened
      await showLogo(context)
      for (const [screen, viewport] of Object.entries(screens)) {
        for (const lang of ['en', 'de']) {
          const path = `${signInPage}&ui_locales=${lang}`
          const real = await pictureOf(page, path, { viewport, colorScheme: browserScheme })
          const preview = await pictureInFrame(page, previewOf({ ...branding, lang, scheme: browserScheme }), viewport)
          expect(preview.equals(real), `${browserScheme} ${screen} ${lang}`).toBe(true)
        }
      }
      expect(faults.filter((fault) => !fault.startsWith('request: https://logos.test/'))).toEqual([])
    }
  })

  it('shows what is not saved, and looks other than the page with what is', async () => {
    const organisation = await service().given.organisation()
    const { page } = await openConsole(organisation.owner)
    const plain = await pictureInFrame(page, previewOf({ scheme: 'light' }), screens.phone)
    const coloured = await pictureInFrame(page, previewOf({ scheme: 'light', primaryColor: '#c2185b' }), screens.phone)
    expect(plain.equals(coloured)).toBe(false)
  })

  it('offers what the organisation lets sign in, and nothing else', async () => {
    const { owner } = await service().given.organisation()
    const { page } = await openConsole(owner, previewOf())
    const passkey = page.getByText('Sign in with a passkey')
    await page.getByText('Show', { exact: true }).waitFor()
    expect(await passkey.isVisible()).toBe(true)
    await owner.patch('/v1/admin/organisation', { signInPolicy: { passkeys: 'off' } })
    await page.reload()
    await page.getByText('Show', { exact: true }).waitFor()
    expect(await passkey.count()).toBe(0)
  })

  it('takes no input, and is framed by pages of this origin alone', async () => {
    const organisation = await service().given.organisation()
    const { page } = await openConsole(organisation.owner, previewOf({ lang: 'de' }))
    const { headers } = await organisation.owner.get(previewOf({ logoUrl }))
    const policy = headers.get('content-security-policy')?.split('; ')
    expect(policy).toEqual(expect.arrayContaining(["frame-ancestors 'self'", "form-action 'none'", "img-src 'self' https://logos.test"]))
    expect(headers.get('x-frame-options')).toBe('SAMEORIGIN')
    expect(await page.locator('html').getAttribute('lang')).toBe('de')
    await page.keyboard.press('Tab')
    await page.mouse.click(200, 200)
    expect(await page.locator(':focus').count()).toBe(0)
    // Even a browser that knows no `inert` sends nothing.
    await page.locator('body').evaluate((body: { removeAttribute(name: string): void }) => body.removeAttribute('inert'))
    await page.getByRole('textbox').first().fill('anna@acme.test')
    await page.keyboard.press('Enter')
    expect(new URL(page.url()).pathname).toBe('/login/preview')
  })

  it('checks what it is asked to show as the branding itself is checked', async () => {
    const { owner } = await service().given.organisation()
    const mistaken: Record<string, string>[] = [
      { primaryColor: 'red' },
      { primaryColor: '#12345' },
      { logoUrl: 'http://logos.test/logo.svg' },
      { logoUrl: 'https://a;frame-ancestors/x.png' },
      { faviconUrl: 'javascript:alert(1)' },
      { lang: 'fr' },
      { scheme: 'sepia' },
    ]
    for (const one of mistaken) {
      const answer = await owner.get(previewOf(one))
      expect(answer.status, JSON.stringify(one)).toBe(400)
      expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    }
  })

  it('is for those alone who may change the organisation', async () => {
    const { given, anonymous } = service()
    const organisation = await given.organisation()
    const path = previewOf({ logoUrl })
    const signedOut = await anonymous.get(path)
    expect(signedOut).toMatchObject({ status: 303 })
    expect(signedOut.headers.get('location')).toMatch(/^\/login\?returnTo=/)

    const reader = await given.userWith(organisation.owner, ['organisation:read'])
    const refused = await reader.get(path)
    expect(refused.status).toBe(403)
    expect(refused.body).not.toContain('<img')
    expect(refused.headers.get('content-security-policy')).not.toContain('logos.test')
    const changer = await given.userWith(organisation.owner, ['organisation:update'])
    expect(await changer.get(path)).toMatchObject({ status: 200 })
  })
})
