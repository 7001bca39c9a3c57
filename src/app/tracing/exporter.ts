import { TraceFlags } from '@opentelemetry/api'
import type { Resource } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  type SpanProcessor,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { Backlog, type CollectorWatch } from '../telemetry/collector.ts'
import { numberOf } from '../telemetry/numbers.ts'
import { protocolOf } from '../telemetry/settings.ts'

type Environment = Record<string, string | undefined>

/** Collects spans and sends them to the collector that the standard variables of OpenTelemetry name. */
export async function openProvider(environment: Environment, resource: Resource, watch: CollectorWatch): Promise<TracerProvider> {
  const maxQueueSize = numberOf(environment.OTEL_BSP_MAX_QUEUE_SIZE, 2_048, 1)
  const timeout = numberOf(environment.OTEL_BSP_EXPORT_TIMEOUT, 30_000, 1)
  const backlog = new Backlog(maxQueueSize, () => watch.drop({ signal: 'traces', count: 1 }))
  const processor = new BatchSpanProcessor({
    exporter: backlog.emptiedBy(watch.watch(await exporterOf(environment), 'traces', timeout)),
    maxQueueSize,
    maxExportBatchSize: Math.min(numberOf(environment.OTEL_BSP_MAX_EXPORT_BATCH_SIZE, 512, 1), maxQueueSize),
    scheduledDelayMillis: numberOf(environment.OTEL_BSP_SCHEDULE_DELAY, 5_000),
    // Longer than our timeout, which counts the drops.
    exportTimeoutMillis: timeout + 1_000,
  })
  const counted: SpanProcessor = {
    onStart: () => {},
    onEnd: (span) => {
      if ((span.spanContext().traceFlags & TraceFlags.SAMPLED) !== 0 && backlog.admits()) processor.onEnd(span)
    },
    forceFlush: () => processor.forceFlush(),
    shutdown: () => processor.shutdown(),
  }
  return new TracerProvider({
    resource,
    sampler: samplerOf(environment),
    spanLimits: { attributeValueLengthLimit: 2_048 },
    spanProcessors: [counted],
  })
}

/** The exporter reads the address of the collector, headers, certificates and time limits from the environment itself. */
async function exporterOf(environment: Environment): Promise<SpanExporter> {
  const { OTLPTraceExporter } =
    protocolOf(environment, 'traces') === 'http/json'
      ? await import('@opentelemetry/exporter-trace-otlp-http')
      : await import('@opentelemetry/exporter-trace-otlp-proto')
  return new OTLPTraceExporter()
}

function samplerOf({ OTEL_TRACES_SAMPLER: name = 'parentbased_always_on', OTEL_TRACES_SAMPLER_ARG: ratio }: Environment): Sampler {
  const ofName = (own: string): Sampler => {
    if (own === 'always_off') return new AlwaysOffSampler()
    if (own === 'traceidratio') return new TraceIdRatioBasedSampler(numberOf(ratio, 1))
    return new AlwaysOnSampler()
  }
  const [, own] = /^parentbased_(.+)$/.exec(name) ?? []
  return own === undefined ? ofName(name) : new ParentBasedSampler({ root: ofName(own) })
}
