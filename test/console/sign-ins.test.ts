import { describe, expect, it } from 'vitest'
import { useConsole } from '../support/console.ts'
import { applicationAndUser, wholeSignIn } from '../support/sign-ins.ts'

const { service, openConsole } = useConsole({ ofItsOwn: true })

describe('a sign-in in the console', () => {
  it('is a time line, to which its audit entries, its session and its refusals lead', async () => {
    const { app, user, authenticator } = await applicationAndUser(service())
    const { owner } = app.organisation
    const { entry, signInId, exchanged } = await wholeSignIn(service(), { app, user, authenticator })
    const refused = await app.refresh(exchanged)
    const reference = /[0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{4}/.exec(refused.body.error_description)?.[0] ?? ''
    const { page, faults, settled } = await openConsole(owner, `/console/audit?entry=${entry.id}`)

    await page.getByRole('dialog').getByRole('link', { name: 'The whole sign-in' }).click()
    await page.waitForURL(`**/sign-ins/${signInId}`)
    await page.getByRole('heading', { level: 1, name: 'Sign-in of Test User' }).waitFor()
    const titles = await page.locator('main ol > li p > strong').allInnerTexts()
    expect(titles).toEqual([
      'Portal asked for a sign-in',
      'The attempt was refused',
      'The right password was given',
      'A second factor was asked for',
      'The right code of the authenticator app was given',
      'Signed in',
      'Consent was given',
      'The application got a code',
      'The code was exchanged for tokens',
      'The tokens were refreshed, the last time so far',
      'The tokens were ended',
      'A request was refused',
    ])
    await page.getByText('30 seconds later').waitFor()
    await page.getByText('a refresh token was used twice').waitFor()

    await page.getByRole('link', { name: reference }).click()
    await page.waitForURL(`**/diagnostics/${reference}`)
    await page.getByRole('link', { name: 'The whole sign-in' }).click()
    await page.waitForURL(`**/sign-ins/${signInId}`)
    await page.goto(`/console/users/${user.id}/sessions`)
    await settled()
    await page
      .getByRole('link', { name: /^The whole sign-in of / })
      .first()
      .click()
    await page.waitForURL('**/sign-ins/sgn_*')
    expect(faults).toEqual([])
  })

  it('says what its reader may not see, and what is too old to be one', async () => {
    const { owner } = await service().given.organisation()
    const auditor = await service().given.userWith(owner, ['audit:read'])
    const [entry] = await owner.audit({ action: 'login.success', limit: 1 })
    const { page, faults, goTo } = await openConsole(auditor, `/console/sign-ins/${entry.signInId}`)
    await page.getByText('they need the permission users:read').waitFor()
    await page.getByText('they need the permission clients:read').waitFor()

    // As the release before has written it.
    await service().database.system().updateTable('auditLogs').set({ signInId: null }).where('id', '=', entry.id).execute()
    await goTo(`/console/audit?entry=${entry.id}`)
    await page.getByRole('dialog').getByText('From before sign-ins were stored as a whole').waitFor()
    await goTo('/console/sign-ins/sgn_01kahm3z9n4v7f2t8q6w5r1y0x')
    await page.getByRole('heading', { name: 'This no longer exists' }).waitFor()
    expect(faults.splice(0)).toHaveLength(1)
  })
})
