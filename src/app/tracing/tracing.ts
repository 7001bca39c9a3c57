import type { SpanContext } from '@opentelemetry/api'
import type { Engine } from '../../platform/database/engine.ts'
import type { Outgoing } from '../../platform/http/outgoing-fetch.ts'
import type { App } from '../../platform/http/server.ts'
import type { MailTransport } from '../../platform/mail/mail.ts'
import type { Sender } from '../../webhooks/delivery/send.ts'

/**
 * Traces what the service does, by standing around each door that the work passes. Where tracing is off there is none, so that
 * nothing is called for it.
 */
export interface Tracing {
  /** Traces the requests to all routes that are registered afterwards. */
  requests(app: App, isTrustedProxy: ((address: string) => boolean) | undefined): void
  engine(engine: Engine): Engine
  mailTransport(transport: MailTransport): MailTransport
  sender(sender: Sender): Sender
  outgoing(outgoing: Outgoing): Outgoing
  /** What each line of the log says of the work in which it is written. */
  logFields(): { trace_id?: string; span_id?: string }
  /** The span of the work in which it is called. */
  spanContext(): SpanContext | undefined
  /** Sends what is left. */
  close(): Promise<void>
}
