import { describe, expect, it } from 'vitest'
import { unavailable, useConsole } from '../support/console.ts'
import { tooWideOn } from '../support/looks.ts'

const { service, openConsole } = useConsole()

describe('the overview', () => {
  it('is where a new owner lands after two fields and one click, with five first steps', async () => {
    const { owner } = await service().given.organisation()
    const { page, context, faults } = await openConsole(owner, '/logged-out')
    await context.clearCookies()

    await page.goto('/')
    await page.getByLabel('E-mail address').fill(owner.email)
    await page.getByLabel('Password').fill(owner.password)
    await page.getByRole('button', { name: 'Sign in' }).click()

    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/console')
    const steps = page.getByRole('region', { name: 'First steps' })
    await steps.getByText('0 of 5 done').waitFor()
    expect(await steps.getByRole('link').allTextContents()).toEqual([
      'Invite a colleague',
      'Make a role of your own',
      'Connect an application',
      'Add a webhook',
      'Set up your own second factor',
    ])
    await steps.getByRole('link', { name: 'Invite a colleague' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Send' }).waitFor()
    await page.goBack()
    await page.getByRole('link', { name: 'Connect an application' }).click()
    await page.waitForURL('**/console/applications/new')
    expect(faults).toEqual([])
  })

  it('ticks a step when the records say that it is done, and hides the steps for this browser', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    await given.user(owner)
    await given.role(owner, { permissions: ['users:read'] })
    await owner.post('/v1/admin/webhooks', { url: 'https://hooks.example.com/a', events: ['user.created'] })
    const { page, faults } = await openConsole(owner)
    const steps = page.getByRole('region', { name: 'First steps' })
    await steps.getByText('3 of 5 done').waitFor()
    expect(await steps.getByRole('link').allTextContents()).toEqual(['Connect an application', 'Set up your own second factor'])

    await steps.getByRole('button', { name: 'Hide the first steps' }).click()
    await steps.waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('link', { name: /^Users 2/ }).waitFor()
    expect(await steps.count()).toBe(0)
    expect(faults).toEqual([])
  })

  it('leaves of the steps the one for oneself when the organisation is set up, until that is hidden', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    await given.user(owner)
    await given.role(owner, { permissions: ['users:read'] })
    await owner.post('/v1/admin/clients', { name: 'Portal', clientType: 'public', redirectUris: ['https://a.test/'] })
    await owner.post('/v1/admin/webhooks', { url: 'https://hooks.example.com/a', events: ['user.created'] })
    const { page, faults } = await openConsole(owner)
    const own = page.getByRole('link', { name: 'Set up your own second factor' })
    expect(await own.getAttribute('href')).toBe('/mfa/enroll?returnTo=%2Fconsole')
    expect(await page.getByRole('region', { name: 'First steps' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Hide the first steps' }).click()
    await own.waitFor({ state: 'detached' })
    expect(faults).toEqual([])
  })

  it('leads from each figure and each panel to its records', async () => {
    const { given, anonymous } = service()
    const { owner } = await given.organisation()
    const { email } = await given.user(owner, { firstName: 'Vera', lastName: 'Lindqvist' })
    await given.signIn(email)
    await anonymous.post('/v1/auth/login', { email, password: 'a wrong one' })
    const app = await owner.post('/v1/admin/clients', { name: 'Portal', clientType: 'public', redirectUris: ['https://a.test/'] })
    await anonymous.get(`/oauth2/authorize?client_id=${app.body.clientId}&redirect_uri=https://a.test/b&response_type=code`)
    await owner.post('/v1/admin/connections', { name: 'Workforce', slug: 'workforce', provider: 'google', isActive: false })
    const { page, faults } = await openConsole(owner)

    const figures = page.getByRole('region', { name: 'At a glance' })
    await figures.getByRole('link', { name: /^Users 2/ }).waitFor()
    const targets = await figures.getByRole('link').evaluateAll((links) => links.map((link) => link.getAttribute('href')))
    expect(targets).toEqual([
      '/console/users',
      '/console/users?sort=-lastLoginAt',
      '/console/users?mfaEnabled=true',
      '/console/invitations?status=pending',
      '/console/applications',
      '/console/webhooks',
    ])
    await page.getByRole('region', { name: 'Recent changes' }).getByText('created the application').waitFor()
    await page.getByRole('region', { name: 'Recent changes' }).getByText('created the connection').waitFor()
    await page.getByRole('region', { name: 'Refused OAuth requests' }).getByRole('listitem').first().waitFor()

    const signIns = page.getByRole('region', { name: 'Sign-ins' })
    await signIns.getByText('Last 30 days, Europe/London').waitFor()
    await signIns.getByText('Sign-ins: 2 succeeded, 1 failed').first().waitFor()
    await signIns.getByRole('button', { name: 'Hours' }).click()
    await signIns.getByText('Last 24 hours, Europe/London').waitFor()
    await signIns.getByRole('button', { name: 'As a table' }).click()
    await signIns.getByRole('table').getByRole('link').last().click()
    await page.waitForURL(/\/console\/audit\?action=login\.\*&from=/)
    expect(faults).toEqual([])
  })

  it('shows each panel by itself: one that fails says so, and is asked again', async () => {
    const { owner } = await service().given.organisation()
    const { page, context, faults } = await openConsole(owner, '/console/users')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await context.route('**/v1/admin/statistics/sign-ins?**', (route) => route.fulfill(unavailable))
    await page.getByRole('link', { name: 'Overview' }).click()

    const signIns = page.getByRole('region', { name: 'Sign-ins' })
    await signIns.getByText('This could not be shown').waitFor()
    await page.getByRole('region', { name: 'Recent changes' }).getByRole('listitem').first().waitFor()
    await context.unroute('**/v1/admin/statistics/sign-ins?**')
    await signIns.getByRole('button', { name: 'Try again' }).click()
    await signIns.getByText('Sign-ins: 1 succeeded, 0 failed').first().waitFor()
    expect(faults.filter((fault) => !fault.startsWith('response: 503'))).toEqual([])
  })

  it.each([
    ['audit:read', 'Recent changes'],
    ['clients:read', 'Refused OAuth requests'],
    ['users:read', 'Sign-ins'],
  ])('has for someone with %s alone the panel "%s", and asks for nothing else', async (permission, title) => {
    const { given } = service()
    const { owner } = await given.organisation()
    const { page, faults } = await openConsole(await given.userWith(owner, [permission]))
    await page.getByRole('region', { name: title }).waitFor()
    for (const other of ['Recent changes', 'Refused OAuth requests', 'Sign-ins'].filter((one) => one !== title))
      expect(await page.getByRole('region', { name: other }).count()).toBe(0)
    expect(faults).toEqual([])
  })

  it('is in German, too', async () => {
    const { owner } = await service().given.organisation()
    const { page, faults } = await openConsole(owner, '/console', { locale: 'de-DE', viewport: { width: 320, height: 800 } })
    await page.getByRole('region', { name: 'Erste Schritte' }).getByText('0 von 5 erledigt').waitFor()
    expect(await tooWideOn(page)).toEqual([])
    expect(faults).toEqual([])
  })
})
