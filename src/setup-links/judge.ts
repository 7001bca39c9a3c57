import type { SetupLinkCaller } from '../access/caller.ts'
import { findPermissionsOfSetupLink } from '../access/setup-link-permissions.ts'
import type { Origin } from '../activity/actor.ts'
import { isRunning } from '../organisations/rules.ts'
import type { Tenant } from '../platform/database/database.ts'
import { findHeldPermissions } from '../roles/require-every-held-permission.ts'
import type { SetupLink } from './queries.ts'
import { carriesTrust, givenBySetup, permissionsOf } from './rules.ts'

export type Judgement = { stands: true; caller: SetupLinkCaller } | { stands: false; because: NonNullable<SetupLink['endedBecause']> }

const nowhere: Origin = { ipAddress: null, userAgent: null, requestId: null }

/**
 * Whether an open link still stands, and on whose behalf. Its creator needs now what creating it took: access, the permissions of its
 * purposes and, where it carries trust, every permission that any user but the owner holds.
 */
export async function judge(tenant: Tenant, link: SetupLink, origin: Origin = nowhere): Promise<Judgement> {
  if (link.expiresAt <= tenant.now) return { stands: false, because: 'expired' }
  const organisation = await tenant.selectFrom('organisations').select('status').executeTakeFirst()
  if (!organisation || !isRunning(organisation.status)) return { stands: false, because: 'organisation_inactive' }
  const permissions = await findPermissionsOfSetupLink(tenant, link.id)
  const neededPermissions = permissionsOf(link.purposes)
  const held = carriesTrust(link.purposes) ? await findHeldPermissions(tenant, givenBySetup(link)) : []
  if (!permissions || ![...neededPermissions, ...held].every((slug) => permissions.has(slug)))
    return { stands: false, because: 'right_lost' }
  return { stands: true, caller: callerOf(link, permissions, origin) }
}

const callerOf = (link: SetupLink, permissions: SetupLinkCaller['permissions'], origin: Origin): SetupLinkCaller => ({
  kind: 'setup-link',
  linkId: link.id,
  organisationId: link.organisationId,
  permissions,
  neededPermissions: permissionsOf(link.purposes),
  actor: { actorType: 'setup_link', actorId: link.id, name: link.name, ...origin },
  responsibleUserId: link.createdById,
  responsibleKeyId: link.createdByKeyId,
})
