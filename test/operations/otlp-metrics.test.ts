import { describe, expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import type { CollectedPoint } from '../support/collector.ts'
import { useTelemetry } from '../support/telemetry.ts'

const { startSending } = await useTelemetry()
/** The machine may have much else to do. */
const metricsOnly = { OTEL_TRACES_EXPORTER: 'none', OTEL_LOGS_EXPORTER: 'none' }

/** A series as `/metrics` writes it, without the order of its labels. */
const seriesOf = (name: string, labels: Record<string, unknown>) =>
  `${name} ${JSON.stringify(
    Object.entries(labels)
      .map(([label, value]) => [label, String(value)])
      .sort(),
  )}`

function readPrometheus(text: string): Map<string, number> {
  const series = new Map<string, number>()
  for (const line of text.split('\n')) {
    const [, name, labels = '', value] = /^([a-z_][\w:]*)(?:\{(.*)\})? (\S+)$/i.exec(line) ?? []
    if (name === undefined) continue
    const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label = '', of = '']) => [label, of])
    series.set(seriesOf(name, Object.fromEntries(pairs)), Number(value))
  }
  return series
}

/** What Prometheus makes of the points: a series for each bucket, with what is in those below it. */
function asPrometheus(points: readonly CollectedPoint[]): Map<string, number> {
  const series = new Map<string, number>()
  for (const { name, kind, attributes, value, count, bucketCounts, explicitBounds } of points) {
    if (kind !== 'histogram') {
      series.set(seriesOf(name, attributes), value)
      continue
    }
    series.set(seriesOf(`${name}_sum`, attributes), value)
    series.set(seriesOf(`${name}_count`, attributes), count)
    let below = 0
    for (const [index, inBucket] of bucketCounts.entries()) {
      below += inBucket
      series.set(seriesOf(`${name}_bucket`, { ...attributes, le: explicitBounds[index] ?? '+Inf' }), below)
    }
  }
  return series
}

/** What another request, or time, does not change. */
const isSteady = (series: string) =>
  /^(gatehouse_|http_)/.test(series) && !series.includes('"/metrics"') && !series.startsWith('gatehouse_queue_late')
const steady = (series: Map<string, number>) => Object.fromEntries([...series].filter(([name]) => isSteady(name)).sort())

const differing = (left: Record<string, number>, right: Record<string, number>) =>
  Object.fromEntries(
    [...new Set([...Object.keys(left), ...Object.keys(right)])]
      .filter((name) => left[name] !== right[name])
      .map((name) => [name, [left[name], right[name]]]),
  )

/** The points of the last export that has what is asked for. */
const latest = (points: readonly CollectedPoint[], name: string) => {
  const last = points.findLast((point) => point.name === name)
  return points.filter(({ timeUnixNano }) => timeUnixNano === last?.timeUnixNano)
}

