import type { Logger } from 'pino'
import { type Quotas, quotaTable, type RateLimits, rateLimitTable } from '../access/rate-limits.ts'
import { type AutomaticClientSource, type AutomaticClients, automaticClientsOf } from '../automatic-clients/automatic-client.ts'
import type { DocumentDependencies } from '../automatic-clients/documents/find-document.ts'
import { takeAwayAccess } from '../connections/federation/take-away-access.ts'
import type { Saml } from '../connections/saml/saml.ts'
import type { Upstream } from '../connections/upstream/upstream.ts'
import { followDirectories } from '../directories/follow-restored-user.ts'
import { createFindChallenge, type FindChallenge } from '../domains/dns-records.ts'
import { createRequiredSso, type RequiredSso } from '../domains/required-sso.ts'
import { createEmailCodeOffer, type EmailCodeOffer } from '../email-codes/offer.ts'
import type { ClientKeySets } from '../oauth/protocol/client-key-sets.ts'
import type { IssuerKeys } from '../oauth/protocol/issuer-keys.ts'
import { developmentInbox } from '../operations/development-mail.ts'
import type { BreachedPasswords } from '../passwords/breached-passwords.ts'
import type { RangeServerOptions } from '../passwords/range-server.ts'
import type { Clock } from '../platform/clock.ts'
import { createKeyring, type Keyring } from '../platform/crypto/keyring.ts'
import { createPasswordHasher, type PasswordHasher, type VerifyForeignHash } from '../platform/crypto/password-hasher.ts'
import { createDatabase, type Database } from '../platform/database/database.ts'
import type { Engine } from '../platform/database/engine.ts'
import type { OutgoingRules } from '../platform/http/outgoing.ts'
import { createOutgoing, type Outgoing, type OutgoingFetch, type OutgoingOptions } from '../platform/http/outgoing-fetch.ts'
import { createOutbox, type Outbox } from '../platform/mail/outbox.ts'
import type { Counters } from '../platform/rate-limits/counters.ts'
import { openCounters } from '../platform/rate-limits/open-counters.ts'
import { createQuotas } from '../platform/rate-limits/quotas.ts'
import { createRateLimits } from '../platform/rate-limits/rate-limit.ts'
import { reportFailures } from '../platform/sms/senders.ts'
import type { SmsSender } from '../platform/sms/sms.ts'
import { createSigningKeys, type OpenableSigningKeys } from '../tokens/signing-keys.ts'
import { webhookRules } from '../webhooks/destination.ts'
import type { Config } from './config.ts'
import { outgoingRules } from './outgoing-rules.ts'
import type { Telemetry } from './telemetry/telemetry.ts'

/** The operator's settings that features need. */
type Settings = ReturnType<typeof settingsOf>

/**
 * Everything that the service consists of apart from HTTP, each part created once. HTTP, workers, commands and tests take what they
 * need of it. A feature declares its needs as an interface of its own, which this satisfies.
 */
export interface Services extends Settings {
  clock: Clock
  logger: Logger
  database: Database
  keyring: Keyring
  /** Where the attempts of all limits are counted; undefined without limits. */
  counters: Counters | undefined
  limits: RateLimits
  quotas: Quotas
  outbox: Outbox
  passwordHasher: PasswordHasher
  /** Undefined when passwords are not looked up. */
  breachedPasswords: BreachedPasswords | undefined
  /** Undefined without an SMS gateway: then SMS is no second factor. */
  smsSender: SmsSender | undefined
  emailCodeOffer: EmailCodeOffer
  /** Looks up the record of a domain's challenge. */
  findChallenge: FindChallenge
  requiredSso: RequiredSso
  /** Removes everything by which another person could act as a user. */
  takeAwayAccess: typeof takeAwayAccess
  /** Lets a restored user follow their directories again. */
  followDirectories: typeof followDirectories
  /** Requests to servers that administrators name, such as identity providers. */
  outgoing: Outgoing
  /** Opens the client for identity providers. It is loaded with the first sign-in through a connection. */
  openUpstream(): Promise<Upstream>
  /** Opens what speaks SAML. It is loaded with the first connection by SAML. */
  openSaml(): Promise<Saml>
  /** Applications that introduce themselves: none, unless an extension lets them in. */
  automaticClients: AutomaticClients
  /** Opens the keys that clients publish. It is loaded with the first client that does. */
  openClientKeySets(): Promise<ClientKeySets>
  /** Opens the addresses of the keys of platforms. It is loaded with the first token of one. */
  openIssuerKeys(): Promise<IssuerKeys>
  /** Where logout tokens may be sent. */
  logoutRules: OutgoingRules
  /** Must be opened once the database has their table; until then each use reads them. */
  signingKeys: OpenableSigningKeys
  close(): Promise<void>
}

