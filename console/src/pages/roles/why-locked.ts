import type { OperationName } from '../../api/operations.ts'
import { useHas } from '../../api/profile.ts'
import { ownerSlug, type Role } from '../../api/roles.ts'
import { useWhyNot } from '../../parts/use-change.ts'
import { rolesTexts as t } from '../../texts/roles.ts'

/**
 * The reason why the user may not change the permissions of a role, or delete it; undefined when they may. A role with a permission that
 * they lack cannot be changed at all: otherwise they could grant it.
 */
export function useWhyLocked(operation: OperationName): (role: Pick<Role, 'slug' | 'permissions'>) => string | undefined {
  const whyNot = useWhyNot()
  const has = useHas()
  return ({ slug, permissions }) => {
    const beyond = permissions.find((permission) => !has(permission.slug as Parameters<typeof has>[0]))
    return whyNot(operation) ?? (slug === ownerSlug ? t.isOwnerRole : beyond && t.beyondYou(beyond.slug))
  }
}
