import { describe, expect, it } from 'vitest'
import { undoChanges } from '../../console/src/parts/time-travel.ts'
import { useConsole } from '../support/console.ts'

const { service, openConsole } = useConsole()

describe('the history of a record', () => {
  it('leads back to the record as it was created, by the entries of the real API', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const path = '/v1/admin/users'
    const { id } = await given.user(owner, { firstName: 'Dora', lastName: 'Tanaka' })
    const created = (await owner.get(`${path}/${id}`)).body
    for (const changes of [
      { firstName: 'Dorothea', phone: '+442079460000' },
      { blockedAt: new Date().toISOString(), blockedReason: 'Lost laptop' },
      { blockedAt: null },
      { lastName: 'Shaw', phone: null },
    ])
      expect(await owner.patch(`${path}/${id}`, changes)).toMatchObject({ status: 200 })

    const now = (await owner.get(`${path}/${id}`)).body
    const { data } = (await owner.get(`/v1/admin/audit-logs?targetId=${id}`)).body
    const changes = data.filter((entry: { action: string; changes: object | null }) => entry.changes && entry.action !== 'user.created')
    const before = undoChanges(
      now,
      changes.map((entry: { changes: object }) => entry.changes),
    )
    expect({ ...before, updatedAt: created.updatedAt }).toEqual(created)
  })

  it('shows what was different at a moment, and restores a field', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const { id } = await given.user(owner, { firstName: 'Dora', lastName: 'Tanaka' })
    await owner.patch(`/v1/admin/users/${id}`, { firstName: 'Dorothea' })
    await owner.patch(`/v1/admin/users/${id}`, { lastName: 'Shaw' })
    const { page, faults } = await openConsole(owner, `/console/users/${id}/history`)

    await page.getByText('owner changed the user Dorothea Shaw').waitFor()
    await page.getByText('This is the record as it is now.').waitFor()
    const slider = page.getByRole('slider', { name: 'As of' })
    const then = page.getByRole('region', { name: /^Goes back through the changes/ })
    await slider.focus()
    await page.keyboard.press('ArrowLeft')
    await then.getByRole('row', { name: /^lastName Tanaka/ }).waitFor()
    await expect.poll(() => then.getByRole('row', { name: /^firstName Dora / }).count()).toBe(0)
    await page.keyboard.press('ArrowLeft')
    await then.getByRole('row', { name: /^firstName Dora / }).waitFor()
    await page.getByRole('button', { name: 'Restore firstName' }).click()
    await page.getByRole('heading', { level: 1, name: 'Dora Shaw' }).waitFor()
    await page.getByText('owner changed the user Dora Shaw').waitFor()

    expect((await owner.get(`/v1/admin/users/${id}`)).body).toMatchObject({ firstName: 'Dora', lastName: 'Shaw' })
    const { data } = (await owner.get(`/v1/admin/audit-logs?targetId=${id}&action=user.updated`)).body
    expect(data[0].changes.firstName).toEqual({ from: 'Dorothea', to: 'Dora' })
    expect(faults).toEqual([])
  })

  it('offers nothing to restore to those who may not change the record, and speaks German', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const { id } = await given.user(owner, { firstName: 'Dora', lastName: 'Tanaka' })
    await owner.patch(`/v1/admin/users/${id}`, { firstName: 'Dorothea' })
    const reader = await given.userWith(owner, ['users:read', 'audit:read'])
    const { page, faults } = await openConsole(reader, `/console/users/${id}/history`, { locale: 'de-DE' })
    await page.getByText('owner hat den Benutzer Dorothea Tanaka geändert').waitFor()
    await page.getByRole('slider', { name: 'Stand vom' }).focus()
    await page.keyboard.press('ArrowLeft')
    await page
      .getByRole('region', { name: /^Geht durch/ })
      .getByRole('row', { name: /^firstName Dora Dorothea/ })
      .waitFor()
    expect(await page.getByRole('button', { name: /wiederherstellen/ }).count()).toBe(0)
    expect(faults).toEqual([])
  })

  it('is not asked for by those who may not read the audit log', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const reader = await given.userWith(owner, ['users:read'])
    const { page, faults } = await openConsole(reader, `/console/users/${owner.id}/history`)
    await page.getByRole('heading', { level: 1, name: 'owner' }).waitFor()
    expect(await page.getByRole('slider').count()).toBe(0)
    expect(faults).toEqual([])
  })
})
