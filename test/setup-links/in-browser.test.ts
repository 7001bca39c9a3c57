import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { useBrowserAndService } from '../support/browser.ts'
import { directoryClient } from '../support/directories.ts'
import { publish, uniqueDomain } from '../support/domains.ts'
import { unique } from '../support/given.ts'
import { type IdentityProvider, listeningProvider } from '../support/identity-provider.ts'
import { listeningSaml } from '../support/listening-saml.ts'
import { coloursOn, inOtherScheme, prepareLooks, tooWideOn, violationsOn } from '../support/looks.ts'
import { ownMetadataOf } from '../support/saml-sign-in.ts'
import { createSetupLink, setupLinkOf } from '../support/setup-links.ts'

const { browser, service } = useBrowserAndService({ ofItsOwn: true })

let provider: IdentityProvider & { close(): Promise<void> }
beforeAll(async () => {
  provider = await listeningProvider({ now: () => service().clock.now() })
})
afterAll(() => provider.close())

/** What axe-core finds in both schemes, and whether the page is wider than a phone. */
async function mistakesOn(name: string, page: Page): Promise<string[]> {
  await prepareLooks(page)
  const found = [...(await violationsOn(page)), ...(await inOtherScheme(page, () => coloursOn(page)))]
  await page.setViewportSize({ width: 390, height: 844 })
  found.push(...(await tooWideOn(page)))
  await page.setViewportSize({ width: 1280, height: 900 })
  return found.map((one) => `${name}: ${one}`)
}

