import { glob, readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { useConsole } from '../support/console.ts'
import { routesBelow } from '../support/route-table.ts'
import { everyPage, prepareScene, type Scene } from './every-page.ts'
import { type Look, lookAt, readAgain } from './look-at.ts'
import { compareControls, knownCalls, offeredAt } from './offered.ts'

const { service, openConsole } = useConsole()

describe('a user of the console', () => {
  let scene: Scene
  /** The permissions that each call needs, and all that any of them needs. */
  let permissionsOf: Map<string, string[]>
  let all: string[]
  beforeAll(async () => {
    scene = await prepareScene(service())
    const routes = await routesBelow(service().anonymous, '/v1/admin')
    permissionsOf = new Map(routes.map(({ method, path, permissions }) => [`${method} ${path}`, permissions]))
    all = [...new Set(routes.flatMap(({ permissions }) => permissions))].sort()
  })

  const needed = (call: string) => {
    const permissions = permissionsOf.get(call)
    if (!permissions) throw new Error(`There is no ${call}`)
    return permissions
  }
  const mayAny = (calls: readonly string[], permissions: readonly string[]) =>
    calls.some((call) => needed(call).every((permission) => permissions.includes(permission)))
  const pages = () => everyPage(scene).filter(({ path }) => path !== '/try')
  const everyAddress = () => pages().flatMap(({ addresses }) => addresses)

  /** One person at the console whose permissions change, and what they are shown with each. */
  async function openAsAnybody() {
    const { given } = service()
    const role = await given.role(scene.owner)
    const user = await given.signIn((await given.user(scene.owner, { roleIds: [role.id] })).email)
    // Menus close at once.
    const { page, faults, settled } = await openConsole(user, '/console', { reducedMotion: 'reduce' })
    await settled()
    const mistakes: string[] = []
    const as = async (who: string, permissionIds: string[], addresses: string[]) => {
      expect(await scene.owner.patch(`/v1/admin/roles/${role.id}`, { permissionIds })).toMatchObject({ status: 200 })
      await readAgain(page)
      const looks = await lookAt(page, addresses)
      const note = (what: string) => void mistakes.push(`${who}: ${what}`)
      for (const fault of faults.splice(0)) note(fault)
      for (const { address, headings, isLoading, isBlank } of looks) {
        if (headings.length !== 1) note(`${address} has the headings ${headings.join(', ')}`)
        if (isLoading) note(`${address} loads without end`)
        if (isBlank) note(`${address} is blank`)
      }
      return { looks, note }
    }
    return { page, as, mistakes }
  }

  it('sees the pages and controls that each permission allows, and is refused nothing by the API', async () => {
    expect(all).toHaveLength(44)
    expect(await callsOfConsole()).toEqual([...knownCalls].sort())
    const { page, as, mistakes } = await openAsAnybody()
    const reading = all.filter((permission) => permission.endsWith(':read'))
    const everything = await as('everything', all, everyAddress())
    const entries = await entriesOf(page)
    const { looks } = await as('reading everything', reading, everyAddress())
    /** What changes nothing, by address. */
    const harmless = new Map(looks.map(({ address, controls }) => [address, controls]))
    const compare = (look: Look, others: readonly string[], isOffered: (calls: string[]) => boolean, note: (what: string) => void) => {
      const { missing, surplus } = compareControls(look, others, isOffered)
      for (const control of missing) note(`${look.address} does not offer ${control}`)
      for (const control of surplus) note(`${look.address} offers ${control}`)
    }
    const compareAll = ({ looks, note }: Awaited<ReturnType<typeof as>>, permissions: string[]) => {
      for (const look of looks) compare(look, harmless.get(look.address) ?? [], (calls) => mayAny(calls, permissions), note)
    }
    compareAll(everything, all)

    for (const permission of all) {
      const isOpen = (calls: string[]) => calls.length === 0 || mayAny(calls, [permission])
      // What a page refuses, it refuses on each of its tabs.
      const visited = pages().map((one) => ({ ...one, addresses: isOpen(one.calls) ? one.addresses : one.addresses.slice(0, 1) }))
      const addresses = visited.flatMap(({ addresses }) => addresses)
      const { looks, note } = await as(permission, [permission], addresses)
      const open = visited.filter(({ calls }) => isOpen(calls)).flatMap(({ addresses }) => addresses)
      const shown = await entriesOf(page)
      if (shown.join() !== entries.filter((entry) => open.includes(entry)).join()) note(`the navigation has ${shown.join(', ')}`)
      for (const { addresses, calls } of visited) {
        for (const look of looks.filter(({ address }) => addresses.includes(address))) {
          const isRefused = look.headings[0] === 'You may not see this'
          if (isRefused === isOpen(calls)) note(`${look.address} is ${isRefused ? 'closed' : 'open'}`)
          if (!isRefused) {
            compare(look, harmless.get(look.address) ?? [], (calls) => mayAny(calls, [permission]), note)
            continue
          }
          const lacking = needed(calls[0] as string).find((one) => one !== permission)
          if (!look.text.includes(`You need the permission ${lacking}.`)) note(`${look.address} does not say what is missing`)
          // A closed list offers to create what it would list, and nothing else.
          const creation = calls[0]?.replace('GET', 'POST')
          compare(look, [], (calls) => mayAny(calls, [permission]) && calls.includes(creation ?? ''), note)
        }
      }
    }

    for (const permission of all.filter((one) => !reading.includes(one))) {
      const isOfIt = ([, calls]: [string, string[]]) => calls.some((call) => needed(call).includes(permission))
      const places = everyAddress().filter((address) => offeredAt(address).some(isOfIt))
      const withIt = [...reading, permission]
      const withoutIt = all.filter((one) => one !== permission)
      compareAll(await as(`reading and ${permission}`, withIt, places), withIt)
      compareAll(await as(`all but ${permission}`, withoutIt, places), withoutIt)
    }
    expect(mistakes).toEqual([])
  })

  it('without any permission is told whom to ask, with the way to the account', async () => {
    const user = await service().given.userWith(scene.owner, [])
    const { page, faults, settled } = await openConsole(user)
    await settled()
    for (const { headings, controls } of await lookAt(page, everyAddress()))
      expect([headings, controls]).toEqual([['You may not use the console'], []])
    expect(await entriesOf(page)).toEqual(['/console', '/console/organisation/general'])
    expect(await page.getByRole('link', { name: 'Your account' }).getAttribute('href')).toBe('/account?returnTo=/console')
    const { body: organisation } = await scene.owner.get('/v1/admin/organisation')
    expect(await page.getByRole('link', { name: `Write to ${organisation.email}` }).getAttribute('href')).toBe(
      `mailto:${organisation.email}`,
    )
    expect(faults).toEqual([])
  })
})

/** What the code of the console calls to change something. */
async function callsOfConsole(): Promise<string[]> {
  const calls: string[] = []
  for await (const path of glob('console/src/**/*.{ts,tsx}')) {
    const code = await readFile(path, 'utf8')
    for (const [, method, route] of code.matchAll(/api\.(POST|PATCH|PUT|DELETE)\(\s*'(\/v1\/admin\/[^']+)'/g))
      calls.push(`${method} ${route}`)
  }
  return [...new Set(calls)].sort()
}

/** The addresses of the navigation. */
const entriesOf = (page: Page): Promise<string[]> =>
  page
    .getByRole('navigation', { name: 'Navigation' })
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => (link as unknown as { pathname: string }).pathname.replace(/\/$/, '')))

