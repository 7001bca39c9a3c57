import { brotliCompressSync } from 'node:zlib'
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { Authenticator, enrolAuthenticator } from '../support/authenticator.ts'
import { useBrowserAndService } from '../support/browser.ts'
import { createConnection, linkedIdentity } from '../support/connections.ts'
import type { SignedInUser } from '../support/given.ts'
import { coloursOn, inOtherScheme, prepareLooks, tooWideOn, violationsOn, withLargeText } from '../support/looks.ts'

const { browser, service } = useBrowserAndService({ ofItsOwn: true })
const accountPages = ['/account', '/account/profile', '/account/password', '/account/second-factor', '/mfa/enroll']
const scriptMax = 3 * 1024

async function aUser(permissions: string[] = []) {
  const { owner } = await service().given.organisation()
  return service().given.userWith(owner, permissions)
}

/** A window of the user's session. Violations of the page's policy are collected in it. */
async function windowOf(user: SignedInUser, options: BrowserContextOptions = {}): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser().newContext({ baseURL: service().origin, ...options })
  const [name = '', value = ''] = user.cookie.split('=')
  await context.addCookies([{ name, value, url: service().origin }])
  await context.addInitScript(() => {
    const seen = globalThis as unknown as { violations: string[]; addEventListener(type: string, listener: (event: object) => void): void }
    seen.violations = []
    seen.addEventListener('securitypolicyviolation', (event) => {
      seen.violations.push(String((event as { violatedDirective: string }).violatedDirective))
    })
  })
  return { context, page: await context.newPage() }
}

const violationsIn = (page: Page) => page.evaluate(() => (globalThis as unknown as { violations: string[] }).violations)
const times = (page: Page) => page.locator('time').allTextContents()

/** Enrols an authenticator app on the page. */
async function enrolOnPage(page: Page): Promise<string[]> {
  await page.goto('/mfa/enroll')
  await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
  const secret = ((await page.locator('.secret').textContent()) ?? '').replaceAll(' ', '')
  await page.getByRole('textbox', { name: 'Code' }).fill(new Authenticator(secret, service().clock).code())
  await page.getByRole('button', { name: 'Switch on' }).click()
  await page.getByRole('heading', { name: 'Save your backup codes' }).waitFor()
  return page.locator('.codes li').allTextContents()
}

describe('the account without scripts', () => {
  it('shows times in UTC, and nothing that takes a script', async () => {
    const { context, page } = await windowOf(await aUser(), { javaScriptEnabled: false, timezoneId: 'Asia/Tokyo' })

    await page.goto('/account')
    const shown = await times(page)
    expect(shown.length).toBeGreaterThan(3)
    expect(shown.filter((time) => !time.endsWith('UTC'))).toHaveLength(1)
    expect(await page.locator('[data-zone]').textContent()).toBe('')
    await page.goto('/account/password')
    await page.getByLabel('Current password', { exact: true }).waitFor()
    expect(await page.getByRole('button').allTextContents()).toEqual(['Change password'])
    expect(await enrolOnPage(page)).toHaveLength(10)
    expect(await page.getByRole('button').count()).toBe(0)
    await context.close()
  })

  it('leads from a session that the user does not know to another password', async () => {
    const user = await aUser()
    const stranger = await service().given.signIn(user.email)
    const { context, page } = await windowOf(user, { javaScriptEnabled: false })
    await page.goto('/account')
    expect(await page.locator('#sessions ~ ul li').first().textContent()).toContain('this browser')

    await page.getByRole('button', { name: 'This was not me' }).click()
    await page.getByText('That session has ended.').waitFor()
    expect(await stranger.get('/v1/me/profile')).toMatchObject({ status: 401 })
    await page.getByLabel('Current password', { exact: true }).fill(user.password)
    await page.getByLabel('New password', { exact: true }).fill('another horse battery')
    await page.getByRole('button', { name: 'Change password' }).click()

    await page.getByText('Your password has been changed.').waitFor()
    await service().given.signIn(user.email, 'another horse battery')
    await context.close()
  })

  it('ends all other sessions, and then does not offer it any more', async () => {
    const user = await aUser()
    const others = [await service().given.signIn(user.email), await service().given.signIn(user.email)]
    const { context, page } = await windowOf(user, { javaScriptEnabled: false })
    await page.goto('/account')

    await page.getByRole('button', { name: 'End all other sessions' }).click()

    await page.getByText('All other sessions have ended.').waitFor()
    for (const other of others) expect(await other.get('/v1/me/profile')).toMatchObject({ status: 401 })
    expect(await page.getByRole('button', { name: 'End all other sessions' }).count()).toBe(0)
    expect(await page.getByRole('button', { name: 'This was not me' }).count()).toBe(0)
    await context.close()
  })
})

