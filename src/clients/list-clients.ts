import { sql } from 'kysely'
import type { Tenant } from '../platform/database/database.ts'
import { storedCount } from '../platform/database/stored-counts.ts'
import { defineList } from '../platform/http/record-list.ts'
import { presentClientRecord } from './present-client.ts'
import { activeClients } from './queries.ts'
import { ClientFilters, type clientSchemas } from './schemas.ts'

export const clientList = ({ ClientRecord }: ReturnType<typeof clientSchemas>) =>
  defineList({
    record: ClientRecord,
    present: presentClientRecord,
    rows: activeClients,
    storedCount: (tenant: Tenant) => storedCount(tenant, 'clients'),
    idColumn: 'clients.id',
    sorts: { createdAt: 'clients.id', name: 'clients.nameKey' },
    defaultSort: 'createdAt',
    search: ['clients.nameKey'],
    searched: 'name',
    filters: {
      fields: ClientFilters.shape,
      conditions: ({ origin, resourceServerId, scope }) => [
        ...(origin === undefined ? [] : [sql<boolean>`${sql.ref('clients.origin')} = ${origin}`]),
        ...(resourceServerId ? [sql<boolean>`${resourceServerId} = any(${sql.ref('clients.resourceServerIds')})`] : []),
        ...(scope ? [sql<boolean>`${scope} = any(${sql.ref('clients.scopes')})`] : []),
      ],
    },
  })
