import { randomBytes } from 'node:crypto'
import { type AddressInfo, connect, createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { WrongCode } from '../../shared/doctor-findings/findings.ts'
import { openPostgres } from '../../src/platform/database/postgres.ts'
import { databaseKind } from '../support/database.ts'
import { wrongByCommand, wrongByRoute } from '../support/doctor.ts'
import { needsPgBouncer, startPgBouncer } from '../support/pgbouncer.ts'
import { type ProcessHome, processHome } from '../support/service-process.ts'

const secretKey = randomBytes(32)
const isServer = databaseKind() === 'postgres'
let home: ProcessHome
let direct: string
/** What is wrong with an installation of these tests as it is. */
let before: { command: string[]; route: string[] }

const byCommand = (environment: Record<string, string>) =>
  wrongByCommand({ ...home.environment, SECRET_KEY: secretKey.toString('base64'), ...environment })
/** The service itself reaches its database by a way that works: what a pooler does to its other statements is not the same twice. */
const byRoute = (environment: Record<string, string>) =>
  wrongByRoute({ DATABASE_URL: direct, ...environment }, { engine: openPostgres(direct, { poolSize: 5 }), secretKey })

beforeAll(async () => {
  if (!isServer) return
  home = await processHome()
  direct = home.environment.DATABASE_URL as string
  // The service first, which makes what the command would miss.
  const [route, command] = [await byRoute({}), await byCommand({})]
  before = { command: command.map(({ name }) => name), route: route.map(({ name }) => name) }
})
afterAll(() => home?.remove())

/** What the command and the route find wrong that was not before. */
async function wrong(environment: Record<string, string>) {
  const [command, route] = await Promise.all([byCommand(environment), byRoute(environment)])
  return [
    ...command.filter(({ name }) => !before.command.includes(name)).map((line) => ({ by: 'command', ...line })),
    ...route.filter(({ name }) => !before.route.includes(name)).map((line) => ({ by: 'route', ...line })),
  ]
}

const line = (code: WrongCode, seen: string, remedy: RegExp) =>
  ['command', 'route'].map((by) =>
    expect.objectContaining({ by, name: 'pooler', state: 'failure', code, seen, remedy: expect.stringMatching(remedy) }),
  )
const stateLost = line(
  'connection-state-lost',
  'What is prepared or set on a connection is gone for its next statement',
  /^DATABASE_POOLER=transaction, and /,
)
const noticeLost = line('notices-lost', 'A NOTIFY does not arrive', /^DATABASE_POOLER=transaction, and /)
const listenLost = line(
  'listen-url-without-notices',
  'A NOTIFY does not arrive by DATABASE_LISTEN_URL',
  /name PostgreSQL itself, not the pooler/,
)
const pooled = { DATABASE_POOLER: 'transaction' }

describe.runIf(isServer)('the doctor, where a pooler is between the service and its database,', () => {
  it.for([1, 3, 20])('sees that pgBouncer in transaction mode gives connections away, of %i', needsPgBouncer, async (connections) => {
    const url = await throughPgBouncer(connections)
    expect(await wrong({ DATABASE_URL: url })).toEqual(stateLost)
    // On connections that others have left something on.
    expect(await wrong({ DATABASE_URL: url })).toEqual(stateLost)
  })

  it.for([1, 3])('sees that pgBouncer in transaction mode passes no notice on, of %i connections', needsPgBouncer, async (connections) => {
    const url = await throughPgBouncer(connections)
    expect(await wrong({ ...pooled, DATABASE_URL: url, DATABASE_LISTEN_URL: url })).toEqual(listenLost)
    expect(await wrong({ ...pooled, DATABASE_URL: url, DATABASE_LISTEN_URL: direct })).toEqual([])
    expect(await wrong({ ...pooled, DATABASE_URL: url })).toEqual([])
  })

  it('sees that DATABASE_LISTEN_URL leads to another database, with a pooler and without', async () => {
    const elsewhere = direct.replace(/\/[^/?]+(?=\?|$)/, '/postgres')
    expect(await wrong({ ...pooled, DATABASE_LISTEN_URL: elsewhere })).toEqual(listenLost)
    expect(await wrong({ DATABASE_LISTEN_URL: elsewhere })).toEqual(listenLost)
  })

  it('sees nothing wrong with pgBouncer in session mode', needsPgBouncer, async () => {
    expect(await wrong({ DATABASE_URL: await throughPgBouncer(20, 'session') })).toEqual([])
  })

  it.each([
    ['drops notices', noticesDropped],
    ['holds notices back until the next answer', noticesHeldBack],
  ] as const)('sees that it %s', async (_how, onNotice) => {
    const url = await throughProxy(onNotice)
    expect(await wrong({ DATABASE_URL: url })).toEqual(noticeLost)
    expect(await wrong({ ...pooled, DATABASE_LISTEN_URL: url })).toEqual(listenLost)
    expect(await wrong({ ...pooled, DATABASE_URL: url })).toEqual([])
    expect(await wrong({ ...pooled, DATABASE_URL: url, DATABASE_LISTEN_URL: direct })).toEqual([])
  })

  it('sees that pgBouncer in transaction mode gives connections away that others use', needsPgBouncer, async () => {
    const url = await throughPgBouncer(3)
    const stopOthers = others(url, 6, (client) => client.query('select 1'))
    expect(await wrong({ DATABASE_URL: url })).toEqual(stateLost)
    await stopOthers()
  })

  it('takes no notice of another doctor for its own', async () => {
    const url = await throughProxy(noticesHeldBack)
    // Many within the time that the doctor listens, and no more than it takes in.
    const stopOthers = others(direct, 1, (client) => client.query('notify gatehouse_doctor').then(() => pause(5)))
    expect(await wrong({ ...pooled, DATABASE_LISTEN_URL: url })).toEqual(listenLost)
    await stopOthers()
  })
})

/** Has clients ask the same again and again. @returns what ends them */
function others(url: string, count: number, ask: (client: pg.Client) => Promise<unknown>): () => Promise<void> {
  let isStopped = false
  const asking = Array.from({ length: count }, async () => {
    const client = new pg.Client(url)
    await client.connect()
    while (!isStopped) await ask(client)
    await client.end()
  })
  const stop = async () => {
    isStopped = true
    await Promise.all(asking)
  }
  onTestFinished(stop)
  return stop
}

async function throughPgBouncer(connections: number, mode?: 'session'): Promise<string> {
  const { url, stop } = await startPgBouncer(direct, connections, mode)
  onTestFinished(stop)
  return url
}

type OnNotice = (notice: Buffer, held: Buffer[]) => void
function noticesDropped(): void {}
function noticesHeldBack(notice: Buffer, held: Buffer[]): void {
  held.push(notice)
}

/** A way to the server that passes each message of its protocol on, but no NotificationResponse by itself. @returns its URL */
async function throughProxy(onNotice: OnNotice): Promise<string> {
  const { hostname, port } = new URL(direct)
  const proxy = createServer((client) => {
    const server = connect(Number(port) || 5432, hostname)
    client.on('error', () => server.destroy()).pipe(server)
    let unread = Buffer.alloc(0)
    const held: Buffer[] = []
    server
      .on('error', () => client.destroy())
      .on('end', () => client.end())
      .on('data', (chunk: Buffer) => {
        unread = Buffer.concat([unread, chunk])
        while (unread.length >= 5 && unread.length > unread.readUInt32BE(1)) {
          const message = unread.subarray(0, unread.readUInt32BE(1) + 1)
          unread = unread.subarray(message.length)
          if (message[0] === 0x41) onNotice(message, held)
          else client.write(Buffer.concat([...held.splice(0), message]))
        }
      })
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void proxy.close())
  const proxied = new URL(direct)
  proxied.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`
  return proxied.href
}
