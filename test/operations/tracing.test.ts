import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { useTelemetry } from '../support/telemetry.ts'
import { createEndpoint } from '../support/webhooks.ts'

const { receiver, startSending } = await useTelemetry()
const stranger = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
const startTraced = (variables: Record<string, string> = {}, environment: Record<string, string> = {}) =>
  startSending({ OTEL_METRICS_EXPORTER: 'none', OTEL_LOGS_EXPORTER: 'none', ...variables }, environment)

describe('tracing', () => {
  it('joins a request, its statements, and the delivery that it caused', async () => {
    const { collector, service, stop } = await startTraced({
      OTEL_SERVICE_NAME: 'identity',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
      OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=ours',
    })
    const { owner } = await service.given.organisation()
    const hook = receiver.hook()
    await createEndpoint(owner, { url: hook.url, events: ['role.created'] })
    const { status } = await owner.post('/v1/admin/roles?note=in-the-query', { name: 'Auditor', slug: 'auditor' })
    expect(status).toBe(201)
    await service.deliverDueWebhooks()
    await service.settled()
    await stop()

    const request = collector.spans.find(({ name }) => name === 'POST /v1/admin/roles')
    expect(request).toMatchObject({
      kind: 2,
      status: 0,
      attributes: { 'http.request.method': 'POST', 'http.route': '/v1/admin/roles', 'http.response.status_code': 201 },
    })
    expect(request?.parentSpanId ?? '').toBe('')
    const ofTrace = collector.spans.filter(({ traceId }) => traceId === request?.traceId)
    const transaction = ofTrace.find(({ name, parentSpanId }) => name === 'transaction' && parentSpanId === request?.spanId)
    const statement = ofTrace.find(({ name }) => name === 'INSERT roles')
    expect(statement).toMatchObject({
      parentSpanId: transaction?.spanId,
      kind: 3,
      attributes: { 'db.system.name': 'postgresql', 'db.operation.name': 'INSERT', 'db.collection.name': 'roles' },
    })
    expect(statement?.attributes['db.query.text']).toContain('$1')
    const delivery = ofTrace.find(({ name }) => name === 'deliver role.created')
    expect(delivery).toMatchObject({
      kind: 3,
      status: 0,
      attributes: {
        'gatehouse.event.type': 'role.created',
        'gatehouse.delivery.attempt': 1,
        'server.address': new URL(hook.url).hostname,
        'http.response.status_code': 200,
      },
    })
    const ids = new Set(ofTrace.map(({ spanId }) => spanId))
    expect(ids.has(delivery?.parentSpanId ?? '')).toBe(true)
    expect((await hook.request()).headers.traceparent).toBe(`00-${delivery?.traceId}-${delivery?.spanId}-01`)

    const answered = service.logLines
      .map((line) => JSON.parse(line))
      .find(({ path, method }) => path === '/v1/admin/roles' && method === 'POST')
    expect(answered).toMatchObject({ trace_id: request?.traceId, span_id: request?.spanId })
    expect(collector.resources[0]).toMatchObject({ 'service.name': 'identity', 'deployment.environment.name': 'test' })
    expect(collector.received[0]).toMatchObject({ path: '/v1/traces', headers: { 'x-tenant': 'ours' } })
  })

  it('tells the collector no address, token, password or query, and traces mails', async () => {
    const { collector, service, stop } = await startTraced()
    const { owner } = await service.given.organisation()
    await service.anonymous.post('/v1/auth/login', { email: owner.email, password: 'a wrong password' })
    await service.anonymous.post('/v1/auth/password/forgot', { email: owner.email })
    await owner.get('/v1/admin/users?search=in-the-query')
    await service.settled()
    await service.mailbox.tokenTo(owner.email)
    await stop()

    expect(collector.spans.some(({ name }) => name === 'POST /v1/auth/login')).toBe(true)
    expect(collector.spans.filter(({ name }) => name === 'send mail').length).toBeGreaterThan(0)
    const sent = collector.received.map(({ body }) => body.toString()).join('')
    for (const secret of [owner.email, owner.password, 'a wrong password', 'in-the-query', owner.id]) expect(sent).not.toContain(secret)
    // The polls of the queues, and what machines ask all day long.
    expect(collector.spans.filter(({ kind, parentSpanId }) => kind === 3 && !parentSpanId).map(({ name }) => name)).toEqual([])
  })

  it('believes the trace of a trusted proxy alone', async () => {
    const strange = await startTraced()
    await strange.service.anonymous.with({ traceparent: stranger }).get('/v1/me/profile')
    await strange.service.settled()
    await strange.stop()
    const own = strange.collector.spans.find(({ name }) => name === 'GET /v1/me/profile')
    expect(own?.traceId).toMatch(/^[0-9a-f]{32}$/)
    expect(own?.traceId).not.toBe(stranger.split('-')[1])

    const behind = await startTraced({}, { TRUST_PROXY: '127.0.0.1' })
    await behind.service.anonymous.with({ traceparent: stranger }).get('/v1/me/profile')
    await behind.service.anonymous.with({ traceparent: '00-zz-b7ad6b7169203331-01' }).get('/v1/me/profile')
    await behind.service.settled()
    await behind.stop()
    const joined = behind.collector.spans.filter(({ name }) => name === 'GET /v1/me/profile')
    expect(joined.map(({ parentSpanId = '' }) => parentSpanId)).toEqual([stranger.split('-')[2], ''])
    expect(joined[0]?.traceId).toBe(stranger.split('-')[1])
  })

  it('traces requests to servers that administrators name, and tells those nothing of it', async () => {
    const { collector, service, stop } = await startTraced({}, { OUTGOING_PRIVATE_HOSTS: 'localhost' })
    const hook = receiver.hook()
    hook.answer = () => ({ status: 404 })
    const response = await service.services.outgoing.fetch('discovery document', 1_000)(hook.url)
    expect(response.status).toBe(404)
    await stop()

    expect(collector.spans.find(({ name }) => name === 'fetch discovery document')).toMatchObject({
      kind: 3,
      status: 2,
      attributes: { 'server.address': 'localhost', 'http.request.method': 'GET', 'http.response.status_code': 404, 'error.type': '404' },
    })
    expect((await hook.request()).headers).not.toHaveProperty('traceparent')
  })

  it('is loaded only where there is a collector', () => {
    const chunks = readdirSync('dist').filter((name) => name.endsWith('.js'))
    const textOf = (name: string) => readFileSync(`dist/${name}`, 'utf8')
    const loadedWith = (first: readonly string[]) => {
      const loaded = new Set(first)
      for (const name of loaded)
        for (const [, next = ''] of textOf(name).matchAll(/(?:from|^import) ?"\.\/([^"]+\.js)"/gm)) loaded.add(next)
      return [...loaded]
    }
    const sdk = (names: readonly string[]) =>
      names.filter((name) => /BatchSpanProcessor|BatchLogRecordProcessor|PeriodicExportingMetricReader/.test(textOf(name)))
    for (const variable of ['OTEL_TRACES_SAMPLER', 'OTEL_METRIC_EXPORT_TIMEOUT', 'OTEL_BLRP_MAX_QUEUE_SIZE']) {
      const sending = chunks.filter((name) => textOf(name).includes(variable))
      expect([variable, sending.length]).toEqual([variable, 1])
      expect(sdk(loadedWith(sending))).not.toEqual([])
    }
    const ofService = loadedWith(chunks.filter((name) => /^(gatehouse|serve)\b/.test(name)))
    expect(ofService.length).toBeGreaterThan(3)
    expect(sdk(ofService)).toEqual([])
  })

  it('samples as OTEL_TRACES_SAMPLER says', async () => {
    const { collector, service, stop } = await startTraced({ OTEL_TRACES_SAMPLER: 'always_off' })
    expect((await service.anonymous.with({ traceparent: stranger }).get('/v1/me/profile')).status).toBe(401)
    await stop()
    expect(collector.received).toEqual([])
  })

  it('speaks protobuf, which is what the standard sends unless told otherwise', async () => {
    const { collector, service, stop } = await startTraced({ OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf' })
    await service.anonymous.get('/v1/me/profile')
    await service.settled()
    await stop()

    expect(collector.received[0]).toMatchObject({ contentType: 'application/x-protobuf', path: '/v1/traces' })
    const span = collector.spans.find(({ name }) => name === 'GET /v1/me/profile')
    expect(span).toMatchObject({ traceId: expect.stringMatching(/^[0-9a-f]{32}$/), attributes: { 'http.response.status_code': 401 } })
  })

  it('neither waits for a collector that hangs, nor keeps more for it than the queue holds', async () => {
    const { collector, service, stop } = await startTraced({
      OTEL_BSP_MAX_QUEUE_SIZE: '20',
      OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '10',
      // Longer than this test may take.
      OTEL_BSP_EXPORT_TIMEOUT: '600000',
    })
    collector.hangs = true
    for (let request = 0; request < 100; request++) expect((await service.anonymous.get('/v1/me/profile')).status).toBe(401)
    // One batch is on its way: the others wait, up to the queue's length.
    expect(collector.received.length).toBeLessThanOrEqual(1)
    await stop()
    expect(collector.received.length).toBeLessThanOrEqual(3)
  })
})
