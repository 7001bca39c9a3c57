/**
 * CPU time of a page of 20 users in an organisation of 1,000, 100,000 and 1,000,000, of the service and of its database, beside
 * an ordinary admin read of one user in the same rounds: `npm run bench:list-page -- --sizes 1000,100000`. Linux.
 */
import { parseArgs } from 'node:util'
import { onServer, urlOf } from '../test/support/database-server.ts'
import { startGatehouse } from './support/contestants.ts'
import { cpuMillisecondsOf } from './support/cpu.ts'
import { spentBetween, startMeasuredPostgres } from './support/database-load.ts'
import { atATime, many, succeeded } from './support/oauth-operations.ts'
import { RelyingParty } from './support/relying-party.ts'

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
  await seed(seeded, size)
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

/** Each with the default role, every other one in a team as well, as `bench/list-users.ts` has them. */
async function seed(from: number, to: number): Promise<void> {
  const [organisation] = await onServer(databaseUrl, 'select id from organisations')
  const id = `'${organisation?.id}'`
  const some = `u.id > 'usr_0' || lpad('${from}', 25, '0') and u.id <= 'usr_0' || lpad('${to}', 25, '0')`
  await onServer(
    databaseUrl,
    `insert into users (organisation_id, id, email, first_name, last_name, created_at, updated_at)
     select ${id}, 'usr_0' || lpad(n::text, 25, '0'), 'user' || n || '@bench.test', 'First ' || n, 'Last ' || n, now(), now()
     from generate_series(${from + 1}, ${to}) n;
     insert into user_roles (organisation_id, user_id, role_id, created_at)
     select ${id}, u.id, r.id, now() from users u, roles r where ${some} and r.slug = 'member';
     insert into teams (organisation_id, id, name, slug, created_at, updated_at)
     values (${id}, 'tem_bench', 'Bench', 'bench', now(), now()) on conflict do nothing;
     insert into team_members (organisation_id, team_id, user_id, created_at)
     select ${id}, 'tem_bench', u.id, now() from users u where ${some} and right(u.id, 1)::int % 2 = 0`,
  )
}
