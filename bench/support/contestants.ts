/** The servers that are compared, each with its own client and a signed-in user. */
import { randomBytes } from 'node:crypto'
import buildService, { allocatorSettings, builtService, nodeFlags } from '../../test/support/built-service.ts'
import { onServer, urlOf } from '../../test/support/database-server.ts'
import type { DatabaseLoad, startMeasuredPostgres } from './database-load.ts'
import { type RegisteredClient, RelyingParty, SigningKey } from './relying-party.ts'
import { type StartedProcess, startProcess } from './started-process.ts'

export interface Contestant {
  name: string
  process: StartedProcess
  database: DatabaseLoad
  party: RelyingParty
  /** A client that authenticates by a key, with the same browser, and where it pushes its requests. */
  assured?: { party: RelyingParty; push: string }
  paths: Record<'authorize' | 'token' | 'userinfo' | 'introspect' | 'revoke' | 'jwks', string>
  /** Headers with which this server issues tokens that its userinfo, introspection and revocation accept. */
  checkedTokenHeaders: Record<string, string>
}

type Postgres = Awaited<ReturnType<typeof startMeasuredPostgres>>

const redirectUri = 'https://rp.example.test/callback'

const publicUrl = 'https://gatehouse.test'

const owner = { email: 'owner@bench.test', password: 'correct horse battery' }

/** A server that was not started for the benchmark may still have the database of the previous run. */
async function createAnew({ url }: Postgres, name: string): Promise<void> {
  await onServer(url, `drop database if exists ${name} with (force)`)
  await onServer(url, `create database ${name}`)
}

/** What of one Gatehouse differs from another that it is compared with. */
interface Variant {
  /** The command of another build. */
  program?: string
  /** Its database. */
  database?: string
  environment?: Record<string, string>
  /** Whether it has a client that authenticates by a key. */
  isAssured?: boolean
}

/** @param connections how many requests are made at a time */
export async function startGatehouse(
  postgres: Postgres,
  connections: number,
  flags: readonly string[],
  { program = builtService, database = 'gatehouse_bench', environment = {}, isAssured = false }: Variant = {},
): Promise<Contestant & { owner: { email: string; password: string } }> {
  buildService()
  await createAnew(postgres, database)
  const started = await startProcess(
    program,
    {
      ...allocatorSettings,
      NODE_ENV: 'production',
      DATABASE_URL: urlOf(postgres.url, database),
      DATA_DIR: '/tmp/gatehouse-bench',
      PUBLIC_URL: publicUrl,
      ...(isAssured && { OAUTH_EXTENSIONS: 'private_key_jwt,par,dpop' }),
      LOG_LEVEL: 'warn',
      RATE_LIMIT: 'off',
      SECRET_KEY: randomBytes(32).toString('base64'),
      BOOTSTRAP_OWNER_EMAIL: owner.email,
      BOOTSTRAP_OWNER_PASSWORD: owner.password,
      ...environment,
    },
    '/readyz',
    [...nodeFlags, ...flags],
    ['serve'],
  )
  const visitor = new RelyingParty(started.origin, { clientId: '', clientSecret: '', redirectUri }, 1)
  const { csrfToken } = JSON.parse((await visitor.postJson('/v1/auth/login', owner)).text)
  const register = async (fields: object) => {
    const registration = {
      clientType: 'confidential',
      redirectUris: [redirectUri],
      grantTypes: ['authorization_code', 'refresh_token', 'client_credentials'],
      scopes: ['api'],
      ...fields,
    }
    return JSON.parse((await visitor.postJson('/v1/admin/clients', registration, { 'x-csrf-token': csrfToken })).text)
  }
  const { clientId, clientSecret } = await register({ name: 'Bench' })
  const key = new SigningKey()
  const byKey = { tokenEndpointAuthMethod: 'private_key_jwt', jwks: { keys: [key.publicJwk] } }
  const withKey = isAssured ? await register({ name: 'Bank', ...byKey }) : undefined
  // An end user with the default role, which holds no permissions: the tokens of both contestants say as much.
  const user = { email: 'user@bench.test', password: owner.password }
  await visitor.postJson('/v1/admin/users', { ...user, firstName: 'Bench', lastName: 'User' }, { 'x-csrf-token': csrfToken })
  await visitor.close()
  const party = new RelyingParty(started.origin, { clientId, clientSecret, redirectUri }, connections)
  await party.postJson('/v1/auth/login', user)
  const assurance = { issuer: publicUrl, key }
  const assured =
    withKey &&
    new RelyingParty(started.origin, { clientId: withKey.clientId, clientSecret: '', redirectUri }, connections, {
      assurance,
      browser: party,
    })
  return {
    name: 'gatehouse',
    owner,
    process: started,
    database: postgres.loadOf(database),
    party,
    ...(assured && { assured: { party: assured, push: '/oauth2/par' } }),
    paths: {
      authorize: '/oauth2/authorize',
      token: '/oauth2/token',
      userinfo: '/oauth2/userinfo',
      introspect: '/oauth2/introspect',
      revoke: '/oauth2/revoke',
      jwks: '/oauth2/jwks.json',
    },
    checkedTokenHeaders: {},
  }
}

