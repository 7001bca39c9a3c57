import { sql } from 'kysely'
import { counted } from '../platform/text.ts'
import { type Check, duration, type Finding, failure, ok, reasonOf, warning } from './check.ts'

const server: Check = {
  name: 'mail-server',
  group: 'mail',
  title: 'The mail server lets the service in, encrypted',
  seconds: 15,
  async run({ config: { production, smtpUrl } }): Promise<Finding> {
    if (!smtpUrl) {
      if (!production) return ok('No mail server is set: development writes mails to files in DATA_DIR/mail')
      return warning('No mail server is set: mails are written to files in DATA_DIR/mail', {
        why: 'No user gets a link to a new password, an invitation or a code',
        remedy: 'SMTP_URL=smtp://user:password@host:587 and MAIL_FROM=Name <address@your.domain>',
      })
    }
    const { greetMailServer, isOfThisMachine } = await import('../platform/mail/greet-server.ts')
    const { host, port } = { host: new URL(smtpUrl).hostname, port: new URL(smtpUrl).port }
    try {
      const { encrypted } = await greetMailServer(smtpUrl)
      if (encrypted) return ok('The server offers TLS and accepts the service')
      if (isOfThisMachine(host)) return ok('The server on this machine accepts the service, without TLS')
      return warning('The server accepts the service without TLS', {
        why: 'Mails hold links that sign a user in, and any server on the way can read them',
        remedy: `SMTP_URL=smtp://…@${host}${port && `:${port}`}?starttls=required, or smtps:// for a port that begins with TLS (465)`,
      })
    } catch (error) {
      return failure(`It does not let the service in: ${reasonOf(error)}`, {
        why: 'Mails wait, are tried again for two days, and are given up then',
        remedy: remedyFor(error, host),
      })
    }
  },
}

/** The remedy for a failed connection. A TLS error of Node has no code that survives the mail library. */
function remedyFor(error: unknown, host: string): string {
  const { code, message = '' } = error as { code?: string; message?: string }
  if (/certificate/i.test(message))
    return `Give the mail server a certificate that names ${host} and has not expired; if an authority of your own issued it, start the service with NODE_EXTRA_CA_CERTS=<file of that authority>`
  if (code === 'EAUTH') return 'Correct user and password in SMTP_URL, with % and its code for each character that a URL does not take'
  if (code === 'ETLS') return 'Have the mail server offer STARTTLS, or use its port that begins with TLS: SMTP_URL=smtps://…:465'
  return 'Correct SMTP_URL: host and port; smtps:// for a port that begins with TLS (465), smtp:// for any other'
}

const waiting: Check = {
  name: 'mails-waiting',
  group: 'mail',
  title: 'No mail waits for long',
  needsSchema: true,
  async run({ database, thresholds: { mailWarningSeconds, mailFailureSeconds } }) {
    const system = database.system()
    const { rows } = await sql<{ total: number; seconds: number | null; lastError: string | null }>`
      select count(*) as total, extract(epoch from ${system.now}::timestamptz - min(created_at))::float8 as seconds,
        (select last_error from mails where next_attempt_at is not null and last_error is not null order by next_attempt_at limit 1) as last_error
      from mails where next_attempt_at is not null`.execute(system)
    const { total, seconds, lastError } = rows[0] as (typeof rows)[number]
    if (seconds === null) return ok('No mail waits')
    const seen = `${counted(total, 'mail waits', 'mails wait')}, the oldest for ${duration(seconds)}${lastError ? `; the last error was: ${lastError}` : ''}`
    if (seconds < mailWarningSeconds) return ok(seen)
    return (seconds < mailFailureSeconds ? warning : failure)(seen, {
      why: 'Users wait for links and codes, which may have expired when they arrive; after two days a mail is given up',
      remedy: lastError
        ? 'Mend what the error says at SMTP_URL; the mails are then sent by themselves'
        : 'Let a process with the workers run (`gatehouse serve`); look for "mail" in its log',
    })
  },
}

export const mailChecks: readonly Check[] = [server, waiting]
