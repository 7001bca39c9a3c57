import { type Attributes, type LogRecord, SeverityNumber } from '@opentelemetry/api'

/** Pino's levels by their number. */
const severities: Record<number, [SeverityNumber, string]> = {
  10: [SeverityNumber.TRACE, 'trace'],
  20: [SeverityNumber.DEBUG, 'debug'],
  30: [SeverityNumber.INFO, 'info'],
  40: [SeverityNumber.WARN, 'warn'],
  50: [SeverityNumber.ERROR, 'error'],
  60: [SeverityNumber.FATAL, 'fatal'],
}

interface Line {
  level: number
  time: number
  msg?: string
  err?: unknown
  trace_id?: string
  span_id?: string
}

/**
 * A line of the log as a record of OpenTelemetry. It is parsed from the written line, so it holds nothing more: what is masked
 * there is masked here. The trace of a record is separate from its attributes.
 */
export function logRecordOf(line: string): LogRecord {
  const { level, time, msg, err, trace_id: _trace, span_id: _span, ...fields } = JSON.parse(line) as Line
  const [severityNumber, severityText] = severities[level] ?? [SeverityNumber.UNSPECIFIED, String(level)]
  return {
    timestamp: time,
    severityNumber,
    severityText,
    body: msg ?? '',
    attributes: { ...(fields as Attributes), ...exceptionOf(err) },
  }
}

/** Attributes by the semantic conventions; further fields that the log shows of the error retain their names. */
function exceptionOf(err: unknown): Attributes {
  if (err === undefined) return {}
  if (typeof err !== 'object' || err === null) return { 'exception.message': String(err) }
  const { type, message, stack, ...further } = err as { type?: string; message?: string; stack?: string }
  return {
    'exception.type': type,
    'exception.message': message,
    'exception.stacktrace': stack,
    ...(Object.keys(further).length > 0 && { err: further as Attributes }),
  }
}
