import { describe, expect, it } from 'vitest'
import { useBrowserAndService } from '../support/browser.ts'
import { databaseKind } from '../support/database.ts'

const { browser, service } = useBrowserAndService()

// The page is the same whatever the database.
describe.runIf(databaseKind() === 'pglite')('/docs', () => {
  it('shows the operations of the description, with nothing that its content security policy refuses', async () => {
    const page = await browser().newPage()
    const mistakes: string[] = []
    page.on('console', (message) => message.type() === 'error' && mistakes.push(message.text()))
    page.on('pageerror', (error) => mistakes.push(error.message))

    await page.goto(`${service().origin}/docs`)
    await page.getByRole('heading', { name: 'Gatehouse' }).waitFor()
    await page.locator('#operations-tag-users').click()
    await page.locator('#operations-users-get_v1_admin_users__id_').waitFor()
    expect(mistakes).toEqual([])
  })
})
