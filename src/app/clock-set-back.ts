import { bringLogoutsForward } from '../backchannel-logout/claim.ts'
import { ranInFuture, type Task } from '../platform/jobs/tasks.ts'
import { bringMailsForward } from '../platform/mail/outbox.ts'
import { bringDeliveriesForward } from '../webhooks/delivery/claim.ts'

const name = 'notice-clock-set-back'

/** Makes mails and deliveries due that were queued before the clock was set back: they would wait until it reaches that time again. */
export const noticeClockSetBack = (webhookLeaseSeconds: number): Task => ({
  name,
  everySeconds: 10,
  async run(database) {
    const system = database.system()
    if (!(await ranInFuture(system, name))) return false
    await bringMailsForward(system)
    await bringDeliveriesForward(system, webhookLeaseSeconds)
    await bringLogoutsForward(system, webhookLeaseSeconds)
    return false
  },
})
