import { randomBytes } from 'node:crypto'
import { readdir, readFile, readlink } from 'node:fs/promises'
import process from 'node:process'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { databaseKind } from '../support/database.ts'
import { onServer, urlOf } from '../support/database-server.ts'
import { startTestService } from '../support/service.ts'
import { processHome, ServiceProcess } from '../support/service-process.ts'

const systemApiKey = randomBytes(32).toString('hex')
const cleanings: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const clean of cleanings.splice(0).reverse()) await clean()
})

async function start(environment: Record<string, string>, home?: Awaited<ReturnType<typeof processHome>>): Promise<ServiceProcess> {
  const place = home ?? (await processHome())
  if (!home) cleanings.push(() => place.remove())
  const service = await ServiceProcess.start({ ...place.environment, SYSTEM_API_KEY: systemApiKey, ...environment })
  cleanings.push(() => service.end('SIGKILL'))
  return service
}

/** What the primary process says of its workers: the process of each that has become ready, in that order. */
const readyWorkers = (service: ServiceProcess) =>
  [...service.output.matchAll(/"worker":"primary","number":(\d+),"pid":(\d+),"msg":"a worker is ready"/g)].map(([, number, pid]) => ({
    number: Number(number),
    pid: Number(pid),
  }))

const untilReady = (service: ServiceProcess, count: number) =>
  service.until(async () => readyWorkers(service).length >= count && readyWorkers(service))

async function readSeries(service: { anonymous: ServiceProcess['anonymous'] }, pattern: RegExp): Promise<number[]> {
  const { body } = await service.anonymous.get('/metrics')
  return [...(body as string).matchAll(new RegExp(pattern, 'gm'))].map(([line]) => Number(line.split(' ').at(-1)))
}

const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function childrenOf({ child: { pid } }: ServiceProcess): Promise<number[]> {
  const listed = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return listed.trim().split(' ').map(Number)
}

/** The sockets that a process has open. One that has ended has none. */
async function socketsOf(pid: number): Promise<string[]> {
  const open = await readdir(`/proc/${pid}/fd`).catch(() => [])
  const targets = await Promise.all(open.map((descriptor) => readlink(`/proc/${pid}/fd/${descriptor}`).catch(() => '')))
  return targets.filter((target) => target.startsWith('socket:'))
}

describe.runIf(databaseKind() === 'pglite')('the embedded database', () => {
  it.each([
    [{ WORKERS: '2' }, 'WORKERS is "2" and must be 1 unless DATABASE_URL names a PostgreSQL\n'],
    [{ ROLES: 'api' }, 'ROLES is "api" and must be api,worker unless DATABASE_URL names a PostgreSQL\n'],
  ])('serves one process: %o is refused in one line', async (environment, line) => {
    const service = await start(environment)

    expect(await service.exitCode()).toBe(1)
    expect(service.output).toBe(line)
  })
})

