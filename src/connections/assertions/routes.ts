/** POST /v1/admin/assertion-checks */
import { admin } from '../../access/declarations.ts'
import type { RateLimits } from '../../access/rate-limits.ts'
import { defineRoutes } from '../../platform/http/define-routes.ts'
import { countTogether } from '../../platform/rate-limits/rate-limit.ts'
import type { InspectingAssertions } from './inspect-assertion.ts'
import { AskedAssertionCheck, AssertionCheck } from './inspection-schemas.ts'

type AssertionChecking = InspectingAssertions & { limits: RateLimits }

export const assertionCheckRoutes = defineRoutes('/v1/admin/assertion-checks', async (app, checking: AssertionChecking) => {
  app.post(
    '/',
    {
      // It tells of the connection, the application and the user alike.
      config: { access: admin('connections:read', 'clients:read', 'users:read'), readsOnly: true, refuses: ['too-many-requests'] },
      schema: {
        operationId: 'checkAssertion',
        summary: 'Check why an identity assertion is refused',
        description:
          'Every check that the token endpoint would make of an identity assertion (ID-JAG) now: whether it is met, what was expected and what came. That the application authenticates is assumed. Nothing is issued or used up; the audit log records the check, without the assertion.',
        body: AskedAssertionCheck,
        response: { 200: AssertionCheck },
      },
    },
    async ({ caller, body }) => {
      const { organisationId, actor } = caller
      const { assertionChecksByCaller, assertionChecksByOrganisation } = checking.limits
      await countTogether([assertionChecksByCaller, actor.actorId ?? ''], [assertionChecksByOrganisation, organisationId])
      const { inspectAssertion } = await import('./inspect-assertion.ts')
      return inspectAssertion(checking, { organisationId, actor }, body)
    },
  )
})
