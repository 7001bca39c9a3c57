import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { unavailable, useConsole } from '../support/console.ts'
import type { SignedInUser } from '../support/given.ts'
import { PasskeyDevice, registerPasskey } from '../support/passkeys.ts'
import { picture } from '../support/pictures.ts'

const { service, openConsole } = useConsole({ host: 'localhost' })

const address = (section: string) => `/console/organisation/${section}`
const settingsOf = async (owner: SignedInUser) => (await owner.get('/v1/admin/organisation')).body
const changesIn = async (owner: SignedInUser, action = 'organisation.updated') =>
  (await owner.get(`/v1/admin/audit-logs?action=${action}`)).body.data
const saveBar = (page: Page) => page.getByRole('region', { name: 'Unsaved changes' })
const save = (page: Page) => saveBar(page).getByRole('button', { name: 'Save' }).click()

describe('the settings of the organisation', () => {
  it('say what follows before a policy is saved, and save nothing when that is not wanted', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    await given.user(owner, { firstName: 'Vera', lastName: 'Lindqvist' })
    const { page, faults } = await openConsole(owner, address('sign-in'))

    await page.getByRole('switch', { name: 'Every user must have a second factor' }).click()
    await page.getByRole('textbox', { name: 'Fewest characters' }).fill('14')
    await page.getByRole('textbox', { name: 'Ends without use after' }).fill('20')
    await saveBar(page).getByText('3 changes').waitFor()
    await save(page)
    const question = page.getByRole('alertdialog', { name: 'Save these changes?' })
    await question.getByText('2 users must set up a second factor at their next sign-in.').waitFor()
    await question.getByText('Vera Lindqvist').first().waitFor()
    await question.getByText('8 → 14').waitFor()
    await question.getByText('30 minutes → 20 minutes').waitFor()
    await question.getByText('No running session ends: the former value stays for 1 user now signed in.').waitFor()
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'detached' })
    expect(await changesIn(owner)).toEqual([])

    await save(page)
    await question.getByRole('button', { name: 'Save the changes' }).click()
    await page.getByText(/^Saved: /).waitFor()
    await saveBar(page).waitFor({ state: 'detached' })
    expect(await settingsOf(owner)).toMatchObject({ requireMfa: true, passwordPolicy: { minLength: 14 }, sessionIdleTimeout: 1_200 })
    const [entry, ...others] = await changesIn(owner)
    expect(Object.keys(entry.changes).sort()).toEqual(['passwordPolicy', 'requireMfa', 'sessionIdleTimeout'])
    expect(others).toEqual([])
    expect(faults).toEqual([])
  })

  it('say whom another way to sign in would lock out or ask for more, and say a refusal at its field', async () => {
    const { given, services } = service()
    const { owner } = await given.organisation()
    await given.user(owner, { firstName: 'Vera', lastName: 'Lindqvist' })
    await registerPasskey(await given.userWith(owner, []), new PasskeyDevice({ origin: services.publicUrl }))
    const { page, faults } = await openConsole(owner, address('sign-in'))
    const withPassword = page.getByRole('switch', { name: 'Sign in with a password' })
    const passkeys = (choice: string) => page.getByRole('radiogroup', { name: 'Passkeys' }).getByText(choice, { exact: true }).click()
    const question = page.getByRole('alertdialog', { name: 'Save these changes?' })

    await withPassword.click()
    await passkeys('Off')
    await page.getByText('Passkeys are off.').first().waitFor()
    await save(page)
    await page.getByText('Passwords can be switched off only while passkeys or e-mail codes are allowed').waitFor()
    await expect.poll(() => withPassword.getAttribute('aria-invalid')).toBe('true')
    expect(await question.count()).toBe(0)
    await withPassword.click()
    await save(page)
    await question.getByText('The passkeys of 1 user stop working at once. They stay stored.').waitFor()
    await question.getByRole('button', { name: 'Cancel' }).click()

    await passkeys('Required')
    await page.getByText('The password still signs in beside passkeys.').waitFor()
    await page.getByRole('button', { name: 'Switch the password off' }).click()
    await expect.poll(() => withPassword.getAttribute('aria-checked')).toBe('false')
    await save(page)
    await question.getByText('1 user can no longer sign in').waitFor()
    await question.getByText('Vera Lindqvist').waitFor()
    await question.getByText('No passkey yet for 1 user: at their next sign-in they register one').waitFor()
    await question.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('switch', { name: 'Sign in with a code sent by e-mail' }).click()
    await page.getByRole('switch', { name: 'A passkey stands for both factors' }).click()
    await page.getByRole('checkbox', { name: 'Not known from a data breach' }).click()
    await save(page)
    await question.getByText('No passkey yet for 2 users').waitFor()
    await question.getByRole('button', { name: 'Save the changes' }).click()
    await page.getByText(/^Saved: /).waitFor()

    expect(await settingsOf(owner)).toMatchObject({
      signInPolicy: { password: 'disabled', passkeys: 'required', passkeySatisfiesMfa: false, emailCode: 'allowed' },
      passwordPolicy: { refuseBreached: false },
    })
    const [entry, ...others] = await changesIn(owner)
    expect(Object.keys(entry.changes).sort()).toEqual(['passwordPolicy', 'signInPolicy'])
    expect(others).toEqual([])
    expect(faults.filter((fault) => !fault.startsWith('response: 400 '))).toEqual([])
  })

  it('name the applications outside a list of addresses, and say that they keep working', async () => {
    const { owner } = await service().given.organisation()
    await owner.post('/v1/admin/clients', { name: 'Portal', clientType: 'public', redirectUris: ['https://portal.test/'] })
    const { page, faults } = await openConsole(owner, address('urls'))
    const list = page.getByRole('group', { name: 'Redirect URIs' })
    await list.getByRole('button').click()
    await list.getByRole('textbox').fill('https://other.test/callback')
    await save(page)
    const question = page.getByRole('alertdialog')
    await question.getByText(/An address outside the list is registered by 1 application\. It keeps working/).waitFor()
    await question.getByText('Portal').waitFor()
    await question.getByRole('button', { name: 'Save the changes' }).click()
    await page.getByText(/^Saved: /).waitFor()
    expect((await settingsOf(owner)).allowedCallbackUrls).toEqual(['https://other.test/callback'])
    expect(faults).toEqual([])
  })

  it('show a mistake at its field, keep what was typed, and focus it', async () => {
    const { given } = service()
    const [{ owner }, other] = [await given.organisation(), await given.organisation()]
    const { page, faults } = await openConsole(owner, address('urls'))
    const origins = page.getByRole('group', { name: 'Origins' })
    await origins.getByRole('button').click()
    await origins.getByRole('textbox').fill('https://a.test')
    await origins.getByRole('button', { name: 'Add' }).click()
    await origins.getByRole('textbox').nth(1).fill('https://b.test/path')
    await save(page)
    await origins.getByText('Must be an origin').waitFor()
    const second = origins.getByRole('textbox').nth(1)
    await expect.poll(() => second.evaluate((field) => field === field.ownerDocument.activeElement)).toBe(true)
    expect(await second.inputValue()).toBe('https://b.test/path')
    await saveBar(page).getByRole('button', { name: 'Discard' }).click()

    await page.getByRole('link', { name: 'Branding' }).click()
    const colour = page.getByRole('textbox', { name: 'Colour', exact: true })
    await colour.fill('red')
    await page.getByText('The preview waits until the fields are right.').waitFor()
    await save(page)
    await page.getByText('Must be a colour').waitFor()
    await expect.poll(() => colour.evaluate((field) => field === field.ownerDocument.activeElement)).toBe(true)
    await saveBar(page).getByRole('button', { name: 'Discard' }).click()

    await page.getByRole('link', { name: 'General' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill(other.name)
    await save(page)
    await page.getByText('Another organisation has this name').waitFor()
    expect(await changesIn(owner)).toEqual([])
    expect(faults.filter((fault) => !/^response: 4(00|09) /.test(fault))).toEqual([])
  })

  it('lose nothing when somebody else has saved meanwhile', async () => {
    const { owner } = await service().given.organisation()
    const { page, faults } = await openConsole(owner, address('general'))
    await page.getByRole('textbox', { name: 'Telephone number' }).fill('+44 20 7946 0001')
    await owner.patch('/v1/admin/organisation', { phone: '+44 20 7946 0002' })
    await save(page)
    const question = page.getByRole('alertdialog', { name: 'Somebody else has changed this meanwhile' })
    await question.getByRole('cell', { name: '0002' }).waitFor()
    expect((await settingsOf(owner)).phone).toBe('+44 20 7946 0002')
    await question.getByRole('button', { name: 'Save yours' }).click()
    await question.waitFor({ state: 'detached' })
    expect((await settingsOf(owner)).phone).toBe('+44 20 7946 0001')
    expect(faults.filter((fault) => !fault.startsWith('response: 412'))).toEqual([])
  })

  it('preview the branding and say how well its colour can be read, before it is saved', async () => {
    const { owner } = await service().given.organisation()
    const { page, faults } = await openConsole(owner, address('branding'))
    await page.getByRole('textbox', { name: 'Colour', exact: true }).fill('#8fb8ff')
    await page.getByText('Your colour reaches 1.8 : 1; links are shown as #566e99 (4.7 : 1) to be readable.').waitFor()
    const frames = page.locator('iframe')
    await expect
      .poll(() => frames.evaluateAll((all) => all.filter((frame) => /8fb8ff/.test(frame.getAttribute('src') ?? '')).length))
      .toBe(4)
    expect(await frames.first().getAttribute('sandbox')).toBe('allow-same-origin')
    const shown = page.frameLocator('iframe[title="Sign-in page, dark, phone"]')
    await shown.getByText('Sign in').first().waitFor()
    await page.getByRole('button', { name: 'Deutsch' }).click()
    await shown.getByText('Anmelden').first().waitFor()
    expect((await settingsOf(owner)).branding).toBeNull()

    await save(page)
    await page.getByText(/^Saved: /).waitFor()
    expect((await settingsOf(owner)).branding).toEqual({ primaryColor: '#8fb8ff' })
    expect(faults).toEqual([])
  })

  it('take a logo from a file, show it in the preview, and remove it', async () => {
    const { owner } = await service().given.organisation()
    const { page, faults } = await openConsole(owner, address('branding'))
    const choose = (name: string, mimeType: string, content: Buffer) =>
      page.locator('input[type=file]').setInputFiles({ name, mimeType, buffer: content })
    await page.getByRole('button', { name: 'Choose a logo' }).waitFor()
    await choose('logo.svg', 'image/svg+xml', Buffer.from('<svg/>'))
    await page.getByText('The logo must be a PNG, JPEG or WebP picture').waitFor()
    await choose('logo.png', 'image/png', Buffer.from(picture(), 'base64'))
    await page.getByRole('img', { name: 'The logo on white' }).waitFor()
    const { logoUrl } = (await settingsOf(owner)).branding
    expect(await page.getByRole('textbox', { name: 'Address of the logo' }).inputValue()).toBe(logoUrl)
    await page.frameLocator('iframe[title="Sign-in page, dark, phone"]').locator(`img[src="${logoUrl}"]`).waitFor()

    await page.getByRole('button', { name: 'Remove the logo' }).click()
    await page.getByRole('img', { name: 'The logo on white' }).waitFor({ state: 'detached' })
    expect((await settingsOf(owner)).branding.logoUrl).toBeNull()
    expect(faults).toEqual([])
  })

  it('are text for those who may not change them', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const { page, faults } = await openConsole(await given.userWith(owner, ['organisation:read']), address('general'))
    for (const section of ['General', 'Sign-in', 'Tokens', 'Addresses', 'Branding']) {
      await page.getByRole('link', { name: section, exact: true }).click()
      await page.getByText('To change this you need the permission organisation:update.').waitFor()
      expect(await page.getByRole('main').locator('input, iframe, [role=switch]').count()).toBe(0)
    }
    await page.getByRole('link', { name: 'Owner and end' }).click()
    await page.getByText('Only the owner can do this').first().waitFor()
    expect(await page.getByRole('main').getByRole('button').count()).toBe(0)
    expect(faults).toEqual([])
  })

  it('can be read and not changed while the organisation is suspended, and say why', async () => {
    const { given, database } = service()
    const { owner, id } = await given.organisation()
    // The operator ends every session when they suspend; one that began meanwhile is left.
    await database.system().updateTable('organisations').set({ status: 'suspended' }).where('id', '=', id).execute()
    const { page, faults } = await openConsole(owner, address('sign-in'))
    await page.getByText('This organisation is suspended').waitFor()
    await page.getByText('Fewest characters').waitFor()
    expect(await page.getByRole('main').locator('input, [role=switch]').count()).toBe(0)
    await page.getByRole('link', { name: 'Owner and end' }).click()
    await page.getByRole('heading', { name: 'Delete the organisation' }).waitFor()
    expect(await page.getByRole('main').getByRole('button').count()).toBe(0)
    await page.getByRole('link', { name: 'Overview' }).click()
    await page.getByRole('region', { name: 'At a glance' }).waitFor()
    expect(await page.getByRole('link', { name: 'Invite a colleague' }).count()).toBe(0)
    expect(faults).toEqual([])
  })

  it('say when they could not be read, and that there is nothing at an unknown section', async () => {
    const { owner } = await service().given.organisation()
    const { page, context, faults } = await openConsole(owner, address('nothing'))
    await page.getByText('There is nothing here any more').waitFor()
    const failing = (url: URL) => url.pathname === '/v1/admin/organisation'
    await context.route(failing, (route) => route.fulfill(unavailable))
    await page.goto(address('general'))
    await page.getByText('This could not be shown').waitFor()
    await context.unroute(failing)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('textbox', { name: 'Name' }).waitFor()
    expect(faults.filter((fault) => !fault.startsWith('response: 503'))).toEqual([])
  })

  it('hand the organisation over and end it only after its name was typed', async () => {
    const { given } = service()
    const { owner, name } = await given.organisation()
    const heir = await given.user(owner, { firstName: 'Vera', lastName: 'Lindqvist' })
    const { page, faults } = await openConsole(owner, address('danger'))
    await page.getByRole('combobox', { name: 'New owner' }).fill('Vera')
    await page.getByRole('option', { name: /Vera Lindqvist/ }).click()
    await page.getByRole('button', { name: 'Transfer the ownership to Vera Lindqvist' }).click()
    const question = page.getByRole('alertdialog')
    await question.getByLabel(`Type ${name} to confirm`).fill(name)
    await question.getByRole('button', { name: 'Transfer the ownership to Vera Lindqvist' }).click()
    await page.getByText('Vera Lindqvist is the owner now').waitFor()
    await page.getByText('Only the owner can do this: Vera Lindqvist.').first().waitFor()
    expect((await settingsOf(owner)).ownerId).toBe(heir.id)
    expect(await changesIn(owner, 'organisation.ownership_transferred')).toHaveLength(1)
    expect(faults).toEqual([])

    const second = await openConsole(await given.signIn(heir.email), address('danger'))
    await second.page.getByRole('button', { name: 'Delete the organisation' }).click()
    const deletion = second.page.getByRole('alertdialog', { name: `Delete ${name}?` })
    await deletion.getByText('Access ends for 2 users').waitFor()
    await deletion.getByLabel(`Type ${name} to confirm`).fill(name)
    await deletion.getByRole('button', { name: 'Delete the organisation' }).click()
    await second.page.waitForURL('**/logged-out')
    expect(await owner.get('/v1/me/profile')).toMatchObject({ status: 401 })
    expect(second.faults.filter((fault) => !fault.startsWith('response: 401'))).toEqual([])
  })
})
