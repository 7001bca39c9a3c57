import type { Route } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { chunkOf, unavailable, useConsole } from '../support/console.ts'

const { service, openConsole } = useConsole()

/** The service does what it was asked, and the connection breaks before the browser hears of it. */
const loseResponse = async (route: Route) => {
  await route.fetch()
  await route.abort('connectionreset')
}
const createTeam = '**/v1/admin/teams'

describe('a change whose response is lost', () => {
  it('is sent again with the same key, and is answered as if nothing had been lost', async () => {
    const { owner } = await service().given.organisation()
    const { page } = await openConsole(owner, '/console/teams?create=yes')
    const drawer = page.getByRole('dialog', { name: 'Create team' })
    let left = 1
    await page.route(createTeam, (route) => (route.request().method() === 'POST' && left-- > 0 ? loseResponse(route) : route.continue()))
    await drawer.getByLabel('Name', { exact: true }).fill('Lost once')
    await drawer.getByRole('button', { name: 'Create team' }).click()
    await drawer.waitFor({ state: 'detached' })
    expect((await owner.get('/v1/admin/teams?q=Lost')).body.data).toHaveLength(1)
  })

  it('is looked for, and the console says whether it was saved, was not, or that this is not known', async () => {
    const { owner } = await service().given.organisation()
    const { page } = await openConsole(owner, '/console/teams?create=yes')
    const drawer = page.getByRole('dialog', { name: 'Create team' })
    const create = async (name: string) => {
      await drawer.getByLabel('Name', { exact: true }).fill(name)
      await drawer.getByRole('button', { name: 'Create team' }).click()
    }
    await page.route(createTeam, (route) => (route.request().method() === 'POST' ? loseResponse(route) : route.continue()))
    await create('Lost and saved')
    await drawer.getByText('The response was lost on the way. Gatehouse confirms that it was saved.').waitFor()
    expect((await owner.get('/v1/admin/teams?q=Lost')).body.data).toHaveLength(1)
    await page.getByRole('row', { name: /Lost and saved/, includeHidden: true }).waitFor({ state: 'attached' })

    await page.unroute(createTeam)
    await page.route(createTeam, (route) => (route.request().method() === 'POST' ? route.abort('connectionreset') : route.continue()))
    await create('Never arrived')
    await drawer.getByText('Gatehouse confirms that it was not saved.').waitFor()
    await drawer.getByText('it was saved', { exact: false }).waitFor({ state: 'detached' })
    expect((await owner.get('/v1/admin/teams?q=Never')).body.data).toHaveLength(0)

    // Members have no record of their own: the audit log is asked.
    const [team] = (await owner.get('/v1/admin/teams?q=Lost')).body.data
    const anna = await service().given.user(owner, { firstName: 'Anna', lastName: 'Shaw' })
    await page.goto(`/console/teams/${team.id}`)
    await page.getByRole('combobox', { name: 'Add to the team' }).fill('Anna')
    await page.getByRole('option', { name: /Anna Shaw/ }).click()
    await page.route(`**/v1/admin/teams/${team.id}/members`, loseResponse)
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('Gatehouse confirms that it was saved.').waitFor()
    expect((await owner.get(`/v1/admin/users/${anna.id}`)).body.teams).toHaveLength(1)

    await page.getByRole('link', { name: 'Settings', exact: true }).click()
    await page.route('**/v1/**', (route) => route.abort('connectionreset'))
    await page.getByLabel('Name', { exact: true }).fill('Not known')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('It is unknown whether this was saved').waitFor()
  })
})

