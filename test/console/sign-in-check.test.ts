import { describe, expect, it } from 'vitest'
import en from '../../console/src/texts/en/sign-in-check.ts'
import { germanNames } from '../../shared/checks/names-de.ts'
import { findings, isMet } from '../../src/sign-in-checks/findings.ts'
import { createConnection, linkedIdentity } from '../support/connections.ts'
import { useConsole } from '../support/console.ts'
import { givenApplication } from '../support/oauth.ts'

const { service, openConsole } = useConsole()

describe('why a user cannot sign in', () => {
  it('is asked in one field of the overview, and says what is in the way, and once more when asked again', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const anna = await given.user(owner, { firstName: 'Anna', lastName: 'Shaw' })
    await owner.patch(`/v1/admin/users/${anna.id}`, { blockedAt: '2026-01-31T09:30:00Z' })
    const { page, faults } = await openConsole(owner, '/console')
    let asked = 0
    page.on('request', (request) => {
      if (request.url().endsWith('/v1/admin/sign-in-checks')) asked++
    })

    const panel = page.getByRole('region', { name: 'Why can’t a user sign in?' })
    await panel.getByRole('textbox', { name: 'E-mail address' }).fill(anna.email.toUpperCase())
    await panel.getByRole('button', { name: 'Check' }).click()
    await page.getByText(`${anna.email} cannot sign in`).waitFor()
    await page.getByText(/^The user has been blocked since /).waitFor()
    await page.getByText('Unblock the user.').waitFor()
    await page.getByRole('region', { name: 'By password' }).getByText('Is refused').waitFor()

    await owner.patch(`/v1/admin/users/${anna.id}`, { blockedAt: null })
    await page.getByRole('button', { name: 'Check again' }).click()
    await page.getByText(`${anna.email} can sign in`).waitFor()
    await page.getByRole('region', { name: 'By password' }).getByText('Signs in').waitFor()
    expect(asked).toBe(2)
    expect(faults).toEqual([])
  })

  it('is asked for what they do, too: an application with its redirect URI, a connection, a permission', async () => {
    const organisation = await service().given.organisation()
    const { owner } = organisation
    const anna = await service().given.user(owner, { firstName: 'Anna', lastName: 'Shaw' })
    const connection = await createConnection(owner)
    const app = await givenApplication(service(), { organisation, name: 'Shop' })
    const { page, faults } = await openConsole(owner, `/console/sign-in-check?email=${anna.email}&clientId=${app.id}`)
    await page.getByText(`${anna.email} can sign in`, { exact: true }).waitFor()

    await page.getByRole('button', { name: 'Further details' }).click()
    await page.getByLabel('Permission', { exact: true }).fill('users:delete')
    await page.getByLabel('Redirect URI').fill('https://elsewhere.test/callback')
    await page.getByRole('button', { name: 'Check', exact: true }).click()
    await page.getByText('The redirect URI is not one that the application has registered.').waitFor()
    await page.getByText('No role of the user gives the permission users:delete.').waitFor()

    await page.getByRole('combobox', { name: 'Connection' }).click()
    await page.getByRole('option', { name: connection.name }).click()
    await page.getByRole('button', { name: 'Check', exact: true }).click()
    await page.getByRole('region', { name: `By the connection ${connection.name}` }).waitFor()
    await page.getByRole('region', { name: 'By password' }).waitFor({ state: 'detached' })
    const asked = new URL(page.url()).searchParams
    expect(Object.fromEntries(asked)).toMatchObject({ permission: 'users:delete', connectionId: connection.id })
    expect(faults).toEqual([])
  })

  it('checks nothing before it is asked to, and shows what was asked beside its result after Back', async () => {
    const organisation = await service().given.organisation()
    const { owner } = organisation
    const connection = await createConnection(owner)
    await givenApplication(service(), { organisation, name: 'Shop' })
    const { page, faults } = await openConsole(owner, `/console/sign-in-check?email=${owner.email}&permission=users:read`)
    await page.getByText('A role of the user gives the permission users:read.').waitFor()
    const checks = async () => (await owner.get('/v1/admin/audit-logs?action=sign_in.checked')).body.data.length

    await page.getByRole('combobox', { name: 'Connection' }).click()
    await page.getByRole('option', { name: connection.name }).click()
    await page.getByRole('combobox', { name: 'Application' }).fill('Shop')
    await page.getByRole('option', { name: 'Shop' }).click()
    await page.getByLabel('Permission', { exact: true }).fill('users:delete')
    await page.getByLabel('Redirect URI').fill('https://elsewhere.test/callback')
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({ email: owner.email, permission: 'users:read' })
    expect(await checks()).toBe(1)
    await page.getByRole('button', { name: 'Check', exact: true }).click()
    await page.getByText('The redirect URI is not one that the application has registered.').waitFor()
    expect(await checks()).toBe(2)

    await page.goBack()
    await page.getByText('A role of the user gives the permission users:read.').waitFor()
    expect(await page.getByLabel('Permission', { exact: true }).inputValue()).toBe('users:read')
    expect(await page.getByLabel('Redirect URI').count()).toBe(0)
    await page.getByRole('button', { name: 'Check again' }).waitFor()
    expect(faults).toEqual([])
  })

  it('is offered for an address in the search, and among the actions of a user', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const { page, faults } = await openConsole(owner, `/console/users/${owner.id}`)
    await page.getByRole('button', { name: 'Actions' }).click()
    await page.getByRole('menuitem', { name: 'Why can’t they sign in?' }).click()
    await page.getByText(`${owner.email} can sign in`).waitFor()

    await page.keyboard.press('Control+K')
    await page.getByRole('dialog').getByRole('combobox').fill('nobody@example.test')
    await page.getByRole('dialog').getByRole('option', { name: 'Why can’t nobody@example.test sign in?' }).click()
    await page.getByText('Your organisation has no account with this address.').waitFor()
    expect(faults).toEqual([])
  })

  it('is said in the language of the reader, down to the check that a provider does not meet', async () => {
    const { id: organisationId, owner } = await service().given.organisation()
    const anna = await service().given.user(owner)
    const { id: connectionId } = await createConnection(owner)
    await linkedIdentity(service(), { organisationId, userId: anna.id, connectionId })
    await service()
      .database.tenant(organisationId)
      .updateTable('connections')
      .set({ failingSince: service().clock.now(), failures: 3, lastError: 'invalid_client', failedCheck: 'token_endpoint' })
      .where('id', '=', connectionId)
      .execute()
    const { page, faults } = await openConsole(owner, `/console/sign-in-check?email=${anna.email}`, { locale: 'de-DE' })
    const said = page.getByText(`fehl: ${germanNames.token_endpoint} (invalid_client)`)
    await said.waitFor()
    expect(await said.locator('[lang=en]').textContent()).toBe('invalid_client')
    expect(faults).toEqual([])
  })

  it('has a text for each finding, with a remedy where there is one, that names the same values', () => {
    const namesIn = (text = '') => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    const texts: Record<string, { why: string; remedy?: string }> = en.found
    expect(Object.keys(texts).sort()).toEqual(Object.keys(findings).sort())
    for (const [code, finding] of Object.entries(findings)) {
      const remedy = 'remedy' in finding ? finding.remedy : undefined
      expect([code, namesIn(texts[code]?.why), namesIn(texts[code]?.remedy)]).toEqual([code, namesIn(finding.why), namesIn(remedy)])
      expect(texts[code]?.remedy === undefined).toBe(isMet(code as keyof typeof findings))
    }
  })
})
