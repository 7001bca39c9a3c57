import { describe, expect, it } from 'vitest'
import { unavailable, useConsole } from '../support/console.ts'

const { service, openConsole } = useConsole()

describe('who can what', () => {
  it('says whether a person may use a permission, by which role, and what stands in the way', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const role = await given.role(owner, { name: 'Support', permissions: ['users:delete'] })
    const anna = await given.user(owner, { firstName: 'Anna', lastName: 'Shaw', roleIds: [role.id] })
    const { page, faults } = await openConsole(owner, '/console/explain')

    await page.getByRole('heading', { name: 'Nothing is chosen yet' }).waitFor()
    await page.getByRole('combobox', { name: 'Person' }).fill('Anna')
    await page.getByRole('option', { name: /^Anna Shaw/ }).click()
    // All that she may do.
    await page.getByRole('row', { name: /users:delete Support/ }).waitFor()
    await page.getByRole('table').getByText('Users', { exact: true }).waitFor()
    await page.getByRole('combobox', { name: 'Permission' }).fill('users:delete')
    await page.getByRole('option', { name: /^users:delete/ }).click()
    await page.getByText('Anna Shaw may use users:delete').waitFor()
    await page.getByText(/^The role Support gives it, since .+, by owner\.$/).waitFor()

    await owner.patch(`/v1/admin/users/${anna.id}`, { blockedAt: new Date().toISOString() })
    await page.reload()
    await page.getByText('Anna Shaw has users:delete, but could not use it right now').waitFor()
    await page.getByText('The user is blocked.').waitFor()

    await page.goto(`/console/explain?userId=${anna.id}&permission=audit:read`)
    await page.getByText('Anna Shaw may not use audit:read').waitFor()
    const wouldGive = page.getByRole('region', { name: 'These roles would give it' })
    await wouldGive.getByRole('link', { name: 'Owner' }).waitFor()
    expect((await wouldGive.getByRole('link').allTextContents()).at(-1)).toBe('Owner')
    await wouldGive.getByRole('button', { name: 'Give Admin' }).click()
    await page.getByText('Anna Shaw has audit:read, but could not use it right now').waitFor()
    expect(faults).toEqual([])
  })

  it('offers only the roles that the user may give: those with no permission that they lack', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    await given.role(owner, { name: 'Auditor', permissions: ['audit:read'] })
    const anna = await given.user(owner, { firstName: 'Anna', lastName: 'Shaw' })
    const helper = await given.userWith(owner, ['users:read', 'users:update', 'roles:read', 'audit:read'])
    const { page, faults } = await openConsole(helper, `/console/explain?userId=${anna.id}&permission=audit:read`)
    const wouldGive = page.getByRole('region', { name: 'These roles would give it' })
    await wouldGive.getByRole('button', { name: 'Give Auditor' }).waitFor()
    expect(await wouldGive.getByRole('link', { name: 'Owner' }).count()).toBe(1)
    const names = /^Give (Owner|Admin|Auditor)$/
    expect(await wouldGive.getByRole('button', { name: names }).allTextContents()).toEqual(['Give Auditor'])
    await wouldGive.getByRole('button', { name: 'Give Auditor' }).click()
    await page.getByText('Anna Shaw may use audit:read').waitFor()
    expect(faults).toEqual([])
  })

  it('shows everyone who has a permission, by at most four requests', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const role = await given.role(owner, { name: 'Support', permissions: ['users:delete'] })
    for (const firstName of ['Anna', 'Bilal', 'Carol']) await given.user(owner, { firstName, roleIds: [role.id] })
    const { page, faults } = await openConsole(owner, '/console/explain')
    const asked: string[] = []
    page.on('request', (request) => request.url().includes('/v1/admin/') && asked.push(request.url()))
    await page.goto('/console/explain?permission=users:delete')
    await page.getByRole('heading', { name: 'Everyone who has users:delete 4 people' }).waitFor()
    await page.getByRole('row', { name: /Anna User .* Support/ }).waitFor()
    await page.getByRole('row', { name: /owner@.* Owner/ }).waitFor()
    expect(asked.filter((url) => !/\/(organisation|statistics)$/.test(url)).length).toBeLessThanOrEqual(4)
    expect(faults).toEqual([])
  })

  it('tells what is wrong, and what one needs to see it', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const { page, faults } = await openConsole(owner, '/console')
    await page.route('**/v1/admin/permission-checks', (route) => route.fulfill(unavailable))
    await page.goto(`/console/explain?userId=${owner.id}&permission=users:read`)
    await page.getByText('Not now').waitFor()
    await page.unroute('**/v1/admin/permission-checks')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('owner may use users:read').waitFor()
    expect(faults.filter((fault) => !fault.startsWith('response: 503'))).toEqual([])

    const reader = await given.userWith(owner, ['users:read'])
    const other = await openConsole(reader, '/console/explain')
    await other.page.getByText('You need the permission roles:read.').waitFor()
    expect(other.faults).toEqual([])
  })
})

