/**
 * Proves on a database that organisations are isolated from each other: creates two with one of everything and, as each of
 * them, tries to reach the other through every route and every table.
 */
import { randomBytes } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { sessionCookie } from '../access/session-token.ts'
import { composeHttp } from '../app/compose-http.ts'
import type { Config } from '../app/config.ts'
import { openServices, type Services } from '../app/services.ts'
import { builtExtensions } from '../clients/extensions.ts'
import { systemClock } from '../platform/clock.ts'
import { createPasswordHasher } from '../platform/crypto/password-hasher.ts'
import { newSecret } from '../platform/crypto/secrets.ts'
import { compiledForms } from '../platform/database/compiled.ts'
import type { Engine } from '../platform/database/engine.ts'
import { neverCommitted, type UncommittedEngine } from '../platform/database/uncommitted.ts'
import { createLogger } from '../platform/http/log.ts'
import { type AttemptFindings, attemptAll, type Leak } from './attempts.ts'
import { makeOrganisation, type ThrowAwayOrganisation } from './organisation.ts'
import { type ApiDescription, routesOf } from './routes.ts'
import { emptyTablesOfEnded } from './rows.ts'
import { checkPolicies, type RowFindings, readTables, tryWrites, type WriteFindings } from './rows-and-writes.ts'
import { sharedTables, type TenantTable, tenantTables } from './tables.ts'

export interface Verification {
  startedAt: Date
  seconds: number
  version: string
  requests: Omit<AttemptFindings, 'leaks'>
  rows: Omit<RowFindings, 'leaks'>
  writes: Omit<WriteFindings, 'leaks'>
  leaks: Leak[]
  /** Why the organisations could not be created, or the run not finished; the numbers then cover what was tried before. */
  brokenOff: string | undefined
}

export interface VerificationOptions {
  config: Config
  /** An engine that never commits. */
  engine: Engine
  /** 32 bytes. */
  secretKey: Buffer
  /** Called after each route and table. */
  onProgress?: (done: number, total: number) => void
}

export async function verifyIsolation({ config, engine, secretKey, onProgress = () => {} }: VerificationOptions): Promise<Verification> {
  const startedAt = systemClock.now()
  const began = performance.now()
  const found: Omit<Verification, 'startedAt' | 'seconds'> = {
    requests: { routes: 0, places: 0, attempts: 0, comparisons: 0, areas: [], undecided: [], unknown: [], failures: [] },
    rows: { tables: 0, rows: 0 },
    writes: { writes: 0, undecided: [] },
    leaks: [],
    brokenOff: undefined,
    version: '',
  }
  await neverCommitted(engine, async (uncommitted) => {
    try {
      await verifyOn(uncommitted, { config, secretKey, onProgress }, found)
    } catch (error) {
      found.brokenOff = error instanceof Error ? error.message : String(error)
    }
  })
  return { ...found, startedAt, seconds: (performance.now() - began) / 1_000 }
}

async function verifyOn(
  engine: UncommittedEngine,
  { config: given, secretKey, onProgress }: Required<Omit<VerificationOptions, 'engine'>>,
  found: Omit<Verification, 'startedAt' | 'seconds'>,
): Promise<void> {
  const config = closed(given)
  const services = await openClosedServices(config, engine, secretKey)
  const { database } = services
  found.version = await versionOf(services)
  await services.signingKeys.open()
  const app = await composeHttp(services, { config, systemApiKey: newSecret(), delayAfterResponse: async () => {}, hasStarted: () => true })
  const tables = await tenantTables(database.system())
  const shared = await sharedTables(database.system())
  found.leaks.push(...checkPolicies(tables))
  const { body: description } = await app.inject({ method: 'GET', url: '/openapi.json' })
  const routes = routesOf(JSON.parse(description) as ApiDescription)

  const sessionCookieName = `${config.sessionCookiePrefix}${sessionCookie}`
  const newPassword = async () => {
    const text = `Correct-horse-${randomBytes(6).toString('hex')}-1`
    return { text, hash: await services.passwordHasher.hash(text) }
  }
  const making = { services, app, sessionCookieName, routes, tables, newPassword }
  const organisations: [ThrowAwayOrganisation, ThrowAwayOrganisation] = [await makeOrganisation(making), await makeOrganisation(making)]
  await engine.keep()

  let done = 0
  const total = routes.length + 2
  const digest = digestsOf(services, tables)
  const digestWithoutUse = digestsOf(services, tables, timeOfUse)
  const [one, other] = organisations
  for (const [own, theirs] of [
    [one, other],
    [other, one],
  ] as const) {
    const { leaks: leaksOfRows, ...rows } = await readTables({ database, engine }, { tables, shared }, own, theirs)
    const { leaks: leaksOfWrites, ...writes } = await tryWrites({ database, engine, digest }, tables, own, theirs)
    found.rows = { tables: rows.tables, rows: found.rows.rows + rows.rows }
    found.writes = {
      writes: found.writes.writes + writes.writes,
      undecided: [...new Set([...found.writes.undecided, ...writes.undecided])],
    }
    found.leaks.push(...leaksOfRows, ...leaksOfWrites)
    onProgress(++done, total)
  }
  for (const { id } of organisations) await emptyTablesOfEnded(database.system(), id)
  await engine.keep()
  const { leaks, ...requests } = await attemptAll(
    { app, engine, routes, digest, digestWithoutUse, onProgress: () => onProgress(++done, total) },
    organisations,
  )
  found.requests = requests
  found.leaks.push(...leaks)
  await app.close()
}

