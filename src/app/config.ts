import { isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import { z } from 'zod'
import { type OAuthExtensions, parseExtensions } from '../clients/extensions.ts'
import type { RelyingParty } from '../passkeys/relying-party.ts'
import type { BreachedPasswordSettings } from '../passwords/breached-passwords.ts'
import type { SigningAlgorithm, Variant } from '../platform/database/tables.ts'
import { isLoopbackHost, parseProxies } from '../platform/http/addresses.ts'
import type { PrivateHosts } from '../platform/http/outgoing.ts'
import { parsePrivateHosts } from '../platform/http/private-hosts.ts'
import { type Signal, sentSignals, telemetryMistakes } from './telemetry/settings.ts'

/** What the operator has decided, read from the environment once at start-up. */
export interface Config {
  production: boolean
  port: number
  host: string
  /** Origin of every link and the OAuth issuer, without a slash at the end. */
  publicUrl: string
  databaseUrl: string | undefined
  /** Where lists may be read. */
  databaseReplicaUrl: string | undefined
  /** What stands between the service and the database. */
  databasePooler: 'transaction' | undefined
  /** Goes past the pooler. */
  databaseListenUrl: string | undefined
  /** How long a start waits for a database that is away. */
  databaseWaitSeconds: number
  /** How many processes serve the port: 1 is this one. */
  workers: number
  roles: Roles
  /** How long a stop still serves while it says that it is not ready. */
  drainSeconds: number
  dataDir: string
  /** 32 bytes; undefined in development, where the key is kept in the data directory. */
  secretKey: Buffer | undefined
  previousSecretKey: Buffer | undefined
  smtpUrl: string | undefined
  mailFrom: string
  /** Undefined in production: SMS is no second factor. In development messages are written beside the mails. */
  smsGateway: { url: string; token: string | undefined; from: string | undefined } | undefined
  redisUrl: string | undefined
  systemApiKey: string | undefined
  bootstrap: { slug: string; email: string; password: string | undefined } | undefined
  signup: 'open' | 'closed'
  tenantHeader: 'optional' | 'required'
  /** Whether fields that no schema names are refused rather than ignored. */
  strictInput: boolean
  /** For whom passkeys are made. */
  relyingParty: RelyingParty
  /** Whether `PASSKEY_RP_ID` is set: the start then holds it against the list of public suffixes. */
  hasOwnRpId: boolean
  /** Stands before the name of the session cookie. */
  sessionCookiePrefix: '' | '__Host-'
  /** Undefined looks no password up. */
  breachedPasswords: BreachedPasswordSettings | undefined
  webhookVariant: Variant
  webhookAllowPrivateAddresses: boolean
  /** Private destinations that may be called. */
  outgoingPrivateHosts: PrivateHosts
  /** How long a webhook delivery stays with the process that attempts it, before another takes it over. */
  webhookLeaseSeconds: number
  /** `address` or `address:port` of the name servers that are asked about domains; undefined asks those of the system. */
  dnsServers: readonly string[] | undefined
  pkcePlain: 'allow' | 'deny'
  idTokenSigningAlg: SigningAlgorithm
  /** Extensions of OAuth that are on. */
  oauthExtensions: OAuthExtensions
  problemsHost: string
  /** Whether `/docs` and `/openapi.json` are served. */
  apiDocs: boolean
  /** Bearer token of `/metrics`. */
  metricsToken: string | undefined
  /** What is sent to a collector of OpenTelemetry. */
  sentSignals: readonly Signal[]
  rateLimit: boolean
  /** Whether an address is that of a proxy whose `X-Forwarded-*` are believed; undefined believes none. */
  isTrustedProxy: ((address: string) => boolean) | undefined
  trialMaxUsers: number
  organisationRetentionDays: number
  logLevel: string
}

/** What a process does: the API with its pages, or what goes on behind it (deliveries, mail, tasks). */
export interface Roles {
  api: boolean
  worker: boolean
}

/** The environment cannot be used: one line for each mistake. */
export class ConfigError extends Error {
  readonly mistakes: readonly string[]
  constructor(mistakes: readonly string[]) {
    super(mistakes.join('\n'))
    this.name = 'ConfigError'
    this.mistakes = mistakes
  }
}

// Their values are never printed.
const secretVariables = new Set([
  'SECRET_KEY',
  'SECRET_KEY_PREVIOUS',
  'DATABASE_URL',
  'DATABASE_LISTEN_URL',
  'DATABASE_REPLICA_URL',
  'SMTP_URL',
  'SMS_GATEWAY_TOKEN',
  'REDIS_URL',
  'SYSTEM_API_KEY',
  'METRICS_TOKEN',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_EXPORTER_OTLP_TRACES_HEADERS',
  'OTEL_EXPORTER_OTLP_METRICS_HEADERS',
  'OTEL_EXPORTER_OTLP_LOGS_HEADERS',
  'BOOTSTRAP_OWNER_PASSWORD',
])

const url = (protocols: string[], example: string) =>
  z.string().refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol), {
    error: `a URL such as ${example}`,
    abort: true,
  })
