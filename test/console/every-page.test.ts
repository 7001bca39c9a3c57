import { describe, expect, it } from 'vitest'
import { useConsole } from '../support/console.ts'
import { databaseKind } from '../support/database.ts'
import { everyAddress, everyOverlay, followRequests, prepareScene } from './every-page.ts'

const { service, openConsole } = useConsole()

// The pages are the same whatever the database; what they show is tested on both.
describe.runIf(databaseKind() === 'pglite')('every page of the console', () => {
  it('keeps the content security policy, asks little and its own origin alone, and is refused nothing', { timeout: 300_000 }, async () => {
    const scene = await prepareScene(service())
    const { page, faults } = await openConsole(scene.owner)
    const tooMuch = followRequests(page)
    const mistakes: string[] = []
    for (const address of [...everyAddress(scene), ...everyOverlay(scene)]) {
      await page.goto(address)
      await page.waitForLoadState('networkidle')
      if ((await page.locator('h1').count()) !== 1) mistakes.push(`${address} has no heading`)
      for (const fault of [...faults.splice(0), ...tooMuch()]) mistakes.push(`${address}: ${fault}`)
    }
    expect(mistakes).toEqual([])
  })
})
