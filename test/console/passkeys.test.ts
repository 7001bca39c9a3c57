import { describe, expect, it } from 'vitest'
import { useConsole } from '../support/console.ts'
import type { SignedInUser } from '../support/given.ts'
import { PasskeyDevice, registerPasskey } from '../support/passkeys.ts'

const { service, openConsole } = useConsole({ host: 'localhost' })

const aDevice = (options = {}) => new PasskeyDevice({ origin: service().services.publicUrl, ...options })
const addressOf = ({ id }: { id: string }) => `/console/users/${id}/passkeys`
const passkeysOf = async (owner: SignedInUser, { id }: { id: string }) => (await owner.get(`/v1/admin/users/${id}/passkeys`)).body
const entriesOf = async (owner: SignedInUser, action: string) => (await owner.get(`/v1/admin/audit-logs?action=${action}`)).body.data
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
    expect(await entriesOf(owner, 'passkey.deleted')).toMatchObject([{ target: { name: 'Work laptop' }, actor: { id: owner.id } }])
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
