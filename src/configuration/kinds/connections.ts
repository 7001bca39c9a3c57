import { changeConnection, deleteConnection } from '../../connections/change-connection.ts'
import { createConnection } from '../../connections/create-connection.ts'
import { listConnections } from '../../connections/queries.ts'
import { ConnectionChanges, NewConnection } from '../../connections/schemas.ts'
import { countIdentities } from '../../identities/queries.ts'
import type { Kind } from '../kind.ts'
import { type CurrentObject, type Fields, storedSecret } from '../plan.ts'

interface Mapping {
  claim: string
  value: string
}

/** The same fields under the names of the operations, which accept slugs as ids. */
function asSent({ roleMappings, teamMappings, ...fields }: Fields): Fields {
  const named = <Name extends string>(mappings: unknown, name: Name, id: string) =>
    (mappings as (Mapping & Record<Name, string>)[]).map(({ [name]: slug, ...mapping }) => ({ ...mapping, [id]: slug }))
  return {
    ...fields,
    ...(roleMappings !== undefined && { roleMappings: named(roleMappings, 'role', 'roleId') }),
    ...(teamMappings !== undefined && { teamMappings: named(teamMappings, 'team', 'teamId') }),
  }
}

export const connectionKind: Kind = {
  permissions: { read: 'connections:read', create: 'connections:create', update: 'connections:update', delete: 'connections:delete' },
  async list(tenant, { roles, teams }, { keyring }) {
    const connections = await listConnections(tenant)
    const [roleSlugs, teamSlugs] = [slugsOf(roles), slugsOf(teams)]
    return connections.map(({ id, slug, name, provider, isActive, configuration, mapping, secretEncrypted, ...connection }) => ({
      id,
      key: slug,
      name,
      fields: {
        ...{ name, provider, isActive, configuration, mapping },
        secret: secretEncrypted === null ? null : storedSecret,
        linking: connection.linking,
        provisioning: connection.provisioning,
        roleMappings: connection.roleMappings.map(({ roleId, ...rest }) => ({ ...rest, role: roleSlugs.get(roleId) ?? roleId })),
        teamMappings: connection.teamMappings.map(({ teamId, ...rest }) => ({ ...rest, team: teamSlugs.get(teamId) ?? teamId })),
        syncOn: connection.syncOn,
        trustsMfa: connection.trustsMfa,
        mfaContexts: connection.mfaContexts,
        upstreamLogout: connection.upstreamLogout,
        sessionMaxAgeSeconds: connection.sessionMaxAgeSeconds,
      },
      holds: (secret: string) => secretEncrypted !== null && keyring.decrypt(secretEncrypted, id) === secret,
    }))
  },
  create: ({ dependencies, caller }, slug, fields) =>
    createConnection(dependencies, caller, NewConnection.parse({ ...asSent(fields), slug })),
  update: ({ dependencies, caller }, id, fields) =>
    changeConnection(dependencies, caller, id, ConnectionChanges.parse(asSent(fields)), undefined),
  remove: ({ dependencies, caller }, id) => deleteConnection(dependencies, caller, id, undefined, undefined),
  async effects({ tenant }, id, { action }, fields) {
    const ends = action === 'delete'
    if (!ends && fields.isActive !== false) return []
    const identities = await countIdentities(tenant, id)
    return identities > 0 ? [`${ends ? 'unlinks' : 'stops sign-ins by'} ${identities} accounts at the provider`] : []
  },
}

const slugsOf = (objects: ReadonlyMap<string, CurrentObject> = new Map()) => new Map([...objects].map(([slug, { id }]) => [id, slug]))
