import { z } from 'zod'
import { admin } from '../access/declarations.ts'
import { defineRoutes } from '../platform/http/define-routes.ts'
import { IdParameter, Reason } from '../platform/http/fields.ts'
import { ListQuery, listOf, sendList, sourceOfFew } from '../platform/http/lists.ts'
import { type Activation, activateSetupLink } from './activate.ts'
import { createSetupLink } from './create-setup-link.ts'
import { deleteSetupLink } from './end-setup-link.ts'
import { presentSetupLink } from './present-setup-link.ts'
import { listSetupLinks, type SetupLink } from './queries.ts'
import * as refusals from './refusals.ts'
import { permissionsOf } from './rules.ts'
import { NewSetupLink, SetupLinkRecord, SetupLinkWithUrl } from './schemas.ts'

const needs = 'Needs `connections:create` for `oidc` and `saml`, `domains:update` for `domain`, `directories:create` for `scim`'

export const setupLinkRoutes = defineRoutes({ prefix: '/v1/admin/setup-links', refusals }, async (app, dependencies: Activation) => {
  const { database } = dependencies
  const present = (link: SetupLink) => presentSetupLink(link, database.clock.now())

  app.get(
    '/',
    {
      config: { access: admin() },
      schema: {
        operationId: 'listSetupLinks',
        summary: 'List set-up links',
        description: `${needs}: other links are left out. They are removed 90 days after their end.`,
        querystring: ListQuery,
        response: { 200: listOf(SetupLinkRecord) },
      },
    },
    async ({ caller, query }, reply) => {
      const links = sourceOfFew(async () => {
        const all = await listSetupLinks(database.listReads(caller.organisationId))
        return all.filter(({ purposes }) => permissionsOf(purposes).every((permission) => caller.permissions.has(permission)))
      })
      return sendList(reply, query, SetupLinkRecord, links, present)
    },
  )

  app.post(
    '/',
    {
      config: { access: admin() },
      schema: {
        operationId: 'createSetupLink',
        summary: 'Create a set-up link',
        description: `${needs}, and, but for \`domain\` alone, every permission that any user but the owner holds or that what it makes gives. The link works while its creator has them.`,
        body: NewSetupLink,
        response: { 201: SetupLinkWithUrl },
      },
    },
    async ({ caller, body }, reply) => {
      const { link, url } = await createSetupLink(dependencies, caller, body)
      return reply.code(201).send({ ...present(link), url })
    },
  )

  app.post(
    '/:id/activate',
    {
      config: { access: admin(), refuses: ['conflict'] },
      schema: {
        operationId: 'activateSetupLink',
        summary: 'Activate what a set-up link has made',
        description: `${needs}, \`connections:update\` for a connection and \`directories:update\` for a directory, and what activating them takes. The domain gets the connection, with the \`sso\` of the link, unless an administrator has put it into use since.`,
        params: IdParameter,
        response: { 200: SetupLinkRecord },
      },
    },
    async ({ caller, params }) => present(await activateSetupLink(dependencies, caller, params.id)),
  )

  app.delete(
    '/:id',
    {
      config: { access: admin() },
      schema: {
        operationId: 'deleteSetupLink',
        summary: 'End a set-up link',
        description: `${needs}. It stops working with its next request; what was made by it stays.`,
        params: IdParameter,
        body: Reason,
        response: { 204: z.null() },
      },
    },
    async ({ caller, params, body }, reply) => {
      await deleteSetupLink(database, caller, params.id, body.reason)
      return reply.code(204).send(null)
    },
  )
})
