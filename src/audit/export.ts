import type { Tenant } from '../platform/database/database.ts'
import { defineExport } from '../platform/http/record-export.ts'
import type { RecordSource } from '../platform/http/slices.ts'
import { findHolders, listAuditEntries, presentAuditEntry, type StoredEntry } from './queries.ts'
import { AuditEntry, type AuditFilters } from './schemas.ts'

const jsonOf = (value: object | null): string => (value === null ? '' : JSON.stringify(value))

export const auditExport = defineExport({
  name: 'audit-logs',
  record: AuditEntry,
  present: presentAuditEntry,
  columns: [
    'id',
    'createdAt',
    'action',
    'actorType',
    'actorId',
    'targetType',
    'targetId',
    'ipAddress',
    'userAgent',
    'changes',
    'metadata',
    'actorName',
    'actorEmail',
    'targetName',
    'targetEmail',
    'requestId',
    'signInId',
  ],
  csvFields: (entry) => ({ ...entry, changes: jsonOf(entry.changes), metadata: jsonOf(entry.metadata) }),
  columnsNote: 'changes and metadata are JSON',
})

/** The entries that match the filters, newest first. */
export const entriesOf = (tenant: Tenant, filters: AuditFilters): RecordSource<StoredEntry> => {
  let holders: Promise<string[]> | undefined
  return {
    async page(limit, before) {
      holders ??= findHolders(tenant, filters)
      return listAuditEntries(tenant, filters, limit, before, await holders)
    },
    key: ({ id }) => id,
  }
}
