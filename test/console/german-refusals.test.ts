import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { useConsole } from '../support/console.ts'

const { service, openConsole } = useConsole()

describe('what the API refuses, in German', () => {
  it('is said at the fields of webhooks and applications', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const { page, faults, goTo } = await openConsole(owner, '/console/webhooks?create=1', { locale: 'de-DE' })
    const drawer = page.getByRole('dialog')
    await drawer.getByLabel('URL').fill('https://me:secret@example.test/hook')
    await drawer.getByRole('button', { name: 'Webhook erstellen' }).click()
    await drawer.getByText('Die Adresse darf weder Benutzernamen noch Passwort enthalten').waitFor()
    await drawer.getByLabel('URL').fill('https://169.254.1.1/hook')
    await drawer.getByRole('button', { name: 'Webhook erstellen' }).click()
    await drawer.getByText(/^An diese Adresse gehen keine Webhooks/).waitFor()
    await page.keyboard.press('Escape')

    await goTo('/console/applications/new')
    await page.getByLabel('Name').fill('Portal')
    await page.getByLabel('Redirect-URI 1', { exact: true }).fill('https://*.example.test/callback')
    await page.getByRole('button', { name: 'Anwendung anlegen' }).click()
    await page.getByText('Die Adresse muss einen bestimmten Host nennen: * wird nicht unterstützt').waitFor()

    await owner.patch('/v1/admin/organisation', { allowedCallbackUrls: ['https://other.example.test/callback'] })
    await page.getByLabel('Redirect-URI 1', { exact: true }).fill('https://a.example.test/callback')
    await page.getByRole('button', { name: 'Anwendung anlegen' }).click()
    await page.getByText('Die Organisation beschränkt Adressen auf eine Liste, in der diese fehlt').waitFor()

    expect(faults.splice(0)).toEqual([
      ...Array(2).fill(expect.stringMatching(/^response: 400 POST .*\/webhooks$/)),
      ...Array(2).fill(expect.stringMatching(/^response: 400 POST .*\/clients$/)),
    ])
  })

  it('is said in place of what was to be shown, and in the English of the API where its texts cannot be loaded', async () => {
    const { owner } = await service().given.organisation()
    const { page } = await openConsole(owner, '/console', { locale: 'de-DE' })
    await page.getByRole('heading', { level: 1, name: 'Überblick' }).waitFor()
    const { file } = JSON.parse(await readFile('dist/console/manifest.json', 'utf8'))['src/texts/de/read-refusals.ts']
    let isGone = true
    await page.route(`**/console/${file}`, (route) => (isGone ? route.abort('connectionrefused') : route.continue()))
    const body = { title: 'Conflict', status: 409, detail: 'The organisation is suspended', code: 'organisation-suspended' }
    await page.route(/\/v1\/admin\/(teams|roles)\b/, (route) =>
      route.fulfill({ status: 409, contentType: 'application/problem+json', body: JSON.stringify(body) }),
    )
    // The first time, the console is loaded anew: another version may have been installed.
    await page.getByRole('navigation').getByRole('link', { name: 'Teams', exact: true }).click()
    const shown = page.locator('main')
    await shown.getByText('The organisation is suspended').waitFor()
    expect(await shown.getByText('The organisation is suspended').getAttribute('lang')).toBe('en')
    isGone = false
    await page.goto('/console/roles')
    await shown.getByText('Die Organisation ist gesperrt und lässt sich nicht ändern').waitFor()
  })
})
