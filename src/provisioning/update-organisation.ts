import type { Caller } from '../access/caller.ts'
import { holdCallerWith, lockUserOfCaller } from '../access/hold-caller.ts'
import { organisationSuspended } from '../access/refusals.ts'
import { type Changed, changedFields, changesBetween } from '../activity/changes.ts'
import { record } from '../activity/record.ts'
import { mayBeEnrolled, type OfferedFactors } from '../mfa/factors/may-be-enrolled.ts'
import { findLogoHash, isLogoAddress } from '../organisations/logo.ts'
import { type Organisation, organisationVersion, presentOrganisation } from '../organisations/present-organisation.ts'
import { hasWorkingConnection, lockOwnOrganisation, updateOwnOrganisation } from '../organisations/queries.ts'
import {
  emailCodesAlone,
  logoNotStored,
  noMfaMethodLeft,
  noMfaMethodPossible,
  noWayToSignIn,
  organisationNotFound,
  pictureNotHttps,
} from '../organisations/refusals.ts'
import { documentPolicyOf, firstFactorsOf, isPictureAddress, signInPolicyOf } from '../organisations/rules.ts'
import type { OrganisationChanges } from '../organisations/schemas.ts'
import type { Database, Tenant } from '../platform/database/database.ts'
import { channels, notify } from '../platform/database/locks-and-channels.ts'
import { revokeEnrollingSessions } from '../sessions/revoke-sessions.ts'

export interface OrganisationSettings extends OfferedFactors {
  database: Database
  publicUrl: string
  /** Whether pictures may come from loopback addresses, in development. */
  allowLoopbackPictures: boolean
}

/**
 * Changes the settings of the caller's organisation; a field that is not sent stays unchanged.
 *
 * @throws Problem `conflict` when the name or the e-mail is taken, `bad-request` when MFA would be required by no method that users can enrol,
 *   when no user could sign in, or where MFA is required by e-mail codes alone, and for a picture that is not by https, or an uploaded
 *   logo that is not stored any more; `precondition-failed`; as `lockToChange`
 */
export async function changeOrganisation(
  { database, ...settings }: OrganisationSettings,
  caller: Caller,
  changes: OrganisationChanges,
  ifMatch: string | undefined,
): Promise<Organisation> {
  return database.transaction(caller.organisationId, async (tenant) => {
    const before = await lockToChange(tenant, caller)
    organisationVersion.check(presentOrganisation(before), ifMatch)
    const changed = changesTo(before, changes, { ...settings, ...(await findAtHand(tenant, changes)) })
    return changed ? write(tenant, caller, before, changed) : before
  })
}

/**
 * Locks the caller's organisation to change its settings. The lock waits for a suspension or a cancellation, which then counts. The operator
 * may change what is suspended, too.
 *
 * @throws Problem `not-found`; `forbidden` when it is suspended; as `holdCallerWith`
 */
export async function lockToChange(tenant: Tenant, caller: Caller): Promise<Organisation> {
  // Before the organisation, as in everything that locks both.
  await lockUserOfCaller(tenant, caller)
  const organisation = await lockOwnOrganisation(tenant)
  if (!organisation) throw organisationNotFound()
  if (caller.kind !== 'system') {
    if (organisation.status === 'cancelled') throw organisationNotFound()
    if (organisation.status === 'suspended') throw organisationSuspended()
  }
  await holdCallerWith(tenant, caller, 'organisation:update')
  return organisation
}

/** Writes changes that have been checked, with their audit entry; a change without effect leaves none. */
export async function writeChanges(
  tenant: Tenant,
  caller: Caller,
  before: Organisation,
  changes: Pick<OrganisationChanges, 'branding'>,
): Promise<Organisation> {
  const changed = changedFields(before, changes)
  return changed ? write(tenant, caller, before, changed) : before
}

async function write(tenant: Tenant, caller: Caller, before: Organisation, changed: Changed<OrganisationChanges>): Promise<Organisation> {
  const organisation = await updateOwnOrganisation(tenant, columnsOf(changed))
  if (changed.signInPolicy !== undefined) await notify(tenant, channels.signInPolicies)
  // The passkeys of users count again: the password alone enrols nothing for them any more.
  const [had, has] = [before, organisation].map(({ signInPolicy }) => signInPolicyOf(signInPolicy).passkeys !== 'off')
  if (has && !had) await revokeEnrollingSessions(tenant, caller.actor)
  await record(tenant, caller.actor, {
    action: 'organisation.updated',
    organisation: presentOrganisation(organisation),
    changes: changesBetween(presentOrganisation(before), presentOrganisation(organisation)),
  })
  return organisation
}

