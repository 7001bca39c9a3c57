import type { OperationName } from '../../api/operations.ts'
import { useHas } from '../../api/profile.ts'
import { ownerSlug, type Role } from '../../api/roles.ts'
import { useWhyNot } from '../../parts/use-change.ts'
import { rolesTexts as t } from '../../texts/roles.ts'

/**
 * Why the person may not change what a role permits, or delete it; undefined when they may. A role with a permission that they
 * lack cannot be changed by them at all: otherwise they could hand it out.
 */
export function useWhyLocked(operation: OperationName): (role: Pick<Role, 'slug' | 'permissions'>) => string | undefined {
  const whyNot = useWhyNot()
  const has = useHas()
  return ({ slug, permissions }) => {
    const beyond = permissions.find((permission) => !has(permission.slug as Parameters<typeof has>[0]))
    return whyNot(operation) ?? (slug === ownerSlug ? t.isOwnerRole : beyond && t.beyondYou(beyond.slug))
  }
}
