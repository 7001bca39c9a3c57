/** OTLP's messages in protobuf, by opentelemetry-proto 1, as the objects that its JSON has. */

type Kind = 'boolean' | 'text' | 'id' | 'integer' | 'fixed64' | 'double' | 'fixed64s' | 'doubles' | 'fixed32' | 'sint'
interface Message {
  [field: number]: [name: string, kind: Kind] | [name: string, message: () => Message, isRepeated?: 'repeated']
}

const anyValue: Message = {
  1: ['stringValue', 'text'],
  2: ['boolValue', 'boolean'],
  3: ['intValue', 'sint'],
  4: ['doubleValue', 'double'],
  5: ['arrayValue', () => ({ 1: ['values', () => anyValue, 'repeated'] })],
  6: ['kvlistValue', () => ({ 1: ['values', () => keyValue, 'repeated'] })],
}
const keyValue: Message = { 1: ['key', 'text'], 2: ['value', () => anyValue] }
const resource: Message = { 1: ['attributes', () => keyValue, 'repeated'] }
const span: Message = {
  1: ['traceId', 'id'],
  2: ['spanId', 'id'],
  4: ['parentSpanId', 'id'],
  5: ['name', 'text'],
  6: ['kind', 'integer'],
  9: ['attributes', () => keyValue, 'repeated'],
  15: ['status', () => ({ 3: ['code', 'integer'] })],
}
const logRecord: Message = {
  1: ['timeUnixNano', 'fixed64'],
  2: ['severityNumber', 'integer'],
  3: ['severityText', 'text'],
  5: ['body', () => anyValue],
  6: ['attributes', () => keyValue, 'repeated'],
  8: ['flags', 'fixed32'],
  9: ['traceId', 'id'],
  10: ['spanId', 'id'],
}
const numberPoint: Message = {
  2: ['startTimeUnixNano', 'fixed64'],
  3: ['timeUnixNano', 'fixed64'],
  4: ['asDouble', 'double'],
  6: ['asInt', 'fixed64'],
  7: ['attributes', () => keyValue, 'repeated'],
}
const histogramPoint: Message = {
  2: ['startTimeUnixNano', 'fixed64'],
  3: ['timeUnixNano', 'fixed64'],
  4: ['count', 'fixed64'],
  5: ['sum', 'double'],
  6: ['bucketCounts', 'fixed64s'],
  7: ['explicitBounds', 'doubles'],
  9: ['attributes', () => keyValue, 'repeated'],
}
const metric: Message = {
  1: ['name', 'text'],
  2: ['description', 'text'],
  3: ['unit', 'text'],
  5: ['gauge', () => ({ 1: ['dataPoints', () => numberPoint, 'repeated'] })],
  7: [
    'sum',
    () => ({
      1: ['dataPoints', () => numberPoint, 'repeated'],
      2: ['aggregationTemporality', 'integer'],
      3: ['isMonotonic', 'boolean'],
    }),
  ],
  9: ['histogram', () => ({ 1: ['dataPoints', () => histogramPoint, 'repeated'], 2: ['aggregationTemporality', 'integer'] })],
}

/** Each signal nests its items alike. */
const request = (resources: string, scopes: string, items: string, item: Message): Message => ({
  1: [
    resources,
    () => ({ 1: ['resource', () => resource], 2: [scopes, () => ({ 2: [items, () => item, 'repeated'] }), 'repeated'] }),
    'repeated',
  ],
})
const requests: Record<string, Message> = {
  traces: request('resourceSpans', 'scopeSpans', 'spans', span),
  metrics: request('resourceMetrics', 'scopeMetrics', 'metrics', metric),
  logs: request('resourceLogs', 'scopeLogs', 'logRecords', logRecord),
}

/** @param signal the last part of the path: `traces`, `metrics` or `logs` */
export const otlpOf = (body: Uint8Array, signal: string): object => decode(body, requests[signal] ?? {})

function decode(bytes: Uint8Array, message: Message): Record<string, unknown> {
  const decoded: Record<string, unknown> = {}
  for (const [number, values] of fieldsOf(bytes)) {
    const [name, kind, isRepeated] = message[number] ?? []
    if (name === undefined || kind === undefined) continue
    if (typeof kind === 'string') decoded[name] = scalarOf(values, kind)
    else if (isRepeated) decoded[name] = values.map((value) => decode(value as Uint8Array, kind()))
    else decoded[name] = decode(values.at(-1) as Uint8Array, kind())
  }
  return decoded
}

function scalarOf(values: (Uint8Array | bigint)[], kind: Kind): unknown {
  const last = values.at(-1)
  if (kind === 'boolean') return last === 1n
  if (typeof last === 'bigint') return kind === 'sint' ? Number(BigInt.asIntN(64, last)) : Number(last)
  const bytes = Buffer.from(last ?? [])
  const eights = Array.from({ length: bytes.length / 8 }, (_, index) => index * 8)
  switch (kind) {
    case 'text':
      return bytes.toString()
    case 'id':
      return bytes.toString('hex')
    case 'fixed32':
      return bytes.readUInt32LE()
    case 'fixed64':
      return String(bytes.readBigUInt64LE())
    case 'double':
      return bytes.readDoubleLE()
    case 'fixed64s':
      return eights.map((at) => String(bytes.readBigUInt64LE(at)))
    case 'doubles':
      return eights.map((at) => bytes.readDoubleLE(at))
    default:
      throw new Error(`A field of the kind ${kind} has bytes`)
  }
}

/** The fields of a message by number: the bytes of what has a length or a fixed size, otherwise numbers. */
function fieldsOf(message: Uint8Array): Map<number, (Uint8Array | bigint)[]> {
  const fields = new Map<number, (Uint8Array | bigint)[]>()
  let at = 0
  const varint = () => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = message[at++] as number
      value += BigInt(byte & 127) << shift
      if (byte < 128) return value
    }
  }
  while (at < message.length) {
    const tag = Number(varint())
    const [number, type] = [tag >>> 3, tag & 7]
    let value: Uint8Array | bigint
    if (type === 0) value = varint()
    else {
      const length = type === 2 ? Number(varint()) : type === 1 ? 8 : 4
      value = message.subarray(at, at + length)
      at += length
    }
    fields.set(number, [...(fields.get(number) ?? []), value])
  }
  return fields
}
