import { channel } from 'node:diagnostics_channel'

/** The diagnostics channel that reports what a collector of OpenTelemetry did not get, as `{ signal, count }`. */
export const droppedTelemetryChannel = 'gatehouse.dropped-telemetry'
const dropped = channel(droppedTelemetryChannel)

/** What can be lost. Metrics are not: the next ones hold all that has been counted. */
export const droppableSignals = ['traces', 'logs'] as const
export interface DroppedTelemetry {
  signal: (typeof droppableSignals)[number]
  /** How many spans or lines of the log. */
  count: number
}

export function reportDropped(what: DroppedTelemetry): void {
  dropped.publish(what)
}
