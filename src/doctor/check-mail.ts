import { sql } from 'kysely'
import { type Check, failure, ok, reasonOf, warning } from './check.ts'

const server: Check = {
  name: 'mail-server',
  group: 'mail',
  title: 'The mail server lets the service in, encrypted',
  seconds: 15,
  async run({ config: { production, smtpUrl } }) {
    if (!smtpUrl) return production ? warning('mail-server-not-set') : ok('mails-to-files')
    const { greetMailServer, isOfThisMachine } = await import('../platform/mail/greet-server.ts')
    const { hostname, host: server } = new URL(smtpUrl)
    try {
      const { encrypted } = await greetMailServer(smtpUrl)
      if (encrypted) return ok('mail-server-encrypted')
      return isOfThisMachine(hostname) ? ok('mail-server-of-this-machine') : warning('mail-server-unencrypted', { server })
    } catch (error) {
      return whyRefused(error, hostname)
    }
  },
}

/** A failed connection. A TLS error of Node has no code that survives the mail library. */
function whyRefused(error: unknown, host: string) {
  const reason = reasonOf(error)
  const { code, message = '' } = error as { code?: string; message?: string }
  if (/certificate/i.test(message)) return failure('mail-server-certificate-refused', { reason, host })
  if (code === 'EAUTH') return failure('mail-server-refuses-user', { reason })
  return failure(code === 'ETLS' ? 'mail-server-without-tls' : 'mail-server-does-not-answer', { reason })
}

const waiting: Check = {
  name: 'mails-waiting',
  group: 'mail',
  title: 'No mail waits for long',
  needsSchema: true,
  async run({ database, thresholds: { mailWarningSeconds, mailFailureSeconds } }) {
    const system = database.system()
    const { rows } = await sql<{ mails: number; seconds: number | null; lastError: string | null }>`
      select count(*) as mails, extract(epoch from ${system.now}::timestamptz - min(created_at))::float8 as seconds,
        (select last_error from mails where next_attempt_at is not null and last_error is not null order by next_attempt_at limit 1) as last_error
      from mails where next_attempt_at is not null`.execute(system)
    const { seconds, ...mails } = rows[0] as (typeof rows)[number]
    if (seconds === null) return ok('no-mail-waits')
    const values = { ...mails, oldestSeconds: seconds }
    if (seconds < mailWarningSeconds) return ok('mails-wait', values)
    return (seconds < mailFailureSeconds ? warning : failure)('mails-late', values)
  },
}

export const mailChecks: readonly Check[] = [server, waiting]
