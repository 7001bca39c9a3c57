import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { unavailable, useConsole } from '../support/console.ts'
import type { SignedInUser } from '../support/given.ts'

const { service, openConsole } = useConsole()

describe('a field that searches', () => {
  it('chooses by Enter what was typed and nothing that was found before, however late the response is', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    await given.role(owner, { name: 'Support', slug: 'support', permissions: ['users:read'] })
    const { page, faults } = await openConsole(owner, '/console/users?create=yes')
    const dialog = page.getByRole('dialog')
    const field = dialog.getByRole('combobox', { name: 'Roles' })
    const arrives = Promise.withResolvers<void>()
    await page.route('**/v1/admin/roles?*q=*', async (route) => {
      await arrives.promise
      await route.continue().catch(() => {})
    })
    await dialog.getByRole('textbox', { name: 'E-mail address' }).fill(`anna@${owner.email.split('@')[1]}`)
    await field.focus()
    await page.keyboard.press('ArrowDown')
    await page.getByRole('option', { name: /Owner/ }).waitFor()
    await page.keyboard.type('Supp')
    // What was found before and contains what is typed stays.
    await expect.poll(() => page.getByRole('option').allTextContents()).toEqual(['Supportsupport'])
    await page.keyboard.press('Enter')
    // What lies around an open list is hidden from assistive technology.
    await dialog.locator('[aria-label="Remove Support"]').waitFor()
    await page.keyboard.type('Unknown')
    await expect.poll(() => page.getByRole('option').count()).toBe(0)
    await page.keyboard.press('Enter')
    arrives.resolve()
    // Nothing matches, and Enter neither sends the form without a role nor closes the search.
    await page.getByText('Nothing matches').waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('Nothing matches').waitFor()
    await page.keyboard.press('Escape')
    await dialog.getByRole('button', { name: 'Remove Support' }).waitFor()
    expect(await dialog.getByRole('button', { name: /^Remove/ }).count()).toBe(1)
    expect((await owner.get('/v1/admin/users')).body.total).toBe(1)
    expect(faults).toEqual([])
  })

  it('says when there are more than it shows, and what is wrong when it cannot search', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    for (let number = 1; number <= 18; number++) await given.role(owner, { name: `Role ${number}` })
    const { page, faults } = await openConsole(owner, '/console/users?create=yes', { locale: 'de-DE' })
    await page.getByRole('dialog').getByRole('combobox', { name: 'Rollen' }).focus()
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => page.getByRole('option').count()).toBe(20)
    await page.getByText('Die ersten 20. Andere finden Sie, indem Sie tippen.').waitFor()
    await page.keyboard.type('Role 18')
    await expect.poll(() => page.getByRole('option').count()).toBe(1)
    expect(await page.getByText('Die ersten 20.').count()).toBe(0)
    await page.route('**/v1/admin/roles?*q=*', (route) => route.fulfill(unavailable))
    await page.keyboard.type('8')
    await page.getByText('Not now').waitFor()
    expect(await page.getByText('Keine Treffer').count()).toBe(0)
    expect(faults.filter((fault) => !/503/.test(fault))).toEqual([])
  })
})

describe('the palette', () => {
  it('opens the API key that it finds, and the one whose id is typed', async () => {
    const { owner } = await service().given.organisation()
    const { body: key } = await owner.post('/v1/admin/api-keys', { name: 'Nightly import', permissions: ['users:read'] })
    const { page, faults } = await openConsole(owner, '/console/users')
    await page.getByRole('heading', { level: 1 }).waitFor()
    for (const text of ['Nightly', key.id]) {
      await page.keyboard.press('ControlOrMeta+k')
      await page.getByRole('combobox', { name: 'Search or jump to…' }).fill(text)
      await page.getByRole('option', { name: text }).first().click()
      await page.getByRole('dialog', { name: 'Nightly import' }).getByText('users:read', { exact: true }).waitFor()
      expect(new URL(page.url()).search).toBe(`?key=${key.id}`)
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    expect(faults).toEqual([])
  })

  it('opens by Enter what was typed and no record that was found before, and says what is wrong when it cannot search', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    for (const firstName of ['Xaver', 'Xenia']) await given.user(owner, { firstName, lastName: 'Quint' })
    const { page, faults } = await openConsole(owner, '/console/users')
    await page.getByRole('row', { name: /Xaver/ }).waitFor()
    await page.keyboard.press('ControlOrMeta+k')
    await page.getByRole('combobox', { name: 'Search or jump to…' }).fill('Quint')
    await page.getByRole('option', { name: /Xaver/ }).waitFor()
    await page.getByRole('option', { name: /Xenia/ }).waitFor()
    const arrives = Promise.withResolvers<void>()
    await page.route('**/v1/admin/search?*', async (route) => {
      await arrives.promise
      await route.fulfill(unavailable)
    })
    for (let presses = 0; presses < 5; presses++) await page.keyboard.press('Backspace')
    await page.keyboard.type('Xenia')
    await expect.poll(() => page.getByRole('option').count()).toBe(1)
    await page.getByRole('option', { name: /Xenia/ }).waitFor()
    await page.keyboard.type(' Unknown')
    await expect.poll(() => page.getByRole('option').count()).toBe(0)
    await page.keyboard.press('Enter')
    arrives.resolve()
    await page.getByText('Not now').waitFor()
    expect(new URL(page.url()).pathname).toBe('/console/users')
    expect(faults.filter((fault) => !/503/.test(fault))).toEqual([])
  })
})

