import { sql } from 'kysely'
import { secondsAfter } from '../clock.ts'
import type { Keyring } from '../crypto/keyring.ts'
import type { System, Tenant } from '../database/database.ts'
import { newId } from '../ids.ts'
import { reportQueued } from '../queued.ts'
import type { Mail } from './mail.ts'

export const leaseSeconds = 120
export const retryAfterSeconds = [30, 120, 600, 3_600, 3_600, 3_600, 21_600, 43_200, 86_400] as const

/**
 * Queues mails in the caller's transaction: a mail is sent if and only if its change is committed, and neither a crash nor an
 * unavailable mail server loses it.
 */
export interface Outbox {
  queue(tenant: Tenant, ...mails: Mail[]): Promise<void>
}

export function createOutbox(keyring: Keyring): Outbox {
  return {
    async queue(tenant, ...mails) {
      const rows = mails.map(({ to, subject, isAwaited = false, ...content }) => {
        const id = newId('mail', tenant.now)
        reportQueued(id)
        return {
          id,
          recipient: to,
          subject,
          // The links in it are credentials.
          contentEncrypted: keyring.encrypt(JSON.stringify(content), id),
          isAwaited,
          nextAttemptAt: tenant.now,
          createdAt: tenant.now,
        }
      })
      await tenant.insertInto('mails').values(rows).execute()
    },
  }
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