export interface ServicesOptions {
  config: Config
  /** Opened by the caller; closed with the services. */
  engine: Engine
  clock: Clock
  logger: Logger
  /** 32 bytes. */
  secretKey: Buffer
  smsSender?: SmsSender | undefined
  /** Argon2id, unless a test replaces it. */
  passwordHasher?: PasswordHasher | undefined
  /** How to reach the server of breached passwords, if not in the machine's usual way. */
  rangeServer?: RangeServerOptions | undefined
  /** How to reach servers that administrators name, if not in the machine's usual way. */
  outgoing?: Omit<OutgoingOptions, 'rules'> | undefined
  telemetry?: Telemetry | undefined
}

/** Creates the services. It does not query the database yet. */
export async function openServices(options: ServicesOptions): Promise<Services> {
  const {
    config,
    engine,
    clock,
    logger,
    secretKey,
    smsSender,
    passwordHasher = createPasswordHasher(undefined, undefined, verifyForeignHash),
  } = options
  const breachedPasswords = await breachedPasswordsOf(options)
  const database = createDatabase(engine, clock)
  const keyring = createKeyring(secretKey, config.previousSecretKey)
  const untraced = createOutgoing({ rules: outgoingRules(config), ...options.outgoing })
  const outgoing = options.telemetry?.tracing?.outgoing(untraced) ?? untraced
  let opened: Promise<Saml> | undefined
  const openSaml = () => (opened ??= samlOf(outgoing, clock))
  const counters = config.rateLimit ? await openCounters(database, config.redisUrl, logger) : undefined
  const limits = createRateLimits(rateLimitTable, { counters, keyring, clock })
  return {
    ...settingsOf(config),
    clock,
    logger,
    database,
    keyring,
    counters,
    limits,
    quotas: createQuotas(quotaTable, { counters, keyring }),
    outbox: createOutbox(keyring),
    passwordHasher,
    breachedPasswords,
    emailCodeOffer: createEmailCodeOffer(database),
    findChallenge: createFindChallenge(config.dnsServers),
    requiredSso: createRequiredSso(database, (error) => logger.error({ err: error }, 'the domains could not be read')),
    takeAwayAccess,
    followDirectories,
    outgoing,
    logoutRules: { ...webhookRules(config), what: 'logout tokens' },
    openUpstream: openedOnce(async () => {
      const { createUpstream } = await import('../connections/upstream/upstream.ts')
      const fetch = outgoing.fetch('response of the identity provider', upstreamResponseMaxBytes)
      return createUpstream({ fetch: (url, init) => fetch(url, init as Parameters<OutgoingFetch>[1]), clock })
    }),
    openSaml,
    automaticClients: await openAutomaticClients(config, {
      database,
      limits,
      outgoing,
      issuer: config.publicUrl,
      oauthExtensions: config.oauthExtensions,
    }),
    openClientKeySets: openedOnce(async () => {
      const { clientKeysMaxBytes, createClientKeySets } = await import('../oauth/protocol/client-key-sets.ts')
      return createClientKeySets(outgoing.fetch('key set of the client', clientKeysMaxBytes), clock)
    }),
    openIssuerKeys: openedOnce(async () => {
      const { clientKeysMaxBytes } = await import('../oauth/protocol/client-key-sets.ts')
      const { createIssuerKeys } = await import('../oauth/protocol/issuer-keys.ts')
      return createIssuerKeys(outgoing.fetch('document of the issuer', clientKeysMaxBytes), clock)
    }),
    smsSender: smsSender && reportFailures(smsSender, (error) => logger.warn({ err: error }, 'a text message could not be sent')),
    signingKeys: createSigningKeys(database, keyring, {
      algorithms: needsRsaFromTheStart(config) ? ['EdDSA', 'RS256'] : ['EdDSA'],
      onError: (error) => logger.error({ err: error }, 'the signing keys could not be read, or a first one created'),
    }),
    async close() {
      await opened?.then((saml) => saml.close())
      await counters?.close()
      await breachedPasswords?.close()
      await outgoing.close()
      await database.close()
    },
  }
}