describe('a set-up link', () => {
  it('has a person without an account set up domain, sign-in and directory, and an administrator activate it', async () => {
    const { services, clock } = service()
    const organisation = await service().given.organisation()
    const { owner } = organisation
    const settings = { sso: 'offered', provisioning: 'jit' }
    const link = await createSetupLink(owner, { name: 'Northwind IT', purposes: ['domain', 'oidc', 'scim'], settings })
    const domainName = uniqueDomain()
    provider.behaviour.user = { sub: `sub-${unique()}`, email: `ada-${unique()}@${domainName}`, email_verified: true }
    const mistakes: string[] = []
    const context = await browser().newContext({ baseURL: services.publicUrl, bypassCSP: true })
    const page = await context.newPage()
    await page.clock.install({ time: clock.now() })

    // The script sends what follows the #, and leaves it nowhere.
    await page.goto(`/setup#${link.token}`)
    await page.getByRole('heading', { name: 'Verify your domain' }).waitFor()
    expect(page.url()).toBe(`${services.publicUrl}/setup`)
    mistakes.push(...(await mistakesOn('the steps', page)))

    await page.getByRole('link', { name: 'Verify your domain: Continue' }).click()
    await page.getByLabel('Domain').fill(domainName)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'Check now' }).waitFor()
    mistakes.push(...(await mistakesOn('the domain', page)))
    const [domain] = (await owner.get('/v1/admin/domains')).body.data
    publish(service(), domain)
    await page.getByRole('button', { name: 'Check now' }).click()
    await page.getByText(`${domain.domain} is verified.`).waitFor()

    await page.getByRole('link', { name: 'All steps' }).click()
    await page.getByRole('link', { name: 'Connect your sign-in: Continue' }).click()
    mistakes.push(...(await mistakesOn('the choice', page)))
    await page.getByRole('button', { name: 'Okta' }).click()
    await page.getByLabel('Issuer').fill(provider.issuer)
    await page.getByLabel('Client id').fill('gatehouse')
    await page.getByLabel('Client secret').fill('secret')
    mistakes.push(...(await mistakesOn('the connection', page)))
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved. Now test it.').waitFor()
    await page.getByRole('button', { name: 'Test sign-in' }).click()
    await page.getByText('No user was signed in').waitFor()
    mistakes.push(...(await mistakesOn('the test', page)))
    expect(await page.getByText('What to do').count()).toBe(0)
    await page.getByRole('link', { name: 'All steps' }).click()

    await page.getByRole('link', { name: 'Provision your users: Continue' }).click()
    await page.getByRole('button', { name: 'Show address and token' }).click()
    const token = /scim_[\w-]{43}/.exec(await page.content())?.[0] ?? ''
    mistakes.push(...(await mistakesOn('the directory', page)))
    await page.getByRole('link', { name: 'All steps' }).click()
    const { directoryId, connectionId } = await setupLinkOf(organisation, link.id)
    expect((await directoryClient(service(), directoryId, token).get('/Users')).status).toBe(200)
    await service().settled()
    // The page notices by itself.
    await page.clock.runFor(10_000)
    await page.getByText('Everything is set up').waitFor()
    mistakes.push(...(await mistakesOn('the end', page)))
    expect(mistakes).toEqual([])

    expect((await owner.get(`/v1/admin/connections/${connectionId}`)).body.isActive).toBe(false)
    await owner.post(`/v1/admin/setup-links/${link.id}/activate`)
    expect((await owner.get(`/v1/admin/connections/${connectionId}`)).body.isActive).toBe(true)
    expect((await owner.get('/v1/admin/domains')).body.data).toMatchObject([{ connectionId, sso: 'offered' }])
    await context.close()
  })

  it('shows the first request of a directory as it arrives, on the page that shows the token, and gives no other token', async () => {
    const { services, clock } = service()
    const organisation = await service().given.organisation()
    const link = await createSetupLink(organisation.owner, { purposes: ['scim', 'domain'] })
    // An address may ask thirty times a minute.
    clock.advance({ minutes: 2 })
    const context = await browser().newContext({ baseURL: services.publicUrl })
    const page = await context.newPage()
    await page.clock.install({ time: clock.now() })
    await page.goto(`/setup#${link.token}`)
    await page.getByRole('link', { name: 'Provision your users: Continue' }).click()
    await page.getByRole('button', { name: 'Show address and token' }).click()
    const shown = page.getByText(/^scim_[\w-]{43}$/)
    const token = (await shown.textContent()) ?? ''
    const { directoryId } = await setupLinkOf(organisation, link.id)
    const scim = directoryClient(service(), directoryId, token)

    expect((await scim.get('/Users')).status).toBe(200)
    await service().settled()
    await page.clock.runFor(10_000)
    await page.getByText('The first request has arrived.').waitFor()
    expect((await scim.get('/Users')).status).toBe(200)
    await context.close()
  })

  it('has them set up a sign-in by SAML, from the file of the provider to a test of it', async () => {
    const { services, clock } = service()
    const organisation = await service().given.organisation()
    const { owner } = organisation
    const link = await createSetupLink(owner, { purposes: ['saml', 'scim'], settings: { provisioning: 'jit' } })
    // An address may open thirty pages a minute.
    clock.advance({ minutes: 2 })
    const provider = await listeningSaml(service(), { nameId: unique(), email: `ada-${unique()}@example.test` })
    const mistakes: string[] = []
    const context = await browser().newContext({ baseURL: services.publicUrl, bypassCSP: true })
    const page = await context.newPage()
    await page.clock.install({ time: clock.now() })
    await page.goto(`/setup#${link.token}`)

    await page.getByRole('link', { name: 'Connect your sign-in: Continue' }).click()
    await page.getByRole('button', { name: 'SAML 2.0, with any provider' }).click()
    await page.getByLabel('Address of the metadata').waitFor()
    mistakes.push(...(await mistakesOn('the connection', page)))
    const { connectionId } = await setupLinkOf(organisation, link.id)
    const { entityId, acsUrl } = (await owner.get(`/v1/admin/connections/${connectionId}`)).body
    for (const name of ['Copy: Entity ID', 'Copy: Or all of it at once'])
      expect(await page.getByRole('button', { name, includeHidden: true }).getAttribute('data-copies')).toBe(entityId)
    await page.getByText(acsUrl, { exact: true }).waitFor()
    provider.serviceMetadata = await ownMetadataOf(service(), { id: connectionId })
    const file = { name: 'metadata.xml', mimeType: 'text/xml', buffer: Buffer.from(provider.metadata) }
    await page.locator('#metadataFile').setInputFiles(file)
    await page.waitForFunction(`document.getElementById('metadataXml').value !== ''`)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved. Now test it.').waitFor()
    await page.getByRole('button', { name: 'Test sign-in' }).click()
    await page.getByText('No user was signed in').waitFor()
    await page.getByRole('rowheader', { name: 'signature', exact: true }).waitFor()
    mistakes.push(...(await mistakesOn('the test', page)))
    expect(await page.getByText('What to do').count()).toBe(0)

    // Ended in the middle of a step, it makes nothing more.
    await page.getByRole('link', { name: 'All steps' }).click()
    await page.getByRole('link', { name: 'Provision your users: Continue' }).click()
    await page.getByRole('button', { name: 'Show address and token' }).waitFor()
    await owner.delete(`/v1/admin/setup-links/${link.id}`)
    await page.getByRole('button', { name: 'Show address and token' }).click()
    await page.getByText('not open in this browser any more').waitFor()
    const record = await setupLinkOf(organisation, link.id)
    expect(record).toMatchObject({ state: 'ended', testedAt: expect.any(String), directoryId: null })
    expect(mistakes).toEqual([])
    await context.close()
    provider.close()
  })

  it('leads to the provider of the test in a browser that keeps to the policy of the page', async () => {
    const { services, clock } = service()
    const organisation = await service().given.organisation()
    const link = await createSetupLink(organisation.owner, { purposes: ['oidc'], settings: { provisioning: 'jit' } })
    clock.advance({ minutes: 2 })
    provider.behaviour.user = { sub: `sub-${unique()}`, email: `ada-${unique()}@example.test`, email_verified: true }
    const context = await browser().newContext({ baseURL: services.publicUrl })
    const page = await context.newPage()
    await page.goto(`/setup#${link.token}`)

    await page.getByRole('link', { name: 'Connect your sign-in: Continue' }).click()
    await page.getByRole('button', { name: 'Okta' }).click()
    await page.getByLabel('Issuer').fill(provider.issuer)
    await page.getByLabel('Client id').fill('gatehouse')
    await page.getByLabel('Client secret').fill('secret')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Test sign-in' }).click()
    await page.getByText('No user was signed in').waitFor()

    const { testedAt } = await setupLinkOf(organisation, link.id)
    expect(testedAt).toEqual(expect.any(String))
    await context.close()
  })
})
