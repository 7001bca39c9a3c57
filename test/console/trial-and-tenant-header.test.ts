import { describe, expect, it } from 'vitest'
import { useConsole } from '../support/console.ts'

const { service, openConsole } = useConsole({ environment: { TENANT_HEADER: 'required', TRIAL_MAX_USERS: '2' } })

describe('the console of a service that requires the tenant header and limits trials', () => {
  it('works, shows how much of the trial is used, and explains its limit', async () => {
    const { given } = service()
    const { owner, slug } = await given.organisation({ status: 'trial' })
    const { email } = await given.user(owner.with({ 'x-org-domain': slug }))
    expect(email).toBeTruthy()
    const { page, faults } = await openConsole(owner)
    await page.getByText('This organisation is on trial').waitFor()
    await page.getByText('2 of 2 users').waitFor()
    await page
      .getByRole('complementary')
      .getByRole('link', { name: /Trial$/ })
      .waitFor()
    await page.setViewportSize({ width: 500, height: 800 })
    await page.getByRole('button', { name: 'Navigation' }).click()
    await page.getByRole('dialog').getByText('Trial', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 1280, height: 720 })
    await page.getByText('No further user can be created until the organisation is activated.').waitFor()

    await page.goto('/console/organisation/general')
    await page.getByRole('textbox', { name: 'Telephone number' }).fill('+44 20 7946 0001')
    await page.getByRole('region', { name: 'Unsaved changes' }).getByRole('button', { name: 'Save' }).click()
    await page.getByText(/^Saved: /).waitFor()
    expect(faults).toEqual([])

    await page.goto('/console/users?create=yes')
    const drawer = page.getByRole('dialog')
    await drawer.getByLabel('E-mail address').fill('third@example.test')
    await drawer.getByLabel('First name').fill('Third')
    await drawer.getByLabel('Last name').fill('User')
    await drawer.locator('button[type=submit]').click()
    await drawer.getByText('The organisation is on trial and has as many users as a trial holds.').waitFor()
    expect(faults).toEqual([expect.stringMatching(/^response: 403 POST .*\/v1\/admin\/users$/)])
  })
})
