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
import { everyAddress, everyOverlay, everyTable, followLoads, followRequests, prepareScene, type Scene } from './every-page.ts'

const { service, openConsole } = useConsole()

/** A change of colours takes no time, so that axe sees the colours that stay. */
const still = { reducedMotion: 'reduce' } as const
const phone = { width: 390, height: 844 }

/** These load too much: they show a field that searches what can be chosen, which loads with it all that opens over a page (60 kB). */
const tooHeavy = [
  ...['/users/{id}/access', '/sign-in-check', '/teams/{id}', '/applications/{id}/claims', '/audit', '/explain', '/organisation/danger'],
  ...['/connections/{id}/accounts', '/directories/{id}/groups', '/other-apis/{id}', '/other-apis/{id}/ask'],
]
const placeOf = (address: string) => address.replace(/^\/console|\?.*$/g, '').replaceAll(/[a-z]{3}_[0-9a-z]{26}/g, '{id}')

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

/** Whether the page shows a table, and no test lays it out with a long cell. */
async function tablesOn(page: Page, laidOut: readonly string[], address: string): Promise<string[]> {
  const count = await page.locator('main table').count()
  return count === 0 || laidOut.includes(address) ? [] : ['shows a table that everyTable lacks']
}

/** What is of no entry: the operator's page, the return of a sign-in, and an address without a page. */
const ofNoEntry = /^\/console\/(system\/doctor|try|nowhere)$/

/** Whether the navigation marks one entry, and no other, as the current one. */
async function currentEntriesOn(page: Page): Promise<string[]> {
  const current = await page.getByRole('navigation', { name: 'Navigation' }).locator('[aria-current=page]').allTextContents()
  const expected = ofNoEntry.test(new URL(page.url()).pathname) ? 0 : 1
  return current.length === expected ? [] : [`the navigation marks ${current.length} entries: ${current}`]
}

describe('every page of the console', () => {
  let scene: Scene
  let pages: string[]
  let addresses: string[]
  let tables: string[]
  beforeAll(async () => {
    scene = await prepareScene(service())
    pages = everyAddress(scene)
    addresses = [...pages, ...everyOverlay(scene)]
    tables = everyTable(scene)
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
      if (pages.includes(address)) note(address, await tablesOn(page, tables, address))
      note(address, await violationsOn(page))
      note(address, await tooSmallOn(page))
      // What lies over a page hides the navigation from assistive technology.
      if (pages.includes(address)) note(address, await currentEntriesOn(page))
      note(address, await inOtherScheme(page, () => coloursOn(page)))
      note(`${address} with large text`, await withLargeText(page, () => tooWideOn(page)))
      note(address, faults.splice(0))
    }
    expect(mistakes).toEqual([])
  })

  it('keeps its policy, asks little, loads little, is accessible in dark and light, moves nothing while it loads on a phone in German, and fits 320 pixels', async () => {
    const { mistakes, note } = notebook()
    const appearance = { ...still, viewport: phone, hasTouch: true, colorScheme: 'dark', locale: 'de-DE' } as const
    const { page, faults, settled } = await openConsole(scene.owner, '/console', appearance)
    const tooMuch = followRequests(page)
    const heavyLoads = followLoads(page)
    expect(await page.evaluate("matchMedia('(pointer: coarse)').matches")).toBe(true)
    for (const address of addresses) {
      heavyLoads()
      await page.goto(address)
      await settled()
      // What opens over a page may add to it.
      const heavy = heavyLoads()
      if (!tooHeavy.includes(placeOf(address))) note(address, pages.includes(address) ? heavy : [])
      else if (heavy.length === 0) note(address, ['loads no more than others now, and is no exception'])
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
