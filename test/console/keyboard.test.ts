import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { useConsole } from '../support/console.ts'
import type { SignedInUser } from '../support/given.ts'
import { createEndpoint } from '../support/webhooks.ts'

const { service, openConsole } = useConsole()

/** Low, so that what sticks to its edges has something to cover. */
const appearance = { viewport: { width: 1280, height: 560 } }

let owner: SignedInUser
beforeAll(async () => {
  const { given } = service()
  const organisation = await given.organisation()
  owner = organisation.owner
  for (let index = 0; index < 14; index++) await given.user(owner, { firstName: 'Person', lastName: String.fromCodePoint(65 + index) })
  await given.role(owner, { name: 'Support', slug: 'support', permissions: ['users:read'] })
})

/** What is wrong with where the focus is; undefined when nothing is. Runs in the page. */
const faultOfFocus = `(() => {
  const element = document.activeElement
  if (!element || element === document.body) return 'nothing has the focus'
  const name = element.outerHTML.slice(0, 160)
  // A whole page or dialog, from which the focus moves on: it is no control.
  if (element.tabIndex === -1 && element.matches('main, [role=dialog], [role=alertdialog], [role=tabpanel], [role=menu], [role=listbox]')) return undefined
  const labels = [...(element.labels ?? []), element.closest('label')].filter(Boolean)
  const box = [...element.getClientRects()].find(({ width, height }) => width > 2 && height > 2)
    ?? labels.flatMap((label) => [...label.getClientRects()])[0]
  if (!box) return 'is not visible: ' + name
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  if (x < 0 || y < 0 || x > innerWidth || y > innerHeight) return 'is outside the window: ' + name
  const at = document.elementFromPoint(x, y)
  const isItself = at && (element.contains(at) || labels.some((label) => label.contains(at)) || (at.contains(element) && at.matches('label, [role=option]')))
  if (!isItself) return 'is covered by ' + at?.outerHTML.slice(0, 120) + ': ' + name
  const around = [element, ...labels, element.parentElement, element.parentElement?.parentElement, element.parentElement?.parentElement?.parentElement]
  const hasOutline = around.some((one) => {
    if (!one) return false
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(one)
    return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2 && !/, 0\\)$/.test(outlineColor)
  })
  const hasShadow = [element, element.parentElement].some((one) => one && getComputedStyle(one).boxShadow.includes('inset'))
  return hasOutline || hasShadow ? undefined : 'shows no focus: ' + name
})()`

/** A person with a keyboard alone. After each key the focus must be somewhere, and be seen. */
function keyboard(page: Page) {
  const faults = new Set<string>()
  /** What opens or closes takes a moment to move the focus. */
  const look = async (after: string) => {
    let fault: unknown
    for (const end = Date.now() + 60_000; Date.now() < end; ) {
      fault = await page.evaluate(faultOfFocus)
      if (fault === undefined) return
      await page.evaluate('new Promise((resolve) => setTimeout(resolve, 25))')
    }
    faults.add(`${after} at ${page.url()}: ${fault}`)
  }
  const has = (target: Locator) => target.evaluate((element) => element === element.ownerDocument.activeElement)
  const press = async (...keys: string[]) => {
    for (const key of keys) {
      await page.keyboard.press(key)
      await look(key)
    }
  }
  return {
    faults,
    press,
    type: (text: string) => page.keyboard.type(text),
    /** Presses Tab (or another key) until the focus is there. */
    async to(target: Locator, key = 'Tab') {
      await target.waitFor({ state: 'attached' })
      for (let presses = 0; !(await has(target)); presses++) {
        if (presses > 120) throw new Error(`${key} does not lead to ${target}`)
        await press(key)
      }
    },
    /** Where the focus is to be, such as after something was closed. */
    async is(target: Locator) {
      await expect.poll(() => has(target), { message: `focus on ${target}` }).toBe(true)
      await look('what came before')
    },
  }
}

/** The id of an application that is refused, each for another reason than the others. */
async function unknownClient(owner: SignedInUser, name: string): Promise<string> {
  const { body } = await owner.post('/v1/admin/clients', { name, clientType: 'public', redirectUris: ['https://app.test/callback'] })
  return `${body.clientId}&redirect_uri=https://${name}.test/wrong&response_type=code`
}

