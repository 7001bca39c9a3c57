/**
 * CPU time, of the service and of its database, for a client that registers itself with a token, reads its registration and deletes it:
 * `npm run bench:registration -- --registrations 1000 --rounds 5`. Linux.
 *
 * `--flood 10000` makes as many registrations without a token, and then names as many documents of applications, in place of that: it prints
 * the rows that they leave behind, and what another organisation notices.
 */
import process from 'node:process'
import { parseArgs } from 'node:util'
import { startGatehouse } from './support/contestants.ts'
import { cpuMillisecondsOf } from './support/cpu.ts'
import { spentBetween, startMeasuredPostgres } from './support/database-load.ts'
import { flood } from './support/flood.ts'

const { values: options } = parseArgs({
  options: {
    registrations: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '5' },
    flood: { type: 'string' },
  },
})
const registrations = Number(options.registrations)
const rounds = Number(options.rounds)
const clients = 16

const postgres = await startMeasuredPostgres()
if (options.flood) {
  const count = Number(options.flood)
  await flood(postgres, 'registrations', { count, isLimited: true })
  await flood(postgres, 'documents', { count, isLimited: true })
  await flood(postgres, 'documents', { count, isLimited: false })
  await postgres.stop()
  process.exit()
}
const {
  process: started,
  database,
  party: administrator,
  owner,
} = await startGatehouse(postgres, 1, [], {
  environment: { OAUTH_EXTENSIONS: 'dynamic_registration' },
})
const token = await createToken()

await run(registrations)
await database.analyze()
const statements = (await database.countStatements(() => run(registrations))) / registrations
for (let round = 0; round < rounds; round++) {
  const before = { service: cpuMillisecondsOf(started.pid), backends: await database.backends() }
  await run(registrations)
  const service = (cpuMillisecondsOf(started.pid) - before.service) / registrations
  const ofDatabase = spentBetween(before.backends, await database.backends()) / registrations
  process.stdout.write(`${service.toFixed(2)} + ${ofDatabase.toFixed(2)} ms a client, ${statements.toFixed(1)} statements\n`)
}

await administrator.close()
await started.stop()
await postgres.stop()

async function createToken(): Promise<string> {
  const { text } = await administrator.postJson('/v1/auth/login', owner)
  const headers = { 'x-csrf-token': JSON.parse(text).csrfToken }
  return JSON.parse((await administrator.postJson('/v1/admin/registration-tokens', {}, headers)).text).token
}

async function run(count: number): Promise<void> {
  let left = count
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (left-- > 0) await register()
    }),
  )
}

async function register(): Promise<void> {
  const metadata = { client_name: 'Preview', redirect_uris: ['https://preview.bench.test/callback'] }
  const { registration_client_uri: uri, registration_access_token: own } = await call('POST', '/oauth2/register', token, metadata)
  const path = new URL(uri).pathname
  await call('GET', path, own)
  await call('DELETE', path, own)
}

async function call(method: string, path: string, bearer: string, body?: object) {
  const response = await fetch(started.origin + path, {
    method,
    headers: { authorization: `Bearer ${bearer}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return text === '' ? {} : JSON.parse(text)
}
