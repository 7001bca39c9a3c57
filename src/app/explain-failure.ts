/** Explains why a start has failed. Loaded only then. */

import { noPrimaryCode } from '../platform/database/no-primary.ts'
import { serverName, serverUrls } from '../platform/database/server-addresses.ts'
import { UnfitReplica } from '../platform/database/unfit-replica.ts'
import { UntoldPooler } from '../platform/database/untold-pooler.ts'
import { MendableError } from '../platform/mendable-error.ts'
import { lineOfSystem, whyUnusable } from '../platform/system-errors.ts'
import { ConfigError } from './config-mistakes.ts'

/** The lines that a failed start prints: each names the variable, its value and the remedy. */
export const explainFailure = (error: unknown, databaseUrl: string | undefined): string =>
  error instanceof ConfigError ? error.mistakes.join('\n') : `Gatehouse could not start: ${explainError(error, databaseUrl)}`

/** Explains one error. @param variable the variable or option that holds the address */
export const explainError = (error: unknown, databaseUrl: string | undefined, variable = 'DATABASE_URL'): string =>
  inOneLine(diagnoseError(error, databaseUrl, variable))

/** A problem, and its remedy if that is known. */
interface Diagnosis {
  seen: string
  remedy: string | undefined
}

export function diagnoseError(error: unknown, databaseUrl: string | undefined, variable = 'DATABASE_URL'): Diagnosis {
  if (error instanceof MendableError) return error
  if (databaseUrl !== undefined) {
    const named = fileOfAddress(error, databaseUrl)
    if (named) return { seen: `${variable} is "${placeOf(databaseUrl).shown}": ${named.seen}`, remedy: named.remedy }
    if (isOfDatabase(error)) return diagnoseDatabaseFailure(error, databaseUrl, variable)
  }
  return { seen: lineOfSystem(error) ?? oneLine(error), remedy: undefined }
}

const inOneLine = ({ seen, remedy }: Diagnosis): string => (remedy === undefined ? seen : `${seen}. ${remedy}`)

/** Why lists are not read from the replica, and the remedy. */
export const explainReplica = (error: unknown, replicaUrl: string): string => inOneLine(diagnoseReplica(error, replicaUrl))

export const diagnoseReplica = (error: unknown, replicaUrl: string): Diagnosis =>
  error instanceof UnfitReplica
    ? { seen: `DATABASE_REPLICA_URL is "${placeOf(replicaUrl).shown}": ${error.seen}`, remedy: error.remedy }
    : diagnoseError(error, replicaUrl, 'DATABASE_REPLICA_URL')

/** The line that a start prints while it waits for a database that cannot be reached. */
export const lineOfWaiting = (error: unknown, secondsLeft: number, databaseUrl: string | undefined): string =>
  `Waiting up to ${secondsLeft} s for the database. ${databaseUrl ? inOneLine(diagnoseDatabaseFailure(error, databaseUrl)) : oneLine(error)}`

/** Finds out what is wrong with the database or its address, and the remedy. */
function diagnoseDatabaseFailure(error: unknown, databaseUrl: string, variable = 'DATABASE_URL'): Diagnosis {
  const place = placeOf(databaseUrl)
  const code = String((error as { code?: unknown }).code ?? '')
  if (error instanceof UntoldPooler) return { seen: `${variable} is "${place.shown}", which leads through a pooler`, remedy: error.message }
  const { problem, remedy } = diagnosisOf(code, oneLine(error), place)
  return { seen: `${variable} is "${place.shown}": ${problem}${code && !problem.includes(code) ? ` (${code})` : ''}`, remedy }
}

/** The file of a certificate or key that the address names, when the error is that it cannot be read. */
function fileOfAddress(error: unknown, databaseUrl: string): { seen: string; remedy: string } | undefined {
  const { path } = Object(error) as NodeJS.ErrnoException
  if (path === undefined) return undefined
  const { searchParams } = new URL(serverUrls(databaseUrl)[0] as string)
  const name = ['sslrootcert', 'sslcert', 'sslkey'].find((one) => searchParams.get(one) === path)
  if (name === undefined) return undefined
  return {
    seen: `its ${name} is "${path}", which cannot be read: ${whyUnusable(error)}`,
    remedy: 'Name a file in PEM that the user of this process may read',
  }
}

interface DatabaseAddress {
  /** The address without its password. */
  shown: string
  server: string
  role: string
  database: string
}

function placeOf(databaseUrl: string): DatabaseAddress {
  const urls = serverUrls(databaseUrl)
  const { protocol, username, pathname } = new URL(urls[0] as string)
  const role = decodeURIComponent(username) || 'postgres'
  return {
    shown: `${protocol}//${username && `${username}@`}${urls.map((url) => new URL(url).host).join(',')}${pathname}`,
    server: urls.map(serverName).join(' or '),
    role: identifier(role),
    database: identifier(decodeURIComponent(pathname.slice(1)) || role),
  }
}