/** Lets code of the console wait, and tells when it is requested. */
async function holdBack(page: Page, source: string, until: Promise<void>): Promise<{ requested: Promise<void> }> {
  const manifest = JSON.parse(await readFile('dist/console/manifest.json', 'utf8'))
  const requested = Promise.withResolvers<void>()
  await page.route(`**/console/${manifest[source].file}`, async (route) => {
    requested.resolve()
    await until
    await route.continue()
  })
  return { requested: requested.promise }
}

describe('the keys of lists and records', () => {
  it('lead from one delivery and one refusal to the next, in the list that it was opened from', async () => {
    const { owner } = await service().given.organisation()
    const ids: string[] = []
    for (const name of ['one', 'two']) {
      const { id } = await createEndpoint(owner, { url: `https://${name}.hooks.test/`, events: ['role.created'] })
      ids.push(id)
    }
    await owner.post('/v1/admin/roles', { name: 'First', slug: 'first' })
    await owner.post('/v1/admin/roles', { name: 'Second', slug: 'second' })
    const deliveriesOf = async (id: string): Promise<string[]> =>
      (await owner.get(`/v1/admin/webhooks/${id}/deliveries`)).body.data.map((delivery: { id: string }) => delivery.id)
    const { page, faults, settled } = await openConsole(owner, `/console/webhooks/${ids[0]}`)
    // The address is that of the next page while the list is still shown.
    const at = async (path: string, heading = 'role.created') => {
      await page.waitForURL((url) => url.pathname === `/console${path}`)
      await page.getByRole('heading', { level: 1, name: heading }).waitFor()
      await settled()
    }
    const [newer, older] = (await deliveriesOf(ids[0] as string)) as [string, string]
    await page.getByRole('rowheader').getByRole('link').first().click()
    await at(`/webhooks/${ids[0]}/deliveries/${newer}`)
    await page.keyboard.press(']')
    await at(`/webhooks/${ids[0]}/deliveries/${older}`)
    await page.keyboard.press('[')
    await at(`/webhooks/${ids[0]}/deliveries/${newer}`)

    // In the list of all, the next one may belong to another endpoint.
    await page.goto('/console/webhooks/deliveries')
    await settled()
    const rows = (await owner.get('/v1/admin/deliveries')).body.data as { id: string; webhookId: string }[]
    const index = rows.findIndex(({ webhookId }, row) => rows[row + 1] && rows[row + 1]?.webhookId !== webhookId)
    const [from, to] = [rows[index], rows[index + 1]] as [{ id: string; webhookId: string }, { id: string; webhookId: string }]
    await page.getByRole('rowheader').getByRole('link').nth(index).click()
    await at(`/webhooks/${from.webhookId}/deliveries/${from.id}`)
    await page.keyboard.press(']')
    await at(`/webhooks/${to.webhookId}/deliveries/${to.id}`)

    for (const name of ['a', 'b']) await service().anonymous.get(`/oauth2/authorize?client_id=${await unknownClient(owner, name)}`)
    await page.goto('/console/diagnostics')
    await settled()
    const refusals = (await owner.get('/v1/admin/diagnostics')).body.data as { reference: string }[]
    const shown = await page
      .getByRole('rowheader')
      .getByRole('link')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')))
    expect(refusals).toHaveLength(2)
    await page.getByRole('rowheader').getByRole('link').first().click()
    const [first, second] = shown.map((href) => href?.split('/').at(-1)) as [string, string]
    expect(shown).toHaveLength(2)
    await at(`/diagnostics/${first}`, first)
    // The code of the keys comes after the page. Behind the last one there is none.
    const press = async () => [await page.keyboard.press(']'), new URL(page.url()).pathname].at(-1)
    await expect.poll(press).toBe(`/console/diagnostics/${second}`)
    await at(`/diagnostics/${second}`, second)
    await page.keyboard.press('e')
    expect(faults).toEqual([])
  })

  it('lead into the form of a record from a tab without one', async () => {
    const { owner } = await service().given.organisation()
    const { id } = await createEndpoint(owner, { url: 'https://one.hooks.test/', events: ['role.created'] })
    const { page, faults, settled } = await openConsole(owner, `/console/webhooks/${id}`)
    await settled()
    await page.keyboard.press('e')
    await page.waitForURL(/\/settings$/)
    await expect.poll(() => page.evaluate('document.activeElement.value')).toBe('https://one.hooks.test/')
    expect(faults).toEqual([])
  })

  it.each([
    ['audit', ''],
    ['diagnostics', ''],
    ['webhooks/deliveries', 'Endpoint'],
    ['events', 'Name or meaning'],
    ['users', 'Name or e-mail address'],
  ])('lead into the search of /%s, else to its first filter', async (path, label) => {
    const { page, faults, settled } = await openConsole(owner, `/console/${path}`)
    await settled()
    await page.keyboard.press('/')
    const focused =
      "document.activeElement.closest('search') && (document.activeElement.ariaLabel ?? document.activeElement.labels?.[0]?.textContent)"
    expect(await page.evaluate(focused)).toContain(label)
    expect(faults).toEqual([])
  })
})