/** A URL that may hold a password. */
const secretUrl = (protocols: string[], example: string) =>
  url(protocols, example).refine(
    hasEscapedPassword,
    `a URL such as ${example}, with @ / ? # and % in the password written as %40 %2F %3F %23 and %25`,
  )

/** Unescaped, a part of the password would be taken for the host or the port, and be printed by whatever cannot reach it. */
function hasEscapedPassword(value: string): boolean {
  const [, authority = '', rest = ''] = /^[^:]*:\/\/([^/?#]*)(.*)$/s.exec(value) ?? []
  const [credentials, ...hosts] = authority.split('@')
  return hosts.length <= 1 && !/[@#]/.test(rest) && !/%(?![\da-f]{2})/i.test(credentials ?? '')
}
const whole = (min: number, max: number) =>
  z
    .string()
    .refine((value) => /^\d+$/.test(value) && Number(value) >= min && Number(value) <= max, `a whole number from ${min} to ${max}`)
    .transform(Number)
const oneOf = <const T extends string>(...values: T[]) => z.enum(values, { error: `one of ${values.join(', ')}` })
const isCanonicalBase64 = (value: string) => Buffer.from(value, 'base64').toString('base64') === value
const key = () =>
  z
    .string()
    // Node skips what is not base64, so that a mistyped or shortened key would pass for another one.
    .refine((value) => value.length === 44 && isCanonicalBase64(value), '32 bytes in base64, as `openssl rand -base64 32` prints them')
    .transform((value) => Buffer.from(value, 'base64'))

const isAddress = (hostname: string) => isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0
const isPasskeyOrigin = (text: string) =>
  /^(?:android:apk-key-hash|ios:bundle-id):[\w.=-]+$/.test(text) || (text.startsWith('https://') && URL.parse(text)?.origin === text)

/** An address, an IPv6 one in brackets where a port follows. */
function isNameServer(text: string): boolean {
  const [, bracketed, dotted, port] = /^(?:\[([^\]]+)\]|([\d.]+))(?::(\d{1,5}))?$/.exec(text) ?? []
  if (bracketed === undefined && dotted === undefined) return isIP(text) === 6
  return isIP(bracketed ?? dotted ?? '') !== 0 && (port === undefined || (Number(port) > 0 && Number(port) <= 65_535))
}

/** `file:/var/lib/list`, `file:///var/lib/list` or `file:./list`; else the URL to which a prefix is appended. */
function breachedPasswordSource(value: string): BreachedPasswordSettings['source'] | undefined {
  const [, path] = /^file:(?:\/\/(?=\/))?(.+)$/s.exec(value) ?? []
  if (path !== undefined) return { kind: 'file', path }
  const url = URL.parse(value)
  if (!url || url.search || url.hash || url.username || url.password) return undefined
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopbackHost(url.hostname))) return undefined
  return { kind: 'server', url: url.href.replace(/\/?$/, '/') }
}

const collectorUrl = url(['http:', 'https:'], 'http://localhost:4318').optional()
// What they must be is said where they are used: set for other programs, they stop no start.
const ofOpenTelemetry = z.string().optional()

