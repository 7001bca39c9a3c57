import { createHmac } from 'node:crypto'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { meanings } from '../../console/src/texts/de/event-meanings.ts'
import { events } from '../../src/activity/events.ts'
import { chunkOf, memoryOf, unavailable, useConsole } from '../support/console.ts'
import type { SignedInUser } from '../support/given.ts'
import { useReceiver } from '../support/receiver.ts'
import { createEndpoint } from '../support/webhooks.ts'

const receiver = await useReceiver()
const { service, openConsole } = useConsole({
  environment: { WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'true' },
  webhooks: receiver.reachable,
})

const hmac = (body: string, secret: string) => createHmac('sha256', secret).update(body).digest('hex')

const actionsOf = async (owner: SignedInUser, targetId: string): Promise<string[]> => {
  return (await owner.audit({ targetId })).map(({ action }: { action: string }) => action).reverse()
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const choose = async (page: Page, menuItem: string) => {
  await press(page, 'More actions')
  await page.getByRole('menuitem', { name: menuItem }).click()
}

/** The secret that the dialog shows once, which is then closed. */
async function takeSecret(page: Page): Promise<string> {
  const dialog = page.getByRole('alertdialog', { name: /^The secret of/ })
  const secret = (await dialog.getByText(/^whsec_/).textContent()) ?? ''
  await dialog.getByRole('checkbox', { name: 'I have stored it' }).click()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await dialog.waitFor({ state: 'detached' })
  return secret
}

const everythingStored = (page: Page): Promise<string> =>
  page.evaluate(
    'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href, history.state, document.documentElement.outerHTML])',
  )

describe('webhooks in the console', () => {
  it('are not created while what shows their secret cannot be loaded', async () => {
    const { owner } = await service().given.organisation()
    const { page, settled } = await openConsole(owner, '/console/webhooks?create=yes')
    await settled()
    await page.route(chunkOf('src/parts/secret-once.tsx'), (route) => route.abort('connectionreset'))
    const drawer = page.getByRole('dialog', { name: 'Create webhook' })
    await drawer.getByLabel('URL').fill('https://hooks.example.test/in')
    await drawer.getByRole('button', { name: 'Create webhook' }).click()
    await drawer.getByText(/^Something unexpected happened/).waitFor()
    expect(await drawer.getByLabel('URL').inputValue()).toBe('https://hooks.example.test/in')
    expect((await owner.get('/v1/admin/webhooks')).body.data).toEqual([])
  })

  it('can be used on a phone while a notice is shown, wherever the notice itself does not lie', async () => {
    const { owner } = await service().given.organisation()
    const { id } = await createEndpoint(owner, { url: receiver.hook().url, events: ['role.created'] })
    const { page, settled } = await openConsole(owner, `/console/webhooks/${id}`, { viewport: { width: 390, height: 844 }, hasTouch: true })
    await settled()
    await press(page, 'Deactivate')
    const notices = page.getByRole('region', { name: 'Notifications' })
    const notice = await notices.getByRole('dialog').boundingBox()
    const under = (y: number) => page.evaluate(`document.elementFromPoint(195, ${y}).closest('[aria-live]') !== null`)
    const { y = 0, height = 0 } = notice ?? {}
    expect([await under(y + height / 2), await under(y + height + 20), await under(800)]).toEqual([true, false, false])
  })

  it('lead from nothing to a delivery in six actions, with a secret that is shown once and stays nowhere', async () => {
    const { owner } = await service().given.organisation()
    const hook = receiver.hook()
    const { page, faults } = await openConsole(owner, '/console/webhooks')
    await page.getByText('No webhooks yet').waitFor()

    await page.getByRole('button', { name: 'Create webhook' }).first().click() // 1
    await page.getByLabel('URL').fill(hook.url) // 2
    await page.getByRole('dialog').getByRole('button', { name: 'Create webhook' }).click() // 3
    const secret = await takeSecret(page) // 4 and 5
    await heading(page, new URL(hook.url).host)
    await press(page, 'Send test') // 6
    await heading(page, 'webhook.test')
    await page.getByText('Arrived 200').waitFor()
    await page.getByText('Attempt 1').waitFor()

    const { headers, body } = await hook.request()
    expect(headers['x-svc-signature']).toBe(hmac(body, secret))
    const id = /webhooks\/(wh_\w+)/.exec(page.url())?.[1] as string
    expect(await actionsOf(owner, id)).toEqual(['webhook.created', 'webhook.tested'])

    await press(page, 'This page as API calls')
    await page.getByRole('button', { name: /POST \/v1\/admin\/webhooks 201/ }).click()
    await page.getByRole('tab', { name: 'Response' }).click()
    await page.getByText('••••••').waitFor()
    expect(await everythingStored(page)).not.toContain(secret)
    expect((await memoryOf(page)).includes(secret)).toBe(false)
    expect(service().logLines.join('\n')).not.toContain(secret)
    expect(faults).toEqual([])
  })

  it('show a replay, a copy for tests, curl and the raw bytes of a delivery', async () => {
    const { owner } = await service().given.organisation()
    const hook = receiver.hook()
    const { id } = await createEndpoint(owner, { url: hook.url, events: ['role.created'], variant: 'A' })
    await owner.post('/v1/admin/roles', { name: 'Auditor', slug: 'auditor' })
    const { body } = await hook.request()
    const { page, context, faults } = await openConsole(owner, `/console/webhooks/${id}`)
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])

    await page.getByRole('rowheader', { name: 'role.created' }).getByRole('link').click()
    await page.getByText('Arrived 200').waitFor()
    await page.getByText('"event": "role.created"').waitFor()
    await page.getByRole('button', { name: /^Raw, / }).click()
    await page.getByText(body, { exact: true }).waitFor()

    await choose(page, 'Copy as curl')
    await page.getByText('Copied').waitFor()
    const command = String(await page.evaluate('navigator.clipboard.readText()'))
    expect(command).toContain(`curl -sS -X POST '${hook.url}'`)
    expect(command).toContain(body)

    await choose(page, 'Copy as a test')
    const dialog = page.getByRole('dialog')
    const own = 'whsec_of-this-test'
    await dialog.getByLabel('Secret of the test').fill(own)
    await dialog.getByText(hmac(body, own)).waitFor()
    await dialog.getByRole('button', { name: 'pytest' }).click()
    await dialog.getByText('def test_accepts_a_genuine_role_created():').waitFor()
    await page.keyboard.press('Escape')

    const former = page.url()
    await press(page, 'Replay')
    await page.waitForURL((url) => url.href !== former)
    await page.getByText('Attempt 1').waitFor()
    expect((await hook.request(2)).body).toBe(body)
    expect(await actionsOf(owner, id)).toEqual(['webhook.created', 'webhook.replayed'])
    expect(faults).toEqual([])
  })

  it('show what fails, replay a range, switch off and on, and delete with a reason', async () => {
    const { owner } = await service().given.organisation()
    const hook = receiver.hook()
    hook.answer = () => ({ status: 400, body: 'tenant unknown' })
    const { id } = await createEndpoint(owner, { url: hook.url, events: ['role.created'], variant: 'A' })
    for (const slug of ['one', 'two']) await owner.post('/v1/admin/roles', { name: slug, slug })
    await hook.request(2)
    const counted = async () => (await owner.get(`/v1/admin/webhooks/${id}`)).body.last24Hours.failed
    await expect.poll(counted).toBe(2)
    const host = new URL(hook.url).host
    const { page, faults } = await openConsole(owner, '/console/webhooks')

    await page.getByText('0 arrived, 2 failed').waitFor()
    await page.getByText('Response status 400').waitFor()
    await page.getByRole('link', { name: 'Deliveries' }).click()
    await page.getByRole('rowheader', { name: 'role.created' }).first().waitFor()
    await page.getByRole('rowheader', { name: 'role.created' }).getByRole('link').first().click()
    await page.getByText('tenant unknown').waitFor()
    await page.getByRole('link', { name: host }).click()
    await page.getByText('The last 2 deliveries failed').waitFor()

    hook.answer = () => ({ status: 200 })
    await choose(page, 'Replay deliveries of a period')
    await page.getByText('2 are sent again as new deliveries').waitFor()
    await press(page, 'Replay 2')
    await page.getByText('2 deliveries are queued').waitFor()
    await hook.request(4)
    // Read again by itself while the attempts are under way.
    await page.getByText('Arrived 200').nth(1).waitFor()

    await press(page, 'Deactivate')
    await page.getByText('It receives nothing while it is inactive').waitFor()
    await press(page, 'Undo')
    await page.getByText('It receives nothing while it is inactive').waitFor({ state: 'detached' })

    await choose(page, 'Delete')
    await page.getByLabel('Reason').fill('replaced by a queue')
    await press(page, `Delete ${host}`)
    await page.getByText('No webhooks yet').waitFor()
    expect(await actionsOf(owner, id)).toEqual([
      'webhook.created',
      'webhook.replayed',
      'webhook.updated',
      'webhook.updated',
      'webhook.deleted',
    ])
    const { body } = await owner.get(`/v1/admin/audit-logs?targetId=${id}&action=webhook.deleted`)
    expect(JSON.stringify(body.data)).toContain('replaced by a queue')
    expect(faults).toEqual([])
  })

  it('name what is wrong with a signature: body, former secret, missing whsec_, other variant', async () => {
    const { owner } = await service().given.organisation()
    const hook = receiver.hook()
    const { id, secret: former } = await createEndpoint(owner, { url: hook.url, events: ['role.created'] })
    const { page, faults } = await openConsole(owner, `/console/webhooks/${id}`)
    await choose(page, 'Rotate the secret')
    await page.getByText('each request carries two signatures').waitFor()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Rotate the secret' }).click()
    const secret = await takeSecret(page)
    expect(secret).not.toBe(former)
    await owner.post('/v1/admin/roles', { name: 'Auditor', slug: 'auditor' })
    const { headers, body } = await hook.request()
    expect(headers['x-svc-signature-previous']).toBe(hmac(body, former))

    await page.getByRole('link', { name: 'Check a signature' }).click()
    const check = async (fields: { headers?: string; body?: string; secret?: string }) => {
      await page.getByLabel('Headers').fill(fields.headers ?? JSON.stringify(headers))
      await page.getByLabel('Raw body').fill(fields.body ?? body)
      await page.getByLabel('Secret', { exact: true }).fill(fields.secret ?? secret)
      await press(page, 'Check')
    }
    await check({})
    await page.getByText('The signature is right').waitFor()
    await check({ body: body.replace('Auditor', 'Auditer') })
    await page.getByText('The body was changed', { exact: true }).waitFor()
    await page.getByText(`Sent, at character ${body.indexOf('Auditor') + 6}`).waitFor()
    await check({ secret: former })
    await page.getByText('This is the previous secret').waitFor()
    await check({ secret: secret.replace('whsec_', '') })
    await page.getByText('The secret lacks whsec_').waitFor()
    await check({ headers: `X-Webhook-Event: role.created\nX-Webhook-Signature: ${hmac(body, secret)}` })
    await page.getByText('It has the other format').waitFor()

    expect(await actionsOf(owner, id)).toEqual(['webhook.created', 'webhook.secret_rotated'])
    await page.getByRole('link', { name: 'History' }).click()
    await page.getByRole('heading', { name: 'History' }).waitFor()
    const stored = await everythingStored(page)
    expect(stored).not.toContain(secret)
    expect(stored).not.toContain(former)
    expect(faults).toEqual([])
  })

  it('replay the period that is meant in the zone of the console, and none that cannot be counted', async () => {
    const { owner } = await service().given.organisation()
    const hook = receiver.hook()
    const { id } = await createEndpoint(owner, { url: hook.url, events: ['role.created'] })
    await owner.post('/v1/admin/roles', { name: 'Auditor', slug: 'auditor' })
    await hook.request()
    const range = 'from=2026-01-02T03%3A04%3A00.000Z&to=2026-02-03T04%3A05%3A00.000Z'
    const { page, context, faults, settled } = await openConsole(owner, `/console/webhooks/${id}?${range}`, { timezoneId: 'Asia/Tokyo' })
    const dialog = page.getByRole('alertdialog')
    const [from, to] = [dialog.getByLabel('From'), dialog.getByLabel('Until')]
    const replay = dialog.getByRole('button', { name: /^Replay/ })
    await choose(page, 'Replay deliveries of a period')
    expect([await from.inputValue(), await to.inputValue()]).toEqual(['2026-01-02T12:04', '2026-02-03T13:05'])
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })

    await page.evaluate("localStorage.setItem('gatehouse.zone', 'UTC')")
    await page.reload()
    await choose(page, 'Replay deliveries of a period')
    expect([await from.inputValue(), await to.inputValue()]).toEqual(['2026-01-02T03:04', '2026-02-03T04:05'])
    await dialog.getByText('There are none in this period.').first().waitFor()
    expect(await replay.isDisabled()).toBe(true)
    const counted = page.waitForRequest((request) => request.url().includes('2026-01-02T04%3A04'))
    await from.fill('2026-01-02T04:04')
    await counted

    await to.fill('2026-01-01T00:00')
    await dialog.locator('p', { hasText: 'The period ends before it begins' }).waitFor()
    expect(await replay.isDisabled()).toBe(true)
    const asked: string[] = []
    page.on('request', (request) => request.url().includes('limit=1000') && asked.push(request.url()))
    await to.fill('')
    // As while 2026 is typed.
    await from.fill('0202-01-02T04:04')
    await dialog.locator('p', { hasText: 'Choose when the period begins' }).waitFor()
    await settled()
    expect(asked.filter((url) => url.includes('from=0'))).toEqual([])
    await from.fill('')
    await dialog.locator('p', { hasText: 'Choose when the period begins' }).waitFor()
    expect(await replay.isDisabled()).toBe(true)

    await context.route('**/deliveries?*limit=1000*', (route) => route.fulfill(unavailable))
    await from.fill('2026-01-01T00:00')
    await dialog.getByRole('button', { name: 'Try again' }).waitFor()
    expect(await replay.isDisabled()).toBe(true)
    expect(await dialog.getByText('Counting…').count()).toBe(0)
    expect(faults.splice(0)).toEqual([expect.stringMatching(/^response: 503 GET/)])
    await context.unroute('**/deliveries?*limit=1000*')
    await dialog.getByRole('button', { name: 'Try again' }).click()
    await dialog.locator('p', { hasText: 'There are none in this period.' }).waitFor()
    expect(faults).toEqual([])
  })

  it('show the curl of a delivery where the browser lets no page copy', async () => {
    const { owner } = await service().given.organisation()
    const hook = receiver.hook()
    const { id } = await createEndpoint(owner, { url: hook.url, events: ['role.created'] })
    await owner.post('/v1/admin/roles', { name: 'Auditor', slug: 'auditor' })
    await hook.request()
    const { page, context, faults } = await openConsole(owner, `/console/webhooks/${id}`)
    await context.addInitScript("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    await page.reload()
    await page.getByRole('rowheader', { name: 'role.created' }).getByRole('link').click()
    await page.getByText('Arrived 200').waitFor()
    await choose(page, 'Copy as curl')
    expect(await page.getByRole('dialog').getByRole('textbox').inputValue()).toContain(`curl -sS -X POST '${hook.url}'`)
    expect(await page.getByText('Copied').count()).toBe(0)
    expect(faults).toEqual([])
  })

  it('check a signature without the delivery that an address names', async () => {
    const { owner } = await service().given.organisation()
    const hook = receiver.hook()
    const { id, secret } = await createEndpoint(owner, { url: hook.url, events: ['role.created'] })
    await owner.post('/v1/admin/roles', { name: 'Auditor', slug: 'auditor' })
    const { headers, body } = await hook.request()
    const delivery = (await owner.get(`/v1/admin/webhooks/${id}/deliveries`)).body.data[0].id
    const { page, context, faults } = await openConsole(owner, `/console/webhooks/${id}/verify?delivery=dlv_gone`)
    await page.getByText('This delivery does not exist, or is older than 30 days.').waitFor()
    await page.getByLabel('Headers').fill(JSON.stringify(headers))
    await page.getByLabel('Raw body').fill(body)
    await page.getByLabel('Secret', { exact: true }).fill(secret)
    await press(page, 'Check')
    await page.getByText('The signature is right').waitFor()
    expect(faults.splice(0)).toEqual([expect.stringMatching(/^response: 404 GET/)])

    let isBroken = true
    await context.route(`**/deliveries/${delivery}`, (route) => (isBroken ? route.fulfill(unavailable) : route.fallback()))
    await page.goto(`/console/webhooks/${id}/verify?delivery=${delivery}`)
    await page.getByText('The delivery could not be read.').waitFor()
    expect(await page.getByLabel('Headers').inputValue()).toBe('')
    expect(faults.splice(0)).toEqual([expect.stringMatching(/^response: 503 GET/)])
    isBroken = false
    await press(page, 'Try again')
    await expect.poll(() => page.getByLabel('Raw body').inputValue()).toBe(body)
    expect(await page.getByText('The delivery could not be read.').count()).toBe(0)
    expect(faults).toEqual([])
  })

  it('lead from the catalogue of events to a webhook, and send an example', async () => {
    const { owner } = await service().given.organisation()
    const hook = receiver.hook()
    const { page, faults } = await openConsole(owner, '/console/events')
    // The first is shown with what it means before one is chosen.
    await page.getByRole('link', { name: 'auth.email_verified A user proved' }).waitFor()
    await page.getByRole('heading', { name: 'auth.email_verified' }).waitFor()
    // No list of the specification names it: it comes in either format.
    await page.getByRole('link', { name: 'passkey.registered' }).click()
    await page.getByText('Formats A and B. An endpoint of either format can subscribe to it.').waitFor()
    await page.getByLabel('Name or meaning').fill('a role was created')
    await page.getByRole('link', { name: 'role.created' }).click()
    const examples = page.getByRole('region', { name: /^Format [^:]*$/ })
    await examples.first().waitFor()
    expect(await examples.count()).toBe(2)
    await examples.getByText('"type": "role.created"').waitFor()
    await examples.getByText('"event": "role.created"').waitFor()

    await page.getByRole('link', { name: 'Create a webhook for it' }).click()
    const drawer = page.getByRole('dialog')
    // What the API refuses lands at its field, with the focus, and what was typed stays.
    await drawer.getByLabel('URL').fill('https://me:secret@example.test/hook')
    await drawer.getByRole('button', { name: 'Create webhook' }).click()
    await drawer.getByText('Must not contain a user name or a password').waitFor()
    expect(await page.evaluate('document.activeElement.value')).toBe('https://me:secret@example.test/hook')
    expect(faults.splice(0)).toEqual([expect.stringContaining('400 POST')])
    await drawer.getByLabel('URL').fill(hook.url)
    await drawer.getByRole('button', { name: 'Create webhook' }).click()
    await takeSecret(page)
    await heading(page, new URL(hook.url).host)
    const { body } = await owner.get('/v1/admin/webhooks')
    expect(body.data).toMatchObject([{ url: hook.url, events: ['role.created'], variant: 'B' }])

    await page.goto('/console/events?event=user.created')
    await page.getByText('It does not subscribe to this event. It receives format B.').waitFor()
    await press(page, 'Send the example')
    await heading(page, 'user.created')
    await page.getByText('Arrived 200').waitFor()
    expect(faults).toEqual([])
  })

  it('say in German what each event means, and find events by it', async () => {
    expect(Object.keys(meanings).sort()).toEqual(Object.keys(events).sort())
    const { owner } = await service().given.organisation()
    const { page, faults, goTo } = await openConsole(owner, '/console/events', { locale: 'de-DE' })
    await page.getByLabel('Name oder Bedeutung').fill('rolle entzogen')
    await page.getByRole('link', { name: 'role.unassigned Einem Benutzer wurde eine Rolle entzogen' }).waitFor()
    await page.getByRole('heading', { name: 'role.unassigned' }).waitFor()
    expect(await page.getByRole('navigation', { name: 'Ereigniskatalog' }).getByRole('link').count()).toBe(1)

    await goTo('/console/webhooks?create=yes&event=role.unassigned')
    await page.getByRole('dialog').getByText('Einem Benutzer wurde eine Rolle entzogen').waitFor()
    expect(faults).toEqual([])
  })

  it('show all deliveries and those of one endpoint in columns of their own', async () => {
    const { owner } = await service().given.organisation()
    const { id } = await createEndpoint(owner, { url: 'https://receiver.test/one', events: ['team.created'] })
    const { page, faults, goTo } = await openConsole(owner, '/console/webhooks/deliveries')
    const attempts = page.getByRole('menuitemcheckbox', { name: 'Attempts' })
    await press(page, 'Columns')
    await attempts.click()
    await expect.poll(() => attempts.isChecked()).toBe(false)
    await page.keyboard.press('Escape')
    await goTo(`/console/webhooks/${id}`)
    await press(page, 'Columns')
    await attempts.waitFor()
    expect(await attempts.isChecked()).toBe(true)
    expect(faults).toEqual([])
  })

  it('keep what two administrators change at once', async () => {
    const { owner } = await service().given.organisation()
    const { id } = await createEndpoint(owner, { url: 'https://receiver.test/one', events: ['*'] })
    const { page, faults } = await openConsole(owner, `/console/webhooks/${id}/settings`)
    await page.getByLabel('URL').fill('https://receiver.test/mine')
    await owner.patch(`/v1/admin/webhooks/${id}`, { url: 'https://receiver.test/theirs' })
    await press(page, 'Save')
    await page.getByRole('alertdialog').getByText('https://receiver.test/theirs').waitFor()
    expect(faults.splice(0)).toEqual([expect.stringContaining('412 PATCH')])
    await press(page, 'Save yours')
    await page.getByRole('alertdialog').waitFor({ state: 'detached' })
    await page.getByText(/^Saved: URL/).waitFor()
    expect((await owner.get(`/v1/admin/webhooks/${id}`)).body.url).toBe('https://receiver.test/mine')
    expect(faults).toEqual([])
  })

  it('offer those who may only read nothing to change, and say what is missing, gone or failing', async () => {
    const { owner } = await service().given.organisation()
    const { id } = await createEndpoint(owner, { url: 'https://receiver.test/one', events: ['team.created'] })
    const reader = await service().given.userWith(owner, ['webhooks:read'])
    const { page, faults } = await openConsole(reader, '/console/webhooks')
    await page.getByRole('rowheader', { name: 'receiver.test' }).getByRole('link').click()
    await heading(page, 'receiver.test')
    expect(await page.getByRole('button', { name: /Send test|Deactivate|More actions/ }).count()).toBe(0)
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByText('To change this you need the permission webhooks:update.').waitFor()
    await page.goto('/console/webhooks?create=yes')
    await page.getByRole('rowheader', { name: 'receiver.test' }).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(faults).toEqual([])

    await page.goto('/console/webhooks/wh_gone')
    await page.getByText('This no longer exists').waitFor()
    await page.goto(`/console/webhooks/${id}/deliveries/dlv_gone`)
    await page.getByText('This no longer exists').waitFor()
    expect(faults.splice(0).every((fault) => fault.startsWith('response: 404'))).toBe(true)

    await page.route('**/v1/admin/webhooks/*/statistics*', (route) => route.fulfill(unavailable))
    await page.goto(`/console/webhooks/${id}`)
    await page.getByText('Not now').waitFor()
    // The rest of the page lives on.
    await page.getByText('Nothing has been sent yet').waitFor()
    await page.unroute('**/v1/admin/webhooks/*/statistics*')
    await press(page, 'Try again')
    await page.getByRole('heading', { name: '0 arrived, 0 failed' }).waitFor()

    const other = await openConsole(await service().given.userWith(owner, ['roles:read']), '/console/webhooks')
    await other.page.getByText('You need the permission webhooks:read.').waitFor()
    expect(other.faults).toEqual([])
  })
})