/** What the organisation has besides its settings, as far as the changes have to fit it. */
interface AtHand {
  hasConnection: boolean
  /** The hash of the uploaded logo. */
  logoHash: string | undefined
}

export const findAtHand = async (tenant: Tenant, changes: OrganisationChanges): Promise<AtHand> => ({
  hasConnection: changesSignIn(changes) && (await hasWorkingConnection(tenant)),
  logoHash: changes.branding ? await findLogoHash(tenant) : undefined,
})

/** Whether changes affect how users sign in, so that a connection may matter to them. */
const changesSignIn = ({ signInPolicy, requireMfa }: OrganisationChanges): boolean => signInPolicy !== undefined || requireMfa !== undefined

/**
 * The fields that these changes would change; undefined when there are none.
 *
 * @throws Problem `bad-request` when MFA would be required by no method that users can enrol, when no user could sign in, or where MFA is
 *   required by e-mail codes alone, and for a picture that is not by https, or an uploaded logo that is not stored any more
 */
export function changesTo(
  before: Organisation,
  changes: OrganisationChanges,
  { publicUrl, allowLoopbackPictures, hasConnection, logoHash, ...offered }: Omit<OrganisationSettings, 'database'> & AtHand,
): Changed<OrganisationChanges> | undefined {
  for (const field of ['logoUrl', 'faviconUrl'] as const) {
    const address = changes.branding?.[field]
    if (!address || address === before.branding?.[field]) continue
    if (isLogoAddress(address, publicUrl)) {
      if (!logoHash || !isLogoAddress(address, publicUrl, logoHash)) throw logoNotStored(['branding', field])
    } else if (!isPictureAddress(address, allowLoopbackPictures)) throw pictureNotHttps(['branding', field])
  }
  const requireMfa = changes.requireMfa ?? before.requireMfa
  const methods = changes.allowedMfaMethods ?? before.allowedMfaMethods
  if (requireMfa && methods.length === 0) throw noMfaMethodLeft()
  const { signInPolicy, clientDocumentPolicy, ...others } = withoutRepetition(changes)
  const formerDocuments = documentPolicyOf(before.clientDocumentPolicy)
  const formerPolicy = signInPolicyOf(before.signInPolicy)
  const policy = signInPolicyOf({ ...formerPolicy, ...signInPolicy })
  // A gateway that is taken away later must not block other changes.
  const couldEnrol = !before.requireMfa || mayBeEnrolled(before.allowedMfaMethods, formerPolicy, offered)
  if (requireMfa && couldEnrol && !mayBeEnrolled(methods, policy, offered)) throw noMfaMethodPossible()
  // A connection that fails later must not block other changes.
  const firstFactors = changesSignIn(changes) ? firstFactorsOf(policy, hasConnection) : 'others'
  if (firstFactors === 'none') throw noWayToSignIn()
  if (firstFactors === 'email_codes_alone' && requireMfa) throw emailCodesAlone()
  return changedFields(
    { ...before, signInPolicy: formerPolicy, clientDocumentPolicy: formerDocuments },
    {
      ...others,
      ...(signInPolicy && { signInPolicy: policy }),
      ...(clientDocumentPolicy && { clientDocumentPolicy: { ...formerDocuments, ...clientDocumentPolicy } }),
    },
  )
}

function withoutRepetition({ allowedMfaMethods, ...changes }: OrganisationChanges): OrganisationChanges {
  return { ...changes, ...(allowedMfaMethods && { allowedMfaMethods: [...new Set(allowedMfaMethods)] }) }
}

/** Serialises JSON columns: the drivers would write an array as a PostgreSQL array. */
function columnsOf({
  passwordPolicy,
  tokenLifetimePolicy,
  branding,
  signInPolicy,
  clientDocumentPolicy,
  metadata,
  ...columns
}: Changed<OrganisationChanges>) {
  return {
    ...columns,
    ...(passwordPolicy !== undefined && { passwordPolicy: jsonOf(passwordPolicy) }),
    ...(tokenLifetimePolicy !== undefined && { tokenLifetimePolicy: jsonOf(tokenLifetimePolicy) }),
    ...(branding !== undefined && { branding: jsonOf(branding) }),
    ...(signInPolicy !== undefined && { signInPolicy: JSON.stringify(signInPolicy) }),
    ...(clientDocumentPolicy !== undefined && { clientDocumentPolicy: JSON.stringify(clientDocumentPolicy) }),
    ...(metadata !== undefined && { metadata: JSON.stringify(metadata) }),
  }
}

const jsonOf = (value: object | null) => (value === null ? null : JSON.stringify(value))
