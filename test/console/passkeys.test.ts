import type { BrowserContext, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { enrolAuthenticator } from '../support/authenticator.ts'
import { chunkOf, useConsole } from '../support/console.ts'
import type { SignedInUser } from '../support/given.ts'
import { PasskeyDevice, registerPasskey } from '../support/passkeys.ts'
import { registerInWindow, VirtualAuthenticator } from '../support/virtual-authenticator.ts'
import { recentSignInRequired } from './every-overlay.ts'

const { service, openConsole } = useConsole({ host: 'localhost', ofItsOwn: true })

const aDevice = (options = {}) => new PasskeyDevice({ origin: service().services.publicUrl, ...options })
const addressOf = ({ id }: { id: string }) => `/console/users/${id}/passkeys`
const passkeysOf = async (owner: SignedInUser, { id }: { id: string }) => (await owner.get(`/v1/admin/users/${id}/passkeys`)).body
const withoutAnswers = (faults: string[], ...statuses: number[]) =>
  faults.filter((fault) => !statuses.some((status) => fault.startsWith(`response: ${status} `)))

describe('the passkeys of a user', () => {
  it('say what each is good for, and are deleted after the question what ends', async () => {
    const { given, mailbox, database } = service()
    const { owner, id: organisationId } = await given.organisation()
    const user = await given.signIn((await given.user(owner, { firstName: 'Anna', lastName: 'Shaw' })).email)
    const signsIn = await registerPasskey(user, aDevice(), { name: 'Work laptop' })
    await registerPasskey(user, aDevice({ verifiesUser: false }), { name: 'Security key' })
    for (let number = 3; number <= 20; number++) await registerPasskey(user, aDevice(), { name: `Device ${number}` })
    await database.tenant(organisationId).updateTable('users').set({ passwordHash: null }).where('id', '=', user.id).execute()
    const { page, context, faults, settled } = await openConsole(owner, addressOf(user))
    await settled()

    const row = (name: string) => page.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) })
    expect(await page.getByRole('rowheader').count()).toBe(20)
    await row('Work laptop').getByText('Signs in').waitFor()
    await row('Work laptop').getByText('Never').waitFor()
    await row('Security key').getByText('Second factor only').waitFor()
    await page.getByRole('button', { name: 'Delete Work laptop' }).click()
    const question = page.getByRole('alertdialog', { name: 'Delete the passkey Work laptop of Anna Shaw?' })
    await question.getByText('All sessions of Anna Shaw end').waitFor()
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'detached' })
    expect(await passkeysOf(owner, user)).toMatchObject({ total: 20 })

    await page.getByRole('button', { name: 'Delete Work laptop' }).click()
    await question.getByRole('button', { name: 'Delete Work laptop' }).click()
    await page.getByText('The passkey Work laptop was deleted').waitFor()
    await expect.poll(() => page.getByRole('rowheader').count()).toBe(19)
    expect((await passkeysOf(owner, user)).data.map(({ id }: { id: string }) => id)).not.toContain(signsIn.id)
    expect(await user.get('/v1/me/profile')).toMatchObject({ status: 401 })
    expect(await owner.audit({ action: 'passkey.deleted' })).toMatchObject([{ target: { name: 'Work laptop' }, actor: { id: owner.id } }])
    await mailbox.mailTo(user.email, 'passkey')

    const problem = { title: 'Service Unavailable', status: 503, detail: 'Try again later', code: 'service-unavailable' }
    const failing = (url: URL) => url.pathname.endsWith('/passkeys') && url.pathname.startsWith('/v1')
    await context.route(failing, (route) => route.fulfill({ status: 503, contentType: 'application/problem+json', json: problem }))
    await page.reload()
    await page.getByText('This could not be shown').waitFor()
    await context.unroute(failing)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('rowheader', { name: 'Security key' }).waitFor()
    expect(withoutAnswers(faults, 503)).toEqual([])
  })

  it('are the owner’s own to delete, and only shown to those who may read', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    await registerPasskey(owner, aDevice(), { name: 'Key of the owner' })
    const admin = await given.userWith(owner, ['users:read', 'users:update'])
    const forAdmin = await openConsole(admin, addressOf(owner))
    const button = forAdmin.page.getByRole('button', { name: 'Delete Key of the owner' })
    await button.waitFor()
    expect(await button.getAttribute('aria-disabled')).toBe('true')
    await forAdmin.page.getByText('Only the owner can delete a passkey of the owner').first().waitFor({ state: 'attached' })
    await forAdmin.goTo(addressOf(admin))
    await forAdmin.page.getByText('No passkey').first().waitFor()
    expect(forAdmin.faults).toEqual([])

    const reader = await openConsole(await given.userWith(owner, ['users:read']), addressOf(owner))
    await reader.page.getByRole('rowheader', { name: 'Key of the owner' }).waitFor()
    expect(await reader.page.getByRole('button', { name: /^Delete/ }).count()).toBe(0)
    expect(reader.faults).toEqual([])
  })
})

