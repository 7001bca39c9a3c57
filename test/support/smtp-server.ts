import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

/** A real mail server: it takes mails over and parses them as a mail program would. */
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
   * @param port a free one when none is given
   * @param onMail hears of each mail when it has been taken over
   */
  static async start(port = 0, onMail?: (mail: Email) => void): Promise<TestSmtpServer> {
    const mails: Email[] = []
    const server = new SMTPServer({
      authOptional: true,
      // Does not wait for the connections that the service keeps open.
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
