import type { Caller } from '../access/caller.ts'
import { holdCaller, requireGranting } from '../access/hold-caller.ts'
import type { UserWithReferences } from '../accounts/queries.ts'
import { roleNotFound } from '../accounts/refusals.ts'
import type { NewUser } from '../accounts/schemas.ts'
import { withinMailLimits } from '../organisations/mail-limits.ts'
import { checkNewPassword, type PasswordChecks } from '../passwords/check-new-password.ts'
import type { LinkRequests } from '../passwords/request-password-link.ts'
import { sendFirstVerificationLink, sendWelcomeLink } from '../passwords/send-links.ts'
import type { Tenant } from '../platform/database/database.ts'
import { namesOf } from '../platform/database/named.ts'
import { refuseUnknownIds } from '../platform/http/problem.ts'
import type { Language } from '../platform/language.ts'
import { findDefaultRole, findRoles, permissionsOf, type Role } from '../roles/queries.ts'
import { knownTeams } from '../teams/known-teams.ts'
import { createUserRecord } from './create-user-record.ts'

export interface UserCreation extends LinkRequests, PasswordChecks {
  trialMaxUsers: number
}

/**
 * Creates a user in the caller's organisation, with the default role when none is named. A user with a password is also mailed a link that
 * verifies the address; one without is mailed a welcome with the link that sets a password, unless the caller opts out.
 *
 * @throws Problem `bad-request` naming an unknown role or team, or what is wrong with the password, `forbidden` when a
 *   role holds a permission that the caller lacks or the trial limit is reached, `conflict` when the e-mail is registered,
 *   `too-many-requests` when too much has been mailed
 */
export async function createUser(
  creation: UserCreation,
  caller: Caller,
  input: NewUser,
  language: Language | undefined,
): Promise<UserWithReferences> {
  const create = () => createMailedUser(creation, caller, input, language)
  const mailsNothing = input.password === undefined && input.sendWelcomeMail === false
  return mailsNothing ? create() : withinMailLimits(creation, caller.organisationId, input.email, create)
}

async function createMailedUser(
  creation: UserCreation,
  caller: Caller,
  input: NewUser,
  language: Language | undefined,
): Promise<UserWithReferences> {
  const { database, trialMaxUsers, passwordHasher } = creation
  const { password } = input
  if (password !== undefined) await checkNewPassword(creation, database.tenant(caller.organisationId), input, password)
  const passwordHash = password === undefined ? null : await passwordHasher.hash(password)
  return database.transaction(caller.organisationId, async (tenant) => {
    // The password has been hashed meanwhile, which takes its time in a queue.
    await holdCaller(tenant, caller)
    const roles = await rolesToAssign(tenant, input.roleIds)
    await requireGranting(tenant, caller, 'users:create', permissionsOf(roles))
    const teamIds = await knownTeams(tenant, input.teamIds ?? [])

    const { email, firstName, lastName, metadata } = input
    const history = () => ({ actor: caller.actor })
    const variants = { roles, teamIds, trialMaxUsers, history }
    const user = await createUserRecord(tenant, { email, firstName, lastName, passwordHash, metadata }, variants)
    if (passwordHash !== null) await sendFirstVerificationLink(tenant, creation, user, language)
    else if (input.sendWelcomeMail !== false) await sendWelcomeLink(tenant, creation, user, language)
    return user
  })
}

async function rolesToAssign(tenant: Tenant, names: readonly string[] = []): Promise<Role[]> {
  if (names.length === 0) {
    const defaultRole = await findDefaultRole(tenant)
    return defaultRole ? [defaultRole] : []
  }
  const roles = await findRoles(tenant, names)
  refuseUnknownIds('roleIds', names, namesOf(roles), roleNotFound)
  return roles
}
