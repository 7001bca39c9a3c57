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

export type Finding =
  | { state: 'ok'; seen: string }
  | {
      state: 'warning' | 'failure'
      seen: string
      why: string
      /** The exact change that solves the problem. */
      remedy: string
    }

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

export const ok = (seen: string): Finding => ({ state: 'ok', seen })

export const warning = (seen: string, { why, remedy }: { why: string; remedy: string }): Finding => ({
  state: 'warning',
  seen,
  why,
  remedy,
})

export const failure = (seen: string, { why, remedy }: { why: string; remedy: string }): Finding => ({
  state: 'failure',
  seen,
  why,
  remedy,
})

/** Lists a few names, and says how many more there are. */
export function someOf(names: readonly string[], most = 5): string {
  const rest = names.length - most
  return rest > 0 ? `${names.slice(0, most).join(', ')} and ${rest} more` : names.join(', ')
}

const units = [
  [86_400, 'days'],
  [3_600, 'hours'],
  [60, 'minutes'],
] as const

/** Formats a length of time, such as `3 hours`. */
export function duration(seconds: number): string {
  const [length, unit] = units.find(([length]) => seconds >= 2 * length) ?? [1, 'seconds']
  const number = Math.floor(seconds / length)
  return `${number} ${number === 1 ? unit.slice(0, -1) : unit}`
}

export function size(bytes: number): string {
  const steps = [
    [2 ** 30, 'GiB'],
    [2 ** 20, 'MiB'],
    [2 ** 10, 'KiB'],
  ] as const
  const [step, unit] = steps.find(([step]) => bytes >= step) ?? [1, 'bytes']
  const amount = bytes / step
  return `${amount >= 10 || step === 1 ? Math.round(amount) : amount.toFixed(1)} ${unit}`
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
