import type { UserWithReferences } from '../accounts/queries.ts'
import type { Origin } from '../activity/actor.ts'
import { findInitiation } from '../clients/initiate-login.ts'
import { findSsoRequirement, type SsoDependencies, type SsoRequirement } from '../domains/sso-requirement.ts'
import { checkNewPassword, type PasswordChecks } from '../passwords/check-new-password.ts'
import { hashSecret } from '../platform/crypto/secrets.ts'
import type { Database, Tenant } from '../platform/database/database.ts'
import { mayGrant, type Role } from '../roles/queries.ts'
import { findTeams } from '../teams/queries.ts'
import { createUserRecord } from '../users/create-user-record.ts'
import { claimInvitation, findOpenInvitation, getInvitation, presentInvitation } from './queries.ts'
import { invalidInvitation, organisationSuspended } from './refusals.ts'
import type { Acceptance } from './schemas.ts'
import { roleToGive } from './send-invitation.ts'

export interface Accepting extends PasswordChecks, SsoDependencies {
  database: Database
  trialMaxUsers: number
  /** Passed to applications as `iss`. */
  publicUrl: string
}

/** The details that the holder of the link sees before accepting. */
export interface OpenInvitation {
  id: string
  organisationId: string
  organisationName: string
  email: string
  roleId: string | null
  clientId: string | null
  invitedById: string
  /** The API key by which the user has invited. */
  invitedByKeyId: string | null
  teamIds: string[]
  /** Whether the inviter has seen the link, too. */
  linkReturned: boolean
  expiresAt: Date
}

/**
 * The invitation that a token opens.
 *
 * @throws Problem `bad-request` when it is unknown, used, replaced, cancelled or expired, `forbidden` when the
 *   organisation is suspended
 */
export async function getOpenInvitation(database: Database, token: string): Promise<OpenInvitation> {
  const invitation = await findOpenInvitation(database, hashSecret(token))
  if (!invitation) throw invalidInvitation()
  if (invitation.organisationStatus === 'suspended') throw organisationSuspended()
  return invitation
}

/** The requirement that the domain of the invited address sets for users of the organisation. */
export async function findRequirementOf(
  dependencies: SsoDependencies,
  { email, organisationId }: Pick<OpenInvitation, 'email' | 'organisationId'>,
): Promise<SsoRequirement | undefined> {
  const requirement = await findSsoRequirement(dependencies, email)
  // The new user is neither the owner nor one of those who may bypass the requirement.
  return requirement?.binds({ organisationId, id: '', ownerId: null, mfaEnabled: false }) ? requirement : undefined
}

/**
 * Creates the user of an invitation, with its role and those of its teams that still exist. If the role has been deleted, the user gets
 * the default role, provided that the inviter may grant it now. The address counts as verified if only the mail contained the link.
 *
 * @throws Problem as {@link getOpenInvitation}, `bad-request` with what is wrong with the password, `forbidden` when the domain of the
 *   address requires single sign-on or the trial limit is reached, `conflict` when the address has been registered since; the invitation
 *   then stays open
 */
export async function acceptInvitation(
  { trialMaxUsers, requiredSso, ...checks }: Accepting,
  origin: Origin,
  { token, firstName, lastName, password }: Acceptance,
): Promise<{ user: { id: string; email: string; name: string }; continueTo?: string | null }> {
  const { database, publicUrl } = checks
  const invitation = await getOpenInvitation(database, token)
  const { organisationId, email, clientId, linkReturned } = invitation
  const requirement = await findRequirementOf({ database, publicUrl, requiredSso }, { email, organisationId })
  if (requirement) throw requirement.refusal()
  await checkNewPassword(checks, database.tenant(organisationId), { email, firstName, lastName }, password)
  const passwordHash = await checks.passwordHasher.hash(password)
  const accepted = await database.transaction(organisationId, async (tenant) => {
    const person = { firstName, lastName, passwordHash }
    const user = await acceptFor(tenant, invitation, person, {
      claim: { tokenHash: hashSecret(token) },
      isAddressProven: !linkReturned,
      trialMaxUsers,
      origin,
    })
    if (!user) throw invalidInvitation()
    return { id: user.id, email, name: user.name }
  })
  if (clientId === null) return { user: accepted }
  const continueTo = await findInitiation(database, publicUrl, { organisationId, clientId, email })
  return { user: accepted, continueTo: continueTo ?? null }
}

/**
 * Creates the user of an invitation in the caller's transaction.
 *
 * @returns undefined when the invitation can no longer be accepted
 * @throws Problem `forbidden` when the trial limit is reached, `conflict` when the address has been registered since
 */
export async function acceptFor(
  tenant: Tenant,
  { id, email, teamIds, ...given }: Pick<OpenInvitation, 'id' | 'email' | 'roleId' | 'invitedById' | 'invitedByKeyId' | 'teamIds'>,
  person: { firstName: string; lastName: string; phone?: string; passwordHash: string | null },
  {
    claim,
    isAddressProven,
    trialMaxUsers,
    origin,
  }: { claim: Parameters<typeof claimInvitation>[1]; isAddressProven: boolean; trialMaxUsers: number; origin: Origin },
): Promise<UserWithReferences | undefined> {
  // Lock the role and the teams before the invitation: deleting one of them locks in this order, too.
  const role = await grantedRole(tenant, given)
  const teams = await findTeams(tenant, teamIds)
  if (!(await claimInvitation(tenant, claim))) return undefined
  const invitation = presentInvitation(await getInvitation(tenant, id))
  return createUserRecord(
    tenant,
    { email, ...person, ...(isAddressProven && { emailVerifiedAt: tenant.now }) },
    {
      roles: role ? [role] : [],
      teamIds: teams.map((team) => team.id),
      trialMaxUsers,
      history: ({ id: userId, name }) => ({
        actor: { actorType: 'user', actorId: userId, email, name, ...origin },
        partOf: { action: 'invitation.accepted', invitation, metadata: { email, userId } },
      }),
    },
  )
}

/** The role of an invitation. The default role that replaces a deleted one was not chosen, so the inviter must be allowed to assign it. */
async function grantedRole(
  tenant: Tenant,
  { roleId, invitedById, invitedByKeyId }: Pick<OpenInvitation, 'roleId' | 'invitedById' | 'invitedByKeyId'>,
): Promise<Role | undefined> {
  const role = await roleToGive(tenant, roleId)
  if (role === undefined || role.id === roleId) return role
  return (await mayGrant(tenant, { userId: invitedById, keyId: invitedByKeyId }, role)) ? role : undefined
}
