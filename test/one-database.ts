/**
 * Which tests run on one of the two databases, and why that is enough. A test that never reaches a difference between the databases runs
 * on PostgreSQL, which takes less time.
 *
 * What can differ is held statement by statement. `npm run test:databases` notes which statements the service sends in each test, and which
 * constraints refuse them, and writes to `both-databases.json` the tests that send them all: those run on both databases, the others of
 * the same files on PostgreSQL. At the end of a run of all tests, `tools/test-report.ts` fails it if PostgreSQL was sent a statement in
 * one of these files that the embedded database never was. Files and tests that the record does not know run on both, and so do
 * files whose subject is the database, its locks or the process, in `onBoth`.
 */
import { createHash } from 'node:crypto'
import { globSync } from 'node:fs'
import bothDatabases from './both-databases.json' with { type: 'json' }

const browser = 'what a browser shows; what the API responds to it is tested on both'
const command = 'what a command prints; the operation that it carries out is tested on both, and so is how commands open a database'
const documents = 'what a document says'
const noData = 'a process, a network or a file, and no data'
const message = 'the form of a request, a response or a mail, whatever the data'
const file = 'what is in a file; what an import of it writes is tested on both'
const embedded = 'it is about the embedded database'
const server = 'it is about a PostgreSQL server'

/** Paths or globs of test files, each with the reason. */
export const onPostgresAlone: Readonly<Record<string, string>> = {
  'test/console/*.test.ts': browser,
  'test/**/*-in-browser.test.ts': browser,
  'test/connections/oidc-provider.test.ts': browser,
  'test/oauth/dpop-in-chromium.test.ts': browser,
  'test/pages/{accessibility,account,account-identities,branding,docs,email-code,forms,framing}.test.ts': browser,
  'test/pages/{pictures,reauthenticate,relying-party,screenshots-command,second-factor,sign-in-connections}.test.ts': browser,
  'test/cli/config.test.ts': command,
  'test/cli/configuration.test.ts': command,
  'test/cli/create.test.ts': command,
  'test/cli/explain.test.ts': command,
  'test/cli/federated.test.ts': command,
  'test/cli/migrate-to-gatehouse.test.ts': file,
  'test/cli/organisation.test.ts': command,
  'test/cli/records.test.ts': command,
  'test/cli/usage.test.ts': noData,
  'test/cli/user.test.ts': command,
  'test/cli/webhooks.test.ts': command,
  'test/cli/without-mail.test.ts': command,
  'test/documents/{configuration-as-code,conformance,contributing,decisions,errors,examples,first-look-to-production,lists,openapi,organisation-export,protect-an-api,readme,security,snippets,step-up,webhooks}.test.ts':
    documents,
  'test/connections/{hostile,troubled}-provider.test.ts': noData,
  'test/connections/saml/*.test.ts': noData,
  'test/connections/saml-lemonldap.test.ts': noData,
  'test/connections/upstream.test.ts': noData,
  'test/faults/slow-clients.test.ts': noData,
  'test/kit/*.test.ts': noData,
  'test/doctor/{address,mail-server}.test.ts': noData,
  'test/http/{outgoing-fetch,unreadable-requests}.test.ts': noData,
  'test/http/{caching,contract,cross-origin,repeated-documents,requests,unauthenticated,unfit-text,unknown-fields}.test.ts': message,
  'test/mails/languages.test.ts': message,
  'test/oauth/{clients-of-others,cross-origin,hostile-requests,new-grant,pkce-plain,relying-parties,responses}.test.ts': message,
  'test/oauth/hostile-documents.test.ts': 'what is fetched; what is stored of it is tested on both by client-documents',
  'test/operations/{api-docs,bill-of-materials,build,caller-address,mail-page,monitoring,package,service-settings}.test.ts': noData,
  'test/operations/{otlp-logs,otlp-metrics,tracing}.test.ts': noData,
  'test/operations/rate-limits-redis.test.ts': noData,
  'test/operations/start-failures.test.ts': noData,
  'test/operations/later-definitions.test.ts': 'it is about the texts of the migrations, which are the same',
  'test/{auth/email-codes-at-two-services,operations/mail-by-two-processes,operations/metrics-plan}.test.ts': server,
  'test/webhooks/{hostile-receivers,listen}.test.ts': noData,
  'test/cli/database-move.test.ts': server,
  'test/faults/migrations-beside-others.test.ts': server,
  'test/idempotency/slow-servers.test.ts': server,
  'test/{idempotency,webhooks}/two-processes.test.ts': server,
  'test/operations/{database-role,deployment,failover,patroni,pooler,replica,replica-processes,upgrade-under-load}.test.ts': server,
  'test/faults/{callers-ended-meanwhile,directories-meanwhile,documents-meanwhile,made-and-ended,planned-meanwhile,revoked-meanwhile,rights-taken-meanwhile}.test.ts':
    'it is about connections that wait for each other, and the embedded database has one',
}