describe('a call that needs a recent sign-in', () => {
  /** The API refuses the first deletion of a passkey. */
  async function refuseFirst(context: BrowserContext, ...methods: string[]) {
    let refused = 0
    await context.route(/\/v1\/admin\/users\/[^/]+\/passkeys\/[^/]+$/, (route) =>
      refused++ === 0 ? route.fulfill(recentSignInRequired(...methods)) : route.continue(),
    )
    return () => refused
  }

  async function beginToDelete(page: Page, name: string) {
    await page.getByRole('button', { name: `Delete ${name}` }).click()
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: `Delete ${name}` })
      .click()
    return page.getByRole('alertdialog', { name: 'Is it still you?' })
  }

  async function aPasskeyToDelete() {
    const { owner } = await service().given.organisation()
    const user = await service().given.userWith(owner, [])
    await registerPasskey(user, aDevice(), { name: 'Phone' })
    return { owner, user }
  }

  it('asks for the password, says what is wrong with it, and is repeated once it is right', async () => {
    const { owner, user } = await aPasskeyToDelete()
    const { page, context, faults } = await openConsole(owner, addressOf(user))
    const sent = await refuseFirst(context, 'password')
    const dialog = await beginToDelete(page, 'Phone')

    await dialog.getByLabel('Your password').fill('not the password')
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await dialog.getByText('This is not your password').waitFor()
    expect(await passkeysOf(owner, user)).toMatchObject({ total: 1 })
    await dialog.getByLabel('Your password').fill(owner.password)
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await page.getByText('The passkey Phone was deleted').waitFor()
    await page.getByText('No passkey').first().waitFor()

    expect(sent()).toBe(2)
    expect(await owner.audit({ action: 'session.reauthenticated' })).toMatchObject([{ metadata: { factor: 'password' } }])
    await page.getByRole('button', { name: 'API calls' }).click()
    await page.getByText('/v1/me/reauthenticate').first().waitFor()
    expect(await page.content()).not.toContain(owner.password)
    expect(withoutAnswers(faults, 400, 403)).toEqual([])
  })

  it('is refused at its control when the proof is not given', async () => {
    const { owner, user } = await aPasskeyToDelete()
    const { page, context, faults } = await openConsole(owner, addressOf(user))
    const sent = await refuseFirst(context, 'password')
    const dialog = await beginToDelete(page, 'Phone')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('alertdialog', { name: /Phone/ }).getByText('Confirm first that it is still you').waitFor()
    expect(sent()).toBe(1)
    expect(await passkeysOf(owner, user)).toMatchObject({ total: 1 })
    expect(withoutAnswers(faults, 403)).toEqual([])
  })

  it('is refused at its control when what asks for the proof is gone, since another version was installed', async () => {
    const { owner, user } = await aPasskeyToDelete()
    const { page, context, faults, settled } = await openConsole(owner, addressOf(user))
    await settled()
    const sent = await refuseFirst(context, 'password')
    await page.route(chunkOf('src/shell/proof-dialog.tsx'), (route) => route.fulfill({ status: 404 }))
    await page.evaluate("sessionStorage.setItem('gatehouse.reloaded', String(Date.now()))")
    await beginToDelete(page, 'Phone')
    const question = page.getByRole('alertdialog', { name: /Phone/ })
    await question.getByText('Confirm first that it is still you').waitFor()
    expect(await question.getByRole('button', { name: 'Cancel' }).isEnabled()).toBe(true)
    expect(sent()).toBe(1)
    expect(await passkeysOf(owner, user)).toMatchObject({ total: 1 })
    await page.getByRole('status', { includeHidden: true }).filter({ hasText: 'A new version is ready' }).waitFor()
    expect(withoutAnswers(faults, 403, 404)).toEqual([])
  })

  it('takes a code of the second factor, or a passkey', async () => {
    const { owner, user } = await aPasskeyToDelete()
    const { authenticator } = await enrolAuthenticator(owner, service().clock)
    await registerPasskey(user, aDevice(), { name: 'Tablet' })
    const { page, context, faults } = await openConsole(owner, addressOf(user))
    const device = await VirtualAuthenticator.plugInto(page)
    await registerInWindow(page, owner)
    let methods = ['code', 'passkey']
    let isRefused = true
    await context.route(/\/v1\/admin\/users\/[^/]+\/passkeys\/[^/]+$/, (route) => {
      const refuses = isRefused
      isRefused = !isRefused
      return refuses ? route.fulfill(recentSignInRequired(...methods)) : route.continue()
    })

    const dialog = await beginToDelete(page, 'Phone')
    await dialog.getByLabel('Code of your second factor').fill(authenticator.wrongCode())
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await dialog.getByText('This code is not valid').waitFor()
    await dialog.getByLabel('Code of your second factor').fill(authenticator.nextCode().replace(/^.../, '$& '))
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await page.getByText('The passkey Phone was deleted').waitFor()

    methods = ['passkey']
    await beginToDelete(page, 'Tablet')
    await device.verifies(false)
    await dialog.getByRole('button', { name: 'Use a passkey' }).click()
    await dialog.getByText('No passkey was used').waitFor()
    await device.verifies(true)
    await dialog.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByText('The passkey Tablet was deleted').waitFor()
    expect(await passkeysOf(owner, user)).toMatchObject({ total: 0 })
    const factors = (await owner.audit({ action: 'session.reauthenticated' })).map(
      ({ metadata }: { metadata: { factor: string } }) => metadata.factor,
    )
    expect(factors).toEqual([expect.stringContaining('passkey'), 'totp'])
    expect(withoutAnswers(faults, 400, 403)).toEqual([])
  })
})
