import { ExportResultCode } from '@opentelemetry/core'
import type { Logger } from 'pino'
import { type DroppedTelemetry, reportDropped } from '../../platform/dropped-telemetry.ts'
import type { Signal } from './settings.ts'

type Environment = Record<string, string | undefined>

interface ExportResult {
  code: ExportResultCode
  error?: Error
}
interface Exporter<Batch> {
  export(batch: Batch, done: (result: ExportResult) => void): void
}

interface Outage {
  signals: Set<Signal>
  /** Whether the log has a line about it. */
  isTold: boolean
}

/** A slow collector, which accepts every other batch, is reported at most this often. */
const toldEveryMilliseconds = 60_000

/**
 * Reports the state of the collectors: one line when a collector stops accepting data, and one when it accepts data again, however
 * many batches fail in between. Data that could not be sent is counted.
 */
export class CollectorWatch {
  /** Outages by cause: a collector that cannot be reached, or one that refuses a signal. */
  readonly #outages = new Map<string, Outage>()
  readonly #toldAt = new Map<string, number>()
  readonly #dropped = { traces: 0, logs: 0 }
  readonly #log: Pick<Logger, 'info' | 'warn'>
  readonly #environment: Environment

  /** @param log writes lines that are not themselves sent */
  constructor(log: Pick<Logger, 'info' | 'warn'>, environment: Environment) {
    this.#log = log
    this.#environment = environment
  }

  /**
   * Makes an exporter report the outcome of each batch. Its caller always sees success, because it cannot do anything about a failure.
   *
   * @param timeoutMilliseconds after which a batch counts as failed
   */
  watch<Batch, E extends Exporter<Batch>>(exporter: E & Exporter<Batch>, signal: Signal, timeoutMilliseconds: number): E {
    const send = exporter.export.bind(exporter)
    exporter.export = (batch, done) => {
      let isOver = false
      const finish = ({ code, error }: ExportResult) => {
        if (isOver) return
        isOver = true
        clearTimeout(patience)
        if (code === ExportResultCode.SUCCESS) this.#succeeded(signal)
        else {
          if (signal !== 'metrics') this.drop({ signal, count: (batch as { length: number }).length })
          this.#failed(signal, error)
        }
        done({ code: ExportResultCode.SUCCESS })
      }
      const patience = setTimeout(() => finish({ code: ExportResultCode.FAILED, error: new Error('Timeout') }), timeoutMilliseconds).unref()
      try {
        send(batch, finish)
      } catch (error) {
        finish({ code: ExportResultCode.FAILED, error: error as Error })
      }
    }
    return exporter
  }

  drop(what: DroppedTelemetry): void {
    this.#dropped[what.signal] += what.count
    reportDropped(what)
  }

  /** Reports a failure other than that of sending a batch. */
  unexpected(error: unknown): void {
    if (this.#mayTell('unexpected'))
      this.#log.warn({ code: 'telemetry-failed', reason: reasonOf(error) }, 'something could not be sent to the collector of OpenTelemetry')
  }

  #failed(signal: Signal, error: unknown): void {
    const status = statusOf(error)
    const cause = status === undefined ? originOf(this.#environment, signal) : `${signal} ${status}`
    const outage = this.#outages.get(cause) ?? { signals: new Set(), isTold: false }
    this.#outages.set(cause, outage)
    outage.signals.add(signal)
    if (outage.isTold || !this.#mayTell(cause)) return
    outage.isTold = true
    this.#log.warn(
      { code: 'telemetry-not-sent', signal, reason: reasonOf(error) },
      status === undefined
        ? 'the collector of OpenTelemetry cannot be reached; what it is sent is dropped until it can'
        : 'the collector of OpenTelemetry refuses what it is sent',
    )
  }

  #succeeded(signal: Signal): void {
    let isToldOf = false
    for (const [cause, outage] of this.#outages) {
      if (!outage.signals.delete(signal) || outage.signals.size > 0) continue
      this.#outages.delete(cause)
      isToldOf ||= outage.isTold
    }
    if (!isToldOf) return
    const dropped = { ...this.#dropped }
    Object.assign(this.#dropped, { traces: 0, logs: 0 })
    this.#log.info({ code: 'telemetry-sent-again', dropped }, 'the collector of OpenTelemetry takes what it is sent again')
  }

  #mayTell(cause: string): boolean {
    const now = performance.now()
    if (now - (this.#toldAt.get(cause) ?? Number.NEGATIVE_INFINITY) < toldEveryMilliseconds) return false
    this.#toldAt.set(cause, now)
    return true
  }
}

/** Counts the items that wait for the collector, so that drops are known: the processors of the SDK drop silently. */
export class Backlog {
  #waiting = 0
  readonly #max: number
  readonly #onDropped: () => void

  constructor(max: number, onDropped: () => void) {
    this.#max = max
    this.#onDropped = onDropped
  }

  /** @returns whether there is room for one more */
  admits(): boolean {
    if (this.#waiting >= this.#max) {
      this.#onDropped()
      return false
    }
    this.#waiting++
    return true
  }

  /** Makes an exporter remove the items that it receives from the backlog. */
  emptiedBy<Item, E extends Exporter<Item[]>>(exporter: E & Exporter<Item[]>): E {
    const send = exporter.export.bind(exporter)
    exporter.export = (batch, done) => {
      this.#waiting -= batch.length
      send(batch, done)
    }
    return exporter
  }
}

/** The status of a response; undefined when the collector could not be reached. */
function statusOf(error: unknown): number | undefined {
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'number' ? code : undefined
}

/** The reason, never the collector's own text: it may repeat what was sent to it. */
function reasonOf(error: unknown): string {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  if (typeof code === 'number') return `HTTP ${code}`
  return String(code ?? message ?? 'unknown')
}

function originOf(environment: Environment, signal: Signal): string {
  const url = environment[`OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_ENDPOINT`]?.trim() || environment.OTEL_EXPORTER_OTLP_ENDPOINT?.trim()
  return URL.parse(url ?? '')?.host ?? 'unknown'
}
