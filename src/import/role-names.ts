import { sql } from 'kysely'
import type { Tenant } from '../platform/database/database.ts'
import { defaultRoleSlugs } from '../roles/default-roles.ts'
import { createDistinctSlugs, slugOf } from './slug.ts'

/** Maps the roles of a file, by name, to ours. No name in a file means a built-in role. */
export interface RoleNames {
  /** The role that an administrator has named for it; undefined when they named none. */
  mapped(...names: readonly string[]): string | undefined
  /** A slug for a role of another system: unique, and never that of a built-in role. */
  distinct(name: string): string
  /** The slug for a name in a file of our own, which is a slug or an id. The slug of a built-in role becomes a different one. */
  of(name: string): string
  /** The slugs that `of` has returned in place of those of built-in roles, by the names in the file. */
  beside: ReadonlyMap<string, string>
  /** Whether this is the owner's role, which no file can give. */
  isOwner(slugOrId: string): boolean
}

/** Why a role of a file is not our role of that name. */
export const besideBuiltIn = 'not the built-in one of that name, but a role beside it, without permissions; --map-role NAME=SLUG joins them'

/** Why roles cannot be mapped as asked. */
export class WrongRoleMap extends Error {}

/**
 * @param map our roles by their names in the file
 * @throws WrongRoleMap for a role that does not exist, or the owner's
 */
export async function createRoleNames(tenant: Tenant, map: ReadonlyMap<string, string>): Promise<RoleNames> {
  const present = await tenant
    .selectFrom('roles')
    .select(['id', 'slug', 'isDefault', 'isOwner', sql<boolean>`cardinality(permission_slugs) > 0`.as('hasPermissions')])
    .execute()
  const ownerNames = new Set(present.flatMap(({ id, slug, isOwner }) => (isOwner ? [id, slug] : [])))
  for (const to of map.values()) {
    if (ownerNames.has(to)) throw new WrongRoleMap('no import gives the owner role: transfer the ownership')
    if (!present.some(({ slug }) => slug === to)) throw new WrongRoleMap(`there is no role ${to}`)
  }
  const builtIn = new Set<string>([
    ...defaultRoleSlugs,
    ...present.flatMap(({ slug, isDefault, isOwner }) => (isDefault || isOwner ? [slug] : [])),
  ])
  // A role that an earlier import created in place of a built-in one, and that has been given permissions since.
  const grown = present
    .filter(({ slug, hasPermissions }) => hasPermissions && builtIn.has(slug.replace(/-\d+$/, '')))
    .map(({ slug }) => slug)
  const distinct = createDistinctSlugs([...builtIn, ...grown])
  const beside = new Map<string, string>()
  return {
    mapped: (...names) => names.map((name) => map.get(name)).find((to) => to !== undefined),
    distinct,
    of(name) {
      const to = map.get(name) ?? beside.get(name)
      if (to !== undefined || !builtIn.has(slugOf(name)) || slugOf(name) !== name) return to ?? name
      const slug = distinct(name)
      beside.set(name, slug)
      return slug
    },
    beside,
    isOwner: (slugOrId) => ownerNames.has(slugOrId),
  }
}
