import type { MeasuredMetric } from '../../operations/measured-metric.ts'
import type { Tracing } from '../tracing/tracing.ts'

/** The telemetry that the service sends to a collector. The part of a signal that is not sent is undefined, and costs no call. */
export interface Telemetry {
  tracing: Tracing | undefined
  /** Takes a line of the log, as it is written to standard output. */
  takeLine: ((line: string) => void) | undefined
  sendMetrics: ((measure: () => Promise<MeasuredMetric[]>) => void) | undefined
  /** Sends what is left, within a time limit. */
  close(): Promise<void>
}