const variables = {
  NODE_ENV: oneOf('development', 'production', 'test').default('development'),
  PORT: whole(0, 65_535).default(3000),
  HOST: z.string().optional(),
  PUBLIC_URL: z
    .string()
    .refine(
      (value) => URL.canParse(value) && new URL(value).origin === value.replace(/\/$/, ''),
      'an origin such as https://id.example.com',
    )
    .transform((value) => new URL(value).origin)
    .optional(),
  ALLOW_DEVELOPMENT_ON: z.string().toLowerCase().optional(),
  DATABASE_URL: secretUrl(['postgres:', 'postgresql:'], 'postgres://user:password@host:5432/database').optional(),
  DATABASE_REPLICA_URL: secretUrl(['postgres:', 'postgresql:'], 'postgres://user:password@host:5432/database').optional(),
  DATABASE_POOLER: oneOf('transaction').optional(),
  DATABASE_LISTEN_URL: secretUrl(['postgres:', 'postgresql:'], 'postgres://user:password@host:5432/database').optional(),
  DATABASE_WAIT_SECONDS: whole(0, 3_600).default(30),
  WORKERS: z
    .string()
    .refine((value) => value === 'auto' || /^([1-9]|[1-9]\d|1[01]\d|12[0-8])$/.test(value), 'a whole number from 1 to 128, or auto')
    .transform((value) => (value === 'auto' ? availableParallelism() : Number(value)))
    .default(1),
  ROLES: z
    .string()
    .transform((value) => value.split(',').map((role) => role.trim()))
    .refine((roles) => roles.every((role) => role === 'api' || role === 'worker'), 'api, worker, or both separated by a comma')
    .default(['api', 'worker']),
  DRAIN_SECONDS: whole(0, 300).default(0),
  DATA_DIR: z.string().default('./data'),
  SECRET_KEY: key().optional(),
  SECRET_KEY_PREVIOUS: key().optional(),
  SMTP_URL: secretUrl(['smtp:', 'smtps:'], 'smtp://user:password@host:587').optional(),
  MAIL_FROM: z
    .string()
    .refine((value) => /^([^<>]*<)?[^\s<>@]+@[^\s<>@]+>?$/.test(value), 'an address such as Gatehouse <no-reply@example.com>')
    .default('Gatehouse <no-reply@localhost>'),
  SMS_GATEWAY_URL: url(['https:', 'http:'], 'https://sms.example.com/messages').optional(),
  SMS_GATEWAY_TOKEN: z.string().optional(),
  SMS_FROM: z.string().max(20, 'a number or name of at most 20 characters').optional(),
  REDIS_URL: secretUrl(['redis:', 'rediss:'], 'redis://host:6379').optional(),
  SYSTEM_API_KEY: z.string().min(32, 'at least 32 characters').optional(),
  BOOTSTRAP_ORGANISATION_SLUG: z
    .string()
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'lower-case letters, digits and hyphens')
    .default('acme'),
  BOOTSTRAP_OWNER_EMAIL: z.email('an e-mail address').toLowerCase().optional(),
  BOOTSTRAP_OWNER_PASSWORD: z.string().min(8, 'at least 8 characters').optional(),
  SIGNUP: oneOf('open', 'closed').default('closed'),
  TENANT_HEADER: oneOf('optional', 'required').default('optional'),
  STRICT_INPUT: oneOf('on', 'off').default('off'),
  PASSKEY_RP_ID: z
    .string()
    .toLowerCase()
    .refine((value) => /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/.test(value) && !isAddress(value), {
      error: 'a host name such as example.com, not an IP address',
      abort: true,
    })
    .optional(),
  PASSKEY_ORIGINS: z
    .string()
    .transform((value) => value.split(',').map((origin) => origin.trim()))
    .refine(
      (origins) => origins.every(isPasskeyOrigin),
      'origins such as https://example.org or android:apk-key-hash:…, separated by commas',
    )
    .default([]),
  SESSION_COOKIE_PREFIX: oneOf('__Host-').optional(),
  BREACHED_PASSWORDS: z
    .string()
    .transform((value, context) => {
      const source = breachedPasswordSource(value)
      if (source) return source
      const message =
        'an https URL such as https://api.pwnedpasswords.com/range/, or file:<path> of what `npm run passwords:import` has made'
      context.addIssue({ code: 'custom', message })
      return z.NEVER
    })
    .optional(),
  BREACHED_PASSWORDS_UNREACHABLE: oneOf('allow', 'refuse').optional(),
  BREACHED_PASSWORDS_AT_SIGN_IN: oneOf('off', 'warn', 'change').optional(),
  WEBHOOK_VARIANT: oneOf('A', 'B').default('B'),
  WEBHOOK_ALLOW_PRIVATE_ADDRESSES: oneOf('true', 'false').default('false'),
  WEBHOOK_LEASE_SECONDS: whole(1, 3_600).default(30),
  OUTGOING_PRIVATE_HOSTS: z
    .string()
    .default('')
    .transform((value, context) => {
      const hosts = parsePrivateHosts(value)
      if (hosts) return hosts
      const message = 'host names, addresses and ranges such as idp.internal or 10.1.2.0/24, separated by commas'
      context.addIssue({ code: 'custom', message })
      return z.NEVER
    }),
  DNS_SERVERS: z
    .string()
    .transform((value) => value.split(',').map((server) => server.trim()))
    .refine((servers) => servers.every(isNameServer), 'addresses such as 192.0.2.53 or [2001:db8::53]:5353, separated by commas')
    .optional(),
  PKCE_PLAIN: oneOf('allow', 'deny').default('allow'),
  ID_TOKEN_SIGNING_ALG: oneOf('EdDSA', 'RS256').default('EdDSA'),
  OAUTH_EXTENSIONS: z
    .string()
    .default('')
    .transform((value, context) => {
      const parsed = parseExtensions(value)
      if (!('mistake' in parsed)) return parsed
      context.addIssue({ code: 'custom', message: parsed.mistake })
      return z.NEVER
    }),
  PROBLEMS_HOST: z
    .string()
    .regex(/^[a-z0-9.-]+(:\d+)?$/i, 'a host such as problems.example.com')
    .optional(),
  API_DOCS: oneOf('on', 'off').default('on'),
  METRICS_TOKEN: z
    .string()
    .regex(/^[\w.~+/=-]{16,}$/, 'at least 16 letters, digits or - . _ ~ + / =')
    .optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: collectorUrl,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: collectorUrl,
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: collectorUrl,
  OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: collectorUrl,
  OTEL_EXPORTER_OTLP_PROTOCOL: ofOpenTelemetry,
  OTEL_EXPORTER_OTLP_HEADERS: ofOpenTelemetry,
  OTEL_TRACES_EXPORTER: ofOpenTelemetry,
  OTEL_METRICS_EXPORTER: ofOpenTelemetry,
  OTEL_LOGS_EXPORTER: ofOpenTelemetry,
  OTEL_METRIC_EXPORT_INTERVAL: ofOpenTelemetry,
  OTEL_RESOURCE_ATTRIBUTES: ofOpenTelemetry,
  OTEL_SERVICE_NAME: ofOpenTelemetry,
  OTEL_SDK_DISABLED: ofOpenTelemetry,
  RATE_LIMIT: oneOf('on', 'off').default('on'),
  TRUST_PROXY: z
    .string()
    .transform((value, context) => {
      const isTrusted = parseProxies(value)
      if (isTrusted) return isTrusted
      context.addIssue({ code: 'custom', message: 'addresses, ranges such as 10.0.0.0/8, or loopback, separated by commas' })
      return z.NEVER
    })
    .optional(),
  TRIAL_MAX_USERS: whole(1, 1_000_000).default(100),
  ORGANISATION_RETENTION_DAYS: whole(0, 3_650).default(30),
  LOG_LEVEL: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').default('info'),
}

