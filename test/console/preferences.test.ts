import { describe, expect, it } from 'vitest'
import { type OpenConsole, useConsole } from '../support/console.ts'

const { service, openConsole } = useConsole()

const backgroundOf = ({ page }: OpenConsole) => page.evaluate('getComputedStyle(document.body).backgroundColor')
const [light, dark] = ['rgb(244, 245, 248)', 'rgb(13, 15, 20)']

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
