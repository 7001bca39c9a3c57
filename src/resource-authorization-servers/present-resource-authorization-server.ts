import { changeOf } from '../activity/change-of.ts'
import { presentTime } from '../platform/http/fields.ts'
import { defineVersion } from '../platform/http/versions.ts'
import type { ResourceAuthorizationServer } from './queries.ts'
import { resourceAuthorizationServerNotFound } from './refusals.ts'
import { ResourceAuthorizationServerChanges, type ResourceAuthorizationServerRecord } from './schemas.ts'

export const resourceAuthorizationServerVersion = defineVersion<ResourceAuthorizationServerRecord>(
  Object.keys(ResourceAuthorizationServerChanges.shape),
)

export const presentResourceAuthorizationServer = (server: ResourceAuthorizationServer): ResourceAuthorizationServerRecord => ({
  id: server.id,
  name: server.name,
  issuer: server.issuer,
  audienceClientId: server.audienceClientId,
  resources: server.resources,
  grants: server.grants,
  requiredAcr: server.requiredAcr,
  lifetimeSeconds: server.lifetimeSeconds,
  includesEmail: server.includesEmail,
  isActive: server.isActive,
  createdAt: presentTime(server.createdAt),
  updatedAt: presentTime(server.updatedAt),
})

export const resourceAuthorizationServerChange = changeOf({
  notFound: resourceAuthorizationServerNotFound,
  version: resourceAuthorizationServerVersion,
  present: presentResourceAuthorizationServer,
  updated: (resource_authorization_server) => ({ action: 'resource_authorization_server.updated', resource_authorization_server }),
  deleted: (resource_authorization_server) => ({ action: 'resource_authorization_server.deleted', resource_authorization_server }),
})
