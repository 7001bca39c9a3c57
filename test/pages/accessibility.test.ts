import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { useBrowserAndService } from '../support/browser.ts'
import { prepareScene, visitBackupCodes, visitEveryPage } from './every-page.ts'

const { browser, service } = useBrowserAndService()

describe('every hosted page', () => {
  it.each(['light', 'dark'] as const)('gives axe-core nothing to find in %s', { timeout: 180_000 }, async (colorScheme) => {
    const found: string[] = []
    const seen: string[] = []
    const look = async (name: string, page: Page) => {
      seen.push(name)
      // axe runs its own script, also where a page may run none.
      const { violations } = await new AxeBuilder({ page })
        .setLegacyMode()
        .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
        .analyze()
      found.push(...violations.map(({ id, nodes }) => `${name}: ${id} at ${nodes.map(({ html }) => html).join(', ')}`))
      expect(await page.locator('html').getAttribute('lang')).toMatch(/^(en|de)$/)
    }
    const scene = await prepareScene(service())
    const options = { colorScheme, javaScriptEnabled: true, bypassCSP: true }
    await visitEveryPage(browser(), service(), scene, look, options)
    await visitBackupCodes(browser(), service(), scene, (page) => look('backup-codes', page), options)
    expect(found).toEqual([])
    expect(seen.length).toBeGreaterThan(30)
  })
})