/** The name of every variable that there is. */
export const variableNames: readonly string[] = Object.keys(variables)

/**
 * Reads the configuration.
 *
 * @throws ConfigError with a line for each variable that cannot be used
 */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(Object.keys(variables).map((name) => [name, environment[name]?.trim() || undefined]))
  const result = z.object(variables).safeParse(given)
  if (!result.success) {
    const { issues } = result.error
    const further = given.NODE_ENV === 'production' ? productionMistakes(given.PUBLIC_URL ?? '', given) : []
    const isNamed = (line: string) => issues.some(({ path: [name] }) => line.startsWith(`${String(name)} `))
    throw new ConfigError([
      ...issues.map((issue) => mistake(String(issue.path[0]), given, issue.message)),
      ...further.filter((line) => !isNamed(line)),
    ])
  }

  const read = result.data
  const production = read.NODE_ENV === 'production'
  const publicUrl = read.PUBLIC_URL ?? `http://localhost:${read.PORT}`
  const mistakes = production ? productionMistakes(publicUrl, given) : developmentMistakes(publicUrl, given, read.ALLOW_DEVELOPMENT_ON)
  // Browsers refuse a cookie of this name that did not come by https.
  if (read.SESSION_COOKIE_PREFIX && !publicUrl.startsWith('https://'))
    mistakes.push(mistake('SESSION_COOKIE_PREFIX', given, 'unset unless PUBLIC_URL is https'))
  const { hostname } = new URL(publicUrl)
  if (read.PASSKEY_RP_ID && hostname !== read.PASSKEY_RP_ID && !hostname.endsWith(`.${read.PASSKEY_RP_ID}`))
    mistakes.push(mistake('PASSKEY_RP_ID', given, `${hostname}, or what that ends with after a dot`))
  mistakes.push(...breachedPasswordMistakes(production, given))
  mistakes.push(...sharedDatabaseMistakes(given, read))
  mistakes.push(...telemetryMistakes(environment).map(({ variable, expected }) => mistake(variable, environment, expected)))
  if (mistakes.length > 0) throw new ConfigError(mistakes)

  return {
    production,
    port: read.PORT,
    host: read.HOST ?? (production ? '0.0.0.0' : '127.0.0.1'),
    publicUrl,
    databaseUrl: read.DATABASE_URL,
    databaseReplicaUrl: read.DATABASE_REPLICA_URL,
    databasePooler: read.DATABASE_POOLER,
    databaseListenUrl: read.DATABASE_LISTEN_URL,
    databaseWaitSeconds: read.DATABASE_WAIT_SECONDS,
    workers: read.WORKERS,
    roles: { api: read.ROLES.includes('api'), worker: read.ROLES.includes('worker') },
    drainSeconds: read.DRAIN_SECONDS,
    dataDir: read.DATA_DIR,
    secretKey: read.SECRET_KEY,
    previousSecretKey: read.SECRET_KEY_PREVIOUS,
    smtpUrl: read.SMTP_URL,
    mailFrom: read.MAIL_FROM,
    smsGateway: read.SMS_GATEWAY_URL ? { url: read.SMS_GATEWAY_URL, token: read.SMS_GATEWAY_TOKEN, from: read.SMS_FROM } : undefined,
    redisUrl: read.REDIS_URL,
    systemApiKey: read.SYSTEM_API_KEY,
    bootstrap: bootstrapOf(production, read),
    signup: read.SIGNUP,
    tenantHeader: read.TENANT_HEADER,
    strictInput: read.STRICT_INPUT === 'on',
    relyingParty: {
      id: read.PASSKEY_RP_ID ?? (isAddress(hostname) ? undefined : hostname),
      origins: [publicUrl, ...read.PASSKEY_ORIGINS],
      furtherOrigins: read.PASSKEY_ORIGINS,
    },
    hasOwnRpId: read.PASSKEY_RP_ID !== undefined,
    sessionCookiePrefix: read.SESSION_COOKIE_PREFIX ?? '',
    breachedPasswords: read.BREACHED_PASSWORDS && {
      source: read.BREACHED_PASSWORDS,
      whenUnreachable: read.BREACHED_PASSWORDS_UNREACHABLE ?? 'allow',
      atSignIn: read.BREACHED_PASSWORDS_AT_SIGN_IN ?? 'off',
    },
    webhookVariant: read.WEBHOOK_VARIANT,
    webhookAllowPrivateAddresses: read.WEBHOOK_ALLOW_PRIVATE_ADDRESSES === 'true',
    outgoingPrivateHosts: read.OUTGOING_PRIVATE_HOSTS,
    dnsServers: read.DNS_SERVERS,
    webhookLeaseSeconds: read.WEBHOOK_LEASE_SECONDS,
    pkcePlain: read.PKCE_PLAIN,
    idTokenSigningAlg: read.ID_TOKEN_SIGNING_ALG,
    oauthExtensions: read.OAUTH_EXTENSIONS,
    problemsHost: read.PROBLEMS_HOST ?? new URL(publicUrl).host,
    apiDocs: read.API_DOCS === 'on',
    metricsToken: read.METRICS_TOKEN,
    sentSignals: sentSignals(environment),
    rateLimit: read.RATE_LIMIT === 'on',
    isTrustedProxy: read.TRUST_PROXY,
    trialMaxUsers: read.TRIAL_MAX_USERS,
    organisationRetentionDays: read.ORGANISATION_RETENTION_DAYS,
    logLevel: read.LOG_LEVEL,
  }
}

