/**
 * CPU time, of the service and of its database, for each OAuth operation, compared with npm oidc-provider and with a minimal
 * implementation, on the same PostgreSQL in the same run:
 * `npm run bench:oauth -- --operations 2000 --rounds 5 --only jwks,refresh`. Linux.
 *
 * `--peer-clients configuration` makes the peer read its client from memory rather than from its database. `--profile <folder>`
 * writes a CPU profile of each process there.
 */
import process from 'node:process'
import { parseArgs } from 'node:util'
import { type Contestant, startFloor, startGatehouse, startPeer } from './support/contestants.ts'
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
const ours = await startGatehouse(postgres, atATime, flags, { isAssured: true })
const peer = await startPeer(postgres, atATime, flags, peerClients)
const floor = await startFloor(postgres, atATime, flags)
const contestants = [ours, peer, floor]
const rows: Record<string, Record<string, string | number>> = {}
for (const name of chosen) {
  const operation = operations[name]
  if (!operation) throw new Error(`${name} is none of ${Object.keys(operations).join(', ')}`)
  const able = contestants.filter(({ assured }) => assured || !operation.isAssured)
  const costs = new Map<Contestant, Cost[]>(able.map((contestant) => [contestant, []]))
  const statements = new Map<Contestant, number>()
  for (const contestant of costs.keys()) {
    await warmUp(contestant, operation, Math.max(operationsPerRound, operation.warmUp ?? 0))
    await contestant.database.analyze()
    statements.set(contestant, await countStatements(contestant, operation))
  }
  for (let round = 0; round < rounds; round++) {
    for (const [contestant, measured] of costs) measured.push(await measure(contestant, operation))
  }
  rows[name] = rowOf(operation, contestants.map((one) => medianOf(costs.get(one) ?? [])) as [Cost, Cost, Cost], statements)
  const { 'ours: service + database': mine, 'peer: service + database': theirs, 'ours / peer': share } = rows[name]
  process.stdout.write(`${name}: ${mine}, peer ${theirs}: ${share}\n`)
}
// biome-ignore lint/suspicious/noConsole: a bench prints
console.table(rows)

for (const { party, assured, process: started } of contestants) {
  await Promise.all([party.close(), assured?.party.close()])
  await started.stop()
}
await postgres.stop()

async function measure(contestant: Contestant, operation: Operation): Promise<Cost> {
  const { process: started, database } = contestant
  const work = await operation.prepare(contestant, operationsPerRound)
  // Before measuring, reopen connections that were idle during the other server's round and prepare their statements.
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

function rowOf({ goal }: Operation, [mine, theirs, least]: [Cost, Cost, Cost], statements: ReadonlyMap<Contestant, number>) {
  const figure = (value: number, digits: number) => (Number.isNaN(value) ? '–' : value.toFixed(digits))
  const shown = ({ service, database }: Cost) => `${figure(service, 3)} + ${figure(database, 3)}`
  const total = (cost: Cost) => cost.service + cost.database
  const share = (one: Cost, other: Cost) => figure(total(one) / total(other), 2)
  return {
    'ours: service + database': shown(mine),
    'peer: service + database': shown(theirs),
    'floor: service + database': shown(least),
    'ours / peer': share(mine, theirs),
    goal: goal.toFixed(2),
    'floor / peer': share(least, theirs),
    'ours / floor': share(mine, least),
    statements: contestants.map((one) => figure(statements.get(one) ?? Number.NaN, 1)).join(', '),
  }
}

/** The median round, by the sum of both. */
function medianOf(costs: readonly Cost[]): Cost {
  const sorted = costs.toSorted((one, other) => one.service + one.database - other.service - other.database)
  return sorted[Math.floor(sorted.length / 2)] ?? { service: Number.NaN, database: Number.NaN }
}
