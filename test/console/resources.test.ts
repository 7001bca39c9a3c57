import { describe, expect, it } from 'vitest'
import { unavailable, useConsole } from '../support/console.ts'
import { unique } from '../support/given.ts'
import { givenApplication } from '../support/oauth.ts'
import { useReceiver } from '../support/receiver.ts'

const receiver = await useReceiver()
const { service, openConsole } = useConsole({
  environment: { OAUTH_EXTENSIONS: 'resource_indicators,client_metadata_documents,dpop' },
  outgoing: { ca: receiver.ca },
})

describe('the pages of resource servers', () => {
  it('register an API, give it scopes, let an application ask for it, and show what it has to publish', async () => {
    const organisation = await service().given.organisation()
    const { owner } = organisation
    const app = await givenApplication(service(), { organisation, name: 'Portal' })
    const shop = await givenApplication(service(), { organisation, name: 'Shop' })
    const identifier = `https://api.example.test/${unique()}`
    const { page, faults } = await openConsole(owner, '/console/resources')

    await page.getByRole('heading', { name: 'No APIs yet' }).waitFor()
    await page.getByRole('button', { name: 'Register an API' }).first().click()
    const drawer = page.getByRole('dialog', { name: 'Register an API' })
    await drawer.getByLabel('Name').fill('Orders API')
    await drawer.getByLabel('Identifier').fill(identifier)
    await drawer.getByRole('button', { name: 'Register an API' }).click()
    await page.getByRole('heading', { level: 1, name: 'Orders API' }).waitFor()

    await page.getByRole('link', { name: 'Scopes' }).click()
    await page.getByLabel('Scopes', { exact: true }).fill('orders:read Read your orders\norders:write')
    await page.getByRole('button', { name: 'Save' }).click()
    const stored = async () => (await owner.get('/v1/admin/resource-servers')).body.data[0]
    await expect
      .poll(async () => (await stored()).scopes)
      .toEqual([
        { name: 'orders:read', description: 'Read your orders' },
        { name: 'orders:write', description: null },
      ])

    await page.getByRole('link', { name: 'Applications' }).last().click()
    await page.getByRole('button', { name: 'Allow Shop' }).waitFor()
    expect(await page.evaluate(`getComputedStyle(document.querySelector('a[href$="/scopes"]')).textDecorationLine`)).toBe('none')
    await page.getByLabel('Name or client id').fill('Portal')
    await page.getByRole('button', { name: 'Allow Shop' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Allow Portal' }).click()
    await page.getByRole('button', { name: 'Take it away from Portal' }).waitFor()
    const client = async () => (await owner.get(`/v1/admin/clients/${app.id}`)).body
    expect((await client()).resourceServerIds).toEqual([(await stored()).id])

    await page.getByRole('button', { name: 'Make default of Portal' }).click()
    await page.getByText('Its default').waitFor()
    expect((await client()).defaultResource).toBe(identifier)
    await page.getByRole('button', { name: 'Let it introspect: Portal' }).click()
    await page.getByText('Its default, May introspect').waitFor()
    expect((await stored()).introspectionClientIds).toEqual([app.id])
    // What another administrator has added meanwhile stays, though the page does not show it yet.
    await owner.patch(`/v1/admin/resource-servers/${(await stored()).id}`, { introspectionClientIds: [app.id, shop.id] })
    await page.getByRole('button', { name: 'No longer introspect: Portal' }).click()
    await page.getByText('Its default', { exact: true }).waitFor()
    expect((await stored()).introspectionClientIds).toEqual([shop.id])
    await page.getByRole('button', { name: 'Take it away from Portal' }).click()
    await page.getByRole('button', { name: 'Allow Portal' }).waitFor()
    expect(await client()).toMatchObject({ defaultResource: null })

    // A scope that no application may ask for goes at once, another one after a question.
    expect(
      await owner.patch(`/v1/admin/clients/${app.id}`, { resourceServerIds: [(await stored()).id], scopes: ['openid', 'orders:read'] }),
    ).toMatchObject({ status: 200 })
    await page.getByRole('link', { name: 'Scopes' }).click()
    await page.getByLabel('Scopes', { exact: true }).fill('orders:read Read your orders')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.poll(async () => (await stored()).scopes.length).toBe(1)
    await page.getByLabel('Scopes', { exact: true }).fill('orders:list')
    await page.getByRole('button', { name: 'Save' }).click()
    const question = page.getByRole('alertdialog', { name: 'Remove a scope that is in use?' })
    await question.getByText('orders:read: 1 application may ask for it').waitFor()
    expect((await stored()).scopes).toMatchObject([{ name: 'orders:read' }])
    await question.getByRole('button', { name: 'Save' }).click()
    await expect.poll(async () => (await stored()).scopes).toMatchObject([{ name: 'orders:list' }])

    await page.getByRole('link', { name: 'Overview' }).last().click()
    await page.getByRole('switch', { name: 'Its tokens are bound to a key of the application' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.poll(async () => (await stored()).requireDpop).toBe(true)

    await page.getByRole('link', { name: 'Metadata' }).click()
    await page.getByText('/.well-known/oauth-protected-resource/', { exact: false }).first().waitFor()
    expect(faults).toEqual([])

    const failing = await openConsole(owner)
    await failing.page.route('**/v1/**/metadata', (route) => route.fulfill(unavailable))
    await failing.page.goto(`/console/resources/${(await stored()).id}/metadata`)
    await failing.page.getByText('This could not be shown').waitFor()
    await failing.page.unroute('**/v1/**/metadata')
    await failing.page.getByRole('button', { name: 'Try again' }).click()
    await failing.page.getByText('/.well-known/oauth-protected-resource/', { exact: false }).first().waitFor()
  })

  it('show their applications in columns of their own', async () => {
    const organisation = await service().given.organisation()
    const { owner } = organisation
    await givenApplication(service(), { organisation, name: 'Portal' })
    const { body: server } = await owner.post('/v1/admin/resource-servers', { name: 'Orders', identifier: `https://${unique()}.test` })
    const { page, goTo } = await openConsole(owner, `/console/resources/${server.id}/applications`)
    const state = page.getByRole('columnheader', { name: 'State' })
    await state.waitFor()
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'State' }).click()
    await page.keyboard.press('Escape')
    await state.waitFor({ state: 'detached' })
    await goTo('/console/applications')
    await state.waitFor()
  })

  it('ask before scopes are removed that a reader cannot know to be unused', async () => {
    const { owner } = await service().given.organisation()
    const scopes = ['orders:read', 'orders:write'].map((name) => ({ name, description: null }))
    const record = { name: 'Orders', identifier: `https://${unique()}.test`, scopes }
    const { body: server } = await owner.post('/v1/admin/resource-servers', record)
    const editor = await service().given.userWith(owner, ['resource_servers:read', 'resource_servers:update'])
    const { page, faults } = await openConsole(editor, `/console/resources/${server.id}/scopes`)
    await page.getByLabel('Scopes', { exact: true }).fill('')
    await page.getByRole('button', { name: 'Save' }).click()
    const question = page.getByRole('alertdialog', { name: 'Remove 2 scopes?' })
    await question.getByText('Applications can no longer ask for them.').waitFor()
    await question.getByRole('button', { name: 'Save' }).click()
    await expect.poll(async () => (await owner.get(`/v1/admin/resource-servers/${server.id}`)).body.scopes).toEqual([])
    expect(faults).toEqual([])
  })

  it('ask an MCP server what agents ask it, say what is wrong, and add it', async () => {
    const { owner } = await service().given.organisation()
    const [server, metadata] = [receiver.hook(), receiver.hook()]
    server.answer = () => ({ status: 401, headers: { 'www-authenticate': `Bearer resource_metadata="${metadata.url}"` } })
    const document = {
      resource: `${server.url}/`,
      authorization_servers: [service().services.publicUrl],
      resource_name: 'Notes',
      scopes_supported: ['notes:read'],
    }
    metadata.answer = () => ({ status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(document) })
    const { page, faults } = await openConsole(owner, '/console/resources')

    await page.getByRole('link', { name: 'Add an MCP server' }).first().click()
    await page.getByLabel('Address of the MCP server').fill(server.url)
    await page.getByRole('button', { name: 'Check the server' }).click()
    await page.getByText('Wrong: The document names exactly this address').waitFor()
    await page.getByText(document.resource, { exact: true }).waitFor()

    document.resource = server.url
    await page.getByRole('button', { name: 'Check the server' }).click()
    await page.getByText('Its answers lead agents here').waitFor()
    await page.getByRole('checkbox', { name: 'Applications that introduce themselves' }).check()
    await page.getByRole('button', { name: 'Add an MCP server' }).click()
    await page.getByRole('heading', { level: 1, name: 'Notes' }).waitFor()
    expect((await owner.get('/v1/admin/resource-servers')).body.data).toMatchObject([
      { identifier: server.url, name: 'Notes', scopes: [{ name: 'notes:read', description: null }], allowsAutomaticClients: true },
    ])
    expect(faults).toEqual([])
  })
})
