import { describe, expect, it } from 'vitest'
import { titles, titlesOfConnections } from '../../console/src/texts/de/refusal-titles.ts'
import de from '../../console/src/texts/de/refusals.ts'
import en from '../../console/src/texts/en/refusals.ts'
import * as federationRefusals from '../../src/connections/federation/refusals.ts'
import { checkNames } from '../../src/oauth/protocol/checks.ts'
import { unavailable, useConsole } from '../support/console.ts'
import { givenApplication, pkce } from '../support/oauth.ts'

const { service, openConsole } = useConsole()
const callback = 'https://portal.example.test/callback'
const wrong = 'https://portal.example.test/callbak'

describe('the diagnostics in the console', () => {
  it('show what was refused alike once, with how often it was, and each on demand', async () => {
    const app = await givenApplication(service())
    const parameters = { code_challenge: pkce().challenge, code_challenge_method: 'S256' }
    for (const last of ['1', '2', '3']) await app.authorize({ ...parameters, redirect_uri: `${callback}/${last}` })
    await app.authorize({ ...parameters, response_type: 'token' })
    const { page, faults } = await openConsole(app.organisation.owner, '/console/diagnostics')
    const refusals = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'Portal' }) })
    await page.getByText('3 times').waitFor()
    // The names of the applications come by a request of their own.
    await expect.poll(() => refusals.count()).toBe(2)
    await page.getByText('1–4 in 2 groups', { exact: true }).waitFor()
    await page.getByRole('switch', { name: 'Group the same' }).click()
    await expect.poll(() => refusals.count()).toBe(4)
    await page.getByText('1–4', { exact: true }).waitFor()
    expect(await page.getByText('3 times').count()).toBe(0)
    expect(faults).toEqual([])
  })

  it('fix a wrong redirect URI by two clicks, and the same request succeeds', async () => {
    const app = await givenApplication(service())
    const { owner } = app.organisation
    const { page, context, faults } = await openConsole(owner, '/console/diagnostics')
    await page.getByRole('heading', { name: 'Nothing was refused in the last seven days' }).waitFor()

    const error = await app.authorize({ redirect_uri: wrong, code_challenge: pkce().challenge, code_challenge_method: 'S256' })
    // Live: nothing was pressed.
    await page.getByRole('link', { name: /^This application cannot sign you in/ }).waitFor()
    await page
      .getByRole('button', { name: 'Any check' })
      .or(page.getByRole('combobox', { name: 'Check' }))
      .first()
      .click()
    await page.getByRole('option', { name: 'code_verifier' }).click()
    await page.getByRole('heading', { name: 'Nothing matches' }).waitFor()
    expect(new URL(page.url()).searchParams.get('check')).toBe('code_verifier')
    await page.getByRole('button', { name: 'Clear filters' }).first().click()
    await page.getByText('Portal').first().waitFor()

    const field = page.getByRole('textbox', { name: 'Paste an error message' })
    await field.fill('nothing in here')
    await page.getByRole('button', { name: 'Show' }).click()
    await page.getByText('There is no reference in this text').waitFor()
    await field.fill(
      String(error.body)
        .replaceAll(/<[^>]+>/g, ' ')
        .slice(0, 5_000),
    )
    await page.getByRole('button', { name: 'Show' }).click()

    await page.waitForURL(/diagnostics\/[0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{4}$/)
    await expect.poll(() => page.locator('mark').allTextContents()).toEqual(['c', 'k'])
    await page.getByRole('button', { name: 'Add exactly this redirect URI' }).click()
    await page.getByText(`"${wrong}"`).waitFor()
    await page.getByRole('button', { name: 'Change', exact: true }).click()
    await page.getByText('Fixed', { exact: true }).waitFor()

    const stored = await owner.get(`/v1/admin/clients/${app.id}`)
    expect(stored.body.redirectUris).toEqual([callback, wrong])
    const audit = await owner.get(`/v1/admin/audit-logs?action=client.updated&targetId=${app.id}`)
    expect(audit.body.data).toHaveLength(1)

    const [sent] = await Promise.all([
      context.waitForEvent('request', (request) => request.url().startsWith(wrong)),
      page.getByRole('button', { name: 'Send the request again' }).click(),
    ])
    const answer = new URL(sent.url()).searchParams
    expect([answer.get('error'), answer.get('code')]).toEqual([null, expect.stringMatching(/.{20}/)])
    // The application is elsewhere, which is the point of it.
    expect(faults.filter((fault) => !fault.startsWith('request: https://portal.example.test/'))).toEqual([])
  })

  it('do not let a redirect URI of a host that is not registered in without its name being read and typed', async () => {
    const app = await givenApplication(service())
    const { owner } = app.organisation
    await app.authorize({ redirect_uri: 'https://evil.example/39' })
    const [{ reference }] = (await owner.get('/v1/admin/diagnostics')).body.data
    const { page, faults } = await openConsole(owner, `/console/diagnostics/${reference}`)
    await page.getByText('evil.example belongs to none of the addresses that Portal has registered').waitFor()
    await page.getByRole('button', { name: 'Add exactly this redirect URI' }).click()
    const question = page.getByRole('alertdialog')
    await question.getByText('evil.example', { exact: true }).waitFor()
    await question.getByText('It will receive the codes that sign users in').waitFor()
    const change = question.getByRole('button', { name: 'Change', exact: true })
    expect(await change.isDisabled()).toBe(true)
    await question.getByLabel('Type evil.example to confirm').fill('evil.example')
    await change.click()
    await page.getByText('Fixed', { exact: true }).waitFor()
    expect((await owner.get(`/v1/admin/clients/${app.id}`)).body.redirectUris).toEqual([callback, 'https://evil.example/39'])
    expect(faults).toEqual([])
  })

  it('say what stands in the way outside the list of the organisation, and change that first', async () => {
    const app = await givenApplication(service())
    const { owner } = app.organisation
    await owner.patch('/v1/admin/organisation', { allowedCallbackUrls: [callback] })
    await app.authorize({ redirect_uri: wrong })
    const [{ reference }] = (await owner.get('/v1/admin/diagnostics')).body.data
    const { page, faults } = await openConsole(owner, `/console/diagnostics/${reference}`)

    await page.getByText('The organisation limits redirect URIs to a list, and this one is not in it').waitFor()
    expect(await page.getByRole('button', { name: 'Add exactly this redirect URI' }).count()).toBe(0)
    await page.getByRole('button', { name: 'First allow this URL in the organisation' }).click()
    await page.getByRole('button', { name: 'Change', exact: true }).click()
    await page.getByRole('button', { name: 'Add exactly this redirect URI' }).click()
    await page.getByRole('button', { name: 'Change', exact: true }).click()
    await page.getByText('Fixed', { exact: true }).waitFor()

    expect((await owner.get('/v1/admin/organisation')).body.allowedCallbackUrls).toEqual([callback, wrong])
    expect((await app.authorize({ redirect_uri: wrong, scope: 'nonsense' })).headers.get('location')).toContain(wrong)
    expect(faults).toEqual([])
  })

  it('add a URL to the list of the organisation as another administrator has left it', async () => {
    const app = await givenApplication(service())
    const { owner } = app.organisation
    const [former, added] = ['https://former.example.test/', 'https://added.example.test/']
    await owner.patch('/v1/admin/organisation', { allowedCallbackUrls: [callback, former] })
    await app.authorize({ redirect_uri: wrong })
    const [{ reference }] = (await owner.get('/v1/admin/diagnostics')).body.data
    const { page, faults } = await openConsole(owner, `/console/diagnostics/${reference}`)
    await page.getByRole('button', { name: 'First allow this URL in the organisation' }).click()
    const question = page.getByRole('alertdialog')
    await question.getByText(`"${former}"`).waitFor()
    await owner.patch('/v1/admin/organisation', { allowedCallbackUrls: [callback, added] })
    await question.getByRole('button', { name: 'Change', exact: true }).click()
    await question.getByText('Another administrator has changed it meanwhile').waitFor()
    await question.getByText(`"${added}"`).waitFor()
    expect(await question.getByText(`"${former}"`).count()).toBe(0)
    await question.getByRole('button', { name: 'Change', exact: true }).click()
    await page.getByRole('button', { name: 'Add exactly this redirect URI' }).waitFor()
    expect((await owner.get('/v1/admin/organisation')).body.allowedCallbackUrls).toEqual([callback, added, wrong])
    expect(faults.splice(0)).toEqual([expect.stringContaining('response: 412 PATCH')])
  })

  it('activate a revoked application, allow a scope and a grant', async () => {
    const app = await givenApplication(service())
    const { owner } = app.organisation
    await app.authorize({ scope: 'orders:read', code_challenge: pkce().challenge, code_challenge_method: 'S256' })
    await app.token({ grant_type: 'client_credentials' })
    await owner.post(`/v1/admin/clients/${app.id}/revoke`, {})
    await app.token({ grant_type: 'client_credentials' })
    const { data } = (await owner.get('/v1/admin/diagnostics')).body as { data: { check: string; reference: string }[] }
    const { page, faults } = await openConsole(owner, '/console/diagnostics')
    for (const [check, button] of [
      ['client_state', 'Activate the application'],
      ['scope', 'Allow the scope orders:read'],
      ['grant_type', 'Allow the grant client_credentials'],
    ]) {
      await page.goto(`/console/diagnostics/${data.find((one) => one.check === check)?.reference}`)
      await page.getByRole('button', { name: button as string }).click()
      await page.getByRole('button', { name: 'Change', exact: true }).click()
      await page.getByText('Fixed', { exact: true }).waitFor()
    }
    expect((await owner.get(`/v1/admin/clients/${app.id}`)).body).toMatchObject({
      isActive: true,
      scopes: ['orders:read'],
      grantTypes: ['authorization_code', 'refresh_token', 'client_credentials'],
    })
    expect(await app.token({ grant_type: 'client_credentials' })).toMatchObject({ status: 200 })
    expect(faults).toEqual([])
  })

  it('are read without being changed by those who may not, and tell of what fails', async () => {
    const app = await givenApplication(service())
    await app.authorize({ redirect_uri: wrong })
    const { owner } = app.organisation
    const [{ reference }] = (await owner.get('/v1/admin/diagnostics')).body.data
    const reader = await service().given.userWith(owner, ['clients:read'])
    const { page, faults } = await openConsole(reader, `/console/diagnostics/${reference}`)
    const fix = page.getByRole('button', { name: 'Add exactly this redirect URI' })
    await fix.waitFor()
    expect(await fix.isDisabled()).toBe(true)
    await page.getByText('To change this you need the permission clients:update').first().waitFor({ state: 'attached' })
    expect(faults).toEqual([])

    await page.goto('/console/diagnostics/7k3m-q9td-x2vb')
    await page.getByRole('heading', { name: 'This no longer exists' }).waitFor()
    await page.route('**/v1/admin/diagnostics?*', (route) => route.fulfill(unavailable))
    await page.goto('/console/diagnostics')
    await page.getByText('This could not be shown').waitFor()
    await page.unroute('**/v1/admin/diagnostics?*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText(reference).waitFor()

    const other = await service().given.userWith(owner, ['users:read'])
    const { page: theirs, faults: theirFaults } = await openConsole(other, '/console/diagnostics')
    await theirs.getByRole('heading', { name: 'You may not see this' }).waitFor()
    expect(theirFaults).toEqual([])
  })

  it('have a title and a word on every check of the service, in both languages', () => {
    expect(checkNames.filter((check) => !Object.hasOwn(en.advice, check))).toEqual([])
    expect(Object.keys(de.advice)).toEqual(Object.keys(en.advice))
    expect(checkNames.filter((check) => !Object.hasOwn(titles, check))).toEqual([])
  })

  it('say in German what the service says, and leave as it is what was sent or stored before there were phrases', async () => {
    const app = await givenApplication(service())
    const { owner } = app.organisation
    const { code, verifier } = await app.code()
    await app.redeem(code, verifier)
    await app.redeem(code, verifier)
    const [{ reference }] = (await owner.get('/v1/admin/diagnostics')).body.data
    const { page, faults, goTo } = await openConsole(owner, `/console/diagnostics/${reference}`, { locale: 'de-DE' })
    await page.getByText('ein Code, der einmal eingelöst wird').waitFor()
    await page.getByText('ein zweites Einlösen').waitFor()

    await app.token({ grant_type: 'seconds' })
    const [unknown] = (await owner.get('/v1/admin/diagnostics')).body.data
    await goTo(`/console/diagnostics/${unknown.reference}`)
    await page.getByText('seconds', { exact: true }).first().waitFor()

    await service().database.system().updateTable('diagnostics').set({ phrases: null }).where('reference', '=', reference).execute()
    await goTo(`/console/diagnostics/${reference}`)
    await page.reload()
    await page.getByText('a second use').waitFor()
    expect(faults).toEqual([])
  })

  it('tell where two URIs differ, in German, too', () => {
    expect(de.nearest('https://a.test/cb', 18, undefined, '/')).toBe(
      'Die ähnlichste registrierte URI ist https://a.test/cb. Ab Zeichen 18 steht dort nichts mehr, erhalten wurde „/“.',
    )
  })

  it('have a title in German for every refusal of a connection', () => {
    const refused = Object.values(federationRefusals).map((refusal) => refusal.code)
    const never = ['connection-not-found', 'federated-sign-in-expired', 'connection-test-expired']
    expect(refused.filter((code) => !never.includes(code) && !Object.hasOwn(titlesOfConnections, code))).toEqual([])
  })
})
