import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { useConsole } from '../support/console.ts'
import {
  beginShifts,
  coloursOn,
  inNarrowWindow,
  inOtherScheme,
  prepareLooks,
  shiftsOn,
  tooSmallOn,
  tooWideOn,
  violationsOn,
  withLargeText,
} from '../support/looks.ts'
import { everyAddress, everyOverlay, followRequests, prepareScene, type Scene } from './every-page.ts'

const { service, openConsole } = useConsole()

/** A change of colours takes no time, so that axe sees the colours that stay. */
const still = { reducedMotion: 'reduce' } as const
const phone = { width: 390, height: 844 }

/** Collects what is wrong, with where it is. */
function notebook() {
  const mistakes: string[] = []
  return { mistakes, note: (where: string, found: string[]) => mistakes.push(...found.map((one) => `${where}: ${one}`)) }
}

/** The tabs of the page that no walk comes to. */
async function unvisitedTabs(page: Page, visited: readonly string[]): Promise<string[]> {
  const links = await page.locator('main nav a').evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
  // Places of the same page are no pages.
  const pages = links.filter((link) => !link.startsWith('#') && !link.includes('?'))
  return pages.filter((link) => !visited.includes(link)).map((link) => `is not visited: ${link}`)
}

describe('every page of the console', () => {
  let scene: Scene
  let addresses: string[]
  beforeAll(async () => {
    scene = await prepareScene(service())
    addresses = [...everyAddress(scene), ...everyOverlay(scene)]
  })

  it('keeps its policy, is accessible in light and dark, moves nothing, and stands text twice as large', async () => {
    const { mistakes, note } = notebook()
    const { page, faults, goTo } = await openConsole(scene.owner, '/console', still)
    await prepareLooks(page)
    for (const address of addresses) {
      await beginShifts(page)
      await goTo(address)
      note(address, await shiftsOn(page))
      note(address, await unvisitedTabs(page, addresses))
      note(address, await violationsOn(page))
      note(address, await tooSmallOn(page))
      note(address, await inOtherScheme(page, () => coloursOn(page)))
      note(`${address} with large text`, await withLargeText(page, () => tooWideOn(page)))
      note(address, faults.splice(0))
    }
    expect(mistakes).toEqual([])
  })

  it('keeps its policy, asks little, is accessible in dark and light, moves nothing while it loads on a phone in German, and fits 320 pixels', async () => {
    const { mistakes, note } = notebook()
    const appearance = { ...still, viewport: phone, hasTouch: true, colorScheme: 'dark', locale: 'de-DE' } as const
    const { page, faults, settled } = await openConsole(scene.owner, '/console', appearance)
    const tooMuch = followRequests(page)
    expect(await page.evaluate("matchMedia('(pointer: coarse)').matches")).toBe(true)
    for (const address of addresses) {
      await page.goto(address)
      await settled()
      expect(await page.locator('html').getAttribute('lang')).toBe('de')
      await prepareLooks(page)
      note(address, await shiftsOn(page))
      note(address, await violationsOn(page))
      note(address, await inOtherScheme(page, () => coloursOn(page)))
      note(`${address} in a narrow window`, await inNarrowWindow(page, () => tooWideOn(page)))
      note(address, [...faults.splice(0), ...tooMuch()])
    }
    expect(mistakes).toEqual([])
  })
})
