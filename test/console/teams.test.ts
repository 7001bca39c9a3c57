import { describe, expect, it } from 'vitest'
import { systemActor } from '../../src/activity/actor.ts'
import { sourceOf, sourceOfDirectory } from '../../src/roles/sources.ts'
import { replaceTeamsFromSource } from '../../src/teams/teams-from-source.ts'
import { createConnection } from '../support/connections.ts'
import { unavailable, useConsole } from '../support/console.ts'
import { createDirectory } from '../support/directories.ts'
import type { SignedInUser } from '../support/given.ts'

const { service, openConsole } = useConsole()

async function actionsOn(owner: SignedInUser, targetId: string) {
  return (await owner.audit({ targetId })).map(({ action }: { action: string }) => action).reverse()
}

async function teamOf(owner: SignedInUser, name = 'Europe') {
  const created = await owner.post('/v1/admin/teams', { name, slug: name.toLowerCase(), description: 'Works in Europe' })
  expect(created).toMatchObject({ status: 201 })
  return created.body as { id: string }
}

describe('the pages of teams', () => {
  it('create a team, add many users to it, and take one out with a way back', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    for (const firstName of ['Anna', 'Bilal', 'Carol']) await given.user(owner, { firstName })
    const { page, faults } = await openConsole(owner, '/console/teams')
    await page.getByRole('heading', { name: 'There are no teams yet' }).waitFor()

    await page.getByRole('button', { name: 'Create team' }).first().click()
    const drawer = page.getByRole('dialog', { name: 'Create team' })
    await drawer.getByLabel('Name', { exact: true }).fill('Größe 1')
    expect(await drawer.getByLabel('Short name').inputValue()).toBe('grosse-1')
    await drawer.getByLabel('Short name').fill('europe')
    await drawer.getByLabel('Name', { exact: true }).fill('Europe')
    expect(await drawer.getByLabel('Short name').inputValue()).toBe('europe')
    await drawer.getByRole('button', { name: 'Create team' }).click()
    await page.getByRole('heading', { name: 'No members yet' }).waitFor()

    for (const name of ['Anna', 'Bilal', 'Carol']) {
      await page.getByLabel('Add to the team').fill(name)
      await page.getByRole('option', { name: new RegExp(name) }).click()
    }
    await page.keyboard.press('Escape')
    await page.getByRole('listbox').waitFor({ state: 'detached' })
    // Once more than there is something to close: what was chosen stays.
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Add 3 users' }).click()
    await page.getByText('3 users added').first().waitFor()
    await page.getByText('3 members').waitFor()

    await page.getByRole('button', { name: 'Remove Bilal User' }).click()
    await page.getByText('2 members').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('3 members').waitFor()
    await page.getByRole('searchbox', { name: 'Name or e-mail address' }).fill('car')
    await expect.poll(() => page.getByRole('table', { name: 'Members' }).getByRole('link').allTextContents()).toEqual(['Carol User'])

    const { body } = await owner.get('/v1/admin/teams?members=false')
    expect(body.data).toEqual([expect.objectContaining({ name: 'Europe', slug: 'europe', memberCount: 3 })])
    expect(await actionsOn(owner, body.data[0].id)).toEqual([
      'team.created',
      ...Array.from({ length: 3 }, () => 'team.member_added'),
      'team.member_removed',
      'team.member_added',
    ])
    expect(faults).toEqual([])
  })

  it('ask before a filled form is closed, and before a page is left with changes, in a dialog of their own', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const { id } = await teamOf(owner)
    const { page, faults } = await openConsole(owner, `/console/teams/${id}/settings`)
    await page.getByLabel('Name', { exact: true }).fill('Other')
    await page.getByRole('link', { name: 'Teams' }).first().click()
    const leaving = page.getByRole('alertdialog', { name: 'Leave without saving?' })
    await leaving.getByRole('button', { name: 'Cancel' }).click()
    await leaving.waitFor({ state: 'detached' })
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Other')
    await page.getByRole('link', { name: 'Teams' }).first().click()
    await leaving.getByRole('button', { name: 'Leave' }).click()

    await page.getByRole('button', { name: 'Create team' }).click()
    const drawer = page.getByRole('dialog', { name: 'Create team' })
    await drawer.getByLabel('Name', { exact: true }).fill('Africa')
    await page.keyboard.press('Escape')
    const losing = page.getByRole('alertdialog', { name: 'Discard what you have typed?' })
    await losing.getByRole('button', { name: 'Cancel' }).click()
    await losing.waitFor({ state: 'detached' })
    expect(await drawer.getByLabel('Name', { exact: true }).inputValue()).toBe('Africa')
    await page.keyboard.press('Escape')
    await losing.getByRole('button', { name: 'Discard' }).click()
    await drawer.waitFor({ state: 'detached' })
    expect((await owner.get('/v1/admin/teams')).body.total).toBe(1)
    expect(faults).toEqual([])
  })

  it('that is deleted elsewhere is gone at the next look, and what has happened to it is told', async () => {
    const { owner } = await service().given.organisation()
    const { id } = await teamOf(owner)
    const { page, settled } = await openConsole(owner, `/console/teams/${id}`)
    await settled()
    await owner.delete(`/v1/admin/teams/${id}`)
    const look = () => page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))")
    await expect.poll(async () => [await look(), await page.getByRole('heading', { level: 1 }).textContent()].at(-1)).toBe('Not found')
    await page.getByText('This no longer exists').waitFor()
    const history = page.getByRole('region', { name: 'What has happened to it' })
    await history.getByText(/deleted the team/).waitFor()
    await page.goto(`/console/teams/tem_${'0'.repeat(26)}`)
    await page.getByText('This no longer exists').waitFor()
    await settled()
    expect(await history.count()).toBe(0)
  })

  it('keep what is typed while a change is being saved, and save it next', async () => {
    const { owner } = await service().given.organisation()
    const { id } = await teamOf(owner)
    const { page, faults } = await openConsole(owner, `/console/teams/${id}/settings`)
    const held = Promise.withResolvers<void>()
    await page.route(`**/v1/admin/teams/${id}`, async (route) => {
      if (route.request().method() === 'PATCH') await held.promise
      await route.continue()
    })

    await page.getByLabel('Name', { exact: true }).fill('Northern Europe')
    await Promise.all([page.waitForRequest((request) => request.method() === 'PATCH'), page.getByRole('button', { name: 'Save' }).click()])
    await page.getByLabel('Description').fill('Works in the north')
    held.resolve()
    await page.getByRole('heading', { name: 'Northern Europe' }).waitFor()
    await page.getByRole('region', { name: 'Unsaved changes' }).getByText('Description', { exact: true }).waitFor()
    expect(await page.getByLabel('Description').inputValue()).toBe('Works in the north')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText(/^Saved: Description/).waitFor()
    expect((await owner.get(`/v1/admin/teams/${id}`)).body).toMatchObject({ name: 'Northern Europe', description: 'Works in the north' })
    expect(faults).toEqual([])
  })

  it('are told of a change by another administrator, also after they have saved what was stored already', async () => {
    const { owner } = await service().given.organisation()
    const { id } = await teamOf(owner)
    const { page, settled } = await openConsole(owner, `/console/teams/${id}/settings`)
    const name = page.getByLabel('Name', { exact: true })
    await name.fill(`${await name.inputValue()} `)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText(/^Saved: Name/).waitFor()

    const description = page.getByLabel('Description')
    await description.fill('Works in the north')
    await owner.patch(`/v1/admin/teams/${id}`, { description: 'Works in the south' })
    let readAgain = false
    page.on('response', (response) => {
      readAgain ||= new URL(response.url()).pathname === `/v1/admin/teams/${id}`
    })
    // It is read again when the page is looked at, once what it has is some seconds old.
    const look = () =>
      page.evaluate(() => {
        const { document } = globalThis as unknown as { document: { dispatchEvent(event: Event): boolean } }
        document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
      })
    await expect.poll(async () => [await look(), readAgain].at(-1), { timeout: 60_000 }).toBe(true)
    await settled()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alertdialog', { name: 'Another administrator has changed this meanwhile' }).waitFor()
    expect((await owner.get(`/v1/admin/teams/${id}`)).body.description).toBe('Works in the south')
  })

  it('rename a team, telling the second of two administrators, and delete it with a reason', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const { id } = await teamOf(owner)
    const user = await given.user(owner)
    await owner.post(`/v1/admin/teams/${id}/members`, { userId: user.id })
    const { page, faults } = await openConsole(owner, `/console/teams/${id}/settings`)

    await page.getByLabel('Name', { exact: true }).fill('Europe and Africa')
    await owner.patch(`/v1/admin/teams/${id}`, { name: 'Northern Europe', description: 'Works in the north' })
    await page.getByRole('button', { name: 'Save' }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Another administrator has changed this meanwhile' })
    await dialog.getByRole('row', { name: /^Name Northern Europe .*Europe and Africa/ }).waitFor()
    expect(faults.splice(0)).toEqual([expect.stringMatching(/^response: 412 PATCH /)])
    await dialog.getByRole('button', { name: 'Save yours' }).click()
    await page.getByRole('heading', { name: 'Europe and Africa' }).waitFor()
    await page
      .getByRole('status')
      .getByText(/^Saved: Name · \d+:\d+:\d+$/)
      .waitFor()
    expect((await owner.get(`/v1/admin/teams/${id}`)).body).toMatchObject({ name: 'Europe and Africa', description: 'Works in the north' })
    await page.getByRole('link', { name: 'History' }).click()
    await page.getByText('Northern Europe').first().waitFor()

    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete team' }).click()
    const question = page.getByRole('alertdialog', { name: 'Delete the team Europe and Africa?' })
    await question.getByText('1 member leaves it, and stays a user of the organisation.').waitFor()
    await question.getByLabel('Reason (optional)').fill('Merged')
    await question.getByRole('button', { name: 'Delete Europe and Africa' }).click()
    await page.getByRole('heading', { name: 'There are no teams yet' }).waitFor()
    const { body } = await owner.get(`/v1/admin/audit-logs?targetId=${id}&action=team.deleted`)
    expect(body.data).toEqual([expect.objectContaining({ metadata: expect.objectContaining({ reason: 'Merged' }) })])

    await page.goto(`/console/teams/${id}`)
    await page.getByText('This no longer exists').waitFor()
    expect(faults.filter((fault) => !fault.startsWith('response: 404'))).toEqual([])
  })

  it('remove many members at once, page by page', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const { id } = await teamOf(owner)
    for (let index = 0; index < 27; index++) {
      const user = await given.user(owner, { firstName: `Member${index}` })
      await owner.post(`/v1/admin/teams/${id}/members`, { userId: user.id })
    }
    const { page, faults } = await openConsole(owner, `/console/teams/${id}?limit=25`)
    const asked: string[] = []
    page.on('request', (request) => void (request.url().includes('/v1/admin/') && asked.push(request.url())))
    await page.getByText('1–25 of 27').waitFor()
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByText('26–27 of 27').waitFor()
    await page.reload()
    await page.getByText('26–27 of 27').waitFor()
    expect(asked.filter((url) => !url.includes('members')).every((url) => !url.includes('usr_'))).toBe(true)

    await page.getByRole('checkbox', { name: 'Select all on this page' }).click()
    await page.getByRole('toolbar').getByRole('button', { name: 'Remove' }).click()
    const question = page.getByRole('alertdialog', { name: 'Remove 2 members?' })
    await question.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('alertdialog', { name: '2 members removed' }).getByRole('button', { name: 'Close' }).click()
    await expect.poll(async () => (await owner.get('/v1/admin/teams?members=false')).body.data[0].memberCount).toBe(25)
    expect(faults).toEqual([])
  })

  it('retain a member whom a directory or connection adds, too, and say which of them does', async () => {
    const { given, database } = service()
    const { owner, id: organisationId } = await given.organisation()
    const { id } = await teamOf(owner)
    const entra = await createDirectory(owner, { name: 'Entra ID' })
    const workforce = await createConnection(owner, { name: 'Workforce' })
    const [anna, bilal, carol, dora] = await Promise.all(
      ['Anna', 'Bilal', 'Carol', 'Dora'].map((firstName) => given.user(owner, { firstName })),
    )
    const byDirectory = sourceOfDirectory(entra.id)
    await database.transaction(organisationId, async (tenant) => {
      await replaceTeamsFromSource(tenant, systemActor, anna?.id ?? '', byDirectory, [id])
      await replaceTeamsFromSource(tenant, systemActor, bilal?.id ?? '', sourceOf(workforce.id), [id])
    })
    for (const user of [bilal, carol, dora]) await owner.post(`/v1/admin/teams/${id}/members`, { userId: user?.id })
    const { page, faults } = await openConsole(owner, `/console/teams/${id}`)
    const row = (name: string) => page.getByRole('row', { name: new RegExp(`^.*${name} User`) })
    const button = (name: string) => page.getByRole('button', { name: `Remove ${name} User` })

    await row('Anna').getByText('· by Entra ID').waitFor()
    await row('Bilal').getByText('· by Workforce').waitFor()
    expect(await button('Anna').count()).toBe(0)
    await button('Bilal').click()
    await page.getByText('Bilal User stays in the team because of Workforce').first().waitFor()
    await button('Bilal').waitFor({ state: 'detached' })
    // The directory adds Carol while the page is open.
    await database.transaction(organisationId, (tenant) => replaceTeamsFromSource(tenant, systemActor, carol?.id ?? '', byDirectory, [id]))
    await button('Carol').click()
    await page.getByText('Carol User stays in the team because of Entra ID').first().waitFor()
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0)

    await page.getByRole('checkbox', { name: 'Select all on this page' }).click()
    await page.getByRole('toolbar').getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('alertdialog', { name: 'Remove 4 members?' }).getByRole('button', { name: 'Remove' }).click()
    const done = page.getByRole('alertdialog', { name: '1 member removed' })
    const staying = done.getByRole('listitem')
    await staying.first().waitFor()
    expect((await staying.allInnerTexts()).sort()).toEqual([
      'Anna User: stays in the team because of Entra ID',
      'Bilal User: stays in the team because of Workforce',
      'Carol User: stays in the team because of Entra ID',
    ])
    await done.getByRole('button', { name: 'Close' }).click()
    const { body } = await owner.get(`/v1/admin/teams/${id}/members?sources=true`)
    expect(body.data.map(({ name }: { name: string }) => name).sort()).toEqual(['Anna User', 'Bilal User', 'Carol User'])
    expect(body.data.flatMap(({ sources }: { sources: { type: string }[] }) => sources.map(({ type }) => type))).not.toContain('manual')
    expect(faults).toEqual([])
  })

  it('add many users with a way to stop, and those who were left stay chosen; a removal that cannot be undone says why', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const { id } = await teamOf(owner)
    const names = ['Anna', 'Bilal', 'Carol', 'Dora', 'Emil', 'Fritz']
    for (const firstName of names) await given.user(owner, { firstName })
    const { page, faults } = await openConsole(owner, `/console/teams/${id}`)
    const held = Promise.withResolvers<void>()
    const isCall = (url: URL) => url.pathname.endsWith('/members')
    await page.route(isCall, async (route) => {
      if (route.request().method() === 'POST') await held.promise
      await route.continue()
    })
    for (const name of names) {
      await page.getByLabel('Add to the team').fill(name)
      await page.getByRole('option', { name: new RegExp(name) }).click()
    }
    await page.keyboard.press('Escape')
    await page.getByRole('listbox').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Add 6 users' }).click()
    await page.getByRole('progressbar', { name: '0 of 6' }).waitFor()
    // Neither a link nor the palette leaves the rest undone.
    await page.getByRole('navigation').getByRole('link', { name: 'Roles', exact: true }).click()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search or jump to…' }).fill('Roles')
    await page
      .getByRole('option', { name: /^Roles/ })
      .first()
      .click()
    await page.getByRole('combobox', { name: 'Search or jump to…' }).waitFor({ state: 'detached' })
    await page.getByRole('progressbar', { name: '0 of 6' }).waitFor()
    expect(new URL(page.url()).pathname).toBe(`/console/teams/${id}`)
    await page.getByRole('button', { name: 'Stop' }).click()
    held.resolve()
    await page.getByText('4 users added').first().waitFor()
    await page.getByRole('button', { name: 'Add 2 users' }).waitFor()
    await page.getByText('4 members').waitFor()
    expect((await owner.get(`/v1/admin/teams/${id}/members`)).body.total).toBe(4)
    await page.unroute(isCall)
    expect(faults).toEqual([])

    await page.getByRole('button', { name: 'Remove Anna User' }).click()
    await page.getByText('3 members').waitFor()
    await owner.delete(`/v1/admin/teams/${id}`)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('This team no longer exists').first().waitFor()
    expect(faults.filter((fault) => !fault.startsWith('response: 404'))).toEqual([])
  })

  it('are read by those who may only read, tell others what they need, and come back after a failure', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const { id } = await teamOf(owner)
    const user = await given.user(owner, { firstName: 'Anna' })
    await owner.post(`/v1/admin/teams/${id}/members`, { userId: user.id })

    const reader = await openConsole(await given.userWith(owner, ['teams:read']), `/console/teams/${id}`)
    await reader.page.getByRole('row', { name: /Anna User/ }).waitFor()
    await reader.page.getByText('To change this you need the permission teams:update.').waitFor()
    expect(await reader.page.getByRole('button', { name: /Remove|Add|More actions/ }).count()).toBe(0)
    await reader.page.getByRole('link', { name: 'Settings', exact: true }).click()
    await reader.page.getByText('Works in Europe').waitFor()
    expect(await reader.page.getByLabel('Name', { exact: true }).count()).toBe(0)

    const other = await openConsole(await given.userWith(owner, ['roles:read']), '/console/teams')
    await other.page.getByText('You need the permission teams:read.').waitFor()

    const { page, faults } = await openConsole(owner, '/console')
    const failing = (url: URL) => url.pathname.startsWith('/v1/admin/teams')
    await page.route(failing, (route) => route.fulfill(unavailable))
    for (const path of [`/console/teams/${id}`, '/console/teams']) {
      await page.goto(path)
      await page.getByText('This could not be shown').waitFor()
    }
    await page.unroute(failing)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('row', { name: /Europe/ }).waitFor()
    expect([...reader.faults, ...other.faults, ...faults.filter((fault) => !fault.startsWith('response: 503'))]).toEqual([])
  })
})
