import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import buildService, { allocatorSettings, builtService, nodeFlags } from '../../test/support/built-service.ts'
import { onServer, urlOf } from '../../test/support/database-server.ts'
import { type Answer, HttpClient } from '../../test/support/http-client.ts'
import { startPostgres } from '../../test/support/postgres-server.ts'
import { Receiver } from '../../test/support/receiver.ts'
import { RedisServer } from '../../test/support/redis-server.ts'
import { silentNetwork } from '../../test/support/silent-network.ts'
import { TestSmtpServer } from '../../test/support/smtp-server.ts'
import { memoryOf } from './process-status.ts'
import { startProcess } from './started-process.ts'

const movedClock = fileURLToPath(new URL('moved-clock.ts', import.meta.url))
const owner = { email: 'owner@bench.test', password: 'correct horse battery' }

/**
 * The built service with everything that it depends on, each of which a fault can take away.
 *
 * @param options.isEmbedded whether it keeps its database in `DATA_DIR`
 * @param options.byNetwork whether it reaches its database by a network that can fail
 */
export async function startFaultyService(settings: Record<string, string>, { isEmbedded = false, byNetwork = false } = {}) {
  buildService()
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-faults-'))
  const clockOffset = join(folder, 'clock-offset')
  const postgres = await startPostgres({ durable: true })
  await onServer(postgres.url, 'create database faults')
  const databaseUrl = urlOf(postgres.url, 'faults')
  const network = byNetwork ? await silentNetwork(databaseUrl) : undefined
  const redis = await RedisServer.start()
  const mailed = new Set<string>()
  let mailsRepeated = 0
  const mailGate = new Gate()
  const startSmtp = (port = 0) =>
    TestSmtpServer.start({
      port,
      mayRespond: () => mailGate.passed,
      onMail({ to = [] }) {
        for (const { address } of to) {
          if (!address) continue
          if (mailed.has(address)) mailsRepeated++
          mailed.add(address)
        }
      },
    })
  const smtp = await startSmtp()
  const receiver = await Receiver.start()
  await writeFile(join(folder, 'ca.pem'), receiver.ca)
  const webhooks = receivedBy(receiver)
  const service = await startProcess(
    builtService,
    {
      ...allocatorSettings,
      ...(!isEmbedded && { DATABASE_URL: network?.url ?? databaseUrl }),
      DATA_DIR: join(folder, 'data'),
      REDIS_URL: redis.url,
      SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
      CLOCK_OFFSET_FILE: clockOffset,
      NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'),
      WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'true',
      BOOTSTRAP_OWNER_EMAIL: owner.email,
      BOOTSTRAP_OWNER_PASSWORD: owner.password,
      LOG_LEVEL: 'silent',
      ...settings,
    },
    '/readyz',
    [...nodeFlags, '--import', movedClock],
    ['serve'],
  )
  const login = await new HttpClient(service.origin).post('/v1/auth/login', owner)
  const cookie = login.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const admin = new HttpClient(service.origin, { cookie, 'x-csrf-token': login.body.csrfToken })
  const endpoint = await admin.post('/v1/admin/webhooks', { url: webhooks.hook.url, events: ['user.created'] })
  if (endpoint.status !== 201) throw new Error(`The endpoint was not created: ${endpoint.status} ${JSON.stringify(endpoint.body)}`)

  return {
    admin,
    postgres,
    network,
    redis,
    smtp,
    startSmtp,
    mailGate,
    mailed,
    owner,
    receiver,
    webhookGate: webhooks.gate,
    delivered: webhooks.ids,
    async userIds(): Promise<Set<string>> {
      if (!isEmbedded) return new Set((await onServer(databaseUrl, 'select id from users')).map(({ id }) => id as string))
      const ids = new Set<string>()
      let cursor = ''
      do {
        const { body } = await admin.get(`/v1/admin/users?limit=100${cursor && `&cursor=${cursor}`}`)
        for (const { id } of body.data) ids.add(id)
        cursor = body.nextCursor
      } while (cursor)
      return ids
    },
    memory: () => memoryOf(service.pid),
    pid: service.pid,
    /** The processes of `WORKERS`, the oldest first. */
    async workers(): Promise<number[]> {
      const children = (await readFile(`/proc/${service.pid}/task/${service.pid}/children`, 'utf8')).trim()
      return children === '' ? [] : children.split(' ').map(Number)
    },
    origin: service.origin,
    databaseUrl,
    /** How many mails and webhooks have arrived more than once. */
    repeated: () => ({ mails: mailsRepeated, webhooks: webhooks.repeated() }),
    /** Sets the clock of the service, and of nothing else, this far from the real time. */
    async moveClock(milliseconds: number) {
      await writeFile(clockOffset, String(milliseconds))
      process.kill(service.pid, 'SIGUSR2')
    },
    async stop() {
      await service.stop()
      await receiver.stop()
      await redis.stop()
      network?.stop()
      await postgres.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export type FaultyService = Awaited<ReturnType<typeof startFaultyService>>

/** What lets something respond, or has it hang. */
class Gate {
  passed = Promise.resolve()
  #open = () => {}

  close(): void {
    this.passed = new Promise((resolve) => {
      this.#open = resolve
    })
  }

  open(): void {
    this.#open()
  }
}

/** A receiver of webhooks that has received those that it has responded to. */
function receivedBy(receiver: Receiver) {
  const gate = new Gate()
  const ids = new Set<string>()
  const bodies = new Set<string>()
  let repeated = 0
  const hook = receiver.hook()
  hook.answer = async ({ body }) => {
    await gate.passed
    if (bodies.has(body)) repeated++
    bodies.add(body)
    for (const [, id] of body.matchAll(/"id":\s*"([^"]+)"/g)) ids.add(id as string)
    return { status: 200 }
  }
  return { hook, gate, ids, repeated: () => repeated }
}

/** One client that creates a user at a time, each with a new address, until it is told to stop. */
export class Load {
  readonly acknowledged = new Map<string, string>()
  /** How often each came: a status, a 503 without the time after which to repeat the request, or what broke the connection. */
  readonly statuses = new Map<string, number>()
  /** Of those that were acknowledged: when they were sent, and how long they took. */
  readonly timed: { at: number; milliseconds: number }[] = []
  longestMilliseconds = 0
  #isRunning = true
  #heard: (() => void)[] = []
  readonly #ended: Promise<void>

  constructor(admin: HttpClient, pauseMilliseconds: number) {
    this.#ended = this.#run(admin, pauseMilliseconds)
  }

  /** Waits for the next creation that is acknowledged. @returns the milliseconds until then */
  async nextAcknowledged(): Promise<number> {
    const from = performance.now()
    await new Promise<void>((resolve) => this.#heard.push(resolve))
    return performance.now() - from
  }

  stop(): Promise<void> {
    this.#isRunning = false
    return this.#ended
  }

  async #run(admin: HttpClient, pauseMilliseconds: number): Promise<void> {
    for (let number = 0; this.#isRunning; number++) {
      const email = `user${number}@bench.test`
      const from = performance.now()
      const created = await admin
        .post('/v1/admin/users', { email, firstName: 'Bench', lastName: 'User' })
        .catch((error) => String(error.cause?.code ?? error))
      const milliseconds = performance.now() - from
      this.longestMilliseconds = Math.max(this.longestMilliseconds, milliseconds)
      const status = statusOf(created)
      this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
      if (typeof created !== 'string' && created.status === 201) {
        this.acknowledged.set(created.body.id, email)
        this.timed.push({ at: from, milliseconds })
        for (const tell of this.#heard.splice(0)) tell()
      }
      await pause(pauseMilliseconds)
    }
  }
}

function statusOf(answer: Answer | string): string {
  if (typeof answer === 'string') return answer
  const lacksTime = answer.status === 503 && !answer.headers.has('retry-after')
  return `${answer.status}${lacksTime ? ' without Retry-After' : ''}`
}
