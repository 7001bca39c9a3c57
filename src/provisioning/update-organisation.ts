import type { Caller } from '../access/caller.ts'
import { type Changed, changedFields, changesBetween } from '../activity/changes.ts'
import { record } from '../activity/record.ts'
import { mayBeEnrolled, type OfferedFactors } from '../mfa/factors/may-be-enrolled.ts'
import { type Organisation, organisationVersion, presentOrganisation } from '../organisations/present-organisation.ts'
import { hasWorkingConnection, lockOwnOrganisation, updateOwnOrganisation } from '../organisations/queries.ts'
import {
  emailCodesAlone,
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

export interface OrganisationSettings extends OfferedFactors {
  database: Database
  /** Whether pictures may come from loopback addresses, in development. */
  allowLoopbackPictures: boolean
}

/**
 * Changes the settings of the caller's organisation; a field that is not sent stays unchanged.
 *
 * @throws Problem `conflict` when the name or the e-mail is taken, `bad-request` when MFA would be required by no method that users can enrol,
 *   when no user could sign in, or where MFA is required by e-mail codes alone, and for a picture that is not by https; `precondition-failed`
 */
export async function changeOrganisation(
  { database, ...settings }: OrganisationSettings,
  caller: Caller,
  changes: OrganisationChanges,
  ifMatch: string | undefined,
): Promise<Organisation> {
  return database.transaction(caller.organisationId, async (tenant) => {
    const before = await lockOwnOrganisation(tenant)
    if (!before) throw organisationNotFound()
    organisationVersion.check(presentOrganisation(before), ifMatch)
    const hasConnection = changesSignIn(changes) && (await hasWorkingConnection(tenant))
    const changed = changesTo(before, changes, { ...settings, hasConnection })
    return changed ? write(tenant, caller, before, changed) : before
  })
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
  await record(tenant, caller.actor, {
    action: 'organisation.updated',
    organisation: presentOrganisation(organisation),
    changes: changesBetween(presentOrganisation(before), presentOrganisation(organisation)),
  })
  return organisation
}

interface SettingsInForce extends Omit<OrganisationSettings, 'database'> {
  hasConnection: boolean
}

/** Whether changes affect how users sign in, so that a connection may matter to them. */
export const changesSignIn = ({ signInPolicy, requireMfa }: OrganisationChanges): boolean =>
  signInPolicy !== undefined || requireMfa !== undefined

/**
 * The fields that these changes would change; undefined when there are none.
 *
 * @throws Problem `bad-request` when MFA would be required by no method that users can enrol, when no user could sign in, or where MFA is
 *   required by e-mail codes alone, and for a picture that is not by https
 */
export function changesTo(
  before: Organisation,
  changes: OrganisationChanges,
  { allowLoopbackPictures, hasConnection, ...offered }: SettingsInForce,
): Changed<OrganisationChanges> | undefined {
  for (const field of ['logoUrl', 'faviconUrl'] as const) {
    const address = changes.branding?.[field]
    if (address && !isPictureAddress(address, allowLoopbackPictures)) throw pictureNotHttps(['branding', field])
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
