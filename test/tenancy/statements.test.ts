import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { declaredStatements, type Statement, statement } from '../../src/platform/database/statement.ts'
import { useService } from '../support/service.ts'

const service = useService()

/** Row-level security does not restrict these statements to an organisation: they run as the system. */
const declaring = globSync('src/**/*.ts', { exclude: ['**/*.test.ts', '**/database/statement.ts'] }).filter((file) =>
  /\bstatement[<(]/.test(readFileSync(file, 'utf8')),
)

/** The tables of organisations that a statement reads and writes, with their aliases. */
function tablesOf(text: string, tenantTables: ReadonlySet<string>) {
  const mentions = text.matchAll(
    /\b(?:from|join|update|into)\s+([a-z_]+)(?:\s+(?!set\b|where\b|on\b|join\b|order\b|limit\b|returning\b|values\b|for\b)([a-z_]+))?/g,
  )
  return [...mentions].flatMap(([, table = '', alias]) => (tenantTables.has(table) ? [{ table, alias: alias ?? table }] : []))
}

/** Whether each table of organisations is restricted to an organisation: by the parameter, or by another table's column. */
function isTied({ table, alias }: { table: string; alias: string }, text: string): boolean {
  const column = table === 'organisations' ? 'id' : 'organisation_id'
  const other = '(?::organisationId|[a-z_]+\\.organisation_id)'
  const own = `(?:${alias}\\.)?${column}`
  return new RegExp(`(?<![.\\w])${own} = ${other}|${other} = ${alias}\\.${column}|insert into ${table} \\(organisation_id,`).test(text)
}

/** The files that open the handle to every organisation, with the reason. */
const crossing: Record<string, string> = {
  'src/access/queries.ts': 'a header names the organisation by its slug',
  'src/accounts/queries.ts': 'an address belongs to one user of all organisations',
  'src/api-keys/exchanged-keys.ts': 'removes short-lived keys that have expired',
  'src/activity/sign-in-counts.ts': 'a task of all organisations',
  'src/app/clock-set-back.ts': 'a task of all organisations',
  'src/app/control-database.ts': 'the audit log of each organisation says that the database was backed up',
  'src/app/compose-http.ts': 'the doctor asks which migrations have been applied',
  'src/app/migrate-database.ts': 'the audit log of each organisation says which migrations were applied',
  'src/cli/organisation/get-organisation.ts': 'the operator names the organisation',
  'src/cli/database/record.ts': 'the audit log of each organisation says what was done with the whole database',
  'src/cli/database/restore.ts': 'counts the organisations and users of a backup that is restored',
  'src/cli/keys/secret-key.ts': 'the audit log of each organisation says that the key of all secrets was changed',
  'src/cli/known-names.ts': 'the operator is told which organisation something unknown belongs to',
  'src/cli/organisation/list.ts': 'the operator lists the organisations',
  'src/connections/federation/queries.ts':
    'the address of a connection alone says of which organisation it is, and an address belongs to one user of all',
  'src/connections/federation/identify.ts': 'a client_id alone says of which organisation its application is',
  'src/connections/federation/refresh-documents.ts': 'a task of all organisations',
  'src/connections/federation/warn-of-certificates.ts': 'a task of all organisations',
  'src/connections/remove-expired-requests.ts': 'a task of all organisations',
  'src/directories/scim/report-failing.ts': 'a task of all organisations',
  'src/domains/check-domains.ts': 'a task of all organisations',
  'src/domains/foreign-accounts.ts': 'counts the accounts that other organisations have in a domain, without naming them',
  'src/domains/required-sso.ts': 'asks whether any organisation requires single sign-on',
  'src/domains/verify-domain.ts': 'a domain is proven by one organisation of all',
  'src/doctor/check-database.ts': 'asks about the roles and the server, of no organisation',
  'src/setup-links/follow-setup-links.ts': 'a task of all organisations',
  'src/doctor/check-directories.ts': 'counts for the operator which directories fail, or are about to be without a token',
  'src/doctor/check-automatic-clients.ts': 'counts for the operator how many clients each organisation has that registered themselves',
  'src/doctor/check-logouts.ts': 'counts what waits in the queue, and finds applications, of all organisations',
  'src/clients/automatic.ts': 'the rows of a document in all organisations follow its keys',
  'src/seeds/plant.ts': 'asks whether there are organisations',
  'src/doctor/check-federated-credentials.ts': 'platforms are asked for the keys of clients and API keys of all organisations',
  'src/doctor/check-keys.ts': 'the signing keys are those of the issuer',
  'src/doctor/check-mail.ts': 'counts what waits in the queue, of all organisations',
  'src/doctor/check-organisations.ts': 'finds the organisations on trial with too many users',
  'src/doctor/check-setup-links.ts': 'the operator looks at links of all organisations',
  'src/doctor/check-storage.ts': 'reads the statistics of the server',
  'src/doctor/check-webhooks.ts': 'counts what waits in the queue, and finds endpoints, of all organisations',
  'src/email-codes/codes.ts': 'tries are counted of addresses without an account, too',
  'src/email-codes/linked-code.ts': 'the token of a mailed link alone says of which organisation it is',
  'src/email-codes/offer.ts': 'a page for any browser offers codes when any organisation allows them',
  'src/email-codes/remove-expired-codes.ts': 'a task of all organisations',
  'src/idempotency/answers.ts': 'the caller is part of the id of an answer',
  'src/idempotency/repeat-answers.ts': 'the caller is part of the id of an answer',
  'src/invitations/expire-invitations.ts': 'a task of all organisations',
  'src/invitations/queries.ts': 'the token of an invitation alone says of which organisation it is',
  'src/automatic-clients/registrations/queries.ts': 'an openly registered client is of no organisation, and is deleted in all that have it',
  'src/automatic-clients/registrations/remove-unbound-clients.ts': 'a task of all organisations',
  'src/oauth/authorization/remove-ended-consents.ts': 'a task of all organisations',
  'src/oauth/endpoints/diagnostic-routes.ts': 'the operator reads a refusal by its reference',
  'src/oauth/protocol/diagnostics.ts': 'a refused request may name no client, and a task removes all that are old',
  'src/isolation/organisation.ts': 'makes two organisations that are never committed, with one of everything',
  'src/isolation/rows-and-writes.ts': 'reads what one organisation has, to try it as the other',
  'src/isolation/verify.ts': 'compares what an organisation has before and after the other has tried to change it',
  'src/operations/instruments.ts': 'counts what waits in the queues, of all organisations',
  'src/operations/start-warnings.ts': 'asks whether there is any organisation, and about the role',
  'src/operations/routes.ts': 'asks which migrations have been applied',
  'src/automatic-clients/documents/queries.ts': 'a document is the same for all organisations',
  'src/automatic-clients/remove-unused.ts': 'a task of all organisations',
  'src/backchannel-logout/logout-queue.ts': 'the queue of deliveries of all organisations',
  'src/backchannel-logout/notice-ended-sessions.ts': 'a task of all organisations',
  'src/organisations/logo.ts': 'the address of a picture says what it holds, not whose it is',
  'src/passkeys/other-relying-parties.ts': 'a warning of the start counts the passkeys of all organisations',
  'src/passkeys/remove-spent-challenges.ts': 'a task of all organisations',
  'src/passwords/action-links.ts': 'the token of a mailed link alone says of which organisation it is',
  'src/passwords/queries.ts': 'an address alone says of which organisation its user is',
  'src/platform/jobs/fold-stored-counts.ts': 'a task of all organisations',
  'src/platform/jobs/maintain-tables.ts': 'asks how large the tables are, and how many of their rows have changed',
  'src/platform/jobs/tasks.ts': 'tasks belong to no organisation',
  'src/platform/mail/mail-worker.ts': 'the queue of mails of all organisations',
  'src/platform/rate-limits/database-counters.ts': 'counters belong to no organisation',
  'src/provisioning/bootstrap.ts': 'asks whether there is any organisation, and for the first owner',
  'src/provisioning/first-steps.ts': 'asks for the first owner, as the first start has named it',
  'src/provisioning/remove-unconfirmed.ts': 'a task of all organisations',
  'src/roles/permissions/create-permission.ts': 'the catalogue of permissions is shared by all organisations',
  'src/roles/permissions/delete-permission.ts': 'the catalogue of permissions is shared by all organisations',
  'src/sessions/remove-ended-sessions.ts': 'a task of all organisations',
  'src/sign-in/queries.ts': 'an address, or the token of a challenge, alone says of which organisation its user is',
  'src/system/count-concerned.ts': 'the operator is told how many users a change concerns, before it is made',
  'src/system/domain-routes.ts': 'lists these accounts for the operator',
  'src/system/erase-user.ts': 'the operator erases a user, and the history that a tenant may not change',
  'src/system/export-cancelled-organisations.ts': 'a task of all organisations',
  'src/system/export-organisation.ts': 'reads the catalogue of the database for tables of organisations',
  'src/system/permission-routes.ts': 'the catalogue of permissions is shared by all organisations',
  'src/system/purge-organisations.ts': 'a task of all organisations',
  'src/system/re-encrypt-secrets.ts': 'a task of all organisations',
  'src/system/routes.ts': 'the operator lists the organisations',
  'src/system/transfer/check.ts': 'what is unique in the whole installation may be taken by any organisation',
  'src/system/transfer/import-organisation.ts': 'the catalogue, and the migrations of the database; rows are written as the tenant',
  'src/system/transfer/write-export.ts': 'one snapshot of an organisation, which each statement names',
  'src/test-mode/find-user.ts': 'a test names a user of any organisation that it has made',
  'src/tokens/remove-expired-tokens.ts': 'a task of all organisations',
  'src/tokens/rotate-signing-keys.ts': 'signing keys belong to no organisation',
  'src/tokens/signing-keys.ts': 'signing keys belong to no organisation',
  'src/webhooks/delivery/webhook-queue.ts': 'the queue of deliveries of all organisations',
  'src/webhooks/delivery/remove-old-deliveries.ts': 'a task of all organisations',
}

describe('the handle to every organisation', () => {
  it('is opened only by the files that give a reason', () => {
    const opening = globSync('src/**/*.ts', { exclude: ['**/*.test.ts', '**/platform/database/**'] }).filter((file) =>
      /\.system\(\)|systemTransaction\(|\.systemListReads\(/.test(readFileSync(file, 'utf8')),
    )
    expect(opening.sort()).toEqual(Object.keys(crossing).sort())
  })
})

describe('the statements that run as the system', () => {
  const tenantTables = new Set(['organisations'])

  beforeAll(async () => {
    await Promise.all(declaring.map((file) => import(pathToFileURL(join(process.cwd(), file)).href)))
    const { rows } = await sql<{ name: string }>`
      select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'organisation_id'
      where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace`.execute(service().database.system())
    for (const { name } of rows) tenantTables.add(name)
  })

  it('are all declared where this test finds them', () => {
    const written = declaring.flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/= statement[<(]|return statement\(/g)])
    expect(declaredStatements.length).toBeGreaterThanOrEqual(written.length)
    expect(written.length).toBeGreaterThan(15)
  })

  it('each name their organisation, unless they declare why they find it out', () => {
    const wrong = declaredStatements.filter(({ text, crossesOrganisations }) => {
      const reachesTenants = tablesOf(text, tenantTables).length > 0
      return (
        reachesTenants &&
        (crossesOrganisations === undefined) !== /organisation_id = :organisationId|(select|values \() ?:organisationId/.test(text)
      )
    })
    expect(wrong.map(({ text }) => text)).toEqual([])
  })

  it('read and write no table of organisations without naming one, except those that find the organisation', () => {
    const loose = declaredStatements.flatMap(({ text, crossesOrganisations }) => {
      const untied = tablesOf(text, tenantTables).filter((table) => !isTied(table, text))
      // One table may be found by its secret; the others belong to the same organisation.
      return untied.length > (crossesOrganisations ? 1 : 0) ? [{ untied, text }] : []
    })
    expect(loose).toEqual([])
  })

  it('can be prepared, with a value for each name', async () => {
    const anything = new Proxy<Record<string, unknown>>({}, { get: () => null })
    for (const declared of declaredStatements as readonly unknown[] as readonly Statement<Record<string, unknown>, unknown>[]) {
      await service().engine.transaction(async (transaction) => {
        await transaction.execute({ sql: `prepare walked as ${declared.with(anything).sql}`, parameters: [] })
        await transaction.execute({ sql: 'deallocate walked', parameters: [] })
      })
    }
  })

  it('refuse to run without a value', () => {
    const one = statement<{ id: string }, object>('select :id::text as id, :id as same')
    declaredStatements.pop()
    expect(one.with({ id: 'x' })).toEqual({ sql: 'select $1::text as id, $1 as same', parameters: ['x'] })
    expect(() => one.with({} as { id: string })).toThrow('The statement lacks a value for id')
  })
})
