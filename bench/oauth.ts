/**
 * CPU time, of the service and of its database, for each OAuth operation, beside npm oidc-provider on the same PostgreSQL in
 * the same run: `npm run bench:oauth -- --operations 2000 --rounds 5 --only jwks,refresh`. Linux.
 *
 * `--peer-clients configuration` has the peer keep its client in memory rather than in its database; `--profile <folder>`
 * leaves a CPU profile of both processes there.
 */
import process from 'node:process'
import { parseArgs } from 'node:util'
import { type Contestant, startGatehouse, startPeer } from './support/contestants.ts'
import { cpuMillisecondsOf } from './support/cpu.ts'
import { spentBetween, startMeasuredPostgres } from './support/database-load.ts'
import { atATime, type Operation, operations } from './support/oauth-operations.ts'

const { values: options } = parseArgs({
  options: {
    operations: { type: 'string', default: '2000' },
    rounds: { type: 'string', default: '5' },
    only: { type: 'string' },
    'peer-clients': { type: 'string', default: 'database' },
    profile: { type: 'string' },
  },
})
const operationsPerRound = Number(options.operations)
const rounds = Number(options.rounds)
const chosen = options.only?.split(',') ?? Object.keys(operations)
const flags = options.profile ? ['--cpu-prof', '--cpu-prof-dir', options.profile] : []

/** CPU milliseconds of one operation. */
interface Cost {
  service: number
  database: number
}

const postgres = await startMeasuredPostgres()
const peerClients = options['peer-clients'] === 'configuration' ? 'configuration' : 'database'
const ours = await startGatehouse(postgres, atATime, flags)
const peer = await startPeer(postgres, atATime, flags, peerClients)
const rows: Record<string, Record<string, string | number>> = {}
for (const name of chosen) {
  const operation = operations[name]
  if (!operation) throw new Error(`${name} is none of ${Object.keys(operations).join(', ')}`)
  const costs = new Map<Contestant, Cost[]>([
    [ours, []],
    [peer, []],
  ])
  const statements = new Map<Contestant, number>()
  for (const contestant of costs.keys()) {
    await warmUp(contestant, operation, operationsPerRound)
    await contestant.database.analyze()
    statements.set(contestant, await countStatements(contestant, operation))
  }
  for (let round = 0; round < rounds; round++) {
    for (const [contestant, measured] of costs) measured.push(await measure(contestant, operation))
  }
  rows[name] = rowOf(operation, [ours, peer].map((one) => medianOf(costs.get(one) ?? [])) as [Cost, Cost], [
    statements.get(ours) ?? Number.NaN,
    statements.get(peer) ?? Number.NaN,
  ])
  process.stdout.write(`${name}: ${rows[name]?.ratio}\n`)
}
// biome-ignore lint/suspicious/noConsole: a bench prints
console.table(rows)

for (const { party, process: started } of [ours, peer]) {
  await party.close()
  await started.stop()
}
await postgres.stop()

async function measure(contestant: Contestant, operation: Operation): Promise<Cost> {
  const { process: started, database } = contestant
  const work = await operation.prepare(contestant, operationsPerRound)
  // Connections that were idle while the other one had its turn are opened again, and their statements prepared, unmeasured.
  await warmUp(contestant, operation, operationsPerRound / 5)
  const before = { service: cpuMillisecondsOf(started.pid), backends: await database.backends() }
  await work()
  return {
    service: (cpuMillisecondsOf(started.pid) - before.service) / operationsPerRound,
    database: spentBetween(before.backends, await database.backends()) / operationsPerRound,
  }
}

async function warmUp(contestant: Contestant, operation: Operation, count: number): Promise<void> {
  const work = await operation.prepare(contestant, count)
  await work()
}

async function countStatements(contestant: Contestant, operation: Operation): Promise<number> {
  const work = await operation.prepare(contestant, operationsPerRound)
  return (await contestant.database.countStatements(work)) / operationsPerRound
}

function rowOf({ goal }: Operation, [mine, theirs]: [Cost, Cost], [myStatements, theirStatements]: [number, number]) {
  const total = (cost: Cost) => cost.service + cost.database
  return {
    'gatehouse service': mine.service.toFixed(3),
    'gatehouse database': mine.database.toFixed(3),
    'peer service': theirs.service.toFixed(3),
    'peer database': theirs.database.toFixed(3),
    ratio: (total(mine) / total(theirs)).toFixed(2),
    goal: goal.toFixed(2),
    'gatehouse statements': myStatements.toFixed(1),
    'peer statements': theirStatements.toFixed(1),
  }
}

/** The round in the middle, by the sum of both. */
function medianOf(costs: readonly Cost[]): Cost {
  const sorted = costs.toSorted((one, other) => one.service + one.database - other.service - other.database)
  return sorted[Math.floor(sorted.length / 2)] ?? { service: Number.NaN, database: Number.NaN }
}
