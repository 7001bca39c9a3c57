import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changesOf, type Edits, rebased, sharedPermissions, slugsOf, toggled } from './role-edits.ts'

const slugs = ['users:read', 'users:update', 'roles:read', 'teams:read', 'clients:read']
const some = fc.subarray(slugs)
const roleWith = (held: string[], id = 'rol_1') => ({
  id,
  name: id,
  slug: id,
  permissions: held.map((slug) => ({ id: `prm_${slug}`, slug, name: slug })),
})
type TestRole = ReturnType<typeof roleWith>

const none: Edits<TestRole> = new Map()

describe('the edits of the matrix', () => {
  it('are what differs from the roles as they were read, whatever was clicked', () => {
    fc.assert(
      fc.property(some, some, fc.array(fc.tuple(fc.constantFrom(0, 1), fc.constantFrom(...slugs))), (first, second, clicks) => {
        const roles = [roleWith(first, 'rol_1'), roleWith(second, 'rol_2')] as const
        const edits = clicks.reduce((former, [index, slug]) => toggled(former, roles[index] as TestRole, slug), none)
        const odd = (index: number, slug: string) => clicks.filter(([at, one]) => at === index && one === slug).length % 2 === 1
        const expected = roles.flatMap((role, index) => slugs.filter((slug) => odd(index, slug)).map((slug) => `${role.id} ${slug}`))
        expect(
          changesOf(edits)
            .map(({ role, slug }) => `${role.id} ${slug}`)
            .sort(),
        ).toEqual(expected.sort())
        for (const { role, slug, isGiven } of changesOf(edits)) expect(isGiven).toBe(!slugsOf(role).has(slug))
        expect([...edits.keys()].sort()).toEqual([...new Set(expected.map((change) => change.split(' ')[0]))])
      }),
    )
  })

  it('tell which permissions change in more than one role, in whatever direction', () => {
    const [first, second] = [roleWith(['users:read', 'teams:read'], 'rol_1'), roleWith(['teams:read'], 'rol_2')] as const
    const moved = toggled(toggled(none, first, 'users:read'), second, 'users:read')
    expect(sharedPermissions(moved)).toEqual(['users:read'])
    const bothLose = toggled(toggled(moved, first, 'teams:read'), second, 'teams:read')
    expect(sharedPermissions(bothLose)).toEqual(['teams:read', 'users:read'])
    expect(sharedPermissions(toggled(toggled(none, first, 'users:read'), second, 'roles:read'))).toEqual([])
  })

  it('keep what another administrator has changed meanwhile', () => {
    fc.assert(
      fc.property(some, some, some, (held, wanted, now) => {
        const [before, after, result] = [
          new Set(held),
          new Set(wanted),
          new Set(rebased({ role: roleWith(held), wanted: new Set(wanted) }, roleWith(now))),
        ]
        for (const slug of slugs) {
          const isMine = before.has(slug) !== after.has(slug)
          expect(result.has(slug)).toBe(isMine ? after.has(slug) : now.includes(slug))
        }
        expect(rebased({ role: roleWith(held), wanted: new Set(wanted) }, roleWith(held))).toEqual([...wanted].sort())
      }),
    )
  })
})
