import { describe, expect, it } from 'vitest'
import de from '../../console/src/texts/de/access.ts'
import doctorDe from '../../console/src/texts/de/doctor.ts'
import deRoles from '../../console/src/texts/de/first-roles.ts'
import en from '../../console/src/texts/en/access.ts'
import doctorEn from '../../console/src/texts/en/doctor.ts'
import enRoles from '../../console/src/texts/en/first-roles.ts'
import { checks } from '../../src/doctor/checks.ts'
import { useConsole } from '../support/console.ts'

const { service, openConsole } = useConsole()

describe('the words that the service stores in English', () => {
  it('are those of the console in English, and have others in German: permissions and the first roles', async () => {
    const { owner } = await service().given.organisation()
    const { body: permissions } = await owner.get('/v1/admin/permissions?limit=1000')
    const builtIn = permissions.data.filter(({ category }: { category: string }) => category !== 'custom')
    const described = builtIn.map(({ slug, description }: { slug: string; description: string }) => [slug, description])
    expect(en.permissions).toEqual(Object.fromEntries(described))
    expect(Object.keys(de.permissions)).toEqual(Object.keys(en.permissions))

    const { body: roles } = await owner.get('/v1/admin/roles')
    const named = roles.data.map(({ slug, name, description }: Record<'slug' | 'name' | 'description', string>) => [
      slug,
      { name, description },
    ])
    expect(enRoles.roles).toEqual(Object.fromEntries(named))
    expect(Object.keys(deRoles.roles)).toEqual(Object.keys(enRoles.roles))
  })

  it('are said in German on the pages of roles, until a role is renamed', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const { page, faults, goTo } = await openConsole(owner, '/console/roles', { locale: 'de-DE' })
    await page.getByRole('row', { name: /Mitglied.*Darf Anwendungen verwenden/ }).waitFor()
    await goTo('/console/roles?create=yes')
    const drawer = page.getByRole('dialog')
    await drawer.getByText('Benutzer löschen', { exact: true }).waitFor()

    const { body } = await owner.get('/v1/admin/roles?q=member')
    await owner.patch(`/v1/admin/roles/${body.data[0].id}`, { name: 'Staff' })
    await page.goto('/console/roles')
    await page.getByRole('row', { name: /Staff.*Darf Anwendungen verwenden/ }).waitFor()
    expect(faults).toEqual([])
  })

  it('have a title in each language for every check of the doctor', () => {
    const names = checks.map(({ name }) => name).sort()
    expect(Object.keys(doctorEn.titles).sort()).toEqual(names)
    expect(Object.keys(doctorDe.titles).sort()).toEqual(names)
    for (const { name, title } of checks) expect(doctorEn.titles[name as keyof typeof doctorEn.titles]).toBe(title)
  })
})
