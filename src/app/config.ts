import { z } from 'zod'
import type { OAuthExtensions } from '../clients/extensions.ts'
import type { Bootstrap } from '../provisioning/bootstrap.ts'
import { stateFolderOf } from '../webhooks/local-receiver.ts'
import {
  breachedPasswordMistakes,
  ConfigError,
  certificateMistakes,
  certificateVariables,
  developmentMistakes,
  extensionMistakes,
  mistake,
  openRegistrationMistakes,
  productionMistakes,
  sharedDatabaseMistakes,
} from './config-mistakes.ts'
import { sentSignals, telemetryMistakes } from './telemetry/settings.ts'
import { isAddress, variables } from './variables.ts'

/** The work of a process: the API with its pages, background work (deliveries, mail, tasks), or both. */
export interface Roles {
  api: boolean
  worker: boolean
}

type Environment = Record<string, string | undefined>

/** The values of the variables, as `variables.ts` reads them. */
type Variables = z.output<typeof schema>
const schema = z.object(variables)

/**
 * Reads the configuration.
 *
 * @throws ConfigError with a line for each variable that cannot be used
 */
export function readConfig(environment: Environment): Config {
  const given = Object.fromEntries(Object.keys(variables).map((name) => [name, environment[name]?.trim() || undefined]))
  const result = schema.safeParse(given)
  if (!result.success) {
    const { issues } = result.error
    const further = given.NODE_ENV === 'production' ? productionMistakes(given.PUBLIC_URL ?? '', given) : []
    const isNamed = (line: string) => issues.some(({ path: [name] }) => line.startsWith(`${String(name)} `))
    throw new ConfigError([
      ...issues.map((issue) => mistake(String(issue.path[0]), given, issue.message)),
      ...further.filter((line) => !isNamed(line)),
    ])
  }

  const read = { ...result.data, OAUTH_EXTENSIONS: extensionsOf(result.data, given) }
  const production = read.NODE_ENV === 'production'
  const publicUrl = read.PUBLIC_URL ?? `http://localhost:${read.PORT}`
  const mistakes = production ? productionMistakes(publicUrl, given) : developmentMistakes(publicUrl, given, read.ALLOW_DEVELOPMENT_ON)
  // Browsers refuse a cookie of this name unless it was set over https.
  if (read.SESSION_COOKIE_PREFIX && !publicUrl.startsWith('https://'))
    mistakes.push(mistake('SESSION_COOKIE_PREFIX', given, 'unset unless PUBLIC_URL is https'))
  const { hostname } = new URL(publicUrl)
  if (read.PASSKEY_RP_ID && hostname !== read.PASSKEY_RP_ID && !hostname.endsWith(`.${read.PASSKEY_RP_ID}`))
    mistakes.push(mistake('PASSKEY_RP_ID', given, `${hostname}, or what that ends with after a dot`))
  mistakes.push(...breachedPasswordMistakes(production, given))
  mistakes.push(...openRegistrationMistakes(given, read))
  mistakes.push(...sharedDatabaseMistakes(given, read))
  mistakes.push(...extensionMistakes(given, read))
  mistakes.push(...certificateMistakes(production, given, read))
  mistakes.push(...telemetryMistakes(environment).map(({ variable, expected }) => mistake(variable, environment, expected)))
  if (mistakes.length > 0) throw new ConfigError(mistakes)

  return configOf(read, publicUrl, environment)
}

/** The extensions that are on: `all` holds that of certificates only if a variable says how they arrive. */
function extensionsOf({ OAUTH_EXTENSIONS: named }: Variables, given: Environment): OAuthExtensions {
  const arrive = certificateVariables.some((name) => given[name] !== undefined)
  return given.OAUTH_EXTENSIONS !== 'all' || arrive ? named : new Set([...named].filter((name) => name !== 'mtls'))
}

/** The operator's settings, read from the environment once at start-up. A variable has its row in `variables.ts` and its line here. */
export type Config = ReturnType<typeof configOf>

