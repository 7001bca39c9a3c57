import { clientNotFound } from '../../clients/refusals.ts'
import type { AssertionGrant } from '../../platform/database/column-types.ts'
import { type FieldError, invalidInput, unknownName } from '../../platform/http/problem.ts'
import {
  changeResourceAuthorizationServer,
  createResourceAuthorizationServer,
  deleteResourceAuthorizationServer,
} from '../../resource-authorization-servers/change-resource-authorization-server.ts'
import { listResourceAuthorizationServers } from '../../resource-authorization-servers/queries.ts'
import { NewResourceAuthorizationServer, ResourceAuthorizationServerChanges } from '../../resource-authorization-servers/schemas.ts'
import { clientIdOf } from '../keys.ts'
import type { Kind, Step } from '../kind.ts'
import type { CurrentObject, Fields } from '../plan.ts'

export const resourceAuthorizationServerKind: Kind = {
  name: 'resource_authorization_server',
  refersTo: ['clients', 'roles', 'teams'],
  permissions: {
    read: 'resource_servers:read',
    create: 'resource_servers:create',
    update: 'resource_servers:update',
    delete: 'resource_servers:delete',
  },
  async list(tenant, { clients, roles, teams }) {
    const servers = await listResourceAuthorizationServers(tenant)
    const [keys, roleSlugs, teamSlugs] = [keysById(clients), keysById(roles), keysById(teams)]
    const named = ({ clientId, roleIds, teamIds, ...grant }: AssertionGrant) => ({
      ...grant,
      client: keys.get(clientId) ?? clientId,
      roles: roleIds.map((id) => roleSlugs.get(id) ?? id),
      teams: teamIds.map((id) => teamSlugs.get(id) ?? id),
    })
    return servers.map((server) => ({
      id: server.id,
      name: server.name,
      fields: {
        name: server.name,
        issuer: server.issuer,
        audienceClient: keys.get(server.audienceClientId) ?? server.audienceClientId,
        resources: server.resources,
        grants: server.grants.map(named),
        requiredAcr: server.requiredAcr,
        lifetimeSeconds: server.lifetimeSeconds,
        includesEmail: server.includesEmail,
        isActive: server.isActive,
      },
    }))
  },
  create: (step, _, fields) =>
    createResourceAuthorizationServer(step.dependencies, step.caller, NewResourceAuthorizationServer.parse(asSent(step, fields))),
  update: (step, id, { issuer: _, ...fields }) =>
    changeResourceAuthorizationServer(
      step.dependencies,
      step.caller,
      id,
      ResourceAuthorizationServerChanges.parse(asSent(step, fields)),
      undefined,
    ),
  remove: ({ dependencies: { database }, caller }, id) => deleteResourceAuthorizationServer(database, caller, id, undefined, undefined),
  effects: async (_, __, { action }, fields) =>
    action === 'delete' || fields.isActive === false ? ['ends what applications may do for users there'] : [],
}

/** The same fields under the names of the operations, with ids of clients in place of keys. Roles and teams are named by their slugs. */
function asSent({ idOf }: Step, { audienceClient, grants, ...fields }: Fields): Fields {
  const unknown: FieldError[] = []
  const clientOf = (key: unknown, ...path: (string | number)[]) => {
    const id = clientIdOf(idOf, key)
    if (id === undefined) unknown.push(unknownName(path, clientNotFound))
    return id ?? key
  }
  const sent = {
    ...fields,
    ...(audienceClient !== undefined && { audienceClientId: clientOf(audienceClient, 'audienceClient') }),
    ...(grants !== undefined && {
      grants: (grants as Record<string, unknown>[]).map(({ client, roles, teams, ...grant }, index) => ({
        ...grant,
        clientId: clientOf(client, 'grants', index, 'client'),
        roleIds: roles,
        teamIds: teams,
      })),
    }),
  }
  if (unknown.length > 0) throw invalidInput(unknown)
  return sent
}

const keysById = (objects: ReadonlyMap<string, CurrentObject> = new Map()) => new Map([...objects].map(([key, { id }]) => [id, key]))
