import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { systemActor } from '../../src/activity/actor.ts'
import { sourceOf, sourceOfDirectory } from '../../src/roles/sources.ts'
import { replaceTeamsFromSource } from '../../src/teams/teams-from-source.ts'
import { replaceRolesFromSource } from '../../src/users/roles-from-source.ts'
import { enrolAuthenticator } from '../support/authenticator.ts'
import { createConnection } from '../support/connections.ts'
import { unavailable, useConsole } from '../support/console.ts'
import { createDirectory, givenDirectory, operations, person } from '../support/directories.ts'
import type { SignedInUser } from '../support/given.ts'
import { decideConsent, givenApplication } from '../support/oauth.ts'

const { service, openConsole } = useConsole()

/** What the audit log says about a record, the oldest first. */
async function actionsOn(owner: SignedInUser, targetId: string): Promise<string[]> {
  return (await owner.audit({ targetId })).map(({ action }: { action: string }) => action).reverse()
}

const namesOf = (page: Page) => page.getByRole('rowheader').locator('a').allInnerTexts()

describe('the list of users', () => {
  it('searches, filters, sorts and saves what it shows', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const { id } = await given.user(owner, { firstName: 'Anna', lastName: 'Shaw' })
    await given.user(owner, { firstName: 'Bilal', lastName: 'Haddad' })
    await owner.patch(`/v1/admin/users/${id}`, { blockedAt: new Date().toISOString() })
    const { page, faults, settled } = await openConsole(owner, '/console/users')
    await settled()
    await page.getByText('3 people').waitFor()

    await page.getByRole('button', { name: 'Name' }).click()
    await expect.poll(() => namesOf(page)).toEqual(['Anna Shaw', 'Bilal Haddad', expect.any(String)])
    await page.getByRole('searchbox', { name: 'Name or e-mail address' }).fill('bilal')
    await expect.poll(() => namesOf(page)).toEqual(['Bilal Haddad'])
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByRole('combobox', { name: 'Status' }).click()
    await page.getByRole('option', { name: 'Blocked' }).click()
    await expect.poll(() => namesOf(page)).toEqual(['Anna Shaw'])

    const [saved] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Export as CSV' }).click()])
    const lines = (await readFile(await saved.path(), 'utf8')).trim().split(/\r?\n/)
    expect(saved.suggestedFilename()).toMatch(/^users-\d{4}-\d\d-\d\d\.csv$/)
    expect(lines).toHaveLength(2)
    expect(lines[1]).toContain(id)

    await page.getByRole('searchbox').fill('no such person')
    await page.getByRole('heading', { name: 'Nothing matches' }).waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).first().click()
    await expect.poll(() => page.getByRole('rowheader').count()).toBe(3)

    // By keys: the link of a row has the focus, not its box. A key counts while the list of keys is still closing, too.
    await page.getByRole('heading', { level: 1 }).click()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('j')
    await page.getByRole('rowheader').first().locator('a:focus').waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/console\/users\/usr_/)
    expect(faults).toEqual([])
  })

  it('shows the columns and the height of rows that were chosen, after a reload, too', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const { page, settled } = await openConsole(owner, '/console/users')
    await settled()
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Roles' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Compact rows' }).click()
    await page.keyboard.press('Escape')
    await page.reload()
    await settled()
    expect(await page.getByRole('columnheader').allInnerTexts()).toEqual([
      'Select all on this page',
      'Name',
      'Status',
      'Second factor',
      'Last sign-in',
      'Created',
    ])
    expect(await page.locator('html').getAttribute('data-density')).toBe('compact')
  })

  it('narrows the list by all that a shared address says, shows it, and exports the same, whatever its reader may read', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const role = await given.role(owner, { name: 'Support', permissions: ['teams:read'] })
    const { body: team } = await owner.post('/v1/admin/teams', { name: 'Europe', slug: 'europe' })
    const anna = await given.user(owner, { firstName: 'Anna', roleIds: [role.id] })
    const bilal = await given.user(owner, { firstName: 'Bilal' })
    await owner.post(`/v1/admin/teams/${team.id}/members`, { userId: bilal.id })
    const reader = await given.userWith(owner, ['users:read'])
    const { page, faults } = await openConsole(reader, `/console/users?roleId=${role.id}`)
    await expect.poll(() => namesOf(page)).toEqual(['Anna User'])
    const [saved] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Export as CSV' }).click()])
    const lines = (await readFile(await saved.path(), 'utf8')).trim().split(/\r?\n/)
    expect(lines.slice(1)).toEqual([expect.stringContaining(anna.id)])
    await page.getByRole('button', { name: `Remove Role: ${role.id}` }).click()
    await expect.poll(() => page.getByRole('rowheader').count()).toBe(4)

    await page.goto(`/console/users?teamId=${team.id}`)
    await expect.poll(() => namesOf(page)).toEqual(['Bilal User'])
    await page.getByRole('button', { name: `Remove Team: ${team.id}` }).waitFor()
    await page.goto('/console/users?permission=teams:read&createdFrom=2020-01-01T00:00:00Z&createdTo=2120-01-01T00:00:00Z')
    await page.getByRole('button', { name: 'Remove Permission: teams:read' }).waitFor()
    await page.getByRole('button', { name: /^Remove Created from: 1 Jan 2020/ }).waitFor()
    await page.getByRole('button', { name: /^Remove Created before: 1 Jan 2120/ }).waitFor()
    await expect.poll(() => page.getByRole('rowheader').count()).toBe(2)
    expect(await namesOf(page)).toContain('Anna User')
    // A link of another day has none of the days that are offered now.
    await page.goto('/console/users?lastLoginBefore=2020-01-01T00:00:00.000Z')
    await page.getByRole('combobox', { name: 'Last sign-in' }).getByText('Not since 1 Jan 2020').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).first().click()
    await expect.poll(() => page.getByRole('rowheader').count()).toBe(4)
    expect(faults).toEqual([])
  })

  it('keeps the page when the service fails, and shows it again on request', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const { page, faults, settled } = await openConsole(owner, '/console')
    await settled()
    const problem = {
      status: 400,
      contentType: 'application/problem+json',
      body: JSON.stringify({ status: 400, detail: 'Broken', code: 'broken' }),
    }
    await page.route('**/v1/admin/users?*', (route) => route.fulfill(problem))
    await page.getByRole('navigation', { name: 'Navigation' }).getByRole('link', { name: 'Users' }).click()
    await page.getByText('This could not be shown').waitFor()
    await page.unroute('**/v1/admin/users?*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('1 person').waitFor()
    expect(faults.every((fault) => fault.startsWith('response: 400'))).toBe(true)
  })

  it('waits for a service that is unavailable, without an error', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const { page, settled } = await openConsole(owner, '/console')
    await settled()
    let asked = 0
    await page.route('**/v1/admin/users?*', (route) =>
      // The first answer does not say for how long to wait.
      asked++ < 2 ? route.fulfill({ ...unavailable, headers: asked === 1 ? {} : { 'retry-after': '0' } }) : route.continue(),
    )
    await page.getByRole('navigation', { name: 'Navigation' }).getByRole('link', { name: 'Users' }).click()
    await page.getByText('1 person').waitFor()
    expect(asked).toBe(3)
  })

  it('blocks 97 of 100, and names the three that were refused, which stay selected', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const users: { id: string; name: string }[] = []
    for (let number = 100; number < 199; number++) users.push(await given.user(owner, { firstName: 'Person', lastName: String(number) }))
    const { page, faults, settled } = await openConsole(owner, '/console/users?limit=100')
    // Who blocks is left out here. For two others the service is asked to block the owner, which it refuses.
    const protectedOnes = users.slice(0, 2)
    for (const { id } of protectedOnes)
      await page.route(`**/v1/admin/users/${id}`, (route) => route.continue({ url: route.request().url().replace(id, owner.id) }))
    await settled()
    await page.getByRole('checkbox', { name: 'Select all on this page' }).click()
    await page.getByText('100 selected').waitFor()
    await page.getByRole('toolbar').getByRole('button', { name: 'Block', exact: true }).click()
    const question = page.getByRole('alertdialog', { name: 'Block 100 users?' })
    await question.getByLabel('Reason (optional)').fill('Left the company')
    await question.getByRole('button', { name: 'Block' }).click()

    const done = page.getByRole('alertdialog', { name: '97 users blocked' })
    await done.getByText('3 were refused and are still selected:').waitFor()
    const { body: me } = await owner.get('/v1/me/profile')
    const listed = await done.getByRole('listitem').allInnerTexts()
    expect(listed.sort()).toEqual(
      [`${me.name}: This is you`, ...protectedOnes.map(({ name }) => `${name}: The organisation owner cannot be blocked`)].sort(),
    )
    await done.getByRole('button', { name: 'Close' }).click()
    await page.getByText('3 selected').waitFor()
    await settled()
    expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(3)
    const { body: blocked } = await owner.get('/v1/admin/users?status=blocked&limit=1')
    expect(blocked).toMatchObject({ total: 97, data: [{ blockedReason: 'Left the company' }] })
    expect(faults.every((fault) => fault.startsWith('response: 400 PATCH'))).toBe(true)
    expect(faults).toHaveLength(2)
  })

  it('never blocks or deletes who chooses all of them, though they are not the owner', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const role = await given.role(owner, { permissions: ['users:read', 'users:update', 'users:delete'] })
    const { email } = await given.user(owner, { firstName: 'Adele', lastName: 'Admin', roleIds: [role.id] })
    const admin = await given.signIn(email)
    const others = [await given.user(owner, { firstName: 'Anna' }), await given.user(owner, { firstName: 'Bilal' })]
    const { page, faults } = await openConsole(admin, '/console/users')
    const act = async (action: string, asks: string, done: string) => {
      for (const name of ['Adele Admin', 'Anna User', 'Bilal User'])
        await page.getByRole('checkbox', { name: `Select ${name}`, exact: true, checked: false }).click()
      const bar = page.getByRole('toolbar')
      if (action === 'Block') await bar.getByRole('button', { name: action, exact: true }).click()
      else {
        await bar.getByRole('button', { name: 'More actions' }).click()
        await page.getByRole('menuitem', { name: action }).click()
      }
      await page.getByRole('alertdialog', { name: asks }).getByRole('button', { name: action, exact: true }).click()
      const result = page.getByRole('alertdialog', { name: done })
      await result.getByText('Adele Admin: This is you').waitFor()
      await result.getByRole('button', { name: 'Close' }).click()
      await page.getByText('1 selected').waitFor()
      await bar.getByRole('button', { name: 'Select none' }).click()
    }
    await act('Block', 'Block 3 users?', '2 users blocked')
    await act('Delete user', 'Delete 3 users?', '2 users deleted')

    expect((await admin.get('/v1/me/profile')).status).toBe(200)
    for (const { id } of others) expect(await actionsOn(owner, id)).toEqual(expect.arrayContaining(['user.blocked', 'user.deleted']))
    expect(faults).toEqual([])
  })

  it('unblocks many, adds them to a team, mails links and ends sessions, each after a question', async () => {
    const { given, mailbox } = service()
    const { owner } = await given.organisation()
    await owner.post('/v1/admin/teams', { name: 'Europe', slug: 'europe' })
    const users = [await given.user(owner, { firstName: 'Anna' }), await given.user(owner, { firstName: 'Bilal' })]
    const signedIn = await Promise.all(users.map(({ email }) => given.signIn(email)))
    mailbox.mails.length = 0
    const { page, faults } = await openConsole(owner, '/console/users')
    const act = async (action: string, asks: string, done: string) => {
      for (const name of ['Anna User', 'Bilal User']) await page.getByRole('checkbox', { name: `Select ${name}` }).click()
      await page.getByRole('toolbar').getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: action, exact: true }).click()
      const question = page.getByRole('alertdialog', { name: asks })
      if (action === 'Add to a team') {
        await question.getByRole('combobox', { name: 'Teams' }).fill('Eur')
        await page.getByRole('option', { name: /Europe/ }).click()
        await page.keyboard.press('Tab')
      }
      if (action === 'End all sessions') await question.getByText('Tokens that applications hold in their name stop working').waitFor()
      await question.getByRole('button', { name: action, exact: true }).click()
      await page.getByRole('alertdialog', { name: done }).getByRole('button', { name: 'Close' }).click()
      await page.getByRole('toolbar').waitFor({ state: 'detached' })
    }
    await act('Add to a team', 'Add 2 users to a team', '2 users changed')
    await act('Send a link', 'Send a link that sets the password to 2 users?', '2 links are on their way')
    await act('End all sessions', 'End all sessions of 2 users?', '2 users changed')
    for (const { id } of users) await owner.patch(`/v1/admin/users/${id}`, { blockedAt: new Date().toISOString() })
    await act('Unblock', 'Unblock 2 users?', '2 users unblocked')

    for (const one of signedIn) expect((await one.get('/v1/me/profile')).status).toBe(401)
    for (const { id, email } of users) {
      await mailbox.mailTo(email)
      expect((await owner.get(`/v1/admin/users/${id}`)).body).toMatchObject({ blockedAt: null, teams: [{ name: 'Europe' }] })
    }
    expect(faults).toEqual([])
  })

  it('begin each question without the choice of the former one', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    await given.role(owner, { name: 'Support', permissions: ['users:read'] })
    await given.user(owner, { firstName: 'Anna' })
    const { page, faults } = await openConsole(owner, '/console/users')
    await page.getByRole('checkbox', { name: 'Select Anna User' }).click()
    const bar = page.getByRole('toolbar')
    await bar.getByRole('button', { name: 'Give a role' }).click()
    const giving = page.getByRole('alertdialog', { name: 'Give a role to 1 user' })
    await giving.getByRole('combobox', { name: 'Roles' }).fill('Supp')
    await page.getByRole('option', { name: /Support/ }).click()
    await page.keyboard.press('Tab')
    await giving.getByText('Support', { exact: true }).waitFor()
    await giving.getByRole('button', { name: 'Cancel' }).click()
    await giving.waitFor({ state: 'detached' })

    await bar.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Take a role away' }).click()
    const taking = page.getByRole('alertdialog', { name: 'Take a role from 1 user' })
    await taking.getByRole('combobox', { name: 'Roles' }).waitFor()
    expect(await taking.getByText('Support').count()).toBe(0)
    expect(await taking.getByRole('button', { name: 'Take a role away' }).isDisabled()).toBe(true)
    expect(faults).toEqual([])
  })

  it('are not cancelled in appearance alone while the chosen role is being read', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const role = await given.role(owner, { name: 'Support', permissions: ['users:read'] })
    const user = await given.user(owner, { firstName: 'Anna' })
    const { page, faults } = await openConsole(owner, '/console/users')
    await page.getByRole('checkbox', { name: 'Select Anna User' }).click()
    await page.getByRole('toolbar').getByRole('button', { name: 'Give a role' }).click()
    const question = page.getByRole('alertdialog', { name: 'Give a role to 1 user' })
    await question.getByRole('combobox', { name: 'Roles' }).fill('Supp')
    await page.getByRole('option', { name: /Support/ }).click()
    await page.keyboard.press('Tab')
    const held = Promise.withResolvers<void>()
    await page.route(`**/v1/admin/roles/${role.id}`, async (route) => {
      await held.promise
      await route.continue()
    })
    const asked = page.waitForRequest(`**/v1/admin/roles/${role.id}`)
    await question.getByRole('button', { name: 'Give a role' }).click()
    await asked
    expect(await question.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true)
    await page.keyboard.press('Escape')
    held.resolve()
    await page.getByRole('alertdialog', { name: '1 user changed' }).waitFor()
    expect((await owner.get(`/v1/admin/users/${user.id}`)).body.roles).toContainEqual(expect.objectContaining({ id: role.id }))
    expect(faults).toEqual([])
  })

  it('says of a role that is taken away which users keep it, and because of what', async () => {
    const { given, database } = service()
    const { owner, id: organisationId } = await given.organisation()
    const role = await given.role(owner, { name: 'Support', permissions: ['users:read'] })
    const workforce = await createConnection(owner, { name: 'Workforce' })
    const anna = await given.user(owner, { firstName: 'Anna', roleIds: [role.id] })
    const bilal = await given.user(owner, { firstName: 'Bilal', roleIds: [role.id] })
    await database.transaction(organisationId, (tenant) =>
      replaceRolesFromSource(tenant, systemActor, anna.id, sourceOf(workforce.id), [role.id]),
    )
    const { page, faults } = await openConsole(owner, '/console/users')
    for (const name of ['Anna User', 'Bilal User']) await page.getByRole('checkbox', { name: `Select ${name}` }).click()
    await page.getByRole('toolbar').getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Take a role away' }).click()
    const question = page.getByRole('alertdialog', { name: 'Take a role from 2 users' })
    await question.getByRole('combobox', { name: 'Roles' }).fill('Supp')
    await page.getByRole('option', { name: /Support/ }).click()
    await page.keyboard.press('Tab')
    await question.getByRole('button', { name: 'Take a role away' }).click()
    const done = page.getByRole('alertdialog', { name: '1 user changed' })
    await done.getByText('Anna User: Support stays because of Workforce').waitFor()
    await done.getByRole('button', { name: 'Close' }).click()

    const rolesOf = async ({ id }: { id: string }) =>
      (await owner.get(`/v1/admin/users/${id}`)).body.roles.map(({ name }: { name: string }) => name)
    expect(await rolesOf(anna)).toContain('Support')
    expect(await rolesOf(bilal)).not.toContain('Support')
    expect(faults).toEqual([])
  })
})

