import { describe, expect, it } from 'vitest'
import { useConsole } from '../support/console.ts'

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

describe('a secret that is shown once', () => {
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
