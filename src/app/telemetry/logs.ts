import { ROOT_CONTEXT, type SpanContext, trace } from '@opentelemetry/api'
import type { Resource } from '@opentelemetry/resources'
import { BatchLogRecordProcessor, LoggerProvider, type LogRecordExporter, type LogRecordProcessor } from '@opentelemetry/sdk-logs'
import { version } from '../../platform/version.ts'
import { Backlog, type CollectorWatch } from './collector.ts'
import { logRecordOf } from './log-record.ts'
import { numberOf } from './numbers.ts'
import { protocolOf } from './settings.ts'

type Environment = Record<string, string | undefined>

const attributeLengthMax = 16_384

export interface LogsSending {
  takeLine(line: string): void
  close(): Promise<void>
}

/**
 * Sends each line of the log.
 *
 * @param spanContext of the work in which a line is written
 */
export async function openLogs(
  environment: Environment,
  resource: Resource,
  watch: CollectorWatch,
  spanContext: () => SpanContext | undefined,
): Promise<LogsSending> {
  const maxQueueSize = numberOf(environment.OTEL_BLRP_MAX_QUEUE_SIZE, 2_048, 1)
  const timeout = numberOf(environment.OTEL_BLRP_EXPORT_TIMEOUT, 30_000, 1)
  const backlog = new Backlog(maxQueueSize, () => watch.drop({ signal: 'logs', count: 1 }))
  const processor = new BatchLogRecordProcessor({
    exporter: backlog.emptiedBy(watch.watch(await exporterOf(environment), 'logs', timeout)),
    maxQueueSize,
    maxExportBatchSize: Math.min(numberOf(environment.OTEL_BLRP_MAX_EXPORT_BATCH_SIZE, 512, 1), maxQueueSize),
    scheduledDelayMillis: numberOf(environment.OTEL_BLRP_SCHEDULE_DELAY, 1_000),
    // Longer than our timeout, which counts the drops.
    exportTimeoutMillis: timeout + 1_000,
  })
  const counted: LogRecordProcessor = {
    onEmit: (record) => {
      if (backlog.admits()) processor.onEmit(record)
    },
    forceFlush: () => processor.forceFlush(),
    shutdown: () => processor.shutdown(),
  }
  const provider = new LoggerProvider({
    resource,
    processors: [counted],
    logRecordLimits: { attributeValueLengthLimit: attributeLengthMax },
  })
  const logger = provider.getLogger('gatehouse', version)
  return {
    takeLine(line) {
      // Writing a line must never fail because of this.
      try {
        const ofWork = spanContext()
        logger.emit({ ...logRecordOf(line), context: ofWork ? trace.setSpanContext(ROOT_CONTEXT, ofWork) : ROOT_CONTEXT })
      } catch (error) {
        watch.unexpected(error)
      }
    },
    close: () => provider.shutdown(),
  }
}

/** The exporter reads the address of the collector, headers, certificates and time limits from the environment itself. */
async function exporterOf(environment: Environment): Promise<LogRecordExporter> {
  const { OTLPLogExporter } =
    protocolOf(environment, 'logs') === 'http/json'
      ? await import('@opentelemetry/exporter-logs-otlp-http')
      : await import('@opentelemetry/exporter-logs-otlp-proto')
  return new OTLPLogExporter()
}
