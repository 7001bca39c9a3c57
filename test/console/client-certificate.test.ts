import { describe, expect, it } from 'vitest'
import { certificateVariables, testCertificate } from '../support/certificates.ts'
import { clientKey } from '../support/client-keys.ts'
import { unavailable, useConsole } from '../support/console.ts'
import { givenApplication } from '../support/oauth.ts'

const { service, openConsole } = useConsole({
  environment: { OAUTH_EXTENSIONS: 'mtls,private_key_jwt', ...certificateVariables },
})

/** The page of security of an application, and what is done there. */
async function openSecurity(fields: Parameters<typeof givenApplication>[1] = {}) {
  const app = await givenApplication(service(), fields)
  const { owner } = app.organisation
  const path = `/v1/admin/clients/${app.id}`
  const { page, faults } = await openConsole(owner, `/console/applications/${app.id}/security`)
  const question = page.getByRole('alertdialog')
  const save = () => page.getByRole('button', { name: 'Save', exact: true }).click()
  return {
    ...{ app, owner, path, page, faults, question, save },
    stored: async () => (await owner.get(path)).body,
    choose: async (field: string, option: string) => {
      await page.getByRole('combobox', { name: field, exact: true }).click()
      await page.getByRole('option', { name: option }).click()
    },
    saved: () => page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' }),
    /** Saves, and says yes to the question about what breaks. */
    saveAnyway: async () => {
      await save()
      await question.getByRole('button', { name: 'Change it' }).click()
      await question.waitFor({ state: 'detached' })
    },
  }
}

const keyPair = async (kid: string) => clientKey('ES256', kid)
const names = ({ jwks }: { jwks: { keys: { kid: string }[] } | null }) => jwks?.keys.map(({ kid }) => kid)

