import type { SmsSender } from '../../src/platform/sms/sms.ts'

/** A sender that stores messages. A test can make it fail. */
export class Phones implements SmsSender {
  readonly messages: { to: string; text: string }[] = []
  failing = false

  async send(message: { to: string; text: string }): Promise<void> {
    if (this.failing) throw new Error('The gateway is down')
    this.messages.push(message)
  }

  countTo(phone: string): number {
    return this.messages.filter(({ to }) => to === phone).length
  }

  /** The code in the newest message to this phone. */
  codeTo(phone: string): string {
    const text = this.messages.findLast(({ to }) => to === phone)?.text
    const code = /\b\d{6}\b/.exec(text ?? '')?.[0]
    if (!code) throw new Error(`No code has been sent to ${phone}`)
    return code
  }
}