describe('a user who may create and not read', () => {
  it('is offered the creation on the closed page, is told what was created, and is refused nothing', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const kinds = ['invitations', 'roles', 'teams', 'clients', 'api_keys', 'webhooks']
    const creator = await given.userWith(
      owner,
      kinds.map((kind) => `${kind}:create`),
    )
    const { page, faults, goTo } = await openConsole(creator, '/console', { reducedMotion: 'reduce' })

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
    await page.getByRole('button', { name: 'Make this key' }).click()
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
  /** A user at a page of the console, which does not look at their permissions every minute any more. */
  async function openWithoutPoll(permissions: string[], pathOf: (userId: string) => string) {
    const { given } = service()
    const { owner } = await given.organisation()
    const role = await given.role(owner, { permissions })
    const user = await given.signIn((await given.user(owner, { roleIds: [role.id] })).email)
    const other = await given.user(owner, { firstName: 'Anna', lastName: 'Shaw' })
    const opened = await openConsole(user, '/console')
    await opened.context.addInitScript(() => {
      const { setInterval } = globalThis
      globalThis.setInterval = ((work: () => void, milliseconds: number) =>
        milliseconds >= 60_000 ? 0 : setInterval(work, milliseconds)) as unknown as typeof setInterval
    })
    await opened.page.goto(pathOf(other.id))
    await opened.settled()
    return {
      ...opened,
      owner,
      other,
      leave: async (left: string[]) =>
        expect(await owner.patch(`/v1/admin/roles/${role.id}`, { permissionIds: left })).toMatchObject({ status: 200 }),
    }
  }

  it('is refused at the control, which is gone then', async () => {
    const { page, faults, owner, other, leave } = await openWithoutPoll(['users:read', 'users:update'], (id) => `/console/users/${id}`)
    await leave(['users:read'])

    await page.getByRole('button', { name: 'Block', exact: true }).click()
    const question = page.getByRole('alertdialog', { name: 'Block Anna Shaw?' })
    await question.getByRole('button', { name: 'Block Anna Shaw' }).click()
    await page.getByText('users:update').first().waitFor()
    await page.getByRole('button', { name: 'Block', exact: true }).waitFor({ state: 'detached' })

    expect(faults.splice(0)).toEqual([expect.stringContaining('response: 403 PATCH')])
    expect((await owner.get(`/v1/admin/users/${other.id}`)).body.blockedAt).toBeNull()
  })

  it('is gone from the page after a refused form and after a refused reading, too', async () => {
    const { page, faults, leave, goTo } = await openWithoutPoll(
      ['users:read', 'users:update', 'teams:read'],
      (id) => `/console/users/${id}`,
    )
    await page.getByLabel('First name').fill('Joanna')
    await leave(['users:read', 'teams:read'])
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('To change this you need the permission users:update.').first().waitFor()
    await page.getByLabel('First name').waitFor({ state: 'detached' })

    await leave(['users:read'])
    await goTo('/console/teams')
    await page.getByRole('heading', { level: 1, name: 'You may not see this' }).waitFor()
    await page.getByRole('link', { name: 'Teams', exact: true }).waitFor({ state: 'detached' })
    expect(faults.splice(0)).toEqual([expect.stringContaining('response: 403 PATCH'), expect.stringContaining('response: 403 GET')])
  })
})

/** Confirms that the secret of what was created is stored. */
async function store(page: Page, title: string): Promise<void> {
  const secret = page.getByRole('alertdialog', { name: title })
  await secret.getByText('I have stored it').click()
  await secret.getByRole('button', { name: 'Done' }).click()
  await secret.waitFor({ state: 'detached' })
}
