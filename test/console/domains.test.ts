import { describe, expect, it } from 'vitest'
import { unavailable, useConsole } from '../support/console.ts'
import { addDomain, publish, uniqueDomain } from '../support/domains.ts'

const { service, openConsole } = useConsole()

describe('the pages of domains', () => {
  it('lead from nothing to a proven domain, and say what the DNS answers until then', async () => {
    const { owner } = await service().given.organisation()
    const { page, faults } = await openConsole(owner, '/console/domains')
    await page.getByRole('heading', { name: 'No domains yet' }).waitFor()
    await page.getByRole('button', { name: 'Add domain' }).first().click()
    const drawer = page.getByRole('dialog', { name: 'Add domain' })
    await drawer.getByLabel('Domain').fill('co.uk')
    await drawer.getByRole('button', { name: 'Add domain' }).click()
    await drawer.getByText('Anyone can register a domain below this one').waitFor()
    expect(faults.splice(0)).toHaveLength(1)
    const domain = uniqueDomain()
    await drawer.getByLabel('Domain').fill(domain)
    await drawer.getByRole('button', { name: 'Add domain' }).click()

    await page.getByRole('heading', { level: 1, name: domain }).waitFor()
    await page.getByText('The record has not been found yet.').waitFor()
    const { body } = await owner.get('/v1/admin/domains')
    const [added] = body.data
    for (const text of [added.challenge.name, added.challenge.value]) await page.getByText(text, { exact: true }).waitFor()
    expect(await page.getByRole('main').getByRole('button', { name: 'Copy', exact: true }).count()).toBe(2)

    service().dns.set(added.challenge.name, { texts: ['gatehouse-domain=another'] })
    await page.getByRole('button', { name: 'Check now' }).click()
    await page.getByRole('status').getByText('gatehouse-domain=another').waitFor()
    expect(faults.splice(0)).toHaveLength(1)
    publish(service(), added)
    await page.getByRole('button', { name: 'Check now' }).click()
    await page.getByText('The record is there: the domain is yours.').waitFor()
    await page.getByText('Verified', { exact: true }).waitFor()

    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    const question = page.getByRole('alertdialog', { name: `Remove ${domain}?` })
    await question.getByLabel('Reason (optional)').fill('Sold')
    await question.getByRole('button', { name: `Remove ${domain}` }).click()
    await page.getByRole('heading', { name: 'No domains yet' }).waitFor()
    const { body: entries } = await owner.get(`/v1/admin/audit-logs?targetId=${added.id}`)
    expect(entries.data.map(({ action }: { action: string }) => action)).toEqual(['domain.deleted', 'domain.verified', 'domain.created'])
    expect(entries.data[0].metadata.reason).toBe('Sold')
    expect(faults).toEqual([])
  })

  it('offer nothing to those who may only read, and say what a failure was', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const { id, domain } = await addDomain(owner)
    const reader = await openConsole(await given.userWith(owner, ['domains:read']), '/console/domains?create=yes')
    await reader.page.getByRole('link', { name: domain }).click()
    await reader.page.getByRole('heading', { level: 1, name: domain }).waitFor()
    expect(await reader.page.getByRole('button', { name: /^(Add|Check|Remove)/ }).count()).toBe(0)
    await reader.goTo('/console/domains/dom_0123456789abcdefghjkmnpqrs')
    await reader.page.getByText('There is nothing here any more').waitFor()
    expect(reader.faults).toEqual([])

    const other = await openConsole(await given.userWith(owner, ['domains:update']), '/console/domains')
    await other.page.getByText('You need the permission domains:read.').waitFor()
    await other.page.getByRole('button', { name: 'Add domain' }).click()
    const drawer = other.page.getByRole('dialog')
    const added = uniqueDomain()
    await drawer.getByLabel('Domain').fill(added)
    await drawer.getByRole('button', { name: 'Add domain' }).click()
    await other.page.getByText(`${added} was created`).waitFor()
    expect(other.faults).toEqual([])

    const { page } = await openConsole(owner)
    await page.route('**/v1/admin/domains?*', (route) => route.fulfill(unavailable))
    await page.goto(`/console/domains/${id}`)
    await page.getByText('This could not be shown').waitFor()
    await page.unroute('**/v1/admin/domains?*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { level: 1, name: domain }).waitFor()
  })
})
