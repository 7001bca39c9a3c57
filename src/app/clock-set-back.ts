import { bringLogoutsForward } from '../backchannel-logout/claim.ts'
import { bringDocumentsForward } from '../connections/federation/queries.ts'
import { bringDomainChecksForward } from '../domains/queries.ts'
import type { System } from '../platform/database/database.ts'
import { forEachRow, type Rows } from '../platform/jobs/for-each-row.ts'
import { ranInFuture, type Task } from '../platform/jobs/tasks.ts'
import { bringMailsForward } from '../platform/mail/outbox.ts'
import { bringDeliveriesForward } from '../webhooks/delivery/claim.ts'

const name = 'notice-clock-set-back'

/**
 * Makes mails and deliveries due that were queued before the clock was set back, and checks that were made by then: they would wait until it
 * reaches that time again. A part that fails holds no other one up, and all are made again.
 */
export const noticeClockSetBack = (webhookLeaseSeconds: number): Task => ({
  name,
  everySeconds: 10,
  async run(database) {
    const system = database.system()
    if (!(await ranInFuture(system, name))) return false
    const parts = Object.entries<(system: System) => Promise<void>>({
      mails: bringMailsForward,
      webhooks: (system) => bringDeliveriesForward(system, webhookLeaseSeconds),
      logouts: (system) => bringLogoutsForward(system, webhookLeaseSeconds),
      domains: bringDomainChecksForward,
      documents: bringDocumentsForward,
    })
    const rows: Rows<(typeof parts)[number]> = {
      next: async (after) => (after ? [] : parts),
      failure: ([part]) => `the ${part} could not be brought forward`,
    }
    return forEachRow(rows, ([, bring]) => bring(system))
  },
})
