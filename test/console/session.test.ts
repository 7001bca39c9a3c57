import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { useConsole } from '../support/console.ts'
import type { SignedInUser } from '../support/given.ts'

const { service, openConsole } = useConsole()

async function signIn(page: Page, { email, password }: SignedInUser): Promise<void> {
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

const rowsOf = (page: Page) => page.getByRole('rowheader').allInnerTexts()

describe('what is shown', () => {
  it('survives a reload, Back, a shared link and a sign-in in between', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    for (let number = 10; number < 42; number++) await given.user(owner, { firstName: 'Person', lastName: String(number) })
    const { page, context, settled } = await openConsole(owner, '/console/users?limit=25')
    await settled()
    await page.getByRole('button', { name: 'Name', exact: true }).click()
    await expect.poll(() => page.getByRole('columnheader', { name: 'Name' }).getAttribute('aria-sort')).toBe('ascending')
    await settled()
    const first = await rowsOf(page)
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByText('26–33 of 33').waitFor()
    const second = await rowsOf(page)
    expect(second).not.toEqual(first)
    await page.reload()
    await page.getByText('26–33 of 33').waitFor()
    expect(await rowsOf(page)).toEqual(second)
    await page.goBack()
    await page.getByText('1–25 of 33').waitFor()
    expect(await rowsOf(page)).toEqual(first)
    await page.goForward()
    await page.getByText('26–33 of 33').waitFor()
    const address = page.url()
    await page.keyboard.press('c')
    await page.getByRole('dialog', { name: 'Create user' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByText('26–33 of 33').waitFor()
    expect(page.url()).toBe(address)
    expect(await rowsOf(page)).toEqual(second)

    const shared = await context.newPage()
    await shared.goto(page.url())
    await shared.getByText('26–33 of 33').waitFor()
    expect(await rowsOf(shared)).toEqual(second)
    await page.getByRole('button', { name: 'Previous' }).click()
    await page.getByText('1–25 of 33').waitFor()
    expect(await rowsOf(page)).toEqual(first)

    await context.clearCookies()
    const form = '/console/users?status=never_signed_in&sort=name&create=yes'
    await shared.goto(form)
    expect(new URL(shared.url()).pathname).toBe('/login')
    await signIn(shared, owner)
    await shared.getByRole('dialog', { name: 'Create user' }).waitFor()
    expect(new URL(shared.url()).search).toBe(new URL(form, 'http://x').search)
    await shared.keyboard.press('Escape')
    await expect.poll(() => new URL(shared.url()).search).toBe('?status=never_signed_in&sort=name')
    await shared.getByText('32 people').waitFor()
  })
})

describe('a session that is ended by an administrator', () => {
  it('loses nothing of a form that is half filled: after a sign-in in a window it is saved', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const admin = await given.userWith(owner, ['users:read', 'users:update'])
    const user = await given.user(owner, { firstName: 'Anna', lastName: 'Shaw' })
    const { page, context, faults, settled } = await openConsole(admin, `/console/users/${user.id}`)
    await settled()
    await page.getByLabel('First name').fill('Anne')
    const sent: string[] = []
    page.on('request', (request) => void (request.method() === 'PATCH' && sent.push(request.headers()['x-csrf-token'] ?? '')))
    expect(await owner.delete(`/v1/admin/users/${admin.id}/sessions`)).toMatchObject({ status: 204 })

    await page.getByRole('button', { name: 'Save' }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Your session has ended' })
    await dialog.waitFor()
    expect(await page.getByLabel('First name').inputValue()).toBe('Anne')
    const [window] = await Promise.all([context.waitForEvent('page'), dialog.getByRole('button', { name: 'Sign in again' }).click()])
    expect(await window.getByLabel('E-mail address').inputValue()).toBe(admin.email)
    await Promise.all([window.waitForEvent('close'), signIn(window, admin)])

    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('heading', { level: 1, name: 'Anne Shaw' }).waitFor()
    expect((await owner.get(`/v1/admin/users/${user.id}`)).body.firstName).toBe('Anne')
    expect(sent).toHaveLength(2)
    expect(new Set(sent).size).toBe(2)
    expect(faults.filter((fault) => !/response: 401/.test(fault))).toEqual([])
  })

  it('gives another person who signs in a page of their own', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const admin = await given.userWith(owner, ['users:read', 'users:update'])
    const other = await given.userWith(owner, ['teams:read'])
    const user = await given.user(owner, { firstName: 'Anna', lastName: 'Shaw' })
    const { page, context, settled } = await openConsole(admin, `/console/users/${user.id}`)
    await settled()
    await owner.delete(`/v1/admin/users/${admin.id}/sessions`)
    await page.getByRole('link', { name: 'Sessions', exact: true }).click()
    const [window] = await Promise.all([context.waitForEvent('page'), page.getByRole('button', { name: 'Sign in again' }).click()])
    await Promise.all([window.waitForEvent('close'), signIn(window, other)])
    await page.getByText('You need the permission users:read').waitFor()
    expect(await page.getByRole('heading', { name: 'Anna Shaw' }).count()).toBe(0)
  })
})

describe('a page for which a permission is lacking', () => {
  it('names the owner to ask, also where others signed in later', async () => {
    const { given, database, clock } = service()
    const { id, owner } = await given.organisation()
    const role = await given.role(owner, { permissions: ['roles:update'] })
    const others = await Promise.all(Array.from({ length: 4 }, () => given.user(owner, { roleIds: [role.id] })))
    const ids = others.map((user) => user.id)
    const lastLoginAt = new Date(clock.now().getTime() + 60_000)
    await database.tenant(id).updateTable('users').set({ lastLoginAt }).where('id', 'in', ids).execute()
    const { page, faults } = await openConsole(await given.userWith(owner, ['users:read']), '/console/teams')
    await page.getByText('Ask one of:').filter({ hasText: owner.email }).waitFor()
    expect(faults).toEqual([])
  })
})

describe('another person who signs in in another tab', () => {
  it('does nothing by what the former person began, whose page becomes theirs', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const admin = await given.userWith(owner, ['users:read', 'users:update'])
    const other = await given.userWith(owner, ['users:read', 'users:update', 'teams:read'])
    const user = await given.user(owner, { firstName: 'Anna', lastName: 'Shaw' })
    const { page, context, settled } = await openConsole(admin, `/console/users/${user.id}`)
    await settled()
    await page.getByLabel('First name').fill('Anne')
    const [name = '', value = ''] = other.cookie.split('=')
    await context.addCookies([{ name, value, url: service().services.publicUrl }])
    const asked: string[] = []
    page.on('dialog', (dialog) => {
      asked.push(dialog.type())
      // A page that has gone meanwhile asks nothing any more.
      void dialog.accept().catch(() => undefined)
    })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('link', { name: 'Teams', exact: true }).waitFor()
    expect((await owner.get(`/v1/admin/users/${user.id}`)).body.firstName).toBe('Anna')

    // Nor by what they would only read, when the page is looked at again.
    const [first = '', again = ''] = admin.cookie.split('=')
    await context.addCookies([{ name: first, value: again, url: service().services.publicUrl }])
    // A look is lost on a page that has only just begun to load.
    const links = async () => {
      await page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))")
      return Promise.all(['Users', 'Teams'].map((name) => page.getByRole('link', { name, exact: true }).count()))
    }
    await expect.poll(links).toEqual([expect.toSatisfy((count) => count > 0), 0])
    expect(asked).toEqual([])
  })
})

describe('signing out', () => {
  it('signs out every tab', async () => {
    const { owner } = await service().given.organisation()
    const { page, context, settled } = await openConsole(owner, '/console/users')
    await settled()
    const tab = await context.newPage()
    await tab.goto('/console/organisation/general')
    await tab.getByRole('heading', { level: 1 }).waitFor()
    await page.getByRole('banner').getByRole('button').last().click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    for (const one of [page, tab]) await one.getByLabel('E-mail address').waitFor()
  })
})
