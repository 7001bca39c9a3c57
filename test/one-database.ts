/**
 * Which tests run on one of the two databases, and why that is enough. All others run on both: whatever touches SQL, locks, time or
 * transactions does. A test that never reaches a difference between the databases runs on PostgreSQL, which takes less time.
 */

const browser = 'what a browser shows; what the API responds to it is tested on both'
const command = 'what a command prints; the operation that it carries out is tested on both, and so is how commands open a database'
const documents = 'what a document says'
const noData = 'a process, a network or a file, and no data'
const message = 'the form of a request, a response or a mail, whatever the data'
const file = 'what is in a file; what an import of it writes is tested on both'
const embedded = 'it is about the embedded database'

/** Paths or globs of test files, each with the reason. */
export const onPostgresAlone: Readonly<Record<string, string>> = {
  'test/console/*.test.ts': browser,
  'test/**/*-in-browser.test.ts': browser,
  'test/connections/oidc-provider.test.ts': browser,
  'test/pages/{accessibility,account,account-identities,branding,docs,email-code,forms,framing}.test.ts': browser,
  'test/pages/{pictures,reauthenticate,relying-party,screenshots-command,second-factor,sign-in-connections}.test.ts': browser,
  'test/cli/config.test.ts': command,
  'test/cli/configuration.test.ts': command,
  'test/cli/explain.test.ts': command,
  'test/cli/migrate-to-gatehouse.test.ts': file,
  'test/cli/organisation.test.ts': command,
  'test/cli/usage.test.ts': noData,
  'test/cli/user.test.ts': command,
  'test/cli/webhooks.test.ts': command,
  'test/documents/{configuration-as-code,conformance,contributing,decisions,examples,first-look-to-production,openapi,organisation-export,protect-an-api,readme,security,snippets,step-up,webhooks}.test.ts':
    documents,
  'test/connections/{hostile,troubled}-provider.test.ts': noData,
  'test/connections/upstream.test.ts': noData,
  'test/doctor/{address,mail-server}.test.ts': noData,
  'test/http/{outgoing-fetch,unreadable-requests}.test.ts': noData,
  'test/http/{caching,contract,cross-origin,repeated-documents,requests,unauthenticated,unfit-text,unknown-fields}.test.ts': message,
  'test/mails/languages.test.ts': message,
  'test/oauth/{clients-of-others,cross-origin,hostile-requests,new-grant,pkce-plain,relying-parties,responses}.test.ts': message,
  'test/operations/{api-docs,bill-of-materials,build,caller-address,mail-page,monitoring,package,service-settings}.test.ts': noData,
  'test/operations/{otlp-logs,otlp-metrics,tracing}.test.ts': noData,
  'test/operations/rate-limits-redis.test.ts': noData,
  'test/webhooks/{hostile-receivers,listen}.test.ts': noData,
  'test/cli/database-move.test.ts': 'it is about a PostgreSQL server',
  'test/faults/migrations-beside-others.test.ts': 'it is about a PostgreSQL server',
  'test/operations/{database-role,deployment,pooler,replica,replica-processes,upgrade-under-load}.test.ts':
    'it is about a PostgreSQL server',
  'test/faults/made-and-ended.test.ts': 'it is about connections that wait for each other, and the embedded database has one',
}

export const onPgliteAlone: Readonly<Record<string, string>> = {
  'test/cli/{beside-the-service,database-backup}.test.ts': embedded,
  'test/faults/{disk-full,embedded-gives-up,restore-interrupted}.test.ts': embedded,
  'test/operations/{data-dir,data-dir-owner,embedded-files,embedded-vacuum}.test.ts': embedded,
  'test/operations/npm-start.test.ts': 'it starts the service as the README does, on the embedded database',
  'test/documents/generated.test.ts': 'it writes documents, once',
}
