/**
 * Writes pictures of every page of the console with what can lie over it, in light and dark, on a phone and a desktop, in
 * English and German, to screenshots/console/ (`SCREENSHOTS_FOLDER`). `SCREENSHOTS_ONLY=users-dark-phone-de` writes only that picture.
 */
import { rm } from 'node:fs/promises'
import process from 'node:process'
import { it } from 'vitest'
import { useConsole } from '../support/console.ts'
import { everyAddress, everyOverlay, prepareScene } from './every-page.ts'

const { service, openConsole } = useConsole()
const { SCREENSHOTS_FOLDER: folder = 'screenshots', SCREENSHOTS_ONLY: only } = process.env
const screens = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 800 } }
const locales = { en: 'en-GB', de: 'de-DE' }

it('writes a picture of every page of the console', { timeout: 900_000 }, async () => {
  const target = `${folder}/console`
  if (only === undefined) await rm(target, { recursive: true, force: true })
  const scene = await prepareScene(service())
  const { owner } = await service().given.organisation()
  const ids = Object.values(scene).filter((value) => typeof value === 'string')
  const full = [...everyAddress(scene), ...everyOverlay(scene), '/console/users?q=nobody']
  const empty = full.filter((address) => !ids.some((id) => address.includes(id)) && !address.includes('?'))
  const visits = [
    { user: scene.owner, addresses: full, prefix: '' },
    { user: owner, addresses: empty, prefix: 'empty-' },
  ]
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const [screen, viewport] of Object.entries(screens)) {
      for (const [language, locale] of Object.entries(locales)) {
        const suffix = `-${colorScheme}-${screen}-${language}`
        for (const { user, addresses, prefix } of visits) {
          const wanted = addresses.filter((address) => only === undefined || only === prefix + nameOf(address, ids) + suffix)
          if (wanted.length === 0) continue
          const { page, context, goTo, settled } = await openConsole(user, '/console', { colorScheme, viewport, locale })
          await settled()
          for (const address of wanted) {
            await goTo(address)
            await page.screenshot({ path: `${target}/${prefix}${nameOf(address, ids)}${suffix}.png`, fullPage: !address.includes('?') })
          }
          await context.close()
        }
      }
    }
  }
})

/** `/console/users/usr_…/access` → `users-one-access` */
function nameOf(address: string, ids: string[]): string {
  const path = ids.reduce((text, id) => text.replace(id, 'one'), address.replace('/console', ''))
  return path.replaceAll(/[/?=]+/g, '-').replace(/^-/, '') || 'overview'
}