describe('a new user', () => {
  it('is created with a link to set the password, and shown', async () => {
    const { given, mailbox } = service()
    const { owner } = await given.organisation()
    await given.role(owner, { name: 'Support', permissions: ['users:read'] })
    const { page, faults } = await openConsole(owner, '/console/users?create=yes')
    const drawer = page.getByRole('dialog', { name: 'Create user' })
    const email = `carol.shaw@${owner.email.split('@')[1]}`
    await drawer.getByLabel('E-mail address').fill(email)
    await drawer.getByLabel('First name').fill('Carol')
    await drawer.getByLabel('Last name').fill('Shaw')
    await drawer.getByLabel('Roles').fill('Supp')
    await page.getByRole('option', { name: /Support/ }).click()
    await drawer.getByRole('button', { name: 'Create user' }).click()

    await page.getByRole('heading', { level: 1, name: 'Carol Shaw' }).waitFor()
    const id = new URL(page.url()).pathname.split('/').at(-1) as string
    expect((await owner.get(`/v1/admin/users/${id}`)).body).toMatchObject({ email, roles: [{ name: 'Support' }] })
    expect(await actionsOn(owner, id)).toContain('user.created')
    await mailbox.mailTo(email)
    expect(faults).toEqual([])
  })

  it('is told at the fields what the service refuses, the first one focused, and nothing typed is lost', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const { page, faults } = await openConsole(owner, '/console/users?create=yes')
    const drawer = page.getByRole('dialog', { name: 'Create user' })
    await drawer.getByLabel('E-mail address').fill(owner.email)
    await drawer.getByLabel('First name').fill('Carol')
    await drawer.getByLabel('Last name').fill('Shaw')
    const create = drawer.getByRole('button', { name: 'Create user' })
    await create.click()
    await drawer.getByText('This e-mail address is already registered').waitFor()
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('email')

    await drawer.getByLabel('E-mail address').fill('new@example.test')
    await drawer.getByText('Set a password').click()
    await drawer.getByLabel('Password', { exact: true }).fill('password')
    await create.click()
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('password')
    expect(await drawer.getByLabel('Password', { exact: true }).getAttribute('aria-invalid')).toBe('true')
    expect(await drawer.getByLabel('First name').inputValue()).toBe('Carol')
    expect(await drawer.getByLabel('E-mail address').inputValue()).toBe('new@example.test')
    expect((await owner.get('/v1/admin/users')).body.total).toBe(1)
    expect(faults.map((fault) => fault.split(' ')[2])).toEqual(['POST', 'POST'])
  })

  it('is created by those who may not read users, who stay where they are', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const creator = await given.userWith(owner, ['users:create'])
    const { page, faults } = await openConsole(creator, '/console/users')
    await page.getByRole('button', { name: 'Create user' }).click()
    const drawer = page.getByRole('dialog', { name: 'Create user' })
    await drawer.getByLabel('E-mail address').fill(`new@${owner.email.split('@')[1]}`)
    await drawer.getByLabel('First name').fill('Carol')
    await drawer.getByLabel('Last name').fill('Shaw')
    await drawer.getByRole('button', { name: 'Create user' }).click()
    await page.getByText('was created').waitFor()
    await page.getByText('You need the permission users:read').waitFor()
    expect(faults).toEqual([])
  })
})

