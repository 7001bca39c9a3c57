import type { Mail, MailTransport } from '../../src/platform/mail/mail.ts'

/** A transport that stores mails, and notifies a test when one arrives. */
export class Mailbox implements MailTransport {
  readonly mails: Mail[] = []
  readonly #waiting = new Set<() => void>()
  readonly #tokensGiven = new Set<string>()

  async send(mail: Mail): Promise<void> {
    this.mails.push(mail)
    for (const look of this.#waiting) look()
  }

  close(): void {}

  /** The newest mail to this address whose subject contains the text; waits until there is one. */
  mailTo(address: string, subject = ''): Promise<Mail> {
    return this.#newest((mail) => mail.to === address && mail.subject.includes(subject))
  }

  /** The token of the link in the newest mail to this address. It returns each token once: the next call waits for the next mail. */
  async tokenTo(address: string, subject = ''): Promise<string> {
    const isNew = (mail: Mail) => mail.to === address && mail.subject.includes(subject) && !this.#tokensGiven.has(tokenIn(mail))
    const token = tokenIn(await this.#newest(isNew))
    if (token === '') throw new Error(`There is no token in the mail to ${address}`)
    this.#tokensGiven.add(token)
    return token
  }

  #newest(isMeant: (mail: Mail) => boolean): Promise<Mail> {
    return new Promise((resolve) => {
      const look = () => {
        const mail = this.mails.findLast(isMeant)
        if (!mail) return
        this.#waiting.delete(look)
        resolve(mail)
      }
      this.#waiting.add(look)
      look()
    })
  }
}

const tokenIn = ({ text }: Mail): string => /[?&]token=([\w-]+)/.exec(text)?.[1] ?? ''
