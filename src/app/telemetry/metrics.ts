import { hrTime, millisToHrTime } from '@opentelemetry/core'
import type { Resource } from '@opentelemetry/resources'
import { MeterProvider, type MetricProducer, PeriodicExportingMetricReader, type PushMetricExporter } from '@opentelemetry/sdk-metrics'
import { version } from '../../platform/version.ts'
import type { CollectorWatch } from './collector.ts'
import { numberOf } from './numbers.ts'
import { otlpMetrics } from './otlp-metrics.ts'
import { protocolOf } from './settings.ts'
import type { Telemetry } from './telemetry.ts'

type Environment = Record<string, string | undefined>

export interface MetricsSending {
  sendMetrics: NonNullable<Telemetry['sendMetrics']>
  close(): Promise<void>
}

/** Sends the metrics that `/metrics` shows for this process. They are read from the registry of Prometheus, not counted twice. */
export async function openMetrics(environment: Environment, resource: Resource, watch: CollectorWatch): Promise<MetricsSending> {
  const interval = numberOf(environment.OTEL_METRIC_EXPORT_INTERVAL, 60_000, 1)
  // The SDK refuses a timeout that is longer than the interval.
  const timeout = Math.min(numberOf(environment.OTEL_METRIC_EXPORT_TIMEOUT, 30_000, 1), interval)
  const exporter = watch.watch(await exporterOf(environment), 'metrics', timeout)
  let provider: MeterProvider | undefined

  return {
    sendMetrics(measure) {
      // All counters begin with the process.
      const startTime = millisToHrTime(performance.timeOrigin)
      const producer: MetricProducer = {
        async collect() {
          const metrics = otlpMetrics(await measure(), { startTime, endTime: hrTime() })
          return { resourceMetrics: { resource, scopeMetrics: [{ scope: { name: 'gatehouse', version }, metrics }] }, errors: [] }
        },
      }
      const reader = new PeriodicExportingMetricReader({
        exporter,
        exportIntervalMillis: interval,
        exportTimeoutMillis: timeout,
        metricProducers: [producer],
      })
      provider = new MeterProvider({ resource, readers: [reader] })
    },
    async close() {
      await provider?.shutdown()
    },
  }
}

/** The exporter reads the address of the collector, headers, certificates and time limits from the environment itself. */
async function exporterOf(environment: Environment): Promise<PushMetricExporter> {
  const { OTLPMetricExporter } =
    protocolOf(environment, 'metrics') === 'http/json'
      ? await import('@opentelemetry/exporter-metrics-otlp-http')
      : await import('@opentelemetry/exporter-metrics-otlp-proto')
  return new OTLPMetricExporter()
}