function diagnosisOf(code: string, message: string, place: DatabaseAddress): { problem: string; remedy: string } {
  const { server, role, database } = place
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return { problem: 'no name server knows its host', remedy: 'Correct the host, or the name servers of this machine' }
    case 'ECONNREFUSED':
      return { problem: `nothing listens on ${server}`, remedy: 'Start PostgreSQL there, or correct host and port' }
    case '28P01':
      return {
        problem: `PostgreSQL refuses the password of the role ${role}`,
        remedy: `Correct the user and the password, or run there: ALTER ROLE ${role} PASSWORD '…'`,
      }
    case '28000':
      if (/no PostgreSQL user name/.test(message))
        return { problem: 'it names no role', remedy: 'Write it as postgres://role:password@host:5432/database' }
      if (/no encryption/.test(message))
        return {
          problem: `PostgreSQL lets the role ${role} in by TLS alone: ${message}`,
          remedy: 'Add ?sslmode=verify-full to the address, and sslrootcert=<file> where the certificate is of an authority of your own',
        }
      return {
        problem: `PostgreSQL does not let the role ${role} in: ${message}`,
        remedy: `Correct the user, allow it in pg_hba.conf, or run there: CREATE ROLE ${role} LOGIN PASSWORD '…'`,
      }
    case '3D000':
      return {
        problem: `there is no database ${database}`,
        remedy: `Correct the name after the last slash, or run there as a superuser: CREATE DATABASE ${database} OWNER ${role}`,
      }
    case '57P03':
      return { problem: message, remedy: 'Wait until PostgreSQL has started, or look into its log' }
    case '08P01':
      return { problem: `the pooler on ${server} says: ${message}`, remedy: 'Look into its log, and whether PostgreSQL runs behind it' }
    case '53300':
      return { problem: message, remedy: 'Close other connections, or raise max_connections: each process takes up to 21' }
    case noPrimaryCode:
      return { problem: message, remedy: 'Start the primary, promote a replica, or correct hosts and ports' }
    case '25006':
      return { problem: 'the server is read-only, as a replica is', remedy: 'Name the primary' }
    case '42501':
      return /\bcreate role\b|role "gatehouse_(tenant|system)"/.test(message) ? withoutRoles(message, place) : notOwner(message, place)
  }
  if (missingRole.test(message))
    return {
      problem: `its server lacks the roles of the service: ${message}`,
      remedy:
        'Run `gatehouse migrate up`, which creates them with the tables. A backup that was restored on another server needs them before: create them there (docs/operations.md), and restore it again',
    }
  if (/does not support SSL|error establishing an SSL/.test(message))
    return {
      problem: `${server} does not speak TLS`,
      remedy: 'Switch on ssl there, or take sslmode out of the address where the network is trusted',
    }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return {
      problem: `the certificate of ${server} is for another host`,
      remedy: 'Name the host that is in the certificate, or give that server one for this host',
    }
  if (/^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/.test(code))
    return {
      problem: `the certificate of ${server} ${code === 'CERT_HAS_EXPIRED' ? 'has expired' : 'is not valid yet'}`,
      remedy: 'Renew it there, or set the clock of this machine',
    }
  if (isOfTrust(code))
    return {
      problem: `this machine does not trust the certificate of ${server}`,
      remedy: 'Add sslrootcert=<file> to the address, with the certificate in PEM of the authority that has issued it',
    }
  if (/^Connection terminated unexpectedly/.test(message))
    return {
      problem: `${server} closed the connection without an answer`,
      remedy: 'Look into the log of PostgreSQL there, or correct host and port, where something else may listen',
    }
  if (/password must be a string/.test(message))
    return { problem: `it holds no password, and PostgreSQL asks for one`, remedy: `Write it as postgres://${role}:password@…` }
  if (/timeout|^E(TIMEDOUT|HOSTUNREACH|NETUNREACH)$/i.test(code || message))
    return { problem: `${server} does not answer`, remedy: 'Correct host and port, or let the network and its firewalls through' }
  return { problem: message, remedy: 'docs/operations.md says what the service needs of its database' }
}

const missingRole = /^role "gatehouse_(tenant|system)" does not exist$/

const withoutRoles = (message: string, { role, database }: DatabaseAddress) => ({
  problem: `the role ${role} may not take on the two roles of the service: ${message}`,
  remedy: [
    `Run this in the database ${database} as a superuser:`,
    ...['gatehouse_tenant', 'gatehouse_system'].map(
      (name) => `  DO $$ BEGIN CREATE ROLE ${name} NOLOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$;`,
    ),
    `  ALTER ROLE ${role} NOINHERIT;`,
    `  GRANT gatehouse_tenant, gatehouse_system TO ${role};`,
    `  ALTER DATABASE ${database} OWNER TO ${role};`,
    `  GRANT USAGE, CREATE ON SCHEMA public TO ${role};`,
  ].join('\n'),
})

const notOwner = (message: string, { role, database }: DatabaseAddress) => ({
  problem: `the role ${role} does not own the database and its tables: ${message}`,
  remedy: `Run as a superuser: ALTER DATABASE ${database} OWNER TO ${role}; and in the database: GRANT USAGE, CREATE ON SCHEMA public TO ${role}; and where another role has made the tables: REASSIGN OWNED BY <that role> TO ${role}`,
})

/** Whether the error concerns the connection to PostgreSQL or the rights of its role, rather than a statement. */
function isOfDatabase(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code = '', syscall = '' } = error as NodeJS.ErrnoException
  return (
    /^(08|25006|28|3D|42501|53|57P)/.test(code) ||
    code === noPrimaryCode ||
    isOfTls(code) ||
    missingRole.test(error.message) ||
    /^(connect|getaddrinfo|read|write)$/.test(syscall) ||
    /connection|connect\b|SASL|SSL|^timeout expired$/i.test(error.message)
  )
}

/** What keeps a certificate from being trusted. */
const isOfTrust = (code: string) =>
  /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(GET_ISSUER_CERT|VERIFY_LEAF)\w*)$/.test(code)

const isOfTls = (code: string) => isOfTrust(code) || /^(CERT_|ERR_TLS_|ERR_SSL_)/.test(code)

const identifier = (name: string) => (/^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`)

function oneLine(error: unknown): string {
  const message = error instanceof Error ? error.message || String((error as { code?: unknown }).code ?? error.name) : String(error)
  return message.replaceAll(/\s*\n\s*/g, ' ')
}