/** Derives the settings from the variables, where the code needs another form than the operator writes. */
function configOf(read: Variables, publicUrl: string, environment: Environment) {
  const production = read.NODE_ENV === 'production'
  const { hostname } = new URL(publicUrl)
  return {
    production,
    port: read.PORT,
    host: read.HOST ?? (production ? '0.0.0.0' : '127.0.0.1'),
    /** Origin of every link and the OAuth issuer, without a slash at the end. */
    publicUrl,
    databaseUrl: read.DATABASE_URL,
    /** The database that lists may be read from. */
    databaseReplicaUrl: read.DATABASE_REPLICA_URL,
    /** The pooler between the service and the database, if any. */
    databasePooler: read.DATABASE_POOLER,
    /** A connection that bypasses the pooler. */
    databaseListenUrl: read.DATABASE_LISTEN_URL,
    /** How long a start waits for a database that cannot be reached. */
    databaseWaitSeconds: read.DATABASE_WAIT_SECONDS,
    /** How many processes serve the port; with 1, this process serves alone. */
    workers: read.WORKERS,
    roles: { api: read.ROLES.includes('api'), worker: read.ROLES.includes('worker') } satisfies Roles,
    /** How long a stopping process still serves while it reports that it is not ready. */
    drainSeconds: read.DRAIN_SECONDS,
    dataDir: read.DATA_DIR,
    /** 32 bytes; undefined in development, where the key is stored in the data directory. */
    secretKey: read.SECRET_KEY,
    previousSecretKey: read.SECRET_KEY_PREVIOUS,
    smtpUrl: read.SMTP_URL,
    mailFrom: read.MAIL_FROM,
    /** Undefined in production means that SMS is no second factor. In development, messages are then written next to the mails. */
    smsGateway: read.SMS_GATEWAY_URL ? { url: read.SMS_GATEWAY_URL, token: read.SMS_GATEWAY_TOKEN, from: read.SMS_FROM } : undefined,
    redisUrl: read.REDIS_URL,
    systemApiKey: read.SYSTEM_API_KEY,
    bootstrap: bootstrapOf(production, read),
    signup: read.SIGNUP,
    tenantHeader: read.TENANT_HEADER,
    /** Whether fields that no schema names are refused rather than ignored. */
    strictInput: read.STRICT_INPUT === 'on',
    relyingParty: {
      id: read.PASSKEY_RP_ID ?? (isAddress(hostname) ? undefined : hostname),
      origins: [publicUrl, ...read.PASSKEY_ORIGINS],
      furtherOrigins: read.PASSKEY_ORIGINS,
    },
    /** Whether `PASSKEY_RP_ID` is set: the start then checks it against the list of public suffixes. */
    hasOwnRpId: read.PASSKEY_RP_ID !== undefined,
    sessionCookiePrefix: read.SESSION_COOKIE_PREFIX ?? ('' as const),
    /** Undefined disables the lookup of passwords. */
    breachedPasswords: read.BREACHED_PASSWORDS && {
      source: read.BREACHED_PASSWORDS,
      whenUnreachable: read.BREACHED_PASSWORDS_UNREACHABLE ?? ('allow' as const),
      atSignIn: read.BREACHED_PASSWORDS_AT_SIGN_IN ?? ('off' as const),
    },
    webhookVariant: read.WEBHOOK_VARIANT,
    webhookAllowPrivateAddresses: read.WEBHOOK_ALLOW_PRIVATE_ADDRESSES === 'true',
    outgoingPrivateHosts: read.OUTGOING_PRIVATE_HOSTS,
    /** The folder in which receivers of webhooks announce that they run on this machine; undefined in production. */
    localReceivers: production ? undefined : stateFolderOf(environment),
    /** `address` or `address:port` of the name servers that resolve domains; undefined means those of the system. */
    dnsServers: read.DNS_SERVERS,
    /** How long a webhook delivery belongs to the process that attempts it, before another takes it over. */
    webhookLeaseSeconds: read.WEBHOOK_LEASE_SECONDS,
    pkcePlain: read.PKCE_PLAIN,
    idTokenSigningAlg: read.ID_TOKEN_SIGNING_ALG,
    oauthExtensions: read.OAUTH_EXTENSIONS,
    /** Whether a proof of a key has to hold a nonce of this service. */
    dpopNonce: read.DPOP_NONCE,
    /** How a proxy hands on the certificates of clients; undefined without the extension. */
    mtls:
      read.MTLS_CERTIFICATE_HEADER !== undefined && read.MTLS_VERIFIED_HEADER !== undefined
        ? { certificateHeader: read.MTLS_CERTIFICATE_HEADER, verifiedHeader: read.MTLS_VERIFIED_HEADER, publicUrl: read.MTLS_PUBLIC_URL }
        : undefined,
    /** Whether clients may register themselves without a registration token. */
    openRegistration: read.OPEN_REGISTRATION === 'on',
    problemsHost: read.PROBLEMS_HOST ?? new URL(publicUrl).host,
    /** Whether `/docs` and `/openapi.json` are served. */
    apiDocs: read.API_DOCS === 'on',
    metricsToken: read.METRICS_TOKEN,
    sentSignals: sentSignals(environment),
    rateLimit: read.RATE_LIMIT === 'on',
    /** Whether an address is that of a proxy whose `X-Forwarded-*` headers are trusted; undefined trusts none. */
    isTrustedProxy: read.TRUST_PROXY,
    trialMaxUsers: read.TRIAL_MAX_USERS,
    organisationRetentionDays: read.ORGANISATION_RETENTION_DAYS,
    logLevel: read.LOG_LEVEL,
  }
}

function bootstrapOf(
  production: boolean,
  read: { BOOTSTRAP_ORGANISATION_SLUG: string; BOOTSTRAP_OWNER_EMAIL?: string | undefined; BOOTSTRAP_OWNER_PASSWORD?: string | undefined },
): Bootstrap | undefined {
  const { BOOTSTRAP_ORGANISATION_SLUG: slug, BOOTSTRAP_OWNER_EMAIL: email, BOOTSTRAP_OWNER_PASSWORD: password } = read
  if (production) return email && password ? { slug, email, password } : undefined
  return { slug, email: email ?? 'owner@acme.test', password }
}

/**
 * Refuses an RP id that is a public suffix, such as `co.uk`: its passkeys would be valid for every site below it. Browsers refuse it
 * as well, but only when a user tries.
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
