import { changeResourceServer, deleteResourceServer } from '../../resource-servers/change-resource-server.ts'
import { createResourceServer } from '../../resource-servers/create-resource-server.ts'
import { listResourceServers } from '../../resource-servers/queries.ts'
import { NewResourceServer, ResourceServerChanges } from '../../resource-servers/schemas.ts'
import type { Kind } from '../kind.ts'

/** The clients that introspect and exchange tokens are left out: a document creates clients after the resource servers that they name. */
export const resourceServerKind: Kind = {
  name: 'resource_server',
  permissions: {
    read: 'resource_servers:read',
    create: 'resource_servers:create',
    update: 'resource_servers:update',
    delete: 'resource_servers:delete',
  },
  async list(tenant) {
    const servers = await listResourceServers(tenant)
    return servers.map((server) => ({
      id: server.id,
      name: server.name,
      fields: {
        name: server.name,
        identifier: server.identifier,
        scopes: server.scopes,
        accessTokenLifetime: server.accessTokenLifetime,
        accessTokenSigningAlg: server.accessTokenSigningAlg,
        allowsAutomaticClients: server.allowsAutomaticClients,
        requireDpop: server.requireDpop,
        includeAuthenticationContext: server.includeAuthenticationContext,
        claimMappings: server.claimMappings ?? [],
        isActive: server.isActive,
      },
    }))
  },
  create: ({ dependencies, caller }, _, fields) => createResourceServer(dependencies, caller, NewResourceServer.parse(fields)),
  update: ({ dependencies, caller }, id, { identifier: _, ...fields }) =>
    changeResourceServer(dependencies, caller, id, ResourceServerChanges.parse(fields), undefined),
  remove: ({ dependencies: { database }, caller }, id) => deleteResourceServer(database, caller, id, undefined, undefined),
  effects: async (_, __, { action }, fields) => (action === 'delete' || fields.isActive === false ? ['ends its access tokens'] : []),
}
