import { describe, expect, it } from 'vitest'
import { useConsole } from '../support/console.ts'

const { service, openConsole } = useConsole()

describe('a view of the console', () => {
  it('is copied as a line that says what it is, and a link to exactly it', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const { page, context, faults } = await openConsole(owner, '/console/users?status=active')
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('row', { name: new RegExp(owner.email) }).waitFor()

    await page.getByRole('button', { name: 'Copy a link to this view' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    const clipboard = await page.evaluate(() =>
      (globalThis as unknown as { navigator: { clipboard: { readText(): Promise<string> } } }).navigator.clipboard.readText(),
    )
    const [line, link] = clipboard.split('\n')
    expect(line).toMatch(/^Users: 1 · Status: Active – Gatehouse, /)
    expect(link).toBe(`${service().origin}/console/users?status=active`)
    expect(faults).toEqual([])
  })

  it('leads by [ and ] to the record before and after in the list, and by e into its form', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    await given.user(owner, { firstName: 'Anna', lastName: 'First' })
    await given.user(owner, { firstName: 'Bilal', lastName: 'Second' })
    const { page, faults } = await openConsole(owner, '/console/users?sort=name')
    await page.getByRole('link', { name: 'Anna First' }).click()
    await page.getByRole('heading', { name: 'Anna First' }).waitFor()

    await page.keyboard.press(']')
    await page.getByRole('heading', { name: 'Bilal Second' }).waitFor()
    await page.keyboard.press('[')
    await page.getByRole('heading', { name: 'Anna First' }).waitFor()
    await page.keyboard.press('e')
    await page.waitForFunction("document.activeElement?.name === 'firstName'")
    expect(faults).toEqual([])
  })
})
