import { describe, expect, it } from 'vitest'
import { useConsole } from '../support/console.ts'
import { givenApplication } from '../support/oauth.ts'
import { useReceiver } from '../support/receiver.ts'

const receiver = await useReceiver()
const { service, openConsole } = useConsole({
  environment: { OAUTH_EXTENSIONS: 'backchannel_logout', WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'true' },
  webhooks: receiver.reachable,
})

describe('the logout page of an application', () => {
  it('shows what the application was told of an ended session and what it answered, and tells it again', async () => {
    const hook = receiver.hook()
    hook.answer = () => ({ status: 400, body: '{"error":"invalid_request"}' })
    const app = await givenApplication(service(), { backchannelLogoutUri: hook.url })
    const { owner } = app.organisation
    await app.signIn({ scope: 'openid' })
    const admin = await service().given.signIn(owner.email)
    await owner.post('/v1/auth/logout')
    await hook.request()
    await service().deliverDueWebhooks()

    const { page, faults } = await openConsole(admin, `/console/applications/${app.id}/logout`)
    await page.getByText(hook.url).waitFor()
    const rows = page.getByRole('table', { name: 'Logout deliveries' }).getByRole('row')
    await rows.getByText('Failed 400').click()
    const drawer = page.getByRole('dialog', { name: 'Delivery' })
    await drawer.getByText('Response status 400').waitFor()
    await drawer.getByText('{"error":"invalid_request"}').waitFor()
    await drawer.getByText('"sid"').waitFor()
    // Its address is that of the delivery, for users who may read it. The user it is about is a link for those who may read users.
    expect(await drawer.getByRole('link', { name: admin.id }).count()).toBe(1)
    const reader = await openConsole(
      await service().given.userWith(admin, ['clients:read']),
      page.url().slice(page.url().indexOf('/console')),
    )
    const shown = reader.page.getByRole('dialog', { name: 'Delivery' })
    await shown.getByText(admin.id, { exact: true }).waitFor()
    expect(await shown.getByRole('link').count()).toBe(0)
    expect(reader.faults).toEqual([])

    hook.answer = () => ({ status: 200 })
    await drawer.getByRole('button', { name: 'Tell it again' }).click()
    await page.getByText('The application is told again').waitFor()
    await drawer.getByText('Arrived 200').waitFor()
    await page.keyboard.press('Escape')
    await rows.getByText('Arrived 200').waitFor()
    expect(hook.requests).toHaveLength(2)
    expect(faults).toEqual([])
  })

  it('sends a test, which signs no user out', async () => {
    const hook = receiver.hook()
    const app = await givenApplication(service(), { backchannelLogoutUri: hook.url })
    const { owner } = app.organisation
    const { page, faults } = await openConsole(owner, `/console/applications/${app.id}/logout`)
    await page.getByText('Nothing was told yet').waitFor()

    await page.getByRole('button', { name: 'Send a test' }).click()
    await page.getByRole('dialog', { name: 'Delivery' }).getByText('Arrived 200').waitFor()
    expect(hook.requests).toHaveLength(1)
    expect(await owner.get('/v1/me/profile')).toMatchObject({ status: 200 })
    expect(faults).toEqual([])
  })

  it('leads to the settings while the application has no address', async () => {
    const app = await givenApplication(service())
    const { page, faults } = await openConsole(app.organisation.owner, `/console/applications/${app.id}/logout`)
    await page.getByText('The application has no address, and is told nothing.').waitFor()
    const reader = await service().given.userWith(app.organisation.owner, ['clients:read'])
    const reading = await openConsole(reader, `/console/applications/${app.id}/logout`)
    await reading.page.getByText('The application has no address, and is told nothing.').waitFor()
    expect(await reading.page.getByRole('link', { name: 'Set the address' }).count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Send a test' }).count()).toBe(0)

    await page.getByRole('link', { name: 'Set the address' }).click()
    await page.getByLabel('Where it is told of ended sessions').waitFor()
    expect(faults).toEqual([])
  })
})
