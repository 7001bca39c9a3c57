import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { unavailable, useConsole } from '../support/console.ts'
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
    // The owner is one that may not be blocked. For two others the service is asked to block the owner, too.
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
      [me.name, ...protectedOnes.map(({ name }) => name)].map((name) => `${name}: The organisation owner cannot be blocked`).sort(),
    )
    await done.getByRole('button', { name: 'Close' }).click()
    await page.getByText('3 selected').waitFor()
    await settled()
    expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(3)
    const { body: blocked } = await owner.get('/v1/admin/users?status=blocked&limit=1')
    expect(blocked).toMatchObject({ total: 97, data: [{ blockedReason: 'Left the company' }] })
    expect(faults.every((fault) => fault.startsWith('response: 400 PATCH'))).toBe(true)
    expect(faults).toHaveLength(3)
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
    await question.getByText('2 sessions end, and the tokens of 1 application stop working').waitFor()
    await question.getByLabel('Reason').fill('Left the company')
    await question.getByRole('button', { name: 'Block Anne Shaw' }).click()
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
