/** Warns of what is missing, dangerous or probably a mistake in a set-up that works. */
import { connect } from 'node:net'
import { sql } from 'kysely'
import { type VariableMistake, variableMistakeInWords, variableMistakes } from '../../shared/variable-mistakes/texts.ts'
import type { Database } from '../platform/database/database.ts'

export interface StartWarning {
  /** A stable word for programs that read the log. */
  code: string
  /** The problem and its remedy. */
  message: string
}

/** A warning about variables, which other languages have words for, too. */
export interface VariableWarning extends StartWarning {
  mistake: VariableMistake
}

/** @param code the word for programs that read the log, which several mistakes may share */
export const variableWarning = (code: string, mistake: VariableMistake): VariableWarning => ({
  code,
  message: variableMistakeInWords(variableMistakes, mistake),
  mistake,
})

export interface SetUp {
  production: boolean
  smtpUrl: string | undefined
  systemApiKey: string | undefined
}

/** The warnings that follow from the database. */
export async function setUpWarnings(database: Database, { production, smtpUrl, systemApiKey }: SetUp): Promise<StartWarning[]> {
  const { isEmbedded } = database
  if (isEmbedded && !production) return []
  const { hasOrganisation, isSuperuser, inherits, notInherited } = await readSetUp(database)
  const warnings: [boolean, string, string][] = [
    [
      production && !hasOrganisation,
      'no-organisation',
      systemApiKey
        ? 'No user can sign in yet: there is no organisation. Create one by POST /v1/organisations with SYSTEM_API_KEY, or start once with BOOTSTRAP_OWNER_EMAIL and BOOTSTRAP_OWNER_PASSWORD'
        : 'No user can sign in yet: there is no organisation. Start once with BOOTSTRAP_OWNER_EMAIL and BOOTSTRAP_OWNER_PASSWORD, or set SYSTEM_API_KEY and create one by POST /v1/organisations',
    ],
    [
      production && !smtpUrl,
      'no-mail-server',
      'There is no mail server: mails are written to files in DATA_DIR/mail and not sent. Set SMTP_URL',
    ],
    [
      production && isEmbedded,
      'embedded-database',
      'The database is the embedded one, which serves a single process: set DATABASE_URL to a PostgreSQL',
    ],
    [
      !isEmbedded && isSuperuser,
      'superuser',
      'The role in DATABASE_URL is a superuser or bypasses row-level security: use one that only owns its database (docs/operations.md)',
    ],
    [
      production && !isEmbedded && !isSuperuser && inherits,
      'role-inherits',
      `The role in DATABASE_URL inherits gatehouse_system. Have the role that granted it run: ${notInherited} (docs/operations.md)`,
    ],
  ]
  return warnings.flatMap(([applies, code, message]) => (applies ? [{ code, message }] : []))
}

export interface DatabaseSetUp {
  hasOrganisation: boolean
  /** Whether the role that logs in is a superuser, or not bound by row-level security. */
  isSuperuser: boolean
  /** Whether it has the privileges of the system's role without `set role`. */
  inherits: boolean
  /** The SQL that removes those. */
  notInherited: string
}

export async function readSetUp(database: Database): Promise<DatabaseSetUp> {
  const { rows } = await sql<DatabaseSetUp>`
    select exists (select from organisations) as has_organisation,
      exists (select from pg_roles where rolname = session_user and (rolsuper or rolbypassrls)) as is_superuser,
      pg_has_role(session_user, 'gatehouse_system', 'usage') as inherits,
      case when current_setting('server_version_num')::int >= 160000
        then format('GRANT gatehouse_system, gatehouse_tenant TO %I WITH INHERIT FALSE, SET TRUE', session_user)
        else format('GRANT USAGE, CREATE ON SCHEMA %I TO %I; ALTER ROLE %2$I NOINHERIT', current_schema(), session_user)
      end as not_inherited`.execute(database.system())
  return rows[0] as DatabaseSetUp
}

