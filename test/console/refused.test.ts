import type { Locator, Page, Route } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { unavailable, useConsole } from '../support/console.ts'

const { service, openConsole } = useConsole()

/** For `route.fulfill`: the limit of requests is reached for some seconds. */
const limited = {
  status: 429,
  contentType: 'application/problem+json',
  headers: { 'retry-after': '4' },
  body: JSON.stringify({ title: 'Too Many Requests', status: 429, detail: 'Too many requests', code: 'too-many-requests' }),
}

/** The button that counts the seconds until it may be pressed again. */
const paused = (page: Page) => page.getByRole('button', { name: /^Try again in \d+ s$/ })

describe('a limit of requests', () => {
  it('is counted down on the button of a form, which can be sent afterwards', async () => {
    const { owner } = await service().given.organisation()
    const { page, faults } = await openConsole(owner, '/console/teams?create=yes')
    const drawer = page.getByRole('dialog', { name: 'Create team' })
    await drawer.getByLabel('Name', { exact: true }).fill('Europe')
    let asked = 0
    await page.route('**/v1/admin/teams', (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      return asked++ === 0 ? route.fulfill(limited) : route.continue()
    })
    await drawer.getByRole('button', { name: 'Create team' }).click()
    await paused(page).waitFor()
    expect(await paused(page).isDisabled()).toBe(true)
    await drawer.getByText('Too many requests. Try again in 4 seconds.').waitFor()
    await drawer.getByLabel('Name', { exact: true }).press('Enter')
    await drawer.getByRole('button', { name: 'Create team' }).click()
    await drawer.waitFor({ state: 'detached' })
    expect(asked).toBe(2)
    expect((await owner.get('/v1/admin/teams?q=Europe')).body.data).toHaveLength(1)
    expect(faults.splice(0)).toEqual([expect.stringContaining('response: 429 POST')])
  })

  it('is counted down on the button of an action and in a question, too', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const { id } = await given.user(owner, { firstName: 'Anna', lastName: 'Shaw' })
    const { page, faults } = await openConsole(owner, '/console/users')
    await page.route('**/v1/admin/users/export*', (route) => route.fulfill(limited))
    await page.getByRole('button', { name: 'Export as CSV' }).click()
    await page.getByText('Too many requests. Try again in 4 seconds.').first().waitFor()
    expect(await paused(page).isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Export as CSV' }).waitFor()

    await page.goto(`/console/users/${id}`)
    await page.route(`**/v1/admin/users/${id}`, (route) =>
      route.request().method() === 'PATCH' ? route.fulfill(limited) : route.continue(),
    )
    await page.getByRole('button', { name: 'Block', exact: true }).click()
    const question = page.getByRole('alertdialog', { name: 'Block Anna Shaw?' })
    await question.getByRole('button', { name: 'Block Anna Shaw' }).click()
    await paused(page).waitFor()
    await question.getByText('Too many requests. Try again in 4 seconds.').waitFor()
    await question.getByRole('button', { name: 'Block Anna Shaw' }).waitFor()
    expect(faults.every((fault) => fault.startsWith('response: 429'))).toBe(true)
  })
})

describe('an error that is no refusal', () => {
  it('is told where an action was pressed, and is seen among the errors of the browser', async () => {
    const { owner } = await service().given.organisation()
    const { page, faults } = await openConsole(owner, '/console/users')
    await page.evaluate("Response.prototype.blob = () => Promise.reject(new TypeError('The stream has broken'))")
    await page.getByRole('button', { name: 'Export as CSV' }).click()
    await page.getByText('Something unexpected happened. Reload the page and try again.').first().waitFor()
    await page.getByRole('button', { name: 'Export as CSV' }).waitFor()
    await expect.poll(() => faults.splice(0)).toEqual(['error: The stream has broken'])
  })

  it('is told in the form that it stops', async () => {
    const { owner } = await service().given.organisation()
    const { page, faults } = await openConsole(owner, '/console/teams?create=yes')
    const drawer = page.getByRole('dialog', { name: 'Create team' })
    await drawer.getByLabel('Name', { exact: true }).fill('Europe')
    await page.evaluate("crypto.randomUUID = () => { throw new TypeError('No number') }")
    await drawer.getByRole('button', { name: 'Create team' }).click()
    await drawer.getByText('Something unexpected happened. Reload the page and try again.').waitFor()
    expect(await drawer.getByLabel('Name', { exact: true }).inputValue()).toBe('Europe')
    await expect.poll(() => faults.splice(0)).toEqual(['error: No number'])
  })
})