describe.runIf(databaseKind() === 'postgres')('WORKERS', () => {
  it('has that many processes serve one port, replaces one that dies, and counts the requests of all', async () => {
    const service = await start({ WORKERS: '2', LOG_LEVEL: 'debug' })
    const [first, second] = await untilReady(service, 2)
    expect([first?.number, second?.number]).toEqual([1, 2])
    // Each connection goes to the next process.
    for (let count = 0; count < 20; count++)
      expect((await fetch(`${service.origin}/v1/service`, { headers: { connection: 'close' } })).status).toBe(401)

    const counts = await readSeries(service, /^http_request_duration_seconds_count\{.*route="\/v1\/service".*$/)
    expect(counts).toHaveLength(2)
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(20)
    expect(await readSeries(service, /^gatehouse_build_info\{.*worker="[12]".*$/)).toEqual([1, 1])
    // Of the database, which they share.
    expect(await readSeries(service, /^gatehouse_database_up.*$/)).toEqual([1])
    await service.printed(/"worker":"2"[^\n]*"msg":"request completed"/)
    // The greeting and the first organisation are said once.
    expect(service.output.match(/Console: /g)).toHaveLength(1)

    process.kill(second?.pid as number, 'SIGKILL')
    expect((await untilReady(service, 3)).at(-1)?.number).toBe(2)
    await service.printed(/"code":"worker-ended","number":2,"exit":"SIGKILL"/)
    await service.ready()

    expect(await service.end()).toBe(0)
    expect(readyWorkers(service).filter(({ pid }) => isRunning(pid))).toEqual([])
  })

  it('ends a connection that is on its way to a process that is killed', async () => {
    const service = await start({ WORKERS: '2' })
    const [, second] = await untilReady(service, 2)
    // It takes nothing any more, so the connection that it is given stays on its way.
    process.kill(second?.pid as number, 'SIGSTOP')
    const ends: unknown[] = []
    const requests = Array.from({ length: 4 }, async () => {
      const request = fetch(`${service.origin}/healthz`, { headers: { connection: 'close' } })
      ends.push(
        await request.then(
          ({ status }) => status,
          () => 'connection ended',
        ),
      )
    })
    await expect.poll(() => ends).toEqual([200, 200, 200])

    process.kill(second?.pid as number, 'SIGKILL')
    await Promise.all(requests)
    expect(ends).toEqual([200, 200, 200, 'connection ended'])
  })

  it('is replaced one process after another on SIGHUP, without a request lost', async () => {
    const service = await start({ WORKERS: '2', DRAIN_SECONDS: '1' })
    const former = await untilReady(service, 2)
    let isOver = false
    const statuses = new Map<unknown, number>()
    const load = Array.from({ length: 4 }, async () => {
      while (!isOver) {
        const status = await fetch(`${service.origin}/healthz`, { headers: { connection: 'close' } }).then(
          (response) => response.status,
          (error) => error.cause?.code ?? String(error),
        )
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
    })

    service.child.kill('SIGHUP')
    await service.printed(/"msg":"the workers have been replaced"/)
    isOver = true
    await Promise.all(load)

    expect([...statuses.keys()]).toEqual([200])
    const workers = readyWorkers(service)
    expect(workers.map(({ number }) => number)).toEqual([1, 2, 1, 2])
    expect(workers.map(({ pid }) => isRunning(pid))).toEqual([false, false, true, true])
    expect(former.map(({ pid }) => pid)).not.toContain(workers.at(-1)?.pid)
  })

  it('gives the connections that reach a process while it stops to the others', async () => {
    const service = await start({ WORKERS: '2' })
    const [first] = await untilReady(service, 2)
    const { pid } = first as { pid: number }
    const socketsBefore = (await socketsOf(pid)).length
    // It learns nothing until it continues: not that the process has closed its port, and not that the process ends.
    process.kill(service.child.pid as number, 'SIGSTOP')
    const requests = Array.from({ length: 8 }, () => fetch(`${service.origin}/healthz`, { headers: { connection: 'close' } }))
    process.kill(pid, 'SIGTERM')
    // Of those that it had open, the ones to the database are closed last.
    await service.until(async () => (await socketsOf(pid)).length < socketsBefore / 2)

    process.kill(service.child.pid as number, 'SIGCONT')
    const ends = await Promise.allSettled(requests)
    expect(ends.map((end) => (end.status === 'fulfilled' ? end.value.status : end.reason.cause?.code))).toEqual(Array(8).fill(200))
  })

  it('leaves no process too many when one dies while it is being replaced', async () => {
    const service = await start({ WORKERS: '2' })
    const [first] = await untilReady(service, 2)
    const before = await childrenOf(service)

    service.child.kill('SIGHUP')
    const next = await service.until(async () => (await childrenOf(service)).find((pid) => !before.includes(pid)))
    // It is not ready before the other has been replaced for its own end.
    process.kill(next, 'SIGSTOP')
    process.kill(first?.pid as number, 'SIGKILL')
    await untilReady(service, 3)
    process.kill(next, 'SIGCONT')
    await service.printed(/"msg":"the workers have been replaced"/)

    expect(readyWorkers(service).filter(({ pid }) => isRunning(pid))).toHaveLength(2)
  })

  it('measures each process once while they are replaced', async () => {
    const service = await start({ WORKERS: '2', DRAIN_SECONDS: '1' })
    await untilReady(service, 2)
    const seen: number[] = []
    let isOver = false
    const reading = (async () => {
      while (!isOver) seen.push(...(await readSeries(service, /^gatehouse_build_info\{.*$/)))
    })()

    service.child.kill('SIGHUP')
    await service.printed(/"msg":"the workers have been replaced"/)
    isOver = true
    await reading

    expect(new Set(seen)).toEqual(new Set([1]))
  })

  it('answers 503 while it waits for the database, and ends at once when it is told to', async () => {
    // Each longer than this test may take.
    const service = await start({
      WORKERS: '2',
      DATABASE_URL: 'postgres://gatehouse:gatehouse@127.0.0.1:1/none',
      DATABASE_WAIT_SECONDS: '3600',
      DRAIN_SECONDS: '300',
    })
    await service.printed(/Waiting up to /)
    for (const path of ['/readyz', '/healthz']) {
      const response = await fetch(`${service.origin}${path}`)
      expect([path, response.status, response.headers.get('retry-after')]).toEqual([path, 503, '1'])
    }

    expect(await service.end('SIGTERM')).toBe(0)
  })

  it('is replaced once all of it has started when SIGHUP comes before its first process is ready', async () => {
    const home = await processHome()
    cleanings.push(() => home.remove())
    const databaseUrl = home.environment.DATABASE_URL as string
    const allowConnections = (allowed: boolean) =>
      onServer(urlOf(databaseUrl, 'postgres'), `alter database ${new URL(databaseUrl).pathname.slice(1)} allow_connections ${allowed}`)
    await allowConnections(false)
    const service = await start({ WORKERS: '2', DATABASE_WAIT_SECONDS: '3600' }, home)
    await service.printed(/Waiting up to /)

    service.child.kill('SIGHUP')
    await service.printed(/"msg":"the workers are replaced once all have been started"/)
    expect((await fetch(`${service.origin}/healthz`)).status).toBe(503)

    await allowConnections(true)
    await service.printed(/"msg":"the workers have been replaced"/)
    expect(new Set(readyWorkers(service).map(({ number }) => number))).toEqual(new Set([1, 2]))
    expect((await service.ready()).child.exitCode).toBeNull()
    expect(await service.end('SIGTERM')).toBe(0)
  })

  it('ends with the line of the first process that cannot start, once', async () => {
    const service = await start({
      WORKERS: '2',
      DATABASE_URL: 'postgres://gatehouse:gatehouse@127.0.0.1:1/none',
      DATABASE_WAIT_SECONDS: '0',
    })

    expect(await service.exitCode()).toBe(1)
    expect(service.output.match(/DATABASE_URL/g)).toHaveLength(1)
    expect(service.output.trim().split('\n')).toHaveLength(1)
  })
})

describe.runIf(databaseKind() === 'postgres')('ROLES', () => {
  it('keeps mail away from the API, and the API away from the worker', async () => {
    const home = await processHome()
    cleanings.push(() => home.remove())
    const api = await (await start({ ROLES: 'api' }, home)).ready()
    expect((await api.anonymous.post('/v1/auth/password/forgot', { email: 'owner@acme.test' })).status).toBe(202)
    const mailsWaiting = (service: ServiceProcess) => readSeries(service, /^gatehouse_queue_waiting\{queue="mails"\}.*$/)
    await expect.poll(() => mailsWaiting(api)).toEqual([1])

    const worker = await (await start({ ROLES: 'worker' }, home)).ready()

    await expect.poll(() => mailsWaiting(api)).toEqual([0])
    expect((await worker.anonymous.get('/healthz')).status).toBe(200)
    for (const path of ['/v1/service', '/login', '/console', '/oauth2/jwks', '/.well-known/openid-configuration', '/openapi.json', '/docs'])
      expect([path, (await worker.anonymous.get(path)).status]).toEqual([path, 404])
  })
})

describe('DRAIN_SECONDS', () => {
  it('still serves while it is no longer ready, and ends each connection', async () => {
    const service = await startTestService({ environment: { DRAIN_SECONDS: '2' } })
    let stopped: Promise<void> | undefined
    onTestFinished(() => stopped ?? service.stop())
    const documented = () => fetch(`${service.origin}/.well-known/openid-configuration`)
    // Twice: the second response is one that is repeated.
    for (const response of [await documented(), await documented()]) expect(response.headers.get('connection')).toBe('keep-alive')
    expect((await fetch(`${service.origin}/readyz`)).status).toBe(200)

    stopped = service.stop()

    const ready = await fetch(`${service.origin}/readyz`)
    expect([ready.status, ready.headers.get('connection')]).toEqual([503, 'close'])
    const served = await documented()
    expect([served.status, served.headers.get('connection')]).toEqual([200, 'close'])
    await stopped
    await expect(fetch(`${service.origin}/readyz`)).rejects.toThrow()
  })
})
