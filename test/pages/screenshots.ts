/**
 * Writes pictures of every page, light and dark, in phone and desktop size, to screenshots/ (`SCREENSHOTS_FOLDER`).
 * `SCREENSHOTS_ONLY=login-dark-phone` writes only that picture.
 */
import { mkdir, readdir, rm } from 'node:fs/promises'
import process from 'node:process'
import type { Page } from 'playwright-core'
import { it } from 'vitest'
import { useBrowserAndService } from '../support/browser.ts'
import { prepareScene, visitAccountWithScript, visitBackupCodes, visitEveryPage } from './every-page.ts'
import { visitPasskeyPages } from './passkey-pages.ts'

const { browser, service } = useBrowserAndService({ host: 'localhost', environment: { OAUTH_EXTENSIONS: 'device,step_up' } })
const { SCREENSHOTS_FOLDER: folder = 'screenshots', SCREENSHOTS_ONLY: only } = process.env
const screens = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 800 } }

/** Thrown to end a visit after its only picture. */
class Taken extends Error {}

it('writes a picture of every page', { timeout: 300_000 }, async () => {
  await mkdir(folder, { recursive: true })
  // The pictures of the console are in a folder below, and written by a test of their own.
  for (const name of await readdir(folder)) if (name.endsWith('.png')) await rm(`${folder}/${name}`)
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const [screen, viewport] of Object.entries(screens)) {
      const suffix = `-${colorScheme}-${screen}`
      if (only?.endsWith(suffix) === false) continue
      const look = async (name: string, page: Page) => {
        if (only !== undefined && only !== name + suffix) return
        await page.screenshot({ path: `${folder}/${name}${suffix}.png`, fullPage: true })
        if (only !== undefined) throw new Taken()
      }
      await visit({ colorScheme, viewport }, look).catch((error) => {
        if (!(error instanceof Taken)) throw error
      })
    }
  }
})

async function visit(
  appearance: { colorScheme: 'light' | 'dark'; viewport: { width: number; height: number } },
  look: (name: string, page: Page) => Promise<void>,
): Promise<void> {
  const scene = await prepareScene(service())
  await visitEveryPage(browser(), service(), scene, look, appearance)
  await visitBackupCodes(browser(), service(), scene, (page) => look('backup-codes', page), appearance)
  const withScript = { ...appearance, javaScriptEnabled: true, timezoneId: 'Europe/Berlin' }
  await visitAccountWithScript(browser(), service(), await prepareScene(service()), look, withScript)
  await visitPasskeyPages(browser(), service(), look, withScript)
}
