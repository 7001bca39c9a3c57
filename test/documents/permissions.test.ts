import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { permissionSlugs } from '../../src/access/permission-slugs.ts'
import { describedRoutes } from '../http/described.ts'
import { useService } from '../support/service.ts'

const service = useService()

/** What the page says of each permission. */
const meanings = new Map(
  (await readFile('docs/permissions.md', 'utf8'))
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .flatMap((row) => {
      const [slugs = '', meaning = ''] = row.split(' | ', 2)
      return [...slugs.matchAll(/`([\w:]+)`/g)].map(([, slug = '']) => [slug, meaning.toLowerCase()] as const)
    }),
)

describe('docs/permissions.md', () => {
  it('explains every permission that guards the service, and no other', async () => {
    expect([...meanings.keys()].sort()).toEqual([...permissionSlugs].sort())
  })

  it('says of each permission what the routes that ask for it are about, and which others they need', async () => {
    const routes = await describedRoutes(service().anonymous)
    const asking = routes.filter(({ operation }) => operation['x-permission'] !== undefined)
    expect(asking.length).toBeGreaterThan(100)
    const unsaid = asking.flatMap(({ name, path, operation }) => {
      const first = operation['x-permission'] ?? ''
      const others = (operation['x-permissions'] ?? []).slice(1)
      const words = path
        .split('/')
        .slice(3)
        .filter((segment) => !segment.startsWith('{'))
        .flatMap((segment) => segment.split('-'))
      const missing = [...words, ...others].filter((word) => !meanings.get(first)?.includes(word))
      return missing.length > 0 ? [`${first} for ${name}: ${missing.join(', ')}`] : []
    })
    expect(unsaid).toEqual([])
  })

  it('matches the permissions of a new installation', async () => {
    const { body } = await service().operator.get('/v1/system/permissions')
    const own = body.data.filter(({ category }: { category: string }) => category !== 'custom').map(({ slug }: { slug: string }) => slug)
    expect(own).toEqual(expect.arrayContaining([...permissionSlugs]))
  })
})
