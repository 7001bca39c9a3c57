/**
 * Starts the built service on a migrated database, alternating between both engines, and prints the time until `/readyz`
 * responds, the processor time, and the memory when idle. `npm run bench:start`;
 * `npm run bench:start -- ../other/dist/gatehouse.js` also measures another release in the same rounds; `ROUNDS=10`.
 */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import buildService, { allocatorSettings, builtService, nodeFlags } from '../test/support/built-service.ts'
import { onServer, urlOf } from '../test/support/database-server.ts'
import { startPostgres } from '../test/support/postgres-server.ts'
import { cpuMillisecondsOf } from './support/cpu.ts'

const rounds = Number(process.env.ROUNDS ?? 10)
// By then, memory that only the start needed has been released.
const idleAfterMilliseconds = 5_000

buildService()
const programs = [builtService, ...process.argv.slice(2)]
const server = await startPostgres({ ages: true })
const folder = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'))
const contestants = await Promise.all(
  programs.flatMap((program, index) =>
    ['embedded', 'PostgreSQL'].map(async (kind) => {
      const database = `bench_${randomBytes(6).toString('hex')}`
      if (kind === 'PostgreSQL') await onServer(server.url, `create database ${database}`)
      const environment = {
        DATA_DIR: join(folder, `${kind}-${index}`),
        ...(kind === 'PostgreSQL' && { DATABASE_URL: urlOf(server.url, database) }),
      }
      return { name: `${kind}, ${program}`, program, environment, first: undefined as Start | undefined, starts: [] as Start[] }
    }),
  ),
)
try {
  for (const contestant of contestants) contestant.first = await start(contestant)
  // The second start fills the cache of compiled code.
  for (const contestant of contestants) await start(contestant)
  for (let round = 0; round < rounds; round++) for (const contestant of contestants) contestant.starts.push(await start(contestant))
  for (const { name, first, starts } of contestants) {
    process.stdout.write(`${name}\n  first start: ${first?.own} ms\n`)
    for (const [what, unit] of [
      ['own', 'ms to ready'],
      ['cpu', 'ms of processor time to ready'],
      ['memory', 'MiB idle'],
    ] as const) {
      const values = starts.map((one) => one[what]).sort((left, right) => left - right)
      process.stdout.write(`  ${unit}: median ${values[values.length >> 1]}, ${values[0]} to ${values.at(-1)}\n`)
    }
  }
} finally {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
}

interface Start {
  /** Milliseconds from the start of the process until `/readyz` responds 200, from its log. */
  own: number
  cpu: number
  /** Resident, in MiB. */
  memory: number
}

async function start({ program, environment }: { program: string; environment: Record<string, string> }): Promise<Start> {
  const child = spawn(process.execPath, [...nodeFlags, program], {
    env: { PATH: process.env.PATH, PORT: '0', ...allocatorSettings, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const pid = child.pid as number
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.includes('Gatehouse is ready')) continue
    const cpu = Math.round(cpuMillisecondsOf(pid))
    const { milliseconds: own } = JSON.parse(line)
    child.stdout.resume()
    await sleep(idleAfterMilliseconds)
    const memory = Math.round(Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024)
    child.kill('SIGTERM')
    await ended
    return { own, cpu, memory }
  }
  throw new Error(`${program} ended before it was ready`)
}
