/**
 * npm oidc-provider on PostgreSQL as its own process, for comparison with the service: JWT access tokens, EdDSA, clients and
 * accounts in the database, as in a service where they change.
 */
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import process from 'node:process'
import Provider, { type ClientMetadata } from 'oidc-provider'
import pg from 'pg'
import { findAccount, insertAccount, postgresAdapter, schema } from './postgres-adapter.ts'

const {
  DATABASE_URL: connectionString,
  PORT: port = '0',
  CLIENT_SECRET: clientSecret = '',
  CLIENTS: clients,
  CLIENT_KEY: clientKey = '{}',
} = process.env
const resource = 'https://api.example.test'

const pool = new pg.Pool({ connectionString, max: 20 })
await pool.query(schema)

const client: ClientMetadata = {
  client_id: 'bench',
  client_secret: clientSecret,
  redirect_uris: ['https://rp.example.test/callback'],
  grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
  response_types: ['code'],
  token_endpoint_auth_method: 'client_secret_basic',
  id_token_signed_response_alg: 'EdDSA',
  scope: 'openid profile email offline_access api',
}
/** The same with a key in place of the secret. */
const { client_secret: _, ...withoutSecret } = client
const assured: ClientMetadata = {
  ...withoutSecret,
  client_id: 'bank',
  token_endpoint_auth_method: 'private_key_jwt',
  jwks: { keys: [JSON.parse(clientKey)] },
}
const registered = [client, assured]
const Adapter = postgresAdapter(pool)
if (clients !== 'configuration') for (const one of registered) await new Adapter('Client').upsert(one.client_id, one)
await insertAccount(pool, 'bench-user')

const provider = new Provider(`http://127.0.0.1:${port}`, {
  adapter: Adapter,
  clients: clients === 'configuration' ? registered : [],
  cookies: { keys: [randomBytes(32).toString('hex')] },
  jwks: { keys: [{ ...generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'EdDSA' }] },
  enabledJWA: { idTokenSigningAlgValues: ['EdDSA'] },
  scopes: ['openid', 'profile', 'email', 'offline_access', 'api'],
  claims: { profile: ['name', 'given_name', 'family_name'], email: ['email', 'email_verified'] },
  conformIdTokenClaims: false,
  pkce: { required: () => true },
  issueRefreshToken: async () => true,
  rotateRefreshToken: true,
  features: {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    introspection: { enabled: true },
    revocation: { enabled: true },
    pushedAuthorizationRequests: { enabled: true },
    dPoP: { enabled: true },
    resourceIndicators: {
      enabled: true,
      // Without a resource the token is opaque, as this peer's userinfo, introspection and revocation require.
      defaultResource: async (context) => (context.get('x-bench-token') === 'opaque' ? (undefined as never) : resource),
      useGrantedResource: async () => true,
      getResourceServerInfo: async () => ({
        scope: 'api openid profile email offline_access',
        accessTokenFormat: 'jwt',
        jwt: { sign: { alg: 'EdDSA' } },
      }),
    },
  },
  findAccount: async (_context, id) => {
    const account = await findAccount(pool, id)
    return account && { accountId: id, claims: async () => ({ sub: id, ...account }) }
  },
  interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
})
provider.on('server_error', (_context, error) => process.stderr.write(`${error.stack}\n`))

const handle = provider.callback()
const server = createServer(async (request, response) => {
  if (!request.url?.startsWith('/interaction/')) return handle(request, response)
  // Every user is signed in and consents: the benchmark does this once and measures what follows.
  const { params, session, grantId } = await provider.interactionDetails(request, response)
  const accountId = session?.accountId ?? 'bench-user'
  const grant =
    (grantId ? await provider.Grant.find(grantId) : undefined) ?? new provider.Grant({ accountId, clientId: String(params.client_id) })
  grant.addOIDCScope('openid profile email offline_access')
  grant.addResourceScope(resource, 'api openid profile email offline_access')
  const consent = { grantId: await grant.save() }
  await provider.interactionFinished(request, response, { login: { accountId }, consent }, { mergeWithLastSubmission: false })
})
server.listen(Number(port), '127.0.0.1', () => process.stdout.write('listening\n'))
