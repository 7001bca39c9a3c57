import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { systemCaller } from '../../src/access/caller.ts'
import { deleteUser } from '../../src/users/update-user.ts'
import { unavailable, useConsole } from '../support/console.ts'
import type { SignedInUser } from '../support/given.ts'

const { service, openConsole } = useConsole({ ofItsOwn: true })

const rows = (page: Page) => page.locator('tbody tr[data-id]')
const sentences = async (page: Page) => (await rows(page).locator('td').first().allInnerTexts()).map((text) => text.split('\n')[0])

/** Roles, a user who was changed twice, and what an API key did. */
async function aHistory(owner: SignedInUser) {
  const { given } = service()
  const role = await given.role(owner, { name: 'Support', permissions: ['users:read', 'users:update'] })
  const user = await given.user(owner, { firstName: 'Dora', lastName: 'Tanaka' })
  await owner.post(`/v1/admin/users/${user.id}/roles`, { roleId: role.id })
  const key = await owner.post('/v1/admin/api-keys', { name: 'deploy', permissions: ['users:read', 'users:update'] })
  await service()
    .anonymous.with({ authorization: `Bearer ${key.body.key}` })
    .patch(`/v1/admin/users/${user.id}`, { blockedAt: new Date().toISOString() })
  return { role, user }
}

