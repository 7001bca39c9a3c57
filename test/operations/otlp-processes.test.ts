import { randomBytes } from 'node:crypto'
import process from 'node:process'
import { afterEach, describe, expect, it } from 'vitest'
import { type CollectedPoint, openCollector } from '../support/collector.ts'
import { databaseKind } from '../support/database.ts'
import { processHome, ServiceProcess } from '../support/service-process.ts'

const cleanings: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of cleanings.splice(0).reverse()) await clean()
})

async function start(environment: Record<string, string>) {
  const collector = await openCollector()
  const home = await processHome()
  cleanings.push(() => home.remove())
  const service = await ServiceProcess.start({ ...home.environment, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...environment })
  cleanings.push(
    () => service.end('SIGKILL'),
    () => collector.close(),
  )
  return { collector, service }
}

const linesOf = (service: ServiceProcess) =>
  service.output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as { time: number; level: number; msg: string; worker?: string })

/** Of each process the last that it has sent. */
function latest(points: readonly CollectedPoint[], isWanted: (point: CollectedPoint) => boolean): CollectedPoint[] {
  const last = new Map<unknown, CollectedPoint>()
  for (const point of points.filter(isWanted)) last.set(point.resource['service.instance.id'], point)
  return [...last.values()]
}

/** How the collector is reached has nothing to do with the database. */
const ofCollector = it.runIf(databaseKind() === 'postgres')

describe('a service that sends to a collector', () => {
  it('has sent each line that it printed as a log when it ends, and no secret', async () => {
    const systemApiKey = randomBytes(32).toString('hex')
    const { collector, service } = await start({
      SYSTEM_API_KEY: systemApiKey,
      BOOTSTRAP_OWNER_EMAIL: 'owner@acme.test',
      LOG_LEVEL: 'debug',
    })
    await service.ready()
    const [, password = ''] = await service.printed(/with the password (\S+)/)
    expect((await service.anonymous.post('/v1/auth/login', { email: 'owner@acme.test', password })).status).toBe(200)
    expect(await service.end()).toBe(0)

    const lines = linesOf(service)
    expect(lines.map(({ msg }) => msg)).toContain('stopping')
    expect(collector.records.map(({ body, timeUnixNano }) => [body, timeUnixNano])).toEqual(
      lines.map(({ msg, time }) => [msg, BigInt(time) * 1_000_000n]),
    )
    const span = collector.spans.find(({ name }) => name === 'POST /v1/auth/login')
    expect(collector.records.find(({ attributes }) => attributes.path === '/v1/auth/login')).toMatchObject({
      traceId: span?.traceId,
      spanId: span?.spanId,
    })
    const signIns = collector.points.findLast(({ attributes }) => attributes.result === 'right_password')
    expect(signIns).toMatchObject({ name: 'gatehouse_sign_in_attempts_total', value: 1 })
    const sent = collector.received.map(({ body }) => body.toString()).join('')
    for (const secret of [systemApiKey, password, 'owner@acme.test']) expect(sent).not.toContain(secret)
  })

  ofCollector('starts and stops as ever while the collector is not there, with one line about it', async () => {
    const { collector, service } = await start({ OTEL_METRIC_EXPORT_INTERVAL: '100' })
    collector.close()
    await service.ready()
    await service.printed(/"code":"telemetry-not-sent"/)
    expect((await service.anonymous.get('/v1/service')).status).toBe(401)
    expect(await service.end()).toBe(0)
    expect(linesOf(service).filter(({ msg }) => msg.includes('collector'))).toMatchObject([{ level: 40 }])
  })

  ofCollector('has sent what it printed when it is stopped while it waits for the database', async () => {
    const { collector, service } = await start({ DATABASE_URL: 'postgres://gatehouse:gatehouse@127.0.0.1:1/none' })
    await service.printed(/"code":"database-away"/)
    expect(await service.end()).toBe(0)
    expect(collector.records.map(({ body, attributes }) => attributes.code ?? body)).toEqual(['database-away', 'stopping'])
  })

  ofCollector('says why it does not speak gRPC', async () => {
    const { service } = await start({ OTEL_EXPORTER_OTLP_LOGS_PROTOCOL: 'grpc' })
    expect(await service.exitCode()).toBe(1)
    expect(service.output).toBe(
      'OTEL_EXPORTER_OTLP_LOGS_PROTOCOL is "grpc" and must be http/protobuf or http/json: gRPC is not supported, and collectors take HTTP at port 4318\n',
    )
  })
})

describe.runIf(databaseKind() === 'postgres')('the processes of WORKERS', () => {
  it('each send their own counts, which add up to all', async () => {
    const { collector, service } = await start({ WORKERS: '2', OTEL_METRIC_EXPORT_INTERVAL: '200' })
    const ready = () => [...service.output.matchAll(/"number":(\d),"pid":(\d+),"msg":"a worker is ready"/g)]
    await service.until(async () => ready().length === 2)
    const ask = async (times: number) => {
      for (let count = 0; count < times; count++)
        expect((await fetch(`${service.origin}/v1/service`, { headers: { connection: 'close' } })).status).toBe(401)
    }
    const isOfRoute = ({ name, attributes }: CollectedPoint) =>
      name === 'http_request_duration_seconds' && attributes.route === '/v1/service'
    const sum = () => latest(collector.points, isOfRoute).reduce((total, { count }) => total + count, 0)
    await ask(20)
    await expect.poll(sum).toBe(20)
    expect(
      latest(collector.points, isOfRoute)
        .map(({ attributes }) => attributes.worker)
        .sort(),
    ).toEqual(['1', '2'])
    const { body } = await service.anonymous.get('/metrics')
    const shown = [...(body as string).matchAll(/^http_request_duration_seconds_count\{.*route="\/v1\/service".*worker="(\d)".* (\d+)$/gm)]
    expect(new Map(shown.map(([, worker, count]) => [worker, Number(count)]))).toEqual(
      new Map(latest(collector.points, isOfRoute).map(({ attributes, count }) => [attributes.worker, count])),
    )

    // A process that replaces another counts from its own start.
    const [, , pid] = ready().find(([, number]) => number === '2') ?? []
    const killedAt = BigInt(Date.now()) * 1_000_000n
    process.kill(Number(pid), 'SIGKILL')
    await service.until(async () => ready().length === 3)
    await ask(20)
    await expect.poll(sum).toBe(40)
    const instances = latest(collector.points, isOfRoute)
    expect(instances.map(({ attributes }) => attributes.worker).sort()).toEqual(['1', '2', '2'])
    expect(instances.filter(({ startTimeUnixNano }) => startTimeUnixNano > killedAt)).toHaveLength(1)
    // Of the database, which they share, one of them tells.
    await expect.poll(() => collector.points.some(({ name }) => name === 'gatehouse_database_up')).toBe(true)
    expect(
      new Set(
        collector.points.filter(({ name }) => name === 'gatehouse_database_up').map(({ resource }) => resource['service.instance.id']),
      ),
    ).toEqual(
      new Set(instances.filter(({ attributes }) => attributes.worker === '1').map(({ resource }) => resource['service.instance.id'])),
    )

    expect(await service.end()).toBe(0)
    const bodies = collector.records.map(({ body: text, attributes }) => [attributes.worker, text])
    expect(bodies).toContainEqual(['primary', 'stopping'])
    expect(bodies).toContainEqual(['primary', 'a worker has ended; it is replaced'])
    for (const worker of ['1', '2']) expect(bodies).toContainEqual([worker, 'stopping'])
  })
})
