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

/** Sends what `/metrics` shows of this process. Nothing is counted for it: the registry of Prometheus is read. */
export async function openMetrics(environment: Environment, resource: Resource, watch: CollectorWatch): Promise<MetricsSending> {
  const interval = numberOf(environment.OTEL_METRIC_EXPORT_INTERVAL, 60_000, 1)
  // The SDK refuses one that is longer than the interval.
  const timeout = Math.min(numberOf(environment.OTEL_METRIC_EXPORT_TIMEOUT, 30_000, 1), interval)
  const exporter = watch.watch(await exporterOf(environment), 'metrics', timeout)
  let provider: MeterProvider | undefined

  return {
    sendMetrics(measure) {
      // All that is counted begins with the process.
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

/** It reads where the collector is, headers, certificates and time limits by itself. */
async function exporterOf(environment: Environment): Promise<PushMetricExporter> {
  const { OTLPMetricExporter } =
    protocolOf(environment, 'metrics') === 'http/json'
      ? await import('@opentelemetry/exporter-metrics-otlp-http')
      : await import('@opentelemetry/exporter-metrics-otlp-proto')
  return new OTLPMetricExporter()
}