describe('by the keyboard alone an administrator', () => {
  it('creates, invites and closes, and the focus returns to what opened', async () => {
    const { page, context, faults: pageFaults } = await openConsole(owner, '/logged-out', appearance)
    const { press, type, to, is, faults } = keyboard(page)
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    const dialog = page.getByRole('dialog')
    const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor()
    await context.clearCookies()
    await page.goto('/console/users')
    await is(page.getByLabel('E-mail address'))
    await type(owner.email)
    await press('Tab')
    await type(owner.password)
    await page.keyboard.press('Enter')
    await page.getByRole('row', { name: /Person A/ }).waitFor()

    // Past the navigation, to the content.
    await press('Tab')
    await is(page.getByRole('link', { name: 'Skip to content' }))
    await press('Enter')
    await to(button('Create user'))
    await press('Enter')
    await is(dialog.getByLabel('E-mail address'))
    await page.keyboard.press('Escape')
    await is(button('Create user'))

    // A user: the fields, a role from the list, and the way back.
    await press('Enter')
    await is(dialog.getByLabel('E-mail address'))
    await type('kim@keys.test')
    await press('Tab')
    await type('Kim')
    await press('Tab')
    await type('Keys')
    await press('Tab')
    await page.keyboard.press('ArrowDown')
    await page.getByRole('option', { name: /Support/ }).waitFor()
    await type('Supp')
    await expect.poll(() => page.getByRole('option').count()).toBe(1)
    await press('Enter')
    await dialog.getByRole('button', { name: 'Remove Support' }).waitFor()
    await to(dialog.getByRole('radio', { name: /link/ }))
    await to(dialog.getByRole('button', { name: 'Create user' }))
    await page.keyboard.press('Enter')
    await heading('Kim Keys')
    await is(page.locator('main'))

    // An invitation.
    await press('g', 'i')
    await heading('Invitations')
    await press('c')
    await is(dialog.getByLabel('E-mail addresses'))
    await type('anna@keys.test')
    await to(dialog.getByRole('button', { name: 'Send' }))
    await page.keyboard.press('Enter')
    await is(dialog.getByRole('button', { name: 'Done' }))
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await press('Tab')

    // The menu of its row, which closes to its button.
    const more = button('Actions for the invitation of anna@keys.test')
    await to(more)
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem').first().waitFor()
    await press('ArrowDown', 'ArrowDown')
    await page.keyboard.press('Escape')
    await is(more)
    expect([...faults]).toEqual([])
    expect(pageFaults).toEqual([])
  })

  it('makes a role and changes it, with what sticks to the edges around', async () => {
    const { page, faults: pageFaults } = await openConsole(owner, '/console/invitations', appearance)
    const { press, type, to, is, faults } = keyboard(page)
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    const dialog = page.getByRole('dialog')
    const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor()
    await heading('Invitations')
    await page.keyboard.press('Tab')

    // Its permissions below one another, the buttons at the foot. And back up again.
    await press('g', 'r')
    await heading('Roles')
    await press('c')
    await is(dialog.getByLabel('Name', { exact: true }))
    await type('Auditor')
    await to(dialog.getByRole('checkbox', { name: 'webhooks:read', exact: true }))
    await press('Space')
    const create = dialog.getByRole('button', { name: 'Create role' })
    await to(create)
    await to(dialog.getByLabel('Name', { exact: true }), 'Shift+Tab')
    await press('Enter')
    await heading('Auditor')

    // Its settings, above the bar that saves.
    await to(page.getByLabel('Description'))
    await type('Looks')
    await button('Save').waitFor()
    await to(button('Save'))
    await to(page.getByLabel('Description'), 'Shift+Tab')
    await to(button('Save'))
    await page.keyboard.press('Enter')
    await button('Save').waitFor({ state: 'detached' })
    expect((await owner.get('/v1/admin/roles?q=auditor')).body.data).toMatchObject([
      { description: 'Looks', permissions: [{ slug: 'webhooks:read' }] },
    ])
    expect([...faults]).toEqual([])
    expect(pageFaults).toEqual([])
  })

  it('registers an application and a webhook, and looks at what happened', async () => {
    const { page, faults: pageFaults } = await openConsole(owner, '/console/applications/new', appearance)
    const { press, type, to, is, faults } = keyboard(page)
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    const dialog = page.getByRole('dialog')
    const secret = page.getByRole('alertdialog')
    const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor()
    const storeSecret = async () => {
      await secret.getByRole('checkbox').waitFor()
      await to(secret.getByRole('checkbox', { name: 'I have stored it' }))
      await press('Space')
      await to(secret.getByRole('button', { name: 'Done' }))
      await page.keyboard.press('Enter')
      await secret.waitFor({ state: 'detached' })
    }

    await to(page.getByRole('radio', { name: 'Web application with a server' }))
    await press('ArrowRight', 'ArrowLeft')
    await to(page.getByRole('radio', { name: 'Node.js: openid-client' }))
    await press('ArrowDown')
    await to(page.getByLabel('Name', { exact: true }))
    await type('By keys')
    await to(button('Create application'))
    await to(page.getByLabel('Name', { exact: true }), 'Shift+Tab')
    await to(button('Create application'))
    await page.keyboard.press('Enter')
    await storeSecret()
    await heading('By keys is ready to be connected')
    await press('Tab')
    await to(page.getByRole('link', { name: 'Try it' }))

    // Its flow, which opens a window and comes back, and the mend of a refused request.
    await page.keyboard.press('Enter')
    await to(button('Sign in as this application'))
    await page.keyboard.press('Enter')
    await page.getByText('All steps are done').waitFor()
    await is(button('Run it again'))
    const [client] = (await owner.get('/v1/admin/clients?q=By keys')).body.data
    const query = new URLSearchParams({ client_id: client.clientId, redirect_uri: 'http://localhost:3000/callbacc', response_type: 'code' })
    await service().anonymous.get(`/oauth2/authorize?${query}`)
    const [refusal] = (await owner.get('/v1/admin/diagnostics')).body.data
    await page.keyboard.press('ControlOrMeta+k')
    await is(page.getByRole('combobox', { name: 'Search or jump to…' }))
    await type(refusal.reference)
    await page.getByRole('option', { name: refusal.reference }).waitFor()
    await page.keyboard.press('Enter')
    await to(button('Add exactly this redirect URI'))
    await page.keyboard.press('Enter')
    await to(button('Change'))
    await page.keyboard.press('Enter')
    await page.getByText('Fixed', { exact: true }).waitFor()

    await press('g', 'w')
    await heading('Webhooks')
    await press('c')
    await is(dialog.getByLabel('URL'))
    await type('https://hooks.keys.test/a')
    await to(dialog.getByRole('button', { name: 'Create webhook' }))
    await page.keyboard.press('Enter')
    await storeSecret()
    await heading('hooks.keys.test')
    await press('Tab')

    // The log: row by row, an entry, and back to its row.
    await press('g', 'l')
    await heading('Audit log')
    await page.getByRole('row', { name: /webhook\.created/ }).waitFor()
    for (let row = 0; row < 12; row++) await press('j')
    for (let row = 0; row < 11; row++) await press('k')
    const row = page.getByRole('link', { name: /^Details of/ }).first()
    await is(row)
    await page.keyboard.press('Enter')
    await dialog.getByText('webhook.created').first().waitFor()
    await press('Tab', 'Tab', 'Tab')
    await page.keyboard.press('Escape')
    await is(row)

    // The palette, from anywhere and back, and to a page.
    await page.keyboard.press('ControlOrMeta+k')
    await is(page.getByRole('combobox', { name: 'Search or jump to…' }))
    await page.keyboard.press('Escape')
    await is(row)
    await page.keyboard.press('ControlOrMeta+k')
    await type('Teams')
    await page.getByRole('option', { name: /Teams/ }).first().waitFor()
    await page.keyboard.press('Enter')
    await heading('Teams')
    await is(page.locator('main'))

    // What the bar above opens.
    for (const [name, key] of [
      ['This page as API calls', 'Shift+Tab'],
      ['Keyboard shortcuts', 'Tab'],
    ] as const) {
      await to(button(name), key)
      await page.keyboard.press('Enter')
      await dialog.waitFor()
      await press('Tab', 'Tab')
      await page.keyboard.press('Escape')
      await is(button(name))
    }
    expect([...faults]).toEqual([])
    expect(pageFaults).toEqual([])
  })

  it('selects many and is asked, deletes one, and switches the keys of one letter off', async () => {
    const { id } = await createEndpoint(owner, { url: 'https://old.keys.test/a', events: ['*'] })
    const { page, faults: pageFaults, goTo } = await openConsole(owner, '/console/users', appearance)
    const { press, type, to, is, faults } = keyboard(page)
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    const question = page.getByRole('alertdialog').or(page.getByRole('dialog'))
    await page.getByRole('row', { name: /Person A/ }).waitFor()

    // Down below the sticky head, with the bar at the foot, and up again.
    await press('j', 'j', 'x', 'j', 'x')
    await page.getByText('2 selected').waitFor()
    for (let row = 0; row < 11; row++) await press('j')
    for (let row = 0; row < 4; row++) await press('Tab')
    for (let row = 0; row < 40; row++) await press('Shift+Tab')
    await to(button('Block'))
    await page.keyboard.press('Enter')
    await question.getByText('Block 2 users?').waitFor()
    await press('Tab')
    await page.keyboard.press('Escape')
    await is(button('Block'))
    await page.keyboard.press('Enter')
    await question.getByText('Block 2 users?').waitFor()
    await to(question.getByRole('button', { name: /^Block/ }))
    await page.keyboard.press('Enter')
    await page.getByText('2 users blocked').first().waitFor()
    expect((await owner.get('/v1/admin/users?status=blocked')).body.total).toBe(2)

    // A record is deleted after its name was typed, or the question closed.
    await goTo(`/console/webhooks/${id}`)
    await to(button('More actions'))
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Delete' }).waitFor()
    await press('End', 'Enter')
    await question.getByText('Delete the webhook to old.keys.test?').waitFor()
    await press('Tab', 'Tab')
    await page.keyboard.press('Escape')
    await is(button('More actions'))

    // Switched off, the keys of one letter do nothing; the palette still opens.
    await to(page.getByRole('banner').getByRole('button').last(), 'Shift+Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Preferences' }).waitFor()
    await to(page.getByRole('menuitem', { name: 'Preferences' }), 'ArrowDown')
    await page.keyboard.press('Enter')
    const off = page.getByRole('group', { name: 'Single-key shortcuts' }).getByRole('button', { name: 'Off' })
    await to(page.getByRole('group', { name: 'Single-key shortcuts' }).getByRole('button', { name: 'On' }))
    await press('ArrowRight')
    await is(off)
    await press('Space')
    await page.keyboard.press('Escape')
    await is(page.getByRole('banner').getByRole('button').last())
    const address = page.url()
    for (const key of ['?', 'c', 'g', 'u', 'j', 'x', '/', 'e']) await page.keyboard.press(key)
    await page.keyboard.press('ControlOrMeta+k')
    await is(page.getByRole('combobox', { name: 'Search or jump to…' }))
    await type('Keyb')
    expect(await page.getByRole('dialog').count()).toBe(1)
    expect(page.url()).toBe(address)
    expect([...faults]).toEqual([])
    expect(pageFaults).toEqual([])
  })

  it('sorts a list and selects its page where its rows are cards, and sees what has the focus', async () => {
    const { page, faults: pageFaults } = await openConsole(owner, '/console/users', { viewport: { width: 640, height: 560 } })
    const { press, to, faults } = keyboard(page)
    await page.getByRole('row', { name: /Person A/ }).waitFor()
    const header = (name: string) => page.getByRole('columnheader').getByRole('button', { name, exact: true })
    await to(page.getByRole('checkbox', { name: 'Select all on this page' }))
    await to(header('Name'))
    await press('Enter')
    await page.waitForURL(/[?&]sort=/)
    await to(page.getByRole('checkbox', { name: 'Select all on this page' }), 'Shift+Tab')
    await press('Space')
    await page.getByText(/^\d+ selected/).waitFor()
    await press('Shift+Tab')
    // Nothing of it is there for those who do not use it.
    expect(await page.evaluate("getComputedStyle(document.querySelector('thead')).clipPath")).toBe('inset(50%)')
    expect([...faults]).toEqual([])
    expect(pageFaults).toEqual([])
  })

  it('has the focus back at the button of a menu whose entry opened a dialog, also when that came while nothing had the focus', async () => {
    const { page, faults: pageFaults } = await openConsole(owner, '/console/users', appearance)
    const { is, faults } = keyboard(page)
    const arrives = Promise.withResolvers<void>()
    const { requested } = await holdBack(page, 'src/shell/preferences-dialog.tsx', arrives.promise)
    const button = page.getByRole('banner').getByRole('button').last()
    const open = async () => {
      await button.focus()
      await page.keyboard.press('Enter')
      await page.getByRole('menuitem', { name: 'Preferences' }).press('Enter')
    }
    await open()
    await is(button)
    await page.evaluate('document.activeElement.blur()')
    await requested
    arrives.resolve()
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await is(button)

    await open()
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await is(button)
    expect([...faults]).toEqual([])
    expect(pageFaults).toEqual([])
  })

  it('has the focus at the first of more filters, and in the search once they are cleared', async () => {
    const { page, faults: pageFaults } = await openConsole(owner, '/console/users?status=unverified', appearance)
    const { press, to, is, faults } = keyboard(page)
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    await to(button('More filters'))
    await page.keyboard.press('Enter')
    await is(page.getByRole('combobox', { name: 'Any role' }))
    await to(button('Clear filters'))
    await press('Enter')
    await is(page.getByRole('searchbox').first())
    expect([...faults]).toEqual([])
    expect(pageFaults).toEqual([])
  })

  it('comes to a choice of views once, and moves within it by the arrows, Home and End', async () => {
    const { page, faults: pageFaults } = await openConsole(owner, '/console', appearance)
    const { press, to, is, faults } = keyboard(page)
    const view = (name: string) => page.getByRole('group', { name: 'Bars' }).getByRole('button', { name, exact: true })
    const isPressed = async (name: string) => (await view(name).getAttribute('aria-pressed')) === 'true'
    await to(view('Days'))
    await press('ArrowRight')
    await is(view('Hours'))
    expect([await isPressed('Days'), await isPressed('Hours')]).toEqual([true, false])
    await press('Space')
    await expect.poll(() => isPressed('Hours')).toBe(true)
    await press('ArrowRight')
    await is(view('Days'))
    await press('ArrowLeft')
    await is(view('Hours'))
    await press('Home')
    await is(view('Days'))
    await press('End')
    await is(view('Hours'))
    await press('Shift+Tab')
    expect(await page.getByRole('group', { name: 'Bars' }).locator(':focus').count()).toBe(0)
    await press('Tab')
    await is(view('Hours'))

    const asTable = page.getByRole('button', { name: 'As a table' }).first()
    const table = page.locator('figure').first().getByRole('table')
    await to(asTable)
    expect([await asTable.getAttribute('aria-expanded'), await table.count()]).toEqual(['false', 0])
    await press('Enter')
    await table.waitFor()
    expect(await asTable.getAttribute('aria-expanded')).toBe('true')
    await press('Enter')
    await table.waitFor({ state: 'detached' })
    expect([...faults]).toEqual([])
    expect(pageFaults).toEqual([])
  })

  it('finds in the palette what was typed before it was there', async () => {
    const { page, faults } = await openConsole(owner, '/console/users', appearance)
    await page.getByRole('row', { name: /Person A/ }).waitFor()
    const arrives = Promise.withResolvers<void>()
    const { requested } = await holdBack(page, 'src/shell/open-palette.tsx', arrives.promise)
    await page.keyboard.press('ControlOrMeta+k')
    await page.keyboard.type('g team')
    for (let presses = 0; presses < 6; presses++) await page.keyboard.press('Backspace')
    await page.keyboard.type('Team')
    await requested
    arrives.resolve()
    await page.getByRole('combobox', { name: 'Search or jump to…' }).waitFor()
    await page.keyboard.type('s')
    await page.getByRole('option', { name: /Teams/ }).first().waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Teams' }).waitFor()
    expect(faults).toEqual([])
  })
})
