import { counted } from '../../platform/text.ts'
import { createRole } from '../../roles/create-role.ts'
import { roleImpact } from '../../roles/impact.ts'
import { findPermissionsBySlug } from '../../roles/permissions/queries.ts'
import { rolesWithUserCount } from '../../roles/queries.ts'
import { NewRole, RoleChanges } from '../../roles/schemas.ts'
import { changeRole } from '../../roles/update-role.ts'
import { removeRole } from '../../users/remove-role.ts'
import type { Kind } from '../kind.ts'
import type { Fields } from '../plan.ts'

/** The same fields under the names of the operations. */
const asSent = ({ permissions, ...fields }: Fields) => ({ ...fields, ...(permissions !== undefined && { permissionIds: permissions }) })

export const roleKind: Kind = {
  name: 'role',
  keyField: 'slug',
  permissions: { read: 'roles:read', create: 'roles:create', update: 'roles:update', delete: 'roles:delete' },
  async list(tenant) {
    const roles = await rolesWithUserCount(tenant).orderBy('roles.id').execute()
    return roles.map(({ id, slug, name, description, isDefault, isOwner, permissions }) => ({
      id,
      key: slug,
      name,
      fields: {
        name,
        description,
        isDefault,
        // The owner's role holds every permission, whatever a document says.
        ...(!isOwner && { permissions: permissions.map((permission) => permission.slug) }),
      },
      stays: isOwner,
    }))
  },
  create: ({ dependencies: { database }, caller }, slug, fields) =>
    createRole(database, caller, NewRole.parse({ ...asSent(fields), slug })),
  update: ({ dependencies: { database }, caller }, id, fields) =>
    changeRole(database, caller, id, RoleChanges.parse(asSent(fields)), undefined),
  remove: ({ dependencies: { database }, caller }, id) => removeRole(database, caller, id, undefined, undefined),
  async effects({ tenant, caller }, id, { action }, fields) {
    const asked = fields.permissions as string[] | undefined
    if (action !== 'delete' && asked === undefined) return []
    const known = [...(await findPermissionsBySlug(tenant, asked ?? []))]
    const { gains, losses, apiKeys } = await roleImpact(
      tenant,
      caller,
      id,
      action === 'delete' ? { delete: true } : { permissionIds: known },
    )
    return [
      ...gains.filter(({ users }) => users > 0).map(({ permission, users }) => `gives ${counted(users, 'user')} ${permission}`),
      ...losses.filter(({ users }) => users > 0).map(({ permission, users }) => `takes ${permission} from ${counted(users, 'user')}`),
      ...(apiKeys > 0 ? [`changes what ${counted(apiKeys, 'API key')} may do`] : []),
    ]
  },
}
