import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { renameSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { systemActor } from '../../src/activity/actor.ts'
import { fillTables } from '../../src/isolation/rows.ts'
import { tenantTables } from '../../src/isolation/tables.ts'
import { grants } from '../../src/oauth/grants/grants.ts'
import { createKeyring } from '../../src/platform/crypto/keyring.ts'
import { createDatabase, type Database } from '../../src/platform/database/database.ts'
import { schemaState } from '../../src/platform/database/migrate.ts'
import { openEngine } from '../../src/platform/database/open.ts'
import { isSecretField } from '../../src/system/rules.ts'
import { camelCase } from '../../src/system/tenant-rows.ts'
import type { Batch, End, Header, Secrets } from '../../src/system/transfer/format.ts'
import { importOrganisation } from '../../src/system/transfer/import-organisation.ts'
import { newRecipientKeys, type RecipientKey, recipientKeyOf } from '../../src/system/transfer/recipient.ts'
import { rowRules } from '../../src/system/transfer/row-rules.ts'
import { signExport } from '../../src/system/transfer/signature.ts'
import { exportedTables, leftOut, neverExported, secretTables, uniqueEverywhere } from '../../src/system/transfer/tables.ts'
import { writeExport } from '../../src/system/transfer/write-export.ts'
import type { SigningKey } from '../../src/tokens/signing-keys.ts'
import { Authenticator } from '../support/authenticator.ts'
import { type CommandResult, runCommand, startCommand } from '../support/command.ts'
import { newConnection } from '../support/connections.ts'
import { databaseKind } from '../support/database.ts'
import { folderSize } from '../support/folder-size.ts'
import { SignedInUser } from '../support/given.ts'
import { HttpClient } from '../support/http-client.ts'
import { postForm } from '../support/oauth.ts'
import { PageVisitor } from '../support/page-visitor.ts'
import { PasskeyDevice, registerPasskey } from '../support/passkeys.ts'
import { picture } from '../support/pictures.ts'
import { samlFields } from '../support/saml-sign-in.ts'
import { samlifyProvider } from '../support/samlify-provider.ts'
import { type ProcessHome, processHome, ServiceProcess } from '../support/service-process.ts'
import { TestClock } from '../support/test-clock.ts'

const password = 'correct horse battery'
/** Of the service before and after the move. Passkeys belong to the host name. */
const [formerUrl, presentUrl] = ['http://localhost:4000', 'http://localhost:4001']
const upstreamSecret = 'the secret that the identity provider gave'

interface Installation extends ProcessHome {
  secretKey: Buffer
  run(line: string): Promise<CommandResult>
  /** @param work with the database, while no other process has it */
  database<T>(work: (database: Database) => Promise<T>): Promise<T>
  serve<T>(work: (service: ServiceProcess) => Promise<T>): Promise<T>
}

function installation(home: ProcessHome): Installation {
  const secretKey = randomBytes(32)
  const environment: Record<string, string> = { ...home.environment, SECRET_KEY: secretKey.toString('base64'), PUBLIC_URL: presentUrl }
  return {
    ...home,
    environment,
    secretKey,
    run: (line) => runCommand(environment, line),
    async database(work) {
      const engine = await openEngine({ databaseUrl: home.environment.DATABASE_URL, dataDir: home.environment.DATA_DIR as string })
      try {
        return await work(createDatabase(engine, new TestClock()))
      } finally {
        await engine.close()
      }
    },
    async serve(work) {
      const service = await (await ServiceProcess.start(environment)).ready()
      try {
        return await work(service)
      } finally {
        await service.end()
      }
    },
  }
}

/** An installation of the database that the run tests, whose first organisation is another one. */
async function newInstallation(): Promise<Installation> {
  return installation(await processHome())
}

/** One with the embedded database, whatever the run tests. */
async function newEmbedded(): Promise<Installation> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-embedded-'))
  const home = { folder, environment: { DATA_DIR: join(folder, 'data') }, remove: () => rm(folder, { recursive: true, force: true }) }
  expect(await runCommand(home.environment, 'migrate')).toMatchObject({ status: 0 })
  return installation(home)
}

// What is in a file, and is said of it and of options, is the same on either database. A command is done sooner with this one.
const ofFile = it.runIf(databaseKind() === 'postgres')

/** From PostgreSQL to the embedded database and back, or what is decided before either is written to. */
const fromPostgres = it.runIf(databaseKind() === 'postgres')

