/**
 * How much the tables of the database grow, indexes included, with each operation: `npm run bench:storage -- --count 5000`. What is written
 * beside them, as to the log of PostgreSQL, is not counted.
 */
import process from 'node:process'
import { parseArgs } from 'node:util'
import { onServer, urlOf } from '../test/support/database-server.ts'
import { startGatehouse } from './support/contestants.ts'
import { startMeasuredPostgres } from './support/database-load.ts'
import { many, operations } from './support/oauth-operations.ts'

const { values: options } = parseArgs({ options: { count: { type: 'string', default: '5000' } } })
const count = Number(options.count)

const postgres = await startMeasuredPostgres()
const gatehouse = await startGatehouse(postgres, 16, [])
const { party, owner } = gatehouse
const { csrfToken } = JSON.parse((await party.postJson('/v1/auth/login', owner)).text)
const headers = { 'x-csrf-token': csrfToken }

await measure('a user who is created', (index) =>
  party.postJson(
    '/v1/admin/users',
    { email: `user-${index}@bench.test`, firstName: 'Carol', lastName: 'Shaw', sendWelcomeMail: false },
    headers,
  ),
)
await measure('a sign-in by password', () => party.postJson('/v1/auth/login', owner))
for (const name of ['code flow', 'refresh']) await measureWork(`a ${name}`, await prepared(name))

await party.close()
await gatehouse.process.stop()
await postgres.stop()

function prepared(name: string): Promise<() => Promise<void>> {
  const operation = operations[name]
  if (!operation) throw new Error(`There is no operation ${name}`)
  return operation.prepare(gatehouse, count)
}

async function measure(what: string, work: (index: number) => Promise<{ status: number; text: string }>): Promise<void> {
  await measureWork(what, () =>
    many(count, async (index) => {
      const { status, text } = await work(index)
      if (status >= 300) throw new Error(`${what}: ${status} ${text}`)
    }),
  )
}

async function measureWork(what: string, work: () => Promise<void>): Promise<void> {
  const before = await sizes()
  await work()
  const after = await sizes()
  const grown = [...after]
    .map(([table, bytes]) => ({ table, bytes: (bytes - (before.get(table) ?? 0)) / count }))
    .filter(({ bytes }) => bytes >= 1)
    .sort((a, b) => b.bytes - a.bytes)
  const sum = grown.reduce((total, { bytes }) => total + bytes, 0)
  const each = grown.map(({ table, bytes }) => `${table} ${bytes.toFixed(0)}`).join(', ')
  process.stdout.write(`${what}: ${sum.toFixed(0)} bytes (${each})\n`)
}

/** Of each table with its indexes, once nothing is left of rows that were replaced. */
async function sizes(): Promise<Map<string, number>> {
  await onServer(urlOf(postgres.url, 'gatehouse_bench'), 'vacuum full')
  const rows = await onServer(
    urlOf(postgres.url, 'gatehouse_bench'),
    "select relname as table, pg_total_relation_size(oid)::text as bytes from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace",
  )
  return new Map(rows.map(({ table = '', bytes }) => [table, Number(bytes)]))
}
