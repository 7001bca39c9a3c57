import { globSync, readFileSync } from 'node:fs'
import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { type OpenConsole, useConsole } from '../support/console.ts'

const { service, openConsole } = useConsole()

const backgroundOf = ({ page }: OpenConsole) => page.evaluate('getComputedStyle(document.body).backgroundColor')
const [light, dark] = ['rgb(244, 245, 248)', 'rgb(13, 15, 20)']

/** What formats a time and need not follow a change of the zone by itself. */
const outsideOfZones: Record<string, string> = {
  'pages/audit/audit.tsx': 'its list renders the rows again',
  'pages/webhooks/replay-range.tsx': 'a question, below which no preference can be changed',
  'parts/conflict-dialog.tsx': 'a question as well',
  'parts/json-view.tsx': 'a function of components that follow',
  'parts/status-line.tsx': 'the moment at which something was saved',
  ...Object.fromEntries(
    ['organisation/urls', 'other-apis/other-api-settings', 'resources/resource-settings', 'applications/client-settings'].map((page) => [
      `pages/${page}.tsx`,
      'shows no times by it',
    ]),
  ),
}

interface Selecting {
  getSelection(): { selectAllChildren(element: unknown): void }
  navigator: { clipboard: { readText(): Promise<string> } }
}

describe('the look of the console', () => {
  it('follows the colours of the system, until a person prefers others', async () => {
    const { owner } = await service().given.organisation()
    const inLight = await openConsole(owner, '/console/users', { colorScheme: 'light' })
    await inLight.settled()
    expect(await backgroundOf(inLight)).toBe(light)
    await inLight.page.emulateMedia({ colorScheme: 'dark' })
    await expect.poll(() => backgroundOf(inLight)).toBe(dark)
  })

  it('is what a person prefers, for this browser, after a reload, too', async () => {
    const { owner } = await service().given.organisation()
    const opened = await openConsole(owner, '/console/audit', { colorScheme: 'light', timezoneId: 'Asia/Tokyo' })
    const { page, settled } = opened
    await settled()
    const prefer = async (group: string, choice: string) => {
      await page.getByRole('banner').getByRole('button').last().click()
      await page.getByRole('menuitem', { name: /Preferences|Einstellungen/ }).click()
      await page.getByRole('dialog').getByRole('group', { name: group }).getByRole('button', { name: choice }).click()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    const hourOf = async () =>
      Number(/(\d+):\d\d:\d\d/.exec((await page.getByRole('rowheader').locator('time').last().textContent()) ?? '')?.[1])
    const inTokyo = await hourOf()
    await prefer('Theme', 'Dark')
    await prefer('Rows', 'Compact')
    await prefer('Time zone', 'UTC')
    // Nothing has to be loaded again: rows that have not changed follow as well.
    await expect.poll(hourOf).not.toBe(inTokyo)
    await prefer('Single-key shortcuts', 'Off')
    await prefer('Language', 'Deutsch')
    await page.getByRole('heading', { level: 1, name: 'Audit-Protokoll' }).waitFor()
    await page.reload()
    await settled()

    await page.getByRole('heading', { level: 1, name: 'Audit-Protokoll' }).waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('de')
    expect(await backgroundOf(opened)).toBe(dark)
    expect(await page.locator('html').getAttribute('data-density')).toBe('compact')
    expect(await hourOf()).not.toBe(inTokyo)
    await page.goto('/console/users')
    await settled()
    await page.keyboard.press('c')
    await settled()
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  it.each(['System', 'Dark'])('is light on paper, whatever is preferred: %s', async (theme) => {
    const { owner } = await service().given.organisation()
    const { page, settled } = await openConsole(owner, '/console/audit', { colorScheme: 'dark' })
    await settled()
    await page.getByRole('banner').getByRole('button').last().click()
    await page.getByRole('menuitem', { name: 'Preferences' }).click()
    await page.getByRole('dialog').getByRole('group', { name: 'Theme' }).getByRole('button', { name: theme }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const colours = () =>
      page.evaluate(`['body', 'main h1', 'main td'].map((one) => getComputedStyle(document.querySelector(one)).color)`) as Promise<string[]>
    for (const colour of await colours()) expect(colour).not.toBe('rgb(21, 24, 30)')
    await page.emulateMedia({ media: 'print' })
    const [body, heading] = await colours()
    expect([body, heading]).toEqual(['rgb(21, 24, 30)', 'rgb(21, 24, 30)'])
    await page.emulateMedia({ media: 'screen' })
    for (const colour of await colours()) expect(colour).not.toBe('rgb(21, 24, 30)')
  })

  it('is followed by everything that shows a time', () => {
    const formats = /\b(formatExact|formatMinute|formatClock|formatDay|formatHour|inputOfTime|shownValue)\(/
    const lacking = globSync('console/src/**/*.tsx').filter((file) => {
      const source = readFileSync(file, 'utf8')
      return formats.test(source) && !source.includes("usePreference('zone')") && !(file.slice('console/src/'.length) in outsideOfZones)
    })
    expect(lacking).toEqual([])
  })

  it('has exact times everywhere, if a person prefers them, without a pointer to ask for each', async () => {
    const { owner } = await service().given.organisation()
    const { page, faults, settled } = await openConsole(owner, '/console/users')
    await settled()
    const times = page.getByRole('row').getByRole('time')
    const texts = () => times.allTextContents()
    expect(await texts()).not.toEqual([])
    const exact = /^\d{1,2} \w+ \d{4}, \d\d:\d\d:\d\d /
    for (const text of await texts()) expect(text).not.toMatch(exact)
    // A list has many times: none of them takes the focus.
    expect(await page.locator('main time:is([tabindex], a *, button *)').count()).toBe(0)

    await page.getByRole('banner').getByRole('button').last().press('Enter')
    await page.getByRole('menuitem', { name: 'Preferences' }).press('Enter')
    await page.getByRole('dialog').getByRole('group', { name: 'Times' }).getByRole('button', { name: 'Exact' }).press('Enter')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    for (const text of await texts()) expect(text).toMatch(exact)
    expect(faults).toEqual([])
  })

  it('copies a time that is selected whole in ISO 8601, and anything else as it is shown', async () => {
    const { owner } = await service().given.organisation()
    const { page, context, faults, settled } = await openConsole(owner, '/console/users')
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await settled()
    const row = page.getByRole('row').last()
    const time = row.getByRole('time').last()
    const copied = async (selected: Locator) => {
      await selected.evaluate((element) => (globalThis as unknown as Selecting).getSelection().selectAllChildren(element))
      await page.keyboard.press('ControlOrMeta+c')
      return page.evaluate(() => (globalThis as unknown as Selecting).navigator.clipboard.readText())
    }
    expect(await copied(time)).toBe(await time.getAttribute('datetime'))
    expect(await copied(row)).toContain(await time.textContent())
    expect(await copied(page.getByRole('heading', { level: 1 }))).toContain('Users')
    expect(faults).toEqual([])
  })

  it('writes times as they are written where the person lives', async () => {
    const { owner } = await service().given.organisation()
    for (const [locale, written] of [
      ['en-GB', /^\d\d:\d\d:\d\d$/],
      ['en-US', /^\d+:\d\d:\d\d\s[AP]M$/],
      ['de-AT', /^\d\d:\d\d:\d\d$/],
    ] as const) {
      const { page, settled } = await openConsole(owner, '/console/audit', { locale })
      await settled()
      expect([locale, await page.getByRole('rowheader').locator('time').first().textContent()]).toEqual([
        locale,
        expect.stringMatching(written),
      ])
    }
  })

  it('moves nothing where that is not wanted, and shows edges where colours are forced', async () => {
    const { owner } = await service().given.organisation()
    const { page, settled } = await openConsole(owner, '/console/users?create=yes', { reducedMotion: 'reduce', forcedColors: 'active' })
    await settled()
    await page.getByRole('dialog').waitFor()
    await settled()
    const moving = `[...document.querySelectorAll('*')].filter((element) => {
      const { transitionDuration, animationDuration, animationName } = getComputedStyle(element)
      const longest = (text) => Math.max(...text.split(',').map(parseFloat))
      return longest(transitionDuration) > 0.001 || (animationName !== 'none' && longest(animationDuration) > 0.001)
    }).map((element) => element.outerHTML.slice(0, 120))`
    expect(await page.evaluate(moving)).toEqual([])
    const edgesOf = (selector: string) =>
      page.evaluate(`[...document.querySelectorAll('${selector}')].filter((element) => {
        const { borderTopStyle, borderTopWidth } = getComputedStyle(element)
        return borderTopStyle !== 'solid' || borderTopWidth === '0px'
      }).map((element) => element.outerHTML.slice(0, 120))`)
    expect(await edgesOf('[role=dialog], [role=dialog] [class*=control]:not([data-loading]), [role=dialog] button[type=submit]')).toEqual(
      [],
    )
  })
})
