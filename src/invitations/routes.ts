/** /v1/admin/invitations and /v1/auth/invitations */
import { z } from 'zod'
import { originOf } from '../access/caller.ts'
import { admin, publicAccess } from '../access/declarations.ts'
import { requiredConnection } from '../domains/schemas.ts'
import { defineRoutes } from '../platform/http/define-routes.ts'
import { IdParameter, Reason } from '../platform/http/fields.ts'
import { languageOf } from '../platform/language.ts'
import { type Accepting, acceptInvitation } from './accept-invitation.ts'
import { cancelInvitation } from './cancel-invitation.ts'
import { invitationList } from './list-invitations.ts'
import { getInvitation, invitationVersion, presentInvitation, presentInvitationDetails } from './queries.ts'
import { Acceptance, Accepted, CreatedInvitation, InvitationDetails, NewInvitation, ResentInvitation } from './schemas.ts'
import { type Inviting, inviteUser, resendInvitation } from './send-invitation.ts'

export const invitationRoutes = defineRoutes('/v1/admin/invitations', async (app, inviting: Inviting) => {
  const { database } = inviting

  app.get(
    '/',
    {
      config: { access: admin('invitations:read') },
      schema: { operationId: 'listInvitations', summary: 'List invitations', ...invitationList.schema },
    },
    async ({ caller: { organisationId }, query }, reply) => invitationList.send(reply, database, organisationId, query),
  )

  app.get(
    '/:id',
    {
      config: { access: admin('invitations:read'), version: invitationVersion },
      schema: { operationId: 'getInvitation', summary: 'Get an invitation', params: IdParameter, response: { 200: InvitationDetails } },
    },
    async ({ caller, params }) => presentInvitationDetails(await getInvitation(database.pointReads(caller.organisationId), params.id)),
  )

  app.post(
    '/',
    {
      config: { access: admin('invitations:create'), mails: true, refuses: ['too-many-requests'] },
      schema: { operationId: 'createInvitation', summary: 'Invite a user', body: NewInvitation, response: { 201: CreatedInvitation } },
    },
    async (request, reply) => {
      const { sent, link } = await inviteUser(inviting, request.caller, request.body, languageOf(request))
      return reply.code(201).send({ ...presentInvitation(sent), ...(request.body.returnLink && { link }) })
    },
  )

  app.post(
    '/:id/resend',
    {
      config: { access: admin('invitations:create'), mails: true, refuses: ['too-many-requests'] },
      schema: {
        operationId: 'resendInvitation',
        summary: 'Resend a pending invitation',
        description: 'With a new link; the former one stops working.',
        params: IdParameter,
        response: { 200: ResentInvitation },
      },
    },
    async (request) => {
      const sent = await resendInvitation(inviting, request.caller, request.params.id, languageOf(request))
      return { message: 'Invitation resent', invitation: presentInvitation(sent) }
    },
  )

  app.delete(
    '/:id',
    {
      config: { access: admin('invitations:delete'), version: invitationVersion },
      schema: {
        operationId: 'cancelInvitation',
        summary: 'Cancel a pending invitation',
        params: IdParameter,
        body: Reason,
        response: { 204: z.null() },
      },
    },
    async ({ caller, params, body, headers }, reply) => {
      await cancelInvitation(database, caller, params.id, headers['if-match'], body.reason)
      return reply.code(204).send(null)
    },
  )
})

export const acceptanceRoutes = defineRoutes('/v1/auth/invitations', async (app, dependencies: Accepting) => {
  app.post(
    '/accept',
    {
      config: { access: publicAccess(), refuses: ['forbidden', 'conflict'] },
      schema: {
        operationId: 'acceptInvitation',
        summary: 'Accept an invitation',
        description: 'Creates the user, by the link in the mail.',
        body: Acceptance,
        response: { 201: Accepted, ...requiredConnection },
      },
    },
    async (request, reply) => {
      const accepted = await acceptInvitation(dependencies, originOf(request), request.body)
      return reply.code(201).send({ message: 'Invitation accepted', ...accepted })
    },
  )
})
