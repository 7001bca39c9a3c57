import { join } from 'node:path'
import process from 'node:process'
import { systemClock } from '../../src/platform/clock.ts'
import { createDatabase, type Database } from '../../src/platform/database/database.ts'
import { openPostgres } from '../../src/platform/database/postgres.ts'
import { allocatorSettings, builtService, nodeFlags } from '../../test/support/built-service.ts'
import { onServer, urlOf } from '../../test/support/database-server.ts'
import { RelyingParty } from './relying-party.ts'
import { clientSecret, fillDatabase, redirectUri, sizesOf } from './scale-fill.ts'
import { type StartedProcess, startProcess } from './started-process.ts'

const owner = { email: 'owner@bench.test', password: 'correct horse battery' }
export const systemApiKey = 'key-of-the-operator-of-this-benchmark'

/** An organisation, as its owner's browser sees it, which is an application of it as well. */
export interface ScaleOrganisation {
  organisationId: string
  party: RelyingParty
  /** What a change by the owner needs. */
  headers: Record<string, string>
  memberRoleId: string
  /** One of its users, not the owner. */
  userId: string
  email: string
}

export interface ScaleDatabase {
  share: number
  databaseUrl: string
  service: StartedProcess
  /** Opened by this process. */
  database: Database
  /** A browser without a session. */
  visitor: RelyingParty
  usual: ScaleOrganisation[]
  largest: ScaleOrganisation
  /** Addresses of users who can sign in by their password alone. */
  users: string[]
  /** A permission that members do not have. */
  permissionId: string
  deepCursor: string
  deepNameCursor: string
  stop(): Promise<void>
}

const usualCount = 20
/** The user on which the thousandth page of 50 begins. */
const deepPlace = 50_000

/** Starts the service on the database of a share, which is filled first unless an earlier run has done so. */
export async function openScale(serverUrl: string, folder: string, share: number): Promise<ScaleDatabase> {
  const name = `scale_${String(share).replace('.', '_')}`
  const databaseUrl = urlOf(serverUrl, name)
  const start = () =>
    startProcess(
      builtService,
      {
        ...allocatorSettings,
        DATABASE_URL: databaseUrl,
        DATA_DIR: join(folder, name),
        BOOTSTRAP_OWNER_EMAIL: owner.email,
        BOOTSTRAP_OWNER_PASSWORD: owner.password,
        SYSTEM_API_KEY: systemApiKey,
        RATE_LIMIT: 'off',
        LOG_LEVEL: 'silent',
        // What the worker does is measured by itself.
        ROLES: 'api',
      },
      '/readyz',
      nodeFlags,
      ['serve'],
    )
  const [known] = await onServer(
    serverUrl,
    `select shobj_description(oid, 'pg_database') as comment from pg_database where datname = '${name}'`,
  )
  if (known?.comment !== 'filled') {
    if (known) await onServer(serverUrl, `drop database ${name} with (force)`)
    await onServer(serverUrl, `create database ${name}`)
    // It migrates the database and makes the first organisation, which the others are copies of.
    await (await start()).stop()
    await fillDatabase(databaseUrl, sizesOf(share), (step, seconds) => {
      if (seconds >= 1) process.stdout.write(`${share}: ${step}: ${seconds.toFixed(0)} s\n`)
    })
    await onServer(serverUrl, `comment on database ${name} is 'filled'`)
  }
  const [{ bytes = '0' } = {}] = await onServer(serverUrl, `select pg_database_size('${name}') as bytes`)
  process.stdout.write(`${share}: ${(Number(bytes) / 2 ** 30).toFixed(1)} GB\n`)
  const service = await start()
  const visitor = new RelyingParty(service.origin, { clientId: '', clientSecret, redirectUri }, 4)
  const { organisations } = sizesOf(share)
  // The last ones are purged.
  const count = Math.min(usualCount, Math.floor(organisations / 3))
  const usual: ScaleOrganisation[] = []
  for (let index = 0; index < count; index++) {
    usual.push(await openOrganisation(service.origin, databaseUrl, 1 + Math.floor((index * organisations) / 2 / count)))
  }
  const largest = await openOrganisation(service.origin, databaseUrl, 0)
  const users = await onServer(
    databaseUrl,
    `select email from users where organisation_id = any ('{${usual.map(({ organisationId }) => organisationId)}}') and not mfa_enabled and blocked_at is null and not email like 'owner%'`,
  )
  const [permission] = await onServer(databaseUrl, "select id from permissions where slug = 'users:read'")
  const [counted] = await onServer(databaseUrl, `select count(*) from users where organisation_id = '${largest.organisationId}'`)
  const deep = Math.min(deepPlace, Math.floor(Number(counted?.count) * 0.9))
  const engine = openPostgres(databaseUrl, { poolSize: 4 })
  return {
    share,
    databaseUrl,
    service,
    database: createDatabase(engine, systemClock),
    visitor,
    usual,
    largest,
    users: users.map(({ email }) => email ?? ''),
    permissionId: permission?.id ?? '',
    deepCursor: await cursorAt(largest, '/v1/admin/users?', deep),
    deepNameCursor: await cursorAt(largest, '/v1/admin/users?sort=name&', deep),
    async stop() {
      await Promise.all([visitor, largest.party, ...usual.map(({ party }) => party)].map((party) => party.close()))
      await engine.close()
      await service.stop()
    },
  }
}

/** Signs the owner of an organisation in. */
async function openOrganisation(origin: string, databaseUrl: string, number: number): Promise<ScaleOrganisation> {
  const [found] = await onServer(
    databaseUrl,
    `select o.id, c.id as client_id, r.id as role_id, u.id as user_id, u.email
     from organisations o join clients c on c.organisation_id = o.id join roles r on r.organisation_id = o.id and r.is_default
     join users u on u.organisation_id = o.id and u.id <> o.owner_id where o.slug = 'org-${number}' order by u.id limit 1`,
  )
  const { id = '', client_id: clientId = '', role_id: memberRoleId = '', user_id: userId = '', email = '' } = found ?? {}
  const party = new RelyingParty(origin, { clientId, clientSecret, redirectUri }, 4)
  const signedIn = await party.postJson('/v1/auth/login', { email: `owner@org${number}.test`, password: owner.password })
  if (signedIn.status !== 200) throw new Error(`The owner of organisation ${number} cannot sign in: ${signedIn.text}`)
  return { organisationId: id, party, headers: { 'x-csrf-token': JSON.parse(signedIn.text).csrfToken }, memberRoleId, userId, email }
}

/** The cursor of the page that begins after so many records. */
async function cursorAt({ party, headers }: ScaleOrganisation, path: string, place: number): Promise<string> {
  let cursor = ''
  for (let left = place; left > 0; ) {
    const limit = Math.min(1_000, left)
    const { text } = await party.get(`${path}limit=${limit}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`, headers)
    cursor = JSON.parse(text).nextCursor as string
    left -= limit
  }
  return encodeURIComponent(cursor)
}
