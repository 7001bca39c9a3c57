import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { useConsole } from '../support/console.ts'
import { databaseKind } from '../support/database.ts'
import { everyAddress, everyOverlay, prepareScene, type Scene } from './every-page.ts'

const { service, openConsole } = useConsole()

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

interface Results {
  violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[]
  passes: { id: string }[]
}

/** Runs axe on the page, loading it only once. */
async function violationsOn(page: Page): Promise<string[]> {
  const run = `globalThis.axe && globalThis.axe.run(document, { runOnly: ${JSON.stringify(tags)} })`
  const results = (await page.evaluate(run)) as Results | undefined
  const { violations, passes } = results ?? ((await new AxeBuilder({ page }).setLegacyMode().withTags(tags).analyze()) as Results)
  if (!passes.some(({ id }) => id === 'color-contrast')) return ['axe has not looked at the colours']
  return violations.map(
    ({ id, nodes }) =>
      `${id} at ${nodes
        .slice(0, 3)
        .map(({ html }) => html.slice(0, 160))
        .join(' and ')}`,
  )
}

/** Adds up how far things have moved by themselves. */
const measureShifts = `globalThis.shifted = 0; new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) globalThis.shifted += entry.value
}).observe({ type: 'layout-shift', buffered: true })`

/** A change of colours takes no time, so that axe sees the colours that stay. */
const still = { reducedMotion: 'reduce' } as const

const isTooWide = (page: Page) => page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')

// The pages look the same whatever the database.
describe.runIf(databaseKind() === 'pglite')('every page of the console', () => {
  let scene: Scene
  beforeAll(async () => {
    scene = await prepareScene(service())
  })

  it('is accessible in light and dark, asks little of the API, and stands text twice as large', { timeout: 400_000 }, async () => {
    const mistakes: string[] = []
    const { page, context, faults, goTo, settled } = await openConsole(scene.owner, '/console', still)
    await settled()
    let asked: string[] = []
    context.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (pathname.startsWith('/v1/')) asked.push(`${request.method()} ${pathname}`)
    })
    for (const address of [...everyAddress(scene), ...everyOverlay(scene)]) {
      asked = []
      await goTo(address)
      if (asked.length > 4) mistakes.push(`${address} asks ${asked.length} times: ${asked.join(', ')}`)
      for (const fault of faults.splice(0)) mistakes.push(`${address}: ${fault}`)
      for (const scheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: scheme })
        for (const violation of await violationsOn(page)) mistakes.push(`${address} in ${scheme}: ${violation}`)
      }
      await page.evaluate("document.documentElement.style.fontSize = '200%'")
      if (await isTooWide(page)) mistakes.push(`${address} with text twice as large has to be scrolled sideways`)
      await page.evaluate("document.documentElement.style.fontSize = ''")
    }
    expect(mistakes).toEqual([])
  })

  it('is accessible on a phone in German, moves nothing while it loads, and fits 320 pixels', { timeout: 400_000 }, async () => {
    const mistakes: string[] = []
    const phone = { width: 390, height: 844 }
    const { page, context, faults, settled } = await openConsole(scene.owner, '/console', { ...still, viewport: phone, locale: 'de-DE' })
    await context.addInitScript(measureShifts)
    for (const address of [...everyAddress(scene), ...everyOverlay(scene)]) {
      await page.goto(address)
      await settled()
      const shifted = (await page.evaluate('globalThis.shifted')) as number
      if (shifted > 0.02) mistakes.push(`${address} shifts by ${shifted.toFixed(3)}`)
      expect(await page.locator('html').getAttribute('lang')).toBe('de')
      for (const fault of faults.splice(0)) mistakes.push(`${address}: ${fault}`)
      for (const violation of await violationsOn(page)) mistakes.push(`${address}: ${violation}`)
      await page.setViewportSize({ width: 320, height: 844 })
      if (await isTooWide(page)) mistakes.push(`${address} has to be scrolled sideways on 320 pixels`)
      await page.setViewportSize(phone)
    }
    expect(mistakes).toEqual([])
  })

  it('has dialogs, menus and a palette that are accessible, too', { timeout: 120_000 }, async () => {
    const mistakes: string[] = []
    const { page, settled } = await openConsole(scene.owner, `/console/users/${scene.userId}`)
    await settled()
    const look = async (what: string, role: 'dialog' | 'alertdialog' | 'menu' | 'listbox') => {
      await page.getByRole(role).first().waitFor()
      for (const scheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
        for (const violation of await violationsOn(page)) mistakes.push(`${what} in ${scheme}: ${violation}`)
      }
      await page.keyboard.press('Escape')
      await page.getByRole(role).first().waitFor({ state: 'detached' })
    }
    await page.keyboard.press('Control+k')
    await look('palette', 'dialog')
    await page.keyboard.press('?')
    await look('shortcuts', 'dialog')
    await page.getByRole('button', { name: 'This page as API calls' }).click()
    await look('API drawer', 'dialog')
    await page.getByRole('banner').getByRole('button').last().click()
    await look('user menu', 'menu')
    await page.getByRole('banner').getByRole('button').last().click()
    await page.getByRole('menuitem', { name: 'Preferences' }).click()
    await look('preferences', 'dialog')
    await page.getByRole('button', { name: 'Block', exact: true }).click()
    await look('question', 'alertdialog')
    expect(mistakes).toEqual([])
  })

  it('honours reduced motion and forced colours', async () => {
    const { page, settled } = await openConsole(scene.owner, '/console/users?create=yes', {
      reducedMotion: 'reduce',
      forcedColors: 'active',
    })
    await settled()
    await page.getByRole('dialog').waitFor()
    const moving = await page.evaluate(`[...document.querySelectorAll('*')].filter((element) => {
      const { transitionDuration, animationDuration, animationName } = getComputedStyle(element)
      const longest = (text) => Math.max(...text.split(',').map(parseFloat))
      return longest(transitionDuration) > 0.01 || (animationName !== 'none' && longest(animationDuration) > 0.01)
    }).map((element) => element.className)`)
    expect(moving).toEqual([])
    const border = await page
      .getByRole('dialog')
      .getByRole('textbox')
      .first()
      .evaluate((field) => {
        const { getComputedStyle } = globalThis as unknown as { getComputedStyle(element: unknown): { borderTopStyle: string } }
        return getComputedStyle((field as { parentElement: unknown }).parentElement).borderTopStyle + getComputedStyle(field).borderTopStyle
      })
    expect(border).toContain('solid')
  })
})

