import { defineList } from '../platform/http/record-list.ts'
import { presentClient } from './present-client.ts'
import { presentClients } from './queries.ts'
import { ClientRecord } from './schemas.ts'

export const clientList = defineList({
  record: ClientRecord,
  present: presentClient,
  rows: presentClients,
  idColumn: 'clients.id',
  sorts: { createdAt: 'clients.id', name: 'clients.nameKey' },
  defaultSort: 'createdAt',
  search: ['clients.nameKey'],
  searched: 'name',
})
