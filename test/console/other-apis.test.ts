import { describe, expect, it } from 'vitest'
import { useConsole } from '../support/console.ts'
import { unique } from '../support/given.ts'
import { givenApplication } from '../support/oauth.ts'
import { booksResource, grantOf, resourceAuthorizationServer } from '../support/resource-authorization-servers.ts'

const { service, openConsole } = useConsole({ environment: { OAUTH_EXTENSIONS: 'identity_assertions,resource_indicators' } })

const path = '/v1/admin/resource-authorization-servers'
const tokenExchange = 'urn:ietf:params:oauth:grant-type:token-exchange'

/** An organisation with a portal of the other company, and an editor that may exchange tokens. */
async function given() {
  const organisation = await service().given.organisation()
  const { owner } = organisation
  const portal = await givenApplication(service(), { organisation, name: 'Books portal' })
  const grantTypes = ['authorization_code', 'refresh_token', tokenExchange]
  const editor = await givenApplication(service(), { organisation, name: 'Editor', clientType: 'confidential', grantTypes })
  const { body: team } = await owner.post('/v1/admin/teams', { name: 'Readers', slug: 'readers' })
  return { owner, portal, editor, teamId: team.id as string }
}

describe('the pages of the APIs of other companies', () => {
  it('register a company, name its APIs, allow an application something there for a team, and delete all of it', async () => {
    const { owner, portal, editor, teamId } = await given()
    const issuer = `https://${unique()}.books.test`
    const { page, faults } = await openConsole(owner, '/console/other-apis')

    await page.getByRole('heading', { name: 'No APIs of other companies yet' }).waitFor()
    await page.getByRole('button', { name: 'Register a company' }).first().click()
    const drawer = page.getByRole('dialog', { name: 'Register a company' })
    await drawer.getByLabel('Name', { exact: true }).fill('Books')
    await drawer.getByLabel('Issuer').fill(issuer)
    await drawer.getByRole('combobox', { name: 'Application of that company' }).click()
    await page.getByRole('option', { name: /Books portal/ }).click()
    await page.keyboard.press('Escape')
    await drawer.getByRole('button', { name: 'Register a company' }).click()
    await page.getByRole('heading', { level: 1, name: 'Books' }).waitFor()
    const stored = async () => (await owner.get(path)).body.data[0]
    expect(await stored()).toMatchObject({ name: 'Books', issuer, audienceClientId: portal.id, resources: [], grants: [] })

    await page.getByLabel('APIs', { exact: true }).fill(`${booksResource} books:read books:write\n`)
    await page.getByRole('combobox', { name: 'Level of the sign-in' }).click()
    await page.getByRole('option', { name: 'Two steps (aal2)' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' })
    expect(await stored()).toMatchObject({
      resources: [{ identifier: booksResource, scopes: ['books:read', 'books:write'] }],
      requiredAcr: 'aal2',
    })

    await page.getByRole('link', { name: 'What is allowed' }).click()
    await page.getByRole('button', { name: 'Allow an application' }).click()
    const form = page.getByRole('dialog', { name: 'Allow an application' })
    await form.getByRole('combobox', { name: 'Application' }).click()
    await page.getByRole('option', { name: /Editor/ }).click()
    await page.keyboard.press('Escape')
    await form.getByLabel('What that company calls it').fill('acme-editor')
    await form.getByRole('checkbox', { name: 'books:read' }).check()
    await form.getByRole('combobox', { name: 'For users of one of these teams' }).click()
    await page.getByRole('option', { name: /Readers/ }).click()
    await page.keyboard.press('Escape')
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('row', { name: 'Editor Readers Yes No' }).waitFor()
    expect((await stored()).grants).toEqual([
      {
        clientId: editor.id,
        downstreamClientId: 'acme-editor',
        resources: [booksResource],
        scopes: ['books:read'],
        roleIds: [],
        teamIds: [teamId],
      },
    ])

    await page.getByRole('button', { name: 'Change what Editor may do' }).click()
    await page.getByRole('dialog').getByRole('checkbox', { name: 'books:write' }).check()
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('row', { name: 'Editor Readers Yes Yes' }).waitFor()

    await page.getByRole('button', { name: 'Take it away from Editor' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Take it away from Editor' }).click()
    await page.getByRole('heading', { name: 'Nothing is allowed yet' }).waitFor()
    expect((await stored()).grants).toEqual([])

    await page.getByRole('button', { name: 'Delete' }).click()
    const question = page.getByRole('alertdialog', { name: 'Delete Books?' })
    await question.getByLabel('Type Books to confirm').fill('Books')
    await question.getByRole('button', { name: 'Delete Books' }).click()
    await page.getByRole('heading', { name: 'No APIs of other companies yet' }).waitFor()
    expect((await owner.get(path)).body.total).toBe(0)
    expect(faults).toEqual([])
  })

  it('say what an application may do there for a user, by the teams of the user', async () => {
    const { owner, portal, editor, teamId } = await given()
    const anna = await service().given.user(owner, { firstName: 'Anna', lastName: 'Shaw', teamIds: [teamId] })
    const wei = await service().given.user(owner, { firstName: 'Wei', lastName: 'Zhang' })
    const grants = [grantOf(editor.id, { scopes: ['books:read'], teamIds: [teamId] })]
    const { id } = await resourceAuthorizationServer(owner, portal.id, { grants })
    const { page, faults } = await openConsole(owner, `/console/other-apis/${id}/ask`)

    await page.getByText('Choose a user and an application.').waitFor()
    await page.getByRole('combobox', { name: 'User' }).fill('Anna')
    await page.getByRole('option', { name: /Anna Shaw/ }).click()
    await page.getByRole('combobox', { name: 'Application' }).click()
    await page.getByRole('option', { name: /Editor/ }).click()
    const answer = page.getByRole('region', { name: 'Editor may do this for Anna Shaw' })
    await answer.getByText('books:read', { exact: true }).waitFor()
    await answer.getByText('acme-editor').waitFor()
    expect(page.url()).toContain(anna.id)

    await owner.patch(`/v1/admin/clients/${editor.id}`, { grantTypes: ['authorization_code', 'refresh_token'] })
    await page.reload()
    await answer.getByText('Editor gets no assertions').waitFor()

    await page.goto(`/console/other-apis/${id}/ask?userId=${wei.id}&clientId=${editor.id}`)
    await page.getByText('Editor may do nothing there for Wei Zhang').waitFor()
    expect(faults).toEqual([])
  })

  it('tell an administrator that another one has changed what is allowed, and overwrite none of it', async () => {
    const { owner, portal, editor } = await given()
    const { id } = await resourceAuthorizationServer(owner, portal.id, { grants: [grantOf(editor.id)] })
    const { page, faults } = await openConsole(owner, `/console/other-apis/${id}/grants`)

    await page.getByRole('button', { name: 'Change what Editor may do' }).click()
    const form = page.getByRole('dialog', { name: 'Change what Editor may do' })
    await form.getByRole('checkbox', { name: 'books:write' }).uncheck()
    const theirs = [grantOf(editor.id, { roleIds: [], teamIds: [] }), grantOf(editor.id, { scopes: ['books:read'] })]
    await owner.patch(`${path}/${id}`, { grants: theirs })
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByText('Another administrator has changed it meanwhile').waitFor()

    const grants = async () => (await owner.get(`${path}/${id}`)).body.grants
    expect(await grants()).toMatchObject(theirs)
    expect(faults.splice(0)).toHaveLength(1)
    // They know of it now, and what they have entered is still there.
    await form.getByRole('button', { name: 'Save' }).click()
    await form.waitFor({ state: 'detached' })
    expect(await grants()).toMatchObject([{ scopes: ['books:read'] }, theirs[1]])
    expect(faults).toEqual([])
  })

  it('let an administrator allow and take away something although another one has changed the company meanwhile', async () => {
    const { owner, portal, editor } = await given()
    const { id } = await resourceAuthorizationServer(owner, portal.id, { grants: [grantOf(editor.id, { scopes: ['books:write'] })] })
    const { page, faults } = await openConsole(owner, `/console/other-apis/${id}/grants`)
    const grants = async () => (await owner.get(`${path}/${id}`)).body.grants.map(({ scopes }: { scopes: string[] }) => scopes.join())
    const refused = () => page.getByText('Another administrator has changed it meanwhile').waitFor()

    await page.getByRole('button', { name: 'Allow an application' }).click()
    const form = page.getByRole('dialog', { name: 'Allow an application' })
    await form.getByRole('combobox', { name: 'Application' }).click()
    await page.getByRole('option', { name: /Editor/ }).click()
    await page.keyboard.press('Escape')
    await form.getByLabel('What that company calls it').fill('acme-editor')
    await form.getByRole('checkbox', { name: 'books:read' }).check()
    const theirs = ['books:write', 'books:read,books:write'].map((scopes) => grantOf(editor.id, { scopes: scopes.split(',') }))
    await owner.patch(`${path}/${id}`, { name: 'Books of all kinds', grants: theirs })
    await form.getByRole('button', { name: 'Save' }).click()
    await refused()
    await form.getByRole('button', { name: 'Save' }).click()
    await form.waitFor({ state: 'detached' })
    expect(await grants()).toEqual(['books:write', 'books:read,books:write', 'books:read'])

    await page.getByRole('row', { name: 'Editor All users No Yes' }).getByRole('button', { name: 'Take it away from Editor' }).click()
    const takeAway = page.getByRole('alertdialog').getByRole('button', { name: 'Take it away from Editor' })
    await owner.patch(`${path}/${id}`, { grants: theirs.toReversed() })
    await takeAway.click()
    await refused()
    expect(await grants()).toEqual(['books:read,books:write', 'books:write'])
    await takeAway.click()
    await page.getByRole('alertdialog').waitFor({ state: 'detached' })
    expect(await grants()).toEqual(['books:read,books:write'])

    // What another administrator has made of this very grant was not seen.
    await page.getByRole('button', { name: 'Change what Editor may do' }).click()
    const change = page.getByRole('dialog', { name: 'Change what Editor may do' })
    await change.getByRole('checkbox', { name: 'books:write' }).uncheck()
    await owner.patch(`${path}/${id}`, { grants: [grantOf(editor.id, { scopes: ['books:write'] })] })
    for (const _ of ['once', 'again']) {
      const answered = page.waitForResponse((response) => response.request().method() === 'PATCH')
      await change.getByRole('button', { name: 'Save' }).click()
      expect((await answered).status()).toBe(412)
      await refused()
    }
    expect(await grants()).toEqual(['books:write'])
    expect(await change.getByRole('checkbox', { name: 'books:write' }).isChecked()).toBe(false)
    expect(faults).toHaveLength(4)
  })

  it('take the id of an application from those who may not see the list of applications', async () => {
    const { owner, portal, editor } = await given()
    const permissions = ['create', 'read', 'update'].map((action) => `resource_servers:${action}`)
    const { page, faults } = await openConsole(await service().given.userWith(owner, permissions), '/console/other-apis?create=yes')
    const drawer = page.getByRole('dialog', { name: 'Register a company' })
    await drawer.getByLabel('Name', { exact: true }).fill('Books')
    await drawer.getByLabel('Issuer').fill(`https://${unique()}.books.test`)
    const audience = drawer.getByRole('textbox', { name: 'Application of that company' })
    await audience.fill('cli_01kahm3z9n4v7f2t8q6w5r1y0x')
    await drawer.getByRole('button', { name: 'Register a company' }).click()
    await drawer.getByText('This application no longer exists').waitFor()
    expect(faults.splice(0)).toEqual([expect.stringMatching(/^response: 404 POST/)])
    await audience.fill(` ${portal.id}`)
    await drawer.getByRole('button', { name: 'Register a company' }).click()
    await page.getByRole('heading', { level: 1, name: 'Books' }).waitFor()
    const stored = async () => (await owner.get(path)).body.data[0]
    expect(await stored()).toMatchObject({ name: 'Books', audienceClientId: portal.id })

    await page.getByLabel('APIs', { exact: true }).fill(`${booksResource} books:read books:write\n`)
    await page.getByRole('textbox', { name: 'Application of that company' }).fill(editor.id)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' })
    expect(await stored()).toMatchObject({ audienceClientId: editor.id })

    await page.getByRole('link', { name: 'What is allowed' }).click()
    await page.getByRole('button', { name: 'Allow an application' }).click()
    const form = page.getByRole('dialog', { name: 'Allow an application' })
    await form.getByRole('textbox', { name: 'Application', exact: true }).fill(editor.id)
    await form.getByLabel('What that company calls it').fill('acme-editor')
    await form.getByRole('checkbox', { name: 'books:read' }).check()
    // Neither roles nor teams: a list of ids is not typed.
    expect(await form.getByRole('combobox').count()).toBe(0)
    await form.getByRole('button', { name: 'Save' }).click()
    await form.waitFor({ state: 'detached' })
    expect((await stored()).grants).toMatchObject([{ clientId: editor.id, scopes: ['books:read'], roleIds: [], teamIds: [] }])
    expect(faults).toEqual([])
  })
})
