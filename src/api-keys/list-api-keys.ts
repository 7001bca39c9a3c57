import type { Tenant } from '../platform/database/database.ts'
import { storedCount } from '../platform/database/stored-counts.ts'
import { defineList } from '../platform/http/record-list.ts'
import { presentKeys, presentNamedKey } from './queries.ts'
import { ApiKeyRecord } from './schemas.ts'

export const apiKeyList = defineList({
  record: ApiKeyRecord,
  present: presentNamedKey,
  rows: presentKeys,
  storedCount: (tenant: Tenant) => storedCount(tenant, 'api_keys'),
  idColumn: 'apiKeys.id',
  sorts: { createdAt: 'apiKeys.id', name: 'apiKeys.nameKey' },
  defaultSort: 'createdAt',
  search: ['apiKeys.nameKey'],
  searched: 'name',
})