/** A variable as an operator may see it. */
export interface DescribedVariable {
  name: string
  /** What applies, secrets masked; null when there is none. */
  value: string | null
  origin: 'environment' | 'default' | 'unset'
  default: string | null
}

/** Every variable with its value and where that comes from, also where some of them cannot be used. */
export function describeVariables(environment: Record<string, string | undefined>): DescribedVariable[] {
  return Object.entries(variables).map(([name, schema]) => {
    const given = environment[name]?.trim()
    const byDefault = dependentDefaults(environment)[name] ?? writtenDefault(schema)
    if (given) return { name, value: masked(name, given), origin: 'environment', default: byDefault }
    return { name, value: byDefault, origin: byDefault === null ? 'unset' : 'default', default: byDefault }
  })
}

/** Defaults that other variables decide. */
function dependentDefaults(environment: Record<string, string | undefined>): Record<string, string> {
  const production = environment.NODE_ENV?.trim() === 'production'
  const publicUrl = environment.PUBLIC_URL?.trim() || `http://localhost:${environment.PORT?.trim() || 3000}`
  return {
    HOST: production ? '0.0.0.0' : '127.0.0.1',
    ...(!production && { PUBLIC_URL: `http://localhost:${environment.PORT?.trim() || 3000}`, BOOTSTRAP_OWNER_EMAIL: 'owner@acme.test' }),
    ...(URL.canParse(publicUrl) && { PROBLEMS_HOST: new URL(publicUrl).host }),
  }
}

