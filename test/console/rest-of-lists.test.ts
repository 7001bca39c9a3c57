import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { newId } from '../../src/platform/ids.ts'
import { unavailable, useConsole } from '../support/console.ts'
import { type TestOrganisation, unique } from '../support/given.ts'
import { givenApplication } from '../support/oauth.ts'

const { service, openConsole } = useConsole()

const focused = (page: Page): Promise<string> => page.evaluate('document.activeElement.textContent')

async function addTeams({ id }: TestOrganisation, count: number): Promise<void> {
  const { database, clock } = service()
  await sql`
    insert into teams (id, name, slug, created_at, updated_at)
    select new_id('tem', ${clock.now()}), 'Team ' || number, 'team-' || number, ${clock.now()}::timestamptz, ${clock.now()}::timestamptz
    from generate_series(1, ${count}::int) as number`.execute(database.tenant(id))
}

/** Applications without any that can be used, in the order of their numbers. */
async function addClients({ id: organisationId }: TestOrganisation, count: number): Promise<string[]> {
  const { database, clock } = service()
  const now = clock.now()
  const clients = Array.from({ length: count }, (_, index) => ({
    id: newId('cli', now),
    name: `Application ${index + 1}`,
    clientType: 'public' as const,
    tokenEndpointAuthMethod: 'none' as const,
    grantTypes: ['authorization_code' as const],
    createdAt: now,
    updatedAt: now,
  }))
  await database.tenant(organisationId).insertInto('clients').values(clients).execute()
  return clients.map(({ id }) => id)
}

async function addUsers({ id }: TestOrganisation, count: number): Promise<string[]> {
  const { database, clock } = service()
  const { rows } = await sql<{ id: string }>`
    insert into users (id, email, first_name, last_name, created_at, updated_at)
    select new_id('usr', ${clock.now()}), 'user-' || number || ${`@${unique()}.test`}, 'User', number::text,
      ${clock.now()}::timestamptz, ${clock.now()}::timestamptz
    from generate_series(1, ${count}::int) as number returning id`.execute(database.tenant(id))
  return rows.map((row) => row.id)
}

