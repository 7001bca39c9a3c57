import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

interface SmtpServerOptions {
  host?: string
  /** A free one by default. */
  port?: number | undefined
  /** Called with each accepted mail. */
  onMail?: (mail: Email) => void
  /** What it waits for before it greets a client and before it accepts a mail: a promise that is pending is a server that hangs. */
  mayRespond?: () => Promise<void>
  /** It offers STARTTLS with this certificate, or begins with TLS where it is `secure`. Without one it has no TLS. */
  tls?: { key: string; cert: string; secure?: boolean }
  /** Without one it lets every client in. */
  account?: { user: string; password: string }
  /** It knows no recipient, and says so with the address. */
  knowsNone?: boolean
}

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

  static async start({
    host = '127.0.0.1',
    port = 0,
    onMail,
    mayRespond,
    tls,
    account,
    knowsNone,
  }: SmtpServerOptions = {}): Promise<TestSmtpServer> {
    const mails: Email[] = []
    const server = new SMTPServer({
      authOptional: account === undefined,
      allowInsecureAuth: true,
      // Does not wait for connections that the service leaves open.
      closeTimeout: 1,
      disabledCommands: [...(account ? [] : ['AUTH']), ...(tls ? [] : ['STARTTLS'])],
      ...tls,
      onAuth({ username, password }, _session, done) {
        const isAccount = username === account?.user && password === account?.password
        done(isAccount ? null : new Error('Invalid username or password'), isAccount ? { user: username } : undefined)
      },
      onRcptTo({ address }, _session, done) {
        done(knowsNone ? Object.assign(new Error(`<${address}> User unknown`), { responseCode: 550 }) : null)
      },
      onConnect(_session, done) {
        Promise.resolve(mayRespond?.()).then(() => done(), done)
      },
      onData(stream, _session, done) {
        stream
          .toArray()
          .then(async (chunks) => {
            await mayRespond?.()
            return chunks
          })
          .then((chunks) => PostalMime.parse(Buffer.concat(chunks)))
          .then((mail) => {
            mails.push(mail)
            onMail?.(mail)
            done()
          }, done)
      },
    })
    server.on('error', () => {})
    await new Promise<void>((resolve) => server.listen(port, host, resolve))
    return new TestSmtpServer(server, (server.server.address() as AddressInfo).port, mails)
  }

  mailsTo(address: string): Email[] {
    return this.mails.filter(({ to = [] }) => to.some((recipient) => recipient.address === address))
  }

  stop(): Promise<void> {
    return new Promise((resolve) => this.#server.close(resolve))
  }
}
