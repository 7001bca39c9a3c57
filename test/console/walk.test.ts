import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { useConsole } from '../support/console.ts'
import { useReceiver } from '../support/receiver.ts'

const receiver = await useReceiver()
const { service, openConsole } = useConsole({
  environment: { BOOTSTRAP_OWNER_EMAIL: 'owner@acme.test', WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'true' },
  webhooks: receiver.reachable,
})

/** What a person does on a page, counted: clicks, fields that are filled, keys that are pressed at once. */
function counted(page: Page) {
  let clicks = 0
  let fields = 0
  let keys = 0
  return {
    click(target: Locator) {
      clicks++
      return target.click()
    },
    fill(target: Locator, text: string) {
      fields++
      return target.fill(text)
    },
    press(combination: string) {
      keys++
      return page.keyboard.press(combination)
    },
    /** @returns what was done since it was last asked */
    done() {
      const since = { clicks, fields, keys, all: clicks + fields + keys }
      clicks = fields = keys = 0
      return since
    },
  }
}

/** Pastes commands into a terminal. They print an address, and read the one at which the browser ends. */
async function runInTerminal(commands: string, open: (address: string) => Promise<string>): Promise<string> {
  const shell = spawn('bash', { stdio: ['pipe', 'pipe', 'pipe'] })
  const ended = once(shell, 'close')
  let output = ''
  for (const stream of [shell.stdout, shell.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  shell.stdin.write(commands)
  await expect.poll(() => output).toMatch(/authorize\?\S+\n/)
  shell.stdin.end(`${await open(/http\S+authorize\?\S+/.exec(output)?.[0] ?? '')}\n`)
  await ended
  return output
}

const hasFocus = (target: Locator) => target.evaluate((element) => element === element.ownerDocument.activeElement)

describe('a new administrator, who has read nothing,', () => {
  it('gets from the first start to webhooks and the audit log within the clicks of the walk', async () => {
    const { email = '', password = '' } = service().bootstrapped ?? {}
    const owner = await service().given.signIn(email, password)
    const { page, context, faults } = await openConsole(owner, '/logged-out')
    await context.clearCookies()
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const { click, fill, press, done } = counted(page)
    const clipboard = () => page.evaluate('navigator.clipboard.readText()') as Promise<string>
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
    const next = (step: string) => page.getByRole('status').getByRole('link', { name: `Next: ${step}` })

    // 0:00 signs in, as the start has printed
    await page.goto('/console')
    expect(await hasFocus(page.getByLabel('E-mail address'))).toBe(true)
    await fill(page.getByLabel('E-mail address'), email)
    await fill(page.getByLabel('Password'), password)
    await click(button('Sign in'))
    await heading('Overview')
    const steps = page.getByRole('region', { name: 'First steps' })
    await steps.getByText('0 of 5 done').waitFor()
    expect(await steps.getByRole('listitem').count()).toBe(5)
    expect(done()).toMatchObject({ fields: 2, clicks: 1, keys: 0 })

    // 0:45 invites a colleague
    await click(steps.getByRole('link', { name: 'Invite a colleague' }))
    const invite = page.getByRole('dialog', { name: 'Invite' })
    await invite.getByRole('button', { name: 'Remove Member' }).waitFor()
    expect(await hasFocus(invite.getByLabel('E-mail addresses'))).toBe(true)
    await fill(invite.getByLabel('E-mail addresses'), 'anna@acme.test')
    await click(invite.getByRole('button', { name: 'Send' }))
    await invite.getByText('1 invitation sent').waitFor()
    const mails = invite.getByRole('link', { name: 'Open the mails' })
    expect(await mails.getAttribute('href')).toBe('/dev/mail')
    await click(invite.getByRole('button', { name: 'Done' }))
    expect(done().all).toBeLessThanOrEqual(5)
    expect((await owner.get('/v1/admin/invitations')).body.data).toMatchObject([{ email: 'anna@acme.test', role: { slug: 'member' } }])

    // 2:00 makes a role
    await click(next('Make a role of your own'))
    const role = page.getByRole('dialog', { name: 'Create role' })
    expect(await hasFocus(role.getByLabel('Name', { exact: true }))).toBe(true)
    await fill(role.getByLabel('Name', { exact: true }), 'Support')
    expect(await role.getByLabel('Short name').inputValue()).toBe('support')
    await click(role.getByRole('checkbox', { name: 'users:read', exact: true }))
    await role.getByText('0 users are affected').waitFor()
    await click(role.getByRole('button', { name: 'Create role' }))
    await heading('Support')
    expect(done().all).toBeLessThanOrEqual(6)

    // 3:15 registers an application
    await click(next('Connect an application'))
    expect(await page.getByRole('radio', { name: 'Web application with a server' }).isChecked()).toBe(true)
    await click(page.getByText('curl', { exact: true }))
    await fill(page.getByLabel('Name', { exact: true }), 'Customer portal')
    await click(button('Create application'))
    const secret = page.getByRole('alertdialog', { name: 'The secret of the application' })
    await click(secret.getByRole('button', { name: 'Copy' }))
    await expect.poll(clipboard).toMatch(/^[\w-]{43}$/)
    await click(secret.getByRole('button', { name: 'Done' }))
    await heading('Customer portal is ready to be connected')
    expect(done().all).toBeLessThanOrEqual(6)

    // 4:45 tries it
    await click(button('Copy all'))
    await button('Copied').waitFor()
    const commands = await clipboard()
    await click(page.getByRole('link', { name: 'Try it' }))
    await click(button('Sign in as this application'))
    await page.getByText('All steps are done').waitFor()
    expect(await page.getByText('Signature valid').count()).toBe(2)
    await expect.poll(() => context.pages()).toHaveLength(1)
    expect(done().all).toBeLessThanOrEqual(3)

    let shown = ''
    const openInBrowser = async (address: string) => {
      const tab = await context.newPage()
      let end = address
      tab.on('request', (request) => {
        if (request.isNavigationRequest()) end = request.url()
      })
      // Nothing need listen at the address of the application.
      const response = await tab.goto(address).catch(() => undefined)
      // As marked and copied on the page.
      if (response) shown = String(await tab.evaluate('document.body.innerText'))
      await tab.close()
      return end
    }
    expect(await runInTerminal(commands, openInBrowser)).toMatch(/"access_token":"ey/)

    // 6:30 sends a redirect URI with one other character, and allows it by the reference of the error page
    const changed = commands.replaceAll('callback', 'callbacc')
    expect(await runInTerminal(changed, openInBrowser)).not.toContain('access_token')
    expect(shown).toContain('This application cannot sign you in')
    await page.evaluate((text) => (globalThis as unknown as Clipboard).navigator.clipboard.writeText(text), shown)
    await press('ControlOrMeta+k')
    await page.getByRole('dialog', { name: 'Search or jump to' }).waitFor()
    await press('ControlOrMeta+v')
    await click(button('Add exactly this redirect URI'))
    await click(button('Change'))
    await page.getByText('Fixed', { exact: true }).waitFor()
    expect(await runInTerminal(changed, openInBrowser)).toMatch(/"access_token":"ey/)
    expect(done().all).toBeLessThanOrEqual(5)

    // 8:00 adds a webhook
    const hook = receiver.hook()
    await click(next('Add a webhook'))
    const webhook = page.getByRole('dialog', { name: 'Create webhook' })
    expect(await hasFocus(webhook.getByLabel('URL'))).toBe(true)
    await fill(webhook.getByLabel('URL'), hook.url)
    expect(await webhook.getByRole('radio', { name: 'All events' }).isChecked()).toBe(true)
    await click(webhook.getByRole('button', { name: 'Create webhook' }))
    await click(page.getByRole('alertdialog').getByRole('button', { name: 'Copy' }))
    await click(page.getByRole('alertdialog').getByRole('button', { name: 'Done' }))
    await click(button('Send test'))
    await page.getByText('Arrived 200').waitFor()
    expect(done().all).toBeLessThanOrEqual(6)
    await hook.request()

    // 9:15 looks back
    await click(page.getByRole('link', { name: 'See in the audit log what you have changed' }))
    await heading('Audit log')
    for (const action of ['invitation.sent', 'role.created', 'client.created', 'client.updated', 'webhook.created', 'webhook.tested'])
      await page.getByText(action).first().waitFor()
    await click(page.getByRole('row', { name: 'client.updated' }).first())
    const entry = page.getByRole('dialog')
    await entry.getByText('http://localhost:3000/callbacc').first().waitFor()
    await click(entry.getByRole('button', { name: 'Copy the link to this entry' }))
    await expect.poll(clipboard).toMatch(/\/console\/audit\?entry=aud_\w+$/)
    expect(done().all).toBeLessThanOrEqual(3)
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Overview' }).click()
    await page.getByText('One thing is left, for yourself').waitFor()
    expect(await steps.count()).toBe(0)
    expect(await next('').count()).toBe(0)

    // Nothing went wrong but what was provoked, and nothing was asked of others but the application.
    const others = faults.filter((fault) => !fault.startsWith('request: http://localhost:3000/callba'))
    expect(others).toEqual([expect.stringMatching(/^response: 400 GET .*\/oauth2\/authorize/)])
  })
})

interface Clipboard {
  navigator: { clipboard: { writeText(text: string): Promise<void> } }
}
