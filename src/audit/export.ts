import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { stringify } from 'csv-stringify/sync'
import { z } from 'zod'
import type { Tenant } from '../platform/database/database.ts'
import { serializerOf } from '../platform/http/validation.ts'
import { listAuditEntries, presentAuditEntry } from './queries.ts'
import { AuditEntry, type AuditFilters } from './schemas.ts'

/** How many entries are read and written at a time, so that memory use does not grow with the audit log. */
const sliceSize = 500

const columns = [
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
] as const satisfies (keyof AuditEntry)[]

interface ExportFormat {
  mediaType: string
  /** Describes a line in the API documentation. */
  line: z.ZodType
  opening: string
  write(entries: AuditEntry[]): string
}

const serialize = serializerOf(AuditEntry)

export const exportFormats: Record<'ndjson' | 'csv', ExportFormat> = {
  ndjson: {
    mediaType: 'application/x-ndjson',
    line: AuditEntry,
    opening: '',
    write: (entries) => entries.map((entry) => `${serialize(entry)}\n`).join(''),
  },
  csv: {
    mediaType: 'text/csv',
    line: z.string().meta({ description: `The columns ${columns.join(', ')}; changes and metadata are JSON` }),
    opening: `${columns.join(',')}\n`,
    write: (entries) => stringify(entries.map(csvFields), csvOptions),
  },
}

/** The entries that match the filters, newest first, read while they are sent. */
export function exportOf(tenant: Tenant, format: keyof typeof exportFormats, filters: AuditFilters): Readable {
  return Readable.from(slices(tenant, exportFormats[format], filters))
}

async function* slices(tenant: Tenant, { opening, write }: ExportFormat, filters: AuditFilters): AsyncGenerator<string> {
  if (opening !== '') yield opening
  let before: string | undefined
  for (;;) {
    const entries = await listAuditEntries(tenant, filters, sliceSize, before)
    if (entries.length > 0) yield write(entries.map(presentAuditEntry))
    before = entries.at(-1)?.id
    if (entries.length < sliceSize) return
    // Lets requests that arrived meanwhile run first.
    await setImmediate()
  }
}

// A spreadsheet would run a user agent that begins with `=` as a formula.
const csvOptions = { columns: [...columns], escape_formulas: true }

const csvFields = (entry: AuditEntry) => ({ ...entry, changes: jsonOf(entry.changes), metadata: jsonOf(entry.metadata) })

const jsonOf = (value: object | null): string => (value === null ? '' : JSON.stringify(value))
