import { execFile, execFileSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { builtService } from './built-service.ts'
import { systemProgram } from './system-program.ts'

const run = promisify(execFile)
const files = 'deploy/high-availability'
const databases = ['db1', 'db2', 'db3'] as const
export type DatabaseName = (typeof databases)[number]

/** Whether the programs are there that `deploy/high-availability` names. */
export const hasPatroni =
  ['patroni', 'etcd', 'haproxy', 'redis-server', 'psql', 'curl'].every((name) => systemProgram(name) !== undefined) &&
  existsSync('/usr/lib/postgresql/15/bin/postgres')

/** Whether this machine lets us make network namespaces, and a bridge between them. */
export const hasNetworks = process.getuid?.() === 0 && mayMakeNetworks()

function mayMakeNetworks(): boolean {
  try {
    execFileSync(
      'unshare',
      ['--net', 'sh', '-c', 'ip link add bridge0 type bridge && ip link add veth0 type veth peer name veth1 && bridge link'],
      {
        stdio: 'ignore',
      },
    )
    return true
  } catch {
    return false
  }
}

/** A member of the cluster, as Patroni lists it. */
interface Member {
  name: DatabaseName
  role: 'leader' | 'replica' | 'sync_standby'
  state: string
  timeline?: number
  lag?: number | 'unknown'
}

/** The whole of `deploy/high-availability`, on this machine, started by its own script. */
export class HighAvailability {
  readonly folder: string
  readonly isSynchronous: boolean
  readonly #firstPort: number
  readonly #network: string | undefined
  readonly #environment: Record<string, string>

  private constructor(folder: string, firstPort: number, network: string | undefined, isSynchronous: boolean) {
    this.folder = folder
    this.isSynchronous = isSynchronous
    this.#firstPort = firstPort
    this.#network = network
    const { PATH = '' } = process.env
    this.#environment = {
      // The services run by the Node that runs this.
      PATH: `${dirname(process.execPath)}:${PATH}:/usr/sbin`,
      FOLDER: folder,
      FIRST_PORT: String(firstPort),
      GATEHOUSE: builtService,
      BOOTSTRAP_OWNER_PASSWORD: 'correct horse battery',
      SERVICE_ENV: join(folder, 'service.env'),
      ...(network && { NETWORKS: network }),
    }
  }

  /**
   * @param options.environment more variables of the services
   * @param options.isSynchronous whether a commit waits for a replica
   * @param options.hasOwnNetworks whether each database can be taken off the network
   */
  static async start({
    environment = {},
    isSynchronous = true,
    hasOwnNetworks = hasNetworks,
  }: {
    environment?: Record<string, string>
    isSynchronous?: boolean
    hasOwnNetworks?: boolean
  } = {}): Promise<HighAvailability> {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-ha-'))
    const network = hasOwnNetworks ? `10.213.${randomInt(1, 255)}` : undefined
    const started = new HighAvailability(folder, await freePorts(25), network, isSynchronous)
    await writeFile(join(folder, 'service.env'), linesOf({ RATE_LIMIT: 'off', LOG_LEVEL: 'warn', ...environment }))
    try {
      await started.#script('start.sh')
      if (!isSynchronous) await started.#configure({ synchronous_mode: false })
      await started.whole()
      while ((await fetch(`${started.origin}/readyz`).catch(() => undefined))?.status !== 200) await pause(100)
      return started
    } catch (error) {
      await started.stop()
      throw error
    }
  }

  /** The services, by HAProxy. */
  get origin(): string {
    return `http://127.0.0.1:${this.#firstPort}`
  }

  get owner() {
    return { email: 'owner@acme.test', password: this.#environment.BOOTSTRAP_OWNER_PASSWORD as string }
  }

  /** Ends all processes of a database's machine with SIGKILL: PostgreSQL, Patroni and etcd. */
  kill = (name: DatabaseName) => this.#script('stop.sh', name)
  /** Starts what has ended. */
  restart = (name: DatabaseName) => this.#script('start.sh', name)
  /** From now on all packets to it and from it are dropped. */
  cutOff = (name: DatabaseName) => this.#script('cut.sh', name)
  mend = (name: DatabaseName) => this.#script('cut.sh', '--mend', name)
  /** Its processes hang, and its connections stay open. */
  hang = (name: DatabaseName) => this.#signal(name, 'SIGSTOP')
  wake = (name: DatabaseName) => this.#signal(name, 'SIGCONT')

  /** Hands the role of the primary over to a replica that is in step. */
  async switchOver(): Promise<void> {
    const members = await this.#members()
    const candidate = members.find(({ role }) => role === (this.isSynchronous ? 'sync_standby' : 'replica'))
    const leader = members.find(({ role }) => role === 'leader')
    await this.#patroni(leader?.name as DatabaseName, 'POST', '/switchover', { leader: leader?.name, candidate: candidate?.name })
  }

  async primary(): Promise<DatabaseName> {
    const leader = (await this.#members()).find(({ role }) => role === 'leader')
    if (!leader) throw new Error('Patroni knows no primary')
    return leader.name
  }

  /** Resolves once there are a primary and two replicas in step, of which a commit waits for one if it should. */
  async whole(): Promise<void> {
    let members: Member[] = []
    for (const end = Date.now() + 180_000; Date.now() < end; await pause(200)) {
      members = await this.#members().catch(() => [])
      const leader = members.find(({ role }) => role === 'leader')
      const followers = members.filter((member) => member !== leader)
      if (
        leader?.state === 'running' &&
        followers.length === 2 &&
        followers.every(
          ({ state, timeline, lag }) => ['running', 'streaming'].includes(state) && timeline === leader.timeline && Number(lag) < 1_000_000,
        ) &&
        followers.some(({ role }) => role === 'sync_standby') === this.isSynchronous &&
        (await this.#followersOf(leader.name)) === 2
      )
        return
    }
    throw new Error(`The cluster is not whole after three minutes: ${JSON.stringify(members)}. Its logs are in ${this.folder}`)
  }

  /** When one of the others has become the primary, in milliseconds of `performance.now()`. */
  async takenOver(former: DatabaseName): Promise<number> {
    for (const end = Date.now() + 120_000; Date.now() < end; ) {
      const asked = databases
        .filter((name) => name !== former)
        .map((name) => this.sql(name, 'select pg_is_in_recovery() as recovers').catch(() => []))
      if ((await Promise.all(asked)).some(([row]) => row?.recovers === false)) return performance.now()
      await pause(20)
    }
    throw new Error(`No replica has taken over from ${former} within two minutes. The logs are in ${this.folder}`)
  }

  /** As a superuser, on the database of Gatehouse. */
  async sql(name: DatabaseName, statement: string): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({
      connectionString: `postgres://postgres:change-me-1@${this.#addressOf(name, 3)}/gatehouse`,
      connectionTimeoutMillis: 1_000,
      query_timeout: 10_000,
    })
    // It may be cut off while it answers.
    client.on('error', () => {})
    try {
      await client.connect()
      return (await client.query(statement)).rows
    } finally {
      await client.end().catch(() => {})
    }
  }

  /** What the services have logged. */
  async logs(): Promise<string> {
    return (await Promise.all(['service1', 'service2'].map((name) => readFile(join(this.folder, name, 'gatehouse.log'), 'utf8')))).join('')
  }

  async stop(): Promise<void> {
    await this.#script('stop.sh')
    await rm(this.folder, { recursive: true, force: true })
  }

  async #script(name: string, ...parameters: string[]): Promise<void> {
    await run(join(files, name), parameters, { env: this.#environment })
  }

  async #signal(name: DatabaseName, signal: 'SIGSTOP' | 'SIGCONT'): Promise<void> {
    const folder = `${join(this.folder, name)}/`
    for (const pid of await readdir('/proc')) {
      const workingFolder = await readlink(`/proc/${pid}/cwd`).catch(() => '')
      if (/^\d+$/.test(pid) && `${workingFolder}/`.startsWith(folder)) process.kill(Number(pid), signal)
    }
  }

  #configure(change: Record<string, unknown>): Promise<unknown> {
    return this.#patroni('db1', 'PATCH', '/config', change)
  }

  async #members(): Promise<Member[]> {
    const asked = databases.map((name) => this.#patroni(name, 'GET', '/cluster') as Promise<{ members: Member[] }>)
    return (await Promise.any(asked)).members
  }

  /** How many replicas receive from this one. */
  async #followersOf(name: DatabaseName): Promise<number> {
    const rows = await this.sql(name, `select 1 from pg_stat_replication where state = 'streaming'`).catch(() => [])
    return rows.length
  }

  async #patroni(name: DatabaseName, method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(`http://${this.#addressOf(name, 2)}${path}`, {
      method,
      headers: {
        authorization: `Basic ${Buffer.from('patroni:change-me-4').toString('base64')}`,
        'content-type': 'application/json',
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(method === 'GET' ? 1_000 : 60_000),
    })
    const text = await response.text()
    if (!response.ok && path !== '/cluster') throw new Error(`Patroni responded ${response.status} to ${path}: ${text}`)
    return text.startsWith('{') ? JSON.parse(text) : text
  }

  /** The ports are those of start.sh. */
  #addressOf(name: DatabaseName, what: 2 | 3): string {
    const number = databases.indexOf(name) + 1
    return `${this.#network ? `${this.#network}.1${number}` : '127.0.0.1'}:${this.#firstPort + 5 * number + what}`
  }
}

const linesOf = (variables: Record<string, string>) =>
  Object.entries(variables)
    .map(([name, value]) => `${name}='${value}'\n`)
    .join('')

/** The first of so many free ports in a row, below those that the system gives to connections. */
async function freePorts(count: number): Promise<number> {
  for (;;) {
    const first = randomInt(12_000, 32_000)
    const areFree = await Promise.all(Array.from({ length: count }, (_, index) => isFree(first + index)))
    if (areFree.every(Boolean)) return first
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
