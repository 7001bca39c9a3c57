import type { Controls } from './controls.ts'
import type { Organisation } from './organisation.ts'

export interface SentText {
  to: string
  text: string
  /** The addresses in it. */
  links: string[]
  /** The first code of six to eight digits; null without one. */
  code: string | null
}

export interface SentMail extends SentText {
  subject: string
  html: string
}

export interface ReceivedWebhook {
  organisationId: string
  event: string
  headers: Record<string, string>
  /** The text that the signature covers. */
  body: string
}

export interface Waiting {
  /** How long to wait for one, in real time; 5,000 by default. */
  timeoutMilliseconds?: number
}

/** What the service has sent in place of a mail server or a gateway. Each message is taken once. */
export interface Messages<Message, Asked> {
  /** Takes the oldest that matches and has not been taken; waits for one. Rejects with `nothing-has-come`. */
  next(asked?: Asked & Waiting): Promise<Message>
  /** All that were sent, taken or not, the oldest first. */
  all(): Promise<Message[]>
  /** Refuses the next ones, which the service then tries again. */
  fail(times?: number): Promise<void>
}

/** @param asked `subject` is a part of the subject */
export type Mails = Messages<SentMail, { to?: string; subject?: string }>
export type Texts = Messages<SentText, { to?: string }>

export interface Webhooks {
  /** Takes the oldest webhook of this event that has not been taken; waits for one. */
  received(event: string, options?: Waiting & { organisation?: Organisation }): Promise<ReceivedWebhook>
  /** The status of the receiver's responses from now on; 200 at the beginning. */
  respondWith(status: number): Promise<void>
}

export const messagesOf = <Message, Asked>(controls: Controls, path: string): Messages<Message, Asked> => ({
  next: (asked) => controls.post<Message>(`${path}/next`, asked ?? {}),
  all: async () => (await controls.get<{ data: Message[] }>(path)).data,
  fail: (times = 1) => controls.post(`${path}/fail`, { times }),
})

export const webhooksOf = (controls: Controls): Webhooks => ({
  received: (event, { organisation, ...waiting } = {}) =>
    controls.post<ReceivedWebhook>('/webhooks/next', { event, ...(organisation && { organisationId: organisation.id }), ...waiting }),
  respondWith: (status) => controls.post('/webhooks/receiver', { status }),
})
