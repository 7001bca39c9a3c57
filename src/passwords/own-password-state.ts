import { sql } from 'kysely'
import type { UserCaller } from '../access/caller.ts'
import { findSsoRequirement, type SsoDependencies } from '../domains/sso-requirement.ts'
import { type StoredPolicy, signInPolicyOf } from '../organisations/rules.ts'

/**
 * What signed-in users can do about their password: change the one that is `set`, have a link mailed that sets a first one (`settable`), or
 * nothing (`unusable`), since the organisation would not let it sign them in.
 */
export type PasswordState = 'set' | 'settable' | 'unusable'

export async function findOwnPasswordState(dependencies: SsoDependencies, caller: UserCaller): Promise<PasswordState> {
  const { organisationId, email, session } = caller
  const id = session.userId
  const { rows } = await sql<{ hasPassword: boolean; mfaEnabled: boolean; ownerId: string | null; signInPolicy: StoredPolicy }>`
    select u.password_hash is not null as has_password, u.mfa_enabled, o.owner_id, o.sign_in_policy
    from users u join organisations o on o.id = u.organisation_id where u.id = ${id}`.execute(dependencies.database.tenant(organisationId))
  const [user] = rows
  if (!user || user.hasPassword) return 'set'
  // The owner's password always signs in.
  if (signInPolicyOf(user.signInPolicy).password !== 'allowed' && user.ownerId !== id) return 'unusable'
  const requirement = await findSsoRequirement(dependencies, email)
  return requirement?.binds({ id, organisationId, ...user }) ? 'unusable' : 'settable'
}
