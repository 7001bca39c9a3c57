import { describe, expect, it } from 'vitest'
import { openCollector } from '../support/collector.ts'
import { useTelemetry } from '../support/telemetry.ts'

const { startSending } = await useTelemetry()
const logsOnly = { OTEL_TRACES_EXPORTER: 'none', OTEL_METRICS_EXPORTER: 'none' }
type Sending = Awaited<ReturnType<typeof startSending>>

async function droppedLogs({ service }: Sending): Promise<number> {
  const { body } = await service.anonymous.get('/metrics')
  return Number(/^gatehouse_telemetry_dropped_total\{signal="logs"\} (\d+)$/m.exec(body as string)?.[1])
}

describe('the log by OTLP', () => {
  it.each(['http/json', 'http/protobuf'])('has each line, with severity, time and the trace of its request, as %s', async (protocol) => {
    const { collector, service, stop } = await startSending({ OTEL_METRICS_EXPORTER: 'none', OTEL_EXPORTER_OTLP_PROTOCOL: protocol })
    const { owner } = await service.given.organisation()
    await service.anonymous.post('/v1/auth/login', { email: owner.email, password: owner.password })
    await service.settled()
    await stop()

    const span = collector.spans.find(({ name }) => name === 'POST /v1/auth/login')
    const record = collector.records.find(({ attributes }) => attributes.path === '/v1/auth/login')
    expect(record).toMatchObject({
      traceId: span?.traceId,
      spanId: span?.spanId,
      flags: 1,
      severityNumber: 9,
      severityText: 'info',
      body: 'request completed',
      attributes: { method: 'POST', status: 200, reqId: span?.attributes['gatehouse.request_id'] },
      resource: { 'service.name': 'gatehouse', 'service.instance.id': expect.stringMatching(/^[0-9a-f-]{36}$/) },
    })
    expect(record?.attributes).not.toHaveProperty('trace_id')
    // Of the same instance as the spans.
    expect(collector.resources.at(-1)?.['service.instance.id']).toBe(record?.resource['service.instance.id'])

    const lines = service.logLines.map((line) => JSON.parse(line))
    expect(collector.records.map(({ body }) => body)).toEqual(lines.map(({ msg }) => msg))
    expect(collector.records.map(({ timeUnixNano }) => timeUnixNano)).toEqual(lines.map(({ time }) => BigInt(time) * 1_000_000n))
  })

  it('masks what the standard output masks, and has errors as the conventions name them', async () => {
    const { collector, service, stop } = await startSending(logsOnly)
    const { logger } = service.services
    logger.error({ err: Object.assign(new TypeError('it broke'), { code: 'E_BROKEN', token: 'secret-of-the-error' }) }, 'failed')
    logger.warn(
      { body: { password: 'secret-of-the-body', name: 'Anna' }, query: { code: 'secret-of-the-query' }, token: 'secret-itself' },
      'seen',
    )
    logger.warn({ err: 'only words' }, 'thrown')
    logger.debug('not at this level')
    await stop()

    const sent = collector.received.map(({ body }) => body.toString()).join('')
    expect(sent).not.toMatch(/secret-/)
    expect(sent).not.toContain('not at this level')
    expect(collector.records.find(({ body }) => body === 'failed')).toMatchObject({
      severityNumber: 17,
      severityText: 'error',
      attributes: {
        'exception.type': 'TypeError',
        'exception.message': 'it broke',
        'exception.stacktrace': expect.stringContaining('otlp-logs.test.ts'),
      },
    })
    // Of an error, only what is known to be harmless.
    expect(collector.records.find(({ body }) => body === 'failed')?.attributes.err).toEqual({ code: 'E_BROKEN' })
    expect(collector.records.find(({ body }) => body === 'thrown')?.attributes).toEqual({ 'exception.message': 'only words' })
    expect(collector.records.find(({ body }) => body === 'seen')).toMatchObject({
      severityNumber: 13,
      traceId: '',
      attributes: { body: { password: '***', name: 'Anna' }, query: { code: '***' }, token: '***' },
    })
  })

  it('tells the collector no address, token, password or query, in any signal', async () => {
    const { collector, service, stop } = await startSending({ OTEL_METRIC_EXPORT_INTERVAL: '50' })
    const { owner } = await service.given.organisation()
    await service.anonymous.post('/v1/auth/login', { email: owner.email, password: 'a wrong password' })
    await service.anonymous.post('/v1/auth/login', { email: owner.email, password: owner.password })
    await service.anonymous.post('/v1/auth/password/forgot', { email: owner.email })
    await owner.get('/v1/admin/users?search=in-the-query')
    await service.anonymous.with({ authorization: 'Bearer key-of-somebody-who-tries' }).get('/v1/system/organisations')
    await service.settled()
    const token = await service.mailbox.tokenTo(owner.email)
    await service.anonymous.get(`/v1/auth/password/reset?token=${token}`)
    await service.settled()
    await stop()

    expect(new Set(collector.received.map(({ path }) => path))).toEqual(new Set(['/v1/traces', '/v1/metrics', '/v1/logs']))
    const sent = collector.received.map(({ body }) => body.toString()).join('')
    const secrets = [owner.email, owner.password, 'a wrong password', 'in-the-query', 'key-of-somebody', token, service.systemApiKey]
    for (const secret of secrets) expect(sent).not.toContain(secret)
  })

  it('waits for no collector: what does not fit its queue is dropped and counted', async () => {
    const sending = await startSending({
      ...logsOnly,
      OTEL_BLRP_MAX_QUEUE_SIZE: '20',
      OTEL_BLRP_MAX_EXPORT_BATCH_SIZE: '10',
      // Longer than this test may take.
      OTEL_BLRP_EXPORT_TIMEOUT: '600000',
    })
    const { collector, service, stop } = sending
    collector.hangs = true
    for (let count = 0; count < 100; count++) expect((await service.anonymous.get('/v1/me/profile')).status).toBe(401)
    await service.settled()
    const lines = service.logLines.length
    // One batch is on its way, two wait.
    expect(await droppedLogs(sending)).toBeGreaterThanOrEqual(lines - 30)
    expect(collector.received.length).toBeLessThanOrEqual(1)
    await stop()
  })

  it('warns once while the collector is gone, sends that line nowhere, and says when it is back', async () => {
    const sending = await startSending({
      OTEL_METRIC_EXPORT_INTERVAL: '700',
      OTEL_BSP_SCHEDULE_DELAY: '10',
      OTEL_BLRP_SCHEDULE_DELAY: '10',
      OTEL_BSP_EXPORT_TIMEOUT: '700',
      OTEL_BLRP_EXPORT_TIMEOUT: '700',
      OTEL_EXPORTER_OTLP_TIMEOUT: '700',
    })
    const { collector, service, stop, notes } = sending
    collector.close()
    const failures = async () => {
      expect((await service.anonymous.get('/v1/me/profile')).status).toBe(401)
      await service.settled()
      return droppedLogs(sending)
    }
    // Several batches of several signals.
    await expect.poll(failures).toBeGreaterThan(20)
    expect(notes).toMatchObject([{ level: 40, code: 'telemetry-not-sent', reason: expect.stringMatching(/ECONN|socket|Timeout/) }])
    expect(service.logLines.join('')).not.toContain('telemetry')

    const again = await openCollector({ port: collector.port })
    await expect.poll(() => failures().then(() => notes.length)).toBe(2)
    expect(notes[1]).toMatchObject({ level: 30, code: 'telemetry-sent-again', dropped: { logs: expect.any(Number) } })
    await stop()
    again.close()
    expect(again.records.length).toBeGreaterThan(0)
    expect(again.received.map(({ body }) => body.toString()).join('')).not.toContain('cannot be reached')
    expect(again.points.some(({ name, value }) => name === 'gatehouse_telemetry_dropped_total' && value > 0)).toBe(true)
  })

  it('is not sent with OTEL_LOGS_EXPORTER=none, nor anything with OTEL_SDK_DISABLED=true', async () => {
    const none = await startSending({ ...logsOnly, OTEL_LOGS_EXPORTER: 'none' })
    await none.service.anonymous.get('/v1/me/profile')
    await none.stop()
    expect(none.collector.received).toEqual([])

    const disabled = await startSending({ OTEL_SDK_DISABLED: 'true' })
    await disabled.service.anonymous.get('/v1/me/profile')
    await disabled.stop()
    expect(disabled.collector.received).toEqual([])
  })

  it('is compressed where that is asked for', async () => {
    const { collector, stop } = await startSending({ ...logsOnly, OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip' })
    await stop()
    expect(collector.received[0]?.headers['content-encoding']).toBe('gzip')
    expect(collector.records.length).toBeGreaterThan(0)
  })
})
