import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generate, type SelfsignedOptions } from 'selfsigned'
import { afterEach, describe, expect, it } from 'vitest'
import { useConsole } from '../support/console.ts'
import { uniqueDomain, verifiedDomain } from '../support/domains.ts'
import { type ListeningSaml, listeningSaml } from '../support/listening-saml.ts'
import { base64Of, samlProvider } from '../support/saml-provider.ts'
import { ownMetadataOf } from '../support/saml-sign-in.ts'

const { service, openConsole } = useConsole()

let provider: ListeningSaml | undefined
let folder: string | undefined
afterEach(async () => {
  provider?.close()
  if (folder) await rm(folder, { recursive: true })
})

const valuesOfOptions = (options: unknown[]) => (options as { value: string }[]).map(({ value }) => value)

describe('the pages of a connection by SAML', () => {
  it('draw the certificates of the provider in the order of time, each with the one that replaces it', async () => {
    const { owner } = await service().given.organisation()
    const days = (count: number) => new Date(Date.now() + count * 86_400_000)
    const [second, first, over] = await Promise.all([400, 20, -10].map((count) => samlProvider({ notAfterDate: days(count) })))
    const certificates = [second, first, over].map((one) => one?.certificate)
    const configuration = { entityId: 'https://idp.test', ssoUrl: 'https://idp.test/sso', certificates }
    const { body } = await owner.post('/v1/admin/connections', { name: 'Acme', slug: 'acme', provider: 'saml', configuration })
    const short = body.certificates.map(({ fingerprint }: { fingerprint: string }) => fingerprint.slice(0, 12))
    const { page, faults } = await openConsole(owner, `/console/connections/${body.id}`)

    const rows = page.getByRole('listitem').filter({ hasText: 'Certificate ' })
    await rows.first().waitFor()
    expect(await rows.evaluateAll((all) => all.map((one) => (one as unknown as { textContent: string }).textContent))).toEqual([
      expect.stringMatching(`${short[2]}….*Has expired, and still verifies. Replaced by ${short[1]}…`),
      expect.stringMatching(`${short[1]}….*Replaced by ${short[0]}…`),
      expect.stringMatching(`${short[0]}….*Nothing replaces it yet`),
    ])
    expect(await rows.locator('svg').count()).toBe(3)
    expect(faults).toEqual([])
  })

  it('show one certificate a line, however short it is', async () => {
    const { owner } = await service().given.organisation()
    const small: SelfsignedOptions = { algorithm: 'sha256', keyType: 'ec', extensions: [{ name: 'basicConstraints', cA: false }] }
    const made = await Promise.all(['a', 'b'].map((value) => generate([{ name: 'commonName', value }], small)))
    const certificates = made.map(({ cert: certificate }) => base64Of({ certificate }))
    expect(certificates.every(({ length }) => length < 400)).toBe(true)
    const configuration = { entityId: 'https://idp.test', ssoUrl: 'https://idp.test/sso', certificates }
    const { body } = await owner.post('/v1/admin/connections', { name: 'Acme', slug: 'acme', provider: 'saml', configuration })
    const { page, faults } = await openConsole(owner, `/console/connections/${body.id}`)
    const field = page.getByRole('textbox', { name: 'Certificates' })
    await field.waitFor()
    expect((await field.inputValue()).split('\n')).toEqual(body.configuration.certificates)
    expect(body.configuration.certificates).toHaveLength(2)
    expect(faults).toEqual([])
  })

  it('lead from the files of both sides to a sign-in in the browser', async () => {
    const { owner } = await service().given.organisation()
    const domain = uniqueDomain()
    const email = `anna@${domain}`
    provider = await listeningSaml(service(), { nameId: 'anna', email })
    folder = await mkdtemp(join(tmpdir(), 'saml-'))
    await writeFile(join(folder, 'metadata.xml'), provider.metadata)
    const made = await owner.post('/v1/admin/connections', {
      name: 'Acme',
      slug: 'acme',
      provider: 'saml',
      isActive: false,
      provisioning: 'jit',
    })
    const { id } = made.body
    const { page, context, faults } = await openConsole(owner, `/console/connections/${id}`)
    const button = (name: string) => page.getByRole('button', { name, exact: true })

    // What the provider takes as files.
    const saved = async (name: string) => {
      const [download] = await Promise.all([page.waitForEvent('download'), button(name).click()])
      return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') }
    }
    const metadata = await saved('Our metadata as a file')
    expect(metadata).toEqual({ name: 'acme-metadata.xml', text: await ownMetadataOf(service(), { id }) })
    const { name, text } = await saved('Our certificate as a file')
    expect(name).toBe('acme.crt')
    const base64 = text.replaceAll(/-----[A-Z ]+-----|\n/g, '')
    expect(metadata.text).toContain(`use="signing"><ds:KeyInfo><ds:X509Data><ds:X509Certificate>${base64}<`)

    // What it gives as a file.
    await page.getByLabel('Choose a metadata file').setInputFiles(join(folder, 'metadata.xml'))
    await expect.poll(() => page.getByLabel('Metadata', { exact: true }).inputValue()).toBe(provider.metadata)
    await button('Save').click()
    await page.getByText('All is there').waitFor()
    await expect.poll(() => page.getByLabel('Sign-in address').inputValue()).toBe(provider.ssoUrl)
    expect(await page.getByLabel('Sign-out address', { exact: true }).inputValue()).toContain('/slo')
    await button('Switch on').click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Switch on', exact: true }).click()
    expect(faults).toEqual([])

    // What a test finds is offered for the mapping.
    provider.serviceMetadata = metadata.text
    const { body: test } = await owner.post(`/v1/admin/connections/${id}/test`)
    await page.goto(test.url)
    await page.getByRole('link', { name: 'Use them in the mapping' }).click()
    const field = page.getByLabel('E-mail address', { exact: true })
    await field.waitFor()
    expect(await page.locator(`datalist[id="${await field.getAttribute('list')}"] option`).evaluateAll(valuesOfOptions)).toEqual(['email'])

    // What a tile on the start page of the provider needs.
    await page.getByRole('combobox', { name: 'A response that was not asked for' }).click()
    await page.getByRole('option', { name: 'Begins a sign-in here, as a tile at the provider needs' }).click()
    await button('Save').click()
    await expect.poll(async () => (await owner.get(`/v1/admin/connections/${id}`)).body.idpInitiated).toBe('restart')

    await verifiedDomain(service(), owner, { domain, connectionId: id, sso: 'required' })
    // Away from the console, which would lead to the sign-in page itself.
    await page.goto('about:blank')
    await context.clearCookies()
    await page.goto('/login/sso')
    await page.getByLabel('E-mail address').fill(email)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.waitForURL(/\/account/)
    expect((await owner.get(`/v1/admin/users?q=${email}`)).body.data).toMatchObject([{ email }])
  })
})
