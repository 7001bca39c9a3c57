import type { Role } from '../../api/roles.ts'

type Read = Pick<Role, 'id' | 'name' | 'slug' | 'permissions'>

/** What is to become of the permissions of one role, which was read as `role`. */
export interface RoleEdit<R extends Read = Role> {
  role: R
  wanted: ReadonlySet<string>
}

/** By id of the role. */
export type Edits<R extends Read = Role> = ReadonlyMap<string, RoleEdit<R>>

export const slugsOf = ({ permissions }: Pick<Role, 'permissions'>): Set<string> => new Set(permissions.map(({ slug }) => slug))

const without = (left: ReadonlySet<string>, right: ReadonlySet<string>) => [...left].filter((slug) => !right.has(slug))

/** What is in one of the sets alone. */
const differences = (left: ReadonlySet<string>, right: ReadonlySet<string>) => [...without(left, right), ...without(right, left)]

/** The edits after one permission was given to a role, or taken from it. A role that is as it was is no longer among them. */
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

/**
 * The permissions that a role is to have, when it was changed by somebody else since it was read: with what was given, without
 * what was taken, and otherwise as it is now.
 */
export function rebased({ role, wanted }: RoleEdit<Read>, now: Pick<Role, 'permissions'>): string[] {
  const before = slugsOf(role)
  const taken = new Set(without(before, wanted))
  return [...new Set([...slugsOf(now), ...without(wanted, before)])].filter((slug) => !taken.has(slug)).sort()
}