describe('the account with its script', () => {
  it('shows times in the zone of the browser', async () => {
    const user = await aUser()
    const { context, page } = await windowOf(user, { timezoneId: 'Asia/Tokyo', locale: 'en-GB' })
    await page.goto('/account')
    const { data } = (await user.get('/v1/me/activity')).body
    const inTokyo = (format: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en-GB', { ...format, timeZone: 'Asia/Tokyo' })

    await page.getByText('· Tokyo time').waitFor()
    const shown = await times(page)
    expect(shown.filter((time) => time.endsWith('UTC'))).toEqual([])
    // Chromium and Node write the space before AM with different characters.
    const plain = (text: string) => text.replace(/\s/g, ' ')
    expect(shown.map(plain)).toContain(plain(inTokyo({ dateStyle: 'medium', timeStyle: 'short' }).format(new Date(data[0].createdAt))))
    expect(shown.map(plain)).toContain(plain(inTokyo({ dateStyle: 'medium' }).format(new Date(data[0].createdAt))))
    await page.goto('/account?ui_locales=de')
    await page.getByText('· Zeitzone Tokyo').waitFor()
    expect(await violationsIn(page)).toEqual([])
    await context.close()
  })

  it('copies, downloads and prints the backup codes', async () => {
    const user = await aUser()
    const { context, page } = await windowOf(user, { permissions: ['clipboard-read', 'clipboard-write'], acceptDownloads: true })
    const codes = await enrolOnPage(page)

    await page.getByRole('button', { name: 'Copy' }).click()
    await page.getByText('Copied').waitFor()
    const copied = await page.evaluate(() =>
      (globalThis as unknown as { navigator: { clipboard: { readText(): Promise<string> } } }).navigator.clipboard.readText(),
    )
    expect(copied.split('\n')).toEqual(codes)

    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download' }).click()])
    expect(download.suggestedFilename()).toBe('backup-codes.txt')
    const chunks: Buffer[] = []
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
    const lines = Buffer.concat(chunks).toString().split('\r\n')
    expect(lines[0]).toContain(user.email)
    expect(lines.filter((line) => codes.includes(line))).toEqual(codes)

    await page.evaluate(() => {
      const window = globalThis as unknown as { print(): void; printed: boolean }
      window.print = () => {
        window.printed = true
      }
    })
    await page.getByRole('button', { name: 'Print' }).click()
    expect(await page.evaluate(() => (globalThis as unknown as { printed: boolean }).printed)).toBe(true)
    expect(await violationsIn(page)).toEqual([])
    await context.close()
  })

  it.each([true, false])('prints the codes and whose they are, and nothing to click (scripts: %s)', async (javaScriptEnabled) => {
    const user = await aUser()
    const { context, page } = await windowOf(user, { javaScriptEnabled })
    const codes = await enrolOnPage(page)
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })

    for (const text of [...codes, user.email]) expect(await page.getByText(text).isVisible()).toBe(true)
    for (const hidden of ['footer', '.notice', '.next', '.keep']) expect(await page.locator(hidden).isVisible()).toBe(false)
    for (const part of ['html', 'body', 'main', '.codes']) {
      const colours = await page.locator(part).evaluate((element) => {
        const { getComputedStyle } = globalThis as unknown as {
          getComputedStyle(element: object): { color: string; backgroundColor: string }
        }
        const { color, backgroundColor } = getComputedStyle(element)
        return { color, backgroundColor }
      })
      expect([part, colours.backgroundColor]).toEqual([part, 'rgb(255, 255, 255)'])
      if (part !== 'html') expect([part, colours.color]).toEqual([part, 'rgb(0, 0, 0)'])
    }
    await context.close()
  })

  it('shows a password that is asked for, and ticks what the new one fulfils', async () => {
    const { owner } = await service().given.organisation()
    await owner.patch('/v1/admin/organisation', { passwordPolicy: { minLength: 12, requireUppercase: true, requireNumbers: true } })
    const { context, page } = await windowOf(owner)
    await page.goto('/account/password')
    const field = page.getByLabel('New password', { exact: true })
    const met = () => page.locator('.met').allTextContents()

    const show = page.getByRole('button', { name: 'Show: New password' })
    await show.click()
    expect(await field.getAttribute('type')).toBe('text')
    expect(await show.getAttribute('aria-pressed')).toBe('true')
    expect(await page.getByLabel('Current password', { exact: true }).getAttribute('type')).toBe('password')
    await show.click()
    expect(await field.getAttribute('type')).toBe('password')

    expect(await met()).toEqual([])
    await field.fill('Äb')
    expect(await met()).toEqual(['an upper-case letter (done)'])
    await field.fill('Äbcdefghijk1')
    expect(await met()).toHaveLength(3)
    await field.fill('')
    expect(await met()).toEqual([])
    expect(await violationsIn(page)).toEqual([])
    await context.close()
  })

  it('asks before it ends the session of this browser, and not before it ends another one', async () => {
    const user = await aUser()
    const other = await service().given.signIn(user.email)
    const { context, page } = await windowOf(user)
    await page.goto('/account')
    const asked: string[] = []
    let isSure = false
    page.on('dialog', (dialog) => {
      asked.push(dialog.message())
      return isSure ? dialog.accept() : dialog.dismiss()
    })
    const current = page.locator('li', { hasText: 'this browser' }).getByRole('button', { name: 'Sign out' })

    await current.click()
    expect(asked).toEqual(['Sign out of this browser?'])
    expect(await user.get('/v1/me/profile')).toMatchObject({ status: 200 })
    await page.locator('#sessions ~ ul li').nth(1).getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('That session has ended.').waitFor()
    expect(asked).toHaveLength(1)
    expect(await other.get('/v1/me/profile')).toMatchObject({ status: 401 })

    isSure = true
    await current.click()
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor()
    expect(await user.get('/v1/me/profile')).toMatchObject({ status: 401 })
    await context.close()
  })

  it('has at most 3 kB of it, under an address that changes with it, on these pages and the one that takes a password', async () => {
    const user = await aUser()
    const scriptOf = (body: string) => [...body.matchAll(/<script[^>]*>/g)].map(([tag]) => tag)
    const { body, headers } = await user.get('/account')
    const [, path = ''] = /<script src="(\/assets\/account-[0-9a-f]{12}\.js)" defer>/.exec(body) ?? []
    expect(headers.get('content-security-policy')).toContain(
      "; script-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'",
    )

    const script = await service().anonymous.get(path)
    expect(script).toMatchObject({ status: 200 })
    expect(script.headers.get('content-type')).toMatch(/^text\/javascript/)
    expect(script.headers.get('cache-control')).toContain('immutable')
    expect(brotliCompressSync(script.body).length).toBeLessThanOrEqual(scriptMax)

    await enrolAuthenticator(user, service().clock)
    for (const address of accountPages) {
      const page = await user.get(address)
      expect([address, scriptOf(page.body)]).toEqual([address, [`<script src="${path}" defer>`]])
      expect(page.body.replaceAll(/<script src="[^"]*" defer>/g, '')).not.toMatch(/<script| style=| on\w+="/)
    }
    const signIn = await service().anonymous.get('/login')
    expect(scriptOf(signIn.body)).toEqual([`<script src="${path}" defer>`])
    for (const address of [
      '/login/email',
      '/password/forgot',
      '/password/reset?token=x',
      '/logged-out',
      '/oauth2/logout',
      '/no/such/page',
    ]) {
      const page = await user.get(address, { headers: { accept: 'text/html' } })
      expect([address, scriptOf(page.body)]).toEqual([address, []])
      expect(page.headers.get('content-security-policy')).not.toContain('script-src')
    }
  })

  it('fits a phone of 320 pixels with text twice as large, whatever the name of the user and the address of an account', async () => {
    const { given } = service()
    const own = await given.organisation()
    const user = await given.userWith(own.owner, [])
    await own.owner.patch(`/v1/admin/users/${user.id}`, { firstName: 'Sabine', lastName: 'Leutheusser-Schnarrenberger-Schwarzenegger' })
    const connection = await createConnection(own.owner, { name: 'Donaudampfschifffahrtsgesellschaft' })
    await linkedIdentity(service(), { organisationId: own.id, userId: user.id, connectionId: connection.id })
    await service()
      .database.tenant(own.id)
      .updateTable('identities')
      .set({ email: 'maximilianmustermann@beispielunternehmen.example' })
      .where('userId', '=', user.id)
      .execute()
    await enrolAuthenticator(user, service().clock)
    const found: string[] = []
    for (const width of [320, 390, 412]) {
      const { context, page } = await windowOf(user, { viewport: { width, height: 800 } })
      for (const address of [...accountPages, '/account/identities', '/account/passkeys'].filter((one) => one !== '/mfa/enroll')) {
        for (const language of ['en', 'de']) {
          await page.goto(`${address}?ui_locales=${language}`)
          const wide = [...(await tooWideOn(page)), ...(await withLargeText(page, () => tooWideOn(page)))]
          found.push(...wide.map((one) => `${address} ${language} ${width}: ${one}`))
        }
      }
      await context.close()
    }
    expect(found).toEqual([])
  })

  it('has no violations by axe-core in light, dark, on a phone and in German', async () => {
    const user = await aUser(['users:read'])
    await service().given.signIn(user.email)
    const found: string[] = []
    for (const width of [390, 1280]) {
      const { context, page } = await windowOf(user, { bypassCSP: true, viewport: { width, height: 800 } })
      for (const address of accountPages.filter((one) => one !== '/account/second-factor')) {
        for (const language of ['en', 'de']) {
          await page.goto(`${address}?ui_locales=${language}`)
          await prepareLooks(page)
          const mistakes = [...(await violationsOn(page)), ...(await inOtherScheme(page, () => coloursOn(page)))]
          found.push(...mistakes.map((one) => `${address} ${language} ${width}: ${one}`))
          const overflow = await page.evaluate(() => {
            const { scrollWidth, clientWidth } = (
              globalThis as unknown as { document: { documentElement: { scrollWidth: number; clientWidth: number } } }
            ).document.documentElement
            return scrollWidth - clientWidth
          })
          expect([address, language, width, overflow]).toEqual([address, language, width, 0])
        }
      }
      await context.close()
    }
    expect(found).toEqual([])
  })
})

