import { readdirSync, readFileSync } from 'node:fs'
import process from 'node:process'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { openTracing } from '../../src/app/tracing/open-tracing.ts'
import { fieldsOf, openCollector } from '../support/collector.ts'
import { useReceiver } from '../support/receiver.ts'
import { startTestService } from '../support/service.ts'
import { createEndpoint } from '../support/webhooks.ts'

const receiver = await useReceiver()
const given = Object.keys(process.env).filter((name) => name.startsWith('OTEL_'))
const stranger = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

afterEach(() => {
  for (const name of Object.keys(process.env)) if (name.startsWith('OTEL_') && !given.includes(name)) delete process.env[name]
})

async function startTraced(variables: Record<string, string> = {}, environment: Record<string, string> = {}) {
  const collector = await openCollector()
  Object.assign(process.env, { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json', ...variables })
  const errors: unknown[] = []
  const tracing = await openTracing(process.env, (error) => errors.push(error))
  const service = await startTestService({
    tracing,
    environment: { WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'true', ...environment },
    webhooks: receiver.reachable,
    outgoing: { ca: receiver.ca },
  })
  let hasStopped = false
  const stop = async () => {
    if (!hasStopped) await service.stop()
    hasStopped = true
  }
  onTestFinished(async () => {
    await stop()
    collector.close()
  })
  return { collector, service, stop, errors }
}

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
    const tracing = chunks.filter((name) => textOf(name).includes('OTEL_TRACES_SAMPLER'))
    const sdk = (names: readonly string[]) => names.filter((name) => textOf(name).includes('BatchSpanProcessor'))
    expect(tracing).toHaveLength(1)
    expect(sdk(loadedWith(tracing))).not.toEqual([])
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
    // By opentelemetry/proto/trace/v1/trace.proto: resource_spans 1, scope_spans 2, spans 2, name 5.
    const messages = [1, 2, 2].reduce<Uint8Array[]>(
      (parents, field) => parents.flatMap((parent) => (fieldsOf(parent).get(field) ?? []) as Uint8Array[]),
      collector.received.map(({ body }) => body),
    )
    const spans = messages.map((message) => fieldsOf(message))
    expect(spans.map((span) => Buffer.from(span.get(5)?.[0] as Uint8Array).toString())).toContain('GET /v1/me/profile')
    expect(new Set(spans.map((span) => Buffer.from(span.get(1)?.[0] as Uint8Array).length))).toEqual(new Set([16]))
  })

  it('neither waits for a collector that hangs, nor keeps more for it than the queue holds', async () => {
    const { collector, service, stop } = await startTraced({ OTEL_BSP_MAX_QUEUE_SIZE: '20', OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '10' })
    collector.hangs = true
    for (let request = 0; request < 100; request++) expect((await service.anonymous.get('/v1/me/profile')).status).toBe(401)
    // One batch is on its way: the others wait, up to the queue's length.
    expect(collector.received.length).toBeLessThanOrEqual(1)
    const began = performance.now()
    await stop()
    expect(performance.now() - began).toBeLessThan(9_000)
    expect(collector.received.length).toBeLessThanOrEqual(3)
  })

  it('goes on while there is no collector, and says so', async () => {
    const { service, collector, stop, errors } = await startTraced({
      OTEL_BSP_SCHEDULE_DELAY: '10',
      OTEL_BSP_EXPORT_TIMEOUT: '200',
      OTEL_EXPORTER_OTLP_TIMEOUT: '200',
    })
    collector.close()
    expect((await service.anonymous.get('/v1/me/profile')).status).toBe(401)
    await expect.poll(() => errors.length).toBe(1)
    expect((await service.anonymous.get('/v1/me/profile')).status).toBe(401)
    await stop()
  })
})
