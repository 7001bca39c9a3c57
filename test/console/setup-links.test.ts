import { describe, expect, it } from 'vitest'
import { useConsole } from '../support/console.ts'
import { unique } from '../support/given.ts'
import { PageVisitor } from '../support/page-visitor.ts'
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
    await page.getByText('groups: helpdesk, Agents').waitFor()
    await page.getByText('northwind.test').waitFor()
    expect(faults).toEqual([expect.stringMatching(/^response: 400 POST/)])

    const visitor = new PageVisitor(service().origin)
    expect((await visitor.submit('/setup', { token: url })).status).toBe(303)
    const { body } = await visitor.open('/setup')
    for (const text of ['northwind.test', 'groups = helpdesk', 'Agents']) expect(body).toContain(text)
    // No field of the page takes any of it.
    expect(body).not.toMatch(/<(input|select|textarea)[^>]*(allowedDomains|Mappings|provisioning)/)
  })
})

describe('the page of a set-up link', () => {
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
