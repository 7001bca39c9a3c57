import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { pageAddresses } from '../support/all-routes.ts'
import { useBrowserAndService } from '../support/browser.ts'
import { coloursOn, inOtherScheme, prepareLooks, violationsOn } from '../support/looks.ts'
import { prepareScene, visitBackupCodes, visitEveryPage } from './every-page.ts'

const { browser, service } = useBrowserAndService({ environment: { OAUTH_EXTENSIONS: 'device' } })

/** Pages that show nothing of their own. Every other one has to be visited by test/pages/every-page.ts. */
const onlyRedirects = ['/', '/account/application', '/federation/:id/logged-out']
/** Shown only where there can be passkeys: test/pages/passkeys-in-browser.test.ts looks at it. */
const ofPasskeys = ['/login/passkey']

// The pages look the same whatever the database; what they do is tested on both.
describe('every hosted page', () => {
  it('has no violations by axe-core, in light and in dark', async () => {
    const found: string[] = []
    const seen: string[] = []
    const addresses = new Set<string>()
    const lookTwice = async (name: string, page: Page) => {
      seen.push(name)
      addresses.add(new URL(page.url()).pathname)
      await prepareLooks(page)
      const mistakes = [...(await violationsOn(page)), ...(await inOtherScheme(page, () => coloursOn(page)))]
      found.push(...mistakes.map((one) => `${name}: ${one}`))
      expect(await page.locator('html').getAttribute('lang')).toMatch(/^(en|de)$/)
    }
    const scene = await prepareScene(service())
    const options = { javaScriptEnabled: true, bypassCSP: true }
    await visitEveryPage(browser(), service(), scene, lookTwice, options)
    await visitBackupCodes(browser(), service(), scene, (page) => lookTwice('backup-codes', page), options)
    expect(found).toEqual([])
    expect(seen.length).toBeGreaterThan(30)
    expect(pageAddresses().filter((address) => !addresses.has(address) && ![...onlyRedirects, ...ofPasskeys].includes(address))).toEqual([])
  })
})