describe('metrics by OTLP', () => {
  it.each(['http/json', 'http/protobuf'])('are those of /metrics, as %s', async (protocol) => {
    const { collector, service } = await startSending({
      ...metricsOnly,
      OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
      OTEL_METRIC_EXPORT_INTERVAL: '50',
      OTEL_SERVICE_NAME: 'identity',
      OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=ours',
    })
    const { owner } = await service.given.organisation()
    await service.given.signIn(owner.email)
    await service.anonymous.post('/v1/auth/login', { email: owner.email, password: 'a wrong password' })
    for (let count = 0; count < 5; count++) await owner.get(`/v1/admin/users/${owner.id}`)
    await service.settled()
    const read = async () => steady(readPrometheus((await service.anonymous.get('/metrics')).body as string))
    const exported = async () => {
      const before = collector.received.length
      await expect.poll(() => collector.received.length).toBeGreaterThan(before + 1)
      return steady(asPrometheus(latest(collector.points, 'gatehouse_database_up')))
    }
    await expect.poll(async () => (await exported())[seriesOf('gatehouse_queue_waiting', { queue: 'mails' })]).toBe(0)

    let shown = await read()
    expect(Object.keys(shown).length).toBeGreaterThan(50)
    // Some count for the whole process, and may rise between the two.
    await expect
      .poll(async () => {
        shown = await read()
        return differing(await exported(), shown)
      })
      .toEqual({})
    expect(shown[seriesOf('gatehouse_sign_in_attempts_total', { result: 'wrong_password' })]).toBe(1)
    expect(collector.received[0]).toMatchObject({
      path: '/v1/metrics',
      contentType: protocol === 'http/json' ? 'application/json' : 'application/x-protobuf',
      headers: { 'x-tenant': 'ours' },
    })
  })

  it('say what they are, their units, and when they began to be counted', async () => {
    const { collector, service, stop } = await startSending({
      ...metricsOnly,
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    })
    await service.anonymous.get('/v1/me/profile')
    await service.settled()
    await stop()

    const found = (name: string) => collector.points.find((point) => point.name === name)
    const began = BigInt(Math.round(performance.timeOrigin)) * 1_000_000n
    expect(found('http_request_duration_seconds')).toMatchObject({
      kind: 'histogram',
      isCumulative: true,
      unit: 's',
      description: 'Time from the arrival of a request to the end of its answer',
      attributes: { method: 'GET', route: '/v1/me/profile', status: '401' },
      count: 1,
      explicitBounds: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    })
    expect(found('gatehouse_occurrences_total') ?? found('gatehouse_sign_in_attempts_total')).toMatchObject({
      kind: 'sum',
      isMonotonic: true,
      isCumulative: true,
      unit: '',
    })
    expect(found('process_resident_memory_bytes')).toMatchObject({ kind: 'gauge', unit: 'By' })
    expect(found('process_cpu_seconds_total')).toMatchObject({ kind: 'sum', unit: 's' })
    expect(found('gatehouse_build_info')).toMatchObject({ kind: 'gauge', attributes: { version: packageJson.version } })
    for (const { startTimeUnixNano, timeUnixNano, kind } of collector.points.filter((point) => point.kind !== 'gauge')) {
      expect([kind, startTimeUnixNano - began < 2_000_000n && began - startTimeUnixNano < 2_000_000n]).toEqual([kind, true])
      expect(timeUnixNano > startTimeUnixNano).toBe(true)
    }
    expect(found('process_cpu_seconds_total')?.resource).toMatchObject({
      'service.name': 'gatehouse',
      'service.version': packageJson.version,
      'service.instance.id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      'deployment.environment.name': 'test',
    })
    // The last ones, when the database is closed already: it is not said to be down.
    expect(found('gatehouse_database_up')).toBeUndefined()
  })

  it('go to their own address, where one is set', async () => {
    const { collector, stop, service } = await startSending({ ...metricsOnly, OTEL_EXPORTER_OTLP_ENDPOINT: '' })
    await service.anonymous.get('/v1/me/profile')
    await stop()
    expect(collector.received).toEqual([])

    const own = await startSending({
      ...metricsOnly,
      OTEL_EXPORTER_OTLP_ENDPOINT: '',
      OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: `${collector.url}/ours/metrics`,
    })
    await own.stop()
    expect(collector.received.map(({ path }) => path)).toEqual(['/ours/metrics'])
    expect(own.collector.received).toEqual([])
  })

  it('lose nothing that was counted while the collector was away, and warn of it once', async () => {
    const { collector, service, stop, notes } = await startSending({ ...metricsOnly, OTEL_METRIC_EXPORT_INTERVAL: '500' })
    collector.status = 400
    for (let count = 0; count < 3; count++) await service.anonymous.get('/v1/me/profile')
    const before = collector.received.length
    await expect.poll(() => collector.received.length).toBeGreaterThan(before + 3)
    expect(notes).toMatchObject([{ level: 40, code: 'telemetry-not-sent', signal: 'metrics', reason: 'HTTP 400' }])

    collector.status = 200
    await expect.poll(() => notes.length).toBe(2)
    expect(notes[1]).toMatchObject({ level: 30, code: 'telemetry-sent-again' })
    await stop()
    expect(collector.points.findLast(({ attributes }) => attributes.route === '/v1/me/profile')?.count).toBe(3)
  })
})
