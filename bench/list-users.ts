/**
 * Lists 100,000 users of one organisation on PostgreSQL while other requests run, and prints how long these were delayed
 * and how much memory the list took. `npm run bench:list-users`; `DATABASE_URL` names another server.
 */
import { readFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { performance } from 'node:perf_hooks'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { onServer } from '../test/support/database-server.ts'
import { seedUsers } from './support/seeds.ts'
import { startService } from './support/started-service.ts'

const userCount = Number(process.env.USERS ?? 100_000)
const delayMaxMilliseconds = 100
const memoryMaxMegabytes = 150

const service = await startService()
try {
  const headers = await service.signIn()
  await seedUsers(service.databaseUrl, userCount)
  await onServer(service.databaseUrl, 'analyze')

  const alone = await otherRequests(headers, sleep(10_000))
  process.stdout.write(`without a list: the longest of ${alone.count} requests took ${alone.longest.toFixed(0)} ms\n`)
  const before = await settledMemory()
  const first = await listWholly(headers, before)
  const second = await listWholly(headers, await settledMemory())
  print('whole list', first)
  print('whole list, again', second)
  const pages = await listPages(headers)
  process.stdout.write(`pages of 1,000: ${pages.requests} requests, ${seconds(pages.milliseconds)}\n`)

  const kept = [first, second].every(({ delay, memory }) => delay <= delayMaxMilliseconds && memory <= memoryMaxMegabytes)
  process.stdout.write(`${kept ? 'holds' : 'DOES NOT HOLD'}: no more than ${delayMaxMilliseconds} ms and ${memoryMaxMegabytes} MB\n`)
  process.exitCode = kept ? 0 : 1
} finally {
  await service.stop()
}

interface Measured {
  milliseconds: number
  bytes: number
  /** The longest time of another request, minus the time of such requests when nothing else runs. */
  delay: number
  requests: number
  /** The largest increase of the process's memory, in megabytes. */
  memory: number
}

async function listWholly(headers: Record<string, string>, memoryBefore: number): Promise<Measured> {
  const usual = (await otherRequests(headers, sleep(1_000))).median
  const start = performance.now()
  let memory = 0
  const watch = setInterval(() => {
    memory = Math.max(memory, residentMegabytes() - memoryBefore)
  }, 20)
  const list = readWhole('/v1/admin/users', headers)
  const others = await otherRequests(headers, list)
  clearInterval(watch)
  const { bytes, end } = await list
  const total = Number(/"total":(\d+)\}$/.exec(end)?.[1])
  if (total !== userCount + 1) throw new Error(`The list names ${total} users`)
  return { milliseconds: performance.now() - start, bytes, delay: others.longest - usual, requests: others.count, memory }
}

/** Requests the profile repeatedly, one request after another, until the promise settles. */
async function otherRequests(headers: Record<string, string>, until: Promise<unknown>) {
  let done = false
  until.then(
    () => (done = true),
    () => (done = true),
  )
  const durations: number[] = []
  while (!done) {
    const start = performance.now()
    const response = await fetch(`${service.origin}/v1/me/profile`, { headers })
    await response.arrayBuffer()
    durations.push(performance.now() - start)
  }
  durations.sort((left, right) => left - right)
  return { longest: durations.at(-1) ?? 0, median: durations[durations.length >> 1] ?? 0, count: durations.length }
}

/** Reads a response without storing it. */
function readWhole(path: string, headers: Record<string, string>): Promise<{ bytes: number; end: string }> {
  return new Promise((resolve, reject) => {
    get(service.origin + path, { headers }, (response: IncomingMessage) => {
      let bytes = 0
      let end = ''
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        end = (end + chunk.subarray(-50).toString()).slice(-50)
      })
      response.on('end', () => resolve({ bytes, end }))
      response.on('error', reject)
    }).on('error', reject)
  })
}

async function listPages(headers: Record<string, string>): Promise<{ requests: number; milliseconds: number }> {
  const start = performance.now()
  let requests = 0
  let cursor: string | null = ''
  while (cursor !== null) {
    const response = await fetch(`${service.origin}/v1/admin/users?limit=1000${cursor && `&cursor=${cursor}`}`, { headers })
    const page = (await response.json()) as { nextCursor: string | null }
    cursor = page.nextCursor
    requests++
  }
  return { requests, milliseconds: performance.now() - start }
}

/** The memory of the process after it has been idle for a while. */
async function settledMemory(): Promise<number> {
  await sleep(2_000)
  return residentMegabytes()
}

function residentMegabytes(): number {
  const status = readFileSync(`/proc/${service.pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024
}

function print(what: string, { milliseconds, bytes, delay, requests, memory }: Measured): void {
  const megabytes = (bytes / 1_048_576).toFixed(0)
  process.stdout.write(
    `${what}: ${userCount} users, ${megabytes} MB in ${seconds(milliseconds)}; ` +
      `others held up for ${delay.toFixed(0)} ms at most in ${requests} requests; ${memory.toFixed(0)} MB more memory\n`,
  )
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1_000).toFixed(1)} s`
}