const succeeded = async (run: Promise<CommandResult>) => {
  const { status, stdout, stderr } = await run
  // Progress is said every ten seconds.
  expect({ status, stderr: stderr.replace(/^[\d,]+ rows.*\n/gm, '') }).toEqual({ status: 0, stderr: '' })
  return stdout
}
const linesOf = async (file: string) =>
  (await readFile(file, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)
const batchesOf = async (file: string) => (await linesOf(file)).slice(1, -1) as Batch[]

/** Every row of a file with its secrets, by table. */
async function contentsOf(file: string, key: RecipientKey): Promise<Record<string, Record<string, unknown>[]>> {
  const contents: Record<string, Record<string, unknown>[]> = {}
  const [{ permissions }] = (await linesOf(file)) as [Header]
  for (const { table, rows, secrets } of await batchesOf(file)) {
    const opened = secrets ? (JSON.parse(await key.open(secrets)) as Secrets).rows : []
    contents[table] = [...(contents[table] ?? []), ...rows.map((row, index) => ({ ...row, ...opened[index]?.secrets }))]
  }
  // Permissions have other ids in another installation.
  const slugOf = new Map(permissions.map(({ id, slug }) => [id, slug]))
  contents.role_permissions = (contents.role_permissions ?? [])
    .map(({ permissionId, ...row }) => ({ ...row, permission: slugOf.get(permissionId as string) }))
    .sort(byText)
  return contents
}

/** A key of the source that the test has, too: it can write what an honest service would not. */
const issuerKey = { id: 'of-the-test', algorithm: 'EdDSA', ...generateKeyPairSync('ed25519') } as SigningKey

/** A copy of the keys that an installation publishes. */
async function copyKeys(installation: Installation, name: string, more: object[] = []): Promise<void> {
  const rows = await installation.database((database) => database.system().selectFrom('signingKeys').select(['id', 'publicJwk']).execute())
  const keys = rows.map(({ id, publicJwk }) => ({ ...publicJwk, kid: id }))
  await writeFile(file(name), JSON.stringify({ keys: [...keys, ...more] }))
}
const trust = () => `--trust ${formerUrl} --jwks ${file('source.jwks.json')}`

/** Writes a changed file with the checksum and the signature that it ought to have. */
async function rewritten(
  file: string,
  change: (lines: [Header, ...Batch[]]) => void,
  { isSigned = true, issuer = formerUrl } = {},
): Promise<string> {
  const lines = (await linesOf(file)).slice(0, -1) as [Header, ...Batch[]]
  change(lines)
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  const sha256 = createHash('sha256').update(text).digest('hex')
  const { export: id, organisation } = lines[0]
  const signed = { iss: issuer, export: id, organisation: organisation.id, lines: lines.length, sha256 }
  const jws = isSigned ? await signExport({ signer: async () => issuerKey }, signed) : undefined
  const end: End = { end: { lines: lines.length, rows: {}, sha256, ...(jws && { jws }) } }
  const path = `${file}.${randomBytes(4).toString('hex')}`
  await writeFile(path, `${text}${JSON.stringify(end)}\n`)
  return path
}

/** Whether each record of these kinds is active. */
async function activeIn(database: Database): Promise<Record<string, boolean[]>> {
  const active: Record<string, boolean[]> = {}
  for (const table of ['connections', 'directories', 'resourceServers', 'resourceAuthorizationServers'] as const) {
    const rows = await database.system().selectFrom(table).select('isActive').execute()
    active[table] = rows.map(({ isActive }) => isActive)
  }
  return active
}

const rowsOf = (lines: readonly (Header | Batch)[], table: string) => {
  const batch = lines.find((line) => 'table' in line && line.table === table) as Batch
  return batch.rows as [Batch['rows'][number], ...Batch['rows']]
}

let source: Installation
let files: string
let key: RecipientKey
const file = (name: string) => join(files, name)
/** What was handed out at the source. */
const given = {
  logoPath: '',
  totpSecret: '',
  clientId: '',
  clientSecret: '',
  apiKey: '',
  webhookSecret: '',
  organisationId: '',
  ownerId: '',
}
/** The connection by SAML, and the certificate by which its requests are signed. */
const workforce = { id: '', certificate: '' }
const device = new PasskeyDevice({ origin: formerUrl })

beforeAll(async () => {
  files = await mkdtemp(join(tmpdir(), 'gatehouse-transfer-'))
  source = installation(await processHome())
  Object.assign(source.environment, {
    ...{ BOOTSTRAP_ORGANISATION_SLUG: 'acme', BOOTSTRAP_OWNER_EMAIL: 'owner@acme.test', BOOTSTRAP_OWNER_PASSWORD: password },
    ...{ PUBLIC_URL: formerUrl },
  })
  await source.serve(fill)
  for (const name of ['BOOTSTRAP_ORGANISATION_SLUG', 'BOOTSTRAP_OWNER_EMAIL', 'BOOTSTRAP_OWNER_PASSWORD']) delete source.environment[name]
  await source.database(async (database) => {
    const system = database.system()
    const word = 'qrstuvwxyz'
    await fillTables(system, await tenantTables(system), { id: given.organisationId, word })
    const inOrganisation = (statement: RawBuilder<unknown>) => statement.execute(system)
    await inOrganisation(
      sql`update organisation_domains set status = 'verified', verified_at = now() - interval '3 days', checked_at = now()`,
    )
    await inOrganisation(sql`update resource_servers set identifier = 'https://api.acme.test', scopes = '[]'`)
    await inOrganisation(sql`
      update resource_authorization_servers set issuer = 'https://books.test', grants = '[]',
        resources = '[{"identifier": "https://api.books.test", "scopes": ["books:read"]}]'`)
    // A role that was not given by hand.
    await inOrganisation(sql`
      update user_role_sources set source = 'connection:' || (select id from connections limit 1)
      where user_id = (select id from users where email = 'role@acme.test')`)
  })
  const pair = await newRecipientKeys()
  await writeFile(file('new.jwk'), pair.privateKey)
  await writeFile(file('new.public.jwk'), pair.publicKey)
  key = await recipientKeyOf(pair.privateKey)
  await succeeded(source.run(`organisation export acme ${file('plain.jsonl')}`))
  await succeeded(source.run(`organisation export acme ${file('secret.jsonl')} --with-secrets --recipient ${file('new.public.jwk')}`))
  await copyKeys(source, 'source.jwks.json', [{ ...issuerKey.publicKey.export({ format: 'jwk' }), kid: issuerKey.id }])
})
afterAll(async () => {
  await source.remove()
  await rm(files, { recursive: true, force: true })
})

async function login(service: ServiceProcess, email: string, typed = password) {
  return service.anonymous.post('/v1/auth/login', { email, password: typed })
}

const metadataOf = async ({ anonymous }: ServiceProcess): Promise<string> => (await anonymous.get(`/saml/${workforce.id}/metadata`)).body
/** The first certificate of a document, which signs requests. */
const certificateIn = (metadata: string) => /<(?:\w+:)?X509Certificate>([^<]+)/.exec(metadata)?.[1]?.replace(/\s/g, '') ?? ''

/** One of everything that the API makes. */
async function fill(service: ServiceProcess): Promise<void> {
  const owner = new SignedInUser(service.origin, await login(service, 'owner@acme.test'), { email: 'owner@acme.test', password })
  const create = async (path: string, body: object) => {
    const created = await owner.post(path, body)
    expect([path, created]).toMatchObject([path, { status: 201 }])
    return created.body
  }
  given.ownerId = owner.id
  given.organisationId = (await owner.get('/v1/admin/organisation')).body.id
  const { body: permissions } = await owner.get('/v1/admin/permissions?limit=1000')
  const permission = permissions.data.find(({ slug }: { slug: string }) => slug === 'users:read')
  const role = await create('/v1/admin/roles', { name: 'Reader', slug: 'reader', permissionIds: [permission.id] })
  const team = await create('/v1/admin/teams', { name: 'Senate', slug: 'senate' })
  const { body: branded } = await owner.post('/v1/admin/organisation/logo', { content: picture() })
  given.logoPath = branded.branding.logoUrl.replace(formerUrl, '')
  const names = { firstName: 'Anna', lastName: 'Übel', password }
  await create('/v1/admin/users', {
    ...{ ...names, email: 'role@acme.test', roleIds: [role.id], teamIds: [team.id] },
    metadata: { address: 'Downing Street 10\r\nLondon' },
  })
  await create('/v1/admin/users', { ...names, email: 'totp@acme.test' })
  const user = new SignedInUser(service.origin, await login(service, 'totp@acme.test'), { email: 'totp@acme.test', password })
  const enabled = await user.post('/v1/me/mfa/enable')
  given.totpSecret = enabled.body.secret
  const code = new Authenticator(given.totpSecret, new TestClock()).code()
  expect(await user.post('/v1/me/mfa/verify', { token: code })).toMatchObject({ status: 200 })
  // Is never verified.
  const other = new SignedInUser(service.origin, await login(service, 'role@acme.test'), { email: 'role@acme.test', password })
  expect(await other.post('/v1/me/mfa/enable')).toMatchObject({ status: 200 })
  await registerPasskey(owner, device)
  const client = await create('/v1/admin/clients', {
    ...{ name: 'Shop', clientType: 'confidential', grantTypes: ['client_credentials'], scopes: ['users:read'] },
    ...{ redirectUris: [] },
  })
  Object.assign(given, { clientId: client.clientId ?? client.id, clientSecret: client.clientSecret })
  given.apiKey = (await create('/v1/admin/api-keys', { name: 'Pipeline', permissions: ['users:read'] })).key
  const webhook = await create('/v1/admin/webhooks', { url: 'https://hooks.acme.test/in', events: ['user.created'] })
  given.webhookSecret = webhook.secret
  await create('/v1/admin/connections', newConnection({ slug: 'acme', secret: upstreamSecret }))
  const saml = await samlifyProvider({ now: () => new Date() })
  workforce.id = (await create('/v1/admin/connections', samlFields(saml, { slug: 'workforce' }))).id
  workforce.certificate = certificateIn(await metadataOf(service))
  await create('/v1/admin/domains', { domain: 'acme.test' })
  await create('/v1/admin/domains', { domain: 'staff.acme.test', connectionId: workforce.id, sso: 'required' })
  await create('/v1/admin/invitations', { email: 'invited@acme.test', roleId: role.id })
}

describe('gatehouse organisation export', () => {
  it('has every table of an organisation, or says why not', async () => {
    const tables = await source.database((database) => tenantTables(database.system()))
    const names = tables.map(({ name }) => name)
    expect([...exportedTables, ...Object.keys(leftOut)].sort()).toEqual(names.sort())
    expect(Object.keys(secretTables).filter((name) => !exportedTables.includes(name))).toEqual([])

    const { leftOut: said } = (await linesOf(file('plain.jsonl')))[0] as Header
    expect(said).toEqual({ ...leftOut, ...secretTables })
    const written = async (name: string) => [...new Set((await batchesOf(file(name))).map(({ table }) => table))].sort()
    expect(await written('secret.jsonl')).toEqual([...exportedTables].sort())
    expect(await written('plain.jsonl')).toEqual(exportedTables.filter((name) => !(name in secretTables)).sort())
  })

  it('knows all that is unique in the whole installation', async () => {
    const { rows } = await source.database((database) =>
      sql<{ table: string; columns: string[] }>`
        select t.relname as table, array(
            select a.attname::text from pg_attribute a where a.attrelid = t.oid and a.attnum = any(i.indkey::int2[]) order by 1) as columns
        from pg_index i join pg_class t on t.oid = i.indrelid
        where i.indisunique and t.relname = any(${exportedTables}::text[])`.execute(database.system()),
    )
    const unique = rows.filter(({ columns }) => !columns.includes('organisation_id')).map(({ table, columns }) => `${table}.${columns}`)
    const known = uniqueEverywhere.map(({ table, column }) => `${table}.${column}`)
    // The first is compared by itself, the second made from the name, the others made anew.
    const others = ['organisations.id', 'organisations.distinct_name', 'invitations.token_hash', 'registration_tokens.token_hash']
    expect(unique.sort()).toEqual([...known, ...others].sort())
  })

  it('has a rule for each value of JSON, so that no file brings in what no request could', async () => {
    const { fields } = rowRules(grants)
    const { rows } = await source.database((database) =>
      sql<{ table: string; column: string }>`
        select t.relname as table, a.attname as column from pg_attribute a join pg_class t on t.oid = a.attrelid
        where t.relname = any(${exportedTables}::text[]) and t.relnamespace = current_schema()::regnamespace
          and a.attnum > 0 and not a.attisdropped and a.atttypid = 'jsonb'::regtype`.execute(database.system()),
    )
    expect(rows.length).toBeGreaterThan(20)
    expect(rows.filter(({ table, column }) => !fields[table]?.[camelCase(column)])).toEqual([])
  })

  it('follows its JSON Schema', async () => {
    const ajv = new Ajv2020({ strict: false, allErrors: false })
    addFormats.default(ajv)
    const schema = JSON.parse(await readFile('docs/organisation-export.schema.json', 'utf8'))
    const validate = ajv.compile(schema)
    for (const name of ['plain.jsonl', 'secret.jsonl']) {
      for (const line of await linesOf(file(name))) expect([validate(line), validate.errors]).toEqual([true, null])
    }
    const validateSecrets = ajv.compile({ ...schema, oneOf: undefined, $ref: '#/$defs/secrets' })
    for (const { secrets } of await batchesOf(file('secret.jsonl'))) {
      if (secrets) expect([validateSecrets(JSON.parse(await key.open(secrets))), validateSecrets.errors]).toEqual([true, null])
    }
    expect(validate({ table: 'users', rows: [{ passwordHash: 'x' }] })).toBe(false)
  })

  it('has no byte of a secret, but for its recipient', async () => {
    const values = await source.database(async (database) => {
      const keyring = createKeyring(source.secretKey)
      const found: string[] = []
      for (const { name, owner, columns } of await tenantTables(database.system())) {
        for (const column of columns.filter((one) => isSecretField(camelCase(one.name)))) {
          const { rows } = await sql<{ id: string; value: string }>`
            select to_jsonb(t)->>'id' as id, ${sql.ref(column.name)} as value from ${sql.table(name)} t
            where ${sql.ref(owner)} = ${given.organisationId} and ${sql.ref(column.name)} is not null`.execute(database.system())
          for (const { id, value } of rows) {
            found.push(value)
            if (column.name.endsWith('_encrypted') && value.startsWith(keyring.encrypt('', '').split('.')[0] as string)) {
              found.push(keyring.decrypt(value, id))
            }
          }
        }
      }
      return found
    })
    const notSecret = [given.organisationId, given.ownerId, given.logoPath]
    const secrets = [...values, ...Object.values(given).filter((value) => !notSecret.includes(value))]
    const ids = new Set([given.clientId])
    expect(values.length).toBeGreaterThan(20)
    for (const name of ['plain.jsonl', 'secret.jsonl']) {
      const text = await readFile(file(name), 'utf8')
      // What the test fills tables with stands everywhere.
      for (const secret of secrets)
        if (!ids.has(secret) && !secret.includes('qrstuvwxyz')) expect([name, text.includes(secret)]).toEqual([name, false])
      expect((await stat(file(name))).mode & 0o777).toBe(0o600)
    }
    const contents = await contentsOf(file('secret.jsonl'), key)
    const columns = Object.entries(contents).flatMap(([table, rows]) =>
      rows.flatMap((row) => (row.withheld as string[] | undefined)?.map((name) => `${table}.${name}`) ?? []),
    )
    expect([...new Set(columns)]).toEqual(Object.keys(neverExported))
    const keys = {
      signing: { privateKey: expect.stringContaining('PRIVATE KEY') },
      encryption: { privateKey: expect.stringContaining('PRIVATE KEY') },
    }
    expect(contents.connections?.map(({ secret }) => secret)).toMatchObject([upstreamSecret, expect.any(String)])
    expect(JSON.parse(contents.connections?.[1]?.secret as string)).toMatchObject(keys)
  })

  it('has the second factors that are verified, and none that is being enrolled', async () => {
    const contents = await contentsOf(file('secret.jsonl'), key)
    const { id } = contents.users?.find(({ email }) => email === 'totp@acme.test') ?? {}
    expect(contents.mfa_credentials).toMatchObject([{ userId: id, secret: given.totpSecret }])
  })

  fromPostgres('is of one moment, and has the permissions that only an API key names', async () => {
    await succeeded(source.run('organisation create --name Moment --slug moment --email it@moment.test --owner-email owner@moment.test'))
    await source.database(async (database) => {
      const system = database.system()
      const organisation = await system.selectFrom('organisations').select('id').where('slug', '=', 'moment').executeTakeFirstOrThrow()
      const { id } = organisation
      await sql`
        insert into permissions (id, slug, name, description, category, created_at, updated_at)
        values ('prm_land', 'moons:land', 'Land', 'On any of them', 'custom', now(), now())`.execute(system)
      await sql`
        insert into api_keys (organisation_id, id, name, prefix, key_hash, permissions, created_by_id, created_at)
        select id, 'key_land', 'Lander', 'land', 'a hash', '{moons:land}', owner_id, now() from organisations where id = ${id}`.execute(
        system,
      )
      const insertUser = async () => {
        await sql`
          insert into users (organisation_id, id, email, first_name, last_name, created_at, updated_at)
          values (${id}, 'usr_meanwhile', 'meanwhile@moment.test', 'Mia', 'Lund', now(), now())`.execute(system)
        await sql`
          insert into user_roles (organisation_id, user_id, role_id, created_at)
          select organisation_id, 'usr_meanwhile', id, now() from roles where organisation_id = ${id} and is_default`.execute(system)
      }
      const services = { database, keyring: createKeyring(source.secretKey), signingKeys: { signer: async () => issuerKey } }
      const lines: (Header | Batch | End)[] = []
      await writeExport({ ...services, publicUrl: formerUrl, issuer: formerUrl, release: '1.0.0' }, id, {
        async write(line) {
          const document = JSON.parse(line) as Header | Batch | End
          lines.push(document)
          if ('table' in document && document.table === 'users') await insertUser()
        },
      })

      const [{ permissions }] = lines as [Header]
      expect(permissions).toContainEqual(expect.objectContaining({ id: 'prm_land', slug: 'moons:land' }))
      const written = lines.filter((line): line is Batch => 'table' in line)
      expect(written.map(({ table }) => table)).toEqual(expect.arrayContaining(['users', 'user_roles']))
      expect(JSON.stringify(written)).not.toContain('usr_meanwhile')
    })
  })

  it('is in the audit log, by name of who did it', async () => {
    const exported = (await contentsOf(file('secret.jsonl'), key)).audit_logs?.filter(({ action }) => action === 'organisation.exported')
    expect(exported).toMatchObject([
      { actorType: 'system', actorId: 'cli', metadata: { withSecrets: false, operatingSystemUser: expect.any(String) } },
      { actorType: 'system', actorId: 'cli', metadata: { withSecrets: true, recipient: key.thumbprint } },
    ])
  })

  ofFile('says what is wrong with its options, and overwrites nothing', async () => {
    await writeFile(file('not-a-key'), 'hello')
    const run = (words: string) => source.run(`organisation export acme ${words}`)
    const refused = async (words: string, status: number, stderr: RegExp) =>
      expect([words, await run(words)]).toEqual([words, { status, stdout: '', stderr: expect.stringMatching(stderr) }])
    await refused(`${file('x')} --with-secrets`, 2, /^--recipient is missing/)
    await refused(`${file('x')} --recipient ${file('new.public.jwk')}`, 2, /^--recipient is for --with-secrets/)
    await refused(`${file('x')} --with-secrets --recipient ${file('new.jwk')}`, 2, /^--recipient: .* it is a private key/)
    await refused(`${file('x')} --with-secrets --recipient ${file('not-a-key')}`, 2, /^--recipient: .* neither a public JWK nor/)
    await refused(`${file('x')} --with-secrets --recipient ${file('nowhere')}`, 2, /^--recipient: .* cannot be read/)
    await refused(file('plain.jsonl'), 1, /^\S+ exists already: give another name, or remove it\n$/)
    const { DATABASE_URL = '' } = source.environment
    const byPooler = { ...source.environment, DATABASE_POOLER: 'transaction', DATABASE_LISTEN_URL: DATABASE_URL }
    expect(await runCommand(byPooler, `organisation export acme ${file('x')}`)).toEqual({
      status: 1,
      stdout: '',
      stderr: 'An export needs one connection for one snapshot: unset DATABASE_POOLER, and give a direct DATABASE_URL\n',
    })
    await succeeded(source.run('organisation create --name Gone --slug gone --email it@gone.test --owner-email owner@gone.test'))
    await source.database((database) =>
      sql`update organisations set status = 'cancelled', deleted_at = now() where slug = 'gone'`.execute(database.system()),
    )
    expect(await source.run(`organisation export gone ${file('x')}`)).toEqual({
      status: 1,
      stdout: '',
      stderr: 'gone is cancelled, and is not moved any more\n',
    })
    expect(await source.run(`organisation export nowhere ${file('x')}`)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('There is no organisation "nowhere"'),
    })
    await expect(stat(file('x'))).rejects.toThrow('ENOENT')
    await expect(stat(file('x.unfinished'))).rejects.toThrow('ENOENT')
  })
})

