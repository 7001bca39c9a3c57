/**
 * What the test mode takes, beside its goals: `node bench/testing.ts`, on a quiet machine. The figures are the medians of ten; that of
 * the start is from a stored empty database.
 */
import process from 'node:process'
import { type Gatehouse, type Organisation, startGatehouse } from '../packages/testing/src/index.ts'
import buildService, { builtService } from '../test/support/built-service.ts'
import { cpuMillisecondsOf } from './support/cpu.ts'
import { median } from './support/percentiles.ts'
import { memoryOf } from './support/process-status.ts'

const rounds = 10
const command = [process.execPath, builtService]
const print = (text: string) => process.stdout.write(`${text}\n`)

interface Measured {
  milliseconds: number
  /** Of the processor, in the service. It says more than the time where other programs are at work, too. */
  cpuMilliseconds: number
}

async function measured(work: (round: number) => Promise<Gatehouse>, isStart = false): Promise<Measured> {
  const times: Measured[] = []
  for (let round = 0; round < rounds; round++) {
    const before = isStart ? 0 : cpuMillisecondsOf(gatehouse.processId ?? 0)
    const began = performance.now()
    const { processId = 0 } = await work(round)
    times.push({ milliseconds: performance.now() - began, cpuMilliseconds: cpuMillisecondsOf(processId) - before })
  }
  const of = (name: keyof Measured) => median(times.map((one) => one[name]))
  return { milliseconds: of('milliseconds'), cpuMilliseconds: of('cpuMilliseconds') }
}

await buildService()
const start = () => startGatehouse({ command })
// The first one makes the empty database.
await (await start()).stop()

const started: Gatehouse[] = []
const startTimes = await measured(async () => {
  const one = await start()
  started.push(one)
  return one
}, true)
await Promise.all(started.slice(1).map((one) => one.stop()))
const gatehouse = started[0] as Gatehouse
const after = async (work: Promise<unknown>) => {
  await work
  return gatehouse
}
const memory = async () => (await memoryOf(gatehouse.processId ?? 0)).now
const memoryOfStart = await memory()

const made: Organisation[] = []
const organisationTimes = await measured(async (round) => {
  const users = ['anna', 'ben', 'carol'].map((name) => ({ email: `${name}@acme${round}.test` }))
  made.push(await gatehouse.organisation({ users, clients: [{ key: 'web', redirectUris: ['https://app.test/callback'] }] }))
  return gatehouse
})
const [acme] = made as [Organisation]
const tokensTimes = await measured(() => after(gatehouse.tokens(acme.owner, acme.client('web'))))
const memoryOfUse = await memory()
const snapshotTimes = await measured(() => after(gatehouse.snapshot()))
const snapshot = await gatehouse.snapshot()
const restoreTimes = await measured(() => after(gatehouse.restore(snapshot)))

for (const [what, { milliseconds, cpuMilliseconds }, goal] of [
  ['start', startTimes, 900],
  ['organisation() with three users and a client', organisationTimes, 40],
  ['tokens()', tokensTimes, 15],
  ['snapshot()', snapshotTimes, 100],
  ['restore()', restoreTimes, 100],
] as const)
  print(`${what}: ${milliseconds.toFixed(1)} ms (goal: ${goal} ms), ${cpuMilliseconds.toFixed(1)} ms of the processor`)
print(`memory: ${memoryOfStart} MiB after the start, ${memoryOfUse} MiB with ten organisations (goal: 200 MiB)`)
print(`memory with eleven snapshots besides: ${await memory()} MiB`)
await gatehouse.stop()
