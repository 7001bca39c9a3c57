import type { Locator, Page } from 'playwright-core'
import { afterEach, describe, expect, it } from 'vitest'
import { systemActor } from '../../src/activity/actor.ts'
import { replaceRolesFromSource } from '../../src/users/roles-from-source.ts'
import { createConnection, linkedIdentity, privateKey } from '../support/connections.ts'
import { unavailable, useConsole } from '../support/console.ts'
import { verifiedDomain } from '../support/domains.ts'
import type { SignedInUser } from '../support/given.ts'
import { oidcProvider } from '../support/oidc-provider.ts'

const { service, openConsole } = useConsole()

let provider: Awaited<ReturnType<typeof oidcProvider>> | undefined
afterEach(() => provider?.close())

const button = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true })
const connectionsOf = async (owner: SignedInUser) => (await owner.get('/v1/admin/connections')).body.data
const actionsOn = async (owner: SignedInUser, id: string) =>
  (await owner.audit({ targetId: id })).map(({ action }: { action: string }) => action)

describe('the pages of connections', () => {
  it('lead a new administrator from nothing to a sign-in at npm oidc-provider, in few steps', async () => {
    const { owner } = await service().given.organisation()
    const { page, context, faults } = await openConsole(owner, '/console')
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    let steps = 0
    const click = (target: Locator) => {
      steps++
      return target.click()
    }
    const fill = (target: Locator, text: string) => {
      steps++
      return target.fill(text)
    }
    const saved = () => page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' })

    await click(page.getByRole('link', { name: 'Connections' }))
    await page.getByRole('heading', { name: 'No connections yet' }).waitFor()
    await click(button(page.getByRole('main'), 'Connect a provider').first())
    const drawer = page.getByRole('dialog', { name: 'Connect a provider' })
    expect(await drawer.getByLabel('Name', { exact: true }).inputValue()).toBe('Google')
    await click(drawer.getByText('OpenID Connect', { exact: true }))
    await fill(drawer.getByLabel('Name', { exact: true }), 'Acme Workforce')
    expect(await drawer.getByLabel('Short name').inputValue()).toBe('acme-workforce')
    await click(button(drawer, 'Connect a provider'))

    await page.getByRole('heading', { level: 1, name: 'Acme Workforce' }).waitFor()
    await click(button(page.getByRole('region', { name: '1. At the provider' }), 'Copy').first())
    const clipboard = () => page.evaluate('navigator.clipboard.readText()') as Promise<string>
    await expect.poll(clipboard).toMatch(/\/federation\/con_\w+\/callback$/)
    provider = await oidcProvider({ redirect_uris: [await clipboard()] })

    await page.getByText('Still missing: Issuer, Client ID and Client secret').first().waitFor()
    await fill(page.getByLabel('Issuer'), provider.issuer)
    await fill(page.getByLabel('Client ID'), 'gatehouse')
    await fill(page.getByLabel('Client secret'), 'secret')
    await click(button(page, 'Save'))
    await page.getByText('All is there').waitFor()
    await click(button(page, 'Check the provider'))
    await page.getByText('Discovery and keys can be read.').waitFor()
    const opened = context.waitForEvent('page')
    await click(button(page, 'Test'))
    const tab = await opened
    await tab.getByText('ada@example.com').first().waitFor()
    await tab.close()
    await click(button(page, 'Switch on'))
    const trust = page.getByRole('alertdialog')
    await trust.getByText('can sign in as the users that it names').waitFor()
    await click(trust.getByRole('button', { name: 'Switch on' }))
    await page.getByText('On', { exact: true }).waitFor()
    await expect.poll(() => page.locator('main').evaluate((main) => main === main.ownerDocument.activeElement)).toBe(true)
    expect(steps).toBeLessThanOrEqual(14)

    await click(page.getByRole('link', { name: 'Who gets an account' }))
    await click(page.getByRole('combobox', { name: 'New people' }))
    await click(page.getByRole('option', { name: 'Get an account at the first sign-in' }))
    await fill(page.getByLabel('Further domains'), 'example.com')
    await click(button(page, 'Save'))
    await click(button(page, 'Save and trust it'))
    await saved()
    expect(steps).toBeLessThanOrEqual(20)

    const [connection] = await connectionsOf(owner)
    expect(connection).toMatchObject({ slug: 'acme-workforce', isActive: true, hasSecret: true, provisioning: 'jit' })
    expect(await actionsOn(owner, connection.id)).toEqual([...Array(3).fill('connection.updated'), 'connection.created'])
    const { issuer } = provider
    expect(faults.filter((fault) => !fault.startsWith(`request: ${issuer}/`))).toEqual([])
    // Away from the console, which would lead to the sign-in page itself.
    await page.goto('about:blank')
    await context.clearCookies()
    await page.goto(`/federation/${connection.id}/start`)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('ada@example.com').first().waitFor()
    expect((await owner.get('/v1/admin/users?q=ada@example.com')).body.data).toMatchObject([{ email: 'ada@example.com' }])
  })

  it('change what a user may do who signs in by a connection', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    await given.role(owner, { name: 'Support', slug: 'support' })
    // An address that refuses at once: there is no name to look up.
    const configuration = { issuer: 'http://127.0.0.1:9', clientId: 'gatehouse' }
    const connection = await createConnection(owner, { configuration })
    const { domain } = await verifiedDomain(service(), owner, { connectionId: connection.id })
    const { page, faults } = await openConsole(owner, `/console/connections/${connection.id}`)
    await page.getByRole('link', { name: domain }).waitFor()
    await button(page, 'Check the provider').click()
    await page.getByText('The discovery document of the provider cannot be read').waitFor()
    expect(faults.splice(0)).toEqual([expect.stringContaining('response: 400 POST')])
    expect(await page.getByRole('link', { name: 'Refused sign-ins' }).getAttribute('href')).toContain(`connectionId=${connection.id}`)

    await page.getByRole('link', { name: 'Accounts' }).click()
    await page.getByRole('combobox', { name: 'Existing accounts' }).click()
    await page.getByRole('option', { name: 'Not linked by address' }).click()
    await page.getByLabel('Groups').fill('/realm_access/roles')
    await button(page, 'Add a role').click()
    await page.getByLabel('Value', { exact: true }).fill('helpdesk')
    await page.getByRole('combobox', { name: 'Role', exact: true }).fill('Support')
    await page.getByRole('option', { name: /^Support/ }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('switch', { name: 'A second factor at the provider counts here' }).click()
    await page.getByLabel('Values of acr that say so').fill('https://refeds.org/profile/mfa')
    await page.getByRole('switch', { name: 'Signing out here signs out there' }).click()
    await page.getByRole('textbox', { name: 'Longest session' }).fill('1')
    await button(page, 'Save').click()
    // A change of its trust asks, and names what it is; one of its sessions does not.
    const trust = page.getByRole('alertdialog')
    await trust.getByText('A second factor at the provider counts here').waitFor()
    expect(await trust.getByText('Longest session').count()).toBe(0)
    expect((await connectionsOf(owner))[0]).toMatchObject({ trustsMfa: false, roleMappings: [] })
    await button(page, 'Save and trust it').click()
    await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' })
    expect((await connectionsOf(owner))[0]).toMatchObject({
      linking: 'none',
      mapping: { groups: '/realm_access/roles' },
      roleMappings: [{ claim: 'groups', value: 'helpdesk', roleId: expect.stringMatching(/^rol_/) }],
      trustsMfa: true,
      mfaContexts: ['https://refeds.org/profile/mfa'],
      upstreamLogout: true,
      sessionMaxAgeSeconds: 3_600,
    })

    // A mistake is told at its field.
    await button(page, 'Add a team').click()
    await page.getByLabel('Value', { exact: true }).last().fill('sales')
    await button(page, 'Save').click()
    await button(page, 'Save and trust it').click()
    await page.locator('[aria-invalid=true]').first().waitFor()
    expect(faults.splice(0)).toEqual([expect.stringContaining('response: 400 PATCH')])
  })

  it('replace the secret of a connection, switch it off and remove it', async () => {
    const { owner } = await service().given.organisation()
    const connection = await createConnection(owner)
    const { page, faults, goTo } = await openConsole(owner, `/console/connections/${connection.id}`)
    await button(page, 'Replace the secret').click()
    const rotation = page.getByRole('alertdialog', { name: 'Replace the secret of Acme?' })
    await rotation.getByLabel('Client secret').fill('another secret')
    await button(rotation, 'Replace the secret').click()
    await rotation.waitFor({ state: 'detached' })
    await page.getByText('Former secret tried until').waitFor()

    await page.getByRole('combobox', { name: 'The secret is sent' }).click()
    await page.getByRole('option', { name: 'Not at all: a key of this service signs' }).click()
    await page.getByLabel('Further parameters').fill('audience=urn:acme=1\n\nlogin=x')
    await button(page, 'Save').click()
    await page.getByText('The service sets this parameter itself').waitFor()
    await page.getByLabel('Further parameters').fill('audience=urn:acme=1\n')
    await page.getByLabel('Name', { exact: true }).fill('Acme Europe')
    await button(page, 'Save').click()
    await button(page, 'Make the next key').click()
    const next = page.getByRole('alertdialog', { name: 'Make the next key of Acme Europe?' })
    await next.getByText('signs in seven days').waitFor()
    await button(next, 'Make the next key').click()
    await page.getByText('Next key signs from').waitFor()
    expect((await connectionsOf(owner))[0].configuration).toMatchObject({
      clientAuthentication: 'private_key_jwt',
      extraParameters: { audience: 'urn:acme=1' },
    })
    expect(await button(page, 'Replace the secret').count()).toBe(0)
    await button(page, 'Use the next key now').click()
    await button(page.getByRole('alertdialog', { name: 'Use the next key of Acme Europe now?' }), 'Use the next key now').click()
    await button(page, 'Make the next key').waitFor()
    await page.getByText('Former key tried until').waitFor()
    expect((await actionsOn(owner, connection.id)).slice(0, 2)).toEqual(Array(2).fill('connection.keys_rotated'))
    expect(faults.splice(0)).toEqual([expect.stringContaining('response: 400 PATCH')])

    await page.getByRole('link', { name: 'History' }).click()
    await page.getByRole('slider', { name: 'As of' }).focus()
    await page.keyboard.press('Home')
    await page.getByRole('row', { name: /^name/ }).getByText('Acme', { exact: true }).waitFor()
    expect(await page.getByRole('button', { name: /^Restore/ }).allTextContents()).toEqual(['Restore'])
    await button(page, 'Restore name').click()
    await button(page.getByRole('alertdialog', { name: 'Restore name?' }), 'Restore name').click()
    await page.getByRole('heading', { level: 1, name: 'Acme', exact: true }).waitFor()
    await page.getByRole('link', { name: 'Provider', exact: true }).click()

    await button(page, 'Switch off').click()
    const off = page.getByRole('alertdialog', { name: 'Switch Acme off?' })
    await off.getByRole('switch', { name: 'Also end the sessions that came by it' }).click()
    await button(off, 'Switch off').click()
    await page.getByText('All is there').waitFor()
    const { body } = await owner.get(`/v1/admin/audit-logs?targetId=${connection.id}&limit=1`)
    expect(body.data).toMatchObject([{ action: 'connection.updated', metadata: { endedSessions: 0 } }])

    await button(page, 'Remove').click()
    const question = page.getByRole('alertdialog', { name: 'Remove Acme?' })
    await question.getByLabel('Reason (optional)').fill('Merged')
    await question.getByLabel('Type Acme to confirm').fill('Acme')
    await button(question, 'Remove Acme').click()
    await page.getByRole('heading', { name: 'No connections yet' }).waitFor()
    const { body: entries } = await owner.get(`/v1/admin/audit-logs?targetId=${connection.id}&limit=1`)
    expect(entries.data).toMatchObject([{ action: 'connection.deleted', metadata: { reason: 'Merged' } }])
    await goTo(`/console/connections/${connection.id}`)
    await page.getByText('This no longer exists').waitFor()
    expect(faults.splice(0)).toHaveLength(1)
  })

  it('ask for what each provider gives, in its own words', async () => {
    const { owner } = await service().given.organisation()
    const { page, faults, goTo } = await openConsole(owner, '/console/connections')
    const opened = async (kind: string) => {
      const connection = await createConnection(owner, {
        name: kind,
        provider: kind,
        configuration: {},
        secret: undefined,
        isActive: false,
      })
      await goTo(`/console/connections/${connection.id}`)
      await page.getByRole('heading', { level: 1, name: kind }).waitFor()
      return connection
    }
    for (const [kind, missing] of [
      ['google', 'Client ID and Client secret'],
      ['microsoft', 'Directory (tenant) ID, Application (client) ID and Client secret'],
      ['github', 'Client ID and Client secret'],
    ] as const) {
      await opened(kind)
      await page.getByText(`Still missing: ${missing}`).first().waitFor()
      expect(await page.getByRole('link', { name: /^Open (Google|Microsoft|GitHub)$/ }).getAttribute('href')).toContain(kind)
    }
    const { id } = await opened('apple')
    await owner.patch(`/v1/admin/connections/${id}`, { sessionMaxAgeSeconds: 28_800 })
    await page.reload()
    await page.getByText('Still missing: Services ID, Team ID, Key ID and Private key').first().waitFor()
    await page.getByText('127.0.0.1').first().waitFor()
    await page.getByLabel('Services ID').fill('com.acme.signin')
    await page.getByLabel('Team ID').fill('A1B2C3D4E5')
    await page.getByLabel('Key ID').fill('F6G7H8I9J0')
    await page.getByLabel('Private key').fill(privateKey())
    await button(page, 'Save').click()
    await page.getByText('All is there').waitFor()
    await page.getByText('One is stored. Leave this empty to keep it.').waitFor()
    expect((await owner.get(`/v1/admin/connections/${id}`)).body).toMatchObject({ hasSecret: true, configuration: { keyId: 'F6G7H8I9J0' } })
    expect(faults).toEqual([])

    const reader = await openConsole(await service().given.userWith(owner, ['connections:read']), `/console/connections/${id}`)
    await reader.page.getByText('Stored', { exact: true }).waitFor()
    await reader.goTo(`/console/connections/${id}/accounts`)
    await reader.page.getByText('8 hours', { exact: true }).waitFor()
    expect(reader.faults).toEqual([])
  })

  it('show the roles that they give by id to those who may not see the list of roles', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const [role, other] = [await given.role(owner), await given.role(owner)]
    const connection = await createConnection(owner, { roleMappings: [{ claim: 'groups', value: 'helpdesk', roleId: role.id }] })
    const admin = await given.userWith(owner, ['connections:read', 'connections:update'])
    const { page, faults } = await openConsole(admin, `/console/connections/${connection.id}/accounts`)
    const field = page.getByRole('textbox', { name: 'Role', exact: true })
    await field.waitFor()
    expect(await field.inputValue()).toBe(role.id)
    await page.getByLabel('Value', { exact: true }).fill('support')
    await field.fill(other.id)
    await button(page, 'Save').click()
    await button(page, 'Save and trust it').click()
    await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' })
    expect((await connectionsOf(owner))[0]).toMatchObject({ roleMappings: [{ claim: 'groups', value: 'support', roleId: other.id }] })
    expect(faults).toEqual([])
  })

  it('say what failed, and offer nothing to those who may only read', async () => {
    const { given, database } = service()
    const { owner, id: organisationId } = await given.organisation()
    const connection = await createConnection(owner, { roleMappings: [] })
    const failure = {
      failures: 3,
      failingSince: new Date(),
      lastError: 'Status 503 of https://login.acme.test',
      failedCheck: 'token_endpoint',
    }
    await database.tenant(organisationId).updateTable('connections').set(failure).where('id', '=', connection.id).execute()
    const reader = await openConsole(await given.userWith(owner, ['connections:read']), '/console/connections?create=yes')
    await reader.page.getByText('Failing', { exact: true }).waitFor()
    await reader.page.getByRole('link', { name: 'Acme' }).click()
    await reader.page.getByText('Failed: token endpoint').waitFor()
    await reader.page.getByText(failure.lastError).waitFor()
    await reader.page.getByText('To change this you need the permission connections:update.').waitFor()
    await reader.page.getByRole('link', { name: 'Accounts' }).click()
    await reader.page.getByText('Need an invitation').waitFor()
    expect(
      await reader.page
        .getByRole('main')
        .getByRole('button', { name: /^(Connect|Switch|Replace|Remove|Add|Save)/ })
        .count(),
    ).toBe(0)
    expect(reader.faults).toEqual([])
    const german = await openConsole(owner, `/console/connections/${connection.id}`, { locale: 'de-DE' })
    await german.page.getByText('Nicht bestanden: Token-Endpunkt').waitFor()
    expect(german.faults).toEqual([])

    const creator = await openConsole(await given.userWith(owner, ['connections:create']), '/console/connections')
    await creator.page.getByText('You need the permission connections:read.').waitFor()
    await button(creator.page, 'Connect a provider').click()
    await button(creator.page.getByRole('dialog'), 'Connect a provider').click()
    // To create a connection is to decide who a user is.
    await creator.page.getByRole('dialog').getByText('which you do not have yourself').waitFor()
    expect(creator.faults.splice(0)).toEqual([expect.stringContaining('response: 403 POST')])

    const { page, faults } = await openConsole(owner)
    await page.route('**/v1/admin/connections/*', (route) => route.fulfill(unavailable))
    await page.goto(`/console/connections/${connection.id}`)
    await page.getByText('This could not be shown').waitFor()
    await page.unroute('**/v1/admin/connections/*')
    await button(page, 'Try again').click()
    await page.getByRole('heading', { level: 1, name: 'Acme' }).waitFor()
    expect(faults.splice(0).every((fault) => fault.startsWith('response: 503 '))).toBe(true)
    // What another administrator has saved meanwhile is not lost, and what was typed as a secret is not shown.
    await owner.patch(`/v1/admin/connections/${connection.id}`, { name: 'Acme Europe' })
    await page.getByLabel('Name', { exact: true }).fill('Acme America')
    await button(page, 'Save').click()
    await page.getByRole('cell', { name: 'Acme Europe' }).waitFor()
    await button(page, 'Save yours').click()
    await page.getByRole('heading', { level: 1, name: 'Acme America' }).waitFor()
    expect(faults.splice(0)).toEqual([expect.stringContaining('response: 412 PATCH')])
  })
})

