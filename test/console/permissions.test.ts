import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { useConsole } from '../support/console.ts'

const { service, openConsole } = useConsole()

describe('whoever may create and not read', () => {
  it('is offered the creation on the closed page, is told what was created, and is refused nothing', { timeout: 60_000 }, async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const kinds = ['invitations', 'roles', 'teams', 'clients', 'api_keys', 'webhooks']
    const creator = await given.userWith(
      owner,
      kinds.map((kind) => `${kind}:create`),
    )
    const { page, faults, goTo } = await openConsole(creator)

    const begin = async (path: string, label: string) => {
      await goTo(`/console/${path}`)
      await page.getByRole('heading', { level: 1, name: 'You may not see this' }).waitFor()
      await page.getByRole('main').getByRole('button', { name: label }).click()
      const drawer = page.getByRole('dialog', { name: label })
      const send = (name = label) => drawer.getByRole('button', { name, exact: true }).click()
      return { drawer, send, ended: () => drawer.waitFor({ state: 'detached' }) }
    }

    const invitation = await begin('invitations', 'Invite')
    await invitation.drawer.getByLabel('E-mail addresses').fill(`new@${owner.email.split('@')[1]}`)
    await invitation.drawer.getByLabel('Role').fill('member')
    await invitation.send('Send')
    await invitation.drawer.getByText('1 invitation sent').waitFor()
    await invitation.send('Done')
    await invitation.ended()

    for (const [path, label, name] of [
      ['roles', 'Create role', 'Support'],
      ['teams', 'Create team', 'Europe'],
    ] as const) {
      const { drawer, send, ended } = await begin(path, label)
      await drawer.getByLabel('Name', { exact: true }).fill(name)
      if (path === 'roles') await drawer.getByRole('checkbox', { name: 'teams:create' }).click()
      await send()
      await page.getByText(`${name} was created`).first().waitFor()
      await ended()
    }

    const key = await begin('api-keys', 'Create API key')
    await key.drawer.getByLabel('Name').fill('Nightly import')
    await key.drawer.getByRole('checkbox', { name: 'teams:create' }).click()
    await key.send()
    await store(page, 'The key of Nightly import')

    const webhook = await begin('webhooks', 'Create webhook')
    await webhook.drawer.getByLabel('URL').fill('https://hooks.example.test/gatehouse')
    await webhook.send()
    await store(page, 'The secret of hooks.example.test')
    await page.getByText('hooks.example.test was created').first().waitFor()

    await goTo('/console/applications')
    await page.getByRole('heading', { level: 1, name: 'You may not see this' }).waitFor()
    await page.getByRole('main').getByRole('link', { name: 'Create application' }).click()
    await page.getByLabel('Name').fill('Customer portal')
    await page.getByRole('button', { name: 'Create application' }).click()
    await store(page, 'The secret of the application')
    await page.getByRole('heading', { level: 1, name: 'Customer portal is ready to be connected' }).waitFor()
    expect(await page.getByRole('link', { name: 'Try it' }).count()).toBe(0)

    expect(faults).toEqual([])
    const { body: roles } = await owner.get('/v1/admin/roles?q=Support')
    expect(roles.data[0].permissions.map(({ slug }: { slug: string }) => slug)).toEqual(['teams:create'])
    const { body: entries } = await owner.get(`/v1/admin/audit-logs?actorId=${creator.id}&limit=100`)
    const actions = entries.data.map(({ action }: { action: string }) => action)
    expect(actions).toEqual(expect.arrayContaining(['api_key', 'client', 'role', 'team', 'webhook'].map((kind) => `${kind}.created`)))
    expect(actions.filter((action: string) => action.startsWith('invitation.'))).toHaveLength(1)
  })
})

describe('a permission that is taken away while the page is open', () => {
  it('is refused at the control, which is gone then', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const role = await given.role(owner, { permissions: ['users:read', 'users:update'] })
    const user = await given.signIn((await given.user(owner, { roleIds: [role.id] })).email)
    const other = await given.user(owner, { firstName: 'Anna', lastName: 'Shaw' })
    const { page, faults, settled } = await openConsole(user, `/console/users/${other.id}`)
    await settled()
    expect(await owner.patch(`/v1/admin/roles/${role.id}`, { permissionIds: ['users:read'] })).toMatchObject({ status: 200 })

    await page.getByRole('button', { name: 'Block', exact: true }).click()
    const question = page.getByRole('alertdialog', { name: 'Block Anna Shaw?' })
    await question.getByRole('button', { name: 'Block Anna Shaw' }).click()
    await page.getByText('users:update').first().waitFor()
    await page.getByRole('button', { name: 'Block', exact: true }).waitFor({ state: 'detached' })

    expect(faults.splice(0)).toEqual([expect.stringContaining('response: 403 PATCH')])
    expect((await owner.get(`/v1/admin/users/${other.id}`)).body.blockedAt).toBeNull()
  })
})

/** Confirms that the secret of what was created is stored. */
async function store(page: Page, title: string): Promise<void> {
  const secret = page.getByRole('alertdialog', { name: title })
  await secret.getByText('I have stored it').click()
  await secret.getByRole('button', { name: 'Done' }).click()
  await secret.waitFor({ state: 'detached' })
}