describe('what is unused', () => {
  it('lists it by five requests, and takes several away at once', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const first = await given.role(owner, { name: 'Forgotten', permissions: ['users:read'] })
    const second = await given.role(owner, { name: 'Abandoned' })
    await given.user(owner, { firstName: 'Anna', lastName: 'Shaw' })
    const { page, faults } = await openConsole(owner, '/console/explain')
    const asked: string[] = []
    page.on('request', (request) => request.url().includes('/v1/admin/') && asked.push(request.url()))
    await page.goto('/console/unused')

    const roles = page.getByRole('region', { name: 'Roles that no user has' })
    await roles.getByRole('link', { name: 'Forgotten' }).waitFor()
    await page
      .getByRole('region', { name: /never signed in/ })
      .getByRole('link', { name: 'Anna Shaw' })
      .waitFor()
    await page
      .getByRole('region', { name: /^Permissions that only/ })
      .getByRole('link', { name: 'organisation:delete' })
      .waitFor()
    await page
      .getByRole('region', { name: /^API keys/ })
      .getByText('Nothing is unused here.')
      .waitFor()
    await page
      .getByRole('region', { name: /^Applications/ })
      .getByText('Nothing is unused here.')
      .waitFor()
    expect(asked.filter((url) => !/\/(organisation|statistics)$/.test(url)).length).toBeLessThanOrEqual(5)

    await roles.getByRole('checkbox', { name: 'Select Forgotten' }).click()
    await roles.getByRole('checkbox', { name: 'Select Abandoned' }).click()
    await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click()
    const question = page.getByRole('alertdialog', { name: 'Delete 2 roles?' })
    await question.getByLabel('Reason').fill('Not given to a user for a year')
    await question.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('alertdialog', { name: '2 roles deleted' }).getByRole('button', { name: 'Close' }).click()
    await roles.getByRole('link', { name: 'Forgotten' }).waitFor({ state: 'detached' })
    for (const { id } of [first, second]) {
      const metadata = { reason: 'Not given to a user for a year' }
      expect(await owner.audit({ targetId: id, action: 'role.deleted' })).toMatchObject([{ metadata }])
    }
    expect(faults).toEqual([])
  })

  it('names the first roles in the language of the console, as every other page', async () => {
    const { owner } = await service().given.organisation()
    const { page, faults } = await openConsole(owner, '/console/unused', { locale: 'de-DE' })
    const roles = page.getByRole('region', { name: 'Rollen ohne Benutzer' })
    await roles.getByRole('link', { name: 'Administrator', exact: true }).waitFor()
    await roles.getByRole('checkbox', { name: 'Administrator' }).waitFor()
    expect(await roles.getByText('Admin', { exact: true }).count()).toBe(0)
    expect(faults).toEqual([])
  })

  it('says that it may not be seen without any permission to read', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const { page, faults } = await openConsole(await given.userWith(owner, ['audit:read']), '/console/unused')
    await page.getByRole('heading', { name: 'You may not see this' }).waitFor()
    expect(faults).toEqual([])
  })
})
