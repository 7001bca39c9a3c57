import { describe, expect, it } from 'vitest'
import { useConsole } from '../support/console.ts'
import { givenApplication } from '../support/oauth.ts'
import { resourceServer } from '../support/resource-servers.ts'

const { service, openConsole } = useConsole()

describe('the claims of an application', () => {
  it('are shown in all four documents while they are typed, and saved once it is clear where they are seen', async () => {
    const app = await givenApplication(service(), {
      claimMappings: [{ name: 'region', in: ['access_token'], from: { value: 'emea' } }],
    })
    const { owner } = app.organisation
    await owner.patch(`/v1/admin/users/${owner.id}`, { metadata: { department: 'Sales' } })
    const { page, faults, settled } = await openConsole(owner, `/console/applications/${app.id}/claims`)
    const document = (name: string) => page.getByRole('region', { name, exact: true })
    await document('Access token').getByText('"region": "emea"').waitFor()

    await page.getByRole('button', { name: 'Add a claim' }).click()
    await page.getByLabel('From', { exact: true }).last().fill('/user/metadata/department')
    await page.getByLabel('Claim', { exact: true }).last().fill('department')
    await page.getByRole('group', { name: 'In' }).last().getByRole('checkbox', { name: 'ID token' }).click()

    for (const name of ['Access token', 'ID token']) await document(name).getByText('+ "department": "Sales"').waitFor()
    expect(await document('UserInfo').textContent()).not.toContain('department')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('This is seen in: ID token and Access token.').waitFor()
    await page.getByRole('button', { name: 'Change the claims' }).click()

    const path = `/v1/admin/clients/${app.id}`
    await expect.poll(async () => (await owner.get(path)).body.claimMappings).toHaveLength(2)
    await settled()
    await page.getByRole('button', { name: 'Remove region' }).click()
    await document('Access token').getByText('− "region": "emea"').waitFor()
    expect(faults).toEqual([])
  })

  it('show a mistake at its field', async () => {
    const app = await givenApplication(service())
    const { page, faults } = await openConsole(app.organisation.owner, `/console/applications/${app.id}/claims`)
    await page.getByRole('button', { name: 'Add a claim' }).click()
    await page.getByLabel('From', { exact: true }).fill('/user/teams')
    await page.getByLabel('Claim', { exact: true }).fill('groups')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Change the claims' }).click()

    await page.locator('input[name="claimMappings.0.name"][aria-invalid="true"]:focus').waitFor()
    expect(faults.splice(0).every((fault) => fault.includes('400'))).toBe(true)
  })
})

describe('the claims of an API', () => {
  it('are saved, with the tokens in which they are seen', async () => {
    const { owner } = await service().given.organisation()
    const { id } = await resourceServer(owner)
    const { page, faults } = await openConsole(owner, `/console/resources/${id}/claims`)
    await page.getByRole('button', { name: 'Add a claim' }).click()
    await page.getByLabel('From', { exact: true }).fill('/organisation/slug')
    await page.getByLabel('Claim', { exact: true }).fill('tenant')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('This is seen in: Access token.').waitFor()
    await page.getByRole('button', { name: 'Change the claims' }).click()

    await expect
      .poll(async () => (await owner.get(`/v1/admin/resource-servers/${id}`)).body.claimMappings)
      .toEqual([{ name: 'tenant', in: ['access_token'], from: '/organisation/slug' }])
    expect(faults).toEqual([])
  })
})

describe('the metadata of a user', () => {
  it('are edited as JSON, which says in which line it is none', async () => {
    const { owner } = await service().given.organisation()
    const user = await service().given.user(owner)
    const { page, faults } = await openConsole(owner, `/console/users/${user.id}`)
    const field = page.getByLabel('Metadata')
    await field.fill('{\n  "department": Sales\n}')
    await page.getByText('This is not a JSON object: look at line 2').waitFor()
    await field.fill('{\n  "department": "Sales"\n}')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.poll(async () => (await owner.get(`/v1/admin/users/${user.id}`)).body.metadata).toEqual({ department: 'Sales' })
    expect(faults).toEqual([])
  })
})
