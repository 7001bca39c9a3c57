import { sql } from 'kysely'
import { switchOffMfaWithoutFactor } from '../../accounts/queries.ts'
import type { Actor } from '../../activity/actor.ts'
import { record } from '../../activity/record.ts'
import type { GrantRules } from '../../clients/rules.ts'
import { findLockedDomains } from '../../domains/queries.ts'
import { type Organisation, presentOrganisation } from '../../organisations/present-organisation.ts'
import { getOwnOrganisation } from '../../organisations/queries.ts'
import type { Keyring } from '../../platform/crypto/keyring.ts'
import type { Database, Tenant } from '../../platform/database/database.ts'
import { channels, notify } from '../../platform/database/locks-and-channels.ts'
import { schemaState } from '../../platform/database/migrate.ts'
import { findOwnerRole, grantEveryPermission, replacePermissions } from '../../roles/queries.ts'
import { arrive } from './arrive.ts'
import {
  type Check,
  checkBatch,
  checkHeader,
  checkMappings,
  createMissingPermissions,
  type Mistake,
  openSecrets,
  permissionIdsOf,
} from './check.ts'
import type { Batch, Header } from './format.ts'
import { BrokenExport, readExport } from './read-export.ts'
import type { RecipientKey } from './recipient.ts'
import { rowRules } from './row-rules.ts'
import { type Trust, whyNotSigned } from './signature.ts'
import { describeTables, type ExportedTable } from './tables.ts'
import { createTodos, type Todo, type Todos } from './todo.ts'

export interface ImportTarget {
  database: Database
  keyring: Keyring
  publicUrl: string
  relyingParty: { id?: string | undefined }
  trialMaxUsers: number
  grants: readonly GrantRules[]
}

export interface OrganisationImportOptions {
  actor: Actor
  /** The key that opens the secrets of the export. */
  key?: RecipientKey | undefined
  /** The issuer whose signature the file must have; without it, any file is accepted, but its rows grant nothing. */
  trust: Trust | undefined
  ignoreTrialLimit: boolean
  /** Whether each transaction is rolled back at its end, as `--dry-run` has it. */
  isRehearsal?: boolean
  onProgress?: (step: 'checked' | 'written', rows: number) => void
}

export interface OrganisationImport {
  organisation: Header['organisation'] | null
  rows: Record<string, number>
  todo: Todo[]
  mistakeCount: number
  /** The first mistakes only. */
  mistakes: Mistake[]
}

const mistakesShown = 1_000

/**
 * Imports an organisation with the ids that it has elsewhere. The whole file is checked first; a single mistake prevents the import.
 * Everything is written in one transaction.
 *
 * @throws Error with the line when the database refuses a row that passed the checks: then nothing is written but permissions that this
 *   installation lacked
 */
export async function importOrganisation(
  target: ImportTarget,
  path: string,
  options: OrganisationImportOptions,
): Promise<OrganisationImport> {
  const tables = new Map((await describeTables(target.database.system())).map((table) => [table.name, table]))
  const checked = await checkFile(target, path, tables, options)
  if (!('sha256' in checked)) return checked.result
  return write(target, path, { ...options, tables, ...checked })
}

interface CheckedFile {
  header: Header
  sha256: string
}

type Tables = ReadonlyMap<string, ExportedTable>

async function checkFile(
  { database, trialMaxUsers, grants }: ImportTarget,
  path: string,
  tables: Tables,
  { key, trust, ignoreTrialLimit, onProgress }: OrganisationImportOptions,
): Promise<CheckedFile | { result: OrganisationImport }> {
  const result: OrganisationImport = { organisation: null, rows: {}, todo: [], mistakeCount: 0, mistakes: [] }
  const mistaken = (place: string, message: string) => {
    result.mistakeCount++
    if (result.mistakes.length < mistakesShown) result.mistakes.push({ place, message })
  }
  let check: Check | undefined
  let sha256: string | undefined
  let [rows, users, isTrial] = [0, 0, false]
  try {
    for await (const line of readExport(path)) {
      if (line.kind === 'header') {
        result.organisation = line.header.organisation
        check = {
          database,
          header: line.header,
          tables,
          key,
          trust,
          rules: rowRules(grants),
          mistaken,
          roles: { ownerIds: new Set(), mapped: [] },
        }
        const { applied } = await schemaState(database.system())
        if (!(await checkHeader(check, applied, key !== undefined))) return { result }
      } else if (line.kind === 'batch' && check) {
        await checkBatch(check, line.number, line.batch)
        rows += line.batch.rows.length
        if (line.batch.table === 'organisations') isTrial = line.batch.rows[0]?.status === 'trial'
        if (line.batch.table === 'users') users += line.batch.rows.filter(({ deletedAt }) => deletedAt === null).length
        onProgress?.('checked', rows)
      } else if (line.kind === 'end' && check) {
        sha256 = line.end.sha256
        const why = trust && (await whyNotSigned(check.header, line.end, trust))
        if (why !== undefined) mistaken(`line ${line.number}`, why)
        checkMappings(check)
      }
    }
  } catch (error) {
    if (!(error instanceof BrokenExport)) throw error
    // Other mistakes in a corrupted file mean little.
    const { place = 'file', words } = error
    return { result: { ...result, mistakeCount: 1, mistakes: [{ place, message: words }] } }
  }
  if (isTrial && users > trialMaxUsers && !ignoreTrialLimit) {
    mistaken('users', `${users} of an organisation on trial, which may have ${trialMaxUsers}: --ignore-trial-limit lets them in`)
  }
  if (result.mistakeCount > 0 || !check || sha256 === undefined) return { result }
  return { header: check.header, sha256 }
}