describe('the linked accounts of a user', () => {
  it('are listed, and unlinked with a reason; the owner’s by the owner alone', async () => {
    const { given, database } = service()
    const { owner, id: organisationId } = await given.organisation()
    const user = await given.user(owner)
    const connection = await createConnection(owner)
    const identity = await linkedIdentity(service(), { organisationId, userId: user.id, connectionId: connection.id })
    await linkedIdentity(service(), { organisationId, userId: owner.id, connectionId: connection.id })
    const { page, faults, goTo } = await openConsole(owner, `/console/users/${user.id}/identities`)
    await page.getByRole('rowheader', { name: identity.subject }).waitFor()
    expect(await page.getByRole('link', { name: 'Acme', exact: true }).getAttribute('href')).toBe(`/console/connections/${connection.id}`)
    await button(page, 'Unlink: carol@acme.test').click()
    const question = page.getByRole('alertdialog', { name: 'Unlink carol@acme.test?' })
    await question.getByText('Sessions that came by it end.').waitFor()
    await question.getByLabel('Reason (optional)').fill('A private account')
    await button(question, 'Unlink').click()
    await page.getByRole('heading', { name: 'No linked accounts' }).waitFor()
    const { body } = await owner.get(`/v1/admin/audit-logs?targetId=${identity.id}`)
    expect(body.data).toMatchObject([{ action: 'identity.unlinked', metadata: { reason: 'A private account' } }])
    expect(faults).toEqual([])

    // What a connection gives, it alone takes away.
    const role = await given.role(owner, { name: 'Support' })
    const mapped = await given.user(owner)
    await database.transaction(organisationId, (tenant) =>
      replaceRolesFromSource(tenant, systemActor, mapped.id, `connection:${connection.id}`, [role.id]),
    )
    await goTo(`/console/users/${mapped.id}/access`)
    await page.getByRole('listitem').filter({ hasText: 'Support by Acme' }).waitFor()
    expect(await button(page, 'Take away: Support').count()).toBe(0)
    expect(await button(page, 'Take away: Member').count()).toBe(1)
    expect(faults).toEqual([])

    const colleague = await given.userWith(owner, ['users:read', 'users:update'])
    const other = await openConsole(colleague, `/console/users/${owner.id}/identities`)
    await other.page.getByText('Only the owner can unlink their accounts').first().waitFor({ state: 'attached' })
    expect(await button(other.page, 'Unlink: carol@acme.test').getAttribute('aria-disabled')).toBe('true')
    expect(other.faults).toEqual([])
  })
})
