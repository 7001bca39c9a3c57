import type { DirectoryMistake } from '../directory-mistakes/texts.ts'
import type { PassedOver } from '../servers-passed-over/texts.ts'
import type { VariableMistake } from '../variable-mistakes/texts.ts'

/** The first of what was found, and how many more there are. */
export interface FirstOf<Item> {
  first: Item[]
  more: number
}

type NoValues = Record<never, never>

/** A text of the system or of a library, as it is. */
interface WithReason {
  reason: string
}

/** An address that could not be asked. */
interface NotAsked extends WithReason {
  address: string
  host: string
  port: number
}

interface Connections {
  left: number
  most: number
  limit: 'server' | 'role' | 'database'
  /** The connections of processes of Gatehouse. */
  ours: number
}

interface DatabaseVersion {
  version: string
  isEmbedded: boolean
}

interface Room {
  freeBytes: number
  totalBytes: number
}

interface WaitingMails {
  mails: number
  oldestSeconds: number
  lastError: string | null
}

interface PendingDeliveries {
  pending: number
  due: number
  /** How long the oldest has been due; not positive while none is. */
  oldestSeconds: number
}

export interface SigningKey {
  algorithm: string
  ageSeconds: number
  /** When the next one begins to sign. */
  nextAt: string
}

/** The values of every finding of a check that passes. A time is in ISO 8601. */
export interface PassedValues {
  // configuration
  'variables-in-order': { variables: number }
  'secret-key-of-development': NoValues
  'secret-key-random': NoValues
  'previous-secret-key-not-set': NoValues
  'redis-answers': { milliseconds: number }
  // public-url, proxy-cookies, proxy-forwarded
  'public-url-answers': { address: string }
  'cookies-pass': NoValues
  'no-proxy': NoValues
  'proxy-trusted': { proxy: string }
  'proxy-trusted-header-not-tried': { proxy: string }
  // database
  'database-answers': { milliseconds: number }
  'servers-in-order': {
    primary: string
    /** How far each replica is behind; null for another address of the primary. */
    others: { server: string; behindBytes: number | null }[]
    isSynchronous: boolean
  }
  'replica-read': NoValues
  /** Of the database: less than 0 where it is behind. */
  'clocks-agree': { aheadSeconds: number }
  'connections-left': Connections
  'database-version-supported': DatabaseVersion
  'role-limited': NoValues
  'roles-separated': NoValues
  'row-level-security-forced': { tables: number }
  'migrations-applied': { applied: number; last: string }
  'migrations-known': NoValues
  'pooler-without-notices': NoValues
  'pooler-with-notices': NoValues
  'connections-hold': NoValues
  // storage
  'table-sizes': { tables: number; totalBytes: number; largest: { table: string; bytes: number; rowsADay: number | null }[] }
  'dead-rows-removed': { rowsMax: number }
  'indexes-used': { fromBytes: number; days: number }
  'disk-has-room': Room
  // mail
  'mails-to-files': NoValues
  'mail-server-encrypted': NoValues
  'mail-server-of-this-machine': NoValues
  'no-mail-waits': NoValues
  'mails-wait': WaitingMails
  // webhooks
  'no-webhook-pending': NoValues
  'webhooks-pending': PendingDeliveries
  'no-webhook-deactivated': NoValues
  'no-logout-pending': NoValues
  'logouts-pending': PendingDeliveries
  'logouts-taken': NoValues
  // keys
  'signing-keys-in-time': { keys: SigningKey[] }
  'signing-keys-readable': { keys: number }
  'secrets-readable': NoValues
  'no-platform-needed': NoValues
  'platforms-answer': { platforms: number; notAsked: number }
  'no-platform-trusted': NoValues
  'trust-in-use': { records: number }
  // organisations
  'organisation-exists': NoValues
  'trials-within-limit': { usersMax: number }
  'second-factors-possible': NoValues
  'single-sign-on-works': NoValues
  'domain-records-found': NoValues
  'no-directory-fails': NoValues
  'directory-tokens-last': { days: number }
  'automatic-clients-have-room': { below: number }
  'client-documents-readable': NoValues
  'no-setup-link-ends': { hours: number }
  'no-setup-link-waits': { days: number }
}

