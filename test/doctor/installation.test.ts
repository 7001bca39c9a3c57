import { randomBytes } from 'node:crypto'
import { type AddressInfo, createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { WrongCode } from '../../shared/doctor-findings/findings.ts'
import { systemActor } from '../../src/activity/actor.ts'
import { storedError } from '../../src/directories/last-error.ts'
import type { Check } from '../../src/doctor/check.ts'
import { examine } from '../../src/doctor/examine.ts'
import { createKeyring } from '../../src/platform/crypto/keyring.ts'
import type { Engine } from '../../src/platform/database/engine.ts'
import { migrate } from '../../src/platform/database/migrate.ts'
import { openPostgres } from '../../src/platform/database/postgres.ts'
import { foldCounts } from '../../src/platform/database/stored-counts.ts'
import { createOrganisationRecords } from '../../src/provisioning/create-organisation.ts'
import { addSigningKey } from '../../src/tokens/rotate-signing-keys.ts'
import { databaseKind, freshEngine } from '../support/database.ts'
import { onServer } from '../support/database-server.ts'
import { type DoctorTestOptions, installation, serverUrl, wrongIn } from '../support/doctor.ts'
import { type OrdinaryRole, ordinaryRole } from '../support/ordinary-role.ts'
import { needsRedis, RedisServer } from '../support/redis-server.ts'
import { TestSmtpServer } from '../support/smtp-server.ts'
import { TestClock } from '../support/test-clock.ts'

const aKey = () => randomBytes(32).toString('base64')
const key = aKey()
const letters = Buffer.from('abcdefghijklmnopqrstuvwxyz012345').toString('base64')
const organisationId = 'org_01hzzzzzzzzzzzzzzzzzzzzzzz'
let engine: Engine
let account: OrdinaryRole | undefined

const sqlAs =
  (as: 'owner' | 'system') =>
  async (...statements: string[]) => {
    for (const sql of statements) {
      if (as === 'system') await engine.execute({ sql, parameters: [] })
      else await engine.ownerTransaction((owner) => owner.execute({ sql, parameters: [] }))
    }
  }
const owner = sqlAs('owner')
const system = sqlAs('system')
/** As a superuser of the server. */
const superuser = (sql: string) => {
  const url = serverUrl()
  return url ? onServer(url, sql).then(() => {}) : owner(sql)
}

const examined = ({ environment, ...options }: DoctorTestOptions = {}) =>
  installation({ engine, environment: { SECRET_KEY: key, ...(account && { DATABASE_URL: account.url }), ...environment }, ...options })

beforeAll(async () => {
  account = databaseKind() === 'postgres' ? await ordinaryRole() : undefined
  engine = account ? openPostgres(account.url, { poolSize: 5 }) : await freshEngine()
  await migrate(engine)
})
afterAll(async () => {
  await engine.close()
  await account?.remove()
})

it('sees nothing wrong where nothing is', async () => {
  // Nothing serves it.
  const { examine, database, keyring } = await examined({ environment: { PUBLIC_URL: 'http://localhost:9' } })
  expect(wrongIn(await examine())).toMatchObject([
    { name: 'signing-keys', state: 'failure', code: 'no-signing-key', values: {}, seen: 'No key signs' },
    {
      name: 'first-organisation',
      state: 'warning',
      code: 'no-organisation',
      values: { hasSystemKey: false },
      seen: 'No organisation exists',
      remedy: expect.stringContaining('gatehouse organisation create'),
    },
  ])
  await database.transaction(organisationId, async (tenant) => {
    const input = { name: 'Acme', slug: 'acme', email: 'it@acme.test', ownerEmail: 'owner@acme.test' }
    await createOrganisationRecords(tenant, systemActor, input, { status: 'trial', passwordHash: null })
  })
  await addSigningKey(database, keyring, 'EdDSA')

  const examination = await examine()
  expect(wrongIn(examination)).toEqual([])
  expect(examination.leftOut).toEqual(['proxy-cookies', 'proxy-forwarded'])
})

interface Breakage {
  name: string
  state?: 'warning' | 'failure'
  code: WrongCode
  /** Those that matter here. */
  values: object
  seen: RegExp
  remedy: RegExp
  breaks?: () => Promise<void>
  mends?: () => Promise<void>
  with?: DoctorTestOptions
  /** Only where there is a server, or only where the database is embedded. */
  only?: 'postgres' | 'pglite'
}

const mail = (age: string) =>
  `insert into mails (organisation_id, id, recipient, subject, content_encrypted, next_attempt_at, last_error, created_at)
   values ('${organisationId}', 'mail_1', 'a@b.test', 's', 'x', now() + interval '1 hour', 'no route to host', now() - interval '${age}')`
const delivery = (age: string) =>
  `insert into webhook_deliveries (organisation_id, id, endpoint_id, event_id, event, variant, body, next_attempt_at, created_at)
   values ('${organisationId}', 'whd_1', 'whe_1', 'evt_1', 'user.created', 'B', '{}', now() - interval '${age}', now())`
const endpoint = (isActive: boolean) =>
  `insert into webhook_endpoints (organisation_id, id, url, events, variant, is_active, secret_encrypted, created_at, updated_at)
   values ('${organisationId}', 'whe_1', 'https://hooks.acme.test/secret-path', '{user.created}', 'B', ${isActive}, 'x', now(), now())`
const withoutEndpoint = () => system(`delete from webhook_endpoints where id = 'whe_1'`)
const logout = (state: 'pending' | 'failed', due: string) =>
  system(
    `insert into clients (
       organisation_id, id, name, client_type, token_endpoint_auth_method, grant_types, backchannel_logout_uri, created_at, updated_at)
     values ('${organisationId}', 'cli_1', 'Shop', 'public', 'none', '{authorization_code}', 'https://shop.acme.test/logout', now(), now())`,
    `insert into logout_deliveries (organisation_id, id, client_id, user_id, session_id, status, last_status_code, next_attempt_at, created_at)
     select '${organisationId}', 'lgd_1', 'cli_1', id, 'ses_1', '${state}', 404, ${due}, now() from users limit 1`,
  )
const withoutClient = () => system(`delete from logout_deliveries`, `delete from clients where id = 'cli_1'`)
const withDirectory = (column: string, value: string) =>
  system(`
    insert into directories (organisation_id, id, name, ${column}, created_at, updated_at)
    values ('${organisationId}', 'dir_1', 'Entra ID', ${value}, now(), now())`)
const insertedConnection = `
  insert into connections (organisation_id, id, slug, name, type, provider, configuration, mapping, role_mappings, team_mappings, mfa_contexts, created_at, updated_at)
  values ('${organisationId}', 'con_1', 'workforce', 'Workforce', 'saml', 'saml', '{}', '{}', '[]', '[]', '[]', now(), now())`
const directoryToken = (id: string, expiresAt: string) => `
  insert into directory_tokens (organisation_id, id, directory_id, token_hash, prefix, expires_at, created_at)
  values ('${organisationId}', '${id}', 'dir_1', '${id}', 'scim_', ${expiresAt}, now())`
const withoutDirectory = () => system(`delete from directories where id = 'dir_1'`)

const trusting = (id: string, columns: string, values: string, issuer = 'http://127.0.0.1:1', jwks = '') =>
  system(`
    insert into clients (organisation_id, id, name, client_type, token_endpoint_auth_method, grant_types, created_at, updated_at,
      federated_credentials, ${columns})
    values ('${organisationId}', '${id}', 'Deployment', 'confidential', 'private_key_jwt', '{client_credentials}', now(), now() - interval '100 days',
      '[{"name": "main", "issuer": "${issuer}", "subject": "repo:acme/${id}:x", "claims": {}${jwks}}]', ${values})`)
const withoutTrust = () => system(`delete from clients where federated_credentials is not null`)
const withCredentials = { environment: { OAUTH_EXTENSIONS: 'federated_credentials' } }

const setupLink = (columns: Record<string, string>) =>
  system(`
    insert into setup_links (organisation_id, id, name, purposes, token_hash, created_at, ${Object.keys(columns).join(', ')})
    values ('${organisationId}', 'sul_1', 'Northwind IT', '{scim}', 'hash', now(), ${Object.values(columns).join(', ')})`)
const withoutSetupLink = () => system(`delete from setup_links where id = 'sul_1'`)

const breakages: Breakage[] = [
  {
    name: 'configuration',
    state: 'warning',
    with: { environment: { SMS_FROM: 'Acme', GATEHOUSE_SIGNUP: 'open' } },
    code: 'variables-contradict',
    values: {
      mistakes: [
        { code: 'no-effect-without', variable: 'SMS_FROM' },
        { code: 'unknown-variable', variable: 'GATEHOUSE_SIGNUP' },
      ],
    },
    seen: /^SMS_FROM has no effect without SMS_GATEWAY_URL\. GATEHOUSE_SIGNUP is set and means nothing/,
    remedy: /config print/,
  },
  {
    name: 'secret-key',
    with: { environment: { SECRET_KEY: Buffer.alloc(32, 7).toString('base64') }, keyring: createKeyring(Buffer.from(key, 'base64')) },
    code: 'secret-key-of-few-bytes',
    values: { differentBytes: 1 },
    seen: /^Only 1 of its 32 bytes/,
    remedy: /openssl rand -base64 32/,
  },
  {
    name: 'secret-key',
    with: { environment: { SECRET_KEY: letters }, keyring: createKeyring(Buffer.from(key, 'base64')) },
    code: 'secret-key-printable',
    values: {},
    seen: /^It is 32 letters/,
    remedy: /openssl rand -base64 32/,
  },
  {
    name: 'previous-secret-key',
    state: 'warning',
    with: { environment: { SECRET_KEY_PREVIOUS: aKey() } },
    code: 'previous-secret-key-not-needed',
    values: {},
    seen: /^Every stored secret is under SECRET_KEY/,
    remedy: /^Unset SECRET_KEY_PREVIOUS/,
  },
  {
    name: 'previous-secret-key',
    state: 'warning',
    with: { environment: { SECRET_KEY: aKey(), SECRET_KEY_PREVIOUS: key } },
    code: 'secrets-under-previous-key',
    values: { secrets: 1 },
    seen: /^1 stored secret is still under SECRET_KEY_PREVIOUS$/,
    remedy: /gatehouse secret-key rotate/,
  },
  {
    name: 'redis',
    with: { environment: { REDIS_URL: 'redis://127.0.0.1:1' } },
    code: 'redis-unreachable',
    values: { server: '127.0.0.1:1', reason: 'ECONNREFUSED' },
    seen: /cannot be reached \(ECONNREFUSED\)/,
    remedy: /REDIS_URL/,
  },
  {
    name: 'database-role',
    state: 'warning',
    only: 'postgres',
    breaks: () => superuser(`alter role ${account?.role} superuser`),
    mends: () => superuser(`alter role ${account?.role} nosuperuser`),
    code: 'role-of-superuser',
    values: {},
    seen: /^It is a superuser/,
    remedy: /^CREATE ROLE gatehouse LOGIN .* NOSUPERUSER NOBYPASSRLS/,
  },
  {
    name: 'database-role',
    state: 'warning',
    only: 'postgres',
    breaks: () => superuser(`alter role ${account?.role} bypassrls`),
    mends: () => superuser(`alter role ${account?.role} nobypassrls`),
    code: 'role-of-superuser',
    values: {},
    seen: /^It is a superuser or bypasses row-level security$/,
    remedy: /NOBYPASSRLS/,
  },
  {
    name: 'tenant-and-system-role',
    breaks: () => superuser('alter role gatehouse_tenant login'),
    mends: () => superuser('alter role gatehouse_tenant nologin'),
    code: 'roles-not-separated',
    values: { mistakes: [{ mistake: 'login', role: 'gatehouse_tenant', object: null, statement: 'ALTER ROLE gatehouse_tenant NOLOGIN' }] },
    seen: /^gatehouse_tenant can log in$/,
    remedy: /ALTER ROLE gatehouse_tenant NOLOGIN$/,
  },
  {
    name: 'row-level-security',
    breaks: () => owner('alter table teams no force row level security'),
    mends: () => owner('alter table teams force row level security'),
    code: 'row-level-security-not-forced',
    values: { tables: ['teams'] },
    seen: /^Not forced on teams$/,
    remedy: /^ALTER TABLE teams ENABLE ROW LEVEL SECURITY; ALTER TABLE teams FORCE ROW LEVEL SECURITY$/,
  },
  {
    name: 'row-level-security',
    breaks: () => owner('alter policy tenant on teams using (true)'),
    mends: () => owner(`alter policy tenant on teams using (organisation_id = current_setting('app.organisation_id', true))`),
    code: 'row-level-security-without-policy',
    values: { tables: ['teams'] },
    seen: /^No policy binds gatehouse_tenant to its organisation on teams$/,
    remedy: /^CREATE POLICY tenant ON teams/,
  },
  {
    name: 'release',
    breaks: () => owner(`insert into kysely_migration values ('9999-of-the-future', '2030-01-01')`),
    mends: () => owner(`delete from kysely_migration where name = '9999-of-the-future'`),
    code: 'migrations-unknown',
    values: { migrations: ['9999-of-the-future'] },
    seen: /^This release does not know 9999-of-the-future$/,
    remedy: /newer release/,
  },
  {
    name: 'migrations',
    breaks: () => owner(`delete from kysely_migration where name = '0001-organisations'`),
    mends: () => owner(`insert into kysely_migration values ('0001-organisations', '2020-01-01')`),
    code: 'migrations-pending',
    values: { migrations: ['0001-organisations'] },
    seen: /^1 migration is pending: 0001-organisations$/,
    remedy: /gatehouse migrate up/,
  },
  {
    name: 'connections-left',
    state: 'warning',
    only: 'postgres',
    with: { thresholds: { connectionsWarning: 10_000 } },
    code: 'few-connections-left',
    values: { limit: 'server', left: expect.any(Number), most: expect.any(Number), ours: expect.any(Number) },
    seen: /^\d+ of \d+ are left \(max_connections\); processes of Gatehouse have \d+$/,
    remedy: /^ALTER SYSTEM SET max_connections/,
  },
  {
    name: 'clock',
    get with() {
      const clock = new TestClock()
      clock.advance({ seconds: 10 })
      return { clock }
    },
    code: 'clocks-apart',
    values: { aheadSeconds: expect.closeTo(-10, 0) },
    seen: /^The database is (9\.\d|10\.\d) s behind$/,
    remedy: /timedatectl set-ntp true/,
  },
  {
    name: 'unused-indexes',
    state: 'warning',
    with: { thresholds: { unusedIndexBytes: 0, unusedIndexDays: 0 } },
    code: 'indexes-unused',
    values: { indexes: expect.arrayContaining([{ index: expect.stringMatching(/_index$/), bytes: expect.any(Number) }]) },
    seen: /^\w+_index \(\d.* more$/,
    remedy: /DROP INDEX CONCURRENTLY/,
  },
  {
    name: 'dead-rows',
    state: 'warning',
    only: 'postgres',
    breaks: async () => {
      // Of an indexed column: what reads the page could take away the dead rows of others, and these only a vacuum does.
      const updates = Array.from({ length: 10 }, () => ['other', 'acme'].map((slug) => `update organisations set slug = '${slug}'`))
      const counted = 'select pg_stat_force_next_flush()'
      await onServer(account?.url as string, ['set role gatehouse_system', ...updates.flat(), counted].join(';'))
    },
    mends: () => onServer(account?.url as string, 'vacuum organisations').then(() => {}),
    with: { thresholds: { deadRows: 10 } },
    code: 'dead-rows-left',
    values: { tables: expect.arrayContaining([{ table: 'organisations', dead: expect.any(Number), live: expect.any(Number) }]) },
    seen: /organisations has \d+ dead rows beside \d+/,
    remedy: /^VACUUM \(ANALYZE\) .*organisations/,
  },
  {
    name: 'disk',
    state: 'warning',
    only: 'pglite',
    with: { thresholds: { diskWarningBytes: Number.MAX_VALUE } },
    code: 'disk-nearly-full',
    values: { freeBytes: expect.any(Number), totalBytes: expect.any(Number) },
    seen: / of .* are free$/,
    remedy: /DATA_DIR/,
  },
  {
    name: 'mail-server',
    with: { environment: { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'a@b.test' } },
    code: 'mail-server-does-not-answer',
    values: { reason: expect.stringContaining('ECONNREFUSED') },
    seen: /^It does not let the service in: .*ECONNREFUSED/,
    remedy: /^Correct SMTP_URL/,
  },
  {
    name: 'mails-waiting',
    state: 'warning',
    breaks: () => system(mail('1 hour')),
    mends: () => system('delete from mails'),
    code: 'mails-late',
    values: { mails: 1, lastError: 'no route to host' },
    seen: /^1 mail waits, the oldest for 60 minutes; the last error was: no route to host$/,
    remedy: /SMTP_URL/,
  },
  {
    name: 'mails-waiting',
    breaks: () => system(mail('1 day')),
    mends: () => system('delete from mails'),
    code: 'mails-late',
    values: { mails: 1, oldestSeconds: expect.closeTo(86_400, -3) },
    seen: /^1 mail waits, the oldest for 24 hours/,
    remedy: /SMTP_URL/,
  },
  {
    name: 'webhooks-due',
    state: 'warning',
    breaks: () => system(endpoint(true), delivery('5 minutes')),
    mends: withoutEndpoint,
    code: 'webhooks-late',
    values: { pending: 1, due: 1 },
    seen: /^1 pending, 1 due, the oldest since 5 minutes$/,
    remedy: /gatehouse serve/,
  },
  {
    name: 'webhooks-due',
    breaks: () => system(endpoint(true), delivery('1 hour')),
    mends: withoutEndpoint,
    code: 'webhooks-late',
    values: { pending: 1, due: 1 },
    seen: /^1 pending, 1 due, the oldest since 60 minutes$/,
    remedy: /gatehouse serve/,
  },
  {
    name: 'webhooks-deactivated',
    state: 'warning',
    breaks: () =>
      system(
        endpoint(false),
        `insert into audit_logs (organisation_id, id, action, actor_type, target_type, target_id, created_at)
         values ('${organisationId}', 'aud_1', 'webhook.deactivated', 'system', 'webhook', 'whe_1', now() - interval '1 day')`,
      ),
    mends: withoutEndpoint,
    code: 'webhooks-deactivated',
    values: { webhooks: 1, first: [{ organisation: 'acme', host: 'hooks.acme.test' }], more: 0 },
    seen: /^1 webhook: acme \(hooks\.acme\.test\)$/,
    remedy: /activate the webhook/,
  },
  {
    name: 'logouts-due',
    state: 'warning',
    breaks: () => logout('pending', `now() - interval '5 minutes'`),
    mends: withoutClient,
    code: 'logouts-late',
    values: { pending: 1, due: 1 },
    seen: /^1 pending, 1 due, the oldest since 5 minutes$/,
    remedy: /backchannel_logout in OAUTH_EXTENSIONS/,
  },
  {
    name: 'logouts-failing',
    state: 'warning',
    breaks: () => logout('failed', 'null'),
    mends: withoutClient,
    code: 'logouts-failing',
    values: { applications: 1, first: [{ organisation: 'acme', application: 'Shop', failed: 1, status: 404 }], more: 0 },
    seen: /^1 application: acme \(Shop\): 1 failed, the latest by 404$/,
    remedy: /shows each attempt and its answer/,
  },
  {
    name: 'signing-keys',
    state: 'warning',
    breaks: () => system(`update signing_keys set signs_from = now() - interval '100 days'`),
    mends: () => system('update signing_keys set signs_from = now()'),
    code: 'signing-keys-late',
    values: { keys: [{ algorithm: 'EdDSA' }], lateDays: [10], signsForDays: 90 },
    seen: /^EdDSA: .* late$/,
    remedy: /gatehouse keys rotate/,
  },
  {
    name: 'signing-keys-readable',
    with: { environment: { SECRET_KEY: aKey() } },
    code: 'signing-keys-unreadable',
    values: { keys: [expect.any(String)], of: 1 },
    seen: /^1 of 1 cannot be decrypted: /,
    remedy: /^Set SECRET_KEY to the key/,
  },
  {
    name: 'secrets-readable',
    breaks: async () => {
      await system(endpoint(true), `update webhook_endpoints set secret_encrypted = '00000000.x' where id = 'whe_1'`)
    },
    mends: withoutEndpoint,
    code: 'secrets-unreadable',
    values: { secrets: 1 },
    seen: /^1 secret is under another key$/,
    remedy: /gatehouse secret-key rotate --new-key-file .*set the secrets of connections and webhooks anew$/,
  },
  {
    name: 'trial-limits',
    state: 'warning',
    breaks: () =>
      system(
        `insert into users (organisation_id, id, email, first_name, last_name, created_at, updated_at)
         values ('${organisationId}', 'usr_second', 'second@acme.test', 'S', 'E', now(), now())`,
      ),
    mends: () => system(`delete from users where id = 'usr_second'`),
    with: { environment: { TRIAL_MAX_USERS: '1' } },
    code: 'trials-beyond-limit',
    values: { first: [{ organisation: 'acme', users: 2 }], more: 0, usersMax: 1 },
    seen: /^acme has 2 users, of 1$/,
    remedy: /gatehouse organisation activate acme/,
  },
  {
    name: 'automatic-clients',
    state: 'warning',
    breaks: () =>
      system(
        `insert into clients (organisation_id, id, name, client_type, token_endpoint_auth_method, redirect_uris, grant_types, scopes, require_pkce,
           allow_plain_pkce, id_token_signed_response_alg, origin, automatic_client_id, created_at, updated_at)
         select '${organisationId}', 'cli_' || n, 'Agent', 'public', 'none', '{}', '{}', '{}', true, false, 'RS256', 'metadata_document',
           'https://agent.example/' || n, now(), now() from generate_series(1, 900) n`,
      ),
    mends: () => system(`delete from clients where automatic_client_id is not null`),
    code: 'automatic-clients-full',
    values: { first: [{ organisation: 'acme', clients: 900 }], more: 0, clientsMax: 1_000 },
    seen: /^Of 1000: acme 900$/,
    remedy: /gatehouse client list --origin metadata_document --organisation acme/,
  },
  {
    name: 'second-factors',
    state: 'warning',
    breaks: () =>
      system(
        `update organisations set require_mfa = true, allowed_mfa_methods = '{passkey}', sign_in_policy = '{"passkeys": "off"}' where slug = 'acme'`,
      ),
    mends: () =>
      system(`update organisations set require_mfa = false, allowed_mfa_methods = '{totp}', sign_in_policy = '{}' where slug = 'acme'`),
    code: 'second-factors-impossible',
    values: { first: ['acme'], more: 0 },
    seen: /^acme$/,
    remedy: /^Set SMS_GATEWAY_URL/,
  },
  {
    name: 'single-sign-on',
    state: 'warning',
    breaks: () =>
      system(
        insertedConnection,
        `insert into organisation_domains (organisation_id, id, domain, status, challenge, verified_at, connection_id, sso, created_at, updated_at)
         values ('${organisationId}', 'dom_1', 'acme.test', 'verified', 'x', now(), 'con_1', 'required', now(), now())`,
      ),
    mends: () => system(`delete from organisation_domains where id = 'dom_1'`, `delete from connections where id = 'con_1'`),
    code: 'single-sign-on-broken',
    values: { first: [{ organisation: 'acme', domain: 'acme.test', connection: 'Workforce', why: 'without-secret' }] },
    seen: /^acme requires Workforce at acme\.test, which is without its secret or key$/,
    remedy: /rotate its keys/,
  },
  {
    name: 'domain-records',
    state: 'warning',
    breaks: () =>
      system(
        insertedConnection,
        `insert into organisation_domains (organisation_id, id, domain, status, challenge, verified_at, failing_since, connection_id, sso, created_at, updated_at)
         select '${organisationId}', 'dom_' || name, name || '.test', status, 'x', now(), since::timestamptz, 'con_1', sso, now(), now() from (values
           ('claimed', 'pending', null, 'off'), ('lapsed', 'lapsed', '2026-01-02', 'offered'), ('offers', 'verified', '2026-01-03', 'offered'),
           ('requires', 'verified', '2026-01-04', 'required')
         ) as domains (name, status, since, sso)`,
        `update connections set secret_encrypted = '${createKeyring(Buffer.from(key, 'base64')).encrypt('secret', 'con_1')}'`,
      ),
    mends: () => system('delete from organisation_domains', 'delete from connections'),
    code: 'domain-records-missing',
    values: {
      first: [
        { domain: 'requires.test', requiresSingleSignOn: true, since: '2026-01-04T00:00:00.000Z' },
        { domain: 'offers.test', requiresSingleSignOn: false },
        { domain: 'lapsed.test', since: null },
      ],
    },
    seen: /^requires\.test of acme, which requires single sign-on, since 2026-01-04, offers\.test of acme since 2026-01-03, lapsed\.test of acme has lapsed$/,
    remedy: /restore the TXT record/,
  },
  {
    name: 'client-documents',
    state: 'warning',
    breaks: () =>
      system(
        `insert into client_documents (client_id, host, document, version, fetched_at, expires_at, used_at, failing_since)
         select 'https://agent.example/' || n, 'agent.example', '{}', '1', now(), now(), now(), '2026-01-02T03:04:05Z' from generate_series(1, 2) n`,
        `insert into clients (organisation_id, id, name, client_type, token_endpoint_auth_method, grant_types, origin, automatic_client_id, created_at, updated_at)
         values ('${organisationId}', 'cli_1', 'Agent', 'public', 'none', '{authorization_code}', 'metadata_document', 'https://agent.example/1', now(), now())`,
      ),
    mends: () => system(`delete from clients where id = 'cli_1'`, 'delete from client_documents'),
    code: 'client-documents-unreadable',
    values: { first: [{ client: 'https://agent.example/1', since: '2026-01-02T03:04:05.000Z' }], more: 0 },
    seen: /^https:\/\/agent\.example\/1 since 2026-01-02T03:04:05\.000Z$/,
    remedy: /gatehouse explain sign-in/,
  },
  {
    name: 'federated-credentials',
    state: 'warning',
    with: withCredentials,
    breaks: async () => {
      await trusting('cli_1', 'last_used_at', 'now()')
      await trusting('cli_2', 'last_used_at', 'now()', 'http://127.0.0.1:2', ', "jwks": {"keys": []}')
    },
    mends: withoutTrust,
    code: 'platforms-without-keys',
    values: { first: [{ issuer: 'http://127.0.0.1:1', organisations: ['acme'] }], more: 0, notAsked: 0 },
    seen: /^http:\/\/127\.0\.0\.1:1 \(acme\): The document of the issuer cannot be fetched: /,
    remedy: /OUTGOING_PRIVATE_HOSTS/,
  },
  {
    name: 'federated-credentials-unused',
    state: 'warning',
    with: withCredentials,
    breaks: async () => {
      await trusting('cli_1', 'is_active', 'false')
      await trusting('cli_2', 'last_used_at', `now() - interval '91 days'`, 'http://127.0.0.1:2', ', "jwks": {"keys": []}')
    },
    mends: withoutTrust,
    code: 'trust-unused',
    values: { first: [{ organisation: 'acme', name: 'Deployment' }, { organisation: 'acme' }], more: 0 },
    seen: /^acme \(Deployment\): (revoked|not used since [-\d]{10}), acme \(Deployment\): (revoked|not used since [-\d]{10})$/,
    remedy: /take the credentials away/,
  },
  {
    name: 'federated-credentials-unused',
    state: 'warning',
    breaks: () => trusting('cli_1', 'last_used_at', 'now()', 'http://127.0.0.1:2', ', "jwks": {"keys": []}'),
    mends: withoutTrust,
    code: 'trust-without-extension',
    values: { first: [{ organisation: 'acme', name: 'Deployment' }], more: 0 },
    seen: /^acme \(Deployment\): none can be used$/,
    remedy: /^Add federated_credentials to OAUTH_EXTENSIONS/,
  },
  {
    name: 'directories-failing',
    state: 'warning',
    breaks: () => withDirectory('failing_since', `now() - interval '1 day'`),
    mends: withoutDirectory,
    code: 'directories-failing',
    values: { first: [{ organisation: 'acme', directory: 'Entra ID', error: null, mistake: null }], more: 0 },
    seen: /^acme \(Entra ID\)$/,
    remedy: /Directories, Requests/,
  },
  {
    name: 'directories-failing',
    state: 'warning',
    breaks: () =>
      withDirectory(
        'failing_since, last_error',
        `now(), '${storedError('No request for 7 days', { code: 'silent', expected: '7', received: null })}'`,
      ),
    mends: withoutDirectory,
    code: 'directories-failing',
    values: { first: [{ error: 'No request for 7 days', mistake: { code: 'silent', expected: '7', received: null } }], more: 0 },
    seen: /^acme \(Entra ID\): No request for 7 days$/,
    remedy: /Directories, Requests/,
  },
  {
    name: 'directory-tokens',
    state: 'warning',
    breaks: async () => {
      await withDirectory('last_request_at', 'now()')
      await system(directoryToken('dtk_1', `now() - interval '1 day'`))
      await system(directoryToken('dtk_2', `now() + interval '13 days'`))
    },
    mends: withoutDirectory,
    code: 'directory-tokens-end',
    values: { first: [{ organisation: 'acme', directory: 'Entra ID', hasEnded: false }], more: 0 },
    seen: /^Without a token: acme \(Entra ID\) from \d{4}-\d{2}-\d{2}$/,
    remedy: /Create token/,
  },
  {
    name: 'directory-tokens',
    state: 'warning',
    breaks: async () => {
      await withDirectory('last_request_at', 'now()')
      await system(directoryToken('dtk_1', `now() - interval '1 day'`))
    },
    mends: withoutDirectory,
    code: 'directory-tokens-end',
    values: { first: [{ organisation: 'acme', directory: 'Entra ID', hasEnded: true }], more: 0 },
    seen: /^Without a token: acme \(Entra ID\) since \d{4}-\d{2}-\d{2}$/,
    remedy: /Create token/,
  },
  {
    name: 'setup-links-expiring',
    state: 'warning',
    breaks: () => setupLink({ first_used_at: 'now()', expires_at: `now() + interval '23 hours'` }),
    mends: withoutSetupLink,
    code: 'setup-links-end',
    values: { first: [{ organisation: 'acme', link: 'Northwind IT' }], more: 0 },
    seen: /^Not finished: acme \(Northwind IT\) until \d{4}-/,
    remedy: /gatehouse setup-link list --organisation acme/,
  },
  ...(['finished_at', 'ended_at'] as const).map(
    (column): Breakage => ({
      name: 'setup-links-waiting',
      state: 'warning',
      breaks: async () => {
        await withDirectory('is_active', 'false')
        await setupLink({ directory_id: `'dir_1'`, expires_at: 'now()', [column]: `now() - interval '4 days'` })
      },
      mends: async () => {
        await withoutSetupLink()
        await withoutDirectory()
      },
      code: 'setup-links-wait',
      values: { first: [{ organisation: 'acme', link: 'Northwind IT', made: 'Entra ID' }], more: 0 },
      seen: /^Inactive: acme \(Northwind IT: Entra ID\)$/,
      remedy: /Activate all of it/,
    }),
  ),
]

describe('the doctor', () => {
  const here = breakages.filter(({ only = databaseKind() }) => only === databaseKind())
  it.each(here.map((breakage) => [breakage.name, breakage] as const))('sees exactly what is wrong: %s', async (name, breakage) => {
    const { state = 'failure', code, values, seen, remedy, breaks, mends, with: options } = breakage
    await breaks?.()
    try {
      const { examine } = await examined(options)
      const found = wrongIn(await examine())
      expect(found).toEqual([
        expect.objectContaining({ name, state, code, seen: expect.stringMatching(seen), remedy: expect.stringMatching(remedy) }),
      ])
      expect(found[0]?.values).toMatchObject(values)
    } finally {
      await mends?.()
    }
  })
})

/** The same database as an older server, or one behind a pooler, would be. */
const answering = (sqlPart: string, row: object): Engine => ({
  ...engine,
  execute: async (query, setUp) => (query.sql.includes(sqlPart) ? { rows: [row as never] } : engine.execute(query, setUp)),
})

describe('an examination', () => {
  it('sees a server that is too old', async () => {
    const { examine } = await examined({
      engine: answering("current_setting('server_version') as text", { number: 140_005, text: '14.5' }),
    })
    expect(wrongIn(await examine())).toMatchObject([
      {
        name: 'database-version',
        state: 'failure',
        code: 'database-version-too-old',
        values: { version: '14.5', oldest: 15 },
        seen: expect.stringMatching(/^PostgreSQL 14\.5/),
      },
    ])
  })

  it('leaves out what needs a database that cannot be reached', async () => {
    const DATABASE_URL = 'postgres://gatehouse:very-secret@127.0.0.1:1/gatehouse'
    const away = openPostgres(DATABASE_URL, { poolSize: 2 })
    const { examine } = await installation({ engine: away, environment: { DATABASE_URL } })
    const examination = await examine()
    await away.close()
    expect(wrongIn(examination)).toMatchObject([
      {
        name: 'database-reachable',
        code: 'database-unreachable',
        seen: expect.stringContaining('nothing listens on 127.0.0.1:1'),
        remedy: expect.stringMatching(/^Start PostgreSQL there/),
      },
    ])
    expect(examination.leftOut).toEqual(expect.arrayContaining(['clock', 'migrations', 'mails-waiting', 'signing-keys']))
    expect(JSON.stringify(examination)).not.toContain('very-secret')
  })

  it('lets a mail server in that greets, and sends no mail', async () => {
    const server = await TestSmtpServer.start()
    onTestFinished(() => server.stop())
    const SMTP_URL = `smtp://127.0.0.1:${server.port}`
    const of = async (SMTP_URL: string) => wrongIn(await (await examined({ environment: { SMTP_URL, MAIL_FROM: 'a@b.test' } })).examine())
    expect(await of(SMTP_URL)).toEqual([])
    expect(await of(`${SMTP_URL}?starttls=required`)).toMatchObject([
      { name: 'mail-server', state: 'failure', code: 'mail-server-without-tls', seen: expect.stringMatching(/STARTTLS/i) },
    ])
    expect(server.mails).toEqual([])
  })

  it('sees a Redis that refuses the password, and does not show it', async () => {
    const redis = createServer((socket) => {
      socket
        .on('error', () => {})
        .on('data', () => socket.write('-WRONGPASS invalid username-password pair or user is disabled.\r\n'.repeat(4)))
    })
    await new Promise<void>((resolve) => redis.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void redis.close())
    const REDIS_URL = `redis://:very-secret@127.0.0.1:${(redis.address() as AddressInfo).port}`
    const examination = await (await examined({ environment: { REDIS_URL } })).examine()
    expect(wrongIn(examination)).toMatchObject([
      {
        name: 'redis',
        state: 'failure',
        code: 'redis-refuses-user',
        seen: expect.stringMatching(/^It takes connections and does not answer: .*WRONGPASS/),
        remedy: expect.stringMatching(/^Correct user and password in REDIS_URL/),
      },
    ])
    expect(JSON.stringify(examination)).not.toContain('very-secret')
  })

  it('sees what is no Redis at REDIS_URL, and does not ask for another password', async () => {
    const other = createServer(
      (socket) => void socket.on('error', () => {}).once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
    )
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void other.close())
    for (const scheme of ['redis', 'rediss']) {
      const REDIS_URL = `${scheme}://127.0.0.1:${(other.address() as AddressInfo).port}`
      expect(wrongIn(await (await examined({ environment: { REDIS_URL } })).examine())).toMatchObject([
        {
          name: 'redis',
          state: 'failure',
          code: 'redis-does-not-answer',
          remedy: expect.stringMatching(/^Correct REDIS_URL: host and port of Redis, rediss:/),
        },
      ])
    }
  })

  it('sees a Redis without the database that REDIS_URL names', needsRedis, async () => {
    const redis = await RedisServer.start()
    onTestFinished(() => redis.stop())
    const of = async (database: string) =>
      wrongIn(await (await examined({ environment: { REDIS_URL: `${redis.url}${database}` } })).examine())
    expect(await of('/15')).toEqual([])
    expect(await of('/99')).toMatchObject([
      {
        name: 'redis',
        state: 'failure',
        code: 'redis-refuses-database',
        seen: expect.stringMatching(/^It refuses the database that REDIS_URL names: .*DB index is out of range/),
        remedy: expect.stringMatching(/^Correct the number at the end of REDIS_URL: .*databases/),
      },
    ])
  })

  it('counts the users of a trial whose count is stored, and of one whose count has just changed', async () => {
    const { examine, database } = await examined({ environment: { TRIAL_MAX_USERS: '1' } })
    const addUser = (id: string) =>
      system(
        `insert into users (organisation_id, id, email, first_name, last_name, created_at, updated_at)
         values ('${organisationId}', '${id}', '${id}@acme.test', 'S', 'E', now(), now())`,
      )
    onTestFinished(() => system(`delete from users where id in ('usr_stored', 'usr_new')`))
    const seen = async () => (await examine()).checks.find(({ name }) => name === 'trial-limits')?.seen

    await addUser('usr_stored')
    while (await foldCounts(database.system()));
    expect(await seen()).toBe('acme has 2 users, of 1')
    await addUser('usr_new')
    expect(await seen()).toBe('acme has 3 users, of 1')
  })

  it('says how much a table has grown a day', async () => {
    const grown = { name: 'audit_logs', bytes: 3_000_000, inserted: 90_000, deleted: 0, days: 3 }
    const { examine } = await examined({ engine: answering('pg_total_relation_size(s.relid)', grown) })
    expect((await examine()).checks).toContainEqual(
      expect.objectContaining({ name: 'table-sizes', state: 'ok', seen: expect.stringMatching(/audit_logs .*, 30000 rows a day more$/) }),
    )
  })

  it('says of a check that throws or does not end that it could not be made', async () => {
    const { context } = await examined()
    const base = { group: 'mail', title: 'x' } as const
    const checks: Check[] = [
      {
        ...base,
        name: 'throws',
        run: () => {
          throw new Error('no such thing')
        },
      },
      { ...base, name: 'hangs', seconds: 0.05, run: () => new Promise(() => {}) },
    ]
    const { checks: results } = await examine(context, checks)
    expect(results.map(({ name, state, code, values, seen }) => [name, state, code, values, seen])).toEqual([
      ['throws', 'failure', 'check-not-made', { reason: 'no such thing' }, 'The check could not be made: no such thing'],
      ['hangs', 'failure', 'check-not-ended', { seconds: 0.05 }, 'The check could not be made: it did not end within 0.05 seconds'],
    ])
  })
})
