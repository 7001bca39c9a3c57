import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { pageAddresses } from '../support/all-routes.ts'
import { useBrowserAndService } from '../support/browser.ts'
import { prepareScene, visitBackupCodes, visitEveryPage } from './every-page.ts'

const { browser, service } = useBrowserAndService()

/** Pages that show nothing of their own. Every other one has to be visited by test/pages/every-page.ts. */
const onlyRedirects = ['/', '/account/application', '/federation/:id/logged-out']
/** Shown only where there can be passkeys: test/pages/passkeys-in-browser.test.ts looks at it. */
const ofPasskeys = ['/login/passkey']

type Results = Awaited<ReturnType<AxeBuilder['analyze']>>

// axe runs its own script, even on pages that forbid scripts.
const look = (page: Page): Promise<Results> =>
  new AxeBuilder({ page }).setLegacyMode().withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']).analyze()

/** Repeats the checks that depend on the colour scheme, with the axe that {@link look} has loaded into the page. */
const lookAtColours = (page: Page): Promise<Results> =>
  page.evaluate(() => {
    const { axe } = globalThis as unknown as { axe: { run(options: { runOnly: string[] }): Promise<Results> } }
    return axe.run({ runOnly: ['color-contrast', 'link-in-text-block'] })
  })

// The pages look the same whatever the database; what they do is tested on both.
describe('every hosted page', () => {
  it('has no violations by axe-core, in light and in dark', { timeout: 180_000 }, async () => {
    const found: string[] = []
    const seen: string[] = []
    const addresses = new Set<string>()
    const note = (name: string, { violations, passes }: Results) => {
      found.push(...violations.map(({ id, nodes }) => `${name}: ${id} at ${nodes.map(({ html }) => html).join(', ')}`))
      // Otherwise axe has not run.
      expect(passes.map(({ id }) => id)).toContain('color-contrast')
    }
    const lookTwice = async (name: string, page: Page) => {
      seen.push(name)
      addresses.add(new URL(page.url()).pathname)
      await page.emulateMedia({ colorScheme: 'light' })
      note(name, await look(page))
      await page.emulateMedia({ colorScheme: 'dark' })
      note(`${name} in dark`, await lookAtColours(page))
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
