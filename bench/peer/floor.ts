/**
 * The minimum cost of OAuth: a bare Fastify server that does only what every correct implementation must do, on our own
 * connection to PostgreSQL. It explains no refusal, records nothing, and has one tenant and no consent. A code and a family
 * are rows with one index each. A refresh token names its family, which stores the hash of the latest token.
 */
import { createHash, generateKeyPairSync, randomBytes, randomUUID, sign, verify } from 'node:crypto'
import process from 'node:process'
import formbody from '@fastify/formbody'
import fastify from 'fastify'
import { CompiledQuery } from 'kysely'
import { openPostgres } from '../../src/platform/database/postgres.ts'
import { schema, statements } from './floor-schema.ts'

const { DATABASE_URL: connectionString = '', PORT: port, CLIENT_SECRET: clientSecret = '', REDIRECT_URI: redirectUri = '' } = process.env
const engine = openPostgres(connectionString, { poolSize: 20, takesRoles: false })
const issuer = 'https://floor.test'
const hour = 3_600_000
const month = 30 * 24 * hour

type Row = Record<string, string> & { expiresAt: Date; usedAt: Date | null; revokedAt: Date | null; isRevoked: boolean; scopes: string[] }
const find = async (statement: keyof typeof statements, ...values: unknown[]) =>
  (await engine.pointRead<Row>(CompiledQuery.raw(statements[statement], values))).rows[0]
const change = async (statement: keyof typeof statements, ...values: unknown[]) =>
  (await engine.keyedWrite<Row>(CompiledQuery.raw(statements[statement], values), String(values[0]))).rows.length > 0

const hashOf = (secret: string) => createHash('sha256').update(secret).digest('base64url')
const newSecret = () => randomBytes(32).toString('base64url')
const refuse = (reason: string) => Object.assign(new Error(reason), { statusCode: 400 })

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const kid = newSecret()
const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const headers = {
  'at+jwt': encoded({ alg: 'EdDSA', typ: 'at+jwt', kid }),
  JWT: encoded({ alg: 'EdDSA', typ: 'JWT', kid }),
}

function signed(type: keyof typeof headers, claims: object): string {
  const input = `${headers[type]}.${encoded(claims)}`
  return `${input}.${sign(null, Buffer.from(input), privateKey).toString('base64url')}`
}

/** Verified tokens are cached, as in the service: the content of a token never changes. */
const proven = new Map<string, Record<string, string>>()
function claimsOf(token: string): Record<string, string> {
  const hash = hashOf(token)
  const known = proven.get(hash)
  if (known) return known
  const [header, payload = '', signature = ''] = token.split('.')
  if (header !== headers['at+jwt'] || !verify(null, Buffer.from(`${header}.${payload}`), publicKey, Buffer.from(signature, 'base64url'))) {
    throw refuse('invalid token')
  }
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
  if (proven.size >= 10_000) proven.clear()
  proven.set(hash, claims)
  return claims
}

function accessToken(clientId: string, sub: string, scope: string, familyId = ''): string {
  const now = Math.floor(Date.now() / 1_000)
  const jti = `${familyId}.${randomUUID()}`
  return signed('at+jwt', { iss: issuer, sub, client_id: clientId, aud: clientId, exp: now + 3_600, iat: now, jti, scope, roles: [] })
}

const claimsOfUser = ({ name, given_name, family_name, email, email_verified }: Row) => ({
  ...{ name, given_name, family_name, email, email_verified },
})

function answerFor(
  clientId: string,
  row: Row,
  { familyId, secret, nonce }: { familyId: string; secret: string; nonce?: string | undefined },
) {
  const now = Math.floor(Date.now() / 1_000)
  const { userId = '', scope = '' } = row
  return {
    access_token: accessToken(clientId, userId, scope, familyId),
    token_type: 'Bearer',
    expires_in: 3_600,
    refresh_token: `${familyId}.${secret}`,
    id_token: signed('JWT', { iss: issuer, sub: userId, aud: clientId, exp: now + 3_600, iat: now, nonce, ...claimsOfUser(row) }),
    scope,
  }
}

function credentialsOf(authorization = ''): { clientId: string; secretHash: string } {
  const [clientId = '', secret = ''] = Buffer.from(authorization.slice('Basic '.length), 'base64').toString().split(':')
  return { clientId, secretHash: hashOf(secret) }
}

type Form = Record<string, string | undefined>
type Credentials = ReturnType<typeof credentialsOf>

