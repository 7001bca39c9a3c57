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
  await page.getByText(`Nothing usable is at ${address}, first noticed: now`).waitFor()

  await page.goto('/console/applications')
  await page.getByRole('row', { name: /Agent/ }).getByText('Document cannot be read').waitFor()
  await page.goto(`/console/applications/${client.id}`)

  await system.updateTable('clientDocuments').set({ failingSince: null }).where('clientId', '=', address).execute()
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'Agent' }).waitFor()
  await page.getByText('The document of this application cannot be read').waitFor({ state: 'detached' })
  expect(faults).toEqual([])
})

it('the list of applications asks once for all that have introduced themselves', async () => {
  const { owner, id: organisationId } = await service().given.organisation()
  const { owner: stranger } = await service().given.organisation()
  const system = service().database.system()
  const now = service().clock.now()
  for (const [name, failingSince] of [
    ['Readable', null],
    ['Unreadable', now],
    ['Gone', now],
  ] as const) {
    const address = `https://${unique()}.example/client.json`
    const document = { clientId: address, host: new URL(address).host, document: '{}', version: '1' }
    await system
      .insertInto('clientDocuments')
      .values({ ...document, fetchedAt: now, expiresAt: now, usedAt: now, failingSince })
      .execute()
    const client = { organisationId, id: `cli_${unique()}`, name, clientType: 'public', tokenEndpointAuthMethod: 'none' } as const
    const origin = { origin: 'metadata_document', automaticClientId: address, createdAt: now, updatedAt: now } as const
    await system
      .insertInto('clients')
      .values({ ...client, grantTypes: ['authorization_code'], ...origin })
      .execute()
  }
  const { page, faults, settled } = await openConsole(owner, '/console')
  await settled()
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/v1/admin/')) asked.push(pathname)
  })
  await page.getByRole('link', { name: 'Applications', exact: true }).click()
  await settled()
  await page
    .getByRole('row', { name: /Unreadable/ })
    .getByText('Document cannot be read')
    .waitFor()
  await page.getByRole('row', { name: /Gone/ }).getByText('Document cannot be read').waitFor()
  expect(
    await page
      .getByRole('row', { name: /Readable/ })
      .getByText('Document cannot be read')
      .count(),
  ).toBe(0)
  expect(asked.filter((path) => path.includes('document'))).toEqual(['/v1/admin/clients/failing-documents'])
  expect(asked.length).toBeLessThanOrEqual(4)
  expect((await stranger.get('/v1/admin/clients/failing-documents')).body).toEqual({ data: [] })
  expect(faults).toEqual([])
})
