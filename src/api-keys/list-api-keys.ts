import { storedCount } from '../platform/database/stored-counts.ts'
import { defineList } from '../platform/http/record-list.ts'
import { presentApiKey, presentKeys } from './queries.ts'
import { ApiKeyRecord } from './schemas.ts'

export const apiKeyList = defineList({
  record: ApiKeyRecord,
  present: presentApiKey,
  rows: presentKeys,
  storedCount: (tenant) => storedCount(tenant, 'api_keys'),
  idColumn: 'apiKeys.id',
  sorts: { createdAt: 'apiKeys.id', name: 'apiKeys.nameKey' },
  defaultSort: 'createdAt',
  search: ['apiKeys.nameKey'],
  searched: 'name',
})
