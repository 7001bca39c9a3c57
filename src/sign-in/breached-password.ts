import { markPasswordBreached } from '../accounts/queries.ts'
import type { Origin } from '../activity/actor.ts'
import { record } from '../activity/record.ts'
import type { MailSender } from '../mails/mail-sender.ts'
import { pageLink } from '../mails/page-link.ts'
import { findLetterhead } from '../organisations/letterhead.ts'
import { passwordPolicyOf } from '../organisations/rules.ts'
import type { BreachedPasswords } from '../passwords/breached-passwords.ts'
import { passwordBreachedMail } from '../passwords/mails.ts'
import type { Database, Tenant } from '../platform/database/database.ts'
import type { Language } from '../platform/language.ts'
import type { Account } from './queries.ts'

export interface BreachedPasswordDependencies extends MailSender {
  database: Database
  breachedPasswords: BreachedPasswords | undefined
}

/**
 * Whether the right password of an account has to be replaced, since it is known from a data breach. A failed look-up counts as no. Do not
 * call it in a transaction: it may take a second.
 */
export async function isToBeReplaced(dependencies: BreachedPasswordDependencies, account: Account, password: string): Promise<boolean> {
  if (!asks(dependencies, account, 'change')) return false
  return account.passwordBreachedAt !== null || (await dependencies.breachedPasswords?.isBreached(password)) === true
}

/** The same for a password that was right in a recent step. */
export const wasToBeReplaced = (dependencies: Pick<BreachedPasswordDependencies, 'breachedPasswords'>, account: Account): boolean =>
  asks(dependencies, account, 'change') && account.passwordBreachedAt !== null

/**
 * Records that an account's password is breached, with its audit entry, once until another one is set.
 *
 * @returns whether this call recorded it
 */
export async function recordBreach(tenant: Tenant, account: Account, origin: Origin): Promise<boolean> {
  if (!(await markPasswordBreached(tenant, account))) return false
  const { id, email, name } = account
  // The service has found it, not the user. A second factor may not have been proven yet.
  await record(tenant, { actorType: 'user', actorId: null, ...origin }, { action: 'user.password_breached', user: { id, email, name } })
  return true
}

/** Whether a user who has just signed in with a breached password is told about it. */
export const isToBeTold = (dependencies: BreachedPasswordDependencies, account: Account): boolean =>
  asks(dependencies, account, 'warn') && account.passwordBreachedAt === null

/** Looks up the right password of an account and, if it is breached, warns its user by mail: once, until another one is set. */
export async function warnIfBreached(
  { database, breachedPasswords, outbox, publicUrl }: BreachedPasswordDependencies,
  account: Account,
  origin: Origin,
  { password, language }: { password: string; language: Language | undefined },
): Promise<void> {
  if (!(await breachedPasswords?.isBreached(password))) return
  await database.transaction(account.organisationId, async (tenant) => {
    if (!(await recordBreach(tenant, account, origin))) return
    const link = pageLink(publicUrl, '/password/forgot', undefined, language)
    await outbox.queue(tenant, passwordBreachedMail(await findLetterhead(tenant), language, account, link))
  })
}

const asks = (
  { breachedPasswords }: Pick<BreachedPasswordDependencies, 'breachedPasswords'>,
  { passwordPolicy }: Account,
  wanted: BreachedPasswords['atSignIn'],
): boolean => breachedPasswords?.atSignIn === wanted && passwordPolicyOf(passwordPolicy).refuseBreached