describe('the audit log', () => {
  it('says in sentences who did what, and narrows by what the URL says', async () => {
    const { owner, id } = await service().given.organisation()
    const { user } = await aHistory(owner)
    const gone = await service().given.user(owner, { firstName: 'Gerd', lastName: 'Gone' })
    await deleteUser(service().database, systemCaller(id, 'cli'), gone.id, undefined, undefined)
    const { page, faults } = await openConsole(owner, '/console/audit')

    await page.getByRole('cell', { name: /The operator deleted the user Gerd Gone/ }).waitFor()
    await page.getByRole('cell', { name: /The API key “deploy” blocked Dora Tanaka/ }).waitFor()
    await page.getByRole('cell', { name: /owner gave Dora Tanaka the role role-/ }).waitFor()

    await page.getByRole('combobox', { name: 'Action' }).fill('role')
    await page.getByRole('option', { name: /^role\.\*/ }).click()
    await page.waitForURL(/action=role\.\*|action=role\.%2A/)
    await expect.poll(async () => (await page.locator('tbody code').allInnerTexts()).every((code) => !code.startsWith('user.'))).toBe(true)
    await page.reload()
    await page.getByRole('button', { name: 'Remove role.*' }).waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()

    await page.getByRole('searchbox', { name: 'Id or e-mail address' }).fill(user.id)
    await page.keyboard.press('Enter')
    await page.waitForURL(/targetId=usr_/)
    await expect.poll(() => rows(page).count()).toBe(4)
    await page.getByRole('searchbox', { name: 'IP address' }).fill('192.0.2.1')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Nothing matches' }).waitFor()
    expect(faults).toEqual([])
  })

  it('opens an entry by its link, with what was changed and the ways to what belongs to it', async () => {
    const { owner } = await service().given.organisation()
    const { user } = await aHistory(owner)
    const { page, faults } = await openConsole(owner, '/console/audit?action=user.blocked')
    await rows(page).locator('th a').click()
    await page.waitForURL(/entry=aud_/)
    const drawer = page.getByRole('dialog', { name: 'Audit entry' })
    await drawer.getByRole('row', { name: /^blockedAt Empty/ }).waitFor()

    // The link alone shows the same.
    const id = new URL(page.url()).searchParams.get('entry')
    await page.goto(`/console/audit?entry=${id}`)
    await drawer.getByRole('row', { name: /^blockedAt Empty/ }).waitFor()
    await drawer.getByRole('button', { name: 'As JSON' }).click()
    await drawer.getByText(`"id": "${id}"`).waitFor()
    await drawer.getByRole('button', { name: 'By deploy' }).click()
    await page.waitForURL(/actorId=key_/)
    await page.getByRole('button', { name: 'Remove deploy' }).waitFor()
    await expect.poll(() => sentences(page)).toEqual(['The API key “deploy” blocked Dora Tanaka'])

    await page.goto(`/console/audit?targetId=${user.id}&entry=aud_01kahm3z9n4v7f2t8q6w5r1y0x`)
    await drawer.getByText('It was deleted, or it never existed.').waitFor()
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'hidden' })
    expect(faults.splice(0)).toEqual([expect.stringMatching(/^response: 404 GET .*\/audit-logs\/aud_/)])
  })

  it('undoes an entry after it has said what it would do, and says why it does not undo another', async () => {
    const { owner } = await service().given.organisation()
    const { role, user } = await aHistory(owner)
    await owner.patch(`/v1/admin/users/${user.id}`, { phone: '+44 20 7946 0000' })
    const { page, faults } = await openConsole(owner, `/console/audit?action=user.updated&targetId=${user.id}`)
    await rows(page).locator('th a').click()
    const drawer = page.getByRole('dialog', { name: 'Audit entry' })
    const question = page.getByRole('alertdialog', { name: 'Undo this change?' })

    await drawer.getByRole('button', { name: 'Undo' }).click()
    await question.getByText('owner changed the user Dora Tanaka').waitFor()
    await question.getByRole('row', { name: 'phone +44 20 7946 0000 Empty' }).waitFor()
    const read = async () => (await owner.get(`/v1/admin/users/${user.id}`)).body.phone
    expect(await read()).toBe('+44 20 7946 0000')
    await question.getByRole('button', { name: 'Undo this change' }).click()
    await page.getByRole('status').getByText('Undone. Show the entry that says so').waitFor()
    await question.waitFor({ state: 'hidden' })
    expect(await read()).toBeNull()

    await drawer.getByRole('button', { name: 'Undo' }).click()
    await question.getByText('It is no longer what this entry left').waitFor()
    await question.getByRole('row', { name: 'phone +44 20 7946 0000 Empty' }).waitFor()
    await question.getByRole('row', { name: `Changed by ${owner.email}, ` }).waitFor()
    await question.getByRole('button', { name: 'Close' }).click()
    expect(faults.splice(0)).toEqual([expect.stringMatching(/^response: 409 POST .*dryRun=true$/)])

    await page.goto(`/console/audit?action=role.created&targetId=${role.id}`)
    await rows(page).locator('th a').click()
    await drawer.getByText(/^Cannot be undone: Undoing it would delete for good/).waitFor()
    expect(await drawer.getByRole('button', { name: 'Undo' }).count()).toBe(0)
    expect(faults).toEqual([])
  })

  it('says what follows before it takes a policy of the organisation back', async () => {
    const { owner } = await service().given.organisation()
    await owner.patch('/v1/admin/organisation', { requireMfa: true, passwordPolicy: { minLength: 14 } })
    await owner.patch('/v1/admin/organisation', { requireMfa: false, passwordPolicy: { minLength: 10 } })
    const { page, faults } = await openConsole(owner, '/console/audit?action=organisation.updated')
    await rows(page).first().locator('th a').click()
    await page.getByRole('dialog', { name: 'Audit entry' }).getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('alertdialog', { name: 'Undo this change?' }).getByRole('button', { name: 'Undo this change' }).click()
    const impact = page.getByRole('alertdialog', { name: 'Save these changes?' })
    await impact.getByText('1 user must set up a second factor at their next sign-in.').waitFor()
    await impact.getByText('10 → 14').waitFor()
    await impact.getByRole('button', { name: 'Cancel' }).click()
    await impact.waitFor({ state: 'detached' })
    const read = async () => (await owner.get('/v1/admin/organisation')).body
    expect(await read()).toMatchObject({ requireMfa: false, passwordPolicy: { minLength: 10 } })

    await page.getByRole('alertdialog', { name: 'Undo this change?' }).getByRole('button', { name: 'Undo this change' }).click()
    await impact.getByRole('button', { name: 'Save the changes' }).click()
    await page.getByRole('status').getByText('Undone. Show the entry that says so').waitFor()
    expect(await read()).toMatchObject({ requireMfa: true, passwordPolicy: { minLength: 14 } })
    expect(faults).toEqual([])
  })

  it('asks before it gives back a role that has every permission', async () => {
    const { owner } = await service().given.organisation()
    const user = await service().given.user(owner, { firstName: 'Dora', lastName: 'Tanaka' })
    await owner.post(`/v1/admin/users/${user.id}/roles`, { roleId: 'owner' })
    await owner.delete(`/v1/admin/users/${user.id}/roles`, { roleId: 'owner' })
    const { page, faults } = await openConsole(owner, `/console/audit?action=role.unassigned&targetId=${user.id}`)
    await rows(page).locator('th a').click()
    await page.getByRole('dialog', { name: 'Audit entry' }).getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: 'Undo this change' }).click()
    const question = page.getByRole('alertdialog', { name: 'Give Owner to Dora Tanaka?' })
    await question.getByRole('textbox').fill('Dora Tanaka')
    await question.getByRole('button', { name: 'Give Owner' }).click()
    await page.getByRole('status').getByText('Undone. Show the entry that says so').waitFor()
    const { body } = await owner.get(`/v1/admin/users/${user.id}`)
    expect(body.roles.map(({ slug }: { slug: string }) => slug)).toContain('owner')
    expect(faults).toEqual([])
  })

  it('takes a time as it is typed, and lists nothing from the years that a field has until then', async () => {
    const { owner } = await service().given.organisation()
    const from = '2026-11-22T13:05:00.000Z'
    const { page, faults, settled } = await openConsole(owner, `/console/audit?from=${from}`, { timezoneId: 'Europe/Berlin' })
    await settled()
    const asked: (string | null)[] = []
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url())
      if (pathname === '/v1/admin/audit-logs') asked.push(searchParams.get('from'))
    })
    const field = page.getByLabel('From', { exact: true })
    await expect.poll(() => field.inputValue()).toBe('2026-11-22T14:05')
    await field.focus()
    // From the day and the month to the year.
    for (const key of ['ArrowRight', 'ArrowRight', '2', '0', '2', '5']) await page.keyboard.press(key)
    await expect.poll(() => new URL(page.url()).searchParams.get('from')).toBe('2025-11-22T13:05:00.000Z')
    expect(await field.inputValue()).toBe('2025-11-22T14:05')
    await expect.poll(() => asked).toEqual(['2025-11-22T13:05:00.000Z'])
    expect(faults).toEqual([])
  })

  it('shows in the field the time that Back returns to', async () => {
    const { owner } = await service().given.organisation()
    const { page } = await openConsole(owner, '/console/audit?from=2026-11-22T13:05:00.000Z')
    const field = page.getByLabel('From', { exact: true })
    await expect.poll(() => field.inputValue()).toBe('2026-11-22T13:05')
    await page.getByRole('combobox', { name: 'Time' }).click()
    await page.getByRole('option', { name: 'Any time' }).click()
    await field.waitFor({ state: 'detached' })
    await page.goBack()
    await expect.poll(() => field.inputValue()).toBe('2026-11-22T13:05')
    await page.goto('/console/audit?from=2026-11-22T13:05:00.000Z')
    await field.fill('2026-11-21T10:00')
    await expect.poll(() => new URL(page.url()).searchParams.get('from')).toBe('2026-11-21T10:00:00.000Z')
    expect(await field.inputValue()).toBe('2026-11-21T10:00')
  })

  it('leads from the name of an API key to the key itself', async () => {
    const { owner } = await service().given.organisation()
    const { body: key } = await owner.post('/v1/admin/api-keys', { name: 'deploy', permissions: ['users:read'] })
    const { page, faults } = await openConsole(owner, `/console/audit?targetId=${key.id}`)
    await rows(page).getByRole('link', { name: 'deploy' }).click()
    await page.getByRole('dialog', { name: 'deploy' }).getByText('users:read', { exact: true }).waitFor()
    expect(new URL(page.url()).search).toBe(`?key=${key.id}`)
    expect(faults).toEqual([])
  })

  it('leaves out a time of the URL that is none, as every list does', async () => {
    const { owner } = await service().given.organisation()
    const { page, faults } = await openConsole(owner, '/console/audit?from=yesterday&to=never')
    await rows(page).first().waitFor()
    for (const path of ['diagnostics', 'webhooks/deliveries', 'connections']) {
      await page.goto(`/console/${path}?from=%2B999999-01-01T00:00:00Z`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      expect(await page.getByText('This could not be shown').count()).toBe(0)
    }
    expect(faults).toEqual([])
  })

  it('shows what is wrong and tries again, and tells those who may not read it what they need', async () => {
    const { owner } = await service().given.organisation()
    const { page, faults } = await openConsole(owner, '/console')
    await page.route('**/v1/admin/audit-logs?*', (route) => route.fulfill(unavailable))
    await page.goto('/console/audit')
    await page.getByText('Not now').waitFor()
    await page.unroute('**/v1/admin/audit-logs?*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await rows(page).first().waitFor()
    expect(faults.filter((fault) => !fault.startsWith('response: 503'))).toEqual([])

    const reader = await service().given.userWith(owner, ['users:read'])
    const other = await openConsole(reader, '/console/audit')
    await other.page.getByText('You need the permission audit:read.').waitFor()
    expect(other.faults).toEqual([])
  })
})

