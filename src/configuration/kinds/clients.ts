import { createClient } from '../../clients/create-client.ts'
import { countImpact } from '../../clients/impact.ts'
import { activeClients, type ClientSettings, clientSettings } from '../../clients/queries.ts'
import { clientSchemas } from '../../clients/schemas.ts'
import { changeClient, deleteClient } from '../../clients/update-client.ts'
import { counted } from '../../platform/text.ts'
import type { Kind } from '../kind.ts'

export const clientKind: Kind = {
  permissions: { read: 'clients:read', create: 'clients:create', update: 'clients:update', delete: 'clients:delete' },
  async list(tenant) {
    const clients = await activeClients(tenant).orderBy('clients.id').execute()
    return clients.map((client) => ({
      id: client.id,
      name: client.name,
      fields: { clientType: client.clientType, ...pick(client, clientSettings) },
    }))
  },
  async create({ dependencies, caller }, _, fields) {
    const { client, secret } = await createClient(dependencies, caller, clientSchemas(dependencies.grants).NewClient.parse(fields))
    return { id: client.id, secret }
  },
  update: ({ dependencies, caller }, id, { clientType: _, ...fields }) =>
    changeClient(dependencies, caller, id, clientSchemas(dependencies.grants).ClientChanges.parse(fields), undefined),
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

const pick = (client: ClientSettings, names: readonly (keyof ClientSettings)[]) =>
  Object.fromEntries(names.map((name) => [name, client[name]]))
