/**
 * What the test mode takes, beside its goals: `node bench/testing.ts`, on a quiet machine. The figures are the medians of ten; that of
 * the start is from a stored empty database.
 */
import process from 'node:process'
import { type Gatehouse, type Organisation, startGatehouse } from '../packages/testing/src/index.ts'
import buildService, { builtService } from '../test/support/built-service.ts'
import { median } from './support/percentiles.ts'
import { memoryOf } from './support/process-status.ts'

const rounds = 10
const command = [process.execPath, builtService]
const print = (text: string) => process.stdout.write(`${text}\n`)

async function measured(work: (round: number) => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const began = performance.now()
    await work(round)
    times.push(performance.now() - began)
  }
  return median(times)
}

await buildService()
const start = () => startGatehouse({ command })
// The first one makes the empty database.
await (await start()).stop()

const started: Gatehouse[] = []
const startMilliseconds = await measured(async () => {
  started.push(await start())
})
await Promise.all(started.slice(1).map((one) => one.stop()))
const [gatehouse] = started as [Gatehouse]

const made: Organisation[] = []
const organisationMilliseconds = await measured(async (round) => {
  const users = ['anna', 'ben', 'carol'].map((name) => ({ email: `${name}@acme${round}.test` }))
  made.push(await gatehouse.organisation({ users, clients: [{ key: 'web', redirectUris: ['https://app.test/callback'] }] }))
})
const [acme] = made as [Organisation]
const tokensMilliseconds = await measured(() => gatehouse.tokens(acme.owner, acme.client('web')))
const snapshotMilliseconds = await measured(() => gatehouse.snapshot())
const snapshot = await gatehouse.snapshot()
const restoreMilliseconds = await measured(() => gatehouse.restore(snapshot))

for (const [what, milliseconds, goal] of [
  ['start', startMilliseconds, 900],
  ['organisation() with three users and a client', organisationMilliseconds, 40],
  ['tokens()', tokensMilliseconds, 15],
  ['snapshot()', snapshotMilliseconds, 100],
  ['restore()', restoreMilliseconds, 100],
] as const)
  print(`${what}: ${milliseconds.toFixed(1)} ms (goal: ${goal} ms)`)
if (gatehouse.processId !== undefined) print(`memory: ${(await memoryOf(gatehouse.processId)).now} MiB (goal: 200 MiB)`)
await gatehouse.stop()
