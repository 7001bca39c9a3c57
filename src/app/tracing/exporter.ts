import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { version } from '../../platform/version.ts'

type Environment = Record<string, string | undefined>

/** Collects spans and sends them to the collector that the standard variables of OpenTelemetry name. */
export async function openProvider(environment: Environment): Promise<TracerProvider> {
  const ours = resourceFromAttributes({ 'service.name': 'gatehouse', 'service.version': version })
  return new TracerProvider({
    // What the environment says stands above what we say.
    resource: defaultResource()
      .merge(ours)
      .merge(detectResources({ detectors: [envDetector] })),
    sampler: samplerOf(environment),
    spanLimits: { attributeValueLengthLimit: 2_048 },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: await exporterOf(environment),
        maxQueueSize: numberOf(environment.OTEL_BSP_MAX_QUEUE_SIZE, 2_048),
        maxExportBatchSize: numberOf(environment.OTEL_BSP_MAX_EXPORT_BATCH_SIZE, 512),
        scheduledDelayMillis: numberOf(environment.OTEL_BSP_SCHEDULE_DELAY, 5_000),
        exportTimeoutMillis: numberOf(environment.OTEL_BSP_EXPORT_TIMEOUT, 30_000),
      }),
    ],
  })
}

/** It reads where the collector is, headers, certificates and time limits by itself. */
async function exporterOf(environment: Environment): Promise<SpanExporter> {
  const protocol = environment.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? environment.OTEL_EXPORTER_OTLP_PROTOCOL
  const { OTLPTraceExporter } =
    protocol === 'http/json'
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

function numberOf(value: string | undefined, otherwise: number): number {
  const number = Number(value?.trim() || Number.NaN)
  return Number.isFinite(number) && number >= 0 ? number : otherwise
}
