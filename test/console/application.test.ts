import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { unavailable, useConsole } from '../support/console.ts'
import { givenApplication, type TestApplication } from '../support/oauth.ts'

const { service, openConsole } = useConsole()

const storedClient = async (app: TestApplication) => (await app.organisation.owner.get(`/v1/admin/clients/${app.id}`)).body
const actionsOn = async (app: TestApplication) =>
  (await app.organisation.owner.audit({ targetId: app.id })) as { action: string; metadata: unknown }[]

/** Confirms that an application may send people to these hosts. */
async function typeHosts(page: Page, ...hosts: string[]): Promise<void> {
  for (const host of hosts) {
    await page.getByLabel(`Type ${host} to confirm`).fill(host)
    await page.getByRole('button', { name: `Add ${host}` }).click()
  }
}

describe('the page of an application', () => {
  it('changes its settings, and shows each mistake at its field', async () => {
    const app = await givenApplication(service())
    // As it was stored while the service had the extension, which it does not have now.
    const tenant = service().database.tenant(app.organisation.id)
    await tenant
      .updateTable('clients')
      .set({ defaultAcrValues: ['phr', 'aal2'] })
      .where('id', '=', app.id)
      .execute()
    const { page, context, faults } = await openConsole(app.organisation.owner, `/console/applications/${app.id}`)
    await page.getByRole('heading', { level: 1, name: 'Portal' }).waitFor()
    await page.getByRole('link', { name: 'Settings', exact: true }).click()

    await page.getByLabel('Name', { exact: true }).fill('Customer portal')
    await page.getByRole('group', { name: 'Redirect URIs' }).getByRole('button', { name: 'Add another' }).click()
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const pasted = ' https://a.test/cb\\nhttp://b.test/cb https://portal.example.test/callback '
    await page.evaluate(`navigator.clipboard.writeText('${pasted}')`)
    await page.getByRole('textbox', { name: 'Redirect URI 2' }).focus()
    await page.keyboard.press('ControlOrMeta+V')
    await page.getByText('Already there, so left out: https://portal.example.test/callback').waitFor()
    await page.getByRole('textbox', { name: 'Access token', exact: true }).fill('30')
    await page.getByRole('switch', { name: 'Ask users for consent' }).click()
    await page.getByRole('button', { name: 'Save' }).click()

    // Hosts that no redirect URI of the application has so far: each is named, and typed.
    await typeHosts(page, 'a.test', 'b.test')
    const third = page.getByRole('textbox', { name: 'Redirect URI 3' })
    await third.and(page.locator('[aria-invalid="true"]:focus')).waitFor()
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Customer portal')
    await third.fill('https://b.test/cb')
    await page.getByRole('button', { name: 'Save' }).click()
    await typeHosts(page, 'a.test', 'b.test')
    await page.getByRole('heading', { level: 1, name: 'Customer portal' }).waitFor()

    expect(await storedClient(app)).toMatchObject({
      name: 'Customer portal',
      redirectUris: ['https://portal.example.test/callback', 'https://a.test/cb', 'https://b.test/cb'],
      accessTokenLifetime: 30 * 3_600,
      requireConsent: true,
    })
    await page.getByRole('button', { name: 'Access token: As the organisation has it' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.poll(async () => (await storedClient(app)).accessTokenLifetime).toBe(3_600)
    expect((await actionsOn(app)).map(({ action }) => action)).toEqual(['client.updated', 'client.updated', 'client.created'])
    // The refusal of the second address.
    expect(faults.splice(0)).toEqual([expect.stringMatching(/^response: 400 PATCH/)])

    await page.getByLabel('Description').fill('Mine')
    await app.organisation.owner.patch(`/v1/admin/clients/${app.id}`, { description: 'Theirs' })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Another administrator has changed this meanwhile' }).waitFor()
    await page.getByRole('button', { name: 'Save yours' }).click()
    await expect.poll(async () => (await storedClient(app)).description).toBe('Mine')
    expect(faults.splice(0)).toEqual([expect.stringMatching(/^response: 412 PATCH/)])

    await page.getByRole('alertdialog').waitFor({ state: 'detached' })
    await page.getByLabel('Levels of sign-in').fill(' aal2  phr')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('The operator of this service has not switched this extension on').waitFor()
    await page.locator('input[name=defaultAcrValues][aria-invalid="true"]:focus').waitFor()
    expect((await storedClient(app)).defaultAcrValues).toEqual(['phr', 'aal2'])
    expect(faults.splice(0)).toEqual([expect.stringMatching(/^response: 400 PATCH/)])
    await page.getByLabel('Levels of sign-in').fill('')
    await page.getByRole('textbox', { name: 'New sign-in after', exact: true }).fill('8')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect.poll(async () => (await storedClient(app)).defaultAcrValues).toBeNull()
    expect(await storedClient(app)).toMatchObject({ defaultMaxAge: expect.any(Number) })
    expect(faults).toEqual([])
  })

  it('shows each lifetime in a unit of its own, takes fractions of it, and offers no unit that is longer than the lifetime may be', async () => {
    const app = await givenApplication(service())
    const { owner } = app.organisation
    await owner.patch(`/v1/admin/clients/${app.id}`, { accessTokenLifetime: 5_400 })
    const { page, faults } = await openConsole(owner, `/console/applications/${app.id}/settings`, { reducedMotion: 'reduce' })
    const lifetime = page.getByRole('textbox', { name: 'Access token', exact: true })
    const unit = page.getByRole('combobox', { name: 'Unit of Access token' })
    const shown = async () => `${await lifetime.inputValue()} ${await unit.textContent()}`
    const choose = async (field: string, name: string) => {
      await page.getByRole('combobox', { name: `Unit of ${field}` }).click()
      const option = page.getByRole('option', { name, exact: true })
      await option.waitFor()
      const offered = await page.getByRole('option').allTextContents()
      await option.click()
      await option.waitFor({ state: 'detached' })
      return offered
    }
    const bar = page.getByRole('region', { name: 'Unsaved changes' })
    const save = async () => {
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await bar.waitFor({ state: 'detached' })
      return storedClient(app)
    }

    await expect.poll(shown).toBe('90 Minutes')
    await choose('Access token', 'Hours')
    await expect.poll(shown).toBe('90 Hours')
    await bar.getByRole('button', { name: 'Discard' }).click()
    await expect.poll(shown).toBe('90 Minutes')
    await page.getByLabel('Name', { exact: true }).fill('Customer portal')
    expect(await save()).toMatchObject({ name: 'Customer portal', accessTokenLifetime: 5_400 })

    await choose('Access token', 'Hours')
    await lifetime.fill('2.5')
    expect(await save()).toMatchObject({ accessTokenLifetime: 9_000 })
    expect(await shown()).toBe('2.5 Hours')
    await lifetime.fill('0.33333')
    expect(await save()).toMatchObject({ accessTokenLifetime: 1_200 })

    await page.getByLabel('Name', { exact: true }).fill('Mine')
    await owner.patch(`/v1/admin/clients/${app.id}`, { name: 'Theirs', accessTokenLifetime: 900 })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Save yours' }).click()
    await bar.waitFor({ state: 'detached' })
    expect(await storedClient(app)).toMatchObject({ name: 'Mine', accessTokenLifetime: 900 })
    await expect.poll(shown).toBe('15 Minutes')
    expect(faults.splice(0)).toEqual([expect.stringMatching(/^response: 412 PATCH/)])

    await page.getByRole('textbox', { name: 'Repeating a refresh', exact: true }).fill('10')
    expect(await choose('Code', 'Hours')).toEqual(['Seconds', 'Minutes', 'Hours'])
    expect(await choose('Repeating a refresh', 'Minutes')).toEqual(['Seconds', 'Minutes'])
    expect(await save()).toMatchObject({ authorizationCodeTtl: 3_600, refreshTokenGraceSeconds: 60 })
    expect(faults).toEqual([])
  })

  it('makes another secret, shows it once, and counts down to the end of the former one', async () => {
    const app = await givenApplication(service(), { grantTypes: ['client_credentials'], redirectUris: [] })
    const { page, context, faults } = await openConsole(app.organisation.owner, `/console/applications/${app.id}/security`)
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const logged: string[] = []
    page.on('console', (message) => logged.push(message.text()))
    await page.getByRole('button', { name: 'Rotate the secret' }).click()
    await page.getByText('1 hour', { exact: true }).click()
    await page.getByRole('dialog').or(page.getByRole('alertdialog')).getByRole('button', { name: 'Rotate the secret' }).click()
    const dialog = page.getByRole('alertdialog', { name: 'The new secret' })
    const secret = (await dialog.locator('code').first().textContent()) as string
    expect(secret).toMatch(/^[\w-]{43}$/)
    await page.keyboard.press('Escape')
    expect(await dialog.isVisible()).toBe(true)
    await dialog.getByRole('checkbox', { name: 'I have stored it' }).click()
    await dialog.getByRole('button', { name: 'Done' }).click()

    await page.getByText(/works for \d+ minutes \d+ seconds more/).waitFor()
    for (const one of [secret, app.secret as string]) {
      expect(
        await app.post('/oauth2/token', { grant_type: 'client_credentials', client_id: app.id, client_secret: one }, {}),
      ).toMatchObject({ status: 200 })
    }
    await page.getByRole('button', { name: 'This page as API calls' }).click()
    await page.getByRole('dialog').getByText('rotate-secret').first().waitFor()
    const storage = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state])')
    const everywhere = [await page.content(), storage, page.url(), ...logged].join('\n')
    expect(everywhere.includes(secret)).toBe(false)
    expect((await actionsOn(app))[0]).toMatchObject({ action: 'client.secret_rotated', metadata: { gracePeriodSeconds: 3_600 } })
    expect(faults).toEqual([])
  })

  it('revokes, activates and deletes, and says in numbers what ends', async () => {
    const app = await givenApplication(service())
    await app.signIn({ scope: 'openid offline_access' })
    await app.signIn({ scope: 'openid offline_access' })
    const { page, faults } = await openConsole(app.organisation.owner, `/console/applications/${app.id}/history`)
    const choose = async (item: string) => {
      await page.getByRole('button', { name: 'Actions for Portal' }).click()
      await page.getByRole('menuitem', { name: item, exact: true }).click()
    }
    await choose('Revoke')
    await page.getByText('It can act for 1 user now. 2 refresh tokens end.').waitFor()
    await page.getByLabel('Reason (optional)').fill('Leaked')
    await page.getByRole('button', { name: 'Revoke Portal' }).click()
    await page.getByText('This application is revoked').waitFor()
    expect((await actionsOn(app))[0]).toMatchObject({ action: 'client.revoked', metadata: { reason: 'Leaked' } })
    await page.getByRole('link', { name: 'Try it', exact: true }).click()
    await page.getByText('To try it, activate it first.').waitFor()
    expect(await page.getByText(/revoked/).count()).toBe(1)

    await choose('Activate')
    await page.getByRole('button', { name: 'Activate Portal' }).click()
    await page.getByText('This application is revoked').waitFor({ state: 'detached' })
    expect(await storedClient(app)).toMatchObject({ isActive: true })

    await choose('Delete')
    await page.getByText('At the moment it can act for no user.').waitFor()
    await page.getByLabel('Type Portal to confirm').fill('Portal')
    await page.getByRole('button', { name: 'Delete Portal' }).click()
    await page.waitForURL(/\/console\/applications$/)
    expect((await app.organisation.owner.get(`/v1/admin/clients/${app.id}`)).status).toBe(404)
    expect((await actionsOn(app))[0]).toMatchObject({ action: 'client.deleted' })
    expect(faults.filter((fault) => !fault.includes('response: 404 GET'))).toEqual([])
  })

  it.each([
    [1280, 720],
    [390, 844],
  ])('says what was done beside unsaved changes, above the bar that saves them, at %i pixels', async (width, height) => {
    const app = await givenApplication(service())
    const { page, faults } = await openConsole(app.organisation.owner, `/console/applications/${app.id}/settings`, {
      viewport: { width, height },
    })
    await page.getByLabel('Description').fill('Orders')
    await page.getByRole('button', { name: 'Actions for Portal' }).click()
    await page.getByRole('menuitem', { name: 'Revoke', exact: true }).click()
    await page.getByRole('button', { name: 'Revoke Portal' }).click()
    // What is hidden has no role.
    const said = page.getByRole('status').filter({ hasText: /^Done: / })
    await said.waitFor()
    const [line, bar] = await Promise.all([said.boundingBox(), page.getByRole('region', { name: 'Unsaved changes' }).boundingBox()])
    expect((line?.y ?? 0) + (line?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0)
    expect(faults).toEqual([])
  })

  it('is read by those who may not change it, and tells of what fails', async () => {
    const app = await givenApplication(service())
    const { owner } = app.organisation
    const reader = await service().given.userWith(owner, ['clients:read'])
    const { page, faults } = await openConsole(reader, `/console/applications/${app.id}/settings`)
    await page.getByText('To change this you need the permission clients:update.').first().waitFor()
    expect(await page.getByRole('textbox').count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Actions for Portal' }).count()).toBe(0)
    await page.getByRole('link', { name: 'Security', exact: true }).click()
    await page.getByRole('button', { name: 'Rotate the secret' }).waitFor()
    expect(await page.getByRole('button', { name: 'Rotate the secret' }).isDisabled()).toBe(true)
    expect(await page.getByRole('button', { name: 'Make a key' }).isDisabled()).toBe(true)
    expect(await page.getByRole('textbox').count()).toBe(0)
    await page.getByRole('link', { name: 'Try it', exact: true }).click()
    await page.getByText('/console/try would have to be added first').waitFor()
    await page.getByRole('link', { name: 'Refusals', exact: true }).click()
    await page.getByRole('heading', { name: 'Nothing from this application was refused in the last seven days' }).waitFor()
    await app.authorize({ redirect_uri: 'https://elsewhere.test/' })
    await page.getByRole('link', { name: /^This application cannot sign you in/ }).waitFor()
    await page.getByRole('link', { name: 'History', exact: true }).click()
    await page.goto(`/console/applications/${app.id}/nothing`)
    await page.getByRole('heading', { name: 'This no longer exists' }).waitFor()
    expect(faults).toEqual([])

    await page.goto('/console/applications/cli_01kahm3z9n4v7f2t8q6w5r1y0x')
    await page.getByRole('heading', { name: 'This no longer exists' }).waitFor()
    await page.route(`**/v1/admin/clients/${app.id}`, (route) => route.fulfill(unavailable))
    await page.goto(`/console/applications/${app.id}`)
    await page.getByText('This could not be shown').waitFor()
    await page.unroute(`**/v1/admin/clients/${app.id}`)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { level: 1, name: 'Portal' }).waitFor()
  })
})
