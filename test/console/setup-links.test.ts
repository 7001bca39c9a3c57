import { describe, expect, it } from 'vitest'
import { hashSecret, newSecret } from '../../src/platform/crypto/secrets.ts'
import { newId } from '../../src/platform/ids.ts'
import { useConsole } from '../support/console.ts'
import { uniqueDomain } from '../support/domains.ts'
import { unique } from '../support/given.ts'
import { PageVisitor } from '../support/page-visitor.ts'
import { samlifyProvider } from '../support/samlify-provider.ts'
import { createSetupLink } from '../support/setup-links.ts'

const { service, openConsole } = useConsole()

describe('the form of a set-up link', () => {
  it('decides which domains, roles and teams follow, and its visitor reads it', async () => {
    const { owner } = await service().given.organisation()
    const role = (await owner.post('/v1/admin/roles', { name: 'Support', slug: `support-${unique()}` })).body
    const { page, faults } = await openConsole(owner, '/console/setup-links?purposes=saml')
    await page.getByRole('button', { name: 'Create a set-up link' }).first().click()
    const form = page.getByRole('dialog')
    await form.getByLabel('For', { exact: true }).fill('Northwind IT')
    await form.getByRole('checkbox', { name: 'Users and groups by SCIM' }).click()

    // Only those who get an account have domains.
    expect(await form.getByLabel('Further domains').count()).toBe(0)
    await form.getByRole('combobox', { name: 'Users without an account' }).click()
    await page.getByRole('option', { name: 'Get an account at their first sign-in' }).click()
    await form.getByLabel('Further domains').fill('northwind.test, not a domain')
    await form.getByRole('button', { name: 'Add a role' }).click()
    await form.getByLabel('Value').fill('helpdesk')
    await form.getByRole('combobox', { name: 'Role', exact: true }).fill('Supp')
    await page.getByRole('option', { name: 'Support' }).click()
    await form.getByRole('button', { name: 'Add a group' }).click()
    await form.getByLabel('Group', { exact: true }).fill('Agents')
    await form.getByRole('combobox', { name: 'Roles', exact: true }).fill('Supp')
    await page.getByRole('option', { name: 'Support' }).click()
    await form.getByRole('button', { name: 'Create a set-up link' }).click()
    await form.getByText('A domain such as example.com').waitFor()
    expect((await owner.get('/v1/admin/setup-links')).body.total).toBe(0)
    await form.getByLabel('Further domains').fill('northwind.test')
    await form.getByRole('button', { name: 'Create a set-up link' }).click()
    const url = (await page.getByRole('alertdialog').getByText('/setup#').textContent()) ?? ''
    await page.getByRole('alertdialog').getByText('I have stored it').click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Done' }).click()

    const [link] = (await owner.get('/v1/admin/setup-links')).body.data
    expect(link.settings).toMatchObject({
      provisioning: 'jit',
      allowedDomains: ['northwind.test'],
      roleMappings: [{ claim: 'groups', value: 'helpdesk', roleId: role.id }],
      groupMappings: [{ group: { displayName: 'Agents' }, roleIds: [role.id], teamIds: [] }],
    })
    await page.getByRole('link', { name: 'Northwind IT' }).click()
    await page.getByText('groups: helpdesk → Support').waitFor()
    await page.getByText('Agents → Support').waitFor()
    for (const term of ['A second factor at the provider counts here', 'Update names, roles and teams', 'Changes of addresses']) {
      await page.getByText(term).waitFor()
    }
    await page.getByText('northwind.test').waitFor()
    expect(faults).toEqual([expect.stringMatching(/^response: 400 POST/)])

    const visitor = new PageVisitor(service().origin)
    expect((await visitor.submit('/setup', { token: url })).status).toBe(303)
    const { body } = await visitor.open('/setup')
    for (const text of ['northwind.test', 'groups = helpdesk: Support', 'Agents: Support']) expect(body).toContain(text)
    // No field of the page takes any of it.
    expect(body).not.toMatch(/<(input|select|textarea)[^>]*(allowedDomains|Mappings|provisioning)/)
  })

  it('leaves no secret in the calls of the page', async () => {
    const { owner } = await service().given.organisation()
    const { page, faults } = await openConsole(owner, '/console/setup-links?purposes=domain')
    await page.getByRole('button', { name: 'Create a set-up link' }).first().click()
    const form = page.getByRole('dialog')
    await form.getByLabel('For', { exact: true }).fill('Northwind IT')
    await form.getByRole('button', { name: 'Create a set-up link' }).click()
    const url = (await page.getByRole('alertdialog').getByText('/setup#').textContent()) ?? ''
    await page.getByRole('alertdialog').getByText('I have stored it').click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Done' }).click()

    await page.getByRole('button', { name: 'This page as API calls' }).click()
    const drawer = page.getByRole('dialog')
    await drawer.getByRole('button', { name: /^POST ?\/v1\/admin\/setup-links/ }).click()
    await drawer.getByRole('tab', { name: 'Response' }).click()
    await drawer.getByText('••••••').waitFor()
    expect(await drawer.textContent()).toContain('Northwind IT')
    expect((await page.content()).includes(url.slice(url.indexOf('#') + 1))).toBe(false)
    expect(faults).toEqual([])
  })
})