describe('gatehouse organisation recipient-key', () => {
  ofFile('makes a pair of which each half does its part', async () => {
    const made = JSON.parse(await succeeded(source.run(`organisation recipient-key ${file('pair.jwk')} --json`)))
    expect(made).toEqual({ privateKey: file('pair.jwk'), publicKey: file('pair.public.jwk'), thumbprint: expect.any(String) })
    expect((await stat(file('pair.jwk'))).mode & 0o777).toBe(0o600)
    expect(JSON.parse(await readFile(file('pair.public.jwk'), 'utf8'))).not.toHaveProperty('d')
    expect(await source.run(`organisation recipient-key ${file('pair.jwk')}`)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('exists already'),
    })
    const exported = await succeeded(
      source.run(`organisation export acme ${file('pair.jsonl')} --with-secrets --recipient ${file('pair.public.jwk')}`),
    )
    expect(exported).toContain(made.thumbprint)
  })
})

describe('secrets of an export', () => {
  ofFile.each([
    ['P-256', () => generateKeyPairSync('ec', { namedCurve: 'P-256' })],
    ['P-384', () => generateKeyPairSync('ec', { namedCurve: 'P-384' })],
    ['P-521', () => generateKeyPairSync('ec', { namedCurve: 'P-521' })],
    ['X25519', () => generateKeyPairSync('x25519')],
    ['RSA', () => generateKeyPairSync('rsa', { modulusLength: 2_048 })],
  ])('are for a key of %s, as PEM or JWK', async (kind, generate) => {
    const { privateKey, publicKey } = generate()
    const path = (ending: string) => file(`${kind}.${ending}`)
    await writeFile(path('public.pem'), publicKey.export({ type: 'spki', format: 'pem' }))
    await writeFile(path('pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }))
    await writeFile(path('jwk'), JSON.stringify(privateKey.export({ format: 'jwk' })))
    await succeeded(source.run(`organisation export acme ${path('jsonl')} --with-secrets --recipient ${path('public.pem')}`))

    for (const form of ['pem', 'jwk']) {
      const contents = await contentsOf(path('jsonl'), await recipientKeyOf(await readFile(path(form), 'utf8')))
      expect(contents.api_keys?.[0]).toMatchObject({ keyHash: expect.any(String) })
    }
  })
})

describe('gatehouse organisation import', () => {
  fromPostgres('brings everything across databases, so that users, applications and webhooks continue', async () => {
    const [between, last] = [await newEmbedded(), await newInstallation()]
    onTestFinished(async () => {
      await between.remove()
      await last.remove()
    })
    expect(await succeeded(between.run(`organisation list`))).toBe('No organisations\n')
    const elsewhere = { ...between.environment, PUBLIC_URL: 'https://id.other.test', ALLOW_DEVELOPMENT_ON: 'id.other.test' }
    const dry = await runCommand(elsewhere, `organisation import ${file('secret.jsonl')} ${trust()} --key ${file('new.jwk')} --dry-run`)
    expect(dry).toMatchObject({
      status: 0,
      stderr: 'Nothing was changed: this was a dry run\n',
      stdout: expect.stringMatching(
        /^Would import acme \(org_[\s\S]*\nWhat would remain to be done:\n[\s\S]* {2}passkeys work at localhost, and not here/,
      ),
    })
    expect(await succeeded(between.run(`organisation list`))).toBe('No organisations\n')

    const report = JSON.parse(
      await succeeded(between.run(`organisation import ${file('secret.jsonl')} ${trust()} --key ${file('new.jwk')} --json`)),
    )
    expect(report).toMatchObject({
      organisation: { slug: 'acme', id: given.organisationId },
      mistakeCount: 0,
      rows: { users: 3, organisations: 1 },
    })
    expect(report.todo.map(({ what }: { what: string }) => what)).toEqual(
      expect.arrayContaining(['webhooks', 'domains', 'invitations', 'sessions', 'the organisation']),
    )
    for (const what of ['users', 'passkeys']) expect(report.todo).not.toContainEqual(expect.objectContaining({ what }))

    const pair = generateKeyPairSync('rsa', { modulusLength: 2_048 })
    await writeFile(file('rsa.pem'), pair.privateKey.export({ type: 'pkcs8', format: 'pem' }))
    await writeFile(file('rsa.public.pem'), pair.publicKey.export({ type: 'spki', format: 'pem' }))
    await succeeded(between.run(`organisation export acme ${file('again.jsonl')} --with-secrets --recipient ${file('rsa.public.pem')}`))
    await copyKeys(between, 'between.jwks.json')
    await succeeded(
      last.run(
        `organisation import ${file('again.jsonl')} --trust ${presentUrl} --jwks ${file('between.jwks.json')} --key ${file('rsa.pem')}`,
      ),
    )

    // What an installation changes on arrival, and what it adds.
    const [before, after] = [
      await contentsOf(file('secret.jsonl'), key),
      await contentsOf(file('again.jsonl'), await recipientKeyOf(await readFile(file('rsa.pem'), 'utf8'))),
    ]
    expect(after.webhook_endpoints).toEqual(before.webhook_endpoints?.map((webhook) => ({ ...webhook, isActive: false })))
    expect(after.organisation_domains).toEqual(before.organisation_domains?.map((domain) => ({ ...domain, checkedAt: domain.verifiedAt })))
    const added = after.audit_logs?.splice(before.audit_logs?.length ?? 0)
    expect(added).toMatchObject([
      { action: 'organisation.imported', actorId: 'cli', metadata: { from: 'http://localhost:4000', withSecrets: true } },
      { action: 'organisation.exported', actorId: 'cli' },
    ])
    const counts = (contents: typeof before) => [...(contents.sign_in_counts ?? []), ...(contents.sign_in_count_changes ?? [])]
    expect(counts(after).sort(byText)).toEqual(counts(before).sort(byText))
    const logoUrl = `${presentUrl}${given.logoPath}`
    expect(after.organisations).toEqual(
      before.organisations?.map((one) => ({ ...one, branding: { ...(one.branding as object), logoUrl } })),
    )
    const changed = ['organisations', 'webhook_endpoints', 'organisation_domains', 'registration_tokens', 'sign_in_counts']
    changed.push('sign_in_count_changes')
    for (const table of exportedTables.filter((name) => !changed.includes(name)))
      expect([table, after[table]]).toEqual([table, before[table]])

    for (const target of [between, last]) {
      await target.database(async (database) => {
        const keyring = createKeyring(target.secretKey)
        const secretOf = async (table: string) => {
          const { rows } = await sql<{
            id: string
            secret: string
          }>`select id, secret_encrypted as secret from ${sql.table(table)}`.execute(database.system())
          return rows.map(({ id, secret }) => keyring.decrypt(secret, id))
        }
        expect(await secretOf('webhook_endpoints')).toEqual([given.webhookSecret])
        expect(await secretOf('connections')).toEqual(before.connections?.map(({ secret }) => secret))
      })
      await target.serve(goesOn)
    }
  })

  it('leaves secrets to be set again, and says which', async () => {
    const target = await newInstallation()
    onTestFinished(() => target.remove())
    const report = await succeeded(target.run(`organisation import ${file('plain.jsonl')} ${trust()}`))
    expect(report).toMatch(/^Imported acme \(org_\w+\): 3 users, \d+ rows\nWhat remains to be done:\n/)
    for (const line of [
      /^ {2}users have no password here: .* \(3: owner@acme\.test, /m,
      /^ {2}applications have a new secret that is shown nowhere: rotate it \(1: Shop\)$/m,
      /^ {2}API keys are not here: create new ones \(1: Pipeline\)$/m,
      /^ {2}webhooks are off, with a new secret: .* \(1: https:\/\/hooks\.acme\.test\/in\)$/m,
      /^ {2}connections have no secret here: .* \(1: Acme\)$/m,
      /^ {2}connections have no keys here: rotate them, .* \(1: Workforce\)$/m,
      /^ {2}domains require single sign-on by a connection that does not work here: .* \(1: staff\.acme\.test\)$/m,
      /^ {2}authenticator apps are not here: their users set up a second factor again \(1: [\w-]+@acme\.test\)$/m,
      /^ {2}invitations have links that do not work here: send them again \(1: invited@acme\.test\)$/m,
      /^ {2}addresses were http:\/\/localhost:4000 and are /m,
      /^ {2}sessions were left out/m,
      /^ {2}the organisation is still served by the old installation, at http:\/\/localhost:4000: suspend it there$/m,
    ]) {
      expect(report).toMatch(line)
    }
    await target.serve(async (service) => {
      const begin = async () => (await new PageVisitor(service.origin).open(`/federation/${workforce.id}/start`)).status
      expect([await begin(), await metadataOf(service)]).toMatchObject([403, { status: 404 }])
      const signedIn = await loginByPasskey(service)
      expect(signedIn).toMatchObject({ status: 200 })
      const owner = new SignedInUser(service.origin, signedIn, { email: 'owner@acme.test', password })
      // No provider knows a key that is not here: the new one signs at once.
      expect(await owner.post(`/v1/admin/connections/${workforce.id}/rotate-keys`, {})).toMatchObject({ status: 200 })
      expect(certificateIn(await metadataOf(service))).not.toBe(workforce.certificate)
      expect(await begin()).toBe(303)
      expect(await login(service, 'owner@acme.test')).toMatchObject({ status: 401 })
      const token = { grant_type: 'client_credentials' }
      expect(await postForm(service.anonymous, '/oauth2/token', token, basic(given))).toMatchObject({ status: 401 })
      expect(await new HttpClient(service.origin, { authorization: `Bearer ${given.apiKey}` }).get('/v1/admin/users')).toMatchObject({
        status: 401,
      })
    })
    expect(await target.run('user password-link owner@acme.test --yes')).toMatchObject({ status: 0 })
    await target.database(async (database) => {
      const { rows } = await sql`select email from users where mfa_enabled`.execute(database.system())
      expect(rows).toEqual([])
    })
  })
})

describe('the check before an import', () => {
  const withKey = () => `--key ${file('new.jwk')}`
  let target: Installation
  beforeAll(async () => {
    target = await newInstallation()
    await succeeded(target.run('organisation create --name Acme --slug acme --email it@other.test --owner-email role@acme.test'))
    await target.database((database) =>
      sql`
        insert into organisation_domains (organisation_id, id, domain, status, challenge, verified_at, created_at, updated_at)
        select id, 'dom_1', 'acme.test', 'verified', 'x', now(), now(), now() from organisations`.execute(database.system()),
    )
  })
  afterAll(() => target.remove())

  async function refuses(installation: Installation, line: string, mistakes: readonly (string | RegExp)[]): Promise<void> {
    const { status, stdout, stderr } = await installation.run(`organisation import ${line} ${line.includes('--untrusted') ? '' : trust()}`)
    expect([line, status, stderr]).toEqual([line, 1, ''])
    const lines = stdout.trimEnd().split('\n')
    expect(lines).toEqual([
      ...mistakes.map((mistake) => expect.stringMatching(mistake)),
      `Nothing was written: ${mistakes.length} ${mistakes.length === 1 ? 'mistake' : 'mistakes'}`,
    ])
  }

  it('names all that is taken', async () => {
    await refuses(target, `${file('secret.jsonl')} ${withKey()}`, [
      /^line 2, organisations org_\w+: slug acme is taken in this installation$/,
      /^line 2, organisations org_\w+: name Acme is taken in this installation$/,
      // The first, the last and the identifier since their domain is proven here.
      /^line \d+, users usr_\w+: email owner@acme\.test is taken in this installation$/,
      /^line \d+, users usr_\w+: email role@acme\.test is taken in this installation$/,
      /^line \d+, users usr_\w+: email totp@acme\.test is taken in this installation$/,
      /^line \d+, resource_servers \w+: identifier https:\/\/api\.acme\.test is taken in this installation$/,
      /^line \d+, organisation_domains dom_\w+: domain acme\.test is taken in this installation$/,
    ])
    await refuses(source, file('plain.jsonl'), [/^line 1: org_\w+ is in this installation already, as acme \(active\)$/])
  })

  ofFile('needs the key that the secrets are encrypted for', async () => {
    const other = await newRecipientKeys()
    await writeFile(file('other.jwk'), other.privateKey)
    await refuses(target, file('secret.jsonl'), [/^line 1: the export has secrets: --key names the private key that opens them$/])
    await refuses(target, `${file('secret.jsonl')} --key ${file('other.jwk')}`, [
      new RegExp(`^line 1: the secrets are encrypted for the key ${key.thumbprint}, and --key is ${other.thumbprint}$`),
    ])
    await refuses(target, `${file('plain.jsonl')} ${withKey()}`, [/^line 1: the export has no secrets/])
    expect(await target.run(`organisation import ${file('secret.jsonl')} ${trust()} --key ${file('new.public.jwk')}`)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('it is a public key'),
    })
    expect(await target.run(`organisation import ${file('nowhere')} ${trust()}`)).toMatchObject({
      status: 1,
      stderr: `${file('nowhere')} cannot be read: there is no such file (ENOENT)\n`,
    })
  })

  it('takes no id of a user that exists in another organisation: it is the subject of their tokens', async () => {
    const other = await newInstallation()
    onTestFinished(() => other.remove())
    await succeeded(other.run(`organisation create --name Other --slug other --email it@other.test --owner-email owner@other.test`))
    const [taken] = await other.database((database) => database.system().selectFrom('users').select('id').execute())
    const path = await rewritten(file('plain.jsonl'), (lines) => {
      const former = rowsOf(lines, 'users').at(-1)?.id as string
      const text = JSON.stringify(lines).replaceAll(former, taken?.id as string)
      lines.splice(0, lines.length, ...(JSON.parse(text) as typeof lines))
    })

    const { stdout } = await other.run(`organisation import ${path} ${trust()}`)

    expect(stdout).toContain(`users ${taken?.id}: id ${taken?.id} is taken in this installation\n`)
  })

  ofFile('takes no id that a service would not make: it could be the slug of another organisation, or name a path', async () => {
    for (const id of ['acme', '../../spool/x', 'usr_01m83ds1mcv4e3h6yb9x2k7p0r', `org_${'0'.repeat(252)}`]) {
      const path = await rewritten(file('plain.jsonl'), (lines) => {
        Object.assign(lines[0].organisation, { id })
        Object.assign(rowsOf(lines, 'organisations')[0], { id })
      })
      for (const line of [path, `${path} --untrusted`]) await refuses(target, line, [`line 1: ${id} is not the id of an organisation`])
    }
    const tables: string[] = []
    const path = await rewritten(file('plain.jsonl'), (lines) => {
      for (const line of lines) {
        if (!('table' in line) || line.table === 'organisations' || typeof line.rows[0]?.id !== 'string') continue
        tables.push(line.table)
        // Of an erased user, the id alone is checked.
        const erased = line.table === 'users' ? { deletedAt: line.rows[0].createdAt, erasedAt: line.rows[0].createdAt } : {}
        Object.assign(line.rows[0], { id: '../x', ...erased })
      }
    })
    const { stdout } = await target.run(`organisation import ${path} --untrusted`)
    expect(tables.length).toBeGreaterThan(15)
    for (const table of tables) expect(stdout).toMatch(new RegExp(`^line \\d+, ${table} \\S+: id: is not an id of this table$`, 'm'))
  })

  ofFile('asks who has signed the file, and believes no other signer', async () => {
    const line = (options: string, path = file('plain.jsonl')) => `organisation import ${path} ${options}`
    const refused = async (options: string, status: number, output: RegExp, path?: string) => {
      const { stdout, stderr, ...ended } = await target.run(line(options, path))
      expect([options, ended.status, stdout + stderr]).toEqual([options, status, expect.stringMatching(output)])
    }
    const byCopy = `--jwks ${file('source.jwks.json')}`
    await refused('', 2, /^--trust is missing: /)
    await refused('--untrusted --trust https://id.example.com', 2, /^--untrusted is for a file whose issuer you do not trust/)
    await refused('--trust id.example.com', 2, /^--trust is not a URL/)
    await refused(
      `--trust https://id.other.test ${byCopy}`,
      1,
      /^line \d+: the file is signed by http:\/\/localhost:4000, and --trust names https:\/\/id\.other\.test$/m,
    )
    await writeFile(file('none.jwks.json'), '{"keys":[]}')
    await refused(
      `--trust ${formerUrl} --jwks ${file('none.jwks.json')}`,
      1,
      /^line \d+: http:\/\/localhost:4000 does not publish the key \S+ that has signed/m,
    )
    await refused(`--trust ${formerUrl} --jwks ${file('nowhere')}`, 1, /nowhere cannot be read: there is no such file \(ENOENT\)$/m)
    const unsigned = await rewritten(file('plain.jsonl'), () => {}, { isSigned: false })
    await refused(trust(), 1, /^line \d+: the file has no signature$/m, unsigned)
    // What belongs to the signature is part of it.
    const text = await readFile(file('plain.jsonl'), 'utf8')
    const other = (await readFile(file('secret.jsonl'), 'utf8')).match(/"jws":"[^"]+"/)?.[0] as string
    await writeFile(file('foreign.jsonl'), text.replace(/"jws":"[^"]+"/, other))
    await refused(trust(), 1, /^line \d+: the signature is of another file$/m, file('foreign.jsonl'))
    // Its checksum is that of what was changed, and the signature is not.
    const [, rows = '', end = ''] = /^(.*\n)(.+\n)$/s.exec(text.replace('Übel', 'Edel')) ?? []
    const sha256 = createHash('sha256').update(rows).digest('hex')
    await writeFile(file('resealed.jsonl'), rows + end.replace(/"sha256":"\w+"/, `"sha256":"${sha256}"`))
    await refused(trust(), 1, /^line \d+: the signature is of another file$/m, file('resealed.jsonl'))
    await writeFile(file('bent.jsonl'), text.replace(/("jws":"[^"]+)....("\})/, '$1AAAA$2'))
    await refused(trust(), 1, /^line \d+: the signature is wrong$/m, file('bent.jsonl'))
    await writeFile(file('changed.jsonl'), text.replace('Übel', 'Edel'))
    await refused('--untrusted', 1, /^line \d+: the file was changed after it was written/m, file('changed.jsonl'))
  })

  ofFile('fetches the keys of the issuer by https or from this machine, and follows no redirect', async () => {
    for (const issuer of ['http://id.other.test', 'http://127.other.test']) {
      const byHttp = await rewritten(file('plain.jsonl'), () => {}, { issuer })
      expect(await target.run(`organisation import ${byHttp} --trust ${issuer}`)).toEqual({
        status: 1,
        stdout: '',
        stderr: `The keys of ${issuer} cannot be read at ${issuer}/oauth2/jwks.json (not by https): name a copy by --jwks\n`,
      })
    }

    const other = await newInstallation()
    onTestFinished(() => other.remove())
    await source.serve(async ({ origin }) => {
      const ofService = file('of-service.jsonl')
      await succeeded(runCommand({ ...source.environment, PUBLIC_URL: origin }, `organisation export acme ${ofService}`))
      const imported = await other.run(`organisation import ${ofService} --trust ${origin} --dry-run`)
      expect(imported).toMatchObject({ status: 0, stdout: expect.stringMatching(/^Would import acme /) })
    })

    const keys = await readFile(file('source.jwks.json'), 'utf8')
    const redirecting = createServer(({ url }, response) =>
      url === '/oauth2/jwks.json' ? response.writeHead(302, { location: '/elsewhere' }).end() : response.end(keys),
    )
    redirecting.listen(0, '127.0.0.1')
    onTestFinished(() => void redirecting.close())
    await once(redirecting, 'listening')
    const issuer = `http://127.0.0.1:${(redirecting.address() as AddressInfo).port}`
    const redirected = await rewritten(file('plain.jsonl'), () => {}, { issuer })
    const { stderr, ...ended } = await other.run(`organisation import ${redirected} --trust ${issuer} --dry-run`)
    expect(ended).toEqual({ status: 1, stdout: '' })
    expect(stderr).toMatch(/^The keys of \S+ cannot be read at \S+\/oauth2\/jwks\.json \(.*redirect.*\): name a copy by --jwks\n$/)
  })

  ofFile('writes nothing of a file that is exchanged once it is checked', async () => {
    const empty = await newInstallation()
    onTestFinished(() => empty.remove())
    const path = await rewritten(file('plain.jsonl'), () => {})
    const other = await rewritten(file('plain.jsonl'), (lines) => void Object.assign(rowsOf(lines, 'users')[0], { firstName: 'Edel' }))
    const keys = async () => JSON.parse(await readFile(file('source.jwks.json'), 'utf8'))
    await empty.database(async (database) => {
      const installed = { database, keyring: createKeyring(empty.secretKey), publicUrl: presentUrl, relyingParty: {}, trialMaxUsers: 10 }
      let isExchanged = false
      const importing = importOrganisation({ ...installed, grants }, path, {
        ...{ actor: systemActor, trust: { issuer: formerUrl, keys }, ignoreTrialLimit: false },
        onProgress() {
          if (!isExchanged) renameSync(other, path)
          isExchanged = true
        },
      })

      await expect(importing).rejects.toThrow(/^line \d+: the file was changed while it was imported$/)
      const { rows } = await sql`select 1 from organisations union all select 1 from users`.execute(database.system())
      expect(rows).toEqual([])
    })
  })

  it('switches off what names this installation as the server of an API', async () => {
    const empty = await newInstallation()
    onTestFinished(() => empty.remove())
    const path = await rewritten(file('plain.jsonl'), (lines) => {
      Object.assign(rowsOf(lines, 'resource_servers')[0], { identifier: `${presentUrl}/api`, isActive: true })
      Object.assign(rowsOf(lines, 'resource_authorization_servers')[0], { issuer: presentUrl, isActive: true })
    })

    const report = await succeeded(empty.run(`organisation import ${path} ${trust()}`))

    const { resourceServers, resourceAuthorizationServers } = await empty.database(activeIn)
    expect({ resourceServers, resourceAuthorizationServers }).toEqual({ resourceServers: [false], resourceAuthorizationServers: [false] })
    expect(report).toMatch(/^ {2}resource servers are off: look at them, then switch them on \(1: /m)
    expect(report).toMatch(/^ {2}resource authorization servers are off: look at them, then switch them on \(1: /m)
  })

  it('says which applications have to register anew, as no organisation has what they registered', async () => {
    const empty = await newInstallation()
    onTestFinished(() => empty.remove())
    const path = await rewritten(file('plain.jsonl'), (lines) => {
      const [client] = rowsOf(lines, 'clients')
      const own = { name: 'Agent', origin: 'registration', automaticClientId: 'ocl_01m83ds1mbj52vwjsf846a8a2f', deletedAt: null }
      Object.assign(client ?? {}, own)
    })
    const report = await succeeded(empty.run(`organisation import ${path} ${trust()}`))
    expect(report).toMatch(
      /^ {2}applications registered themselves elsewhere and are unknown here: they have to register anew \(1: Agent\)$/m,
    )
  })

  it('takes from an unsigned file what it has, and nothing that grants', async () => {
    const empty = await newInstallation()
    onTestFinished(() => empty.remove())
    const path = await rewritten(
      file('plain.jsonl'),
      (lines) => {
        const ownerRole = rowsOf(lines, 'roles').find(({ isOwner }) => isOwner)
        const [{ createdAt, roleId: _, ...held }] = rowsOf(lines, 'user_roles')
        const user = rowsOf(lines, 'users').find(({ id }) => id !== given.ownerId)
        rowsOf(lines, 'user_roles').push({ ...held, userId: user?.id, roleId: ownerRole?.id, createdAt })
        for (const table of ['resource_servers', 'resource_authorization_servers', 'directories'])
          Object.assign(rowsOf(lines, table)[0], { isActive: true })
      },
      { isSigned: false },
    )

    const report = await succeeded(empty.run(`organisation import ${path} --untrusted`))

    expect(report).toMatch(/^ {2}permissions of roles were left out: give each role what it is to hold \(\d+: .*reader.*\)$/m)
    await empty.database(async (database) => {
      const system = database.system()
      const roles = await system.selectFrom('roles').select(['isOwner', 'permissionSlugs']).execute()
      const all = await system.selectFrom('permissions').select('slug').execute()
      for (const { isOwner, permissionSlugs } of roles) expect(permissionSlugs).toHaveLength(isOwner ? all.length : 0)
      const owners = await system
        .selectFrom('userRoles')
        .innerJoin('roles', 'roles.id', 'userRoles.roleId')
        .select('userId')
        .where('isOwner', '=', true)
        .execute()
      expect(owners).toEqual([{ userId: given.ownerId }])
      expect(await system.selectFrom('organisationDomains').select(['status', 'verifiedAt']).execute()).toEqual(
        Array(2).fill({ status: 'pending', verifiedAt: null }),
      )
      expect(await activeIn(database)).toEqual({
        ...{ connections: [false, false], directories: [false] },
        ...{ resourceServers: [false], resourceAuthorizationServers: [false] },
      })
      expect(await system.selectFrom('apiKeys').select('id').execute()).toEqual([])
    })
  })

  it('creates permissions that a role needs, and asks for none that the owner alone holds', async () => {
    const empty = await newInstallation()
    onTestFinished(() => empty.remove())
    const withPermission = (planet: string, change: (lines: [Header, ...Batch[]]) => void = () => {}) =>
      rewritten(file('plain.jsonl'), (lines) => {
        const [id, slug] = [`prm_${planet}`, `${planet}:read`]
        lines[0].permissions.push({ id, slug, name: `Read ${planet}`, description: 'All of them', category: 'custom' })
        const reader = rowsOf(lines, 'roles').find((role) => role.slug === 'reader')
        rowsOf(lines, 'role_permissions').push({ roleId: reader?.id, permissionId: id })
        change(lines)
      })
    const path = await withPermission('moons')
    const rowsSaid = (text: string) => /, ([\d,]+ rows)$/m.exec(text)?.[1]

    const rehearsed = await empty.run(`organisation import ${path} ${trust()} --dry-run`)
    expect(rehearsed).toMatchObject({ status: 0, stderr: 'Nothing was changed: this was a dry run\n' })
    expect(rehearsed.stdout).toContain('  permissions would be created in this installation (1: moons:read)\n')
    const broken = await withPermission('suns', (lines) => void Object.assign(rowsOf(lines, 'organisations')[0], { status: 'sleepy' }))
    expect(await empty.run(`organisation import ${broken} ${trust()}`)).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(
        /^line 2: the database refuses it: .*\. Nothing was written but the permissions that it needs: suns:read\n$/,
      ),
    })

    const report = await succeeded(empty.run(`organisation import ${path} ${trust()}`))

    expect(report).toContain('  permissions were created in this installation (1: moons:read)\n')
    expect(rowsSaid(rehearsed.stdout)).toBe(rowsSaid(report))
    const { permissions } = (await linesOf(file('plain.jsonl')))[0] as Header
    expect(permissions.map(({ slug }) => slug)).not.toContain('organisation:delete')
    await empty.database(async (database) => {
      const roles = await database.system().selectFrom('roles').select(['slug', 'permissionSlugs']).execute()
      const held = new Map(roles.map(({ slug, permissionSlugs }) => [slug, permissionSlugs]))
      expect(held.get('reader')).toEqual(['moons:read', 'users:read'])
      expect(held.get('owner')).toEqual(expect.arrayContaining(['moons:read', 'organisation:delete']))
    })
  })

  ofFile('refuses a file that is not as it was written', async () => {
    const text = await readFile(file('plain.jsonl'), 'utf8')
    const lines = text.split('\n')
    const damaged = async (content: string) => {
      const path = file(`damaged-${randomBytes(4).toString('hex')}`)
      await writeFile(path, content)
      return path
    }
    await refuses(target, await damaged(''), [/^file: The file is empty$/])
    await refuses(target, await damaged('{"users":[]}\n'), [/^line 1: this is not an export of an organisation/])
    await refuses(target, await damaged(text.slice(0, text.length / 2)), [/^line \d+: not JSON: the file was cut or changed/])
    await refuses(target, await damaged(lines.slice(0, 5).join('\n')), [/^line 5: the file ends here, without its last line: it was cut$/])
    await refuses(target, await damaged(text.replace('Übel', 'Edel')), [
      /^line \d+: the file was changed after it was written: its checksum is /,
    ])
    await refuses(target, await damaged(`${text}${lines[1]}\n`), [/^line \d+: something follows the last line$/])
    await refuses(target, await rewritten(file('plain.jsonl'), ([header]) => Object.assign(header, { version: 2, release: '9.0.0' })), [
      /^line 1: the export is of a newer release, 9\.0\.0: this one reads version 1 of the format, not 2$/,
    ])
    await refuses(target, await rewritten(file('plain.jsonl'), ([header]) => Object.assign(header, { migration: '9999-more' })), [
      /^line 1: the export is of a newer release, \d.*: this one does not know the migration 9999-more$/,
    ])
  })

  ofFile('names each row that it does not understand', async () => {
    const empty = await newInstallation()
    onTestFinished(() => empty.remove())
    const changed = (change: (lines: [Header, ...Batch[]]) => void, name = 'plain.jsonl') => rewritten(file(name), change)
    const inUsers = (values: object) => changed((lines) => void Object.assign(rowsOf(lines, 'users')[0], values))
    const inClients = (values: object) => changed((lines) => void Object.assign(rowsOf(lines, 'clients')[0], values))
    await refuses(empty, await inUsers({ shoeSize: 42, email: 7, createdAt: 'yesterday', wrongCodes: null }), [
      /^line \d+, users usr_\w+: email is not a text$/,
      /^line \d+, users usr_\w+: createdAt is not a time$/,
      /^line \d+, users usr_\w+: wrongCodes is not a whole number$/,
      /^line \d+, users usr_\w+: shoeSize is not a field that this release knows$/,
    ])
    await refuses(empty, await inUsers({ organisationId: 'org_other' }), [/organisationId is not a field that this release knows$/])
    await refuses(empty, await inUsers({ passwordHash: 'x' }), [/passwordHash is not a field that this release knows$/])
    await refuses(empty, await inUsers({ email: undefined }), [/^line \d+, users usr_\w+: email is missing$/])
    await refuses(empty, await changed((lines) => void Object.assign(lines[1] as Batch, { table: 'planets' })), [
      /^line 2: this release has no table "planets"$/,
    ])
    await refuses(empty, await changed((lines) => void Object.assign(rowsOf(lines, 'organisations')[0], { id: 'org_other' })), [
      /^line 2: the organisation is not that of the first line, org_\w+$/,
    ])
    const ofPermission = { id: 'prm_1', slug: 'Moons', name: 'Moons', description: '', category: 'custom' }
    await refuses(empty, await changed(([header]) => void header.permissions.push(ofPermission)), [
      /^line 1: the permission "Moons": slug: /,
    ])
    await refuses(empty, await inUsers({ firstName: 'A\u001b]0;PWNED' }), [
      /^line \d+, users usr_\w+: firstName: Must not contain control characters$/,
    ])
    await refuses(empty, await inClients({ redirectUris: ['javascript:alert(1)'] }), [/^line \d+, clients cli_\w+: redirectUris\.0: /])
    await refuses(empty, await inClients({ tokenEndpointAuthMethod: 'none' }), [
      /^line \d+, clients cli_\w+: tokenEndpointAuthMethod: A confidential client must authenticate$/,
    ])
    const { stdout: ofProfile } = await empty.run(`organisation import ${await inClients({ profile: 'fapi2' })} ${trust()}`)
    expect(ofProfile).toMatch(/^line \d+, clients cli_\w+: requirePushedAuthorizationRequests: /m)
    const beyond = await changed((lines) => {
      const change = (table: string, values: object) => Object.assign(rowsOf(lines, table)[0] ?? {}, values)
      change('organisations', { sessionLifetime: 1, passwordPolicy: { minLength: 1 }, signInPolicy: { passkeys: 'always' } })
      change('organisations', { clientDocumentPolicy: { mode: 'hosts', hosts: 5 } })
      change('clients', { accessTokenLifetime: -1, authorizationCodeTtl: 86_400, defaultMaxAge: -1 })
      change('audit_logs', { changes: 5 })
      change('connections', { linking: 'always', roleMappings: [{ claim: 'groups', value: '', roleId: 'rol_1' }] })
      change('organisation_domains', { bypassUserIds: Array(6).fill('usr_1') })
    })
    const { stdout } = await empty.run(`organisation import ${beyond} ${trust()}`)
    const named = [...stdout.matchAll(/^line \d+, (\w+) \S*:? ?([\w.]+): /gm)].map(([, table, field]) => `${table} ${field}`)
    expect(named.sort()).toEqual([
      'audit_logs changes',
      'clients accessTokenLifetime',
      'clients authorizationCodeTtl',
      'clients defaultMaxAge',
      'connections linking',
      'connections roleMappings.0.value',
      'organisation_domains bypassUserIds',
      'organisations clientDocumentPolicy.hosts',
      'organisations passwordPolicy.minLength',
      'organisations sessionLifetime',
      'organisations signInPolicy.passkeys',
    ])
    const withDefaultOwners = await changed((lines) => {
      for (const role of rowsOf(lines, 'roles')) Object.assign(role, { isDefault: role.isOwner })
    })
    const { stdout: ofDefault } = await empty.run(`organisation import ${withDefaultOwners} ${trust()} --dry-run`)
    expect(ofDefault).toContain('default roles were the role of the owner, and are none now')
    const givesOwnership = await changed((lines) => {
      const ownerRole = rowsOf(lines, 'roles').find(({ isOwner }) => isOwner)?.id
      const reader = rowsOf(lines, 'roles').find(({ slug }) => slug === 'reader')?.id
      const byClaim = [reader, ownerRole].map((roleId) => ({ claim: 'groups', value: 'staff', roleId }))
      Object.assign(rowsOf(lines, 'connections')[0], { roleMappings: byClaim })
      const byGroup = [{ group: { displayName: 'Staff' }, roleIds: [reader, ownerRole], teamIds: [] }]
      Object.assign(rowsOf(lines, 'directories')[0], { groupMappings: byGroup })
    })
    for (const line of [givesOwnership, `${givesOwnership} --untrusted`]) {
      await refuses(empty, line, [
        /^line \d+, connections con_\w+: roleMappings\.1\.roleId: The owner role cannot be mapped$/,
        /^line \d+, directories \w+: groupMappings\.0\.roleIds\.1: The owner role cannot be mapped$/,
      ])
    }
    await refuses(
      empty,
      await changed((lines) => void Object.assign(rowsOf(lines, 'webhook_endpoints')[0], { url: 'http://169.254.169.254/' })),
      [/^line \d+, webhook_endpoints wh_\w+: url: /],
    )
    await refuses(
      empty,
      await changed((lines) => void Object.assign(rowsOf(lines, 'audit_logs')[0], { metadata: { text: '\u009b31m' } })),
      [/^line \d+, audit_logs aud_\w+: metadata has control characters$/],
    )
    await refuses(empty, await changed((lines) => void Object.assign(rowsOf(lines, 'roles')[0], { permissionSlugs: ['users:delete'] })), [
      /^line \d+, roles rol_\w+: permissionSlugs is not a field that this release knows$/,
    ])
    const moved = await changed((lines) => {
      const sealed = lines.filter((line): line is Batch => 'secrets' in line)
      const [one, other] = sealed as [Batch, Batch]
      Object.assign(one, { secrets: other.secrets })
    }, 'secret.jsonl')
    await refuses(empty, `${moved} ${withKey()}`, [/^line \d+, \w+: its secrets are of another export or of another line$/])
    const exchanged = await changed((lines) => {
      const users = rowsOf(lines, 'users')
      users.unshift(users.pop() as Batch['rows'][number])
    }, 'secret.jsonl')
    await refuses(empty, `${exchanged} ${withKey()}`, [/^line \d+, users: its secrets are of other rows$/])
    const broken = await changed((lines) => {
      const sealed = lines.find((line): line is Batch => 'secrets' in line) as Batch
      sealed.secrets = sealed.secrets?.replace(/.{4}$/, 'AAAA') ?? ''
    }, 'secret.jsonl')
    await refuses(empty, `${broken} ${withKey()}`, [/^line \d+, \w+: its secrets cannot be opened: /])
    const trial = await changed((lines) => void Object.assign(rowsOf(lines, 'organisations')[0], { status: 'trial' }))
    Object.assign(empty.environment, { TRIAL_MAX_USERS: '2' })
    await refuses(empty, trial, [/^users: 3 of an organisation on trial, which may have 2: --ignore-trial-limit lets them in$/])
    expect(await empty.run(`organisation import ${trial} ${trust()} --ignore-trial-limit --dry-run`)).toMatchObject({ status: 0 })

    const [former] = await source.database(async (database) => (await schemaState(database.system())).applied)
    const ofFormerRelease = await changed((lines) => {
      Object.assign(lines[0], { migration: former })
      for (const row of rowsOf(lines, 'users')) delete row.wrongCodes
    })
    expect(await empty.run(`organisation import ${ofFormerRelease} ${trust()} --dry-run`)).toMatchObject({ status: 0 })

    const refusedByDatabase = async (path: string, message: RegExp) =>
      expect(await empty.run(`organisation import ${path} ${trust()}`)).toEqual({
        status: 1,
        stdout: '',
        stderr: expect.stringMatching(message),
      })
    await refusedByDatabase(
      await changed((lines) => void Object.assign(rowsOf(lines, 'organisations')[0], { status: 'sleepy' })),
      /^line 2: the database refuses it: .*organisations_status_check.* Nothing was written\n$/,
    )
    await refusedByDatabase(
      await changed(
        (lines) =>
          void lines.splice(
            lines.findIndex((line) => 'table' in line && line.table === 'roles'),
            1,
          ),
      ),
      /^line \d+: the database refuses it: .*foreign key.* Nothing was written\n$/,
    )
    expect(await succeeded(empty.run('organisation list'))).toBe('No organisations\n')
    const { rows } = await empty.database((database) =>
      sql`select 1 from users union all select 1 from audit_logs`.execute(database.system()),
    )
    expect(rows).toEqual([])
  })
})

describe('an organisation with entries of the audit log of two megabytes', () => {
  ofFile('is exported in lines that an import reads', async () => {
    await succeeded(source.run('organisation create --name Heavy --slug heavy --email it@heavy.test --owner-email owner@heavy.test'))
    const [entries, bytes] = [6, 2 * 1_024 * 1_024]
    await source.database((database) =>
      sql`
        insert into audit_logs (organisation_id, id, action, actor_type, target_type, target_id, changes, created_at)
        select id, 'aud_' || number, 'directory.updated', 'system', 'directory', 'dir_1',
          jsonb_build_object('groupMappings', jsonb_build_object('from', null, 'to', repeat('x', ${bytes}::int))), now()
        from organisations, generate_series(1, ${entries}::int) number where slug = 'heavy'`.execute(database.system()),
    )
    const path = file('heavy.jsonl')

    await succeeded(source.run(`organisation export heavy ${path}`))

    const lines = (await readFile(path, 'utf8')).split('\n')
    expect(Math.max(...lines.map((line) => Buffer.byteLength(line)))).toBeLessThan(4 * bytes)
    const empty = await newInstallation()
    onTestFinished(() => empty.remove())
    await succeeded(empty.run(`organisation import ${path} ${trust()}`))
    const { rows } = await empty.database((database) =>
      sql`select from audit_logs where action = 'directory.updated'`.execute(database.system()),
    )
    expect(rows).toHaveLength(entries)
  })
})

describe('an organisation of 10,000 users', () => {
  const many = 10_000
  const heapMebibytes = 64
  // With the embedded database, its thread has as much.
  const environment = (of: Installation) => ({ ...of.environment, NODE_OPTIONS: `--max-old-space-size=${heapMebibytes}` })
  let large: Installation
  beforeAll(async () => {
    large = await newInstallation()
    await succeeded(large.run('organisation create --name Large --slug large --email it@large.test --owner-email owner@large.test'))
    await succeeded(large.run('organisation activate large'))
    await large.database(async (database) => {
      const system = database.system()
      await sql`
        insert into users (organisation_id, id, email, first_name, last_name, password_hash, created_at, updated_at)
        select o.id, 'usr_' || lpad(number::text, 26, '0'), number || '@large.test', 'N', number::text, '$argon2id$' || repeat('x', 80), now(), now()
        from organisations o, generate_series(1, ${many}::int) number`.execute(system)
      await sql`
        insert into imported_users (organisation_id, user_id, metadata, imported_at)
        select organisation_id, id, jsonb_build_object('text', repeat('y', 6500)), now() from users where email <> 'owner@large.test'`.execute(
        system,
      )
      await sql`
        insert into user_roles (organisation_id, user_id, role_id, created_at)
        select u.organisation_id, u.id, r.id, now() from users u join roles r on r.organisation_id = u.organisation_id and r.is_default
        where u.email <> 'owner@large.test'`.execute(system)
    })
  })
  afterAll(() => large.remove())
  it('travels in little memory, and leaves nothing when it is killed on its way', async () => {
    const path = file('large.jsonl')
    const exported = `organisation export large ${path} --with-secrets --recipient ${file('new.public.jwk')}`
    expect(await succeeded(runCommand(environment(large), exported))).toContain('10,001 users')
    // It would not fit.
    expect((await stat(path)).size).toBeGreaterThan(heapMebibytes * 1_024 * 1_024)
    await copyKeys(large, 'large.jwks.json')
    const target = await newInstallation()
    onTestFinished(() => target.remove())
    const line = `organisation import ${path} --trust ${presentUrl} --jwks ${file('large.jwks.json')} --key ${file('new.jwk')}`
    const child = startCommand(target.environment, line)
    const ended = once(child, 'exit')
    const isWriting = await watchWriting(target)
    const hasBegun = async () => child.exitCode !== null || (await isWriting())
    await expect.poll(hasBegun, { interval: 20 }).toBe(true)
    expect(child.exitCode, 'the import has ended before it could be killed').toBeNull()
    child.kill('SIGKILL')
    await ended
    await isWriting.stop()
    expect(await succeeded(target.run('organisation list'))).toBe('No organisations\n')
    expect(await succeeded(runCommand(environment(target), line))).toMatch(/^Imported large \(org_\w+\): 10,001 users, /)
    await target.database(async (database) => {
      const { rows } = await sql`
        select (select count(*) from user_roles) as roles, (select count(*) from user_role_sources) as sources,
          (select sum(change) from (select change from record_count_changes where records = 'users' union all select count from record_counts where records = 'users') c) as counted`.execute(
        database.system(),
      )
      expect(rows).toEqual([{ roles: many + 1, sources: many + 1, counted: expect.anything() }])
      expect(Number((rows[0] as { counted: unknown }).counted)).toBe(many + 1)
    })
  })
})

/** Tells whether an import has written much of its one transaction. */
async function watchWriting(target: Installation) {
  if (databaseKind() === 'pglite') {
    // More than PostgreSQL keeps in memory before it writes.
    const muchBytes = 12 * 2 ** 20
    const before = await folderSize(target.folder)
    return Object.assign(async () => (await folderSize(target.folder)) > before + muchBytes, { stop: async () => {} })
  }
  const engine = await openEngine({ databaseUrl: target.environment.DATABASE_URL, dataDir: target.folder })
  const system = createDatabase(engine, new TestClock()).system()
  const isWriting = async () => {
    const { rows } = await sql`
      select from pg_locks l join pg_class c on c.oid = l.relation
      where c.relname = 'user_roles' and l.mode = 'RowExclusiveLock'
        and l.database = (select oid from pg_database where datname = current_database())`.execute(system)
    return rows.length > 0
  }
  return Object.assign(isWriting, { stop: () => engine.close() })
}

const byText = (one: unknown, other: unknown) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1)
const basic = ({ clientId, clientSecret }: typeof given) => ({
  authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
})

/** All that was handed out at the source works at this service. */
async function loginByPasskey({ anonymous }: ServiceProcess) {
  const { body: flow } = await anonymous.post('/v1/auth/passkey/options')
  const proof = { flowToken: flow.flowToken, credential: device.get(flow.options, presentUrl) }
  return anonymous.post('/v1/auth/passkey', proof)
}

async function goesOn(service: ServiceProcess): Promise<void> {
  const signedIn = await login(service, 'owner@acme.test')
  expect(signedIn).toMatchObject({ status: 200, body: { user: { id: given.ownerId } } })
  const challenged = await login(service, 'totp@acme.test')
  expect(challenged.body).toMatchObject({ status: 'mfa_required' })
  const code = new Authenticator(given.totpSecret, new TestClock()).code(1)
  expect(await service.anonymous.post('/v1/auth/login/mfa', { mfaToken: challenged.body.mfaToken, code })).toMatchObject({ status: 200 })
  expect(await loginByPasskey(service)).toMatchObject({ status: 200, body: { user: { id: given.ownerId } } })
  expect((await fetch(`${service.origin}${given.logoPath}`)).status).toBe(200)
  const metadata = await metadataOf(service)
  expect(metadata).toContain(`entityID="${presentUrl}/saml/${workforce.id}/metadata"`)
  expect(certificateIn(metadata)).toBe(workforce.certificate)
  const issued = await postForm(service.anonymous, '/oauth2/token', { grant_type: 'client_credentials' }, basic(given))
  expect(issued).toMatchObject({ status: 200, body: { access_token: expect.any(String) } })
  const byKey = await new HttpClient(service.origin, { authorization: `Bearer ${given.apiKey}` }).get('/v1/admin/users')
  expect(byKey).toMatchObject({ status: 200, body: { total: 3 } })
  const owner = new SignedInUser(service.origin, signedIn, { email: 'owner@acme.test', password })
  const { body: roles } = await owner.get('/v1/admin/roles?q=reader')
  expect(roles.data).toMatchObject([{ slug: 'reader', permissions: [{ slug: 'users:read' }], userCount: 1 }])
  // Without the source that a trigger gives to who has none.
  const { body: users } = await owner.get('/v1/admin/users?q=role@acme.test')
  expect(users.data).toMatchObject([{ roles: [{ slug: 'reader' }] }])
}
