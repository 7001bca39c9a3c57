/** Writes every page in light and dark, as a phone and a desktop show it, to screenshots/. */
import { mkdir, rm } from 'node:fs/promises'
import { it } from 'vitest'
import { useBrowserAndService } from '../support/browser.ts'
import { prepareScene, visitBackupCodes, visitEveryPage } from './every-page.ts'

const { browser, service } = useBrowserAndService()
const folder = 'screenshots'
const screens = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 800 } }

it('writes a picture of every page', { timeout: 300_000 }, async () => {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder)
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const [screen, viewport] of Object.entries(screens)) {
      const scene = await prepareScene(service())
      const look = (name: string, page: import('playwright-core').Page) =>
        page.screenshot({ path: `${folder}/${name}-${colorScheme}-${screen}.png`, fullPage: true }).then(() => {})
      await visitEveryPage(browser(), service(), scene, look, { colorScheme, viewport })
      await visitBackupCodes(browser(), service(), scene, async (page) => {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize(viewport)
        await look('backup-codes', page)
      })
    }
  }
})