const grants: Record<string, (client: Credentials, form: Form) => Promise<object>> = {
  async client_credentials({ clientId, secretHash }, { scope = '' }) {
    const client = await find('client', clientId)
    if (client?.secretHash !== secretHash || !client?.scopes.includes(scope)) throw refuse('invalid client or scope')
    return { access_token: accessToken(clientId, clientId, scope), token_type: 'Bearer', expires_in: 3_600, scope }
  },
  async authorization_code({ clientId, secretHash }, { code = '', code_verifier = '', redirect_uri }) {
    const codeHash = hashOf(code)
    const row = await find('code', clientId, codeHash)
    if (row?.secretHash !== secretHash || row.usedAt || row.expiresAt.getTime() < Date.now()) throw refuse('invalid client or code')
    if (row.redirectUri !== redirect_uri || row.challenge !== hashOf(code_verifier)) throw refuse('invalid verifier')
    const secret = newSecret()
    const { familyId = '', nonce } = row
    const answer = answerFor(clientId, row, { familyId, secret, nonce })
    if (!(await change('claimCode', codeHash, new Date(), hashOf(secret), new Date(Date.now() + month)))) throw refuse('used twice')
    return answer
  },
  async refresh_token({ clientId, secretHash }, { refresh_token = '' }) {
    const [familyId = '', presented = ''] = refresh_token.split('.')
    const row = await find('refreshToken', clientId, familyId)
    const presentedHash = hashOf(presented)
    if (row?.secretHash !== secretHash || row.tokenHash !== presentedHash || row.revokedAt || row.expiresAt.getTime() < Date.now()) {
      throw refuse('invalid client or token')
    }
    const secret = newSecret()
    const answer = answerFor(clientId, row, { familyId, secret })
    if (!(await change('rotate', familyId, presentedHash, hashOf(secret), new Date(Date.now() + month)))) throw refuse('used twice')
    return answer
  },
}

const app = fastify()
await app.register(formbody)

const document = JSON.stringify({ issuer, padding: 'x'.repeat(1_700) })
const keySet = JSON.stringify({
  keys: [{ kid, kty: 'OKP', use: 'sig', alg: 'EdDSA', crv: 'Ed25519', x: publicKey.export({ format: 'jwk' }).x }],
})
for (const [path, body] of [
  ['/.well-known/openid-configuration', document],
  ['/jwks', keySet],
] as const) {
  app.get(path, (_request, reply) => {
    reply.header('cache-control', 'public, max-age=300').type('application/json').send(body)
  })
}

app.get('/login', async (_request, reply) => {
  const token = newSecret()
  await engine.execute(CompiledQuery.raw("insert into sessions values ($1, 'user', $2)", [hashOf(token), new Date(Date.now() + month)]))
  return reply.header('set-cookie', `session=${token}; HttpOnly`).send({})
})

app.get<{ Querystring: Form }>('/authorize', async ({ query, headers: { cookie = '' } }, reply) => {
  const { client_id, redirect_uri = '', scope = '', state = '', nonce, code_challenge } = query
  const session = await find('authorization', client_id, hashOf(cookie.slice('session='.length)), new Date())
  if (session?.redirectUri !== redirect_uri || !code_challenge) throw refuse('invalid request')
  const code = newSecret()
  const values = [
    hashOf(code),
    client_id,
    session.userId,
    newSecret(),
    redirect_uri,
    scope,
    nonce,
    code_challenge,
    new Date(Date.now() + hour),
  ]
  await change('insertCode', ...values)
  return reply.header('cache-control', 'no-store').redirect(`${redirect_uri}?${new URLSearchParams({ code, state, iss: issuer })}`)
})

app.post<{ Body: Form }>('/token', async ({ body, headers: { authorization } }, reply) => {
  const grant = grants[body.grant_type ?? '']
  if (!grant) throw refuse('unsupported grant type')
  const answer = await grant(credentialsOf(authorization), body)
  return reply.header('cache-control', 'no-store').send(answer)
})

app.post<{ Body: Form }>('/introspect', async ({ body, headers: { authorization } }, reply) => {
  const { clientId, secretHash } = credentialsOf(authorization)
  const { jti = '', ...claims } = claimsOf(body.token ?? '')
  const state = await find('introspection', clientId, jti.slice(0, jti.indexOf('.')), jti)
  if (state?.secretHash !== secretHash) throw refuse('invalid client')
  const active = !state.isRevoked && !state.revokedAt && Number(claims.exp) * 1_000 > Date.now()
  return reply.header('cache-control', 'no-store').send(active ? { active, username: state.email, jti, ...claims } : { active })
})

app.get('/userinfo', async ({ headers: { authorization = '' } }, reply) => {
  const { jti = '', exp, sub } = claimsOf(authorization.slice('Bearer '.length))
  const user = await find('userinfo', jti.slice(0, jti.indexOf('.')), jti)
  if (!user || user.revokedAt || user.isRevoked || Number(exp) * 1_000 < Date.now()) throw refuse('invalid token')
  return reply.header('cache-control', 'no-store').send({ sub, ...claimsOfUser(user) })
})

app.post<{ Body: Form }>('/revoke', async ({ body, headers: { authorization } }, reply) => {
  const { clientId, secretHash } = credentialsOf(authorization)
  const { jti, exp, client_id } = claimsOf(body.token ?? '')
  if (client_id !== clientId) throw refuse('the token of another client')
  if (!(await change('revoke', clientId, secretHash, jti, new Date(Number(exp) * 1_000)))) throw refuse('invalid client')
  return reply.header('cache-control', 'no-store').send({})
})

for (const statement of schema.split(';')) await engine.execute(CompiledQuery.raw(statement))
await engine.execute(
  CompiledQuery.raw('insert into clients values ($1, $2, $3, $4)', ['bench', hashOf(clientSecret), redirectUri, ['api']]),
)
await engine.execute(CompiledQuery.raw("insert into users values ('user', 'Bench User', 'Bench', 'User', 'bench@example.test', true)"))
await app.listen({ port: Number(port), host: '127.0.0.1' })
