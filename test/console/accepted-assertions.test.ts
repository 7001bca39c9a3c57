import { describe, expect, it } from 'vitest'
import { createConnection } from '../support/connections.ts'
import { useConsole } from '../support/console.ts'
import { resourceServer } from '../support/resource-servers.ts'

const OAUTH_EXTENSIONS = 'identity_assertions,resource_indicators,client_metadata_documents'
const { service, openConsole } = useConsole({ environment: { OAUTH_EXTENSIONS } })

describe('the accounts of a connection', () => {
  it('say whether applications may act for people by assertions of the provider, and at which APIs', async () => {
    const { owner } = await service().given.organisation()
    const { id: resourceServerId } = await resourceServer(owner, { name: 'Orders API' })
    const { id } = await createConnection(owner, { isActive: true })
    const path = `/v1/admin/connections/${id}`
    const { page, faults } = await openConsole(owner, `/console/connections/${id}/accounts`)

    await page.getByRole('switch', { name: 'Applications may act for people by assertions of this provider' }).click()
    await page.getByRole('combobox', { name: 'At these APIs' }).click()
    await page.getByRole('option', { name: /Orders API/ }).click()
    await page.keyboard.press('Escape')
    await page.getByLabel('Longest life of an assertion').fill('120')
    await page.getByLabel('Tenant', { exact: true }).fill('acme')
    await page.getByRole('switch', { name: 'Also from applications whose document has no key' }).click()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const trust = page.getByRole('alertdialog')
    await trust.getByText('Yes, at 1 API').waitFor()
    await trust.getByRole('button', { name: 'Save and trust it' }).click()
    await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' })

    expect((await owner.get(path)).body.identityAssertions).toEqual({
      accepted: true,
      resourceServerIds: [resourceServerId],
      maxLifetimeSeconds: 120,
      allowsUnauthenticatedDocuments: true,
      tenant: 'acme',
    })
    // An undo gives the same trust back, so it asks the same.
    await owner.patch(path, { identityAssertions: null })
    await page.goto(`/console/audit?action=connection.updated&targetId=${id}`)
    await page.locator('tbody tr[data-id] th a').first().click()
    await page.getByRole('dialog', { name: 'Audit entry' }).getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: 'Undo this change' }).click()
    await page
      .getByRole('alertdialog', { name: /^Trust .* with this\?$/ })
      .getByText('identityAssertions')
      .waitFor()
    expect((await owner.get(path)).body.identityAssertions).toBeNull()
    expect(faults).toEqual([])
  })
})