describe('the export of the audit log', () => {
  it('has the entries that match the filters', async () => {
    const { owner } = await service().given.organisation()
    await aHistory(owner)
    const { page, faults } = await openConsole(owner, '/console/audit?action=role.*,user.blocked')
    await rows(page).first().waitFor()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export' }).click()
    await page.getByRole('menuitem', { name: 'As CSV' }).click()
    const file = await download
    expect(file.suggestedFilename()).toMatch(/^audit-logs-\d{4}-\d\d-\d\d\.csv$/)
    const lines = (await linesOf(await file.path())).slice(1)
    const actions = lines.map((line) => line.split(',')[2])
    expect(new Set(actions)).toEqual(new Set(['user.blocked', 'role.assigned', 'role.created']))
    expect(faults).toEqual([])
  })

  it('of 100,000 entries goes to a file without growing the heap of the tab by 50 MB', async () => {
    const { owner, id } = await service().given.organisation()
    const tenant = service().database.tenant(id)
    await sql`
      insert into audit_logs (id, action, actor_type, actor_id, actor_name, target_type, target_id, target_name, ip_address, user_agent,
        request_id, changes, created_at)
      select new_id('aud', at), 'user.updated', 'user', ${owner.id}, 'owner', 'user', 'usr_' || n, 'User ' || n, '192.0.2.' || n % 250,
        repeat('Mozilla/5.0 ', 8), gen_random_uuid()::text, '{"firstName": {"from": "Ann", "to": "Anna"}}', at
      from (select n, ${tenant.now}::timestamptz - make_interval(secs => n) as at from generate_series(1, 100000) n) entries`.execute(
      tenant,
    )
    const { page, context, faults } = await openConsole(owner, '/console/audit')
    await rows(page).first().waitFor()
    // It filters and pages.
    await page.goto('/console/audit?ipAddress=192.0.2.7')
    await page.getByRole('button', { name: 'Next' }).click()
    await page.waitForURL(/cursor=/)
    await expect.poll(() => rows(page).count()).toBe(50)
    await page.goto('/console/audit')
    await rows(page).first().waitFor()

    const devtools = await context.newCDPSession(page)
    const heap = async () => ((await devtools.send('Runtime.getHeapUsage')) as { usedSize: number; embedderHeapUsedSize?: number }).usedSize
    await devtools.send('HeapProfiler.collectGarbage')
    const before = await heap()
    let most = before
    const download = page.waitForEvent('download', { timeout: 600_000 })
    await page.getByRole('button', { name: 'Export' }).click()
    await page.getByRole('menuitem', { name: /^As NDJSON/ }).click()
    let isDone = false
    void download.then(() => (isDone = true))
    while (!isDone) {
      most = Math.max(most, await heap())
      await page.waitForTimeout(50)
    }
    const path = await (await download).path()
    const { size } = await stat(path)
    process.stdout.write(
      `The export: ${(size / 1e6).toFixed(1)} MB, the heap from ${(before / 1e6).toFixed(1)} MB to at most ${(most / 1e6).toFixed(1)} MB\n`,
    )
    expect((await linesOf(path)).length).toBeGreaterThan(100_000)
    expect(size).toBeGreaterThan(50e6)
    expect(most - before).toBeLessThan(50e6)
    expect(faults).toEqual([])
  })
})

async function linesOf(path: string): Promise<string[]> {
  const lines: string[] = []
  for await (const line of createInterface({ input: createReadStream(path) })) lines.push(line)
  return lines
}
