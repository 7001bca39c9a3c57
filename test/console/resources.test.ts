import { describe, expect, it } from 'vitest'
import { useConsole } from '../support/console.ts'
import { unique } from '../support/given.ts'
import { givenApplication } from '../support/oauth.ts'

const { service, openConsole } = useConsole({ environment: { OAUTH_EXTENSIONS: 'resource_indicators' } })

describe('the pages of resource servers', () => {
  it('register an API, give it scopes, let an application ask for it, and show what it has to publish', async () => {
    const organisation = await service().given.organisation()
    const { owner } = organisation
    const app = await givenApplication(service(), { organisation, name: 'Portal' })
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
    await page.getByRole('button', { name: 'Allow Portal' }).click()
    await page.getByRole('button', { name: 'Take it away from Portal' }).waitFor()
    expect((await owner.get(`/v1/admin/clients/${app.id}`)).body.resourceServerIds).toEqual([(await stored()).id])

    await page.getByRole('link', { name: 'Metadata' }).click()
    await page.getByText('/.well-known/oauth-protected-resource/', { exact: false }).first().waitFor()
    expect(faults).toEqual([])
  })
})
