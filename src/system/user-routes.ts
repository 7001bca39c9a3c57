/** /v1/system/organisations/:id: the operator's actions on single users whom no administrator of the organisation can help */
import { operatorOf } from '../access/caller.ts'
import { system } from '../access/declarations.ts'
import { presentUser } from '../accounts/present-user.ts'
import { UserRecord } from '../accounts/schemas.ts'
import { presentOrganisation } from '../organisations/present-organisation.ts'
import { OrganisationRecord } from '../organisations/schemas.ts'
import type { LinkRequests } from '../passwords/request-password-link.ts'
import { defineRoutes } from '../platform/http/define-routes.ts'
import { IdParameter, Message, presentTime } from '../platform/http/fields.ts'
import { listOf, sendList, sourceOfFew } from '../platform/http/lists.ts'
import { languageOf } from '../platform/language.ts'
import { eraseUser } from './erase-user.ts'
import { findUsersFor } from './find-users.ts'
import { handOverOrganisation } from './hand-over-organisation.ts'
import { recoverUser } from './recover-user.ts'
import { NewOwnerByOperator, RecoveryDone, RecoveryRequest, UserParameters, UserSearch } from './user-schemas.ts'

export const systemUserRoutes = defineRoutes('/v1/system', async (app, dependencies: LinkRequests) => {
  const { database } = dependencies

  app.get(
    '/organisations/:id/users',
    {
      // No HEAD: it must have no effects, and this route writes an audit entry.
      exposeHeadRoute: false,
      config: { access: system() },
      schema: {
        operationId: 'findOrganisationUsers',
        summary: 'Find a user of an organisation by e-mail address',
        description: 'If there is one, the audit log of the organisation records `user.looked_up`.',
        params: IdParameter,
        querystring: UserSearch,
        response: { 200: listOf(UserRecord) },
      },
    },
    async (request, reply) => {
      const { params, query } = request
      const users = sourceOfFew(() => findUsersFor(database, operatorOf(request), params.id, query.email))
      return sendList(reply, query, UserRecord, users, presentUser)
    },
  )

  app.post(
    '/organisations/:id/users/:userId/recover',
    {
      config: { access: system(), mails: true, refuses: ['conflict'] },
      schema: {
        operationId: 'recoverUser',
        summary: 'Recover a user who cannot sign in',
        description:
          'For users whom no administrator of the organisation can help, above all its owner. The audit log of the organisation records what was done, and the user gets a mail, except of the end of a block in whose place another begins.',
        params: UserParameters,
        body: RecoveryRequest,
        response: { 200: RecoveryDone },
      },
    },
    async (request) => {
      const { id: organisationId, userId } = request.params
      const target = { organisationId, userId }
      const recovered = await recoverUser(dependencies, operatorOf(request), target, request.body, languageOf(request))
      const { done, blockedAt, blockedReason } = recovered
      return { done, blockedAt: presentTime(blockedAt), blockedReason }
    },
  )

  app.post(
    '/organisations/:id/users/:userId/erase',
    {
      config: { access: system() },
      schema: {
        operationId: 'eraseUser',
        summary: 'Erase the personal data of a user',
        description: 'Only the id stays in the audit log, and the e-mail address becomes available again. It cannot be undone.',
        params: UserParameters,
        response: { 200: Message },
      },
    },
    async (request) => {
      const { id: organisationId, userId } = request.params
      await eraseUser(database, operatorOf(request), { organisationId, userId })
      return { message: 'User erased' }
    },
  )

  app.post(
    '/organisations/:id/transfer-ownership',
    {
      config: { access: system(), mails: true, refuses: ['conflict'] },
      schema: {
        operationId: 'transferOrganisationOwnership',
        summary: 'Transfer the ownership of an organisation',
        description:
          'For an organisation whose owner can no longer do so. The new and the former owner get a mail. All accounts at identity providers are unlinked from the new owner.',
        params: IdParameter,
        body: NewOwnerByOperator,
        response: { 200: OrganisationRecord },
      },
    },
    async (request) => {
      const { params, body } = request
      const operator = operatorOf(request)
      return presentOrganisation(await handOverOrganisation(dependencies, operator, params.id, body.userId, languageOf(request)))
    },
  )
})
