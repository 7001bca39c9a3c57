/** What users may do and what is issued for them: checks, previews and permissions */
import { admin } from '../access/declarations.ts'
import { defineRoutes } from '../platform/http/define-routes.ts'
import { IdParameter } from '../platform/http/fields.ts'
import { ListQuery, listOfFew } from '../platform/http/lists.ts'
import { AskedAuthorization, AuthorizationCheck } from './authorization-schemas.ts'
import { AskedClaims, ClaimsPreview } from './claim-schemas.ts'
import { type AuthorizationChecks, checkAuthorization } from './explain-authorization.ts'
import { checkPermissions, demandsOf, listPermissionsOf, type SignInSettings } from './explain-permissions.ts'
import { AskedChecks, PermissionChecks, UserPermissions } from './permission-schemas.ts'
import { previewClaims } from './preview-claims.ts'

interface Explaining extends AuthorizationChecks, SignInSettings {}

export const userPermissionRoutes = defineRoutes('/v1/admin', async (app, explaining: Explaining) => {
  const { database } = explaining
  const demands = demandsOf(explaining)

  app.post(
    '/permission-checks',
    {
      config: { access: admin('users:read', 'roles:read'), readsOnly: true },
      schema: {
        operationId: 'checkPermissions',
        summary: 'Check whether users may use permissions, and why',
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

  app.post(
    '/authorization-checks',
    {
      config: { access: admin('clients:read', 'users:read'), readsOnly: true },
      schema: {
        operationId: 'checkAuthorization',
        summary: 'Check what an application would be issued for a user',
        description:
          'The scopes and claims that an authorization request would lead to if the user signed in now, and each check that would refuse it. Nothing is issued and nothing changed.',
        body: AskedAuthorization,
        response: { 200: AuthorizationCheck },
      },
    },
    async ({ caller, body }) => checkAuthorization(explaining, caller.organisationId, body, demands),
  )

  app.post(
    '/clients/:id/claims/preview',
    {
      config: { access: admin('clients:read', 'users:read'), readsOnly: true },
      schema: {
        operationId: 'previewClaims',
        summary: 'Preview the claims of the tokens of a user',
        description:
          'What the tokens, UserInfo and introspection would show of a user who signs in now: by a password or, with a linked account, by the identity provider used last. Nothing is signed, and nothing changed.',
        params: IdParameter,
        body: AskedClaims,
        response: { 200: ClaimsPreview },
      },
    },
    async ({ caller, params, body }) => previewClaims(explaining, caller.organisationId, params.id, body),
  )

  app.get(
    '/users/:id/permissions',
    {
      config: { access: admin('users:read', 'roles:read') },
      schema: {
        operationId: 'listUserPermissions',
        summary: 'List the permissions of a user with the roles that give them',
        params: IdParameter,
        querystring: ListQuery,
        response: { 200: UserPermissions },
      },
    },
    async ({ caller, params, query }) => {
      const { data, blockedBy } = await listPermissionsOf(database.listReads(caller.organisationId), params.id, demands)
      return { ...(await listOfFew(query, data, ({ permission }) => permission)), blockedBy }
    },
  )
})
