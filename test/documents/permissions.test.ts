import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { permissionSlugs } from '../../src/access/permission-slugs.ts'
import { useService } from '../support/service.ts'

const service = useService()

describe('docs/permissions.md', () => {
  it('explains every permission that guards the service, and no other', async () => {
    const rows = (await readFile('docs/permissions.md', 'utf8')).split('\n').filter((line) => line.startsWith('| `'))
    const explained = rows.flatMap((row) => [...(row.split(' | ')[0] ?? '').matchAll(/`([\w:]+)`/g)].map(([, slug]) => slug))
    expect(explained.sort()).toEqual([...permissionSlugs].sort())
  })

  it('matches the permissions of a new installation', async () => {
    const { body } = await service().operator.get('/v1/system/permissions')
    const own = body.data.filter(({ category }: { category: string }) => category !== 'custom').map(({ slug }: { slug: string }) => slug)
    expect(own).toEqual(expect.arrayContaining([...permissionSlugs]))
  })
})
