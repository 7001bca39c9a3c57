import { sql } from 'kysely'
import { secondsAfter } from '../clock.ts'
import type { Keyring } from '../crypto/keyring.ts'
import type { Database, System, Tenant } from '../database/database.ts'
import { newId } from '../ids.ts'
import { fallbackLanguage } from '../language.ts'
import { reportQueued } from '../queued.ts'
import { storableText } from '../text.ts'
import type { Mail, MailTransport } from './mail.ts'

const leaseSeconds = 120
const retryAfterSeconds = [30, 120, 600, 3_600, 3_600, 3_600, 21_600, 43_200, 86_400] as const
const batch = 10

/**
 * Queues mails in the caller's transaction: a mail is sent if and only if its change is committed, and neither a crash nor an
 * unavailable mail server loses it.
 */
export interface Outbox {
  queue(tenant: Tenant, mail: Mail): Promise<void>
}

export function createOutbox(keyring: Keyring): Outbox {
  return {
    async queue(tenant, { to, subject, ...content }) {
      const id = newId('mail', tenant.now)
      reportQueued(id)
      await tenant
        .insertInto('mails')
        .values({
          id,
          recipient: to,
          subject,
          // The links in it are credentials.
          contentEncrypted: keyring.encrypt(JSON.stringify(content), id),
          nextAttemptAt: tenant.now,
          createdAt: tenant.now,
        })
        .execute()
    },
  }
}

export interface MailDelivery {
  database: Database
  keyring: Keyring
  transport: MailTransport
  from: string
  onFailure: (error: unknown, mailId: string) => void
}

/**
 * Sends the due mails, a few at a time. A mail that fails is retried with growing delays for two days.
 *
 * @returns whether more mails may be due now
 */
export async function sendDueMails(delivery: MailDelivery): Promise<boolean> {
  const claimed = await claimDueMails(delivery.database.system())
  await Promise.all(claimed.map((mail) => sendMail(delivery, mail)))
  return claimed.length === batch
}

/** The content of a mail. Early releases stored it without a language. */
type StoredContent = Pick<Mail, 'text' | 'html'> & Partial<Pick<Mail, 'language'>>

type ClaimedMail = Awaited<ReturnType<typeof claimDueMails>>[number]

async function sendMail({ database, keyring, transport, from, onFailure }: MailDelivery, mail: ClaimedMail): Promise<void> {
  try {
    const content = JSON.parse(keyring.decrypt(mail.contentEncrypted ?? '', mail.id)) as StoredContent
    const messageId = `<${mail.id}@${from.split('@').at(-1)?.replace('>', '') ?? 'gatehouse'}>`
    await transport.send({ language: fallbackLanguage, ...content, to: mail.recipient, subject: mail.subject, from, messageId })
    await markSent(database.system(), mail)
  } catch (error) {
    onFailure(error, mail.id)
    await markFailed(database.system(), mail, error)
  }
}

/** Claims mails for the length of a lease, which releases them if the process crashes. */
async function claimDueMails(system: System) {
  const { rows } = await sql<{
    organisationId: string
    id: string
    recipient: string
    subject: string
    contentEncrypted: string | null
    attemptCount: number
  }>`
    update mails set claimed_until = ${secondsAfter(system.now, leaseSeconds)}, attempt_count = attempt_count + 1
    where (organisation_id, id) in (
      select organisation_id, id from mails
      where next_attempt_at <= ${system.now} and (claimed_until is null or claimed_until <= ${system.now})
      order by next_attempt_at limit ${batch} for update skip locked)
    returning organisation_id, id, recipient, subject, content_encrypted, attempt_count`.execute(system)
  return rows
}

async function markSent(system: System, mail: ClaimedMail): Promise<void> {
  await system
    .updateTable('mails')
    .set({ sentAt: system.now, nextAttemptAt: null, claimedUntil: null, contentEncrypted: null, lastError: null })
    .where('organisationId', '=', mail.organisationId)
    .where('id', '=', mail.id)
    .execute()
}

async function markFailed(system: System, mail: ClaimedMail, error: unknown): Promise<void> {
  const wait = retryAfterSeconds[mail.attemptCount - 1]
  await system
    .updateTable('mails')
    .set({
      nextAttemptAt: wait === undefined ? null : secondsAfter(system.now, wait),
      claimedUntil: null,
      ...(wait === undefined && { contentEncrypted: null }),
      lastError: storableText(error instanceof Error ? error.message : String(error), 255),
    })
    .where('organisationId', '=', mail.organisationId)
    .where('id', '=', mail.id)
    .execute()
}

/**
 * Brings forward the mails whose times were stored before the clock was set back: no mail waits longer than the longest retry delay, and
 * no lease is longer than a new one.
 */
export async function bringMailsForward(system: System): Promise<void> {
  const { now } = system
  const waits = [0, ...retryAfterSeconds]
  const leaseMax = secondsAfter(now, leaseSeconds)
  await sql`
    update mails set
      next_attempt_at = least(next_attempt_at, ${now}::timestamptz + make_interval(secs => (${waits}::integer[])[attempt_count + 1])),
      claimed_until = case when claimed_until > ${leaseMax} then ${leaseMax} else claimed_until end
    where next_attempt_at is not null and (next_attempt_at > ${now} or claimed_until > ${leaseMax})`.execute(system)
}

/**
 * Removes the mails of an organisation to an address, sent or not.
 *
 * @param until when it became another person's; null for one that has not
 */
export async function deleteMailsTo(system: System, organisationId: string, recipient: string, until: Date | null): Promise<void> {
  await system
    .deleteFrom('mails')
    .where('organisationId', '=', organisationId)
    .where('recipient', '=', recipient)
    .$if(until !== null, (mails) => mails.where('createdAt', '<=', until as Date))
    .execute()
}
