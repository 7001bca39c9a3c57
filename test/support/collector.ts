import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { otlpOf } from './otlp-protobuf.ts'

type Value = string | number | boolean | null | Value[] | { [key: string]: Value }
type Attributes = Record<string, Value>

export interface CollectedSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  attributes: Attributes
  status?: number
}

/** A record of the log. */
export interface CollectedRecord {
  traceId: string
  spanId: string
  flags: number
  severityNumber: number
  severityText: string
  body: Value
  timeUnixNano: bigint
  attributes: Attributes
  resource: Attributes
}

/** One series of a metric, at one time. */
export interface CollectedPoint {
  name: string
  description: string
  unit: string
  kind: 'sum' | 'gauge' | 'histogram'
  isMonotonic: boolean
  isCumulative: boolean
  startTimeUnixNano: bigint
  timeUnixNano: bigint
  attributes: Attributes
  /** Of a histogram its sum. */
  value: number
  count: number
  explicitBounds: number[]
  bucketCounts: number[]
  resource: Attributes
}

interface WireValue {
  stringValue?: string
  boolValue?: boolean
  intValue?: number | string
  doubleValue?: number
  arrayValue?: { values?: WireValue[] }
  kvlistValue?: { values?: WireAttribute[] }
}
interface WireAttribute {
  key: string
  value?: WireValue
}
interface WirePoint {
  attributes?: WireAttribute[]
  startTimeUnixNano?: string
  timeUnixNano?: string
  asDouble?: number
  asInt?: string | number
  count?: string | number
  sum?: number
  bucketCounts?: (string | number)[]
  explicitBounds?: number[]
}
interface WireData {
  dataPoints?: WirePoint[]
  aggregationTemporality?: number
  isMonotonic?: boolean
}
interface WireResource {
  attributes?: WireAttribute[]
}
interface Wire {
  resourceSpans?: {
    resource?: WireResource
    scopeSpans?: {
      spans?: (Omit<CollectedSpan, 'attributes' | 'status'> & { attributes?: WireAttribute[]; status?: { code?: number } })[]
    }[]
  }[]
  resourceMetrics?: {
    resource?: WireResource
    scopeMetrics?: {
      metrics?: { name: string; description?: string; unit?: string; sum?: WireData; gauge?: WireData; histogram?: WireData }[]
    }[]
  }[]
  resourceLogs?: {
    resource?: WireResource
    scopeLogs?: {
      logRecords?: {
        timeUnixNano?: string
        severityNumber?: number
        severityText?: string
        body?: WireValue
        attributes?: WireAttribute[]
        traceId?: string
        spanId?: string
        flags?: number
      }[]
    }[]
  }[]
}

function plain(value: WireValue = {}): Value {
  if (value.kvlistValue) return attributesOf(value.kvlistValue.values)
  if (value.arrayValue) return (value.arrayValue.values ?? []).map(plain)
  if (value.intValue !== undefined) return Number(value.intValue)
  return value.stringValue ?? value.boolValue ?? value.doubleValue ?? null
}

const attributesOf = (attributes: WireAttribute[] = []): Attributes =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, plain(value)]))

/** A collector of OpenTelemetry that takes traces, metrics and logs by OTLP over HTTP, as JSON and as protobuf. */
export async function openCollector({ port = 0 } = {}) {
  const spans: CollectedSpan[] = []
  const records: CollectedRecord[] = []
  const points: CollectedPoint[] = []
  const resources: Attributes[] = []
  const received: { contentType: string | undefined; headers: Record<string, unknown>; path: string | undefined; body: Buffer }[] = []
  const collector = { hangs: false, status: 200 }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const sent = Buffer.concat(chunks)
      const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent
      const contentType = request.headers['content-type']
      received.push({ contentType, headers: request.headers, path: request.url, body })
      if (collector.hangs) return
      if (collector.status !== 200) return response.writeHead(collector.status).end()
      const isJson = contentType === 'application/json'
      read(isJson ? JSON.parse(body.toString()) : otlpOf(body, request.url?.split('/').at(-1) ?? ''))
      response.writeHead(200, { 'content-type': contentType ?? '' }).end(isJson ? '{}' : '')
    })
  })
  function read({ resourceSpans = [], resourceMetrics = [], resourceLogs = [] }: Wire) {
    for (const { resource, scopeSpans = [] } of resourceSpans) {
      resources.push(attributesOf(resource?.attributes))
      for (const span of scopeSpans.flatMap((scope) => scope.spans ?? []))
        spans.push({ ...span, attributes: attributesOf(span.attributes), status: span.status?.code ?? 0 })
    }
    for (const { resource, scopeLogs = [] } of resourceLogs)
      for (const record of scopeLogs.flatMap((scope) => scope.logRecords ?? []))
        records.push({
          traceId: record.traceId ?? '',
          spanId: record.spanId ?? '',
          flags: record.flags ?? 0,
          severityNumber: record.severityNumber ?? 0,
          severityText: record.severityText ?? '',
          body: plain(record.body),
          timeUnixNano: BigInt(record.timeUnixNano ?? 0),
          attributes: attributesOf(record.attributes),
          resource: attributesOf(resource?.attributes),
        })
    for (const { resource, scopeMetrics = [] } of resourceMetrics)
      for (const { name, description = '', unit = '', ...data } of scopeMetrics.flatMap((scope) => scope.metrics ?? []))
        for (const kind of ['sum', 'gauge', 'histogram'] as const)
          for (const point of data[kind]?.dataPoints ?? [])
            points.push({
              name,
              description,
              unit,
              kind,
              isMonotonic: data[kind]?.isMonotonic ?? false,
              isCumulative: data[kind]?.aggregationTemporality === 2,
              startTimeUnixNano: BigInt(point.startTimeUnixNano ?? 0),
              timeUnixNano: BigInt(point.timeUnixNano ?? 0),
              attributes: attributesOf(point.attributes),
              value: Number(point.asDouble ?? point.asInt ?? point.sum ?? 0),
              count: Number(point.count ?? 0),
              explicitBounds: point.explicitBounds ?? [],
              bucketCounts: (point.bucketCounts ?? []).map(Number),
              resource: attributesOf(resource?.attributes),
            })
  }
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const listening = (server.address() as AddressInfo).port
  return Object.assign(collector, {
    port: listening,
    url: `http://127.0.0.1:${listening}`,
    spans,
    records,
    points,
    resources,
    received,
    close() {
      server.closeAllConnections()
      server.close()
    },
  })
}