async function write(
  target: ImportTarget,
  path: string,
  {
    actor,
    key,
    trust,
    isRehearsal = false,
    tables,
    header,
    sha256,
    onProgress,
  }: OrganisationImportOptions & CheckedFile & { tables: Tables },
): Promise<OrganisationImport> {
  const { database, keyring, publicUrl } = target
  const created = trust ? await createMissingPermissions(database, actor, header.permissions) : []
  const permissionIds = await permissionIdsOf(database, header.permissions)
  return database.transaction(header.organisation.id, async (tenant) => {
    // Create it anew in each attempt of the transaction.
    const todos = createTodos()
    const addresses = { from: header.publicUrl, here: publicUrl }
    const arrival = { keyring, permissionIds, addresses, rpId: target.relyingParty.id, todos, isTrusted: trust !== undefined, seen: {} }
    const rows: Record<string, number> = {}
    // From then on, whatever creates a user of such a domain waits for this transaction: they are written last.
    const verified: { place: string; table: ExportedTable; rows: Batch['rows'] }[] = []
    let [total, place] = [0, '']
    try {
      for await (const line of readExport(path)) {
        place = `line ${line.number}`
        if (line.kind === 'end' && line.end.sha256 !== sha256) throw new BrokenExport('the file was changed while it was imported', place)
        if (line.kind !== 'batch') continue
        const table = tables.get(line.batch.table)
        const secrets = await openSecrets({ header, key, tables }, line.number, line.batch)
        if (!table || typeof secrets === 'string') throw new BrokenExport('the file was changed while it was imported', place)
        const arrived = line.batch.rows
          .map((row, index) => arrive(table, row, secrets[index] ?? {}, arrival))
          .filter((row) => row !== undefined)
        if (!(table.name in rows)) await removeMadeByTriggers(tenant, table)
        // A rehearsal has rolled back the new permissions already, so it can only count the rows that name them.
        const writable = isRehearsal && table.name === 'role_permissions' ? arrived.filter(namesPermission) : arrived
        const { last = [], now = [] } = Object.groupBy(writable, (row) => (isVerifiedDomain(table, row) ? 'last' : 'now'))
        if (now.length > 0) await insertRows(tenant, table, now)
        if (last.length > 0) verified.push({ place, table, rows: last })
        rows[table.name] = (rows[table.name] ?? 0) + arrived.length
        total += line.batch.rows.length
        onProgress?.('written', total)
      }
      await grantEveryPermissionToOwner(tenant)
      if (header.recipient === null) await switchOffMfaWithoutFactor(tenant)
      // Otherwise a violation would only be reported at the commit.
      await sql`set constraints all immediate`.execute(tenant)
      for (const batch of verified) {
        place = batch.place
        await insertRows(tenant, batch.table, batch.rows)
      }
      const locked =
        'require single sign-on by a connection that does not work here: until it does, only the owner and who may bypass it get in'
      for (const { domain } of await findLockedDomains(tenant)) todos.add('domains', locked, domain)
      addTodosOfAll(todos, header, publicUrl)
      const permissionsMade = isRehearsal ? 'would be created in this installation' : 'were created in this installation'
      for (const slug of created) todos.add('permissions', permissionsMade, slug)
      const organisation = await getOwnOrganisation(tenant)
      await recordImport(tenant, actor, organisation, header, trust)
      // Running processes remember what single sign-on and codes by mail are required for.
      for (const channel of [channels.domains, channels.signInPolicies]) await notify(tenant, channel)
      return { organisation: header.organisation, rows, todo: await withNames(tenant, todos.list()), mistakeCount: 0, mistakes: [] }
    } catch (error) {
      throw isRefusedByDatabase(error)
        ? new Error(`${place}: the database refuses it: ${error.message}. ${textOfWritten(isRehearsal ? [] : created)}`, { cause: error })
        : error
    }
  })
}

