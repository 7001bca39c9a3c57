import { describe, expect, it } from 'vitest'
import { memoryOf, unavailable, useConsole } from '../support/console.ts'
import { withLargeText } from '../support/looks.ts'

const { service, openConsole } = useConsole()

/** All that a page could still hold of a secret: what it shows, its address, and what the browser stores for it. */
const traces = () => {
  const { document, localStorage, sessionStorage, location, history } = globalThis as unknown as {
    document: { documentElement: { outerHTML: string } }
    localStorage: object
    sessionStorage: object
    location: object
    history: { state: unknown }
  }
  return JSON.stringify([document.documentElement.outerHTML, localStorage, sessionStorage, location, history.state])
}

describe('the page of API keys', () => {
  it('makes a key of a preset, shows it once, and leaves it nowhere', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const { page, faults } = await openConsole(owner, '/console/api-keys')
    await page.getByRole('heading', { name: 'No API keys yet' }).waitFor()

    await page.getByRole('button', { name: 'Create API key' }).first().click()
    const drawer = page.getByRole('dialog', { name: 'Create API key' })
    await drawer.getByLabel('Name').fill('Nightly import')
    await drawer.getByRole('button', { name: 'Read everything' }).click()
    await drawer.getByRole('checkbox', { name: 'users:read', exact: true }).waitFor()
    await drawer.getByRole('button', { name: 'Create API key' }).click()

    const secret = page.getByRole('alertdialog', { name: 'The key of Nightly import' })
    const key = (await secret.locator('code').textContent())?.trim() ?? ''
    expect(key).toMatch(/^ak_/)
    const called = await service().anonymous.get('/v1/admin/users', { headers: { authorization: `Bearer ${key}` } })
    expect(called.status).toBe(200)
    expect((await memoryOf(page)).includes(key)).toBe(true)
    await page.keyboard.press('Escape')
    await secret.waitFor()
    await secret.getByText('I have stored it').click()
    await secret.getByRole('button', { name: 'Done' }).click()
    await secret.waitFor({ state: 'detached' })

    await page.getByRole('row', { name: /Nightly import/ }).waitFor()
    await page.getByRole('button', { name: 'This page as API calls' }).click()
    await page.getByRole('button', { name: /POST \/v1\/admin\/api-keys/ }).click()
    await page.getByRole('tab', { name: 'Response' }).click()
    await page.getByText('••••••').waitFor()
    expect(await page.evaluate(traces)).not.toContain(key)
    expect((await memoryOf(page)).includes(key)).toBe(false)
    const { body } = await owner.get('/v1/admin/audit-logs?action=api_key.created')
    expect(body.data[0].target.name).toBe('Nightly import')
    expect(faults).toEqual([])
  })

  it('makes a key with exactly the permissions of what a page did', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const { page, faults } = await openConsole(owner, '/console/users')
    await page.getByRole('row', { name: new RegExp(owner.email) }).waitFor()
    await page.getByRole('button', { name: 'This page as API calls' }).click()
    await page.getByRole('link', { name: /Make an API key with/ }).click()

    const drawer = page.getByRole('dialog', { name: 'Create API key' })
    await drawer.getByLabel('Name').fill('What the page did')
    // One that can change something is made only after a question that says so.
    await drawer.getByRole('checkbox', { name: 'users:update', exact: true }).click()
    await drawer.getByRole('button', { name: 'Create API key' }).click()
    const question = page.getByRole('alertdialog', { name: /a key that can change things/ })
    await question.getByText('users:update', { exact: true }).waitFor()
    expect(await question.getByText('users:read', { exact: true }).count()).toBe(0)
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'detached' })
    await drawer.getByRole('checkbox', { name: 'users:update', exact: true }).click()
    await drawer.getByRole('button', { name: 'Create API key' }).click()
    await page.getByRole('alertdialog').waitFor()
    const { body } = await owner.get('/v1/admin/api-keys?q=What')
    expect(body.data[0].permissions).toEqual(['users:read'])
    expect(faults).toEqual([])
  })

  it('cannot be left while a key is being made, which is shown only once', async () => {
    const { owner } = await service().given.organisation()
    const { page, faults } = await openConsole(owner, '/console/api-keys?create=yes')
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    await page.route('**/v1/admin/api-keys', async (route) => {
      await released
      await route.continue()
    })
    const drawer = page.getByRole('dialog', { name: 'Create API key' })
    await drawer.getByLabel('Name').fill('Nightly import')
    await drawer.getByRole('button', { name: 'Read everything' }).click()
    await drawer.getByRole('button', { name: 'Create API key' }).click()
    await expect.poll(() => drawer.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true)
    release()
    await page.getByRole('alertdialog', { name: 'The key of Nightly import' }).waitFor()
    expect(faults).toEqual([])
  })

  it('lists the permissions of a key, and a key that is deleted is no warning any more', async () => {
    const { given, clock } = service()
    const { owner } = await given.organisation()
    const expiresAt = new Date(clock.now().getTime() + 5 * 86_400_000).toISOString()
    await owner.post('/v1/admin/api-keys', { name: 'Import', permissions: ['users:read', 'teams:read', 'roles:read'], expiresAt })
    const { page, faults } = await openConsole(owner, '/console/api-keys')
    const entry = page.getByRole('navigation', { name: 'Navigation' }).getByRole('link', { name: /API keys/ })
    await expect.poll(() => entry.textContent()).toMatch(/1/)
    await page.getByRole('button', { name: '3 permissions of Import' }).focus()
    await page.keyboard.press('Enter')
    const drawer = page.getByRole('dialog', { name: 'Import' })
    for (const permission of ['users:read', 'teams:read', 'roles:read']) await drawer.getByText(permission, { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'detached' })

    await page.getByRole('button', { name: 'Delete Import' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete Import' }).click()
    await page.getByRole('heading', { name: 'No API keys yet' }).waitFor()
    await expect.poll(() => entry.textContent()).not.toMatch(/1/)
    expect(faults).toEqual([])
  })

  it('has the key that is open in its address, wherever in the list the key is', async () => {
    const { owner } = await service().given.organisation()
    const make = (name: string) => owner.post('/v1/admin/api-keys', { name, permissions: ['users:read', 'teams:read'] })
    const { body: first } = await make('The first of all')
    for (let number = 10; number < 36; number++) await make(`Import ${number}`)
    const { page, faults } = await openConsole(owner, '/console/api-keys?limit=25')
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByText('26–27 of 27').waitFor()
    await page.getByRole('button', { name: '2 permissions of The first of all' }).click()
    const drawer = page.getByRole('dialog', { name: 'The first of all' })
    await drawer.getByText('teams:read', { exact: true }).waitFor()
    expect(new URL(page.url()).searchParams.get('key')).toBe(first.id)
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'detached' })
    expect(new URL(page.url()).searchParams.has('key')).toBe(false)
    await page.getByText('26–27 of 27').waitFor()
    await page.goBack()
    await drawer.waitFor()

    // The first page of the list does not have it.
    await page.goto(`/console/api-keys?key=${first.id}&limit=25`)
    await drawer.getByText('teams:read', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('1–25 of 27').waitFor()
    expect(faults).toEqual([])

    await owner.delete(`/v1/admin/api-keys/${first.id}`)
    await page.goto(`/console/api-keys?key=${first.id}`)
    await page.getByRole('dialog', { name: 'API keys' }).getByText('This no longer exists').waitFor()
  })

  it('deletes a key after asking, with a reason for the audit log', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const { body: made } = await owner.post('/v1/admin/api-keys', { name: 'Old import', permissions: ['users:read'] })
    const { page, faults } = await openConsole(owner, '/console/api-keys')

    await page.getByRole('button', { name: 'Delete Old import' }).click()
    const question = page.getByRole('alertdialog', { name: 'Delete the key Old import?' })
    await question.getByText('It was never used.').waitFor()
    await question.getByLabel('Reason (optional)').fill('Replaced')
    await question.getByRole('button', { name: 'Delete Old import' }).click()

    await page.getByRole('heading', { name: 'No API keys yet' }).waitFor()
    const { body } = await owner.get(`/v1/admin/audit-logs?targetId=${made.id}&action=api_key.deleted`)
    expect(body.data[0].metadata.reason).toBe('Replaced')
    expect(faults).toEqual([])
  })

  it('shows each part of its calls on one line, with text twice as large, too', async () => {
    const { owner } = await service().given.organisation()
    const { page, faults } = await openConsole(owner, '/console/teams?create=yes')
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Europe')
    await page.getByRole('dialog').getByRole('button', { name: 'Create team' }).click()
    await page.getByRole('heading', { level: 1, name: 'Europe' }).waitFor()
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete team' }).click()
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: /^Delete/ })
      .click()
    await page.getByRole('heading', { level: 1, name: 'Teams' }).waitFor()
    await page.getByRole('alertdialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'This page as API calls' }).click()
    const calls = page.getByRole('dialog').getByRole('list').getByRole('button')
    await calls.filter({ hasText: 'DELETE' }).waitFor()
    const broken = () =>
      page.evaluate(`[...document.querySelectorAll('[role=dialog] ol button > *')].flatMap((part) => {
        const range = document.createRange()
        range.selectNodeContents(part)
        return new Set([...range.getClientRects()].map(({ top }) => top)).size > 1 ? [part.textContent] : []
      })`)
    expect([await broken(), await withLargeText(page, broken)]).toEqual([[], []])
    expect(faults).toEqual([])
  })

  it('offers nothing to those who may only read, and says what a failure was', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    await owner.post('/v1/admin/api-keys', { name: 'Import', permissions: ['users:read'] })
    const reader = await openConsole(await given.userWith(owner, ['api_keys:read']), '/console/api-keys?create=yes')
    await reader.page.getByRole('row', { name: /Import/ }).waitFor()
    expect(await reader.page.getByRole('button', { name: /^(Create API key|Delete)/ }).count()).toBe(0)
    expect(await reader.page.getByRole('dialog').count()).toBe(0)
    expect(reader.faults).toEqual([])

    const other = await openConsole(await given.userWith(owner, ['teams:read']), '/console/api-keys')
    await other.page.getByText('You need the permission api_keys:read.').waitFor()
    expect(other.faults).toEqual([])

    const { page } = await openConsole(owner)
    await page.route('**/v1/admin/api-keys?*', (route) => route.fulfill(unavailable))
    await page.goto('/console/api-keys')
    await page.getByText('This could not be shown').waitFor()
    await page.unroute('**/v1/admin/api-keys?*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('row', { name: /Import/ }).waitFor()
  })
})
