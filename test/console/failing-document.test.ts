import { expect, it } from 'vitest'
import { useConsole } from '../support/console.ts'
import { unique } from '../support/given.ts'

const { service, openConsole } = useConsole()

it('the page of an application says since when its document cannot be read, and the list that it cannot', async () => {
  const { owner, id: organisationId } = await service().given.organisation()
  const address = `https://${unique()}.example/client.json`
  const system = service().database.system()
  const now = service().clock.now()
  const document = { clientId: address, host: new URL(address).host, document: '{}', version: '1' }
  await system
    .insertInto('clientDocuments')
    .values({ ...document, fetchedAt: now, expiresAt: now, usedAt: now, failingSince: now })
    .execute()
  const client = { organisationId, id: `cli_${unique()}`, name: 'Agent', clientType: 'public', tokenEndpointAuthMethod: 'none' } as const
  await system
    .insertInto('clients')
    .values({
      ...client,
      grantTypes: ['authorization_code'],
      origin: 'metadata_document',
      automaticClientId: address,
      createdAt: now,
      updatedAt: now,
    })
    .execute()

  const { page, faults } = await openConsole(owner, `/console/applications/${client.id}`)
  await page.getByText('The document of this application cannot be read').waitFor()
  await page.getByText(`Nothing usable is at ${address} since`).waitFor()

  await page.goto('/console/applications')
  await page.getByRole('row', { name: /Agent/ }).getByText('Document cannot be read').waitFor()
  await page.goto(`/console/applications/${client.id}`)

  await system.updateTable('clientDocuments').set({ failingSince: null }).where('clientId', '=', address).execute()
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'Agent' }).waitFor()
  await page.getByText('The document of this application cannot be read').waitFor({ state: 'detached' })
  expect(faults).toEqual([])
})
