/** /v1/system/organisations and POST /v1/organisations: the operator's API */
import { z } from 'zod'
import { operatorOf, originOf } from '../access/caller.ts'
import { publicOrOperator, system } from '../access/declarations.ts'
import { organisationList } from '../organisations/list-organisations.ts'
import { presentOrganisation } from '../organisations/present-organisation.ts'
import { getOwnOrganisation } from '../organisations/queries.ts'
import { CreatedOrganisation, NewOrganisation, OrganisationRecord, Suspension } from '../organisations/schemas.ts'
import type { Database } from '../platform/database/database.ts'
import { defineRoutes } from '../platform/http/define-routes.ts'
import { IdParameter } from '../platform/http/fields.ts'
import { languageOf } from '../platform/language.ts'
import { activateOrganisation, deleteOrganisation, restoreOrganisation, suspendOrganisation } from '../provisioning/change-status.ts'
import { createOrganisation } from '../provisioning/create-organisation.ts'
import { type SigningUp, signUpOrganisation } from '../provisioning/sign-up.ts'

interface OrganisationCreators extends SigningUp {
  /** `open`: anyone may create an organisation. `closed`: only the operator. */
  signup: 'open' | 'closed'
}

export const organisationCreationRoutes = defineRoutes('/v1/organisations', async (app, creation: OrganisationCreators) => {
  app.post(
    '/',
    {
      config: {
        access: creation.signup === 'open' ? publicOrOperator() : system(),
        mails: true,
        refuses: ['conflict', 'too-many-requests'],
      },
      schema: {
        operationId: 'createOrganisation',
        summary: 'Create an organisation with its owner',
        description: 'With its default roles. The owner gets a mail with a link to set a password.',
        body: NewOrganisation,
        response: { 201: CreatedOrganisation },
      },
    },
    async (request, reply) => {
      const { organisation, owner } = request.isOperator
        ? await createOrganisation(creation, operatorOf(request), request.body, languageOf(request))
        : await signUpOrganisation(creation, originOf(request), request.body, languageOf(request))
      const { id, email, name } = owner
      return reply.code(201).send({ organisation: presentOrganisation(organisation), owner: { id, email, name } })
    },
  )
})

export const systemRoutes = defineRoutes('/v1/system', async (app, { database }: { database: Database }) => {
  app.get(
    '/organisations',
    {
      config: { access: system() },
      schema: {
        operationId: 'listOrganisations',
        summary: 'List organisations',
        description: 'All of this installation, in any status.',
        ...organisationList.schema,
      },
    },
    async ({ query }, reply) => organisationList.sendOfAll(reply, database.systemListReads(), query),
  )

  app.get(
    '/organisations/:id',
    {
      config: { access: system() },
      schema: {
        operationId: 'getOrganisation',
        summary: 'Get an organisation',
        description: 'In any status, with its settings.',
        params: IdParameter,
        response: { 200: OrganisationRecord },
      },
    },
    async ({ params }) => presentOrganisation(await getOwnOrganisation(database.tenant(params.id))),
  )

  app.patch(
    '/organisations/:id/suspend',
    {
      config: { access: system(), refuses: ['conflict'] },
      schema: {
        operationId: 'suspendOrganisation',
        summary: 'Suspend an organisation',
        description: 'Its sessions end. Its tokens are refused and its users cannot sign in until it is activated again.',
        params: IdParameter,
        body: Suspension,
        response: { 200: OrganisationRecord },
      },
    },
    async (request) => {
      const { params, body } = request
      return presentOrganisation(await suspendOrganisation(database, operatorOf(request), params.id, body.reason))
    },
  )

  app.patch(
    '/organisations/:id/activate',
    {
      config: { access: system(), refuses: ['conflict'] },
      schema: {
        operationId: 'activateOrganisation',
        summary: 'Activate an organisation',
        description: 'Ends a trial or a suspension.',
        params: IdParameter,
        response: { 200: OrganisationRecord },
      },
    },
    async (request) => presentOrganisation(await activateOrganisation(database, operatorOf(request), request.params.id)),
  )

  app.delete(
    '/organisations/:id',
    {
      config: { access: system() },
      schema: {
        operationId: 'deleteOrganisation',
        summary: 'Delete an organisation',
        description: 'It is cancelled: its users cannot sign in any more, and it is purged after the retention time.',
        params: IdParameter,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      await deleteOrganisation(database, operatorOf(request), request.params.id)
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/organisations/:id/restore',
    {
      config: { access: system(), refuses: ['conflict'] },
      schema: {
        operationId: 'restoreOrganisation',
        summary: 'Restore an organisation',
        description:
          'Reverts its cancellation, as long as its data has not been purged. It gets its former status back; its users sign in anew.',
        params: IdParameter,
        response: { 200: OrganisationRecord },
      },
    },
    async (request) => presentOrganisation(await restoreOrganisation(database, operatorOf(request), request.params.id)),
  )
})