function writtenDefault(schema: z.core.$ZodType): string | null {
  const { def } = schema._zod
  if (def.type === 'pipe') return writtenDefault((def as z.core.$ZodPipeDef).in)
  if (def.type !== 'default') return null
  return String((def as z.core.$ZodDefaultDef).defaultValue) || null
}

/** Of a URL that may hold a password, what is neither that nor a parameter. */
function masked(name: string, value: string): string {
  if (!secretVariables.has(name)) return withoutCredentials(value)
  const url = name.endsWith('_URL') && hasEscapedPassword(value) ? URL.parse(value) : null
  if (!url) return '********'
  const credentials = url.username || url.password ? `${url.username}${url.password && ':********'}@` : ''
  return `${url.protocol}//${credentials}${url.host}${url.pathname}${url.search && '?********'}`
}

function bootstrapOf(
  production: boolean,
  read: { BOOTSTRAP_ORGANISATION_SLUG: string; BOOTSTRAP_OWNER_EMAIL?: string | undefined; BOOTSTRAP_OWNER_PASSWORD?: string | undefined },
): Config['bootstrap'] {
  const { BOOTSTRAP_ORGANISATION_SLUG: slug, BOOTSTRAP_OWNER_EMAIL: email, BOOTSTRAP_OWNER_PASSWORD: password } = read
  if (production) return email && password ? { slug, email, password } : undefined
  return { slug, email: email ?? 'owner@acme.test', password }
}

