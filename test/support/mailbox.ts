import type { Mail, MailTransport } from '../../src/platform/mail/mail.ts'

/** A transport that keeps what it is given, and tells a test when something arrives. */
export class Mailbox implements MailTransport {
  readonly mails: Mail[] = []
  readonly #waiting = new Set<() => void>()

  async send(mail: Mail): Promise<void> {
    this.mails.push(mail)
    for (const look of this.#waiting) look()
  }

  close(): void {}

  /** The newest mail to this address whose subject contains the text; waits until there is one. */
  mailTo(address: string, subject = ''): Promise<Mail> {
    return new Promise((resolve) => {
      const look = () => {
        const mail = this.mails.findLast(({ to, subject: actual }) => to === address && actual.includes(subject))
        if (!mail) return
        this.#waiting.delete(look)
        resolve(mail)
      }
      this.#waiting.add(look)
      look()
    })
  }

  /** The token of the link in the newest mail to this address. */
  async tokenTo(address: string, subject = ''): Promise<string> {
    const { text } = await this.mailTo(address, subject)
    const token = /[?&]token=([\w-]+)/.exec(text)?.[1]
    if (!token) throw new Error(`There is no token in the mail to ${address}`)
    return token
  }
}
