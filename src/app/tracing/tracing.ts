import type { SpanContext } from '@opentelemetry/api'
import type { Engine } from '../../platform/database/engine.ts'
import type { Outgoing } from '../../platform/http/outgoing-fetch.ts'
import type { App } from '../../platform/http/server.ts'
import type { MailTransport } from '../../platform/mail/mail.ts'
import type { Sender } from '../../webhooks/delivery/send.ts'

/**
 * Traces the service at each point where work enters or leaves it. When tracing is off there is no such object, so it costs no
 * call.
 */
export interface Tracing {
  /** Traces the requests to all routes that are registered afterwards. */
  requests(app: App, isTrustedProxy: ((address: string) => boolean) | undefined): void
  engine(engine: Engine): Engine
  mailTransport(transport: MailTransport): MailTransport
  sender(sender: Sender): Sender
  outgoing(outgoing: Outgoing): Outgoing
  /** The fields that each line of the log gets from the work that writes it. */
  logFields(): { trace_id?: string; span_id?: string }
  spanContext(): SpanContext | undefined
  /** Sends what is left. */
  close(): Promise<void>
}
