/**
 * CPU time of the service for OAuth operations with and without OpenTelemetry, in turns that are short enough to see the same machine:
 * `npm run bench:telemetry -- --operations 60 --rounds 300 --only refresh`. Linux.
 *
 * `--against <checkout>` also measures the build of another checkout, without OpenTelemetry.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { type Contestant, startGatehouse } from './support/contestants.ts'
import { cpuMillisecondsOf } from './support/cpu.ts'
import { startMeasuredPostgres } from './support/database-load.ts'
import { atATime, type Operation, operations } from './support/oauth-operations.ts'
import { median, percentile } from './support/percentiles.ts'

const { values: options } = parseArgs({
  options: {
    operations: { type: 'string', default: '60' },
    rounds: { type: 'string', default: '150' },
    only: { type: 'string', default: 'code flow,refresh,introspection' },
    variants: { type: 'string', default: 'off,off again,traces,metrics,logs,all' },
    against: { type: 'string' },
  },
})
const operationsPerRound = Number(options.operations)
const rounds = Number(options.rounds)
const warmUpOperations = 3_000

// Takes everything at once, in this process, whose time does not count.
const collector = createServer((request, response) => request.resume().on('end', () => response.end())).listen(0, '127.0.0.1')
await once(collector, 'listening')
const { port } = collector.address() as AddressInfo
const sending = (...signals: string[]) => ({
  LOG_LEVEL: 'info',
  OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
  OTEL_METRIC_EXPORT_INTERVAL: '10000',
  ...Object.fromEntries(
    ['TRACES', 'METRICS', 'LOGS'].map((signal) => [`OTEL_${signal}_EXPORTER`, signals.includes(signal) ? 'otlp' : 'none']),
  ),
})
const variants: Record<string, { program?: string; environment?: Record<string, string> }> = {
  off: { environment: { LOG_LEVEL: 'info' } },
  // The same: how far it is from `off` is what the machine does.
  'off again': { environment: { LOG_LEVEL: 'info' } },
  traces: { environment: sending('TRACES') },
  metrics: { environment: sending('METRICS') },
  logs: { environment: sending('LOGS') },
  all: { environment: sending('TRACES', 'METRICS', 'LOGS') },
}

const postgres = await startMeasuredPostgres()
const contestants: [string, Contestant][] = []
for (const name of options.variants.split(',')) {
  const variant = variants[name]
  if (!variant) throw new Error(`${name} is none of ${Object.keys(variants).join(', ')}`)
  contestants.push([name, await startGatehouse(postgres, atATime, [], { ...variant, database: `bench_${contestants.length}` })])
}
if (options.against) {
  const program = join(options.against, 'dist/gatehouse.js')
  contestants.push([options.against, await startGatehouse(postgres, atATime, [], { ...variants.off, program, database: 'bench_against' })])
}
for (const name of options.only.split(',')) {
  const operation = operations[name]
  if (!operation) throw new Error(`${name} is none of ${Object.keys(operations).join(', ')}`)
  const costs = contestants.map((): number[] => [])
  for (const [, contestant] of contestants) await (await operation.prepare(contestant, warmUpOperations))()
  for (let round = 0; round < rounds; round++)
    for (const place of contestants.keys()) {
      // Each is first in its turn.
      const index = (place + round) % contestants.length
      const [, contestant] = contestants[index] as [string, Contestant]
      costs[index]?.push(await measure(contestant, operation))
    }
  print(name, costs)
}
for (const [, { party, process: started }] of contestants) {
  await party.close()
  await started.stop()
}
await postgres.stop()
collector.close()

/** @returns CPU milliseconds of one operation */
async function measure(contestant: Contestant, operation: Operation): Promise<number> {
  const work = await operation.prepare(contestant, operationsPerRound)
  const before = cpuMillisecondsOf(contestant.process.pid)
  await work()
  return (cpuMillisecondsOf(contestant.process.pid) - before) / operationsPerRound
}

function print(operation: string, costs: readonly number[][]): void {
  const [first = []] = costs
  for (const [index, [name]] of contestants.entries()) {
    const own = costs[index] ?? []
    const ratios = own.map((cost, round) => cost / (first[round] ?? Number.NaN))
    const [low, high] = [0.25, 0.75].map((share) => percentile(ratios, share).toFixed(2))
    process.stdout.write(
      `${operation}, ${name}: ${median(own).toFixed(3)} ms, ${median(ratios).toFixed(3)} of the first (quartiles ${low} to ${high})\n`,
    )
  }
}
