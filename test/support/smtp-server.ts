import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

/** A real mail server: it accepts mails and parses them as a mail program would. */
export class TestSmtpServer {
  readonly mails: Email[] = []
  readonly port: number
  readonly #server: SMTPServer

  private constructor(server: SMTPServer, port: number, mails: Email[]) {
    this.#server = server
    this.port = port
    this.mails = mails
  }

  /**
   * @param port a free one by default
   * @param onMail is called with each accepted mail
   */
  static async start(port = 0, onMail?: (mail: Email) => void): Promise<TestSmtpServer> {
    const mails: Email[] = []
    const server = new SMTPServer({
      authOptional: true,
      // Does not wait for connections that the service leaves open.
      closeTimeout: 1,
      disabledCommands: ['AUTH', 'STARTTLS'],
      onData(stream, _session, done) {
        stream
          .toArray()
          .then((chunks) => PostalMime.parse(Buffer.concat(chunks)))
          .then((mail) => {
            mails.push(mail)
            onMail?.(mail)
            done()
          }, done)
      },
    })
    server.on('error', () => {})
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    return new TestSmtpServer(server, (server.server.address() as AddressInfo).port, mails)
  }

  mailsTo(address: string): Email[] {
    return this.mails.filter(({ to = [] }) => to.some((recipient) => recipient.address === address))
  }

  stop(): Promise<void> {
    return new Promise((resolve) => this.#server.close(resolve))
  }
}