/** The values of every finding of a check that does not pass. */
export interface WrongValues {
  // any check
  'check-not-made': WithReason
  'check-not-ended': { seconds: number }
  // configuration
  'variables-contradict': { mistakes: VariableMistake[] }
  /** The texts are those of a start that is refused. */
  'variables-refused': { mistakes: string[] }
  'secret-key-of-few-bytes': { differentBytes: number }
  'secret-key-printable': NoValues
  'secrets-under-previous-key': { secrets: number }
  'previous-secret-key-not-needed': NoValues
  'redis-unreachable': WithReason & { server: string }
  'redis-refuses-database': WithReason
  'redis-refuses-user': WithReason
  'redis-certificate-refused': WithReason
  'redis-does-not-answer': WithReason
  // public-url
  'public-url-host-unknown': NotAsked
  'public-url-certificate-expired': NotAsked
  'public-url-certificate-not-yet-valid': NotAsked
  'public-url-certificate-of-another-host': NotAsked
  'public-url-certificate-untrusted': NotAsked
  'public-url-without-tls': NotAsked
  'public-url-unreachable': NotAsked
  'public-url-without-service': { address: string; status: number; location: string | null; servicePort: number }
  'public-url-refused': { address: string; status: number; location: string | null; servicePort: number }
  'public-url-of-another-issuer': { issuer: string | null; publicUrl: string }
  'public-url-names-other-addresses': { fields: string[] }
  // proxy-cookies and proxy-forwarded
  'doctor-not-known-at-public-url': NoValues
  'echo-refused': { path: string; status: number }
  'cookie-does-not-arrive': NoValues
  'cookie-does-not-return': NoValues
  'cookie-without-attributes': { attributes: string[] }
  'cookie-with-domain': { attribute: string }
  'proxy-passes-header-on': { proxy: string }
  'proxy-does-not-forward': { proxy: string }
  'proxy-removes-header': { proxy: string; isTrusted: boolean }
  'proxy-not-trusted': { proxy: string }
  // database
  'database-unreachable': WithReason & { remedy: string | null }
  'database-read-only': NoValues
  'no-primary': { servers: { server: string; why: PassedOver }[] }
  'servers-wrong': { primary: string; servers: WrongServer[] }
  'replica-not-read': WithReason & { remedy: string | null }
  'clocks-apart': { aheadSeconds: number }
  'few-connections-left': Connections
  'database-version-too-old': DatabaseVersion & { oldest: number }
  'role-of-superuser': NoValues
  'role-inherits': { statement: string }
  'roles-not-separated': { mistakes: RoleMistake[] }
  'row-level-security-not-forced': { tables: string[] }
  'row-level-security-without-policy': { tables: string[] }
  'migrations-pending': { migrations: string[] }
  'migrations-unknown': { migrations: string[] }
  'listen-url-without-notices': NoValues
  'notices-lost': NoValues
  'connection-state-lost': NoValues
  // storage
  'dead-rows-left': { tables: { table: string; dead: number; live: number }[] }
  'indexes-unused': { indexes: { index: string; bytes: number }[] }
  'disk-nearly-full': Room
  // mail
  'mail-server-not-set': NoValues
  'mail-server-unencrypted': { server: string }
  'mail-server-certificate-refused': WithReason & { host: string }
  'mail-server-refuses-user': WithReason
  'mail-server-without-tls': WithReason
  'mail-server-does-not-answer': WithReason
  'mails-late': WaitingMails
  // webhooks
  'webhooks-late': PendingDeliveries
  /** The host is null where the address cannot be read. */
  'webhooks-deactivated': FirstOf<{ organisation: string; host: string | null }> & { webhooks: number }
  'logouts-late': PendingDeliveries
  /** The status is null without a response. */
  'logouts-failing': FirstOf<{ organisation: string; application: string; failed: number; status: number | null }> & {
    applications: number
  }
  // keys
  'no-signing-key': NoValues
  'signing-keys-late': { keys: SigningKey[]; lateDays: number[]; signsForDays: number }
  'signing-keys-unreadable': { keys: string[]; of: number }
  'secrets-unreadable': { secrets: number }
  'platforms-without-keys': FirstOf<{ issuer: string; organisations: string[]; reason: string }> & { notAsked: number }
  'trust-without-extension': FirstOf<{ organisation: string; name: string }>
  'trust-unused': FirstOf<{ organisation: string; name: string; idle: 'revoked' | 'expired' | 'creator' | 'unused'; usedAt: string }>
  // organisations
  'no-organisation': { hasSystemKey: boolean }
  'trials-beyond-limit': FirstOf<{ organisation: string; users: number }> & { usersMax: number }
  'second-factors-impossible': FirstOf<string>
  'single-sign-on-broken': FirstOf<{
    organisation: string
    domain: string
    connection: string
    why: 'inactive' | 'without-secret' | 'failing'
  }>
  /** A domain without a time has lapsed. */
  'domain-records-missing': FirstOf<{ domain: string; organisation: string; requiresSingleSignOn: boolean; since: string | null }>
  'directories-failing': FirstOf<{
    organisation: string
    directory: string
    error: string | null
    mistake: DirectoryMistake<string> | null
  }>
  'directory-tokens-end': FirstOf<{ organisation: string; directory: string; endsAt: string; hasEnded: boolean }>
  'automatic-clients-full': FirstOf<{ organisation: string; clients: number }> & { clientsMax: number }
  'client-documents-unreadable': FirstOf<{ client: string; since: string }>
  'setup-links-end': FirstOf<{ organisation: string; link: string; endsAt: string }>
  'setup-links-wait': FirstOf<{ organisation: string; link: string; made: string }>
}