describe('a change that is under way', () => {
  it('is not closed over: its question and its form stay until they can say what became of it', async () => {
    const { owner } = await service().given.organisation()
    const { body: team } = await owner.post('/v1/admin/teams', { name: 'Europe', slug: 'europe' })
    const { page } = await openConsole(owner, `/console/teams/${team.id}`)
    const held = Promise.withResolvers<void>()
    const refuse = async (route: Route) => {
      if (route.request().method() === 'GET') return route.continue()
      await held.promise
      await route.fulfill({
        status: 409,
        contentType: 'application/problem+json',
        body: JSON.stringify({ title: 'Conflict', status: 409, detail: 'The team is in use', code: 'of-a-later-release' }),
      })
    }
    await page.route(`**/v1/admin/teams/${team.id}`, refuse)
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete team' }).click()
    const question = page.getByRole('alertdialog', { name: /Europe/ })
    await question.getByRole('button', { name: /^Delete/ }).click()
    await question.locator('button[aria-busy=true]').waitFor()
    expect(await question.getByRole('button', { name: 'Cancel' }).isEnabled()).toBe(false)
    await page.keyboard.press('Escape')
    held.resolve()
    await question.getByText('The team is in use').waitFor()
    await page.keyboard.press('Escape')
    await question.waitFor({ state: 'detached' })

    const heldAgain = Promise.withResolvers<void>()
    await page.route(createTeam, async (route) => {
      if (route.request().method() === 'GET') return route.continue()
      await heldAgain.promise
      await route.continue()
    })
    await page.getByRole('link', { name: 'Teams', exact: true }).first().click()
    await page.getByRole('main').getByRole('button', { name: 'Create team' }).first().click()
    const drawer = page.getByRole('dialog', { name: 'Create team' })
    await drawer.getByLabel('Name', { exact: true }).fill('Asia')
    await drawer.getByRole('button', { name: 'Create team' }).click()
    await drawer.locator('button[aria-busy=true]').waitFor()
    await page.keyboard.press('Escape')
    await drawer.getByRole('button', { name: 'Close' }).click()
    expect(await drawer.getByRole('button', { name: 'Cancel' }).isEnabled()).toBe(false)
    heldAgain.resolve()
    await page.getByRole('heading', { level: 1, name: 'Asia' }).waitFor()
  })
})

describe('while the service is away', () => {
  it('a banner says so and counts its attempts, and the page continues by itself', async () => {
    const { owner } = await service().given.organisation()
    await owner.post('/v1/admin/teams', { name: 'Europe', slug: 'europe' })
    const { page, goTo } = await openConsole(owner, '/console')
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await page.evaluate('self.wasNotReloaded = true')
    await page.route('**/v1/**', (route) => route.abort('connectionrefused'))
    void goTo('/console/teams').catch(() => {})
    const banner = page.getByRole('status').filter({ hasText: 'Gatehouse cannot be reached' })
    await banner.getByText(/Tried once, next attempt in \d+ s/).waitFor()
    await banner.getByRole('button', { name: 'Try now' }).click()
    await banner.getByText(/Tried 2 times/).waitFor()
    await page.unrouteAll({ behavior: 'wait' })
    await page.getByRole('row', { name: /Europe/ }).waitFor()
    await banner.waitFor({ state: 'detached' })
    expect(await page.evaluate('self.wasNotReloaded')).toBe(true)
  })

  it('the seconds of Retry-After are counted, the request is named, and it is tried again', async () => {
    const { owner } = await service().given.organisation()
    const { page, goTo } = await openConsole(owner, '/console')
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await page.route('**/v1/**', (route) =>
      route.fulfill({
        status: 503,
        contentType: 'application/problem+json',
        headers: { 'retry-after': '9', 'x-request-id': 'req-of-the-outage' },
        body: JSON.stringify({ title: 'Service Unavailable', status: 503, detail: 'Not now', code: 'service-unavailable' }),
      }),
    )
    void goTo('/console/teams').catch(() => {})
    const banner = page.getByRole('status').filter({ hasText: 'Gatehouse is not available at the moment' })
    await banner.getByText(/next attempt in \d s.*Request req-of-the-outage/).waitFor()
    const panel = page.getByText('This could not be shown')
    await panel.waitFor()
    await page.getByText(/Trying again in \d s/).waitFor()
    await page.unroute('**/v1/**')
    await page.getByRole('heading', { name: 'No teams yet' }).waitFor()
    expect(await panel.count()).toBe(0)
  })
})