const defaultPorts: Record<string, number> = { 'smtp:': 587, 'smtps:': 465, 'redis:': 6379, 'rediss:': 6379 }

/** A warning about a server that does not accept a connection, and what the system says of it. */
interface UnreachableServer extends StartWarning {
  server: string
  reason: string
}

/** Warns of a mail server or a Redis that does not accept a connection. */
export async function unreachableServers({
  smtpUrl,
  redisUrl,
}: {
  smtpUrl: string | undefined
  redisUrl: string | undefined
}): Promise<UnreachableServer[]> {
  const servers = [
    {
      url: smtpUrl,
      code: 'mail-server-unreachable',
      is: 'SMTP_URL: the mail server',
      meanwhile: 'Mails wait, and are tried again for two days',
    },
    { url: redisUrl, code: 'redis-unreachable', is: 'REDIS_URL: the Redis', meanwhile: 'Each process counts rate limits by itself' },
  ]
  const warnings = servers.map(async ({ url, code, is, meanwhile }) => {
    if (!url) return []
    const { hostname, port, protocol } = new URL(url)
    const address = { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port) || (defaultPorts[protocol] ?? 0) }
    const reason = await failureToConnect(address)
    if (reason === undefined) return []
    const server = `${hostname}:${address.port}`
    const message = `${is} at ${server} cannot be reached (${reason}). ${meanwhile}. Start it, or correct the address`
    return [{ code, message, server, reason }]
  })
  return (await Promise.all(warnings)).flat()
}

const connectMilliseconds = 5_000

function failureToConnect(address: { host: string; port: number }): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ ...address, timeout: connectMilliseconds })
    // Do not hold up the end of the process.
    socket.unref()
    const settle = (failure: string | undefined) => {
      socket.destroy()
      resolve(failure)
    }
    socket.once('connect', () => settle(undefined))
    socket.once('timeout', () => settle('ETIMEDOUT'))
    socket.once('error', (error: NodeJS.ErrnoException) => settle(error.code ?? error.message))
  })
}

/** Variables of other programs. */
const wellKnown = new Set(['API_KEY', 'DB_URL', 'HOSTNAME', 'HOSTTYPE', 'LOGNAME', 'NODE_OPTIONS', 'NODE_PATH', 'NODE_EXTRA_CA_CERTS'])
const prefix = /^_*GATEHOUSE_+/
/** Shorter names resemble too many others. */
const comparableLength = 8

/** Warns of variables whose names nearly match one of ours that is not set. */
export function nearlyOurNames(given: readonly string[], ours: readonly string[]): VariableWarning[] {
  const missing = ours.filter((name) => !given.includes(name))
  return given.flatMap((name) => {
    if (ours.includes(name) || wellKnown.has(name)) return []
    const meant = missing.find((candidate) => isNearly(name, candidate))
    if (!meant) return []
    return [variableWarning('unknown-variable', { code: 'unknown-variable', variable: name, other: meant })]
  })
}

function isNearly(name: string, ours: string): boolean {
  const upper = name.toUpperCase().replaceAll('-', '_')
  if (prefix.test(upper) && upper.replace(prefix, '') === ours) return true
  if (ours.length < comparableLength) return false
  const [, withoutFirstWord = ''] = /^[A-Z]+_(.*_.*)$/.exec(ours) ?? []
  return upper === withoutFirstWord || distanceUpTo2(upper, ours)
}

/** Whether at most two letters have to be added, removed or exchanged. */
function distanceUpTo2(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 2) return false
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let at = 1; at <= one.length; at++) {
    const above = row
    row = [at]
    for (let to = 1; to <= other.length; to++) {
      const exchanged = (above[to - 1] as number) + (one[at - 1] === other[to - 1] ? 0 : 1)
      row[to] = Math.min(exchanged, (above[to] as number) + 1, (row[to - 1] as number) + 1)
    }
  }
  return (row[other.length] as number) <= 2
}
