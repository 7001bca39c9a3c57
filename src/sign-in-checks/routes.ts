/** POST /v1/admin/sign-in-checks, and POST /v1/system/sign-in-checks for the operator */
import { operatorOf } from '../access/caller.ts'
import { admin, system } from '../access/declarations.ts'
import { defineRoutes } from '../platform/http/define-routes.ts'
import { countTogether } from '../platform/rate-limits/rate-limit.ts'
import { checkSignInAnywhere } from './check-anywhere.ts'
import { checkSignIn, type SignInChecking } from './check-sign-in.ts'
import { AskedSignInCheck, SignInCheck, SystemSignInCheck } from './schemas.ts'

export const signInCheckRoutes = defineRoutes('/v1/admin/sign-in-checks', async (app, checking: SignInChecking) => {
  app.post(
    '/',
    {
      // This is allowed while the organisation is suspended, too: above all then users cannot sign in.
      config: { access: admin('users:read'), readsOnly: true, refuses: ['too-many-requests'] },
      schema: {
        operationId: 'checkSignIn',
        summary: 'Check why a user cannot sign in',
        description:
          'Each step that a sign-in with the address would take now, by every way or by one connection, and how to fix it. Nothing is issued; the audit log records the check.',
        body: AskedSignInCheck,
        response: { 200: SignInCheck },
      },
    },
    async ({ caller, body }) => {
      const { organisationId, actor } = caller
      const { signInChecksByCaller, signInChecksByOrganisation } = checking.limits
      await countTogether([signInChecksByCaller, actor.actorId ?? ''], [signInChecksByOrganisation, organisationId])
      return checkSignIn(checking, { organisationId, actor }, body)
    },
  )
})

export const systemSignInCheckRoutes = defineRoutes('/v1/system/sign-in-checks', async (app, checking: SignInChecking) => {
  app.post(
    '/',
    {
      config: { access: system(), refuses: ['not-found'] },
      schema: {
        operationId: 'checkSignInAnywhere',
        summary: 'Check why a user of any organisation cannot sign in',
        description: "The same for the operator, in any organisation. The organisation's audit log records the check.",
        body: AskedSignInCheck,
        response: { 200: SystemSignInCheck },
      },
    },
    async (request) => checkSignInAnywhere(checking, operatorOf(request), request.body),
  )
})
