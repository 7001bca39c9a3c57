import { holdOrganisation } from '../access/hold-caller.ts'
import { afterBlock } from '../accounts/deactivation.ts'
import { presentUser } from '../accounts/present-user.ts'
import { getUser, lockUserWithReferences, type UserWithReferences, updateUser } from '../accounts/queries.ts'
import type { Actor } from '../activity/actor.ts'
import { changesBetween } from '../activity/changes.ts'
import { record } from '../activity/record.ts'
import { takeAwayAccess } from '../connections/federation/take-away-access.ts'
import { deleteEmailCodes } from '../email-codes/codes.ts'
import { letterheadOf } from '../organisations/letterhead.ts'
import { getOwnOrganisation } from '../organisations/queries.ts'
import type { LinkRequests } from '../passwords/request-password-link.ts'
import { makePasswordLink } from '../passwords/send-links.ts'
import type { Tenant } from '../platform/database/database.ts'
import type { Language } from '../platform/language.ts'
import { forgetFailures, liftRefusals } from '../users/unlock-user.ts'
import { recoveryMail } from './mails.ts'
import { passwordLinkWouldNotWork, userNotFound } from './refusals.ts'
import type { Recovery, RecoveryRequest } from './user-schemas.ts'

/**
 * Restores the access of a user whom no administrator of the organisation can help, such as its owner. Removing second factors and mailing
 * a link remove every credential by which another person could act as the user. Each step writes its usual audit entry, the recovery as a
 * whole writes one more, and the user gets a mail that lists the steps that have helped.
 *
 * @param handsOver whether the operator hands the link over, in place of a mail
 * @returns the steps that had an effect, the link if it is handed over, and the block that the user has after all
 * @throws Problem `not-found`; `conflict` when the organisation is cancelled, or when a password link would not work
 */
export async function recoverUser(
  recovering: LinkRequests,
  actor: Actor,
  { organisationId, userId }: { organisationId: string; userId: string },
  { reason, ...asked }: RecoveryRequest,
  language: Language | undefined,
  { handsOver = false } = {},
): Promise<{ done: Recovery[]; link: string | undefined } & Block> {
  const { database, limits, outbox } = recovering
  const { user, done, handedOver } = await database.transaction(organisationId, async (tenant) => {
    const before = await lockUserWithReferences(tenant, userId)
    await holdOrganisation(tenant)
    const organisation = await getOwnOrganisation(tenant)
    if (!before) throw userNotFound()
    const left = asked.unblock ? ((await afterBlock(tenant, before)) ?? notBlocked) : before
    const staysBlocked = left.blockedAt !== null
    if (asked.passwordLink && (staysBlocked || organisation.status === 'suspended')) throw passwordLinkWouldNotWork()

    const done: Recovery[] = []
    const removesFactors = asked.removeSecondFactors === true && before.mfaEnabled
    // A previous holder of the account may have left any of these behind.
    if (removesFactors || asked.passwordLink) await takeAwayAccess(tenant, actor, before, 'user.recovered')
    if (removesFactors) {
      await record(tenant, actor, { action: 'mfa.disabled', user: presentUser(await getUser(tenant, userId)) })
      done.push('removeSecondFactors')
    }
    if (asked.unlock && (await liftRefusals(tenant, actor, before))) done.push('unlock')
    if (asked.unblock && (await unblock(tenant, actor, before, left))) done.push('unblock')
    const link = asked.passwordLink ? await makePasswordLink(tenant, recovering, userId, language) : undefined
    const user = await getUser(tenant, userId)
    if (link) {
      done.push('passwordLink')
      await record(tenant, actor, { action: 'auth.password_reset_requested', user: presentUser(user) })
    }
    if (done.length > 0) {
      await record(tenant, actor, { action: 'user.recovered', user: presentUser(user), metadata: { done, ...(reason && { reason }) } })
    }
    const told = user.blockedAt === null ? done : done.filter((step) => step !== 'unblock')
    if (told.length > 0)
      await outbox.queue(tenant, recoveryMail(letterheadOf(organisation), language, user, told, handsOver ? undefined : link))
    return { user, done, handedOver: handsOver ? link : undefined }
  })
  if (asked.unlock) await forgetFailures(limits, user)
  return { done, link: handedOver, blockedAt: user.blockedAt, blockedReason: user.blockedReason }
}

type Block = Pick<UserWithReferences, 'blockedAt' | 'blockedReason'>

const notBlocked: Block = { blockedAt: null, blockedReason: null }

async function unblock(tenant: Tenant, actor: Actor, user: UserWithReferences, { blockedAt, blockedReason }: Block): Promise<boolean> {
  if (user.blockedAt === null) return false
  const before = presentUser(await getUser(tenant, user.id))
  await updateUser(tenant, user.id, { blockedAt, blockedReason })
  await deleteEmailCodes(tenant, user.id)
  const after = presentUser(await getUser(tenant, user.id))
  await record(tenant, actor, { action: 'user.updated', user: after, changes: changesBetween(before, after) })
  return true
}
