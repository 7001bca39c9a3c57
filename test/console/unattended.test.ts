import { describe, expect, it } from 'vitest'
import { useConsole } from '../support/console.ts'

const { service, openConsole } = useConsole({ ofItsOwn: true })

describe('a console that stays in view', () => {
  it('holds the session of a user who works in it, and not of one who has left', async () => {
    const { given, clock, settled: recorded } = service()
    const { owner } = await given.organisation()
    const { page, settled } = await openConsole(owner, '/console/diagnostics')
    await settled()
    await page.clock.install()
    await page.reload()
    await settled()
    /** What the page reads by itself once these minutes have passed, in the browser and in the service. */
    const readAfter = async (minutes: number) => {
      const answered = page.waitForResponse('**/v1/me/profile')
      clock.advance({ minutes })
      await page.clock.fastForward(minutes * 60_000)
      const response = await answered
      await recorded()
      return { status: response.status(), unattended: (await response.request().allHeaders())['x-unattended'] }
    }
    expect(await readAfter(20)).toEqual({ status: 200, unattended: 'true' })
    await page.keyboard.press('Tab')
    expect(await readAfter(1)).toEqual({ status: 200, unattended: undefined })
    expect(await readAfter(20)).toEqual({ status: 200, unattended: 'true' })
    // As a screen reader does, which takes the keys.
    await page.evaluate("getSelection().selectAllChildren(document.querySelector('h1'))")
    expect(await readAfter(1)).toEqual({ status: 200, unattended: undefined })
    // More than the idle time after the key, and less than it after the selection.
    expect(await readAfter(15)).toEqual({ status: 200, unattended: 'true' })
    expect(await readAfter(20)).toEqual({ status: 401, unattended: 'true' })
    await page.getByRole('alertdialog', { name: 'Your session has ended' }).waitFor()
  })
})
