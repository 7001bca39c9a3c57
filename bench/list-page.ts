/**
 * CPU time of a page of 20 users in an organisation of 1,000, 100,000 and 1,000,000, of the service and of its database, beside
 * an ordinary admin read of one user in the same rounds: `npm run bench:list-page -- --sizes 1000,100000`. Linux.
 */
import { parseArgs } from 'node:util'
import { urlOf } from '../test/support/database-server.ts'
import { startGatehouse } from './support/contestants.ts'
import { cpuMillisecondsOf } from './support/cpu.ts'
import { spentBetween, startMeasuredPostgres } from './support/database-load.ts'
import { atATime, many, succeeded } from './support/oauth-operations.ts'
import { RelyingParty } from './support/relying-party.ts'
import { seedUsers } from './support/seeds.ts'

const goal = 3
const { values: options } = parseArgs({
  options: {
    operations: { type: 'string', default: '2000' },
    rounds: { type: 'string', default: '5' },
    sizes: { type: 'string', default: '1000,100000,1000000' },
    profile: { type: 'string' },
  },
})
const requestsPerRound = Number(options.operations)

interface Cost {
  service: number
  database: number
}

const postgres = await startMeasuredPostgres()
const flags = options.profile ? ['--cpu-prof', '--cpu-prof-dir', options.profile] : []
const gatehouse = await startGatehouse(postgres, atATime, flags)
const databaseUrl = urlOf(postgres.url, 'gatehouse_bench')
const party = new RelyingParty(gatehouse.process.origin, { clientId: '', clientSecret: '', redirectUri: '' }, atATime)
const { csrfToken, user } = JSON.parse((await party.postJson('/v1/auth/login', gatehouse.owner)).text)
const headers = { 'x-csrf-token': csrfToken }
const readUser = () => party.get(`/v1/admin/users/${user.id}`, headers).then(succeeded)
const readPage = (query: string) => () => party.get(`/v1/admin/users?limit=20${query}`, headers).then(succeeded)

const rows: Record<string, Record<string, string>> = {}
let seeded = 0
for (const size of options.sizes.split(',').map(Number)) {
  await seedUsers(databaseUrl, size, seeded)
  seeded = size
  await gatehouse.database.analyze()
  const { total, nextCursor } = JSON.parse((await party.get('/v1/admin/users?limit=20', headers)).text)
  if (total !== size + 2) throw new Error(`The list says ${total} of ${size + 2} users`)
  const work = {
    'a user': readUser,
    'first page': readPage(''),
    'next page': readPage(`&cursor=${nextCursor}`),
    'by name': readPage('&sort=-name'),
  }
  const costs = Object.fromEntries(Object.keys(work).map((name) => [name, [] as Cost[]]))
  for (const read of Object.values(work)) await many(requestsPerRound, read)
  for (let round = 0; round < Number(options.rounds); round++) {
    for (const [name, read] of Object.entries(work)) costs[name]?.push(await costOf(read))
  }
  const ordinary = medianOf(costs['a user'] ?? [])
  for (const name of Object.keys(work)) {
    const cost = medianOf(costs[name] ?? [])
    rows[`${size}: ${name}`] = {
      'service + database': `${cost.service.toFixed(3)} + ${cost.database.toFixed(3)}`,
      ratio: ((cost.service + cost.database) / (ordinary.service + ordinary.database)).toFixed(2),
      goal: goal.toFixed(2),
    }
  }
}
// biome-ignore lint/suspicious/noConsole: a bench prints
console.table(rows)

for (const one of [party, gatehouse.party]) await one.close()
await gatehouse.process.stop()
await postgres.stop()

async function costOf(read: () => Promise<void>): Promise<Cost> {
  await many(requestsPerRound / 5, read)
  const before = { service: cpuMillisecondsOf(gatehouse.process.pid), backends: await gatehouse.database.backends() }
  await many(requestsPerRound, read)
  return {
    service: (cpuMillisecondsOf(gatehouse.process.pid) - before.service) / requestsPerRound,
    database: spentBetween(before.backends, await gatehouse.database.backends()) / requestsPerRound,
  }
}

/** The median round, by the sum of both. */
function medianOf(costs: readonly Cost[]): Cost {
  const sorted = costs.toSorted((one, other) => one.service + one.database - other.service - other.database)
  return sorted[sorted.length >> 1] ?? { service: Number.NaN, database: Number.NaN }
}
