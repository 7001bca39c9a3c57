import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { useConsole } from '../support/console.ts'
import { createEndpoint } from '../support/webhooks.ts'

const { service, openConsole } = useConsole()

describe('what was typed and not sent', () => {
  it('is asked about before Back or a reload loses it, in a form beside a list and in a wizard', async () => {
    const { owner } = await service().given.organisation()
    const { page } = await openConsole(owner, '/console/teams')
    const question = page.getByRole('alertdialog', { name: 'Discard what you have typed?' })
    await page.getByRole('main').getByRole('button', { name: 'Create team' }).first().click()
    const drawer = page.getByRole('dialog', { name: 'Create team' })
    await drawer.getByLabel('Name', { exact: true }).fill('Europe')
    await page.goBack()
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'detached' })
    expect(await drawer.getByLabel('Name', { exact: true }).inputValue()).toBe('Europe')
    await expect.poll(() => new URL(page.url()).search).toBe('?create=yes')

    const asked: string[] = []
    page.on('dialog', (dialog) => {
      asked.push(dialog.type())
      void dialog.dismiss()
    })
    await page.evaluate('location.reload()')
    await expect.poll(() => asked).toEqual(['beforeunload'])
    await page.goBack()
    await question.getByRole('button', { name: 'Discard' }).click()
    await drawer.waitFor({ state: 'detached' })
    expect(new URL(page.url()).search).toBe('')

    await page.goForward()
    expect(await drawer.getByLabel('Name', { exact: true }).inputValue()).toBe('')
    await page.goBack()
    await drawer.waitFor({ state: 'detached' })

    await page.getByRole('link', { name: 'Applications', exact: true }).click()
    await page.getByRole('main').getByRole('link', { name: 'Create application' }).first().click()
    await page.getByLabel('Name', { exact: true }).fill('Portal')
    await page.getByRole('link', { name: 'Users', exact: true }).click()
    await question.getByRole('button', { name: 'Cancel' }).click()
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Portal')
  })
})

/** As by a key that is pressed while nothing has the focus: the page below is reached. */
async function goToUsers(page: Page): Promise<void> {
  await page.evaluate(() => (globalThis as unknown as { document: { activeElement: { blur(): void } } }).document.activeElement.blur())
  await page.keyboard.press('g')
  await page.keyboard.press('u')
}

const paletteOf = (page: Page) => page.getByRole('combobox', { name: 'Search or jump to…' })

/** Its code is loaded when it is first opened. */
async function loadPalette(page: Page): Promise<void> {
  await page.keyboard.press('Control+k')
  await paletteOf(page).waitFor()
  await page.keyboard.press('Escape')
  await paletteOf(page).waitFor({ state: 'detached' })
}

describe('a form beside a list', () => {
  it('is not left by the palette, and asks before a key of the page leaves it', async () => {
    const { owner } = await service().given.organisation()
    const { page, faults, settled } = await openConsole(owner, '/console/teams')
    await settled()
    await loadPalette(page)
    await page.getByRole('main').getByRole('button', { name: 'Create team' }).first().click()
    const drawer = page.getByRole('dialog', { name: 'Create team' })
    const name = drawer.getByLabel('Name', { exact: true })
    await name.fill('Europe')
    await page.keyboard.press('Control+k')
    await settled()
    expect(await paletteOf(page).count()).toBe(0)
    expect(await name.inputValue()).toBe('Europe')

    await goToUsers(page)
    const question = page.getByRole('alertdialog', { name: 'Discard what you have typed?' })
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'detached' })
    expect(new URL(page.url()).pathname).toBe('/console/teams')
    expect(await name.inputValue()).toBe('Europe')

    // What it leads to by itself is no loss.
    await drawer.getByRole('button', { name: 'Create team' }).click()
    await page.getByRole('heading', { level: 1, name: 'Europe' }).waitFor()
    expect(faults).toEqual([])
  })
})

describe('a question', () => {
  it('asks before a reload loses a reason that was typed, and no longer once it is closed', async () => {
    const { owner } = await service().given.organisation()
    const { body: team } = await owner.post('/v1/admin/teams', { name: 'Europe', slug: 'europe' })
    const { page } = await openConsole(owner, `/console/teams/${team.id}`)
    const asked: string[] = []
    page.on('dialog', (dialog) => {
      asked.push(dialog.type())
      void dialog.dismiss()
    })
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete team' }).click()
    const question = page.getByRole('alertdialog', { name: /Europe/ })
    await question.getByRole('textbox').first().pressSequentially('Merged')
    await page.evaluate('location.reload()')
    await expect.poll(() => asked).toEqual(['beforeunload'])
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Europe' }).waitFor()
    expect(asked).toHaveLength(1)
  })
})