export const onPgliteAlone: Readonly<Record<string, string>> = {
  'test/cli/{beside-the-service,database-backup}.test.ts': embedded,
  'test/faults/{disk-full,embedded-gives-up,restore-interrupted}.test.ts': embedded,
  'test/operations/{data-dir,data-dir-owner,embedded-files,embedded-vacuum}.test.ts': embedded,
  'test/test-mode/repeatable.test.ts': 'it starts the test mode as the kit does, on the embedded database',
  'test/operations/npm-start.test.ts': 'it starts the service as the README does, on the embedded database',
  'test/documents/generated.test.ts': 'it writes documents, once',
}

const differs = 'what it expects differs between the databases, or it asks them itself how they do it'
const locks = 'who waits for whom, and what is seen meanwhile'
const operated = 'how the service starts, stops and keeps to what it is given'
const policies = 'row-level security'
const processes = 'processes of its own, whose statements no test sees'

/** Those that run whole on both, whatever they send. */
export const onBoth: Readonly<Record<string, string>> = {
  'test/tenancy/*.test.ts': policies,
  'test/faults/{clock-jump,database-gone,group-commit,kill,network-gone,prepared-*,races,redeemed-once,repeated-requests,schema-change}.test.ts':
    locks,
  'test/operations/{cleaning,deployment-files,documents,failed-start,lists-from-replica,otlp-processes}.test.ts': operated,
  'test/operations/{rate-limits,secret-key,secret-key-change,several-processes,shutdown,start,start-failures-by-database}.test.ts':
    operated,
  'test/cli/{doctor,import-*,keys,migrate-rehearsal,organisation-transfer,program,records-beside-the-service,verify}.test.ts': processes,
  'test/{oauth,passkeys}/two-processes.test.ts': processes,
  'test/directories/processes.test.ts': processes,
  'test/oauth/identity-assertions-between.test.ts': processes,
  'test/test-mode/{alone,controls}.test.ts': differs,
  'test/cli/serve-seed.test.ts': differs,
  'test/webhooks/{chaos,process-end}.test.ts': processes,
  'test/connections/changed-meanwhile.test.ts': differs,
  'test/connections/races.test.ts': locks,
  'test/doctor/{installation,pooler}.test.ts': differs,
  'test/admin/list-plans.test.ts': differs,
  'test/webhooks/plans.test.ts': differs,
  'test/directories/look-ups.test.ts': differs,
  'test/domains/kept-addresses-meanwhile.test.ts': locks,
  'test/system/tasks-of-new-databases.test.ts': differs,
  'test/system/unconfirmed.test.ts': differs,
  'test/http/any-input.test.ts': 'its requests are made up, and so are the filters of their statements',
}

/** Statements that the service never sends to the embedded database, which belongs to one process: that counts in its memory. */
export const onServerAlone: readonly RegExp[] = [/\brate_limits\b/]

interface RecordedFile {
  /** How many there are. */
  tests: number
  /** What `namesOf` makes of their names. */
  names: string
  /** Those that run on both, by their full names, each with how many statements it adds to those of the tests before it. */
  onBoth: Readonly<Record<string, number>>
}

const recorded: Readonly<Record<string, RecordedFile | undefined>> = bothDatabases

/** Files each statement of which a test of another file sends to the embedded database. */
export const coveredElsewhere = Object.entries(recorded)
  .filter(([, known]) => known && Object.keys(known.onBoth).length === 0)
  .map(([file]) => file)

/** How many tests these have. They are not even collected for the embedded database. */
export const testsElsewhere = coveredElsewhere.reduce((sum, file) => sum + (recorded[file]?.tests ?? 0), 0)

/** Whether the record says which of its tests run on the embedded database, if any. */
export const isCovered = (file: string): boolean => recorded[file] !== undefined

const nameLength = 5
const shortened = (name: string) => createHash('sha256').update(name).digest('base64url').slice(0, nameLength)

/** What the record holds of the names of a file's tests: enough to tell which are new. */
export const namesOf = (tests: readonly string[]): string => tests.map(shortened).join('')

/**
 * The tests of a file that run on the embedded database: those of the record, and those that the record does not know.
 *
 * @param tests the full names of all that it has now
 * @returns undefined for all of them: a file runs whole if a test of the record is gone
 */
export function partOfFile(file: string, tests: readonly string[], record = recorded): ReadonlySet<string> | undefined {
  const known = record[file]
  const part = new Set(Object.keys(known?.onBoth ?? {}))
  if (!known?.names || !part.isSubsetOf(new Set(tests))) return undefined
  const names = new Set(known.names.match(new RegExp(`.{${nameLength}}`, 'g')))
  return part.union(new Set(tests.filter((name) => !names.has(shortened(name)))))
}

/** Those that the record is made of: they neither run on one database nor whole on both. */
export function filesToRecord(): string[] {
  const named = new Set(globSync([onPostgresAlone, onPgliteAlone, onBoth].flatMap((table) => Object.keys(table))))
  return globSync('test/*/**/*.test.ts')
    .filter((file) => !named.has(file))
    .sort()
}
