import { isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import { z } from 'zod'
import { parseExtensions } from '../clients/extensions.ts'
import type { BreachedPasswordSettings } from '../passwords/breached-passwords.ts'
import { parseSecretKey, secretKeyExpected } from '../platform/crypto/secret-key.ts'
import { mistakeOfHosts, serverUrls } from '../platform/database/server-addresses.ts'
import { isHttpsOrLocal, parseProxies } from '../platform/http/addresses.ts'
import { parsePrivateHosts } from '../platform/http/private-hosts.ts'

/** Variables whose values are never printed. */
export const secretVariables = new Set([
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

const isUrl = (value: string, protocols: string[]) => URL.canParse(value) && protocols.includes(new URL(value).protocol)
const url = (protocols: string[], example: string) =>
  z.string().refine((value) => isUrl(value, protocols), {
    error: `a URL such as ${example}`,
    abort: true,
  })
const origin = (example: string) =>
  z
    .string()
    .refine((value) => URL.canParse(value) && new URL(value).origin === value.replace(/\/$/, ''), `an origin such as ${example}`)
    .transform((value) => new URL(value).origin)
const headerName = z
  .string()
  .toLowerCase()
  .regex(/^[a-z][a-z0-9_-]*$/, 'the name of a header')
function isEncryptedOrLocal(value: string): boolean {
  const url = URL.parse(value)
  return url !== null && isHttpsOrLocal(url)
}
/** A URL that may hold a password. */
const secretUrl = (protocols: string[], example: string) => url(protocols, example).refine(hasEscapedPassword, escapedPassword(example))
const escapedPassword = (example: string) =>
  `a URL such as ${example}, with @ / ? # and % in the password written as %40 %2F %3F %23 and %25`

/** Unescaped, a part of the password would be read as the host or the port, and appear in messages about failed connections. */
export function hasEscapedPassword(value: string): boolean {
  const [, authority = '', rest = ''] = /^[^:]*:\/\/([^/?#]*)(.*)$/s.exec(value) ?? []
  const [credentials, ...hosts] = authority.split('@')
  return hosts.length <= 1 && !/[@#]/.test(rest) && !/%(?![\da-f]{2})/i.test(credentials ?? '')
}
/** The address of PostgreSQL, with one host or several. */
const databaseUrl = () => {
  const example = 'postgres://user:password@host:5432/database'
  return z
    .string()
    .refine((value) => serverUrls(value).every((url) => isUrl(url, ['postgres:', 'postgresql:'])), {
      error: ({ input }) =>
        serverUrls(String(input)).length > 1 ? 'a URL such as postgres://user:password@a:5432,b:5432/database' : `a URL such as ${example}`,
      abort: true,
    })
    .refine(hasEscapedPassword, { error: escapedPassword(example), abort: true })
    .superRefine((value, context) => {
      const message = mistakeOfHosts(value)
      if (message) context.addIssue({ code: 'custom', message })
    })
}
const whole = (min: number, max: number) =>
  z
    .string()
    .refine((value) => /^\d+$/.test(value) && Number(value) >= min && Number(value) <= max, `a whole number from ${min} to ${max}`)
    .transform(Number)
const oneOf = <const T extends string>(...values: T[]) => z.enum(values, { error: `one of ${values.join(', ')}` })
const key = () =>
  z.string().transform((value, context) => {
    const bytes = parseSecretKey(value)
    if (bytes) return bytes
    context.addIssue({ code: 'custom', message: secretKeyExpected })
    return z.NEVER
  })

export const isAddress = (hostname: string) => isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0
const isPasskeyOrigin = (text: string) =>
  /^(?:android:apk-key-hash|ios:bundle-id):[\w.=-]+$/.test(text) || (text.startsWith('https://') && URL.parse(text)?.origin === text)

/** Whether a text is an address, optionally with a port; an IPv6 address needs brackets before a port. */
function isNameServer(text: string): boolean {
  const [, bracketed, dotted, port] = /^(?:\[([^\]]+)\]|([\d.]+))(?::(\d{1,5}))?$/.exec(text) ?? []
  if (bracketed === undefined && dotted === undefined) return isIP(text) === 6
  return isIP(bracketed ?? dotted ?? '') !== 0 && (port === undefined || (Number(port) > 0 && Number(port) <= 65_535))
}

/** Parses `file:/var/lib/list`, `file:///var/lib/list`, `file:./list`, or a URL to which a prefix is appended. */
function breachedPasswordSource(value: string): BreachedPasswordSettings['source'] | undefined {
  const [, path] = /^file:(?:\/\/(?=\/))?(.+)$/s.exec(value) ?? []
  if (path !== undefined) return { kind: 'file', path }
  const url = URL.parse(value)
  if (!url || url.search || url.hash || url.username || url.password) return undefined
  if (!isEncryptedOrLocal(value)) return undefined
  return { kind: 'server', url: url.href.replace(/\/?$/, '/') }
}

const collectorUrl = url(['http:', 'https:'], 'http://localhost:4318').optional()
// Checked where they are used: when they are set for other programs, they must not stop a start.
const ofOpenTelemetry = z.string().optional()

export const variables = {
  NODE_ENV: oneOf('development', 'production', 'test').default('development'),
  PORT: whole(0, 65_535).default(3000),
  HOST: z.string().optional(),
  PUBLIC_URL: origin('https://id.example.com').optional(),
  ALLOW_DEVELOPMENT_ON: z.string().toLowerCase().optional(),
  DATABASE_URL: databaseUrl().optional(),
  DATABASE_REPLICA_URL: secretUrl(['postgres:', 'postgresql:'], 'postgres://user:password@host:5432/database')
    .refine((value) => serverUrls(value).length === 1, 'a URL with one host, that of the replica')
    .optional(),
  DATABASE_POOLER: oneOf('transaction').optional(),
  DATABASE_LISTEN_URL: databaseUrl().optional(),
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
  SMTP_URL: secretUrl(['smtp:', 'smtps:'], 'smtp://user:password@host:587')
    // A parameter that says nothing, such as starttls=require, would look as if it insisted on encryption.
    .refine((value) => {
      const { hostname, search } = new URL(value)
      return hostname !== '' && (search === '' || search === '?starttls=required')
    }, 'a URL with a host, and with no parameter but starttls=required')
    .optional(),
  MAIL_FROM: z
    .string()
    .refine((value) => /^([^<>]*<)?[^\s<>@]+@[^\s<>@]+>?$/.test(value), 'an address such as Gatehouse <no-reply@example.com>')
    .default('Gatehouse <no-reply@localhost>'),
  SMS_GATEWAY_URL: z
    .string()
    .refine(isEncryptedOrLocal, 'a URL such as https://sms.example.com/messages; http only on this machine')
    .optional(),
  // Anything else cannot be sent in a header, so every message would fail.
  SMS_GATEWAY_TOKEN: z
    .string()
    .regex(/^[ -~]+$/, 'printable characters of ASCII')
    .optional(),
  SMS_FROM: z.string().max(20, 'a number or name of at most 20 characters').optional(),
  REDIS_URL: secretUrl(['redis:', 'rediss:'], 'redis://host:6379')
    .refine(
      (value) => /^(\/\d*)?$/.test(new URL(value).pathname),
      'a URL such as redis://host:6379/2, with the number of a database at its end, or none',
    )
    .optional(),
  // No request can send another one as a bearer token.
  SYSTEM_API_KEY: z
    .string()
    .regex(/^[!-~]{32,}$/, 'at least 32 printable characters of ASCII, without spaces')
    .optional(),
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
  MTLS_CERTIFICATE_HEADER: headerName.optional(),
  MTLS_VERIFIED_HEADER: headerName.optional(),
  MTLS_PUBLIC_URL: origin('https://mtls.id.example.com').optional(),
  DPOP_NONCE: oneOf('off', 'required').default('off'),
  OPEN_REGISTRATION: oneOf('on', 'off').default('off'),
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

export const variableNames: readonly string[] = Object.keys(variables)