describe('the record of a user', () => {
  it('is edited, given access, blocked, freed and deleted, each with its entry in the audit log', async () => {
    const { given } = service()
    const organisation = await given.organisation()
    const { owner } = organisation
    await given.role(owner, { name: 'Support', permissions: ['users:read'] })
    const user = await given.user(owner, { firstName: 'Anna', lastName: 'Shaw' })
    await given.signIn(user.email)
    const signedIn = await given.signIn(user.email)
    const application = await givenApplication(service(), { organisation, name: 'Planner', requireConsent: true, scopes: ['plans:write'] })
    const asked = await application.authorize(
      { scope: 'openid plans:write', code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' },
      signedIn,
    )
    await decideConsent(signedIn, new URL(asked.headers.get('location') ?? '', service().origin).searchParams.get('request') ?? '', 'allow')
    const { page, faults, settled } = await openConsole(owner, `/console/users/${user.id}`)
    await settled()

    await page.getByLabel('First name').fill('Anne')
    await page.getByText('1 change').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { level: 1, name: 'Anne Shaw' }).waitFor()
    await page.getByLabel('Telephone number').fill('12')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Begin with + and the country code, such as +44 20 7946 0000').waitFor()
    await page.getByLabel('Telephone number').fill('+44 (20) 7946-0000')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('1 change').waitFor({ state: 'detached' })
    expect((await owner.get(`/v1/admin/users/${user.id}`)).body.phone).toBe('+44 (20) 7946-0000')

    await page.getByRole('link', { name: 'Access', exact: true }).click()
    await page.getByRole('combobox', { name: 'Give a role' }).fill('Supp')
    await page.getByRole('option', { name: /Support/ }).click()
    await page.getByRole('button', { name: 'Give a role' }).click()
    await page.getByRole('row', { name: /users:read.*Support.*by / }).waitFor()
    await page.getByRole('button', { name: 'Take away: Support' }).click()
    await page.getByRole('row', { name: /users:read/ }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: 'Take away: Support' }).waitFor()

    // A role with every permission is given only after its reach was said, and the name typed.
    await page.getByRole('combobox', { name: 'Give a role' }).fill('Owner')
    await page.getByRole('option', { name: /Owner/ }).click()
    await page.getByRole('button', { name: 'Give a role' }).click()
    const reach = page.getByRole('alertdialog', { name: 'Give Owner to Anne Shaw?' })
    await reach.getByText(/Owner has every permission of the organisation/).waitFor()
    await reach.getByText('+ users:delete').waitFor()
    expect(await reach.getByText('+ users:read').count()).toBe(0)
    expect(await reach.getByRole('button', { name: 'Give Owner' }).isDisabled()).toBe(true)
    const stored = await owner.get(`/v1/admin/users/${user.id}`)
    expect(stored.body.roles.map(({ slug }: { slug: string }) => slug)).not.toContain('owner')
    await reach.getByLabel('Type Anne Shaw to confirm').fill('Anne Shaw')
    await reach.getByRole('button', { name: 'Give Owner' }).click()
    await page.getByRole('row', { name: /users:delete.*Owner/ }).waitFor()

    await page.getByRole('link', { name: 'Sessions', exact: true }).click()
    await expect.poll(() => page.getByRole('rowheader').count()).toBe(2)
    await page.getByRole('link', { name: 'Applications', exact: true }).last().click()
    await page.getByRole('row', { name: /Planner.*plans:write/ }).waitFor()
    const toApplication = page.getByRole('link', { name: 'Planner' })
    expect(await toApplication.getAttribute('href')).toBe(`/console/applications/${application.id}`)

    await page.getByRole('button', { name: 'Block', exact: true }).click()
    const question = page.getByRole('alertdialog', { name: 'Block Anne Shaw?' })
    // It was let in, and has not asked for tokens.
    await question.getByText('2 sessions end, and no application holds tokens in their name').waitFor()
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'detached' })
    await application.signIn({ scope: 'openid plans:write' }, signedIn)
    await page.getByRole('button', { name: 'Block', exact: true }).click()
    await question.getByText('2 sessions end, and the tokens of 1 application stop working').waitFor()
    await question.getByLabel('Reason').fill('Left the company')
    await question.getByRole('button', { name: 'Block Anne Shaw' }).click()
    // On whichever tab it is read.
    await page.getByText('Left the company').waitFor()
    await page.getByRole('link', { name: 'Profile', exact: true }).click()
    await page.getByText('Left the company').waitFor()
    await page.getByRole('button', { name: 'Unblock' }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Left the company').waitFor()

    await page.getByRole('link', { name: 'Applications', exact: true }).last().click()
    await page.getByRole('button', { name: 'End access' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'End access' }).click()
    await page.getByRole('heading', { name: 'No application has access' }).waitFor()

    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete user' }).click()
    const deleting = page.getByRole('alertdialog', { name: 'Delete Anne Shaw?' })
    await deleting.getByLabel('Reason').fill('The contract has ended')
    await deleting.getByRole('button', { name: 'Delete Anne Shaw' }).click()
    await page.getByText('1 person').waitFor()

    expect(await actionsOn(owner, user.id)).toEqual(
      expect.arrayContaining(['user.created', 'user.updated', 'role.assigned', 'role.unassigned', 'user.blocked', 'user.deleted']),
    )
    const { body: entries } = await owner.get(`/v1/admin/audit-logs?targetId=${user.id}&action=user.deleted`)
    expect(entries.data[0].metadata).toMatchObject({ reason: 'The contract has ended' })
    expect(faults).toEqual([])
  })

  it('is unlocked, sent a link, freed of the second factor and signed out, each after saying what happens', async () => {
    const { given, clock, mailbox, anonymous, settled: locked } = service()
    const { owner } = await given.organisation()
    const { id, email, name } = await given.user(owner, { firstName: 'Anna', lastName: 'Shaw' })
    const signedIn = await given.signIn(email)
    await enrolAuthenticator(signedIn, clock)
    for (let attempt = 0; attempt < 10; attempt++) await anonymous.post('/v1/auth/login', { email, password: 'a wrong one' })
    // It is stored after the response.
    await locked()
    const shown = async () => (await owner.get(`/v1/admin/users/${id}`)).body
    expect(await shown()).toMatchObject({ lockedUntil: expect.any(String), mfaEnabled: true })
    mailbox.mails.length = 0
    const { page, faults } = await openConsole(owner, `/console/users/${id}`)
    const choose = async (action: string) => {
      await page.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: action }).click()
    }

    await choose('Unlock sign-in')
    await page.getByText(`${name} may try to sign in again`).first().waitFor()
    expect((await shown()).lockedUntil).toBeNull()
    await choose('Send a link that sets the password')
    await page.getByText(`A link is on its way to ${email}`).first().waitFor()
    expect(await mailbox.tokenTo(email)).not.toBe('')

    await choose('Remove second factor')
    const factor = page.getByRole('alertdialog', { name: 'Remove the second factor of Anna Shaw?' })
    await factor.getByText(`At once 1 session ends, and a mail tells ${email}. Applications keep their tokens.`).waitFor()
    await factor.getByRole('button', { name: 'Remove second factor' }).click()
    await factor.waitFor({ state: 'detached' })
    expect((await shown()).mfaEnabled).toBe(false)
    expect((await signedIn.get('/v1/me/profile')).status).toBe(401)
    await mailbox.mailTo(email, 'Two-factor authentication')

    const again = [await given.signIn(email), await given.signIn(email)]
    await choose('End all sessions')
    const sessions = page.getByRole('alertdialog', { name: 'End all sessions of Anna Shaw?' })
    await sessions.getByText('At once 2 sessions end, and no application holds tokens in their name.').waitFor()
    await sessions.getByRole('button', { name: 'End all sessions' }).click()
    await sessions.waitFor({ state: 'detached' })
    for (const session of again) expect((await session.get('/v1/me/profile')).status).toBe(401)
    expect(await actionsOn(owner, id)).toEqual(
      expect.arrayContaining(['login.unlocked', 'auth.password_reset_requested', 'mfa.disabled', 'user.updated']),
    )
    expect(faults).toEqual([])
  })

  it('of the owner retains its second factor, which others are told', async () => {
    const { given, clock } = service()
    const { owner } = await given.organisation()
    await enrolAuthenticator(owner, clock)
    const admin = await given.userWith(owner, ['users:read', 'users:update', 'organisation:read'])
    const { page, faults } = await openConsole(admin, `/console/users/${owner.id}`)
    await page.getByRole('button', { name: 'More actions' }).click()
    const entry = page.getByRole('menuitem', { name: 'Remove second factor' })
    await entry.getByText('Only the owner can remove the second factor of the owner').waitFor()
    expect(await entry.getAttribute('aria-disabled')).toBe('true')
    expect(faults).toEqual([])
  })

  it('has each session with a button of its own, and those beyond the first hundred on request', async () => {
    const { given, database } = service()
    const { owner, id: organisationId } = await given.organisation()
    const user = await given.userWith(owner, [])
    await sql`
      insert into sessions (id, user_id, token_hash, ip_address, user_agent, authenticated_at, authentication_methods, idle_timeout,
        last_activity_at, expires_at, created_at)
      select 'ses_' || number || right(id, 20), user_id, 'hash_' || number || id, ip_address, user_agent, authenticated_at,
        authentication_methods, idle_timeout, last_activity_at, expires_at, created_at
      from (select * from sessions where id = ${user.sessionId}) as own, generate_series(1, 102) as number`.execute(
      database.tenant(organisationId),
    )
    const { page, faults } = await openConsole(owner, `/console/users/${user.id}/sessions`)
    await expect.poll(() => page.getByRole('rowheader').count()).toBe(100)
    await page.getByRole('button', { name: 'Show more' }).click()
    await expect.poll(() => page.getByRole('rowheader').count()).toBe(103)
    const held = Promise.withResolvers<void>()
    await page.route('**/v1/admin/users/*/sessions/*', async (route) => {
      await held.promise
      await route.continue()
    })
    const end = page.getByRole('button', { name: 'End', exact: true })
    await end.first().click()
    await expect.poll(() => page.locator('main table button[aria-busy=true]').count()).toBe(1)
    held.resolve()
    await expect.poll(() => page.getByRole('rowheader').count()).toBe(102)
    expect(faults).toEqual([])
  })

  it('says that a directory has deactivated a user meanwhile, once another block is lifted', async () => {
    const { organisation, scim, address } = await givenDirectory(service(), { name: 'Entra ID' })
    const { owner } = organisation
    const { body: user } = await scim.post('/Users', person(address()))
    await owner.patch(`/v1/admin/users/${user.id}`, { blockedAt: service().clock.now().toISOString(), blockedReason: 'Investigation' })
    await scim.patch(`/Users/${user.id}`, operations({ op: 'replace', path: 'active', value: false }))
    const { page, faults } = await openConsole(owner, `/console/users/${user.id}`)
    await page.getByText('Investigation').waitFor()

    await page.getByRole('button', { name: 'Unblock' }).click()
    await page.getByText('Blocked by another: Deactivated by Entra ID. To lift that, too, unblock once more').waitFor()
    await page.getByText('Investigation').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Unblock' }).click()
    await page.getByRole('button', { name: 'Block', exact: true }).waitFor()
    expect(faults).toEqual([])
  })

  it('retains a role and a team that others give, too: says because of what, and offers no way back', async () => {
    const { given, database } = service()
    const { owner, id: organisationId } = await given.organisation()
    const role = await given.role(owner, { name: 'Support', permissions: ['users:read'] })
    const { body: team } = await owner.post('/v1/admin/teams', { name: 'Europe', slug: 'europe' })
    const workforce = await createConnection(owner, { name: 'Workforce' })
    const entra = await createDirectory(owner, { name: 'Entra ID' })
    const user = await given.user(owner, { firstName: 'Anna', roleIds: [role.id] })
    await owner.post(`/v1/admin/teams/${team.id}/members`, { userId: user.id })
    const { page, faults } = await openConsole(owner, `/console/users/${user.id}/access`)
    const takeAway = (name: string) => page.getByRole('button', { name: `Take away: ${name}` })
    await takeAway('Support').waitFor()
    // The connection and the directory add them while the page is open.
    await database.transaction(organisationId, async (tenant) => {
      await replaceRolesFromSource(tenant, systemActor, user.id, sourceOf(workforce.id), [role.id])
      await replaceTeamsFromSource(tenant, systemActor, user.id, sourceOfDirectory(entra.id), [team.id])
    })
    await takeAway('Support').click()
    await page.getByText('Support stays because of Workforce').first().waitFor()
    await takeAway('Support').waitFor({ state: 'detached' })
    await takeAway('Europe').click()
    await page.getByText('Europe stays because of Entra ID').first().waitFor()
    await takeAway('Europe').waitFor({ state: 'detached' })
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0)
    expect((await owner.get(`/v1/admin/users/${user.id}`)).body).toMatchObject({
      roles: expect.arrayContaining([expect.objectContaining({ name: 'Support' })]),
      teams: [{ name: 'Europe', sources: [{ type: 'directory', name: 'Entra ID' }] }],
    })
    expect(faults).toEqual([])
  })

  it('that does not exist says so, and leads back', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const { page, faults } = await openConsole(owner, '/console/users/usr_01kahm3z9n4v7f2t8q6w5r1y0x')
    await page.getByText('It was deleted, or it never existed').waitFor()
    await page.getByRole('link', { name: 'Users' }).last().click()
    await page.getByText('1 person').waitFor()
    expect(faults).toEqual([expect.stringContaining('response: 404 GET')])
  })
})
