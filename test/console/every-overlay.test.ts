import { globSync, readFileSync } from 'node:fs'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Appearance, useConsole } from '../support/console.ts'
import {
  coloursOn,
  inNarrowWindow,
  inOtherScheme,
  inTallWindow,
  prepareLooks,
  tooSmallOn,
  tooWideOn,
  violationsOn,
  withLargeText,
} from '../support/looks.ts'
import { overlays, seenElsewhere } from './every-overlay.ts'
import { prepareScene, type Scene } from './every-page.ts'

const { service, openConsole } = useConsole()

/** A change of colours takes no time, so that axe sees the colours that stay. */
const still = { reducedMotion: 'reduce' } as const

/** Toasts stay where they are, and a list that has been closed can stay in the document. */
const overlay = '[role=dialog]:not([data-toast]), [role=alertdialog], [role=menu], [role=listbox]'
const shownOverlays = (page: Page): Locator => page.locator(overlay).filter({ visible: true })
const anyOverlay = (page: Page): Locator => shownOverlays(page).first()

/** The questions whether what was typed is lost, and what says yes to them. */
const losing = (page: Page): Locator =>
  page.getByRole('alertdialog', {
    name: /^(Discard what you have typed\?|Eingaben verwerfen\?|Leave without saving\?|Ohne Speichern verlassen\?)$/,
  })
const yes = /^(Discard|Verwerfen|Leave|Verlassen)$/

/** Without it, a secret that is shown once stays. */
const stored = (page: Page): Locator =>
  page.getByRole('alertdialog').getByRole('checkbox', { name: /^(I have stored it|Ich habe es gespeichert)/ })

async function close(page: Page): Promise<void> {
  for (let presses = 0; presses < 4 && (await anyOverlay(page).isVisible()); presses++) {
    const before = await shownOverlays(page).count()
    if (await stored(page).isVisible()) await stored(page).check()
    if (await losing(page).isVisible()) await losing(page).getByRole('button', { name: yes }).click()
    else await page.keyboard.press('Escape')
    // One overlay fewer, or a question more. A second key before that would answer the question with no. A key that came before the
    // overlay listened is pressed again.
    await expect
      .poll(() => shownOverlays(page).count(), { timeout: 3000 })
      .not.toBe(before)
      .catch(() => undefined)
  }
}

describe('what lies over pages of the console', () => {
  let scene: Scene
  beforeAll(async () => {
    scene = await prepareScene(service())
  })

  /** Opens one after the other and looks at each, with what is below it. */
  async function walk(language: 'en' | 'de', appearance: Appearance, look: (page: Page) => Promise<string[]>): Promise<string[]> {
    const mistakes: string[] = []
    const { page, faults, goTo, settled } = await openConsole(scene.owner, '/console', { ...still, ...appearance })
    await prepareLooks(page)
    for (const { what, at, open, shows = anyOverlay, isRefused, on } of overlays(language)) {
      if (on === (appearance.hasTouch ? 'desktop' : 'phone')) continue
      try {
        if (at) {
          await close(page)
          await goTo(`/console${at(scene)}`)
          if (await losing(page).isVisible()) await losing(page).getByRole('button', { name: yes }).click()
        }
        await open(page, scene)
        await shows(page).waitFor()
        await settled()
        mistakes.push(...(await look(page)).map((one) => `${what}: ${one}`))
      } catch (error) {
        // The others are looked at all the same.
        mistakes.push(`${what}: ${error}`)
      }
      const found = faults.splice(0)
      if (!isRefused) mistakes.push(...found.map((one) => `${what}: ${one}`))
    }
    return mistakes
  }

  it('is accessible on a desktop in light and dark, with text twice as large, too', async () => {
    const mistakes = await walk('en', {}, async (page) => [
      ...(await inTallWindow(page, async () => [...(await violationsOn(page)), ...(await inOtherScheme(page, () => coloursOn(page)))])),
      ...(await tooSmallOn(page)),
      ...(await withLargeText(page, () => tooWideOn(page))),
    ])
    expect(mistakes).toEqual([])
  })

  it('is accessible on a phone in German, and fits 320 pixels', async () => {
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, locale: 'de-DE' }
    const mistakes = await walk('de', phone, async (page) => [
      ...(await inTallWindow(page, () => violationsOn(page))),
      ...(await inNarrowWindow(page, () => tooWideOn(page))),
    ])
    expect(mistakes).toEqual([])
  })

  it('is looked at, wherever a source opens something', () => {
    const opening = globSync('console/src/{parts,shell,pages}/**/*.tsx')
      .filter((file) => /<(Dialog|Drawer|Menu|Confirm|SecretOnce(Later)?)\b/.test(readFileSync(file, 'utf8')))
      .map((file) => file.replace('console/src/', ''))
    const lookedAt = new Set(overlays('en').flatMap(({ of = [] }) => of))
    expect(opening.filter((file) => !lookedAt.has(file) && !Object.hasOwn(seenElsewhere, file))).toEqual([])
    expect([...lookedAt, ...Object.keys(seenElsewhere)].filter((file) => !opening.includes(file))).toEqual([])
  })
})
