/** /v1/admin/configuration */
import { admin } from '../access/declarations.ts'
import { defineRoutes } from '../platform/http/define-routes.ts'
import type { ConfigurationDependencies } from './kind.ts'
import {
  AppliedConfiguration,
  AskedConfiguration,
  ConfigurationDrift,
  ConfigurationPlan,
  ConfigurationToApply,
  ExportedConfiguration,
} from './route-schemas.ts'

const readEverything = admin(
  'organisation:read',
  'roles:read',
  'teams:read',
  'clients:read',
  'connections:read',
  'webhooks:read',
  'api_keys:read',
)
const ofEach = 'Needs the permission to read each section of the document'

export const configurationRoutes = defineRoutes('/v1/admin/configuration', async (app, dependencies: ConfigurationDependencies) => {
  app.get(
    '/',
    {
      config: { access: readEverything },
      schema: {
        operationId: 'exportConfiguration',
        summary: 'Get the configuration as a document',
        description:
          'Without secrets. Planned against the organisation, it changes nothing. Keys of clients, directories and webhooks are stored if the caller may change these, so that they stay when a name changes. Directories are in it with the permission `directories:read`, resource servers and the authorization servers of others with `resource_servers:read`.',
        response: { 200: ExportedConfiguration },
      },
    },
    async ({ caller }) => (await import('./requests.ts')).exportedDocument(dependencies, caller),
  )

  app.post(
    '/diff',
    {
      config: { access: admin(), readsOnly: true },
      schema: {
        operationId: 'compareConfiguration',
        summary: 'Compare the organisation with a document',
        description: `${ofEach}. Nothing is changed.`,
        body: AskedConfiguration,
        response: { 200: ConfigurationDrift },
      },
    },
    async ({ caller, body }) => (await import('./requests.ts')).driftOf(dependencies, caller, body),
  )

  app.post(
    '/plan',
    {
      config: { access: admin(), readsOnly: true, refuses: ['conflict', 'too-many-requests'] },
      schema: {
        operationId: 'planConfiguration',
        summary: 'Plan what applying a document to the organisation would change',
        description: `${ofEach}, and the permission for each change: each is made and rolled back, and refused as \`apply\` would refuse it. Nothing is changed.`,
        body: AskedConfiguration,
        response: { 200: ConfigurationPlan },
      },
    },
    async ({ caller, body }) => (await import('./requests.ts')).planned(dependencies, caller, body),
  )

  app.post(
    '/apply',
    {
      config: { access: admin(), refuses: ['conflict', 'too-many-requests'] },
      schema: {
        operationId: 'applyConfiguration',
        summary: 'Apply a document to the organisation',
        description: `In one transaction. ${ofEach}, and the permission for each change.`,
        body: ConfigurationToApply,
        response: { 200: AppliedConfiguration },
      },
    },
    async ({ caller, body }) => (await import('./requests.ts')).carriedOut(dependencies, caller, body),
  )
})