const upstreamResponseMaxBytes = 256 * 1024
const metadataMaxBytes = 2 * 1024 * 1024

async function samlOf(outgoing: Outgoing, clock: Clock): Promise<Saml> {
  const { createSaml } = await import('../connections/saml/saml.ts')
  const fetch = outgoing.fetch('metadata of the identity provider', metadataMaxBytes)
  const allowsLoopback = outgoing.rules.allowLoopback ?? false
  return createSaml((url, init) => fetch(url, init as Parameters<OutgoingFetch>[1]), { now: () => clock.now(), allowsLoopback })
}

/** What an extension needs is loaded only when the extension is on. */
async function openAutomaticClients(
  { oauthExtensions, openRegistration }: Config,
  dependencies: DocumentDependencies,
): Promise<AutomaticClients> {
  const sources: AutomaticClientSource[] = []
  if (oauthExtensions.has('client_metadata_documents')) {
    const { documentSource } = await import('../automatic-clients/documents/find-document.ts')
    sources.push(documentSource(dependencies))
  }
  if (openRegistration) {
    const { registrationSource } = await import('../automatic-clients/registrations/source.ts')
    sources.push(registrationSource(dependencies.database))
  }
  return automaticClientsOf(sources)
}

function openedOnce<T>(open: () => Promise<T>): () => Promise<T> {
  let opening: Promise<T> | undefined
  return () => (opening ??= open())
}

/** Loaded only when passwords are looked up. */
async function breachedPasswordsOf({ config, clock, logger, rangeServer }: ServicesOptions): Promise<BreachedPasswords | undefined> {
  if (!config.breachedPasswords) return undefined
  const { openBreachedPasswords } = await import('../passwords/breached-passwords.ts')
  return openBreachedPasswords(config.breachedPasswords, { clock, logger, ...rangeServer })
}

/** The settings that features see. Nothing else of the configuration reaches them: it holds secrets and addresses of servers. */
const settingNames = [
  'publicUrl',
  'signup',
  'trialMaxUsers',
  'pkcePlain',
  'idTokenSigningAlg',
  'oauthExtensions',
  'openRegistration',
  'dpopNonce',
  'mtls',
  'webhookVariant',
  'webhookAllowPrivateAddresses',
  'outgoingPrivateHosts',
  'localReceivers',
  'dataDir',
  'relyingParty',
] as const satisfies readonly (keyof Config)[]

function settingsOf(config: Config) {
  const { publicUrl, production, smtpUrl } = config
  const decided = Object.fromEntries(settingNames.map((name) => [name, config[name]])) as Pick<Config, (typeof settingNames)[number]>
  return {
    ...decided,
    /** `publicUrl` under the name that it has in tokens. */
    issuer: publicUrl,
    secureCookie: publicUrl.startsWith('https:'),
    allowLoopbackPictures: !production,
    environment: production ? ('production' as const) : ('development' as const),
    mail: {
      /** Whether the service has a mail server. Without one, mails are written to files. */
      delivers: smtpUrl !== undefined,
      /** The path that shows those files in development. */
      inbox: production || smtpUrl ? null : developmentInbox,
    },
  }
}

/** Loaded when the first user signs in whose password was hashed by another system. */
export const verifyForeignHash: VerifyForeignHash = async (passwordHash, password) =>
  (await import('../passwords/foreign-hashes/foreign-hashes.ts')).verifyForeignHash(passwordHash, password)

/**
 * Whether any client may have something signed by RS256 that has not asked for it: ID tokens, or the responses of introspection (RFC 9701 §6).
 * One with a document is registered by the sign-in that already needs the key: verifiers would not know it yet.
 */
const needsRsaFromTheStart = ({ idTokenSigningAlg, oauthExtensions }: Config): boolean =>
  idTokenSigningAlg === 'RS256' || oauthExtensions.has('jwt_introspection') || oauthExtensions.has('client_metadata_documents')
