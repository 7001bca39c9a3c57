import type { Finding, FirstOf, PassedCode, PassedValues, WrongCode, WrongValues } from '../../shared/doctor-findings/findings.ts'
import type { OAuthExtensions } from '../clients/extensions.ts'
import type { Keyring } from '../platform/crypto/keyring.ts'
import type { Database } from '../platform/database/database.ts'
import type { MigrationState } from '../platform/database/migrate.ts'
import type { PrivateHosts } from '../platform/http/outgoing.ts'
import { reasonOfSystem } from '../platform/system-errors.ts'

export const groups = ['configuration', 'address', 'database', 'storage', 'mail', 'webhooks', 'keys', 'organisations'] as const
export type Group = (typeof groups)[number]

export const states = ['ok', 'warning', 'failure'] as const
export type State = (typeof states)[number]

export interface Check {
  /** A stable name for programs. */
  name: string
  group: Group
  /** A statement that is true when the check passes. */
  title: string
  /** The time limit; 10 seconds by default. */
  seconds?: number
  /** Whether other checks at the same time would distort its measurement. */
  runsAlone?: boolean
  /** Whether it reads tables of this release, which a database that is not migrated does not have. */
  needsSchema?: boolean
  /** The check that must pass before this one makes sense; with `needsSchema` it is `database-reachable`. */
  after?: string
  /** Whether the check applies to this installation; always by default. */
  applies?(context: DoctorContext): boolean
  run(context: DoctorContext): Promise<Finding>
}

/** The amounts from which a check warns, or fails. */
export interface Thresholds {
  clockSeconds: number
  connectionsWarning: number
  connectionsFailure: number
  replicaBehindBytes: number
  mailWarningSeconds: number
  mailFailureSeconds: number
  webhookWarningSeconds: number
  webhookFailureSeconds: number
  /** Dead rows are reported from this number on, when they are more than a fifth. */
  deadRows: number
  unusedIndexBytes: number
  /** How long the statistics must have been collected before an index counts as unused. */
  unusedIndexDays: number
  diskWarningBytes: number
  diskFailureBytes: number
}

const mebibyte = 2 ** 20

export const usualThresholds: Thresholds = {
  clockSeconds: 2,
  // A process opens up to 21.
  connectionsWarning: 21,
  connectionsFailure: 5,
  // One segment of the log.
  replicaBehindBytes: 16 * mebibyte,
  mailWarningSeconds: 900,
  mailFailureSeconds: 3 * 3_600,
  webhookWarningSeconds: 60,
  webhookFailureSeconds: 900,
  deadRows: 50_000,
  unusedIndexBytes: 100 * mebibyte,
  unusedIndexDays: 30,
  diskWarningBytes: 1_024 * mebibyte,
  diskFailureBytes: 256 * mebibyte,
}

export interface ExaminedConfig {
  production: boolean
  /** Where the service listens. */
  port: number
  publicUrl: string
  databaseUrl: string | undefined
  databasePooler: 'transaction' | undefined
  databaseReplicaUrl: string | undefined
  databaseListenUrl: string | undefined
  dataDir: string
  secretKey: Buffer | undefined
  smtpUrl: string | undefined
  redisUrl: string | undefined
  systemApiKey: string | undefined
  trialMaxUsers: number
  smsGateway: { url: string } | undefined
  oauthExtensions: OAuthExtensions
  outgoingPrivateHosts: PrivateHosts
}

export interface DoctorContext {
  config: ExaminedConfig
  /** The variables that the process was given. */
  environment: Record<string, string | undefined>
  variableNames: readonly string[]
  database: Database
  keyring: Keyring
  /** The state of the migrations, read separately from the tables, which may be missing. */
  migrationState(): Promise<MigrationState>
  /** Explains why the database cannot be queried, and the remedy. */
  diagnoseDatabaseError(error: unknown): Promise<{ seen: string; remedy: string | undefined }>
  /** Why lists are not read from DATABASE_REPLICA_URL, and the remedy; undefined if they are. */
  findReplicaFailure(): Promise<{ seen: string; remedy: string | undefined } | undefined>
  /** Of the issuers of platforms, those whose keys cannot be fetched now, and why. */
  findIssuerFailures(issuers: readonly string[]): Promise<{ issuer: string; reason: string }[]>
  thresholds: Thresholds
}

/** The values of a finding, which one without values does not need. */
type Given<Values> = keyof Values extends never ? [] : [values: Values]

export const ok = <Code extends PassedCode>(code: Code, ...[values]: Given<PassedValues[Code]>): Finding =>
  ({ state: 'ok', code, values: values ?? {} }) as Finding

const wrong =
  (state: 'warning' | 'failure') =>
  <Code extends WrongCode>(code: Code, ...[values]: Given<WrongValues[Code]>): Finding =>
    ({ state, code, values: values ?? {} }) as Finding

export const warning = wrong('warning')
export const failure = wrong('failure')

/** What a finding names of very many: the first ones, and how many more there are. */
export function firstOf<Item>(found: readonly Item[]): FirstOf<Item> {
  const most = 5
  return { first: found.slice(0, most), more: Math.max(0, found.length - most) }
}

/** The text of an error and its cause, in one line. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code, cause } = error as NodeJS.ErrnoException
  const known = reasonOfSystem(error)
  if (known !== undefined) return known
  const own = [error.message || error.name, cause === undefined ? undefined : reasonOf(cause)].filter(Boolean).join(': ')
  return `${own}${code && !own.includes(code) ? ` (${code})` : ''}`.replaceAll(/\s*\n\s*/g, ' ')
}
