import { createClient } from '../../clients/create-client.ts'
import { countImpact } from '../../clients/impact.ts'
import { activeClients, type ClientSettings, clientSettings } from '../../clients/queries.ts'
import { resourceServerNotFound } from '../../clients/refusals.ts'
import { clientSchemas } from '../../clients/schemas.ts'
import { changeClient, deleteClient } from '../../clients/update-client.ts'
import { invalidInput, unknownName } from '../../platform/http/problem.ts'
import { counted } from '../../platform/text.ts'
import type { Kind, Step } from '../kind.ts'
import type { Fields } from '../plan.ts'

export const clientKind: Kind = {
  name: 'client',
  refersTo: ['resourceServers'],
  permissions: { read: 'clients:read', create: 'clients:create', update: 'clients:update', delete: 'clients:delete' },
  async list(tenant, { resourceServers }) {
    const keys = new Map([...(resourceServers ?? [])].map(([key, { id }]) => [id, key]))
    // What introduces itself is no matter of a document.
    const clients = await activeClients(tenant).where('clients.origin', '=', 'admin').orderBy('clients.id').execute()
    return clients.map((client) => ({
      id: client.id,
      name: client.name,
      fields: {
        clientType: client.clientType,
        ...pick(client, settingsOfDocuments),
        claimMappings: client.claimMappings ?? [],
        federatedCredentials: client.federatedCredentials ?? [],
        resourceServers: client.resourceServerIds?.map((id) => keys.get(id) ?? id) ?? null,
      },
    }))
  },
  async create(step, _, fields) {
    const { dependencies, caller } = step
    const input = clientSchemas(dependencies.grants).NewClient.parse(asSent(step, fields))
    const { client, secret } = await createClient(dependencies, caller, input)
    return { id: client.id, secret }
  },
  update(step, id, { clientType: _, ...fields }) {
    const { dependencies, caller } = step
    const changes = clientSchemas(dependencies.grants).ClientChanges.parse(asSent(step, fields))
    return changeClient(dependencies, caller, id, changes, undefined)
  },
  remove: ({ dependencies: { database }, caller }, id) => deleteClient(database, caller, id, undefined, undefined),
  async effects({ tenant }, id, { action }) {
    if (action !== 'delete') return []
    const { users, refreshTokens, consents } = await countImpact(tenant, id)
    return [
      ...(refreshTokens > 0 ? [`ends ${counted(refreshTokens, 'refresh token')} of ${counted(users, 'user')}`] : []),
      ...(consents > 0 ? [`ends ${counted(consents, 'consent')}`] : []),
    ]
  },
}

const settingsOfDocuments = clientSettings.filter((name) => name !== 'resourceServerIds')

/** The same fields under the names of the operations, with ids in place of keys. */
function asSent({ idOf }: Step, { resourceServers, ...fields }: Fields): Fields {
  if (resourceServers === undefined || resourceServers === null)
    return { ...fields, ...(resourceServers === null && { resourceServerIds: null }) }
  const named = (resourceServers as string[]).map((key) => idOf('resourceServers', key))
  const unknown = named.flatMap((id, index) => (id === undefined ? [unknownName(['resourceServers', index], resourceServerNotFound)] : []))
  if (unknown.length > 0) throw invalidInput(unknown)
  return { ...fields, resourceServerIds: named }
}

const pick = (client: ClientSettings, names: readonly (keyof ClientSettings)[]) =>
  Object.fromEntries(names.map((name) => [name, client[name]]))
