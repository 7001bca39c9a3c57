import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A span as OTLP's JSON has it. */
export interface CollectedSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  attributes: Record<string, string | number | boolean>
  status?: number
}

interface Wire {
  resourceSpans: {
    resource: { attributes: WireAttribute[] }
    scopeSpans: { spans: (Omit<CollectedSpan, 'attributes' | 'status'> & { attributes: WireAttribute[]; status?: { code?: number } })[] }[]
  }[]
}
interface WireAttribute {
  key: string
  value: { stringValue?: string; intValue?: number | string; boolValue?: boolean; doubleValue?: number }
}

const attributesOf = (attributes: WireAttribute[]) =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? value.boolValue ?? value.doubleValue ?? Number(value.intValue)]),
  )

/** A collector of OpenTelemetry that takes traces by OTLP over HTTP. */
export async function openCollector() {
  const spans: CollectedSpan[] = []
  const resources: CollectedSpan['attributes'][] = []
  const received: { contentType: string | undefined; headers: Record<string, unknown>; path: string | undefined; body: Buffer }[] = []
  const collector = { hangs: false }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks)
      const contentType = request.headers['content-type']
      received.push({ contentType, headers: request.headers, path: request.url, body })
      if (collector.hangs) return
      if (contentType === 'application/json') read(JSON.parse(body.toString()) as Wire)
      response.writeHead(200, { 'content-type': contentType ?? '' }).end(contentType === 'application/json' ? '{}' : '')
    })
  })
  function read({ resourceSpans }: Wire) {
    for (const { resource, scopeSpans } of resourceSpans) {
      resources.push(attributesOf(resource.attributes))
      for (const span of scopeSpans.flatMap((scope) => scope.spans))
        spans.push({ ...span, attributes: attributesOf(span.attributes), status: span.status?.code ?? 0 })
    }
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return Object.assign(collector, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    resources,
    received,
    close() {
      server.closeAllConnections()
      server.close()
    },
  })
}

/** The fields of a protobuf message by number: bytes of what has a length, otherwise numbers. */
export function fieldsOf(message: Uint8Array): Map<number, (Uint8Array | number)[]> {
  const fields = new Map<number, (Uint8Array | number)[]>()
  let at = 0
  const varint = () => {
    let value = 0
    for (let factor = 1; ; factor *= 128) {
      const byte = message[at++] as number
      value += (byte & 127) * factor
      if (byte < 128) return value
    }
  }
  while (at < message.length) {
    const tag = varint()
    const [number, type] = [Math.floor(tag / 8), tag % 8]
    let value: Uint8Array | number = 0
    if (type === 0) value = varint()
    else {
      const length = type === 2 ? varint() : type === 1 ? 8 : 4
      value = message.subarray(at, at + length)
      at += length
    }
    fields.set(number, [...(fields.get(number) ?? []), value])
  }
  return fields
}
