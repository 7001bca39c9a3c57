import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import {
  type Attributes,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { parseTraceParent } from '@opentelemetry/core'
import type { Resource } from '@opentelemetry/resources'
import type { FastifyRequest } from 'fastify'
import type { EngineTransaction, Query } from '../../platform/database/engine.ts'
import { queuedChannel } from '../../platform/queued.ts'
import { version } from '../../platform/version.ts'
import type { CollectorWatch } from '../telemetry/collector.ts'
import { openProvider } from './exporter.ts'
import { namesOf, textOf } from './statements.ts'
import type { Tracing } from './tracing.ts'

/** How many mails and events are remembered until they are sent. */
const rememberedMax = 10_000
/** Machines poll these all day long. */
const untraced = new Set(['/healthz', '/readyz', '/metrics'])

interface Work {
  name: string
  kind: SpanKind
  attributes: Attributes
  parent?: SpanContext | undefined
}

export async function openTracing(
  environment: Record<string, string | undefined>,
  resource: Resource,
  watch: CollectorWatch,
): Promise<Tracing> {
  const provider = await openProvider(environment, resource, watch)
  const tracer = provider.getTracer('gatehouse', version)
  const current = new AsyncLocalStorage<Span>()
  const ofRequests = new WeakMap<FastifyRequest, Span>()
  const origins = new Map<string, SpanContext>()

  const remember = (message: unknown) => {
    const span = current.getStore()
    if (!span) return
    origins.set((message as { id: string }).id, span.spanContext())
    const [oldest] = origins.keys()
    if (origins.size > rememberedMax && oldest !== undefined) origins.delete(oldest)
  }
  subscribe(queuedChannel, remember)

  function start({ name, kind, attributes, parent = current.getStore()?.spanContext() }: Work): Span {
    return tracer.startSpan(name, { kind, attributes }, parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT)
  }

  async function within<T>(work: Work, run: (span: Span) => Promise<T>): Promise<T> {
    const span = start(work)
    try {
      return await current.run(span, () => run(span))
    } catch (error) {
      fail(span, typeOf(error))
      throw error
    } finally {
      span.end()
    }
  }

  /** A statement is traced only as part of other work: otherwise each poll of the queues would be a trace. */
  function statement<T>({ sql }: Query, run: () => Promise<T>): Promise<T> {
    if (!current.getStore()?.isRecording()) return run()
    const { name, operation, table } = namesOf(sql)
    const attributes = {
      'db.system.name': 'postgresql',
      'db.operation.name': operation,
      'db.query.text': textOf(sql),
      ...(table !== undefined && { 'db.collection.name': table }),
    }
    return within({ name, kind: SpanKind.CLIENT, attributes }, run)
  }

  return {
    requests(app, isTrustedProxy) {
      app.addHook('onRequest', (request, _reply, done) => {
        const route = request.is404 ? undefined : request.routeOptions.url
        if (route !== undefined && untraced.has(route)) return done()
        const span = start({
          name: route === undefined ? request.method : `${request.method} ${route}`,
          kind: SpanKind.SERVER,
          attributes: {
            'http.request.method': request.method,
            'url.scheme': request.protocol,
            'gatehouse.request_id': request.id,
            ...(route !== undefined && { 'http.route': route }),
          },
          parent: parentOf(request, isTrustedProxy),
        })
        ofRequests.set(request, span)
        current.run(span, done)
      })
      // Reading a body leaves the request's own context.
      app.addHook('preValidation', (request, _reply, done) => {
        const span = ofRequests.get(request)
        if (span) current.run(span, done)
        else done()
      })
      app.addHook('onResponse', (request, reply, done) => {
        const span = ofRequests.get(request)
        span?.setAttribute('http.response.status_code', reply.statusCode)
        if (span && reply.statusCode >= 500) fail(span, String(reply.statusCode))
        span?.end()
        done()
      })
    },
    engine: ({ listRead, ...engine }) => ({
      ...engine,
      execute: (query, setUp) => statement(query, () => engine.execute(query, setUp)),
      pointRead: (query, setUp) => statement(query, () => engine.pointRead(query, setUp)),
      ...(listRead && { listRead: (query, setUp) => statement(query, () => listRead(query, setUp)) }),
      keyedWrite: (query, key) => statement(query, () => engine.keyedWrite(query, key)),
      transaction: (work, setUp) => {
        if (!current.getStore()?.isRecording()) return engine.transaction(work, setUp)
        const traced = (inner: EngineTransaction): EngineTransaction => ({
          execute: (query) => statement(query, () => inner.execute(query)),
        })
        const attributes = { 'db.system.name': 'postgresql' }
        return within({ name: 'transaction', kind: SpanKind.INTERNAL, attributes }, (span) =>
          // The engine may have begun the transaction in another context.
          engine.transaction((inner) => current.run(span, () => work(traced(inner))), setUp),
        )
      },
    }),
    mailTransport: (transport) => ({
      send: (mail, signal) =>
        within(
          {
            name: 'send mail',
            kind: SpanKind.CLIENT,
            attributes: { 'gatehouse.mail.language': mail.language },
            parent: origins.get(/^<(mail_\w+)@/.exec(mail.messageId)?.[1] ?? ''),
          },
          () => transport.send(mail, signal),
        ),
      close: () => transport.close(),
    }),
    sender: (sender) => ({
      send: (attempt) =>
        within(
          {
            name: `deliver ${attempt.event}`,
            kind: SpanKind.CLIENT,
            attributes: {
              'gatehouse.event.type': attempt.event,
              'gatehouse.event.id': attempt.eventId,
              'gatehouse.delivery.attempt': attempt.number,
              'http.request.method': 'POST',
              'server.address': new URL(attempt.url).hostname,
            },
            parent: origins.get(attempt.eventId),
          },
          async (span) => {
            const result = await sender.send({ ...attempt, headers: { ...attempt.headers, traceparent: traceParentOf(span) } })
            if (typeof result?.status === 'number') span.setAttribute('http.response.status_code', result.status)
            if (result?.error != null) fail(span, result.status === null ? 'no_response' : String(result.status))
            return result
          },
        ),
      abort: () => sender.abort(),
      close: () => sender.close(),
    }),
    outgoing: (outgoing) => ({
      ...outgoing,
      fetch: (what, maximumBytes) => {
        const fetch = outgoing.fetch(what, maximumBytes)
        return (url, init) =>
          within(
            {
              name: `fetch ${what}`,
              kind: SpanKind.CLIENT,
              attributes: {
                'http.request.method': init?.method ?? 'GET',
                'server.address': new URL(url).hostname,
                'gatehouse.purpose': what,
              },
            },
            async (span) => {
              const response = await fetch(url, init)
              span.setAttribute('http.response.status_code', response.status)
              if (response.status >= 400) fail(span, String(response.status))
              return response
            },
          )
      },
    }),
    logFields() {
      const span = current.getStore()?.spanContext()
      return span ? { trace_id: span.traceId, span_id: span.spanId } : {}
    },
    spanContext: () => current.getStore()?.spanContext(),
    async close() {
      unsubscribe(queuedChannel, remember)
      await provider.shutdown()
    },
  }
}

/** The trace that a request joins. Strangers may neither choose it nor decide that it is recorded. */
function parentOf(
  { headers, socket }: FastifyRequest,
  isTrustedProxy: ((address: string) => boolean) | undefined,
): SpanContext | undefined {
  const { traceparent } = headers
  if (typeof traceparent !== 'string' || !isTrustedProxy?.(socket.remoteAddress ?? '')) return undefined
  const parsed = parseTraceParent(traceparent)
  return parsed && isSpanContextValid(parsed) ? { ...parsed, isRemote: true } : undefined
}

function traceParentOf(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext()
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`
}

function fail(span: Span, type: string): void {
  span.setAttribute('error.type', type)
  span.setStatus({ code: SpanStatusCode.ERROR })
}

/** The type of an error, never its message: that may hold values. */
function typeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
