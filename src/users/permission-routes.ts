/** POST /v1/admin/permission-checks and GET /v1/admin/users/:id/permissions */
import { admin } from '../access/declarations.ts'
import type { RelyingParty } from '../passkeys/relying-party.ts'
import type { BreachedPasswords } from '../passwords/breached-passwords.ts'
import type { Database } from '../platform/database/database.ts'
import { defineRoutes } from '../platform/http/define-routes.ts'
import { IdParameter } from '../platform/http/fields.ts'
import { checkPermissions, listPermissionsOf } from './explain-permissions.ts'
import { AskedChecks, PermissionChecks, UserPermissions } from './permission-schemas.ts'

interface Explaining {
  database: Database
  breachedPasswords: BreachedPasswords | undefined
  relyingParty: RelyingParty
}

export const userPermissionRoutes = defineRoutes('/v1/admin', async (app, { database, breachedPasswords, relyingParty }: Explaining) => {
  const demands = { replacesBreached: breachedPasswords?.atSignIn === 'change', relyingParty }

  app.post(
    '/permission-checks',
    {
      config: { access: admin('users:read', 'roles:read'), readsOnly: true },
      schema: {
        operationId: 'checkPermissions',
        summary: 'Tell whether users may use permissions, and why',
        description: 'Takes one check, or up to 100 as `checks`. Nothing is changed.',
        body: AskedChecks,
        response: { 200: PermissionChecks },
      },
    },
    async ({ caller, body }) => {
      const tenant = database.tenant(caller.organisationId)
      if ('checks' in body) return { data: await checkPermissions(tenant, body.checks, ['checks'], demands) }
      const [check] = await checkPermissions(tenant, [body], [], demands)
      return check as NonNullable<typeof check>
    },
  )

  app.get(
    '/users/:id/permissions',
    {
      config: { access: admin('users:read', 'roles:read') },
      schema: {
        operationId: 'listUserPermissions',
        summary: 'List the permissions of a user with the roles that give them',
        params: IdParameter,
        response: { 200: UserPermissions },
      },
    },
    async ({ caller, params }) => listPermissionsOf(database.tenant(caller.organisationId), params.id, demands),
  )
})
