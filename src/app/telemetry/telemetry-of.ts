import process from 'node:process'
import type { Logger } from 'pino'
import type { Signal } from './settings.ts'
import type { Telemetry } from './telemetry.ts'

/**
 * Opens the telemetry that is sent to a collector of OpenTelemetry. Nothing is loaded when nothing is sent.
 *
 * @param openLog for the lines about the collector, which are not sent to it
 */
export async function telemetryOf(signals: readonly Signal[], openLog: () => Logger): Promise<Telemetry | undefined> {
  if (signals.length === 0) return undefined
  const { openTelemetry } = await import('./open-telemetry.ts')
  return openTelemetry(signals, process.env, openLog())
}