describe('a reading that is under way when the service is found back', () => {
  it('is sent again where it fails by the outage after that', async () => {
    const { owner } = await service().given.organisation()
    await owner.post('/v1/admin/teams', { name: 'Europe', slug: 'europe' })
    const { page, goTo } = await openConsole(owner, '/console')
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    const held = Promise.withResolvers<void>()
    let readings = 0
    await page.route('**/v1/admin/teams?*', async (route) => {
      if (readings++ > 0) return route.continue()
      await held.promise
      return route.fulfill(unavailable)
    })
    void goTo('/console/teams').catch(() => {})
    await expect.poll(() => readings).toBe(1)

    // Meanwhile another one finds the service away, and the next attempt finds it back.
    await page.route('**/v1/auth/csrf', (route) => route.abort('connectionrefused'))
    await page.route('**/v1/admin/search?*', (route) => route.abort('connectionrefused'))
    await page.keyboard.press('ControlOrMeta+k')
    await page.keyboard.type('Europe')
    const banner = page.getByRole('status', { includeHidden: true }).filter({ hasText: 'Gatehouse cannot be reached' })
    await banner.waitFor()
    await page.keyboard.press('Escape')
    await page.unroute('**/v1/auth/csrf')
    await banner.waitFor({ state: 'detached' })
    held.resolve()
    await page.getByRole('row', { name: /Europe/ }).waitFor()
  })
})

describe('a text that the browser does not let the page copy', () => {
  it('is shown and marked, to be copied by hand', async () => {
    const { owner } = await service().given.organisation()
    const { body: team } = await owner.post('/v1/admin/teams', { name: 'Europe', slug: 'europe' })
    const { page, faults } = await openConsole(owner, `/console/teams/${team.id}`)
    // As on a page without https.
    await page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    await page.getByRole('button', { name: 'Copy the id' }).first().click()
    await page.getByRole('dialog', { name: 'Copy this by hand' }).waitFor()
    await expect.poll(() => page.evaluate('getSelection().toString()')).toBe(team.id)
    await page.getByRole('button', { name: 'Close' }).last().click()
    await expect.poll(() => page.getByRole('textbox', { name: 'Copy this by hand' }).count()).toBe(0)
    expect(faults).toEqual([])
  })
})