/** What is wrong with a server that is not the primary. */
export type WrongServer =
  | { mistake: 'silent'; server: string; why: PassedOver }
  | { mistake: 'no-replica'; server: string; why: PassedOver }
  | { mistake: 'paused'; server: string }
  | { mistake: 'receives-nothing'; server: string }
  | { mistake: 'behind'; server: string; behindBytes: number }

/** What a role of the service may do that it must not, and the statement that ends it. The object is the other role, or the table. */
export interface RoleMistake {
  mistake: 'superuser' | 'login' | 'member' | 'owner'
  role: string
  object: string | null
  statement: string
}

export type PassedCode = keyof PassedValues
export type WrongCode = keyof WrongValues

/** Each with the values of its own code. */
type PassedOf<Code extends PassedCode> = Code extends PassedCode ? { state: 'ok'; code: Code; values: PassedValues[Code] } : never
type WrongOf<Code extends WrongCode> = Code extends WrongCode
  ? { state: 'warning' | 'failure'; code: Code; values: WrongValues[Code] }
  : never

/** What a check returns: no sentence, but the code of one and its values. */
export type Finding = PassedOf<PassedCode> | WrongOf<WrongCode>

type Text<Values> = string | ((values: Values) => string)

interface WrongText<Values> {
  seen: Text<Values>
  /** Why it matters. */
  why: Text<Values>
  /** The exact change that solves the problem. */
  remedy: Text<Values>
}

/** The words of a language: without those of one finding it does not compile. */
export interface FindingTexts {
  passed: { readonly [Code in PassedCode]: Text<PassedValues[Code]> }
  wrong: { readonly [Code in WrongCode]: WrongText<WrongValues[Code]> }
}

export interface FindingInWords {
  seen: string
  /** Null when nothing is wrong. */
  why: string | null
  remedy: string | null
}

const said = <Values>(text: Text<Values>, values: Values): string => (typeof text === 'function' ? text(values) : text)

/** A finding in the words of a language; undefined for one of a later release, which it has no words for. */
export function findingInWords(texts: FindingTexts, { code, values }: { code: string; values: object }): FindingInWords | undefined {
  // The values are those of the code: a check compiles only with them, and a code does not change what it has.
  if (Object.hasOwn(texts.passed, code))
    return { seen: said(texts.passed[code as PassedCode] as Text<object>, values), why: null, remedy: null }
  if (!Object.hasOwn(texts.wrong, code)) return undefined
  const { seen, why, remedy } = texts.wrong[code as WrongCode] as WrongText<object>
  return { seen: said(seen, values), why: said(why, values), remedy: said(remedy, values) }
}
