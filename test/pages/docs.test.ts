import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { useBrowserAndService } from '../support/browser.ts'

const { browser, service } = useBrowserAndService()

// The page is the same whatever the database.
describe('/docs', () => {
  /** One for all tests: it lays out hundreds of operations. */
  let page: Page
  const mistakes: string[] = []
  beforeAll(async () => {
    page = await browser().newPage()
    page.on('console', (message) => message.type() === 'error' && mistakes.push(message.text()))
    page.on('pageerror', (error) => mistakes.push(error.message))
    await page.goto(`${service().origin}/docs`)
  })
  afterAll(() => page?.close())

  it('shows the operations of the description, and violates no content security policy', async () => {
    await page.getByRole('heading', { name: 'Gatehouse' }).waitFor()
    const operation = await openOperation(page, 'Administration: users', 'GET', '/v1/admin/users/{id}')
    await operation.waitFor()
    expect(mistakes).toEqual([])
  })

  it('groups the operations by their readers, and explains how to authorise', async () => {
    await page.getByText('How to authorise').waitFor()

    const groups = await page.locator('h3.opblock-tag').evaluateAll((tags) => tags.map((tag) => tag.getAttribute('data-tag') ?? ''))
    const order = ['Administration', 'Self-service', 'Sign-in', 'Operator', 'OAuth and OpenID Connect', 'Service']
    expect([...new Set(groups.map((group) => group.split(':')[0]))]).toEqual(order)
  })

  it('sends only fields that the reader has filled in', async () => {
    const sent: { url: string; body: string | null }[] = []
    await page.route(/\/v1\//, (route) => {
      sent.push({ url: route.request().url(), body: route.request().postData() })
      return route.fulfill({ json: {} })
    })

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
  })
})

async function openOperation(page: Page, tag: string, method: string, path: string) {
  const heading = page.locator(`h3.opblock-tag[data-tag="${tag}"]`)
  if ((await heading.getAttribute('data-is-open')) !== 'true') await heading.click()
  return page.locator(`.opblock-${method.toLowerCase()}`).filter({ has: page.locator(`[data-path="${path}"]`) })
}
