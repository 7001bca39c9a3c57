import { updateUser } from '../accounts/queries.ts'
import { deletePendingEnrolments } from '../mfa/delete-pending-enrolments.ts'
import { passwordPolicyOf } from '../organisations/rules.ts'
import type { Tenant } from '../platform/database/database.ts'
import { endPasswordLinks } from './action-links.ts'
import type { PasswordChecks } from './check-new-password.ts'
import { lockPassword, storeFormerPassword } from './queries.ts'
import type { LinkRequests } from './request-password-link.ts'
import { refusesPresent } from './rules.ts'

/** The dependencies of an operation that replaces a password. */
export interface PasswordReplacement extends LinkRequests, PasswordChecks {}

/**
 * Replaces a user's password, and stores the former one for as long as the organisation's policy asks. Every link and token that could set
 * another one stops working, and so does an enrolment that was begun under the former one.
 *
 * @returns whether there was a former one
 */
export async function replacePassword(tenant: Tenant, userId: string, passwordHash: string): Promise<boolean> {
  const current = await lockPassword(tenant, userId)
  const { preventReuse } = passwordPolicyOf(current?.passwordPolicy ?? null)
  await storeFormerPassword(tenant, userId, current?.passwordHash ?? null, preventReuse)
  await updateUser(tenant, userId, { passwordHash, passwordChangedAt: tenant.now, passwordBreachedAt: null })
  await endPasswordLinks(tenant, userId)
  await deletePendingEnrolments(tenant, userId)
  return current?.passwordHash != null
}

/**
 * Takes a user's password away, as {@link replacePassword} does, and without another one in its place. It counts as the present one until
 * there is another: to remove a password is no way to have it again.
 *
 * @returns whether there was one
 */
export async function takeAwayPassword(tenant: Tenant, userId: string): Promise<boolean> {
  const current = await lockPassword(tenant, userId)
  const policy = passwordPolicyOf(current?.passwordPolicy ?? null)
  const keep = refusesPresent(policy) ? policy.preventReuse + 1 : 0
  await storeFormerPassword(tenant, userId, current?.passwordHash ?? null, keep)
  await updateUser(tenant, userId, { passwordHash: null, passwordChangedAt: null, passwordBreachedAt: null })
  await endPasswordLinks(tenant, userId)
  await deletePendingEnrolments(tenant, userId)
  return current?.passwordHash != null
}
