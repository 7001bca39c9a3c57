import { z } from 'zod'
import { admin } from '../access/declarations.ts'
import type { MailSender } from '../mails/mail-sender.ts'
import { organisationVersion, presentOrganisation } from '../organisations/present-organisation.ts'
import { getOwnOrganisation } from '../organisations/queries.ts'
import { NewLogo, NewOwner, OrganisationChanges, OrganisationImpact, OrganisationRecord } from '../organisations/schemas.ts'
import { defineRoutes } from '../platform/http/define-routes.ts'
import { Reason } from '../platform/http/fields.ts'
import { deleteOrganisation } from './change-status.ts'
import { type ImpactDependencies, organisationImpact } from './impact.ts'
import { transferOwnership } from './transfer-ownership.ts'
import { changeOrganisation, type OrganisationSettings } from './update-organisation.ts'

type Dependencies = OrganisationSettings & ImpactDependencies & MailSender

/** Load it on demand: hardly any process ever reads a picture. */
const logoChanges = () => import('./change-logo.ts')

export const organisationRoutes = defineRoutes('/v1/admin/organisation', async (app, settings: Dependencies) => {
  const { database } = settings

  app.get(
    '/',
    {
      config: { access: admin(), version: organisationVersion },
      schema: { operationId: 'getOwnOrganisation', summary: 'Get the organisation', response: { 200: OrganisationRecord } },
    },
    async ({ caller }) => presentOrganisation(await getOwnOrganisation(database.pointReads(caller.organisationId))),
  )

  app.patch(
    '/',
    {
      config: { access: admin('organisation:update'), version: organisationVersion, refuses: ['conflict'] },
      schema: {
        operationId: 'updateOwnOrganisation',
        summary: 'Update the organisation',
        body: OrganisationChanges,
        response: { 200: OrganisationRecord },
      },
    },
    async ({ caller, body, headers }) => presentOrganisation(await changeOrganisation(settings, caller, body, headers['if-match'])),
  )

  app.post(
    '/logo',
    {
      config: { access: admin('organisation:update') },
      schema: {
        operationId: 'setOrganisationLogo',
        summary: 'Upload a logo for the organisation',
        description:
          'A PNG, JPEG or WebP picture of at most 256 KiB and 2,048 pixels a side. It is served from this service as it is, metadata included, and `branding.logoUrl` becomes its address. A former one is removed.',
        body: NewLogo,
        response: { 200: OrganisationRecord },
      },
    },
    async ({ caller, body }) => {
      const { setLogo } = await logoChanges()
      return presentOrganisation(await setLogo(settings, caller, body.content))
    },
  )

  app.delete(
    '/logo',
    {
      config: { access: admin('organisation:update') },
      schema: {
        operationId: 'deleteOrganisationLogo',
        summary: 'Remove the uploaded logo of the organisation',
        description: '`branding.logoUrl` becomes null if it is the address of that logo.',
        response: { 204: z.null() },
      },
    },
    async ({ caller }, reply) => {
      const { deleteLogo } = await logoChanges()
      await deleteLogo(settings, caller)
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/impact',
    {
      config: { access: admin('organisation:update'), readsOnly: true },
      schema: {
        operationId: 'getOrganisationImpact',
        summary: 'Show the impact of changing settings of the organisation',
        description: 'Takes the same body as the PATCH. Nothing is changed.',
        body: OrganisationChanges,
        response: { 200: OrganisationImpact },
      },
    },
    async ({ caller, body }) => ({
      data: await organisationImpact(database.tenant(caller.organisationId), caller, body, settings),
    }),
  )

  app.delete(
    '/',
    {
      config: { access: admin('organisation:delete'), version: organisationVersion },
      schema: {
        operationId: 'deleteOwnOrganisation',
        summary: 'Delete the organisation',
        description: 'Only its owner can.',
        body: Reason,
        response: { 204: z.null() },
      },
    },
    async ({ caller, headers, body }, reply) => {
      const terms = { caller, ifMatch: headers['if-match'], reason: body.reason }
      await deleteOrganisation(database, caller.actor, caller.organisationId, terms)
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/transfer-ownership',
    {
      config: { access: admin() },
      schema: {
        operationId: 'transferOwnership',
        summary: 'Transfer the ownership',
        description: 'Only the owner can. All accounts at identity providers are unlinked from the new owner, who links them anew.',
        body: NewOwner,
        response: { 200: OrganisationRecord },
      },
    },
    async ({ caller, body }) => presentOrganisation(await transferOwnership(settings, caller, body.userId)),
  )
})
