import { describe, expect, it } from 'vitest'
import { unavailable, useConsole } from '../support/console.ts'
import type { SignedInUser } from '../support/given.ts'

const { service, openConsole } = useConsole()

const slugsOf = (role: { permissions: { slug: string }[] }) => role.permissions.map(({ slug }) => slug).sort()

async function actionsOn(owner: SignedInUser, targetId: string) {
  return (await owner.audit({ targetId })).map(({ action }: { action: string }) => action).reverse()
}

describe('the page of roles', () => {
  it('creates a role in four actions, with a short name made from its name, and says that no user is affected', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const { page, faults } = await openConsole(owner, '/console/roles')
    await page
      .getByRole('row', { name: /Member/ })
      .getByText('Default')
      .waitFor()

    await page.getByRole('button', { name: 'Create role' }).click()
    const drawer = page.getByRole('dialog', { name: 'Create role' })
    await drawer.getByLabel('Name', { exact: true }).fill('Support (Europe)')
    expect(await drawer.getByLabel('Short name').inputValue()).toBe('support-europe')
    await drawer.getByText('0 users are affected').waitFor()
    await drawer.getByRole('checkbox', { name: 'users:read' }).click()
    await drawer.getByRole('button', { name: 'Create role' }).click()

    await page.getByRole('heading', { name: 'Support (Europe)' }).waitFor()
    await page.getByText('No user has this role.').waitFor()
    const { body } = await owner.get('/v1/admin/roles?q=support')
    expect(slugsOf(body.data[0])).toEqual(['users:read'])
    expect(await actionsOn(owner, body.data[0].id)).toEqual(['role.created'])

    await page.goto('/console/roles?create=yes')
    await drawer.getByLabel('Name', { exact: true }).fill('Other')
    await drawer.getByLabel('Short name').fill('support-europe')
    await drawer.getByRole('button', { name: 'Create role' }).click()
    await drawer.getByText('Another role has this short name').waitFor()
    expect(await drawer.getByLabel('Name', { exact: true }).inputValue()).toBe('Other')
    expect(faults).toEqual([expect.stringMatching(/^response: 409 POST .*\/v1\/admin\/roles$/)])
  })

  it('begins a role with a template or as the copy of another, and finds permissions by what they allow', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const support = await given.role(owner, { name: 'Support', slug: 'support', permissions: ['users:read', 'audit:read'] })
    const { page, faults, goTo } = await openConsole(owner, `/console/roles/${support.id}`)
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Duplicate' }).click()
    const drawer = page.getByRole('dialog', { name: 'Create role' })
    expect(await drawer.getByLabel('Name', { exact: true }).inputValue()).toBe('Copy of Support')
    await drawer.getByText(/^2 of \d+ chosen$/).waitFor()

    await drawer.getByLabel('Permission or what it allows').fill('export the audit')
    await drawer.getByRole('checkbox', { name: 'users:read' }).waitFor({ state: 'detached' })
    // Enter in the search sends nothing.
    await page.keyboard.press('Enter')
    await drawer.getByRole('checkbox', { name: 'audit:read' }).click()
    await drawer.getByText(/^1 of \d+ chosen$/).waitFor()
    await drawer.getByRole('button', { name: 'Create role' }).click()
    await page.getByRole('heading', { name: 'Copy of Support' }).waitFor()
    const { body } = await owner.get('/v1/admin/roles?q=copy-of-support')
    expect(slugsOf(body.data[0])).toEqual(['users:read'])

    await goTo('/console/roles?create=yes')
    await drawer.getByLabel('Begin with').click()
    await page.getByRole('option', { name: 'Read everything' }).click()
    await expect.poll(() => drawer.getByRole('checkbox', { name: 'webhooks:read' }).isChecked()).toBe(true)
    expect(await drawer.getByRole('checkbox', { name: 'webhooks:update' }).isChecked()).toBe(false)
    expect(faults).toEqual([])
  })

  it('shows before saving how many users gain and lose what, which is what then happens', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const support = await given.role(owner, { name: 'Support', permissions: ['users:read', 'teams:read'] })
    const readers = await given.role(owner, { permissions: ['teams:read'] })
    const users = [
      await given.user(owner, { roleIds: [support.id, readers.id], firstName: 'Both' }),
      await given.user(owner, { roleIds: [support.id], firstName: 'One' }),
      await given.user(owner, { roleIds: [readers.id] }),
    ]
    const blocked = await given.user(owner, { roleIds: [support.id] })
    await owner.patch(`/v1/admin/users/${blocked.id}`, { blockedAt: new Date(0).toISOString() })
    const effective = () =>
      Promise.all(
        users.map(async ({ id }) => {
          const { body } = await owner.get(`/v1/admin/users/${id}/permissions`)
          return new Set<string>(body.data.map(({ permission }: { permission: string }) => permission))
        }),
      )
    const { page, faults } = await openConsole(owner, `/console/roles/${support.id}`)
    await page.getByText('3 users with this role.').waitFor()

    await page.getByRole('checkbox', { name: 'teams:read' }).click()
    await page.getByRole('checkbox', { name: 'All of roles' }).click()
    await page.getByRole('checkbox', { name: 'roles:create' }).click()
    await page.getByRole('checkbox', { name: 'roles:update' }).click()
    await page.getByRole('checkbox', { name: 'roles:delete' }).click()
    await page.getByText('1 change', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Change what Support permits?' })
    await dialog.getByText('2 users are affected.').waitFor()
    const shown = {
      affected: 2,
      gained: await dialog.getByRole('listitem').filter({ hasText: 'roles:read' }).textContent(),
      lost: await dialog.getByRole('listitem').filter({ hasText: 'teams:read' }).textContent(),
    }
    await dialog.getByText('Both User').waitFor()
    const before = await effective()
    expect(slugsOf((await owner.get(`/v1/admin/roles/${support.id}`)).body)).toEqual(['teams:read', 'users:read'])
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('1 change', { exact: true }).waitFor({ state: 'detached' })

    const after = await effective()
    const affected = users.filter((_, index) => before[index]?.symmetricDifference(after[index] as Set<string>).size)
    const gained = after.filter((now, index) => now.has('roles:read') && !before[index]?.has('roles:read'))
    const lost = before.filter((was, index) => was.has('teams:read') && !after[index]?.has('teams:read'))
    expect(shown).toEqual({
      affected: affected.length,
      gained: `roles:read ${gained.length} users`,
      lost: `teams:read ${lost.length} user`,
    })
    // Both entries of the change have one time.
    expect((await actionsOn(owner, support.id)).sort()).toEqual(['permission.granted', 'role.created', 'role.updated'])
    expect(faults).toEqual([])
  })

  it('asks the second of two administrators who change one role field by field, and says who was the first', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const role = await given.role(owner, { name: 'Support', permissions: ['users:read'] })
    const other = await given.userWith(owner, ['users:read', 'roles:read', 'roles:update'])
    const { page, faults } = await openConsole(owner, `/console/roles/${role.id}`)

    await page.getByLabel('Description').fill('Answers questions')
    await page.getByRole('checkbox', { name: 'teams:read' }).click()
    expect(await other.patch(`/v1/admin/roles/${role.id}`, { name: 'Help desk', description: 'Helps' })).toMatchObject({ status: 200 })
    // Even when the record is read again before the changes are saved.
    await page.evaluate("window.dispatchEvent(new Event('visibilitychange')); window.dispatchEvent(new Event('focus'))")
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Save' }).click()

    const dialog = page.getByRole('alertdialog', { name: 'Another administrator has changed this meanwhile' })
    const description = dialog.getByRole('row', { name: /^Description Helps .*Answers questions/ })
    await description.getByText((await owner.get(`/v1/admin/users/${other.id}`)).body.name).waitFor()
    await dialog.getByRole('row', { name: /^Permissions 1 in both .*teams:read and 1 in both/ }).waitFor()
    expect((await owner.get(`/v1/admin/roles/${role.id}`)).body).toMatchObject({ name: 'Help desk', description: 'Helps' })
    expect(faults.splice(0)).toEqual([expect.stringMatching(/^response: 412 PATCH /)])
    await description.getByRole('button', { name: 'Theirs' }).click()
    await dialog.getByRole('button', { name: 'Save what is chosen' }).click()
    await dialog.waitFor({ state: 'detached' })
    // The effect may be another one by now.
    await page.getByRole('alertdialog').getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('heading', { name: 'Help desk', exact: true }).waitFor()
    await page.getByText(/^Saved: Permissions/).waitFor()

    const { body: after } = await owner.get(`/v1/admin/roles/${role.id}`)
    expect(after).toMatchObject({ name: 'Help desk', description: 'Helps' })
    expect(slugsOf(after)).toEqual(['teams:read', 'users:read'])
    expect(faults).toEqual([])
  })

  it('makes a role the default, and deletes it after saying who loses what, with the reason in the audit log', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const role = await given.role(owner, { name: 'Support', permissions: ['users:read'] })
    for (const firstName of ['Anna', 'Bilal']) await given.user(owner, { roleIds: [role.id], firstName })
    const { page, faults } = await openConsole(owner, `/console/roles/${role.id}`)

    await page.getByRole('button', { name: 'Make default' }).click()
    const question = page.getByRole('alertdialog', { name: 'Make Support the default role?' })
    await question.getByText(/get Support, no longer Member/).waitFor()
    await question.getByRole('button', { name: 'Make default' }).click()
    await page.getByText('Default', { exact: true }).waitFor()
    expect((await owner.get(`/v1/admin/roles/${role.id}`)).body.isDefault).toBe(true)

    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete role' }).click()
    const deletion = page.getByRole('alertdialog', { name: 'Delete the role Support?' })
    await deletion.getByText('2 users lose the role Support.').waitFor()
    await deletion.getByRole('listitem').filter({ hasText: 'users:read 2 users' }).waitFor()
    await deletion.getByText('Anna User').waitFor()
    await deletion.getByLabel('Reason (optional)').fill('Merged into Admin')
    await deletion.getByRole('button', { name: 'Delete Support' }).click()
    await page.getByRole('heading', { name: 'Roles', exact: true }).waitFor()
    await page.getByRole('row', { name: /Support/ }).waitFor({ state: 'detached' })
    const { body } = await owner.get(`/v1/admin/audit-logs?targetId=${role.id}&action=role.deleted`)
    expect(body.data).toEqual([expect.objectContaining({ metadata: expect.objectContaining({ reason: 'Merged into Admin' }) })])

    await page.goto(`/console/roles/${role.id}`)
    await page.getByText('This no longer exists').waitFor()
    expect(faults).toEqual([expect.stringMatching(/^response: 404 GET .*\/v1\/admin\/roles\//)])
  })

  it('locks what one cannot grant and what one may not change, each with its reason', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const role = await given.role(owner, { name: 'Support', permissions: ['users:read'] })
    const strong = await given.role(owner, { name: 'Strong', permissions: ['users:delete'] })
    const editor = await given.userWith(owner, ['roles:read', 'roles:update', 'roles:delete', 'users:read'])
    const { page, faults } = await openConsole(editor, `/console/roles/${role.id}`)

    const locked = page.getByRole('checkbox', { name: 'clients:read' })
    await locked.waitFor()
    expect(await locked.getAttribute('aria-disabled')).toBe('true')
    await page.getByText('You cannot grant this, since you do not have it yourself').first().waitFor()
    expect(await page.getByRole('checkbox', { name: 'roles:read' }).getAttribute('aria-disabled')).not.toBe('true')

    await page.goto(`/console/roles/${strong.id}`)
    await page.getByText('a permission that you do not have yourself: users:delete').first().waitFor()
    expect(await page.getByRole('checkbox').count()).toBe(0)

    const reader = await openConsole(await given.userWith(owner, ['roles:read']), `/console/roles/${role.id}`)
    await reader.page.getByText('To change this you need the permission roles:update.').waitFor()
    expect(await reader.page.getByRole('button', { name: /Save|Make default|More actions/ }).count()).toBe(0)
    await reader.page.goto('/console/roles/matrix')
    await reader.page.getByRole('gridcell', { name: /users:read for Support: Yes/ }).waitFor()
    expect(await reader.page.getByRole('checkbox').count()).toBe(0)

    const other = await openConsole(await given.userWith(owner, ['teams:read']), '/console/roles')
    await other.page.getByText('You need the permission roles:read.').waitFor()
    expect([...faults, ...reader.faults, ...other.faults]).toEqual([])
  })

  it('finds a role by the beginning of its translated name, in lists, in the matrix, where one is chosen and in the palette', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    await given.role(owner, { name: 'Mitarbeiter' })
    const { page, faults } = await openConsole(owner, '/console/roles?q=mit', { locale: 'de-DE' })
    await expect
      .poll(async () => (await page.getByRole('rowheader').locator('a').allInnerTexts()).sort())
      .toEqual(['Mitarbeiter', 'Mitglied'])
    await page.getByText('2 Rollen').waitFor()
    await page.goto('/console/roles/matrix?q=mitg')
    await page.getByRole('checkbox', { name: 'users:read für Mitglied' }).waitFor()
    await page.goto('/console/users?create=yes')
    await page.getByRole('dialog').getByRole('combobox', { name: 'Rollen' }).fill('Mit')
    await expect.poll(() => page.getByRole('option').count()).toBe(2)
    await page.getByRole('option', { name: /Mitglied/ }).waitFor()
    await page.goto('/console/users')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').fill('mit')
    await page.getByRole('option', { name: /Mitglied/ }).waitFor()
    await page.getByRole('option', { name: /Mitarbeiter/ }).waitFor()
    // A role that was renamed has no translated name any more.
    const { body: members } = await owner.get('/v1/admin/roles?q=member')
    await owner.patch(`/v1/admin/roles/${members.data[0].id}`, { name: 'Everybody' })
    await page.goto('/console/roles?q=mit')
    await expect.poll(() => page.getByRole('rowheader').locator('a').allInnerTexts()).toEqual(['Mitarbeiter'])
    expect(faults).toEqual([])
  })

  it('shows the list again after a failure', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const { page, faults } = await openConsole(owner)
    const failing = (url: URL) => url.pathname === '/v1/admin/roles'
    await page.route(failing, (route) => route.fulfill(unavailable))
    for (const path of ['/console/roles', '/console/roles/matrix']) {
      await page.goto(path)
      await page.getByText('This could not be shown').waitFor()
    }
    await page.unroute(failing)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('checkbox', { name: 'users:read for Member' }).waitFor()
    expect(faults.filter((fault) => !fault.startsWith('response: 503'))).toEqual([])
  })
})

