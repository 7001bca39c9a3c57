import type { Role } from '../../api/roles.ts'

type Read = Pick<Role, 'id' | 'name' | 'slug' | 'permissions'>

/** The wanted permissions of one role, which was read as `role`. */
export interface RoleEdit<R extends Read = Role> {
  role: R
  wanted: ReadonlySet<string>
}

export type Edits<R extends Read = Role> = ReadonlyMap<string, RoleEdit<R>>

export const slugsOf = ({ permissions }: Pick<Role, 'permissions'>): Set<string> => new Set(permissions.map(({ slug }) => slug))

const without = (left: ReadonlySet<string>, right: ReadonlySet<string>) => [...left].filter((slug) => !right.has(slug))

/** The members of exactly one of the sets. */
const differences = (left: ReadonlySet<string>, right: ReadonlySet<string>) => [...without(left, right), ...without(right, left)]

/** The edits after one permission was added to or removed from a role. A role in its original state is no longer among them. */
export function toggled<R extends Read>(edits: Edits<R>, role: R, slug: string): Edits<R> {
  const edit = edits.get(role.id) ?? { role, wanted: slugsOf(role) }
  const wanted = new Set(differences(edit.wanted, new Set([slug])))
  const after = new Map(edits)
  if (differences(wanted, slugsOf(edit.role)).length === 0) after.delete(role.id)
  else after.set(role.id, { role: edit.role, wanted })
  return after
}

/** Each permission that a role gains or loses. */
export function changesOf<R extends Read>(edits: Edits<R>): { role: R; slug: string; isGiven: boolean }[] {
  return [...edits.values()].flatMap(({ role, wanted }) =>
    differences(wanted, slugsOf(role))
      .sort()
      .map((slug) => ({ role, slug, isGiven: wanted.has(slug) })),
  )
}

/** The permissions that change in more than one role, so that the impact of one role alone says too much or too little. */
export function sharedPermissions<R extends Read>(edits: Edits<R>): string[] {
  const bySlug = Map.groupBy(changesOf(edits), ({ slug }) => slug)
  return [...bySlug].flatMap(([slug, changes]) => (changes.length > 1 ? [slug] : [])).sort()
}

/**
 * The permissions for a role that another user has changed since it was
 * read: its current ones, with the added and without the removed ones.
 */
export function rebased({ role, wanted }: RoleEdit<Read>, now: Pick<Role, 'permissions'>): string[] {
  const before = slugsOf(role)
  const taken = new Set(without(before, wanted))
  return [...new Set([...slugsOf(now), ...without(wanted, before)])].filter((slug) => !taken.has(slug)).sort()
}
