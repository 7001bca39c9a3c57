import { channel } from 'node:diagnostics_channel'

/** The diagnostics channel that reports telemetry which an OpenTelemetry collector did not receive, as `{ signal, count }`. */
export const droppedTelemetryChannel = 'gatehouse.dropped-telemetry'
const dropped = channel(droppedTelemetryChannel)

/** The signals that can be lost. Metrics cannot: the next ones contain everything that has been counted. */
export const droppableSignals = ['traces', 'logs'] as const
export interface DroppedTelemetry {
  signal: (typeof droppableSignals)[number]
  /** The number of spans or log lines. */
  count: number
}

export function reportDropped(what: DroppedTelemetry): void {
  dropped.publish(what)
}
