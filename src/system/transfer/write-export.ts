import { createHash, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Keyring } from '../../platform/crypto/keyring.ts'
import type { Database, System } from '../../platform/database/database.ts'
import { schemaState } from '../../platform/database/migrate.ts'
import type { SigningKeys } from '../../tokens/signing-keys.ts'
import { pagesOf, type Row } from '../tenant-rows.ts'
import {
  type Batch,
  type End,
  type FileRow,
  formatName,
  formatVersion,
  type Header,
  isEncrypted,
  type Secrets,
  secretName,
} from './format.ts'
import type { Recipient } from './recipient.ts'
import { signExport } from './signature.ts'
import { conditions, describeTables, type ExportedTable, keyOf, leftOut, neverExported, secretTables } from './tables.ts'

const rowsOfPage = 500
// What the import takes is sixteen times as much.
const lineBytes = 4 * 1_024 * 1_024

export interface ExportSource {
  database: Database
  keyring: Keyring
  publicUrl: string
  issuer: string
  signingKeys: Pick<SigningKeys, 'signer'>
  release: string
}

export interface ExportOptions {
  /** The recipient for whom secrets are encrypted; without one, the export contains no secrets. */
  recipient?: Recipient | undefined
  /** Called for each line, in order, and from the first one again when the transaction is retried. */
  write: (line: string, number: number) => Promise<void>
  /** Called with the number of written rows. */
  onProgress?: ((rows: number) => void) | undefined
}

export interface WrittenExport {
  export: string
  rows: Record<string, number>
}

/** Writes all transferable data of an organisation as of one moment. Memory use does not grow with it. */
export async function writeExport(source: ExportSource, organisationId: string, options: ExportOptions): Promise<WrittenExport> {
  const { database, release, publicUrl, issuer, signingKeys } = source
  return database.systemTransaction(async (system) => {
    // The transaction sees the state as of its next statement, whatever the service writes meanwhile.
    await sql`set transaction isolation level repeatable read, read only`.execute(system)
    const { id, slug, name } = await system
      .selectFrom('organisations')
      .select(['id', 'slug', 'name'])
      .where('id', '=', organisationId)
      .executeTakeFirstOrThrow()
    const header: Header = {
      format: formatName,
      version: formatVersion,
      export: randomUUID(),
      exportedAt: system.now.toISOString(),
      release,
      migration: (await schemaState(system)).applied.at(-1) ?? '',
      publicUrl,
      organisation: { id, slug, name },
      recipient: options.recipient?.thumbprint ?? null,
      permissions: await permissionsOf(system, organisationId),
      leftOut: options.recipient ? leftOut : { ...leftOut, ...secretTables },
    }

    const hash = createHash('sha256')
    const rows: Record<string, number> = {}
    let [lines, total] = [0, 0]
    const write = async (document: Header | Batch | End) => {
      const line = `${JSON.stringify(document)}\n`
      hash.update(line)
      await options.write(line, ++lines)
    }
    await write(header)
    for (const table of await describeTables(system)) {
      if (!options.recipient && table.name in secretTables) continue
      for await (const part of rowsOf(system, organisationId, table)) {
        await write(await batchOf(source, table, part, { header, line: lines + 1, recipient: options.recipient }))
        rows[table.name] = (rows[table.name] ?? 0) + part.length
        total += part.length
        options.onProgress?.(total)
      }
    }
    const sha256 = hash.copy().digest('hex')
    const jws = await signExport(signingKeys, { iss: issuer, export: header.export, organisation: id, lines, sha256 })
    await write({ end: { lines, rows, sha256, jws } })
    return { export: header.export, rows }
  })
}

/** The rows of a table, as many at a time as make a line. */
async function* rowsOf(system: System, organisationId: string, table: ExportedTable): AsyncGenerator<Row[]> {
  if (table.name === 'organisations') {
    yield await system.selectFrom('organisations').selectAll().where('id', '=', organisationId).execute()
    return
  }
  for await (const page of pagesOf(system, organisationId, table, { pageSize: rowsOfPage, condition: conditions[table.name] })) {
    yield* linesOf(page)
  }
}

/** Divides rows into lines that an import reads, however much each row holds: an entry of the audit log can be of two megabytes. */
function* linesOf(page: readonly Row[]): Generator<Row[]> {
  let [line, bytes]: [Row[], number] = [[], 0]
  for (const row of page) {
    const more = Buffer.byteLength(JSON.stringify(row))
    if (line.length > 0 && bytes + more > lineBytes) {
      yield line
      ;[line, bytes] = [[], 0]
    }
    line.push(row)
    bytes += more
  }
  yield line
}

/** The permissions that roles, except the owner's, and API keys of the organisation name. */
async function permissionsOf(system: System, organisationId: string): Promise<Header['permissions']> {
  const { rows } = await sql<Header['permissions'][number]>`
    select id, slug, name, description, category from permissions
    where id in (select permission_id from role_permissions where organisation_id = ${organisationId} and ${conditions.role_permissions})
      or slug in (select unnest(permissions) from api_keys where organisation_id = ${organisationId})
    order by slug`.execute(system)
  return rows
}

async function batchOf(
  { keyring }: ExportSource,
  table: ExportedTable,
  page: readonly Row[],
  { header, line, recipient }: { header: Header; line: number; recipient: Recipient | undefined },
): Promise<Batch> {
  const secrets: Secrets = { export: header.export, line, table: table.name, rows: [] }
  const rows = page.map((row) => {
    const [shown, sealed, withheld]: [FileRow, Record<string, string>, string[]] = [{}, {}, []]
    for (const { field, isSecret } of table.columns) {
      const value = row[field]
      if (!isSecret) shown[field] = value
      else if (typeof value === 'string' && recipient && !(`${table.name}.${field}` in neverExported)) {
        sealed[secretName(field)] = isEncrypted(field) ? keyring.decrypt(value, row.id as string) : value
      } else if (value !== null) withheld.push(secretName(field))
    }
    secrets.rows.push({ key: keyOf(table, row), secrets: sealed })
    if (withheld.length > 0) shown.withheld = withheld
    return shown
  })
  const hasSecrets = recipient && secrets.rows.some(({ secrets: sealed }) => Object.keys(sealed).length > 0)
  return { table: table.name, rows, ...(hasSecrets && { secrets: await recipient.seal(JSON.stringify(secrets)) }) }
}
