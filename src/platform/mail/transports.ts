import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connectionOptions } from './connection-options.ts'
import type { MailTransport } from './mail.ts'

const timeoutMilliseconds = 20_000
/** Shorter than the lease of a mail, and longer than one takes that waits for another on a slow server. */
const sendingMilliseconds = 100_000

/** Loaded by the first mail: most processes have none to send at the start. */
const nodemailer = () => import('nodemailer')

/** A mail in nodemailer's form. */
const messageOf = ({ language, ...mail }: Parameters<MailTransport['send']>[0]) => ({
  ...mail,
  headers: { 'content-language': language },
})

/**
 * Sends by SMTP.
 *
 * @param url `smtp://` or `smtps://`, with user and password if the server requires them
 * @param deadlineMilliseconds for a mail as a whole: a server that responds byte by byte is never silent for long
 */
export function smtpTransport(url: string, { deadlineMilliseconds = sendingMilliseconds } = {}): MailTransport {
  const open = async () => {
    const { createTransport } = await nodemailer()
    return createTransport({ pool: true, ...connectionOptions(url, timeoutMilliseconds) })
  }
  let opening: ReturnType<typeof open> | undefined
  return {
    async send(mail, signal) {
      opening ??= open()
      const transport = await opening
      const deadline = AbortSignal.timeout(deadlineMilliseconds)
      await transport.sendMail({ ...messageOf(mail), signal: AbortSignal.any([signal, deadline]) }).catch((error: unknown) => {
        if (!deadline.aborted) throw error
        throw new Error(`The mail server has not accepted the mail within ${deadlineMilliseconds / 1_000} s`, { cause: error })
      })
    },
    async close() {
      const transport = await opening
      transport?.close()
    },
  }
}

/** Writes each mail as an `.eml` file that any mail program opens: for development without an SMTP server. */
export function fileTransport(folder: string): MailTransport {
  return {
    async send(mail) {
      const { createTransport } = await nodemailer()
      const { message } = await createTransport({ streamTransport: true, buffer: true }).sendMail(messageOf(mail))
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const file = join(folder, `${mail.messageId.replace(/[^\w]/g, '-')}.eml`)
      // A listing of the folder never shows half a mail.
      await writeFile(`${file}.part`, message as Buffer, { mode: 0o600 })
      await rename(`${file}.part`, file)
    },
    close() {},
  }
}