/** @param clients where the peer stores its clients: in its database, like a service whose clients change, or in its configuration */
export async function startPeer(
  postgres: Postgres,
  connections: number,
  flags: readonly string[],
  clients: 'database' | 'configuration',
): Promise<Contestant> {
  await createAnew(postgres, 'peer_bench')
  const client: RegisteredClient = { clientId: 'bench', clientSecret: randomBytes(32).toString('base64url'), redirectUri }
  const key = new SigningKey()
  const started = await startProcess(
    'bench/peer/oidc-provider.ts',
    {
      NODE_ENV: 'production',
      DATABASE_URL: urlOf(postgres.url, 'peer_bench'),
      CLIENT_SECRET: client.clientSecret,
      CLIENTS: clients,
      CLIENT_KEY: JSON.stringify(key.publicJwk),
    },
    '/.well-known/openid-configuration',
    flags,
  )
  const party = new RelyingParty(started.origin, client, connections)
  await party.codeFlow('/auth', '/token')
  const assurance = { issuer: started.origin, key }
  const withKey = { clientId: 'bank', clientSecret: '', redirectUri }
  const assured = new RelyingParty(started.origin, withKey, connections, { assurance, browser: party })
  await assured.pushedCodeFlow('/request', '/auth', '/token')
  return {
    name: 'oidc-provider',
    process: started,
    database: postgres.loadOf('peer_bench'),
    party,
    assured: { party: assured, push: '/request' },
    paths: {
      authorize: '/auth',
      token: '/token',
      userinfo: '/me',
      introspect: '/token/introspection',
      revoke: '/token/revocation',
      jwks: '/jwks',
    },
    checkedTokenHeaders: { 'x-bench-token': 'opaque' },
  }
}

/** The minimal implementation of each operation: `bench/peer/floor.ts`. */
export async function startFloor(postgres: Postgres, connections: number, flags: readonly string[]): Promise<Contestant> {
  await createAnew(postgres, 'floor_bench')
  const client: RegisteredClient = { clientId: 'bench', clientSecret: randomBytes(32).toString('base64url'), redirectUri }
  const started = await startProcess(
    'bench/peer/floor.ts',
    {
      NODE_ENV: 'production',
      DATABASE_URL: urlOf(postgres.url, 'floor_bench'),
      CLIENT_SECRET: client.clientSecret,
      REDIRECT_URI: redirectUri,
    },
    '/jwks',
    flags,
  )
  const party = new RelyingParty(started.origin, client, connections)
  await party.get('/login')
  return {
    name: 'floor',
    process: started,
    database: postgres.loadOf('floor_bench'),
    party,
    paths: { authorize: '/authorize', token: '/token', userinfo: '/userinfo', introspect: '/introspect', revoke: '/revoke', jwks: '/jwks' },
    checkedTokenHeaders: {},
  }
}