describe('a part of the console that is gone since another version was installed', () => {
  const isOfAsset = (fault: string) => /^response: 404 GET .*\/console\/assets\//.test(fault)

  it('leaves a form with unsaved changes as it is, and asks for a reload', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const user = await given.user(owner, { firstName: 'Anna', lastName: 'Shaw' })
    const { page, faults, settled } = await openConsole(owner, `/console/users/${user.id}`)
    await settled()
    const name = page.getByLabel('First name')
    await name.fill('Ann')
    await page.route(chunkOf('src/shell/open-palette.tsx'), (route) => route.fulfill({ status: 404 }))
    await page.keyboard.press('Control+k')
    const banner = page.getByRole('status').filter({ hasText: 'A new version is ready' })
    await banner.waitFor()
    await settled()
    await name.press('End')
    await page.keyboard.type('ette')
    expect(await name.inputValue()).toBe('Annette')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { level: 1, name: 'Annette Shaw' }).waitFor()

    await page.unroute(chunkOf('src/shell/open-palette.tsx'))
    await Promise.all([page.waitForEvent('load'), banner.getByRole('button', { name: 'Reload' }).click()])
    await settled()
    expect(await banner.count()).toBe(0)
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search or jump to…' }).waitFor()
    expect(faults.filter((fault) => !isOfAsset(fault))).toEqual([])
  })

  it('reloads a page that has nothing to lose, once in a minute', async () => {
    const { owner } = await service().given.organisation()
    const { page, faults, settled } = await openConsole(owner, '/console/teams')
    await settled()
    await page.route(chunkOf('src/shell/open-palette.tsx'), (route) => route.fulfill({ status: 404 }))
    await Promise.all([page.waitForEvent('load'), page.keyboard.press('Control+k')])
    await settled()
    const banner = page.getByRole('status').filter({ hasText: 'A new version is ready' })
    expect(await banner.count()).toBe(0)
    await page.keyboard.press('Control+k')
    await banner.waitFor()
    expect(faults.filter((fault) => !isOfAsset(fault))).toEqual([])
  })

  it('reloads no page over a form beside it that is filled', async () => {
    const { owner } = await service().given.organisation()
    const { page, faults, settled } = await openConsole(owner, '/console/teams?create=yes')
    await settled()
    const name = page.getByRole('dialog', { name: 'Create team' }).getByLabel('Name', { exact: true })
    const isReloaded = () =>
      page.evaluate(() => {
        const { dispatchEvent } = globalThis as unknown as { dispatchEvent(event: Event): boolean }
        return !dispatchEvent(new Event('vite:preloadError', { cancelable: true }))
      })
    await name.fill('Europe')
    expect(await isReloaded()).toBe(false)
    expect(await name.inputValue()).toBe('Europe')
    await page.getByRole('status', { includeHidden: true }).filter({ hasText: 'A new version is ready' }).waitFor()
    expect(faults).toEqual([])
  })

  it('leaves a choice in a question as it is, with its value, and the text that was typed beside it', async () => {
    const { owner } = await service().given.organisation()
    const github = { name: 'GitHub', slug: 'github', provider: 'github', configuration: { clientId: 'gatehouse' }, secret: 'former' }
    const { body: connection } = await owner.post('/v1/admin/connections', github)
    const { page, faults, settled } = await openConsole(owner, `/console/connections/${connection.id}`)
    await settled()
    await page.route(chunkOf('src/ui/loaded-select.tsx'), (route) => route.fulfill({ status: 404 }))
    await page.getByRole('button', { name: 'Replace the secret' }).click()
    const question = page.getByRole('alertdialog', { name: 'Replace the secret of GitHub?' })
    await question.getByLabel('Client secret').fill('the next one')
    const choice = question.getByRole('combobox', { name: 'The former secret is tried, too' })
    await choice.click()
    await page.getByRole('status', { includeHidden: true }).filter({ hasText: 'A new version is ready' }).waitFor()
    await settled()
    expect(await choice.textContent()).toBe('For a day')
    const sent = page.waitForRequest('**/rotate-secret')
    await question.getByRole('button', { name: 'Replace the secret' }).click()
    expect((await sent).postDataJSON()).toEqual({ secret: 'the next one', gracePeriodSeconds: 86_400 })
    await question.waitFor({ state: 'detached' })
    expect(faults.filter((fault) => !isOfAsset(fault))).toEqual([])
  })

  it('says that another administrator has saved meanwhile, where it cannot ask whose values to keep', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const user = await given.user(owner, { firstName: 'Anna', lastName: 'Shaw' })
    const { page, faults, settled } = await openConsole(owner, `/console/users/${user.id}`)
    await settled()
    await page.route(chunkOf('src/parts/conflict-dialog.tsx'), (route) => route.fulfill({ status: 404 }))
    await page.getByLabel('First name').fill('Ann')
    await owner.patch(`/v1/admin/users/${user.id}`, { lastName: 'Miller' })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('main').getByText('Another administrator has changed it meanwhile').waitFor()
    expect(await page.getByLabel('First name').inputValue()).toBe('Ann')
    expect((await owner.get(`/v1/admin/users/${user.id}`)).body).toMatchObject({ firstName: 'Anna', lastName: 'Miller' })
    expect(faults.filter((fault) => !isOfAsset(fault))).toEqual([expect.stringMatching(/^response: 412 PATCH/)])
  })
})
