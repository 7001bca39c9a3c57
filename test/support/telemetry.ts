import process from 'node:process'
import { onTestFinished } from 'vitest'
import { openTelemetry } from '../../src/app/telemetry/open-telemetry.ts'
import { sentSignals } from '../../src/app/telemetry/settings.ts'
import { createLogger } from '../../src/platform/http/log.ts'
import { openCollector } from './collector.ts'
import { useReceiver } from './receiver.ts'
import { startTestService } from './service.ts'

/**
 * For a file whose services send to a collector.
 *
 * @returns a function that starts a collector and a service that sends to it, with variables of OpenTelemetry and of the service
 */
export async function useTelemetry() {
  const receiver = await useReceiver()
  const startSending = async (variables: Record<string, string> = {}, environment: Record<string, string> = {}) => {
    const collector = await openCollector()
    // The exporters read the environment of the process themselves.
    const own = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json', ...variables }
    const before = Object.fromEntries(Object.keys(own).map((name) => [name, process.env[name]]))
    Object.assign(process.env, own)
    /** What is said of the collector. */
    const notes: { level: number; code: string; msg: string; dropped?: object; reason?: string; signal?: string }[] = []
    const telemetry = await openTelemetry(
      sentSignals(process.env),
      process.env,
      createLogger({ level: 'info' }, { write: (line: string) => void notes.push(JSON.parse(line)) }),
    )
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
    const service = await startTestService({
      telemetry,
      environment: { WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'true', ...environment },
      webhooks: receiver.reachable,
      outgoing: { ca: receiver.ca },
    })
    let hasStopped = false
    const stop = async () => {
      if (!hasStopped) await service.stop()
      hasStopped = true
    }
    onTestFinished(async () => {
      await stop()
      collector.close()
    })
    return { collector, service, stop, notes }
  }
  return { receiver, startSending }
}
