import SMTPConnection from 'nodemailer/lib/smtp-connection/index.js'
import { isLoopbackHost } from '../http/addresses.ts'
import { connectionOptions } from './connection-options.ts'

export const isOfThisMachine = isLoopbackHost

const deadlineMilliseconds = 12_000

/** Connects to a mail server and authenticates, as for a mail, without sending one. Throws the reason of a failure. */
export async function greetMailServer(url: string): Promise<{ encrypted: boolean }> {
  const { auth, ...options } = connectionOptions(url, 8_000)
  const connection = new SMTPConnection(options)
  const tooLate = Promise.withResolvers<never>()
  // The other limits begin anew with each byte that arrives.
  const timer = setTimeout(
    () => tooLate.reject(Object.assign(new Error('It has not responded in time'), { code: 'ETIMEDOUT' })),
    deadlineMilliseconds,
  )
  try {
    const letIn = async () => {
      await new Promise<void>((resolve, reject) => {
        connection.once('error', reject)
        connection.once('end', () => reject(new Error('It ended the connection')))
        connection.connect((error) => (error ? reject(error) : resolve()))
      })
      if (auth) await new Promise<void>((resolve, reject) => connection.login(auth, (error) => (error ? reject(error) : resolve())))
    }
    await Promise.race([letIn(), tooLate.promise])
    return { encrypted: connection.secure }
  } finally {
    clearTimeout(timer)
    connection.on('error', () => {})
    connection.quit()
    connection.close()
  }
}
