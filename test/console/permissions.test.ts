import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { useConsole } from '../support/console.ts'
import { databaseKind } from '../support/database.ts'
import { routesBelow } from '../support/route-table.ts'
import { everyPage, prepareScene, type Scene } from './every-page.ts'

const { service, openConsole } = useConsole()

/** The entries of the navigation that need a permission, each with the call behind it. */
const entries: Record<string, string> = {
  Users: 'GET /v1/admin/users',
  Invitations: 'GET /v1/admin/invitations',
  Roles: 'GET /v1/admin/roles',
  Teams: 'GET /v1/admin/teams',
  Applications: 'GET /v1/admin/clients',
  'API keys': 'GET /v1/admin/api-keys',
  Webhooks: 'GET /v1/admin/webhooks',
  'Audit log': 'GET /v1/admin/audit-logs',
  Diagnostics: 'GET /v1/admin/diagnostics',
  'Who can what': 'GET /v1/admin/users',
}
const forEverybody = ['Overview', 'Organisation']

/** What a page offers to create, to those who may, whether they may read the others or not. */
const creators: Record<string, { button: string; call: string }> = {
  '/users': { button: 'Create user', call: 'POST /v1/admin/users' },
  '/invitations': { button: 'Invite', call: 'POST /v1/admin/invitations' },
  '/roles': { button: 'Create role', call: 'POST /v1/admin/roles' },
  '/teams': { button: 'Create team', call: 'POST /v1/admin/teams' },
  '/applications': { button: 'Create application', call: 'POST /v1/admin/clients' },
  '/api-keys': { button: 'Create API key', call: 'POST /v1/admin/api-keys' },
  '/webhooks': { button: 'Create webhook', call: 'POST /v1/admin/webhooks' },
}

/** The beginning of the name of every control that changes something. */
const changing =
  /^(Create|Invite|Send|Block|Unblock|Unlock|Delete|Remove|Give|Take|Add|End|Edit|Save|Rotate|Revoke|Activate|Resend|Cancel|Replay|Transfer|Set|Make|Review|Fix)\b/

describe.runIf(databaseKind() === 'pglite')('a user of the console', () => {
  let scene: Scene
  let permissionOf: Map<string, string | undefined>
  beforeAll(async () => {
    scene = await prepareScene(service())
    const routes = await routesBelow(service().anonymous, '/v1/admin')
    permissionOf = new Map(routes.map(({ method, path, permission }) => [`${method} ${path}`, permission]))
  })
  const needed = (call: string) => {
    const permission = permissionOf.get(call)
    if (!permission) throw new Error(`${call} needs no permission`)
    return permission
  }

  it('with one permission sees the pages and controls that it allows, and is refused nothing by the API', {
    timeout: 600_000,
  }, async () => {
    const permissions = [...new Set([...permissionOf.values()].filter((permission) => permission !== undefined))].sort()
    expect(permissions.length).toBeGreaterThanOrEqual(29)
    const mistakes: string[] = []
    const look = async (permission: string) => {
      const user = await service().given.userWith(scene.owner, [permission])
      const { page, context, faults, goTo, settled } = await openConsole(user)
      const note = (what: string) => void mistakes.push(`${permission}: ${what}`)
      await settled()
      const allowed = Object.keys(entries).filter((entry) => needed(entries[entry] as string) === permission)
      const seen = await linksOf(page)
      if (seen.sort().join() !== [...forEverybody, ...allowed].sort().join()) note(`the navigation has ${seen.join(', ')}`)
      for (const { path, neededCall, addresses } of everyPage(scene)) {
        const mayOpen = neededCall === undefined || needed(neededCall) === permission
        // What a page refuses, it refuses on each of its tabs.
        for (const address of mayOpen ? addresses : addresses.slice(0, 1)) {
          await goTo(address)
          for (const fault of faults.splice(0)) note(`${address}: ${fault}`)
          const isRefused = (await page.getByRole('heading', { level: 1, name: 'You may not see this' }).count()) > 0
          if (isRefused === mayOpen) note(`${address} ${isRefused ? 'is refused' : 'is shown'}`)
          if (isRefused && (await page.getByText(`You need the permission ${needed(neededCall as string)}`).count()) === 0)
            note(`${address} does not say what is missing`)
          const creator = creators[path]
          const offered = await controlsOf(page)
          const expected = creator && needed(creator.call) === permission ? [creator.button] : []
          const wrong = permission.endsWith(':read') || !mayOpen ? offered.filter((control) => !expected.includes(control)) : []
          if (wrong.length > 0) note(`${address} offers ${wrong.join(', ')}`)
          for (const control of expected.filter((one) => !offered.includes(one))) note(`${address} does not offer ${control}`)
        }
      }
      await context.close()
    }
    // Two at a time: more would only wait for one another.
    const left = [...permissions]
    const walker = async () => {
      for (let permission = left.shift(); permission; permission = left.shift()) await look(permission)
    }
    await Promise.all([walker(), walker()])
    expect(mistakes).toEqual([])
  })

  it('without any is told whom to ask, with the way to the account', async () => {
    const user = await service().given.userWith(scene.owner, [])
    const { page, faults, goTo, settled } = await openConsole(user)
    await settled()
    for (const { addresses } of everyPage(scene)) {
      await goTo(addresses[0] as string)
      expect(await page.getByRole('heading', { level: 1 }).allTextContents()).toEqual(['You may not use the console'])
    }
    expect(await page.getByRole('link', { name: 'Your account' }).getAttribute('href')).toBe('/account?returnTo=/console')
    const { body: organisation } = await scene.owner.get('/v1/admin/organisation')
    expect(await page.getByRole('link', { name: `Write to ${organisation.email}` }).getAttribute('href')).toBe(
      `mailto:${organisation.email}`,
    )
    expect(faults).toEqual([])
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
    const { body: read } = await owner.get(`/v1/admin/roles/${role.id}`)
    const permissionIds = read.permissions.filter(({ slug }: { slug: string }) => slug === 'users:read').map(({ id }: { id: string }) => id)
    expect(await owner.patch(`/v1/admin/roles/${role.id}`, { permissionIds })).toMatchObject({ status: 200 })

    await page.getByRole('button', { name: 'Block', exact: true }).click()
    await page.getByRole('button', { name: 'Block Anna Shaw' }).click()
    await page.getByText('users:update').first().waitFor()
    await page.getByRole('button', { name: 'Block', exact: true }).waitFor({ state: 'detached' })

    expect(faults.splice(0)).toEqual([expect.stringContaining('response: 403 PATCH')])
    expect((await owner.get(`/v1/admin/users/${other.id}`)).body.blockedAt).toBeNull()
  })
})

const linksOf = async (page: Page) =>
  (await page.getByRole('navigation', { name: 'Navigation' }).getByRole('link').allInnerTexts()).map(
    (text) => text.split('\n')[0] as string,
  )

/** The names of the buttons and links of the page that change something. */
async function controlsOf(page: Page): Promise<string[]> {
  const main = page.getByRole('main')
  const names = await Promise.all([main.getByRole('button').allInnerTexts(), main.getByRole('link').allInnerTexts()])
  return names
    .flat()
    .map((name) => name.trim())
    .filter((name) => changing.test(name))
}
