import { checkPermissions, demandsOf } from '../../users/explain-permissions.ts'
import type { PermissionCheck } from '../../users/permission-schemas.ts'
import type { CommonOptions } from '../add-command.ts'
import { refuseUnknownPermission } from '../known-names.ts'
import { show } from '../output.ts'
import { getUser } from '../user/get-user.ts'
import { withServices } from '../with-services.ts'

export const explainUser = (emailOrId: string, permission: string, options: CommonOptions) =>
  withServices(options, async ({ services }) => {
    const { userId, organisationId, email } = await getUser(services.database, emailOrId)
    await refuseUnknownPermission(services.database, permission)
    const tenant = services.database.tenant(organisationId)
    const [check] = await checkPermissions(tenant, [{ userId, permission }], [], demandsOf(services))
    if (check) show(options, check, textOf(email, check))
  })

function textOf(email: string, { permission, allowed, because, blockedBy, wouldAllow }: PermissionCheck): string {
  return [
    `${email} may ${allowed ? '' : 'not '}use ${permission}`,
    ...because.map(({ role, assignedAt, assignedBy }) => {
      const by = assignedBy && ` by ${assignedBy.name ?? assignedBy.id ?? assignedBy.type}`
      return `  the role ${role.slug} gives it, assigned ${assignedAt}${by ?? ''}`
    }),
    ...blockedBy.map((blocker) => `  in the way: ${blocker}`),
    ...(wouldAllow.length > 0 ? [`  roles that would give it: ${wouldAllow.map(({ slug }) => slug).join(', ')}`] : []),
  ].join('\n')
}
