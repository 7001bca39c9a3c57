import type { Caller } from '../access/caller.ts'
import { responsibleKeyId } from '../access/held-permissions.ts'
import { holdCallerWith, lockUserOfCaller } from '../access/hold-caller.ts'
import { missingPermission } from '../access/refusals.ts'
import { record } from '../activity/record.ts'
import { namedMappings } from '../connections/mappings.ts'
import { namedGroupMappings } from '../directories/group-mappings.ts'
import { secondsAfter } from '../platform/clock.ts'
import { hashSecret, newSecret } from '../platform/crypto/secrets.ts'
import type { SetupPurpose } from '../platform/database/column-types.ts'
import type { Database, Tenant } from '../platform/database/database.ts'
import { invalidInput, Problem } from '../platform/http/problem.ts'
import { requireEveryHeldPermission } from '../roles/require-every-held-permission.ts'
import { setupLinkInHistory } from './present-setup-link.ts'
import { insertSetupLink, lockAndCountSetupLinks, lockSetupLink, type SetupLink } from './queries.ts'
import { setupSsoNeedsConnection, tooManySetupLinks } from './refusals.ts'
import { carriesTrust, connects, givenBySetup, permissionsOf } from './rules.ts'
import type { NewSetupLink, SetupSettings } from './schemas.ts'

const openLinksMax = 20
const hour = 3_600

/** The page that a link opens. */
export const setupPath = '/setup'

/**
 * Creates a set-up link. Who has it sets up what it is for, with the rights of the caller, for as long as the caller has them.
 *
 * @returns the link and its address, which cannot be shown again
 * @throws Problem `bad-request` naming each unknown role and team, for `sso` that nothing could fulfil, and the 21st open link; `forbidden`
 *   when the caller lacks a permission that a purpose takes, that another user than the owner holds, or that a mapping gives
 */
export async function createSetupLink(
  { database, publicUrl }: { database: Database; publicUrl: string },
  caller: Caller,
  { name, purposes, expiresInHours, activate, settings: sent }: NewSetupLink,
): Promise<{ link: SetupLink; url: string }> {
  requirePurposes(caller, purposes)
  if (sent.sso !== 'off' && !(purposes.includes('domain') && connects(purposes))) throw setupSsoNeedsConnection()
  const token = newSecret()
  const link = await database.transaction(caller.organisationId, async (tenant) => {
    await lockUserOfCaller(tenant, caller)
    const settings = await namedSettings(tenant, sent)
    if (carriesTrust(purposes)) await requireEveryHeldPermission(tenant, caller, givenBySetup({ purposes, settings }))
    if ((await lockAndCountSetupLinks(tenant)) >= openLinksMax) throw tooManySetupLinks()
    await holdWithPurposes(tenant, caller, purposes)
    const created = await insertSetupLink(tenant, {
      ...{ name, purposes, settings, activate },
      tokenHash: hashSecret(token),
      createdById: caller.responsibleUserId,
      createdByKeyId: responsibleKeyId(caller),
      expiresAt: secondsAfter(tenant.now, expiresInHours * hour),
    })
    await record(tenant, caller.actor, { action: 'setup_link.created', setup_link: setupLinkInHistory(created) })
    return created
  })
  // What follows the # is sent to no server.
  return { link, url: `${publicUrl}${setupPath}#${token}` }
}

/** @throws Problem `forbidden` naming the first permission that the caller lacks for these purposes */
function requirePurposes(caller: Caller, purposes: readonly SetupPurpose[]): void {
  const lacking = permissionsOf(purposes).find((permission) => !caller.permissions.has(permission))
  if (lacking) throw missingPermission(lacking)
}

/** Holds a caller who still has the permissions of these purposes. */
async function holdWithPurposes(tenant: Tenant, caller: Caller, purposes: readonly SetupPurpose[]): Promise<void> {
  for (const permission of permissionsOf(purposes)) await holdCallerWith(tenant, caller, permission)
}

/**
 * Locks a link for a caller who may do what it is for, and who is held. Their user is locked first: a block of them ends the links that they
 * have created.
 *
 * @throws Problem `not-found`; as {@link requirePurposes}
 */
export async function lockForCaller(tenant: Tenant, caller: Caller, id: string): Promise<SetupLink> {
  await lockUserOfCaller(tenant, caller)
  const link = await lockSetupLink(tenant, id)
  requirePurposes(caller, link.purposes)
  await holdWithPurposes(tenant, caller, link.purposes)
  return link
}

/** These settings with the ids of their roles and teams, which a request may also name by slug. */
async function namedSettings(tenant: Tenant, sent: SetupSettings): Promise<SetupSettings> {
  try {
    const settings = await namedMappings(tenant, sent)
    return { ...settings, groupMappings: await namedGroupMappings(tenant, sent.groupMappings) }
  } catch (error) {
    if (!(error instanceof Problem) || !error.errors) throw error
    throw invalidInput(error.errors.map((mistake) => ({ ...mistake, path: ['settings', ...mistake.path] })))
  }
}