describe('the matrix of roles and permissions', () => {
  it('is edited by keyboard, reviewed role by role, and keeps what another administrator has changed meanwhile', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const support = await given.role(owner, { name: 'Support', permissions: ['users:read'] })
    const sales = await given.role(owner, { name: 'Sales', permissions: ['teams:read'] })
    await given.user(owner, { roleIds: [support.id], firstName: 'Anna' })
    const { page, faults } = await openConsole(owner, '/console/roles/matrix')
    const cell = (slug: string, role: string) => page.getByRole('checkbox', { name: `${slug} for ${role}` })

    await page.getByRole('rowheader', { name: 'API keys' }).waitFor()
    await cell('users:read', 'Support').focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('ArrowRight')
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('users:read for Sales')
    await page.keyboard.press('Space')
    // From the last role there is nothing further; downwards and back the focus finds its cell again.
    for (const key of ['ArrowRight', 'ArrowDown', 'ArrowUp', 'Shift+Tab', 'Tab']) await page.keyboard.press(key)
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('users:read for Sales, not saved')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await cell('audit:read', 'Sales').click()
    await page.getByText('3 changes', { exact: true }).waitFor()
    expect(await owner.patch(`/v1/admin/roles/${sales.id}`, { permissionIds: ['teams:read', 'clients:read'] })).toMatchObject({
      status: 200,
    })

    await page.getByRole('button', { name: 'Review 3 changes' }).click()
    const review = page.getByRole('alertdialog', { name: 'Review 3 changes' })
    const ofSupport = review.getByRole('region', { name: 'Support' })
    await ofSupport.getByText('1 user is affected.').waitFor()
    await ofSupport.getByRole('listitem').filter({ hasText: 'users:read 1 user' }).waitFor()
    await ofSupport.getByText('Anna User').waitFor()
    const ofSales = review.getByRole('region', { name: 'Sales' })
    await ofSales.getByText('0 users are affected.').waitFor()
    // Who has both roles loses nothing, which neither count says.
    await review.getByText('More than one role changes users:read.').waitFor()
    await ofSales.getByText('Another administrator has changed this role since you opened the matrix').waitFor()
    await review.getByRole('button', { name: 'Save 2 roles' }).click()
    await page.getByText('2 roles changed').first().waitFor()
    await review.waitFor({ state: 'detached' })

    expect(slugsOf((await owner.get(`/v1/admin/roles/${support.id}`)).body)).toEqual([])
    expect(slugsOf((await owner.get(`/v1/admin/roles/${sales.id}`)).body)).toEqual([
      'audit:read',
      'clients:read',
      'teams:read',
      'users:read',
    ])
    expect(await actionsOn(owner, support.id)).toEqual(['role.created', 'role.updated'])
    expect(faults).toEqual([])
  })

  it('finds permissions by the same search as roles', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    await given.role(owner, { name: 'Support', permissions: ['users:read'] })
    const { page, faults } = await openConsole(owner, '/console/roles/matrix')
    const cells = (name: string) => page.getByRole('checkbox', { name })
    await cells('teams:read for Support').waitFor()
    const search = page.getByRole('searchbox', { name: 'Role or permission' })
    await search.fill('Users:r')
    await cells('teams:read for Support').waitFor({ state: 'detached' })
    await cells('users:read for Support').waitFor()
    await cells('users:read for Member').waitFor()
    expect(await page.getByRole('rowheader').count()).toBe(2)
    // What names no permission is looked for in the roles, which then have all.
    await search.fill('Supp')
    await cells('users:read for Member').waitFor({ state: 'detached' })
    await cells('teams:read for Support').waitFor()
    expect(faults).toEqual([])
  })

  it('is entered by Tab once, also after a search has removed the cell that had the focus last', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    await given.role(owner, { name: 'Support', permissions: ['users:read'] })
    const { page, faults } = await openConsole(owner, '/console/roles/matrix')
    const cell = (slug: string) => page.getByRole('checkbox', { name: `${slug} for Support` })
    const search = page.getByRole('searchbox', { name: 'Role or permission' })
    const entries = page.locator('[data-cell][tabindex="0"]')
    const isInGrid = () => page.evaluate('document.activeElement.dataset.cell !== undefined')
    /** How many cells Tab stops at, from the search to the end of the page. */
    const stops = async () => {
      await search.focus()
      let found = 0
      for (let presses = 0; presses < 30; presses++) {
        await page.keyboard.press('Tab')
        if (await isInGrid()) found++
      }
      return found
    }
    await cell('teams:read').waitFor()
    const [first] = await page.locator('[data-cell]').evaluateAll((cells) => cells.map((one) => one.getAttribute('data-cell')))
    expect([first, await entries.count()]).toEqual(['0,0', 1])

    // Down to a row that goes, and to one that becomes the first.
    for (const [from, text, to] of [
      ['teams:read', 'api_keys', 'api_keys:read'],
      ['users:read', 'users', 'users:read'],
    ] as const) {
      await search.fill('')
      await cell('teams:read').waitFor()
      await page.locator('[data-cell="0,0"]').focus()
      await cell(from).focus()
      await search.fill(text)
      await cell('teams:read').waitFor({ state: 'detached' })
      await cell(to).waitFor()
      expect([text, await entries.count(), await stops()]).toEqual([text, 1, 1])
    }
    await search.fill('')
    await cell('teams:read').waitFor()
    expect([await entries.count(), await stops()]).toEqual([1, 1])
    expect(faults).toEqual([])
  })

  it('saves what it can, and says for each other role why not', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const support = await given.role(owner, { name: 'Support' })
    await given.role(owner, { name: 'Sales' })
    const { page, faults } = await openConsole(owner, '/console/roles/matrix')
    for (const role of ['Support', 'Sales']) await page.getByRole('checkbox', { name: `users:read for ${role}` }).click()
    await page.getByRole('button', { name: 'Review 2 changes' }).click()
    const review = page.getByRole('alertdialog')
    await review.getByRole('region', { name: 'Support' }).waitFor()
    // Between the review and the saving.
    await owner.patch(`/v1/admin/roles/${support.id}`, { description: 'Changed' })
    await review.getByRole('button', { name: 'Save 2 roles' }).click()

    await review.getByText('Support: Another administrator has changed it meanwhile').waitFor()
    expect(faults.splice(0)).toEqual([expect.stringMatching(/^response: 412 PATCH /)])
    await review.getByRole('button', { name: 'Save 1 role' }).click()
    await review.waitFor({ state: 'detached' })
    expect((await owner.get(`/v1/admin/roles/${support.id}`)).body).toMatchObject({ description: 'Changed' })
    expect(slugsOf((await owner.get(`/v1/admin/roles/${support.id}`)).body)).toEqual(['users:read'])
    expect(faults).toEqual([])
  })

  it('says once of a role that it was deleted between the review and the saving', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const support = await given.role(owner, { name: 'Support' })
    const { page, faults } = await openConsole(owner, '/console/roles/matrix')
    await page.getByRole('checkbox', { name: 'users:read for Support' }).click()
    await page.getByRole('button', { name: 'Review 1 change' }).click()
    const review = page.getByRole('alertdialog')
    await review.getByRole('region', { name: 'Support' }).waitFor()
    await owner.delete(`/v1/admin/roles/${support.id}`)
    await review.getByRole('button', { name: 'Save 1 role' }).click()
    await review.getByRole('region', { name: 'Support' }).waitFor({ state: 'detached' })
    await review.getByRole('alert').filter({ hasText: 'Support' }).waitFor()
    expect(await review.getByRole('alert').count()).toBe(1)
    expect(faults.filter((fault) => !fault.startsWith('response: 404'))).toEqual([])
  })

  it('can save a role that another administrator has changed between the review and the saving', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const support = await given.role(owner, { name: 'Support' })
    const { page, faults } = await openConsole(owner, '/console/roles/matrix')
    await page.getByRole('checkbox', { name: 'users:read for Support' }).click()
    await page.getByRole('button', { name: 'Review 1 change' }).click()
    const review = page.getByRole('alertdialog')
    await review.getByRole('region', { name: 'Support' }).waitFor()
    await owner.patch(`/v1/admin/roles/${support.id}`, { description: 'Changed' })
    await review.getByRole('button', { name: 'Save 1 role' }).click()
    await review.getByText('Support: Another administrator has changed it meanwhile').waitFor()
    expect(faults.splice(0)).toEqual([expect.stringMatching(/^response: 412 PATCH /)])

    await review.getByText('Another administrator has changed this role since you opened the matrix').waitFor()
    await review.getByRole('button', { name: 'Save 1 role' }).click()
    await review.waitFor({ state: 'detached' })
    expect(slugsOf((await owner.get(`/v1/admin/roles/${support.id}`)).body)).toEqual(['users:read'])
    expect(faults).toEqual([])
  })

  it('locks the role of owners, and scrolls within its own box on a phone', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    for (let index = 0; index < 12; index++) await given.role(owner, { name: `Long name of role ${index}` })
    const { page, faults } = await openConsole(owner, '/console/roles/matrix', { viewport: { width: 320, height: 640 } })
    await page.getByRole('gridcell', { name: /users:read for Owner: Yes. This is the role of owners/ }).waitFor()
    expect(await page.locator('main').evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)).toBe(true)

    // What is focused is in sight, beside the heads that stay.
    await page.getByRole('checkbox', { name: 'users:update for Long name of role 11' }).focus()
    const box = (selector: string) => page.locator(selector).boundingBox()
    const [focused, head, side] = [await box(':focus'), await box('thead th >> nth=0'), await box('tbody th[scope=row] >> nth=0')]
    expect(focused?.x).toBeGreaterThan((side?.x ?? 0) + (side?.width ?? 0) - 1)
    expect(focused?.y).toBeGreaterThan((head?.y ?? 0) + (head?.height ?? 0) - 1)
    expect(faults).toEqual([])
  })
})