describe('the security of an application', () => {
  it('is a certificate of an authority or a self-signed one, to which its tokens are bound', async () => {
    const { page, faults, stored, choose, saveAnyway, saved } = await openSecurity()

    await choose('Method', 'By a certificate of an authority')
    await page.getByRole('textbox', { name: 'Name of the certificate' }).fill('portal')
    await saveAnyway()
    await page.getByText('It must be a distinguished name').waitFor()
    expect(faults.splice(0)).toEqual([expect.stringMatching(/^response: 400 PATCH/)])
    await page.getByRole('textbox', { name: 'Name of the certificate' }).fill('cn=portal.acme.test, O=Acme')
    await page.getByRole('switch', { name: 'Bind tokens to the certificate' }).click()
    await saveAnyway()
    await saved()
    await expect.poll(stored).toMatchObject({
      ...{ tokenEndpointAuthMethod: 'tls_client_auth', tlsClientAuth: { subjectDn: 'CN=portal.acme.test,O=Acme' } },
      certificateBoundAccessTokens: true,
    })

    await choose('Which name of the certificate', 'DNS name')
    await page.getByRole('textbox', { name: 'Name of the certificate' }).fill('portal.acme.test')
    await saveAnyway()
    await saved()
    await expect.poll(async () => (await stored()).tlsClientAuth).toEqual({ sanDns: 'portal.acme.test' })

    const { publicKey } = await testCertificate()
    await choose('Method', 'By a self-signed certificate')
    await page.getByLabel('Public keys of its own').fill(JSON.stringify(publicKey))
    await saveAnyway()
    await saved()
    await expect.poll(stored).toMatchObject({ tokenEndpointAuthMethod: 'self_signed_tls_client_auth', jwks: { keys: [publicKey] } })
    expect(faults).toEqual([])
  })

  it('lets the tokens of an application without a secret be bound, too', async () => {
    const { page, faults, stored, saveAnyway } = await openSecurity({ clientType: 'public' })
    await page.getByRole('switch', { name: 'Bind tokens to the certificate' }).click()
    await saveAnyway()
    await expect.poll(async () => (await stored()).certificateBoundAccessTokens).toBe(true)
    expect(faults).toEqual([])
  })

  it('changes the method only where that is chosen, and asks before it ends what the application uses', async () => {
    const key = await keyPair('k1')
    const fields = { grantTypes: ['authorization_code', 'client_credentials'] }
    const { app, page, faults, question, stored, choose, save, saveAnyway, saved } = await openSecurity(fields)
    await app.token({ grant_type: 'client_credentials' })

    await page.getByLabel('Public keys of its own').fill(JSON.stringify(key.publicKey))
    await save()
    await saved()
    expect(await stored()).toMatchObject({ tokenEndpointAuthMethod: 'client_secret_basic', jwks: { keys: [{ kid: 'k1' }] } })

    await choose('Method', 'By a signature')
    await save()
    await question.getByText('Until now: In the header (client_secret_basic).').waitFor()
    await question.getByText('The application was used within the last 7 days.').waitFor()
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'detached' })
    expect(await stored()).toMatchObject({ tokenEndpointAuthMethod: 'client_secret_basic' })
    await choose('Algorithm of its signatures', 'ES256')
    await saveAnyway()
    await saved()
    expect(await stored()).toMatchObject({ tokenEndpointAuthMethod: 'private_key_jwt', tokenEndpointAuthSigningAlg: 'ES256' })
    expect(faults).toEqual([])
  })

  it('brings no key back that another administrator has removed meanwhile, and removes none that it did not show', async () => {
    const [first, second, third] = await Promise.all([keyPair('k1'), keyPair('k2'), keyPair('k3')])
    const both = { tokenEndpointAuthMethod: 'private_key_jwt', jwks: { keys: [first.publicKey, second.publicKey] } }
    const { owner, path, page, faults, question, stored, save, saved } = await openSecurity()
    await owner.patch(path, both)
    await page.reload()
    await page.getByRole('row', { name: /k1/ }).waitFor()

    await owner.patch(path, { jwks: { keys: [second.publicKey] } })
    await page.getByLabel('Public keys of its own').fill(JSON.stringify(third.publicKey))
    await save()
    await question.getByRole('button', { name: 'Save yours' }).click()
    await saved()
    expect(names(await stored())).toEqual(['k2', 'k3'])
    expect(faults.splice(0)).toEqual([expect.stringMatching(/^response: 412 PATCH/)])

    await owner.patch(path, both)
    await page.getByRole('button', { name: 'Remove: k3' }).click()
    await question.getByRole('button', { name: 'Remove' }).click()
    await question.getByText('Another administrator has changed it meanwhile').waitFor()
    await question.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('row', { name: /k1/ }).waitFor()
    expect(names(await stored())).toEqual(['k1', 'k2'])
    await page.getByRole('button', { name: 'Remove: k1' }).click()
    await question.getByRole('button', { name: 'Remove' }).click()
    await expect.poll(async () => names(await stored())).toEqual(['k2'])
    expect(faults.splice(0)).toEqual([expect.stringMatching(/^response: 412 PATCH/)])
  })

  it('refuses a private key at its field, and sends it nowhere', async () => {
    const key = await keyPair('k1')
    const { page, faults, stored, save } = await openSecurity()
    const sent: string[] = []
    page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`))
    const field = page.getByLabel('Public keys of its own')
    await field.fill(JSON.stringify({ keys: [key.whole] }))
    await save()
    await page.getByText('It must be a public key: the private half stays with its owner').waitFor()
    await expect.poll(() => field.evaluate((element) => element.matches(':focus'))).toBe(true)
    for (const wrapped of [{ jwks: { keys: [key.whole] } }, [key.whole]]) {
      await field.fill(JSON.stringify(wrapped))
      await save()
      await page.getByText('It is not a public key that can be read').waitFor()
      await field.fill('')
      await page.getByText('It is not a public key that can be read').waitFor({ state: 'detached' })
    }
    expect(sent.filter((request) => request.includes(key.whole.d as string))).toEqual([])
    expect((await stored()).jwks).toBeNull()
    expect(faults).toEqual([])
  })

  it('is a secret again after a new one was made, and says that its keys no longer suffice', async () => {
    const key = await keyPair('k1')
    const { app, page, faults, question, stored, choose, save, saveAnyway, saved } = await openSecurity({
      ...{ tokenEndpointAuthMethod: 'private_key_jwt', jwks: { keys: [key.publicKey] } },
      ...{ grantTypes: ['client_credentials'], redirectUris: [] },
    })
    const rotate = page.getByRole('button', { name: 'Rotate the secret' })
    await page.getByText('The present method takes no secret.').waitFor()
    await choose('Method', 'In the header')
    await page.getByText('Both ways of sending the secret are accepted').waitFor()
    await save()
    await question.getByText('Its keys or certificate no longer suffice.').waitFor()
    await question.getByRole('button', { name: 'Change it' }).click()
    await page.getByText('The application has no secret: rotate the secret first').waitFor()
    expect(faults.splice(0)).toEqual([expect.stringMatching(/^response: 400 PATCH/)])

    expect(await rotate.isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Discard' }).click()
    await rotate.click()
    // There is no time for which a former one would work on.
    expect(await question.getByRole('radio').count()).toBe(0)
    await question.getByRole('button', { name: 'Rotate the secret' }).click()
    const made = page.getByRole('alertdialog', { name: 'The new secret' })
    const secret = (await made.locator('code').first().textContent()) as string
    await made.getByRole('checkbox', { name: 'I have stored it' }).click()
    await made.getByRole('button', { name: 'Done' }).click()
    await made.waitFor({ state: 'detached' })
    await choose('Method', 'In the header')
    await saveAnyway()
    await saved()
    expect(await stored()).toMatchObject({ tokenEndpointAuthMethod: 'client_secret_basic', secret: { previousValidUntil: null } })
    const form = { grant_type: 'client_credentials', client_id: app.id, client_secret: secret }
    expect(await app.post('/oauth2/token', form, {})).toMatchObject({ status: 200 })
    expect(faults).toEqual([])
  })

  it('changes nothing else while its form has changes, which would be refused as if another administrator had been there', async () => {
    const { page, faults, save, saved } = await openSecurity()
    const others = ['Make a key', 'Add workload', 'Apply the profile', 'Rotate the secret'].map((name) =>
      page.getByRole('button', { name }),
    )
    const areDisabled = () => Promise.all(others.map((button) => button.isDisabled()))
    await page.getByLabel('Public keys of its own').fill(JSON.stringify((await keyPair('k1')).publicKey))
    await expect.poll(areDisabled).toEqual([true, true, true, true])
    await page.getByText('Save or discard your changes first').first().waitFor({ state: 'attached' })
    await save()
    await saved()
    await expect.poll(areDisabled).toEqual([false, false, false, false])
    expect(faults).toEqual([])
  })

  it('saves the file of a key that it makes before the application may depend on it', async () => {
    const { path, page, question } = await openSecurity()
    await page.route(`**${path}`, (route) => (route.request().method() === 'PATCH' ? route.fulfill(unavailable) : route.fallback()))
    await page.getByRole('button', { name: 'Make a key' }).click()
    const saving = page.waitForEvent('download')
    await question.getByRole('button', { name: 'Make a key' }).click()
    expect((await saving).suggestedFilename()).toMatch(/\.jwk|\.json/)
  })
})