describe('what is asked before an action on many', () => {
  it('is told when it cannot be read, and nothing is done', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const { id } = await given.role(owner, { name: 'Support' })
    const anna = await given.user(owner, { firstName: 'Anna', lastName: 'Shaw' })
    const { page, faults } = await openConsole(owner, '/console/users')
    await page.getByRole('checkbox', { name: 'Select Anna Shaw' }).click()
    await page.getByRole('toolbar').getByRole('button', { name: 'Give a role' }).click()
    const question = page.getByRole('alertdialog', { name: 'Give a role to 1 user' })
    await question.getByRole('combobox', { name: 'Roles' }).fill('Support')
    await page.getByRole('option', { name: /Support/ }).click()
    await page.route(`**/v1/admin/roles/${id}`, (route) => route.fulfill(unavailable))
    await question.getByRole('button', { name: 'Give a role' }).click()
    await question.getByText('Not now').waitFor()
    await page.unroute(`**/v1/admin/roles/${id}`)
    await question.getByRole('button', { name: 'Give a role' }).click()
    await page.getByRole('alertdialog', { name: '1 user changed' }).waitFor()
    const { body } = await owner.get(`/v1/admin/users/${anna.id}`)
    expect(body.roles.map(({ name }: { name: string }) => name)).toContain('Support')
    expect(faults.every((fault) => fault.startsWith('response: 503'))).toBe(true)
  })
})

describe('a permission that is refused', () => {
  it('is told at the permissions of a new key', async () => {
    const { owner } = await service().given.organisation()
    const { page, faults } = await openConsole(owner, '/console/api-keys?create=yes&permissions=nope:read')
    const drawer = page.getByRole('dialog', { name: 'Create API key' })
    await drawer.getByLabel('Name').fill('Nightly import')
    await drawer.getByRole('button', { name: 'Create API key' }).click()
    await drawer.getByRole('group', { name: 'Permissions' }).getByText('There is no such permission').waitFor()
    await expect.poll(() => page.evaluate("document.activeElement.closest('fieldset') !== null")).toBe(true)
    await drawer.getByRole('button', { name: 'Nothing' }).click()
    await drawer.getByRole('checkbox', { name: 'users:read', exact: true }).click()
    await drawer.getByRole('button', { name: 'Create API key' }).click()
    await page.getByRole('alertdialog', { name: 'The key of Nightly import' }).waitFor()
    expect(faults.splice(0)).toEqual([expect.stringContaining('response: 400 POST')])
  })

  it('is told at the permissions of a new role, and of a stored one before its effect is shown', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const role = await given.role(owner, { name: 'Support', permissions: ['users:read'] })
    const { page, faults, goTo } = await openConsole(owner, '/console/roles?create=yes')
    // A permission that was deleted since the page has read them.
    const deleted = (route: Route) => {
      const body = route.request().postDataJSON() as object | null
      return body
        ? route.continue({ postData: JSON.stringify({ ...body, permissionIds: ['users:read', 'orders:read'] }) })
        : route.continue()
    }
    const refusal = (place: Page | Locator) => place.getByRole('group', { name: 'Permissions' }).getByText('There is no such permission')
    await page.route('**/v1/admin/roles', deleted)
    const drawer = page.getByRole('dialog', { name: 'Create role' })
    await drawer.getByLabel('Name', { exact: true }).fill('Shop')
    await drawer.getByRole('button', { name: 'Create role' }).click()
    await refusal(drawer).waitFor()
    await drawer.getByRole('button', { name: 'Cancel' }).click()

    await goTo(`/console/roles/${role.id}`)
    await page.route(`**/v1/admin/roles/${role.id}/impact`, deleted)
    await page.getByRole('checkbox', { name: 'teams:read' }).click()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await refusal(page).waitFor()
    expect(faults.splice(0)).toEqual([expect.stringContaining('response: 400 POST'), expect.stringContaining('response: 400 POST')])
  })
})