describe('a page with a form that can be filled', () => {
  it('is left by the palette, and on a phone by the navigation', async () => {
    const { owner } = await service().given.organisation()
    const { page, faults } = await openConsole(owner, '/console/teams', { viewport: { width: 390, height: 844 }, hasTouch: true })
    await page.getByRole('main').getByRole('button', { name: 'Create team' }).first().click()
    const drawer = page.getByRole('dialog', { name: 'Create team' })
    await drawer.getByRole('button', { name: 'Cancel' }).click()
    await drawer.waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    await paletteOf(page).fill('Applications')
    await page
      .getByRole('option', { name: /^Applications/ })
      .first()
      .click()
    await page.getByRole('heading', { level: 1, name: 'Applications' }).waitFor()
    await page.getByRole('button', { name: 'Navigation' }).click()
    await page.getByRole('dialog').getByRole('link', { name: 'Teams', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Teams' }).waitFor()
    expect(faults).toEqual([])
  })
})

describe('a notice that is shown', () => {
  it('leaves the palette to its key, and its own buttons to theirs', async () => {
    const { owner } = await service().given.organisation()
    const { id } = await createEndpoint(owner, { url: 'https://one.hooks.test/', events: ['role.created'] })
    const { page, faults, settled } = await openConsole(owner, `/console/webhooks/${id}`)
    await page.getByRole('button', { name: 'Deactivate' }).click()
    const undo = page.getByRole('region', { name: 'Notifications' }).getByRole('button', { name: 'Undo' })
    // It stays while the pointer is over it.
    await undo.hover()
    await undo.focus()
    await page.keyboard.press('g')
    await page.keyboard.press('u')
    await settled()
    expect(new URL(page.url()).pathname).toBe(`/console/webhooks/${id}`)

    await page.keyboard.press('Control+k')
    await page.keyboard.type('Applications')
    await expect.poll(() => paletteOf(page).inputValue()).toBe('Applications')
    expect(await undo.count()).toBe(1)
    expect(faults).toEqual([])
  })
})

describe('a record that is deleted', () => {
  it('is left without a question about what was typed on its page', async () => {
    const { owner } = await service().given.organisation()
    const made = await owner.post('/v1/admin/clients', { name: 'Portal', clientType: 'public', redirectUris: ['https://a.test/in'] })
    const { page, faults } = await openConsole(owner, `/console/applications/${made.body.id}/settings`)
    await page.getByLabel('Description').fill('Orders')
    await page.getByRole('button', { name: 'Actions for Portal' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    const question = page.getByRole('alertdialog', { name: 'Delete Portal?' })
    await question.getByLabel('Type Portal to confirm').fill('Portal')
    await question.getByRole('button', { name: 'Delete Portal' }).click()
    await page.getByRole('heading', { level: 1, name: 'Applications' }).waitFor()
    await page.getByRole('alertdialog').waitFor({ state: 'detached' })
    expect(new URL(page.url()).pathname).toBe('/console/applications')
    expect(faults).toEqual([])
  })
})

describe('a secret that is shown once', () => {
  it('is left neither by the palette nor by a key of the page', async () => {
    const { owner } = await service().given.organisation()
    const { page, faults, settled } = await openConsole(owner, '/console/api-keys')
    await settled()
    await loadPalette(page)
    await page.getByRole('main').getByRole('button', { name: 'Create API key' }).first().click()
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Nightly export')
    await page.getByRole('dialog').getByRole('checkbox', { name: 'users:read' }).check()
    await page.getByRole('dialog').getByRole('button', { name: 'Create API key' }).click()
    const secret = page.getByRole('alertdialog').getByText(/^ak_/)
    await secret.waitFor()
    await page.keyboard.press('Control+k')
    await settled()
    expect(await paletteOf(page).count()).toBe(0)
    await goToUsers(page)
    await settled()
    expect(new URL(page.url()).pathname).toBe('/console/api-keys')
    expect(await secret.count()).toBe(1)
    expect(faults).toEqual([])
  })

  it('stays on Back and asks before a reload, until it is stored', async () => {
    const { owner } = await service().given.organisation()
    const { page } = await openConsole(owner, '/console/api-keys')
    await page.getByRole('main').getByRole('button', { name: 'Create API key' }).first().click()
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Nightly export')
    await page.getByRole('dialog').getByRole('checkbox', { name: 'users:read' }).check()
    await page.getByRole('dialog').getByRole('button', { name: 'Create API key' }).click()
    const secret = page.getByRole('alertdialog')
    await secret.getByText(/^ak_/).waitFor()
    const shown = (await secret.getByText(/^ak_/).textContent()) ?? ''
    const asked: string[] = []
    page.on('dialog', (dialog) => {
      asked.push(dialog.type())
      void dialog.dismiss()
    })
    await page.goBack()
    await page.evaluate('location.reload()')
    await expect.poll(() => asked).toEqual(['beforeunload'])
    await secret.getByText(shown, { exact: true }).waitFor()
    await secret.getByRole('checkbox').check()
    await secret.getByRole('button', { name: 'Done' }).click()
    await secret.waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('row', { name: /Nightly export/ }).waitFor()
    expect(asked).toHaveLength(1)
  })
})
