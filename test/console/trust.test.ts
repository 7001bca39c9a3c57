import { globSync, readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { createConnection } from '../support/connections.ts'
import { useConsole } from '../support/console.ts'
import { createDirectory } from '../support/directories.ts'
import { verifiedDomain } from '../support/domains.ts'
import { unique } from '../support/given.ts'
import { createSetupLink } from '../support/setup-links.ts'

const { service, openConsole } = useConsole()
const question = (page: Page) => page.getByRole('alertdialog')

/** Undoes the newest entry with this action of a record, up to the question. */
async function undo(page: Page, action: string, targetId: string): Promise<void> {
  await page.goto(`/console/audit?action=${action}&targetId=${targetId}`)
  await page.locator('tbody tr[data-id] th a').first().click()
  await page.getByRole('dialog', { name: 'Audit entry' }).getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('button', { name: 'Undo this change' }).click()
}

describe('the console asks before it lets others sign in as users', () => {
  it('when what a set-up link made is activated', async () => {
    const { id: organisationId, owner } = await service().given.organisation()
    const connection = await createConnection(owner, { isActive: false })
    const settings = { linking: 'automatic', sso: 'required' }
    const { id } = await createSetupLink(owner, { name: 'Northwind IT', purposes: ['domain', 'oidc'], settings })
    const tenant = service().database.tenant(organisationId)
    await tenant.updateTable('setupLinks').set({ connectionId: connection.id, finishedAt: tenant.now }).where('id', '=', id).execute()
    const { page, faults } = await openConsole(owner, `/console/setup-links/${id}`)
    const isActive = async () => (await owner.get(`/v1/admin/connections/${connection.id}`)).body.isActive

    await page.getByRole('button', { name: 'Activate all of it' }).click()
    await question(page).getByText('Are linked at once').waitFor()
    await question(page).getByText('Single sign-on is required').waitFor()
    await question(page).getByRole('button', { name: 'Cancel' }).click()
    await question(page).waitFor({ state: 'hidden' })
    expect(await isActive()).toBe(false)

    // What another administrator changes while the question is read was not confirmed.
    await page.getByRole('button', { name: 'Activate all of it' }).click()
    await question(page).getByRole('link', { name: connection.name }).waitFor()
    const renamed = `Northwind ${unique()}`
    await owner.patch(`/v1/admin/connections/${connection.id}`, { name: renamed })
    await question(page).getByRole('button', { name: 'Activate all of it' }).click()
    await page.getByText('Another administrator has changed it meanwhile').waitFor()
    await question(page).waitFor({ state: 'hidden' })
    await page.getByRole('link', { name: renamed }).waitFor()
    expect(await isActive()).toBe(false)

    await page.getByRole('button', { name: 'Activate all of it' }).click()
    await question(page).getByRole('button', { name: 'Activate all of it' }).click()
    await page.getByText('This waits for you').waitFor({ state: 'detached' })
    expect(await isActive()).toBe(true)
    expect(faults).toEqual([])
  })

  it('when what a set-up link makes is active at once', async () => {
    const { owner } = await service().given.organisation()
    const { page, faults } = await openConsole(owner, '/console/setup-links?purposes=saml')
    const countLinks = async () => (await owner.get('/v1/admin/setup-links')).body.total
    await page.getByRole('button', { name: 'Create a set-up link' }).first().click()
    const form = page.getByRole('dialog')
    await form.getByLabel('For', { exact: true }).fill('Northwind IT')
    await form.getByRole('combobox', { name: 'Users with an account' }).click()
    await page.getByRole('option', { name: 'Are linked at once', exact: true }).click()
    await form.getByRole('checkbox', { name: 'Active at once' }).click()
    await form.getByRole('button', { name: 'Create a set-up link' }).click()
    await question(page).getByText('Are linked at once').waitFor()
    expect(await countLinks()).toBe(0)
    await question(page).getByRole('button', { name: 'Create and trust it' }).click()
    await question(page).getByText('/setup#').waitFor()
    expect((await owner.get('/v1/admin/setup-links')).body.data).toMatchObject([{ activate: true, settings: { linking: 'automatic' } }])
    expect(faults).toEqual([])
  })

  it('when a domain gets a connection, requires it no more, or lets further users sign in otherwise', async () => {
    const { id: organisationId, owner } = await service().given.organisation()
    const connection = await createConnection(owner, { name: `Workforce ${unique()}` })
    const { id, domain } = await verifiedDomain(service(), owner, {})
    const user = await service().given.user(owner, { firstName: 'Ben', lastName: 'Bypass' })
    await service().database.tenant(organisationId).updateTable('users').set({ mfaEnabled: true }).where('id', '=', user.id).execute()
    const read = async () => (await owner.get('/v1/admin/domains')).body.data.find((one: { id: string }) => one.id === id)
    const { page, faults } = await openConsole(owner, `/console/domains/${id}`)
    const save = page.getByRole('button', { name: 'Save', exact: true })
    const asked = question(page)
    const title = `Change who can sign in as users of ${domain}?`

    await page.getByRole('combobox', { name: 'Connection' }).click()
    await page.getByRole('option', { name: connection.name }).click()
    await save.click()
    await page.getByRole('alertdialog', { name: title }).getByText(connection.name).waitFor()
    expect(await read()).toMatchObject({ connectionId: null })
    await asked.getByRole('button', { name: 'Change it' }).click()
    await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' })
    expect(await read()).toMatchObject({ connectionId: connection.id })

    // To require more lets no further user in.
    await page.getByText('Required', { exact: true }).click()
    await save.click()
    await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' })
    expect(await read()).toMatchObject({ sso: 'required' })

    await page.getByRole('combobox', { name: 'Who may sign in otherwise' }).fill('Bypass')
    await page.getByRole('option', { name: /Ben Bypass/ }).click()
    await page.keyboard.press('Escape')
    await save.click()
    await asked.getByText(/Ben Bypass/).waitFor()
    await asked.getByRole('button', { name: 'Change it' }).click()
    await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' })

    await page.getByText('Offered', { exact: true }).click()
    await save.click()
    await asked.getByText('Offered').waitFor()
    expect(await read()).toMatchObject({ sso: 'required', bypassUserIds: [user.id] })
    await asked.getByRole('button', { name: 'Change it' }).click()
    await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' })
    expect(await read()).toMatchObject({ sso: 'offered' })
    expect(faults).toEqual([])
  })

  it('when a directory finds users in another way, or is switched on', async () => {
    const { owner } = await service().given.organisation()
    const connection = await createConnection(owner)
    const name = `Entra ${unique()}`
    const { id } = await createDirectory(owner, { name, userMatch: 'externalId', connectionId: connection.id })
    const read = async () => (await owner.get(`/v1/admin/directories/${id}`)).body
    const { page, faults } = await openConsole(owner, `/console/directories/${id}/settings`)
    await page.getByRole('combobox', { name: 'First sign-in' }).click()
    await page.getByRole('option', { name: 'Users are found by their address' }).click()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page
      .getByRole('alertdialog', { name: `Trust ${name} with this?` })
      .getByText('Users are found by their address')
      .waitFor()
    expect(await read()).toMatchObject({ userMatch: 'externalId' })
    await question(page).getByRole('button', { name: 'Save and trust it' }).click()
    await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' })
    expect(await read()).toMatchObject({ userMatch: 'email' })

    await owner.patch(`/v1/admin/directories/${id}`, { isActive: false })
    await page.reload()
    await page.getByRole('button', { name: 'Switch on' }).click()
    await page.getByRole('alertdialog', { name: `Let ${name} manage users?` }).waitFor()
    expect(await read()).toMatchObject({ isActive: false })
    // What is confirmed is what is switched on: another administrator may change it while the question is there.
    await owner.patch(`/v1/admin/directories/${id}`, { userMatch: 'externalId' })
    await question(page).getByRole('button', { name: 'Switch on' }).click()
    await page.getByText('Another administrator has changed it meanwhile').first().waitFor()
    expect(await read()).toMatchObject({ isActive: false })
    expect(faults.splice(0)).toEqual([expect.stringMatching(/^response: 412 PATCH/)])
    await page.getByRole('button', { name: 'Switch on' }).click()
    await question(page).getByText('Users are found by their id at a connection').waitFor()
    await question(page).getByRole('button', { name: 'Switch on' }).click()
    await page.getByRole('button', { name: 'Switch off' }).waitFor()
    expect(faults).toEqual([])
  })

  it('when a connection is switched on, which is the one that was asked about', async () => {
    const { owner } = await service().given.organisation()
    const connection = await createConnection(owner, { isActive: false, linking: 'confirm' })
    const read = async () => (await owner.get(`/v1/admin/connections/${connection.id}`)).body
    const { page, faults } = await openConsole(owner, `/console/connections/${connection.id}`)
    await page.getByRole('button', { name: 'Switch on' }).click()
    await question(page).waitFor()
    await owner.patch(`/v1/admin/connections/${connection.id}`, { linking: 'automatic' })
    await question(page).getByRole('button', { name: 'Switch on' }).click()
    await page.getByText('Another administrator has changed it meanwhile').first().waitFor()
    expect(await read()).toMatchObject({ isActive: false })
    await page.getByRole('button', { name: 'Switch on' }).click()
    await question(page).getByText('Linked at once', { exact: true }).waitFor()
    await question(page).getByRole('button', { name: 'Switch on' }).click()
    await expect.poll(read).toMatchObject({ isActive: true })
    expect(faults).toEqual([expect.stringMatching(/^response: 412 PATCH/)])
  })

  it('when the undo of a change gives trust back', async () => {
    const { owner } = await service().given.organisation()
    const connection = await createConnection(owner, { name: `Workforce ${unique()}` })
    const { id: domainId, domain } = await verifiedDomain(service(), owner, { connectionId: connection.id, sso: 'required' })
    const name = `Entra ${unique()}`
    const { id: directoryId } = await createDirectory(owner, { name, userMatch: 'externalId', connectionId: connection.id })
    await owner.patch(`/v1/admin/domains/${domainId}`, { sso: 'off', connectionId: null })
    await owner.patch(`/v1/admin/directories/${directoryId}`, { userMatch: 'email' })
    const { page, faults } = await openConsole(owner, '/console/audit')

    await undo(page, 'domain.updated', domainId)
    const asked = page.getByRole('alertdialog', { name: `Change who can sign in as users of ${domain}?` })
    await asked.getByText('connectionId').waitFor()
    // To require it again is no reason to ask.
    expect(await asked.getByText('sso', { exact: true }).count()).toBe(0)
    await asked.getByRole('button', { name: 'Change it' }).click()
    await page.getByRole('status').getByText('Undone. Show the entry that says so').waitFor()
    const { body: domains } = await owner.get('/v1/admin/domains')
    expect(domains.data).toMatchObject([{ connectionId: connection.id, sso: 'required' }])

    await undo(page, 'directory.updated', directoryId)
    await page
      .getByRole('alertdialog', { name: `Trust ${name} with this?` })
      .getByText('userMatch')
      .waitFor()
    await page.getByRole('button', { name: 'Save and trust it' }).click()
    await page.getByRole('status').getByText('Undone. Show the entry that says so').waitFor()
    expect((await owner.get(`/v1/admin/directories/${directoryId}`)).body.userMatch).toBe('externalId')
    expect(faults).toEqual([])
  })

  it('in each source that makes such a change, or the source is listed with the reason', () => {
    const giving = [
      "PATCH('/v1/admin/connections/{id}'",
      "PATCH('/v1/admin/directories/{id}'",
      "PATCH('/v1/admin/domains/{id}'",
      "POST('/v1/admin/setup-links'",
      "POST('/v1/admin/setup-links/{id}/activate'",
    ]
    const asksOtherwise: Record<string, string> = {
      'pages/connections/connection-actions.tsx': 'it switches off alone',
      'pages/connections/connection-history.tsx': 'it restores the name alone',
      'pages/directories/directory-history.tsx': 'it restores the name alone',
      'pages/directories/directory-form.tsx': 'its parts ask: the settings here, the groups with the number of users who gain and lose',
    }
    const sources = globSync('console/src/**/*.{ts,tsx}').map((file) => ({ file, text: readFileSync(file, 'utf8') }))
    const changing = sources.filter(({ text }) => giving.some((call) => text.includes(call)))
    expect(changing.length).toBeGreaterThan(5)
    const unasked = changing.filter(({ text }) => !text.includes('askAboutTrust(')).map(({ file }) => file.replace('console/src/', ''))
    expect(unasked.sort()).toEqual(Object.keys(asksOtherwise).sort())
  })
})
