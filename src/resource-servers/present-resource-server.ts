import { changeOf } from '../activity/change-of.ts'
import { algorithmNames } from '../clients/public-keys.ts'
import { presentTime } from '../platform/http/fields.ts'
import { defineVersion } from '../platform/http/versions.ts'
import type { ResourceServer } from './queries.ts'
import { resourceServerNotFound } from './refusals.ts'
import { metadataAddress } from './rules.ts'
import { type ResourceMetadata, ResourceServerChanges, type ResourceServerRecord } from './schemas.ts'

export const presentResourceServer = (server: ResourceServer): ResourceServerRecord => ({
  id: server.id,
  name: server.name,
  identifier: server.identifier,
  scopes: server.scopes,
  accessTokenLifetime: server.accessTokenLifetime,
  accessTokenSigningAlg: server.accessTokenSigningAlg,
  allowsAutomaticClients: server.allowsAutomaticClients,
  requireDpop: server.requireDpop,
  includeAuthenticationContext: server.includeAuthenticationContext,
  introspectionClientIds: server.introspectionClientIds,
  exchangeClientIds: server.exchangeClientIds,
  claimMappings: server.claimMappings ?? [],
  isActive: server.isActive,
  createdAt: presentTime(server.createdAt),
  updatedAt: presentTime(server.updatedAt),
})

export const resourceServerVersion = defineVersion<ResourceServerRecord>(Object.keys(ResourceServerChanges.shape))

export const resourceServerChange = changeOf({
  notFound: resourceServerNotFound,
  version: resourceServerVersion,
  present: presentResourceServer,
  updated: (server) => ({ action: 'resource_server.updated', resource_server: server }),
  deleted: (server) => ({ action: 'resource_server.deleted', resource_server: server }),
})

/** What the resource server has to publish about itself (RFC 9728 §3.2 and §5.1). */
export function presentMetadata({ identifier, name, scopes, requireDpop }: ResourceServer, issuer: string): ResourceMetadata {
  const url = metadataAddress(identifier)
  return {
    url,
    document: {
      resource: identifier,
      resource_name: name,
      authorization_servers: [issuer],
      scopes_supported: scopes.map((scope) => scope.name),
      bearer_methods_supported: ['header'],
      ...(requireDpop && { dpop_bound_access_tokens_required: true, dpop_signing_alg_values_supported: [...algorithmNames] }),
    },
    wwwAuthenticate: challengeNaming(url, requireDpop),
  }
}

/** The challenge that names this address (RFC 9728 §5.1). A resource server that takes bound tokens alone asks for a proof (RFC 9449 §7.1). */
export const challengeNaming = (url: string, requireDpop: boolean): string =>
  `${requireDpop ? `DPoP algs="${algorithmNames.join(' ')}",` : 'Bearer'} resource_metadata="${url}"`