describe('what a list says to screen readers', () => {
  it('is how many match, on which page, and that none does, in a region that is always there', async () => {
    const organisation = await service().given.organisation()
    await addTeams(organisation, 30)
    const { page, faults, settled } = await openConsole(organisation.owner, '/console/teams?limit=25')
    await settled()
    const said = page.getByRole('region', { name: 'Teams' }).locator(':scope > [role=status]:not([aria-label])')
    const stays = (await said.elementHandle()) as { evaluate(run: (element: { isConnected: boolean }) => boolean): Promise<boolean> }
    expect(await said.textContent()).toBe('Teams: 30 · 1–25')
    await page.getByRole('button', { name: 'Next' }).click()
    await expect.poll(() => said.textContent()).toBe('Teams: 30 · 26–30')
    await page.getByRole('searchbox').fill('team 7')
    await expect.poll(() => said.textContent()).toBe('Teams: 1 · “team 7” · 1–1')
    await page.getByRole('searchbox').fill('no such team')
    await page.getByRole('heading', { name: 'Nothing matches' }).waitFor()
    await expect.poll(() => said.textContent()).toBe('Teams: 0 · “no such team” · Nothing matches')
    expect(await stays.evaluate(({ isConnected }) => isConnected)).toBe(true)
    expect(faults).toEqual([])
  })

  it('is that a later page has become empty, which leads to the first', async () => {
    const organisation = await service().given.organisation()
    await addTeams(organisation, 26)
    const { page, faults, settled } = await openConsole(organisation.owner, '/console/teams?limit=25')
    await settled()
    await page.getByRole('button', { name: 'Next' }).click()
    const rows = page.locator('main tr[data-id]')
    await expect.poll(() => rows.count()).toBe(1)
    const id = await rows.getAttribute('data-id')
    expect((await organisation.owner.delete(`/v1/admin/teams/${id}`)).status).toBe(204)
    await page.reload()

    await page.getByRole('heading', { name: 'This page is empty' }).waitFor()
    expect(await page.getByText('Nothing matches').count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Clear filters' }).count()).toBe(0)
    await page.getByRole('button', { name: 'To the first page' }).click()
    await page.getByText('1–25 of 25').waitFor()
    expect(await page.evaluate('document.activeElement.localName')).toBe('main')
    expect(faults).toEqual([])
  })
})

describe('the search of a list', () => {
  it('leaves what is typed as it is: a space before the next word, and a key that comes while the address changes', async () => {
    const { owner } = await service().given.organisation()
    for (const name of ['Customer Success', 'Customer Support', 'Sales'])
      await owner.post('/v1/admin/teams', { name, slug: name.toLowerCase().replace(' ', '-') })
    const { page, faults, settled } = await openConsole(owner, '/console/teams')
    await settled()
    const box = page.getByRole('searchbox')
    const rows = page.locator('main tr[data-id]')
    await box.pressSequentially('Customer ')
    await page.waitForURL(/[?]q=Customer$/)
    await settled()
    await box.pressSequentially('Support')
    expect(await box.inputValue()).toBe('Customer Support')
    await page.waitForURL(/[?]q=Customer.+Support$/)
    await expect.poll(() => rows.count()).toBe(1)

    // What has another cause is shown, also if it is what was typed before.
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await expect.poll(() => box.inputValue()).toBe('')
    await expect.poll(() => rows.count()).toBe(3)
    await page.evaluate("history.pushState({}, '', '?q=Customer+Support')")
    await expect.poll(() => box.inputValue()).toBe('Customer Support')
    await page.goBack()
    await expect.poll(() => box.inputValue()).toBe('')

    // Between the change of the address and what is shown then.
    await page.evaluate(`(() => {
      const replace = history.replaceState.bind(history)
      let isTyped = false
      history.replaceState = (...change) => {
        replace(...change)
        if (!isTyped) document.execCommand('insertText', false, 'es')
        isTyped = true
      }
    })()`)
    await box.pressSequentially('Sal')
    await page.waitForURL(/[?]q=Sales$/)
    expect(await box.inputValue()).toBe('Sales')
    expect(faults).toEqual([])
  })
})

describe('the pages of a list', () => {
  it('keep the focus where they end', async () => {
    const organisation = await service().given.organisation()
    await addTeams(organisation, 55)
    const { page, faults } = await openConsole(organisation.owner, '/console/teams?limit=25')
    await page.getByText('1–25 of 55').waitFor()
    const loaded = (range: string) =>
      page
        .getByRole('region', { name: 'Teams' })
        .filter({ hasNot: page.locator('[aria-busy]') })
        .getByText(range)
        .waitFor()
    const arrives = Promise.withResolvers<void>()
    await page.route('**/v1/admin/teams?*cursor=*', async (route) => {
      await arrives.promise
      await route.continue()
    })
    await page.getByRole('button', { name: 'Next' }).focus()
    await page.keyboard.press('Enter')
    await page.locator('table[aria-busy=true]').waitFor()
    // The next page is not known yet.
    await page.keyboard.press('Enter')
    arrives.resolve()
    await loaded('26–50 of 55')
    expect(await focused(page)).toBe('Next')
    await page.keyboard.press('Enter')
    await loaded('51–55 of 55')
    await page.getByRole('button', { name: 'Next' }).and(page.locator('[aria-disabled=true]')).waitFor()
    expect(await focused(page)).toBe('Next')
    // It says why it does nothing.
    await page.keyboard.press('Enter')
    await page.getByText('This is the last page').first().waitFor({ state: 'attached' })
    await page.keyboard.press('Shift+Tab')
    for (const range of ['26–50 of 55', '1–25 of 55']) {
      await page.keyboard.press('Enter')
      await loaded(range)
    }
    await page.getByRole('button', { name: 'Previous' }).and(page.locator('[aria-disabled=true]')).waitFor()
    expect(await focused(page)).toBe('Previous')
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('Next')
    expect(faults).toEqual([])
  })
})

describe('in an organisation with more than a hundred of them', () => {
  it('a refused request names its application without asking for all of them', async () => {
    const app = await givenApplication(service(), { name: 'The first of all' })
    await addClients(app.organisation, 110)
    await app.token({ grant_type: 'nonsense' })
    const { page, faults, goTo } = await openConsole(app.organisation.owner, '/console')
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await goTo('/console/diagnostics')
    await page.getByRole('row').getByRole('link', { name: 'The first of all' }).waitFor()
    expect(asked).not.toContain('/v1/admin/clients')
    expect(faults).toEqual([])
  })

  it('all applications of a user are reached, and all users of an application', async () => {
    const { given, database, clock } = service()
    const organisation = await given.organisation()
    const { owner } = organisation
    const [clientId = '', ...others] = await addClients(organisation, 60)
    const [userId = '', ...users] = await addUsers(organisation, 56)
    const grantedAt = clock.now()
    const consents = [
      ...[clientId, ...others].map((one) => ({ clientId: one, userId })),
      ...users.map((one) => ({ clientId, userId: one })),
    ].map((consent) => ({ ...consent, scopes: ['openid'], claims: [], grantedAt }))
    await database.tenant(organisation.id).insertInto('consents').values(consents).execute()

    const { page, faults, goTo } = await openConsole(owner, `/console/users/${userId}/applications`)
    for (const [address, total] of [
      [`/console/users/${userId}/applications`, 60],
      [`/console/applications/${clientId}/users`, 56],
    ] as const) {
      await goTo(address)
      await page.getByText(`1–50 of ${total}`).waitFor()
      await page.getByRole('button', { name: 'Next' }).click()
      await page.getByText(`51–${total} of ${total}`).waitFor()
      expect(await page.getByRole('row').count()).toBe(total - 50 + 1)
      const ended = page.getByRole('row').last()
      await ended.getByRole('button', { name: 'End access' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'End access' }).click()
      await page.getByText(`51–${total - 1} of ${total - 1}`).waitFor()
    }
    expect(faults).toEqual([])
  })

  it('all blocked hosts are reached', async () => {
    const organisation = await service().given.organisation()
    const { database, clock } = service()
    const hosts = Array.from({ length: 130 }, (_, index) => ({
      id: newId('bch', clock.now()),
      host: `host-${String(index).padStart(3, '0')}.example`,
      createdAt: clock.now(),
    }))
    await database.tenant(organisation.id).insertInto('blockedClientHosts').values(hosts).execute()
    const { page, faults } = await openConsole(organisation.owner, '/console/applications')
    const panel = page.getByRole('region', { name: 'Blocked hosts' })
    const unblock = panel.getByRole('button', { name: /^Unblock/ })
    await expect.poll(() => unblock.count()).toBe(50)
    const more = panel.getByRole('button', { name: 'Show more' })
    await more.focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => unblock.count()).toBe(100)
    expect(await focused(page)).toBe('Show more')
    await page.keyboard.press('Enter')
    await expect.poll(() => unblock.count()).toBe(130)
    // The button is gone, and the focus is at the first host that it has shown.
    expect(await more.count()).toBe(0)
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toMatch(/^Unblock host-/)
    expect(faults).toEqual([])

    // That they could not be read is not shown as if there were none.
    await page.route('**/v1/admin/blocked-client-hosts?*', (route) => route.fulfill(unavailable))
    await page.reload()
    await page.getByText('This could not be shown').waitFor()
  })

  it('the mappings of a connection show their roles and teams by name', async () => {
    const organisation = await service().given.organisation()
    const { owner } = organisation
    await addTeams(organisation, 120)
    const { database, clock } = service()
    await sql`
      insert into roles (id, name, slug, created_at, updated_at)
      select new_id('rol', ${clock.now()}), 'Role ' || number, 'role-' || number, ${clock.now()}::timestamptz, ${clock.now()}::timestamptz
      from generate_series(1, 120) as number`.execute(database.tenant(organisation.id))
    const role = await service().given.role(owner, { name: 'Last of roles' })
    const { body: team } = await owner.post('/v1/admin/teams', { name: 'Last of teams', slug: 'last' })
    const { body: connection } = await owner.post('/v1/admin/connections', {
      ...{ name: 'Workforce', slug: 'workforce', provider: 'oidc', secret: unique() },
      configuration: { issuer: 'https://login.workforce.test', clientId: 'gatehouse' },
      roleMappings: [{ claim: 'groups', value: 'support', roleId: role.id }],
      teamMappings: [{ claim: 'groups', value: 'support', teamId: team.id }],
    })
    const { page, faults, goTo } = await openConsole(owner, '/console')
    const lists: string[] = []
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url())
      if (pathname === '/v1/admin/teams') lists.push(searchParams.get('members') ?? 'with members')
    })
    await goTo(`/console/connections/${connection.id}/accounts`)
    await page.getByRole('button', { name: 'Remove Last of roles' }).waitFor()
    await page.getByRole('button', { name: 'Remove Last of teams' }).waitFor()
    expect(await page.getByRole('main').getByText(role.id).count()).toBe(0)
    // A list of teams has all their members otherwise.
    expect(lists).toEqual(['false'])
    expect(faults).toEqual([])
  })
})
