import { describe, expect, it } from 'vitest'
import { certificateVariables, testCertificate } from '../support/certificates.ts'
import { useConsole } from '../support/console.ts'
import { givenApplication } from '../support/oauth.ts'

const { service, openConsole } = useConsole({ environment: { OAUTH_EXTENSIONS: 'mtls', ...certificateVariables } })

describe('the security of an application', () => {
  it('is a certificate of an authority or a self-signed one, to which its tokens are bound', async () => {
    const app = await givenApplication(service())
    const { owner } = app.organisation
    const stored = async () => (await owner.get(`/v1/admin/clients/${app.id}`)).body
    const { page, faults } = await openConsole(owner, `/console/applications/${app.id}/security`)
    const choose = async (field: string, option: string) => {
      await page.getByRole('combobox', { name: field }).click()
      await page.getByRole('option', { name: option }).click()
    }
    const save = () => page.getByRole('button', { name: 'Save certificate' }).click()
    /** Saves, and waits until a new form shows what is stored: a list that is opened before then closes. */
    const saved = async () => {
      const button = await page.getByRole('button', { name: 'Save certificate' }).elementHandle()
      await save()
      await button?.waitForElementState('hidden')
    }

    await choose('Method', 'By a certificate of an authority')
    await page.getByRole('textbox', { name: 'Name of the certificate' }).fill('portal')
    await save()
    await page.getByText('It must be a distinguished name').waitFor()
    expect(faults.splice(0)).toEqual([expect.stringMatching(/^response: 400 PATCH/)])
    await page.getByRole('textbox', { name: 'Name of the certificate' }).fill('cn=portal.acme.test, O=Acme')
    await page.getByRole('switch', { name: 'Bind tokens to the certificate' }).click()
    await saved()
    await expect.poll(stored).toMatchObject({
      ...{ tokenEndpointAuthMethod: 'tls_client_auth', tlsClientAuth: { subjectDn: 'CN=portal.acme.test,O=Acme' } },
      certificateBoundAccessTokens: true,
    })

    await choose('Which name of the certificate', 'DNS name')
    await page.getByRole('textbox', { name: 'Name of the certificate' }).fill('portal.acme.test')
    await saved()
    await expect.poll(async () => (await stored()).tlsClientAuth).toEqual({ sanDns: 'portal.acme.test' })

    const { publicKey } = await testCertificate()
    await choose('Method', 'By a self-signed certificate')
    // The form of the keys has the same field; this one is below it.
    await page.getByLabel('Public keys of its own').last().fill(JSON.stringify(publicKey))
    await saved()
    await expect.poll(stored).toMatchObject({ tokenEndpointAuthMethod: 'self_signed_tls_client_auth', jwks: { keys: [publicKey] } })
    expect(faults).toEqual([])
  })

  it('lets the tokens of an application without a secret be bound, too', async () => {
    const app = await givenApplication(service(), { clientType: 'public' })
    const { owner } = app.organisation
    const { page, faults } = await openConsole(owner, `/console/applications/${app.id}/security`)
    await page.getByRole('switch', { name: 'Bind tokens to the certificate' }).click()
    await page.getByRole('button', { name: 'Save certificate' }).click()
    await expect.poll(async () => (await owner.get(`/v1/admin/clients/${app.id}`)).body.certificateBoundAccessTokens).toBe(true)
    expect(faults).toEqual([])
  })
})