describe('the way back to the console', () => {
  const wayBack = (page: Page) => page.getByRole('link', { name: 'Back to the console' })

  it.each([true, false])('stays on every page for a user who came from there (scripts: %s)', async (javaScriptEnabled) => {
    const user = await aUser()
    const { context, page } = await windowOf(user, { javaScriptEnabled })
    const leadsBack = async () => expect(await wayBack(page).getAttribute('href')).toBe('/console/users?page=2')

    await page.goto(`/account?${new URLSearchParams({ returnTo: '/console/users?page=2' })}`)
    await leadsBack()
    await page.getByRole('link', { name: 'Change name and phone number' }).click()
    await leadsBack()
    await page.getByLabel('First name').fill('')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Fill in this field').waitFor()
    await leadsBack()
    await page.getByLabel('First name').fill('Carol')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Your changes are saved.').waitFor()
    await leadsBack()
    await page.getByRole('link', { name: 'Change password', exact: true }).click()
    await leadsBack()
    await page.getByRole('link', { name: 'Back to your account' }).click()
    await page.getByRole('link', { name: 'Set up two-step verification' }).click()
    await leadsBack()
    await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
    const secret = ((await page.locator('.secret').textContent()) ?? '').replaceAll(' ', '')
    await leadsBack()
    const authenticator = new Authenticator(secret, service().clock)
    await page.getByRole('textbox', { name: 'Code' }).fill(authenticator.code())
    await page.getByRole('button', { name: 'Switch on' }).click()
    await page.getByRole('heading', { name: 'Save your backup codes' }).waitFor()
    await leadsBack()
    await page.getByRole('link', { name: 'I have saved them' }).click()
    await page.getByRole('heading', { name: 'Your account', exact: true }).waitFor()
    await leadsBack()
    await page.getByRole('link', { name: 'Change two-step verification' }).click()
    await leadsBack()
    await page.getByRole('textbox', { name: 'Code' }).fill(authenticator.nextCode())
    await page.getByRole('button', { name: 'New backup codes' }).click()
    await page.getByRole('heading', { name: 'Save your backup codes' }).waitFor()
    await leadsBack()
    await context.close()
  })

  it('stays while they prove who they are, on a page that can show what they type', async () => {
    const { context, page } = await windowOf(await aUser())
    const returnTo = `/account/passkeys?${new URLSearchParams({ returnTo: '/console/users?page=2' })}`
    await page.goto(`/reauthenticate?${new URLSearchParams({ returnTo })}`)
    expect(await wayBack(page).getAttribute('href')).toBe('/console/users?page=2')
    await page.getByRole('button', { name: 'Show' }).click()
    expect(await page.locator('#password').getAttribute('type')).toBe('text')
    expect(await violationsIn(page)).toEqual([])
    await context.close()
  })

  it('is there for everyone with a permission of an administrator, wherever they came from', async () => {
    const { context, page } = await windowOf(await aUser(['audit:read']))
    for (const address of ['/account', '/account/profile', '/account/password?ui_locales=en', '/mfa/enroll', '/account?returnTo=/login']) {
      await page.goto(address)
      expect([address, await wayBack(page).getAttribute('href')]).toEqual([address, '/console'])
    }
    await page.goto('/account?ui_locales=de')
    expect(await page.getByRole('link', { name: 'Zurück zur Konsole' }).getAttribute('href')).toBe('/console')
    await context.close()
  })

  it('is not there for others, and leads nowhere else', async () => {
    const { context, page } = await windowOf(await aUser())
    for (const returnTo of ['', '/consoles', '/console.evil', '//evil.example/console', '/account?returnTo=//evil.example/console']) {
      await page.goto(`/account?${new URLSearchParams({ returnTo })}`)
      expect([returnTo, await wayBack(page).count()]).toEqual([returnTo, 0])
    }
    await context.close()
  })
})