describe('in an organisation with more than 500 roles', () => {
  let owner: SignedInUser
  let roleId: string
  beforeAll(async () => {
    const { given, database, clock } = service()
    const organisation = await given.organisation()
    owner = organisation.owner
    await sql`
      insert into roles (id, name, slug, created_at, updated_at)
      select new_id('rol', ${clock.now()}), 'Role ' || number, 'role-' || number, ${clock.now()}::timestamptz, ${clock.now()}::timestamptz
      from generate_series(1, 1200) as number`.execute(database.tenant(organisation.id))
    roleId = (await given.role(owner, { name: 'Last of all', slug: 'last', permissions: ['webhooks:read'] })).id
    expect((await owner.patch(`/v1/admin/roles/${roleId}`, { isDefault: true })).status).toBe(200)
  })

  it('the default role is found, wherever it is', async () => {
    const { page, faults, goTo } = await openConsole(owner, '/console/invitations?create=yes')
    await page.getByRole('dialog').getByRole('button', { name: 'Remove Last of all' }).waitFor()
    const [member] = (await owner.get('/v1/admin/roles?q=member')).body.data
    await goTo(`/console/roles/${member.id}`)
    await page.getByRole('button', { name: 'Make default' }).click()
    await page
      .getByRole('alertdialog')
      .getByText(/no longer Last of all/)
      .waitFor()
    expect(faults).toEqual([])
  })

  it('the groups of a directory show their roles by name', async () => {
    const directory = (await owner.post('/v1/admin/directories', { name: 'Entra ID' })).body
    const groupMappings = [{ group: { displayName: 'Support' }, roleIds: [roleId], teamIds: [] }]
    expect((await owner.patch(`/v1/admin/directories/${directory.id}`, { groupMappings })).status).toBe(200)
    const { page, faults } = await openConsole(owner, `/console/directories/${directory.id}/groups`)
    await page.getByRole('main').getByRole('button', { name: 'Remove Last of all' }).waitFor()
    expect(await page.getByRole('main').getByText(roleId).count()).toBe(0)
    expect(faults).toEqual([])
  })

  it('permissions that only the owner’s role gives are said to be so of the oldest roles alone', async () => {
    const { page, faults } = await openConsole(owner, '/console/unused')
    const left = page.getByRole('region', { name: 'Permissions that only the owner’s role gives' })
    await left.getByText('Only the oldest 500 were checked.').waitFor()
    expect(faults).toEqual([])
  })
})

describe('the navigation', () => {
  it('breaks no word beside a large warning', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const { page, faults } = await openConsole(owner, '/logged-out', { locale: 'de-DE' })
    await page.route('**/v1/admin/statistics', async (route) => {
      const response = await route.fetch()
      const statistics = await response.json()
      await route.fulfill({ response, json: { ...statistics, invitations: { ...statistics.invitations, expired: 12_985 } } })
    })
    await page.goto('/console')
    const entry = page.getByRole('navigation').getByRole('link', { name: /12.?985 abgelaufen/ })
    await entry.waitFor()
    const heights = await entry.locator('span').evaluateAll((spans) => spans.map((span) => span.getBoundingClientRect().height))
    expect(heights).toHaveLength(2)
    expect(Math.max(...heights)).toBeLessThan(24)
    expect(faults).toEqual([])
  })
})