function breachedPasswordMistakes(production: boolean, given: Record<string, string | undefined>): string[] {
  if (given.BREACHED_PASSWORDS === undefined) {
    const defaults = { BREACHED_PASSWORDS_UNREACHABLE: 'allow', BREACHED_PASSWORDS_AT_SIGN_IN: 'off' }
    return Object.entries(defaults).flatMap(([name, value]) =>
      given[name] === undefined || given[name] === value ? [] : [mistake(name, given, `${value} unless BREACHED_PASSWORDS is set`)],
    )
  }
  const isPlain = /^http:/i.test(given.BREACHED_PASSWORDS)
  return production && isPlain ? [mistake('BREACHED_PASSWORDS', given, 'an https URL in production, or file:<path>')] : []
}

/** The embedded database serves one process. */
function sharedDatabaseMistakes(given: Record<string, string | undefined>, read: { WORKERS: number; ROLES: readonly string[] }): string[] {
  if (given.DATABASE_URL !== undefined) return []
  const mistakes: string[] = []
  if (read.WORKERS > 1) mistakes.push(mistake('WORKERS', given, '1 unless DATABASE_URL names a PostgreSQL'))
  for (const name of ['DATABASE_REPLICA_URL', 'DATABASE_POOLER', 'DATABASE_LISTEN_URL'])
    if (given[name] !== undefined) mistakes.push(mistake(name, given, 'unset unless DATABASE_URL names a PostgreSQL'))
  if (new Set(read.ROLES).size < 2) mistakes.push(mistake('ROLES', given, 'api,worker unless DATABASE_URL names a PostgreSQL'))
  return mistakes
}

function productionMistakes(publicUrl: string, given: Record<string, string | undefined>): string[] {
  const mistakes: string[] = []
  if (!publicUrl.startsWith('https://'))
    mistakes.push(mistake('PUBLIC_URL', given, 'an https origin in production, such as https://id.example.com'))
  if (!given.SECRET_KEY)
    mistakes.push(mistake('SECRET_KEY', given, 'set in production: 32 bytes in base64, as `openssl rand -base64 32` prints them'))
  return mistakes
}

/** In development mails are public and the system key is in a file: the internet must not reach that. */
function developmentMistakes(publicUrl: string, given: Record<string, string | undefined>, allowedHost: string | undefined): string[] {
  const { hostname } = new URL(publicUrl)
  if (isLoopbackHost(hostname) || hostname === allowedHost) return []
  const expected = `an origin of this machine, such as http://localhost:3000: for others set NODE_ENV=production, or ALLOW_DEVELOPMENT_ON=${hostname}`
  return [mistake('PUBLIC_URL', given, expected)]
}

/**
 * Refuses an RP id that is a public suffix, such as `co.uk`: its passkeys would be those of every site below it. Browsers refuse it,
 * too, but only when a user tries.
 *
 * @throws ConfigError
 */
export async function refusePublicSuffix({ hasOwnRpId, relyingParty: { id } }: Pick<Config, 'hasOwnRpId' | 'relyingParty'>): Promise<void> {
  if (!hasOwnRpId || id === undefined) return
  const { parse } = await import('tldts')
  const { publicSuffix, isIcann, isPrivate } = parse(id, { allowPrivateDomains: true })
  if (publicSuffix !== id || !(isIcann || isPrivate)) return
  throw new ConfigError([mistake('PASSKEY_RP_ID', { PASSKEY_RP_ID: id }, 'a host name below a public suffix, such as example.com')])
}

function mistake(variable: string, given: Record<string, string | undefined>, expected: string): string {
  const value = given[variable]
  if (value === undefined) return `${variable} is not set and must be ${expected}`
  return `${variable} is ${secretVariables.has(variable) ? 'not usable' : `"${withoutCredentials(value)}"`} and must be ${expected}`
}

/** An address may hold a name and a password. */
const withoutCredentials = (value: string) => value.replace(/\/\/[^/@]*@/, '//…@')
