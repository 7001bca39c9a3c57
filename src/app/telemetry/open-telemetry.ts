import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { setGlobalErrorHandler } from '@opentelemetry/core'
import { defaultResource, detectResources, envDetector, type Resource, resourceFromAttributes } from '@opentelemetry/resources'
import type { Logger } from 'pino'
import { version } from '../../platform/version.ts'
import { CollectorWatch } from './collector.ts'
import type { Signal } from './settings.ts'
import type { Telemetry } from './telemetry.ts'

const flushMilliseconds = 1_500

/**
 * Sends traces, metrics and logs by OpenTelemetry, as its standard variables say. Nothing waits for the collector: data that it
 * does not accept is dropped, and counted.
 *
 * @param log for the lines about the collector, which are not sent to it
 */
export async function openTelemetry(
  signals: readonly Signal[],
  environment: Record<string, string | undefined>,
  log: Pick<Logger, 'info' | 'warn'>,
): Promise<Telemetry> {
  const watch = new CollectorWatch(log, environment)
  setGlobalErrorHandler((error) => watch.unexpected(error))
  const resource = resourceOf()
  const tracing = signals.includes('traces')
    ? await import('../tracing/open-tracing.ts').then(({ openTracing }) => openTracing(environment, resource, watch))
    : undefined
  const metrics = signals.includes('metrics')
    ? await import('./metrics.ts').then(({ openMetrics }) => openMetrics(environment, resource, watch))
    : undefined
  const logs = signals.includes('logs')
    ? await import('./logs.ts').then(({ openLogs }) => openLogs(environment, resource, watch, () => tracing?.spanContext()))
    : undefined
  return {
    tracing,
    takeLine: logs?.takeLine,
    sendMetrics: metrics?.sendMetrics,
    async close() {
      const closed = Promise.all([tracing, metrics, logs].map((signal) => signal?.close()))
      await Promise.race([closed.catch((error) => watch.unexpected(error)), pause(flushMilliseconds, undefined, { ref: false })])
    },
  }
}

/** Each process is an instance of its own: its counters begin with it, and a collector adds up those of all. */
function resourceOf(): Resource {
  const ours = resourceFromAttributes({ 'service.name': 'gatehouse', 'service.version': version, 'service.instance.id': randomUUID() })
  // The environment takes precedence over our values.
  return defaultResource()
    .merge(ours)
    .merge(detectResources({ detectors: [envDetector] }))
}
