import { resourceServerNotFound } from '../../clients/refusals.ts'
import { changePrepared, deleteConnection, prepareChange } from '../../connections/change-connection.ts'
import { createPrepared, prepareConnection } from '../../connections/create-connection.ts'
import { listConnections } from '../../connections/queries.ts'
import { givenByMetadata } from '../../connections/read-provider-metadata.ts'
import { ConnectionChanges, type ConnectionConfiguration, NewConnection } from '../../connections/schemas.ts'
import { countIdentities } from '../../identities/queries.ts'
import type { IdentityAssertions } from '../../platform/database/column-types.ts'
import { invalidInput, unknownName } from '../../platform/http/problem.ts'
import type { Kind, Step } from '../kind.ts'
import { type Current, type CurrentObject, type Desired, type Fields, storedSecret } from '../plan.ts'
import { configurationChanged } from '../refusals.ts'

interface Mapping {
  claim: string
  value: string
}

/** The same fields under the names of the operations, which accept slugs as ids; resource servers are named by their keys. */
function asSent(step: Pick<Step, 'idOf'>, { roleMappings, teamMappings, identityAssertions, ...fields }: Fields): Fields {
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
        ...{ name, provider, isActive, configuration: configuration.metadataUrl ? ownMembers(configuration) : configuration, mapping },
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
  async prepare(dependencies, caller, { id, key }, { identityAssertions: _, ...fields }) {
    // The resource servers of assertions may be created by the same document. Nothing is prepared of them.
    const sent = asSent({ idOf: () => undefined }, fields)
    if (id === undefined) return prepareConnection(dependencies, caller, NewConnection.parse({ ...sent, slug: key }))
    const { configuration } = ConnectionChanges.parse(sent)
    return configuration && prepareChange(dependencies, caller, id, configuration)
  },
  async create(step, slug, fields) {
    if (!step.prepared) throw configurationChanged()
    return createPrepared(step.dependencies, step.caller, NewConnection.parse({ ...asSent(step, fields), slug }), step.prepared)
  },
  async update({ dependencies, caller, prepared, ...step }, id, fields) {
    if (fields.configuration !== undefined && !prepared) throw configurationChanged()
    return changePrepared(dependencies, caller, id, ConnectionChanges.parse(asSent(step, fields)), prepared)
  },
  remove: ({ dependencies, caller }, id) => deleteConnection(dependencies, caller, id, undefined, undefined),
  async effects({ tenant }, id, { action }, fields) {
    const ends = action === 'delete'
    if (!ends && fields.isActive !== false) return []
    const identities = await countIdentities(tenant, id)
    return identities > 0 ? [`${ends ? 'unlinks' : 'stops sign-ins by'} ${identities} accounts at the provider`] : []
  },
}

const ofMetadata = new Set<string>(givenByMetadata)

/** A configuration without what the metadata give at the address that it names: they are read again, and then the document would differ. */
const ownMembers = (configuration: Fields): Fields =>
  Object.fromEntries(Object.entries(configuration).filter(([member]) => !ofMetadata.has(member)))

/** The desired state without what metadata give, where they are at an address: that of the document, or the stored one, which it does not name. */
export function withoutMetadata(desired: Desired, { connections }: Current): Desired {
  if (!desired.connections) return desired
  const own = Object.entries(desired.connections).map(([key, { configuration, ...fields }]) => {
    if (configuration === undefined) return [key, fields]
    const sent = configuration as ConnectionConfiguration
    const stored = connections.get(key)?.fields.configuration as ConnectionConfiguration | undefined
    const { metadataUrl = stored?.metadataUrl } = sent
    return [key, { ...fields, configuration: metadataUrl ? ownMembers(sent) : sent }]
  })
  return { ...desired, connections: Object.fromEntries(own) }
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

function sentAssertions({ idOf }: Pick<Step, 'idOf'>, documented: DocumentedAssertions | null) {
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
