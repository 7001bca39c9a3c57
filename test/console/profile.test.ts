import { describe, expect, it } from 'vitest'
import { clientKey } from '../support/client-keys.ts'
import { useConsole } from '../support/console.ts'
import { givenApplication } from '../support/oauth.ts'

const { service, openConsole } = useConsole({ environment: { OAUTH_EXTENSIONS: 'private_key_jwt,par,dpop' } })

describe('the security of an application', () => {
  it('shows which clauses of the profile it meets, says what stands against it, and applies and removes it', async () => {
    const app = await givenApplication(service(), { grantTypes: ['authorization_code', 'client_credentials'] })
    const { owner } = app.organisation
    const path = `/v1/admin/clients/${app.id}`
    const profile = async () => (await owner.get(path)).body.profile
    await app.token({ grant_type: 'client_credentials' })
    const { page, faults } = await openConsole(owner, `/console/applications/${app.id}/security`)
    const row = (demand: string) => page.getByRole('row').filter({ hasText: demand })
    await row('It has a key that signs otherwise than by RS256').getByText('Change this first').waitFor()
    await row('Tokens are bound to a key').getByText('Will be set').waitFor()
    await row('PKCE is required').getByText('Meets it').waitFor()

    const apply = async () => {
      await page.getByRole('button', { name: 'Apply the profile' }).click()
      const dialog = page.getByRole('alertdialog')
      await dialog.getByText('The application was used within the last 7 days.').waitFor()
      await dialog.getByRole('button', { name: 'Apply the profile' }).click()
    }
    await apply()
    await page.getByText('The FAPI 2.0 profile of the application does not allow this').waitFor()
    expect(await profile()).toBeNull()
    expect(faults.splice(0)).toEqual([expect.stringMatching(/^response: 400 PATCH/)])

    expect(await owner.patch(path, { jwks: { keys: [(await clientKey('ES256')).publicKey] } })).toMatchObject({ status: 200 })
    await page.reload()
    await row('It has a key that signs otherwise than by RS256').getByText('Meets it').waitFor()
    await apply()
    await row('Tokens are bound to a key').getByText('Meets it').waitFor()
    expect(await profile()).toBe('fapi2')
    await page.getByRole('alertdialog').waitFor({ state: 'detached' })

    await page.getByRole('button', { name: 'Remove the profile' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove the profile' }).click()
    await page.getByRole('button', { name: 'Apply the profile' }).waitFor()
    expect(await profile()).toBeNull()
    expect(faults).toEqual([])
  })
})