const isVerifiedDomain = ({ name }: ExportedTable, { status }: Record<string, unknown>) =>
  name === 'organisation_domains' && status === 'verified'

const namesPermission = ({ permissionId }: Record<string, unknown>) => permissionId !== undefined

/** @param permissions the slugs of those that were created before the transaction of the import began */
const textOfWritten = (permissions: readonly string[]) =>
  permissions.length === 0 ? 'Nothing was written' : `Nothing was written but the permissions that it needs: ${permissions.join(', ')}`

const recordImport = (tenant: Tenant, actor: Actor, organisation: Organisation, header: Header, trust: Trust | undefined) =>
  record(tenant, actor, {
    action: 'organisation.imported',
    organisation: presentOrganisation(organisation),
    metadata: {
      export: header.export,
      exportedAt: header.exportedAt,
      from: header.publicUrl,
      release: header.release,
      withSecrets: header.recipient !== null,
      trusted: trust?.issuer ?? null,
    },
  })

/** Replaces ids with names: rows identify users and roles by their ids, people by addresses and slugs. */
async function withNames(tenant: Tenant, todo: readonly Todo[]): Promise<Todo[]> {
  const ids = todo.flatMap(({ names }) => names)
  const users = await tenant
    .selectFrom('users')
    .select(['id', 'email as name'])
    .where('id', 'in', ['', ...ids])
    .execute()
  const roles = await tenant
    .selectFrom('roles')
    .select(['id', 'slug as name'])
    .where('id', 'in', ['', ...ids])
    .execute()
  const nameOf = new Map([...users, ...roles].map(({ id, name }) => [id, name]))
  return todo.map((one) => ({ ...one, names: [...new Set(one.names.map((name) => nameOf.get(name) ?? name))] }))
}

/** Grants the owner role every permission of this installation, whatever it held elsewhere. */
async function grantEveryPermissionToOwner(tenant: Tenant): Promise<void> {
  const { id } = await findOwnerRole(tenant)
  await replacePermissions(tenant, id, [])
  await grantEveryPermission(tenant, [{ roleId: id }])
}

/** Adds the tasks for the organisation as a whole. */
function addTodosOfAll(todos: Todos, header: Header, publicUrl: string): void {
  todos.add('sessions', 'were left out, as were refresh tokens: users and applications sign in again')
  if (header.publicUrl !== publicUrl) {
    todos.add('addresses', `were ${header.publicUrl} and are ${publicUrl}: applications and identity providers need the new ones`)
  }
  todos.add('the organisation', `is still served by the old installation, at ${header.publicUrl}: suspend it there`)
}

/** Matches the SQLSTATE classes of a value that does not fit and of a violated constraint. */
const isRefusedByDatabase = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && /^2[23]/.test(String(error.code))

/** Removes rows that triggers have created for earlier rows: the file contains all of them. */
async function removeMadeByTriggers(tenant: Tenant, { name }: ExportedTable): Promise<void> {
  if (!['user_role_sources', 'team_member_sources'].includes(name)) return
  await sql`delete from ${sql.table(name)} where organisation_id = ${tenant.organisationId}`.execute(tenant)
}

async function insertRows(tenant: Tenant, table: ExportedTable, rows: Batch['rows']): Promise<void> {
  const used = new Set(rows.flatMap(Object.keys))
  const columns = table.columns.filter(({ field }) => used.has(field))
  const names = sql.join(columns.map(({ name }) => sql.ref(name)))
  const types = sql.join(columns.map(({ name, type }) => sql`${sql.ref(name)} ${sql.raw(type)}`))
  const given = JSON.stringify(rows.map((row) => Object.fromEntries(columns.map(({ name, field }) => [name, row[field]]))))
  const from = sql`from jsonb_to_recordset(${given}::jsonb) as given (${types})`
  const target = sql.table(targetOf[table.name] ?? table.name)
  const isRoot = table.name === 'organisations'
  const [owner, ownerId] = isRoot ? [sql``, sql``] : [sql`organisation_id, `, sql`${tenant.organisationId}, `]
  await sql`insert into ${target} (${owner}${names}) select ${ownerId}${names} ${from}`.execute(tenant)
}

/** The tables to write to in place of those that a tenant may not write: a task sums the changes. */
const targetOf: Readonly<Record<string, string>> = { sign_in_counts: 'sign_in_count_changes' }
