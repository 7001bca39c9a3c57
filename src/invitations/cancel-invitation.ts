import type { Caller } from '../access/caller.ts'
import { transactionOf } from '../access/hold-caller.ts'
import { record } from '../activity/record.ts'
import type { Database } from '../platform/database/database.ts'
import { deleteInvitation, invitationVersion, lockInvitation, presentInvitation } from './queries.ts'
import { invitationNotFound, onlyPendingCancelled } from './refusals.ts'

/**
 * Cancels a pending invitation: its record is removed, and its link stops working.
 *
 * @throws Problem `not-found`, `precondition-failed`, or `bad-request` when it is not pending
 */
export async function cancelInvitation(
  database: Database,
  caller: Caller,
  id: string,
  ifMatch: string | undefined,
  reason: string | undefined,
): Promise<void> {
  await transactionOf(database, caller, 'invitations:delete', async (tenant) => {
    const invitation = await lockInvitation(tenant, id)
    if (!invitation) throw invitationNotFound()
    invitationVersion.check(presentInvitation(invitation), ifMatch)
    if (invitation.status !== 'pending') throw onlyPendingCancelled()
    await deleteInvitation(tenant, id)
    const { email } = invitation
    await record(tenant, caller.actor, {
      action: 'invitation.cancelled',
      invitation: presentInvitation(invitation),
      metadata: { email, ...(reason && { reason }) },
    })
  })
}