describe('the page that is served', () => {
  it('has no script, style or style attribute of its own', async () => {
    const { owner } = await service().given.organisation()
    const { body: html } = await owner.get('/console/users')
    expect(html).toMatch(/<script type="module"[^>]* src="\/console\/assets\//)
    expect(html).not.toMatch(/<script(?![^>]*\bsrc=)/)
    expect(html).not.toMatch(/<style|\sstyle=|\son\w+=/)
  })
})

describe('what a person prefers', () => {
  it('is kept by the browser', async () => {
    const { owner } = await service().given.organisation()
    const { page, settled } = await openConsole(owner, '/console/users', { colorScheme: 'light' })
    await settled()
    const prefer = async (group: string, choice: string) => {
      await page.getByRole('banner').getByRole('button').last().click()
      await page.getByRole('menuitem', { name: /Preferences|Einstellungen/ }).click()
      await page.getByRole('dialog').getByRole('group', { name: group }).getByRole('button', { name: choice }).click()
    }
    await prefer('Theme', 'Dark')
    await page.keyboard.press('Escape')
    await prefer('Keyboard shortcuts of one key', 'Off')
    await page.keyboard.press('Escape')
    await prefer('Language', 'Deutsch')
    await page.getByRole('heading', { level: 1, name: 'Benutzer' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Benutzer' }).waitFor()
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
    await page.keyboard.press('c')
    await settled()
    expect(await page.getByRole('dialog').count()).toBe(0)
  })
})