/** The operator's configuration without everything that would refuse the run for a reason other than isolation, or leave this machine. */
const closed = (config: Config): Config => ({
  ...config,
  apiDocs: true,
  bootstrap: undefined,
  breachedPasswords: undefined,
  // The routes of those that are off are tried, too.
  oauthExtensions: new Set(builtExtensions),
  rateLimit: false,
  redisUrl: undefined,
  smtpUrl: undefined,
  smsGateway: undefined,
  strictInput: false,
  tenantHeader: 'optional',
})

async function openClosedServices(config: Config, engine: Engine, secretKey: Buffer): Promise<Services> {
  const services = await openServices({
    config,
    engine,
    secretKey,
    clock: systemClock,
    logger: createLogger({ level: 'silent' }),
    passwordHasher: createPasswordHasher(),
    outgoing: {
      resolve: () => {
        throw new Error('No request leaves this machine during a proof')
      },
    },
  })
  return { ...services, findChallenge: async () => ({ isPresent: false, answers: [] }) }
}

async function versionOf({ database }: Services): Promise<string> {
  const { rows } = await sql<{ version: string }>`
    select split_part(current_setting('server_version'), ' ', 1) as version`.execute(database.system())
  return rows[0]?.version ?? ''
}

/** Any request may note when its session or key was last used: once a minute, which a slow run is longer than. */
const timeOfUse = /last_(used|activity)_at$/

/**
 * Makes digests of every row of an organisation, but for the columns that are left out. Most attempts change nothing: rows of which each is
 * still the version that an earlier digest has read have the same one, and versions are read in a fraction of the time.
 */
function digestsOf({ database }: Services, tables: readonly TenantTable[], leftOut?: RegExp): (organisationId: string) => Promise<string> {
  const query = compiledForms<{ digest: string }>()
  const contentsOf = ({ columns }: TenantTable) => {
    const read = columns.filter(({ name }) => !leftOut?.test(name))
    return sql`row(${sql.join(read.map(({ name }) => sql.ref(name)))})::text`
  }
  // Where the version of a row is, and which change made it: a change that is undone never has the number of another.
  const versionOf = () => sql`ctid::text || xmin::text`
  const digest = async (form: string, organisationId: string, rowOf: (table: TenantTable) => RawBuilder<unknown>) => {
    const [row] = await query(database.system(), form, { organisationId }, (_, given) => {
      const digests = tables.map(
        (table) => sql`(
          select coalesce(md5(string_agg(r, ',' order by r)), '')
          from (select ${rowOf(table)} as r from ${sql.id(table.name)} where ${sql.id(table.owner)} = ${given.organisationId}) as rows)`,
      )
      return sql<{ digest: string }>`select ${sql.join(digests, sql` || '.' || `)} as digest`
    })
    return row?.digest as string
  }
  const known = new Map<string, string>()
  return async (organisationId) => {
    const versions = await digest('versions', organisationId, versionOf)
    const contents = known.get(versions) ?? (await digest('contents', organisationId, contentsOf))
    known.set(versions, contents)
    return contents
  }
}
