import type { MeasuredMetric } from '../../operations/measured-metric.ts'
import type { Tracing } from '../tracing/tracing.ts'

/** What the service sends to a collector of OpenTelemetry. Where a signal is not sent, its part is undefined, and nothing is called for it. */
export interface Telemetry {
  tracing: Tracing | undefined
  /** Takes a line of the log, as it is written to the standard output. */
  takeLine: ((line: string) => void) | undefined
  /** From now on sends what is measured. */
  sendMetrics: ((measure: () => Promise<MeasuredMetric[]>) => void) | undefined
  /** Sends what is left, within a limit. */
  close(): Promise<void>
}
