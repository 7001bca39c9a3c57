import { describe, expect, it } from 'vitest'
import { useConsole } from '../support/console.ts'
import { createDirectory, directoryClient, filter, givenDirectory, loggedRequest, person } from '../support/directories.ts'
import { verifiedDomain } from '../support/domains.ts'
import { unique } from '../support/given.ts'

const { service, openConsole } = useConsole()

describe('a directory that fails', () => {
  it('says why in the language of the console', async () => {
    const { id, scim, organisation } = await givenDirectory(service())
    for (let refused = 0; refused < 20; refused++) {
      await scim.post('/Users', {})
      await service().settled()
    }
    const { page, goTo } = await openConsole(organisation.owner, `/console/directories/${id}`, { locale: 'de-DE' })
    await page.getByText('userName fehlt').waitFor()
    await page.getByText(/^Scheitert, erstmals /).waitFor()
    expect(await page.getByText('userName is required').count()).toBe(0)
    await goTo('/console/directories')
  })
})

describe('the pages of directories', () => {
  it('lead from nothing to a directory that calls, with a token that is shown once', async () => {
    const { owner } = await service().given.organisation()
    const { page, faults } = await openConsole(owner, '/console/directories')
    await page.getByRole('heading', { name: 'No directories yet' }).waitFor()
    await page.getByRole('link', { name: 'Connect a directory' }).first().click()
    await page.getByRole('heading', { level: 1, name: 'Connect a directory' }).waitFor()
    await page.getByText('Okta', { exact: true }).click()
    await page.getByRole('button', { name: 'Connect a directory' }).click()

    await page.getByText('choose Test API Credentials', { exact: false }).waitFor()
    const [directory] = (await owner.get('/v1/admin/directories')).body.data
    await page.getByText(directory.baseUrl, { exact: true }).waitFor()
    await page.getByText('Waiting for the first request').waitFor()
    await page.getByRole('row', { name: 'name.givenName' }).getByText('firstName', { exact: true }).waitFor()
    // A reload continues where it was.
    await page.reload()
    await page.getByText('Waiting for the first request').waitFor()

    await page.getByRole('button', { name: 'Create token' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Create token' }).click()
    const secret = page.getByRole('alertdialog', { name: 'The new token' })
    const token = (await secret.getByText(/^scim_/).textContent()) ?? ''
    await secret.getByText('I have stored it').click()
    await secret.getByRole('button', { name: 'Done' }).click()
    await page
      .getByText(`${token.slice(0, 13)}…`)
      .first()
      .waitFor()
    expect(await page.content()).not.toContain(token)

    const scim = directoryClient(service(), directory.id, token)
    expect((await scim.get('/Users?count=0')).status).toBe(200)
    await page.getByText('The last request arrived').waitFor()
    await page.getByRole('listitem').filter({ hasText: 'GET /Users' }).getByText('200', { exact: true }).waitFor()
    expect((await scim.post('/Users', person('ada@unproven.example'))).status).toBe(400)
    await page.getByRole('listitem').filter({ hasText: 'POST /Users' }).getByText('400', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Open Okta' }).click()
    await page.getByRole('heading', { level: 1, name: 'Okta' }).waitFor()
    expect(faults).toEqual([])
  })

  it('propose a name for each kind of directory until one is typed, which is not lost', async () => {
    const { owner } = await service().given.organisation()
    const { page, faults } = await openConsole(owner, '/console/directories/new')
    const name = page.getByLabel('Name', { exact: true })
    await expect.poll(() => name.inputValue()).toBe('Microsoft Entra ID')
    await page.getByText('Google Workspace', { exact: true }).click()
    expect(await name.inputValue()).toBe('Google Workspace')
    await name.fill('Contoso HR')
    await page.getByText('Okta', { exact: true }).click()
    expect(await name.inputValue()).toBe('Contoso HR')
    await page.getByRole('link', { name: 'Users', exact: true }).click()
    await page.getByRole('alertdialog', { name: 'Discard what you have typed?' }).getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Connect a directory' }).click()
    await page.getByText('choose Test API Credentials', { exact: false }).waitFor()
    expect((await owner.get('/v1/admin/directories')).body.data).toMatchObject([{ name: 'Contoso HR' }])
    await page.getByRole('link', { name: 'Users', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor()
    expect(faults).toEqual([])
  })

  it('say how long ago the last request arrived, also while none arrives', async () => {
    const { owner, id: organisationId } = await service().given.organisation()
    const { id } = await createDirectory(owner)
    const tenant = service().database.tenant(organisationId)
    await tenant.updateTable('directories').set({ lastRequestAt: new Date() }).where('id', '=', id).execute()
    const { page, settled } = await openConsole(owner, '/console/directories')
    await page.clock.install()
    await page.goto(`/console/directories/new?directory=${id}`)
    await page.getByText('The last request arrived now').waitFor()
    await settled()
    await page.clock.fastForward(5 * 60_000)
    await page.getByText('The last request arrived 5 minutes ago').waitFor()
  })

  it('show the requests, each with what was sent and why it was refused', async () => {
    const { owner, id: organisationId } = await service().given.organisation()
    const { id: directoryId } = await createDirectory(owner, { name: 'Entra ID' })
    await loggedRequest(service(), { organisationId, directoryId }, { method: 'POST', status: 201 })
    const refused = { method: 'PATCH', path: '/Users/usr_1', status: 400, detail: 'No such attribute', requestBody: '{"op":"Replace"}' }
    await loggedRequest(service(), { organisationId, directoryId }, refused)
    const { page, faults } = await openConsole(owner, `/console/directories/${directoryId}/requests`)

    await page.getByText('POST /Users', { exact: true }).waitFor()
    await page.getByText('PATCH /Users/usr_1', { exact: true }).click()
    const drawer = page.getByRole('dialog', { name: 'PATCH /Users/usr_1' })
    await drawer.getByText('No such attribute').waitFor()
    await drawer.getByText('"Replace"').waitFor()
    expect(faults).toEqual([])
  })

  it('try a request, which changes nothing', async () => {
    const { owner, id: organisationId } = await service().given.organisation()
    const { domain } = await verifiedDomain(service(), owner)
    const { id: directoryId } = await createDirectory(owner, { name: 'Entra ID' })
    await loggedRequest(service(), { organisationId, directoryId }, { method: 'POST', path: '/Users', status: 201 })
    const { page, faults } = await openConsole(owner, `/console/directories/${directoryId}/requests`)

    await page.getByText('POST /Users', { exact: true }).click()
    await page.getByRole('button', { name: 'Try such a request' }).click()
    const drawer = page.getByRole('dialog', { name: 'Try a request' })
    await drawer.getByLabel('Body').fill('{')
    await drawer.getByRole('button', { name: 'Try it' }).click()
    await drawer.getByText('This is not JSON').waitFor()
    await drawer.getByLabel('Body').fill(JSON.stringify(person(`ada@${domain}`)))
    await drawer.getByRole('button', { name: 'Try it' }).click()
    await drawer.getByText('201', { exact: true }).waitFor()
    await drawer.getByText('The directory “Entra ID”', { exact: false }).first().waitFor()
    expect((await owner.get('/v1/admin/users')).body.data).toHaveLength(1)
    expect(faults).toEqual([])
  })

  it('map groups to roles, and ask before', async () => {
    const directory = await givenDirectory(service(), { groups: 'mappings_only' })
    const { id } = directory
    const { owner } = directory.organisation
    const role = await service().given.role(owner)
    const { body: user } = await directory.scim.post('/Users', person(directory.address()))
    await directory.scim.post('/Groups', { displayName: 'Support', members: [{ value: user.id }] })
    const { page, faults } = await openConsole(owner, `/console/directories/${id}/groups`)

    await page.getByRole('button', { name: 'Add a group' }).click()
    await page.getByLabel('Group', { exact: true }).fill('Support')
    await page.getByRole('combobox', { name: 'Roles' }).fill(role.name)
    await page.getByRole('option', { name: role.name }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Save' }).click()
    const question = page.getByRole('alertdialog')
    await question.getByText(`1 user gets the role ${role.name}.`).waitFor()
    await question.getByText('Members get and lose these roles and teams at once.', { exact: false }).waitFor()
    await question.getByRole('button', { name: 'Save' }).click()

    await page.getByText('Saved', { exact: false }).first().waitFor()
    expect((await owner.get(`/v1/admin/directories/${id}`)).body.groupMappings).toEqual([
      { group: { displayName: 'Support' }, roleIds: [role.id], teamIds: [] },
    ])
    expect(faults).toEqual([])
  })

  it('ask before groups are teams no longer, and before deleted users are deleted here', async () => {
    const directory = await givenDirectory(service())
    const { id } = directory
    const { owner } = directory.organisation
    const { body: user } = await directory.scim.post('/Users', person(directory.address()))
    await directory.scim.post('/Groups', { displayName: 'Support', members: [{ value: user.id }] })
    const { page, faults } = await openConsole(owner, `/console/directories/${id}/settings`)
    const choose = async (label: string, option: string) => {
      await page.getByRole('combobox', { name: label, exact: true }).click()
      await page.getByRole('option', { name: option }).click()
    }

    await choose('Groups', 'Only mapped groups have an effect')
    await choose('Users whom it deletes', 'Are deleted')
    await page.getByRole('button', { name: 'Save' }).click()
    const question = page.getByRole('alertdialog')
    await question.getByText('1 user leaves the team Support.').waitFor()
    await question.getByText('are deleted here, too', { exact: false }).waitFor()
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'hidden' })
    const settings = async () => {
      const { groups, deletes } = (await owner.get(`/v1/admin/directories/${id}`)).body
      return { groups, deletes }
    }
    expect(await settings()).toEqual({ groups: 'teams', deletes: 'block' })

    await page.getByRole('button', { name: 'Save' }).click()
    await question.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved', { exact: false }).first().waitFor()
    expect(await settings()).toEqual({ groups: 'mappings_only', deletes: 'delete' })
    expect(faults).toEqual([])
  })

  it('say that requests are refused while none has succeeded', async () => {
    const { id, scim, organisation } = await givenDirectory(service())
    expect((await scim.post('/Users', {})).status).toBe(400)
    await service().settled()
    const { page, faults } = await openConsole(organisation.owner, `/console/directories/${id}`)
    await page.getByText('Requests are refused; the last one arrived', { exact: false }).waitFor()
    await page.getByText('userName is required').waitFor()
    expect(faults).toEqual([])
  })

  it('try a request with the filter that was logged', async () => {
    const { id, scim, organisation } = await givenDirectory(service())
    expect((await scim.get(`/Users${filter('userName eq "ada@acme.test"')}`)).status).toBe(200)
    await service().settled()
    const { page, faults } = await openConsole(organisation.owner, `/console/directories/${id}/requests`)
    await page.getByText('GET /Users', { exact: true }).click()
    await page.getByRole('button', { name: 'Try such a request' }).click()
    const drawer = page.getByRole('dialog', { name: 'Try a request' })
    expect(await drawer.getByLabel('Path').inputValue()).toBe('/Users?filter=userName eq "***"')
    await drawer.getByRole('button', { name: 'Try it' }).click()
    await drawer.getByText('200', { exact: true }).waitFor()
    expect(faults).toEqual([])
  })

  it('switch a directory off and on, and delete it once its name is typed', async () => {
    const { owner } = await service().given.organisation()
    const name = `Entra ${unique()}`
    const { id } = await createDirectory(owner, { name })
    const { page, faults } = await openConsole(owner, `/console/directories/${id}/settings`)
    await page.getByRole('button', { name: 'Switch off' }).click()
    await page
      .getByRole('alertdialog', { name: `Switch ${name} off?` })
      .getByRole('button', { name: 'Switch off' })
      .click()
    await page.getByRole('button', { name: 'Switch on' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Switch on' }).click()
    await page.getByRole('button', { name: 'Switch off' }).waitFor()

    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    const question = page.getByRole('alertdialog', { name: `Delete ${name}?` })
    await question.getByRole('textbox').last().fill(name)
    await question.getByRole('button', { name: `Delete ${name}` }).click()
    await page.getByRole('heading', { name: 'No directories yet' }).waitFor()
    expect((await owner.get('/v1/admin/directories')).body.total).toBe(0)
    expect(faults).toEqual([])
  })

  it('say what is missing to those who may only read', async () => {
    const { owner } = await service().given.organisation()
    const { id } = await createDirectory(owner, { name: 'Entra ID' })
    const reader = await openConsole(await service().given.userWith(owner, ['directories:read']), `/console/directories/${id}/settings`)
    await reader.page.getByText('To change this you need the permission directories:update.').waitFor()
    expect(await reader.page.getByRole('button', { name: 'Delete', exact: true }).count()).toBe(0)
    expect(reader.faults).toEqual([])
  })

  it('are named in the history of what a directory has changed', async () => {
    const directory = await givenDirectory(service(), { name: 'Workforce' })
    const { owner } = directory.organisation
    const { body } = await directory.scim.post('/Users', person(directory.address()))
    const { page, faults } = await openConsole(owner, `/console/users/${body.id}/history`)

    const sentence = page.getByText('The directory “Workforce” created', { exact: false })
    await sentence.getByRole('link', { name: 'Workforce' }).click()
    await page.getByRole('heading', { level: 1, name: 'Workforce' }).waitFor()
    expect(faults).toEqual([])
  })
})
