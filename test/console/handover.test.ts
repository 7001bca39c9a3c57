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

describe('what was begun on one record', () => {
  it('is not carried into the next one, neither what was chosen nor what was typed and left', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    await given.role(owner, { name: 'Support' })
    await given.user(owner, { firstName: 'Anna', lastName: 'First' })
    const bilal = await given.user(owner, { firstName: 'Bilal', lastName: 'Second' })
    const { page, faults } = await openConsole(owner, '/console/users?sort=name')
    const heading = (name: string) => page.getByRole('heading', { level: 1, name })
    await page.getByRole('link', { name: 'Anna First' }).click()
    await heading('Anna First').waitFor()
    // The console has both by now, so neither has to load when it is shown again.
    await page.keyboard.press(']')
    await heading('Bilal Second').waitFor()
    await page.keyboard.press('[')

    await heading('Anna First').waitFor()
    await page.getByLabel('First name').fill('Annabel')
    await heading('Anna First').click()
    await page.keyboard.press(']')
    await page.getByRole('alertdialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Leave' }).click()
    await heading('Bilal Second').waitFor()
    await page.getByRole('alertdialog').waitFor({ state: 'detached' })
    expect(await page.getByLabel('First name').inputValue()).toBe('Bilal')
    expect(await page.getByRole('region', { name: 'Unsaved changes' }).count()).toBe(0)
    await page.keyboard.press('[')
    await heading('Anna First').waitFor()
    expect(await page.getByLabel('First name').inputValue()).toBe('Anna')

    await page.getByRole('link', { name: 'Access', exact: true }).click()
    await page.getByRole('combobox', { name: 'Give a role' }).fill('Supp')
    await page.getByRole('option', { name: /Support/ }).click()
    expect(await page.getByRole('button', { name: 'Give a role' }).isEnabled()).toBe(true)
    await heading('Anna First').click()
    await page.keyboard.press(']')
    await heading('Bilal Second').waitFor()
    await page.getByRole('combobox', { name: 'Give a role' }).waitFor()
    expect(await page.getByRole('button', { name: 'Give a role' }).isEnabled()).toBe(false)
    expect(new URL(page.url()).pathname).toBe(`/console/users/${bilal.id}/access`)
    expect(await page.evaluate('document.activeElement?.id')).toBe('main')
    expect(faults).toEqual([])
  })
})

describe('a question', () => {
  it('begins anew when it is asked again', async () => {
    const { owner } = await service().given.organisation()
    const { body: directory } = await owner.post('/v1/admin/directories', { name: 'Okta' })
    const { page, faults } = await openConsole(owner, `/console/directories/${directory.id}`)
    const question = page.getByRole('alertdialog')
    const lifetime = question.getByRole('combobox', { name: 'Expires after' })
    const ask = () => page.getByRole('button', { name: 'Create token' }).click()
    await ask()
    await lifetime.click()
    await page.getByRole('option', { name: 'Never' }).click()
    await lifetime.getByText('Never').waitFor()
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'detached' })

    await ask()
    await lifetime.getByText('One year').waitFor()
    await lifetime.click()
    await page.getByRole('option', { name: '90 days' }).click()
    await question.getByRole('button', { name: 'Create token' }).click()
    await page.getByRole('alertdialog', { name: 'The new token' }).waitFor()
    const [token] = (await owner.get(`/v1/admin/directories/${directory.id}`)).body.tokens
    const days = (Date.parse(token.expiresAt) - Date.parse(token.createdAt)) / 86_400_000
    expect(Math.round(days)).toBe(90)
    expect(faults).toEqual([])
  })
})
