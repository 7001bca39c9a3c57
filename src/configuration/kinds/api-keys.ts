import { deleteApiKey } from '../../api-keys/create-api-key.ts'
import { presentKeys } from '../../api-keys/queries.ts'
import { apiKeyNotFound } from '../../api-keys/refusals.ts'
import type { Kind } from '../kind.ts'

/** API keys by their names alone. A document cannot create one: the key is shown only once, and would be lost. */
export const apiKeyKind: Kind = {
  name: 'api_key',
  keyField: 'name',
  permissions: { read: 'api_keys:read', create: 'api_keys:create', update: 'api_keys:create', delete: 'api_keys:delete' },
  async list(tenant) {
    const keys = await presentKeys(tenant).orderBy('apiKeys.id').execute()
    // Several keys may have one name: they stay, or end, together.
    return [...new Set(keys.map(({ name }) => name))].map((name) => ({ id: name, key: name, name, fields: {} }))
  },
  async create() {
    throw apiKeyNotFound()
  },
  async update() {},
  async remove({ dependencies: { database }, caller, tenant }, name) {
    const keys = await presentKeys(tenant).where('apiKeys.name', '=', name).execute()
    for (const { id } of keys) await deleteApiKey(database, caller, id, undefined, undefined)
  },
}
