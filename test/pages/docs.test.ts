import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { useBrowserAndService } from '../support/browser.ts'

const { browser, service } = useBrowserAndService()

// The page is the same whatever the database.
describe('/docs', () => {
  it('shows the operations of the description, and violates no content security policy', async () => {
    const page = await browser().newPage()
    const mistakes: string[] = []
    page.on('console', (message) => message.type() === 'error' && mistakes.push(message.text()))
    page.on('pageerror', (error) => mistakes.push(error.message))

    await page.goto(`${service().origin}/docs`)
    await page.getByRole('heading', { name: 'Gatehouse' }).waitFor()
    const operation = await openOperation(page, 'Administration: users', 'GET', '/v1/admin/users/{id}')
    await operation.waitFor()
    expect(mistakes).toEqual([])
    await page.close()
  })

  it('groups the operations by their readers, and explains how to authorise', async () => {
    const page = await browser().newPage()
    await page.goto(`${service().origin}/docs`)
    await page.getByText('How to authorise').waitFor()

    const groups = await page.locator('h3.opblock-tag').evaluateAll((tags) => tags.map((tag) => tag.getAttribute('data-tag') ?? ''))
    const order = ['Administration', 'Self-service', 'Sign-in', 'Operator', 'OAuth and OpenID Connect', 'Service']
    expect([...new Set(groups.map((group) => group.split(':')[0]))]).toEqual(order)
    await page.close()
  })

  it('sends only fields that the reader has filled in', async () => {
    const page = await browser().newPage()
    const sent: { url: string; body: string | null }[] = []
    await page.route(/\/v1\//, (route) => {
      sent.push({ url: route.request().url(), body: route.request().postData() })
      return route.fulfill({ json: {} })
    })
    await page.goto(`${service().origin}/docs`)

    for (const [method, path] of [
      ['GET', '/v1/admin/users'],
      ['POST', '/v1/admin/roles'],
    ] as const) {
      const operation = await openOperation(page, `Administration: ${path.slice(path.lastIndexOf('/') + 1)}`, method, path)
      await operation.locator('.opblock-summary-control').click()
      await operation.getByRole('button', { name: 'Try it out' }).click()
      await operation.getByRole('button', { name: 'Execute' }).click()
      await operation.locator('.responses-table.live-responses-table').waitFor()
    }

    expect(sent.map(({ url }) => new URL(url).search)).toEqual(['', ''])
    expect(Object.keys(JSON.parse(sent[1]?.body ?? ''))).toEqual(['name', 'slug'])
    await page.close()
  })
})

async function openOperation(page: Page, tag: string, method: string, path: string) {
  await page.locator(`h3.opblock-tag[data-tag="${tag}"]`).click()
  return page.locator(`.opblock-${method.toLowerCase()}`).filter({ has: page.locator(`[data-path="${path}"]`) })
}
