import { expect, it } from 'vitest'
import { useConsole } from '../support/console.ts'

const { service, openConsole } = useConsole()

it('lists deleted users by their status, and restores those that are selected', async () => {
  const { given } = service()
  const { owner } = await given.organisation()
  const { id } = await given.user(owner, { firstName: 'Anna', lastName: 'Shaw' })
  await owner.delete(`/v1/admin/users/${id}`)
  const { page, faults } = await openConsole(owner, '/console/users')

  await page.getByRole('combobox', { name: 'Status' }).click()
  await page.getByRole('option', { name: 'Deleted' }).click()
  await page
    .getByRole('row', { name: /Anna Shaw/ })
    .getByText('Deleted', { exact: true })
    .waitFor()
  await page.getByRole('checkbox', { name: 'Select Anna Shaw' }).click()
  const toolbar = page.getByRole('toolbar')
  expect(await toolbar.getByRole('button', { name: 'Block' }).count()).toBe(0)
  await toolbar.getByRole('button', { name: 'Restore' }).click()
  await page.getByRole('alertdialog', { name: 'Restore 1 user?' }).getByRole('button', { name: 'Restore' }).click()
  await page.getByText('1 user restored').first().waitFor()
  await page.getByText('Anna Shaw', { exact: true }).waitFor({ state: 'detached' })
  expect((await owner.get(`/v1/admin/users/${id}`)).body).toMatchObject({ id, deletedAt: null })
  expect(faults).toEqual([])
})
