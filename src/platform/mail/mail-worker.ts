import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { secondsAfter } from '../clock.ts'
import type { Keyring } from '../crypto/keyring.ts'
import type { Database, System } from '../database/database.ts'
import { plannedEachTime } from '../database/planned-each-time.ts'
import { startWorker, type Worker } from '../jobs/worker.ts'
import { fallbackLanguage } from '../language.ts'
import { storableText } from '../text.ts'
import type { Mail, MailTransport } from './mail.ts'
import { leaseSeconds, retryAfterSeconds } from './outbox.ts'

/** How many mails a process sends at a time. */
const slots = 10
/** How many of them an organisation gets in its turn. */
const perTurn = 2
/** How long a stop waits for mails in flight. */
const stopGraceMilliseconds = 3_000
/** After the first failure to note that a mail was sent; each further pause is twice as long, up to the longest. */
const notingPauseMilliseconds = 500
const notingPauseMillisecondsMax = 8_000
/** After this long, it is noted no more: the lease is about to end. */
const notingMilliseconds = (leaseSeconds - 10) * 1_000

export interface MailDelivery {
  database: Database
  keyring: Keyring
  transport: MailTransport
  from: string
  pollMilliseconds: number
  onFailure: (error: unknown, mailId: string) => void
  /** Is told when the outbox cannot be read, or written for a mail. */
  onError: (error: unknown, mailId?: string) => void
}

/**
 * Sends the due mails. A mail that fails is retried with growing delays for two days. The organisations that have some take turns: however
 * many mails one of them has queued, those of the others wait for a few of them.
 */
export function startMailWorker(delivery: MailDelivery): Worker {
  const inFlight = new Map<string, Promise<void>>()
  const stopping = new AbortController()
  /** The organisation that had its turn last. */
  let after = ''
  /** Whether a claim found no free slot for mails that may be due. */
  let isShort = false
  const worker = startWorker(claimAndStart, delivery)

  /** @returns whether more may be claimed at once */
  async function claimAndStart(): Promise<boolean> {
    const free = slots - inFlight.size
    isShort = free === 0
    if (isShort) return false
    const claimed = await claimDueMails(delivery.database.system(), { after, limit: free })
    // A clock that is set forward ends leases early, and a mail in flight must not be sent twice.
    for (const mail of claimed) if (!inFlight.has(mail.id)) start(mail)
    isShort = claimed.length === free
    const isWhole = after === '' && claimed.length === 0
    after = isShort
      ? (claimed
          .map(({ organisationId }) => organisationId)
          .sort()
          .at(-1) ?? '')
      : ''
    return !isShort && !isWhole
  }

  function start(mail: ClaimedMail): void {
    const sending = sendMail(delivery, mail, { claimedAt: performance.now(), signal: stopping.signal })
      .catch((error) => delivery.onError(error, mail.id))
      .finally(() => {
        inFlight.delete(mail.id)
        if (isShort) worker.wake()
      })
    inFlight.set(mail.id, sending)
  }

  return {
    wake: worker.wake,
    async finish() {
      do {
        await Promise.all(inFlight.values())
        await worker.finish()
      } while (inFlight.size > 0)
    },
    async stop() {
      await worker.stop()
      const grace = setTimeout(() => stopping.abort(), stopGraceMilliseconds)
      await Promise.all(inFlight.values())
      clearTimeout(grace)
    },
  }
}

/** The content of a mail. Early releases stored it without a language. */
type StoredContent = Pick<Mail, 'text' | 'html'> & Partial<Pick<Mail, 'language'>>

interface Claim {
  /** When it was made, by `performance.now()`. */
  claimedAt: number
  /** Aborts when the process stops. */
  signal: AbortSignal
}

interface ClaimedMail {
  organisationId: string
  id: string
  recipient: string
  subject: string
  contentEncrypted: string | null
  attemptCount: number
}

async function sendMail(delivery: MailDelivery, mail: ClaimedMail, claim: Claim): Promise<void> {
  const { signal } = claim
  const { database, keyring, transport, from, onFailure } = delivery
  try {
    const content = JSON.parse(keyring.decrypt(mail.contentEncrypted ?? '', mail.id)) as StoredContent
    const messageId = `<${mail.id}@${from.split('@').at(-1)?.replace('>', '') ?? 'gatehouse'}>`
    await transport.send({ language: fallbackLanguage, ...content, to: mail.recipient, subject: mail.subject, from, messageId }, signal)
  } catch (error) {
    if (signal.aborted) return releaseMail(database.system(), mail)
    onFailure(error, mail.id)
    return markFailed(database.system(), mail, error)
  }
  await noteSent(database, mail, claim)
}

/** Notes that a mail was sent, again where the database fails: otherwise it would be sent twice, or count as failed. */
async function noteSent(database: Database, mail: ClaimedMail, { claimedAt, signal }: Claim): Promise<void> {
  for (let milliseconds = notingPauseMilliseconds; ; milliseconds = Math.min(milliseconds * 2, notingPauseMillisecondsMax)) {
    try {
      return await markSent(database.system(), mail)
    } catch (error) {
      if (signal.aborted || performance.now() + milliseconds - claimedAt > notingMilliseconds) throw error
      // A stop does not wait for the whole pause.
      await pause(milliseconds, undefined, { signal }).catch(() => {})
    }
  }
}

/**
 * Claims mails for the length of a lease, which releases them if the process crashes. The walk goes along the index from organisation to
 * organisation and takes a few of each, so that a long queue costs the others one step.
 *
 * @param turn the organisation after which the walk begins, and how many mails it takes
 */
async function claimDueMails(system: System, { after, limit }: { after: string; limit: number }): Promise<ClaimedMail[]> {
  const { now } = system
  const { rows } = await sql<ClaimedMail>`${sql.raw(plannedEachTime)}
    with recursive walk as (
      (select organisation_id from mails where next_attempt_at is not null and organisation_id > ${after}
       order by organisation_id limit 1)
      union all
      select step.organisation_id from walk cross join lateral (
        select organisation_id from mails where next_attempt_at is not null and organisation_id > walk.organisation_id
        order by organisation_id limit 1) step),
    due as (
      select taken.organisation_id, taken.id from walk cross join lateral (
        select organisation_id, id from mails
        where organisation_id = walk.organisation_id and next_attempt_at <= ${now} and (claimed_until is null or claimed_until <= ${now})
        order by is_awaited desc, next_attempt_at limit ${perTurn} for update skip locked) taken
      limit ${limit})
    update mails set claimed_until = ${secondsAfter(now, leaseSeconds)}, attempt_count = attempt_count + 1
    from due where mails.organisation_id = due.organisation_id and mails.id = due.id
    returning mails.organisation_id, mails.id, recipient, subject, content_encrypted, attempt_count`.execute(system)
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

/** Ends the claim of a mail that a stop has interrupted, as if it had not been tried: another process sends it at once. */
async function releaseMail(system: System, mail: ClaimedMail): Promise<void> {
  await system
    .updateTable('mails')
    .set({ claimedUntil: null, attemptCount: mail.attemptCount - 1 })
    .where('organisationId', '=', mail.organisationId)
    .where('id', '=', mail.id)
    .execute()
}
