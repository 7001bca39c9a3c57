import { resourceServerNotFound } from '../../clients/refusals.ts'
import { changeConnection, deleteConnection } from '../../connections/change-connection.ts'
import { createConnection } from '../../connections/create-connection.ts'
import { listConnections } from '../../connections/queries.ts'
import { ConnectionChanges, NewConnection } from '../../connections/schemas.ts'
import { countIdentities } from '../../identities/queries.ts'
import type { IdentityAssertions } from '../../platform/database/column-types.ts'
import { invalidInput, unknownName } from '../../platform/http/problem.ts'
import type { Kind, Step } from '../kind.ts'
import { type CurrentObject, type Fields, storedSecret } from '../plan.ts'

interface Mapping {
  claim: string
  value: string
}

/** The same fields under the names of the operations, which accept slugs as ids; resource servers are named by their keys. */
function asSent(step: Step, { roleMappings, teamMappings, identityAssertions, ...fields }: Fields): Fields {
  const named = <Name extends string>(mappings: unknown, name: Name, id: string) =>
    (mappings as (Mapping & Record<Name, string>)[]).map(({ [name]: slug, ...mapping }) => ({ ...mapping, [id]: slug }))
  return {
    ...fields,
    ...(identityAssertions !== undefined && {
      identityAssertions: sentAssertions(step, identityAssertions as DocumentedAssertions | null),
    }),
    ...(roleMappings !== undefined && { roleMappings: named(roleMappings, 'role', 'roleId') }),
    ...(teamMappings !== undefined && { teamMappings: named(teamMappings, 'team', 'teamId') }),
  }
}

export const connectionKind: Kind = {
  name: 'connection',
  keyField: 'slug',
  refersTo: ['roles', 'teams', 'resourceServers'],
  permissions: { read: 'connections:read', create: 'connections:create', update: 'connections:update', delete: 'connections:delete' },
  async list(tenant, { roles, teams, resourceServers }, { keyring }) {
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
        roleMappings: connection.roleMappings.flatMap(({ roleId, ...rest }) => withSlug('role', roleSlugs.get(roleId), rest)),
        teamMappings: connection.teamMappings.flatMap(({ teamId, ...rest }) => withSlug('team', teamSlugs.get(teamId), rest)),
        syncOn: connection.syncOn,
        trustsMfa: connection.trustsMfa,
        mfaContexts: connection.mfaContexts,
        upstreamLogout: connection.upstreamLogout,
        idpInitiated: connection.idpInitiated,
        sessionMaxAgeSeconds: connection.sessionMaxAgeSeconds,
        identityAssertions: namedAssertions(connection.identityAssertions, slugsOf(resourceServers)),
      },
      holds: (secret: string) => secretEncrypted !== null && keyring.decrypt(secretEncrypted, id) === secret,
    }))
  },
  create: (step, slug, fields) => createConnection(step.dependencies, step.caller, NewConnection.parse({ ...asSent(step, fields), slug })),
  update: (step, id, fields) =>
    changeConnection(step.dependencies, step.caller, id, ConnectionChanges.parse(asSent(step, fields)), undefined),
  remove: ({ dependencies, caller }, id) => deleteConnection(dependencies, caller, id, undefined, undefined),
  async effects({ tenant }, id, { action }, fields) {
    const ends = action === 'delete'
    if (!ends && fields.isActive !== false) return []
    const identities = await countIdentities(tenant, id)
    return identities > 0 ? [`${ends ? 'unlinks' : 'stops sign-ins by'} ${identities} accounts at the provider`] : []
  },
}

/** A mapping to a role or team by its slug; none where it is gone, since it gives nothing. */
const withSlug = (name: 'role' | 'team', slug: string | undefined, mapping: Mapping) =>
  slug === undefined ? [] : [{ ...mapping, [name]: slug }]

interface DocumentedAssertions extends Omit<IdentityAssertions, 'resourceServerIds'> {
  resourceServers: string[]
}

/** The settings with keys in place of the ids of resource servers, without those that are gone: they accept nothing. */
function namedAssertions(stored: IdentityAssertions | null, keys: ReadonlyMap<string, string>): DocumentedAssertions | null {
  if (stored === null) return null
  const { resourceServerIds, ...settings } = stored
  return { ...settings, resourceServers: resourceServerIds.flatMap((id) => keys.get(id) ?? []) }
}

function sentAssertions({ idOf }: Step, documented: DocumentedAssertions | null) {
  if (documented === null) return null
  const { resourceServers = [], ...settings } = documented
  const resourceServerIds = resourceServers.map((key) => idOf('resourceServers', key))
  const unknown = resourceServerIds.flatMap((id, index) =>
    id === undefined ? [unknownName(['identityAssertions', 'resourceServers', index], resourceServerNotFound)] : [],
  )
  if (unknown.length > 0) throw invalidInput(unknown)
  return { ...settings, resourceServerIds }
}

const slugsOf = (objects: ReadonlyMap<string, CurrentObject> = new Map()) => new Map([...objects].map(([slug, { id }]) => [id, slug]))