describe('the page of a set-up link', () => {
  it('is found however many links there were before it', async () => {
    const { id, owner } = await service().given.organisation()
    const tenant = service().database.tenant(id)
    const createdAt = tenant.now
    const ended = Array.from({ length: 1_000 }, (_, number) => ({
      id: newId('sul', new Date(createdAt.getTime() - number)),
      ...{ name: `Former ${number}`, purposes: ['scim' as const], settings: JSON.stringify({}), activate: false },
      ...{ tokenHash: hashSecret(newSecret()), createdById: owner.id, expiresAt: createdAt, createdAt, endedAt: createdAt },
    }))
    await tenant.insertInto('setupLinks').values(ended).execute()
    const link = await createSetupLink(owner, { name: 'The latest', purposes: ['scim'] })
    const { page, faults } = await openConsole(owner, `/console/setup-links/${link.id}`)
    await page.getByRole('heading', { name: 'The latest' }).waitFor()
    expect(faults).toEqual([])
  })

  it('shows which domain, provider and certificate were made, where they are activated', async () => {
    const { owner } = await service().given.organisation()
    const link = await createSetupLink(owner, { purposes: ['domain', 'saml'] })
    const visitor = new PageVisitor(service().origin)
    expect((await visitor.submit('/setup', { token: link.token })).status).toBe(303)
    const domain = uniqueDomain()
    await visitor.submit('/setup/domain', { action: 'add', domain })
    const saml = await samlifyProvider({ now: () => service().clock.now() })
    await visitor.submit('/setup/connection', { action: 'begin', provider: 'saml' })
    await visitor.submit('/setup/connection', { action: 'save', metadataUrl: '', metadataXml: saml.metadata })
    const [{ certificates }] = (await owner.get('/v1/admin/connections')).body.data

    const { page, faults } = await openConsole(owner, `/console/setup-links/${link.id}`)
    await page.getByRole('link', { name: domain }).waitFor()
    for (const shown of [saml.entityId, saml.ssoUrl, certificates[0].fingerprint]) await page.getByText(shown).first().waitFor()
    expect(faults).toEqual([])

    // Links lead only to what the reader may see.
    const [made] = (await owner.get('/v1/admin/domains')).body.data
    const permissions = ['connections:create', 'connections:read', 'domains:update']
    const reader = await openConsole(await service().given.userWith(owner, permissions), `/console/setup-links/${link.id}`)
    await reader.page.locator('main a[href*="/connections/"]').waitFor()
    expect(await reader.page.locator(`a[href$="/domains/${made.id}"]`).count()).toBe(0)
    expect(reader.faults).toEqual([])
  })

  it('speaks of a test sign-in where the link is for a sign-in', async () => {
    const { owner } = await service().given.organisation()
    const [directory, signIn] = await Promise.all([['scim'], ['scim', 'oidc']].map((purposes) => createSetupLink(owner, { purposes })))
    const { page } = await openConsole(owner, `/console/setup-links/${signIn?.id}`)
    await page.getByText('Test sign-in passed').waitFor()
    await page.goto(`/console/setup-links/${directory?.id}`)
    await page.getByText('From the address').waitFor()
    expect(await page.getByText('Test sign-in passed').count()).toBe(0)
  })
})
