import { z } from 'zod'
import { lockUserOfCaller } from '../access/hold-caller.ts'
import { presentUser } from '../accounts/present-user.ts'
import { lockDeletedUser, lockUserWithReferences } from '../accounts/queries.ts'
import { UserChanges } from '../accounts/schemas.ts'
import { findLastChanges } from '../audit/last-changes.ts'
import type { UndoableAction } from '../audit/not-undone.ts'
import { undoSecretGone } from '../audit/refusals.ts'
import { presentClient } from '../clients/present-client.ts'
import { lockClient } from '../clients/queries.ts'
import { activateClient, revokeClient } from '../clients/revoke-client.ts'
import { clientSchemas } from '../clients/schemas.ts'
import { changeClient } from '../clients/update-client.ts'
import { changePrepared, prepareFormer } from '../connections/change-connection.ts'
import { connectionInHistory } from '../connections/present-connection.ts'
import { lockConnection } from '../connections/queries.ts'
import { ConnectionChanges, type ConnectionConfiguration } from '../connections/schemas.ts'
import { changeDirectory } from '../directories/change-directory.ts'
import { directoryInHistory } from '../directories/present-directory.ts'
import { lockDirectory } from '../directories/queries.ts'
import { DirectoryChanges } from '../directories/schemas.ts'
import { changeDomain } from '../domains/change-domain.ts'
import { presentDomainInHistory } from '../domains/present-domain.ts'
import { lockDomain } from '../domains/queries.ts'
import { DomainChanges } from '../domains/schemas.ts'
import { presentOrganisation } from '../organisations/present-organisation.ts'
import { lockOwnOrganisation } from '../organisations/queries.ts'
import { OrganisationChanges } from '../organisations/schemas.ts'
import { presentTime } from '../platform/http/fields.ts'
import { changeOrganisation } from '../provisioning/update-organisation.ts'
import { changeResourceAuthorizationServer } from '../resource-authorization-servers/change-resource-authorization-server.ts'
import { presentResourceAuthorizationServer } from '../resource-authorization-servers/present-resource-authorization-server.ts'
import { lockResourceAuthorizationServer } from '../resource-authorization-servers/queries.ts'
import { ResourceAuthorizationServerChanges } from '../resource-authorization-servers/schemas.ts'
import { changeResourceServer } from '../resource-servers/change-resource-server.ts'
import { presentResourceServer } from '../resource-servers/present-resource-server.ts'
import { lockResourceServer } from '../resource-servers/queries.ts'
import { ResourceServerChanges } from '../resource-servers/schemas.ts'
import { lockRole, presentRole } from '../roles/queries.ts'
import { RoleChanges } from '../roles/schemas.ts'
import { changeRole } from '../roles/update-role.ts'
import { addMember, removeMember } from '../teams/change-members.ts'
import { changeTeam } from '../teams/change-team.ts'
import { presentTeamFields } from '../teams/present-team.ts'
import { lockTeam } from '../teams/queries.ts'
import { TeamChanges } from '../teams/schemas.ts'
import { assignRoleToUser, unassignRoleFromUser } from '../users/assign-role.ts'
import { restoreUser } from '../users/restore-user.ts'
import { changeUser, deleteUser } from '../users/update-user.ts'
import { changeEndpoint } from '../webhooks/endpoints/change-endpoint.ts'
import { lockEndpoint, presentEndpoint } from '../webhooks/endpoints/queries.ts'
import { WebhookChanges } from '../webhooks/endpoints/schemas.ts'
import { type Fields, formerFields, formerGrant, type Inverse, type Step } from './inverse.ts'
import { undoChangedSince, undoRecordGone } from './refusals.ts'

const presented = <Row>(row: Row | undefined, present: (row: Row) => object) => row && present(row)

const user = async ({ tenant }: Step, id: string) => presented(await lockUserWithReferences(tenant, id), presentUser)

const userFields = formerFields({
  permission: 'users:update',
  schema: () => UserChanges,
  derived: ['name', 'lastLoginAt'],
  lock: user,
  change: ({ dependencies, caller, language }, id, sent) => changeUser(dependencies, caller, id, sent, undefined, language),
})

const deletedUser: Inverse = {
  permission: 'users:create',
  async undo({ dependencies, tenant, caller }, { targetId, createdAt }) {
    // Before the user, as in everything that locks both.
    await dependencies.followDirectories(tenant, targetId)
    const found = await lockDeletedUser(tenant, targetId)
    if (!found) throw undoRecordGone()
    const [left, now] = [presentTime(createdAt), presentTime(found.deletedAt)]
    if (now !== left) {
      const field = 'deletedAt'
      const [lastChange] = await findLastChanges(tenant, [{ targetId, field }])
      throw undoChangedSince(field, [{ field, left, now, lastChange }])
    }
    await restoreUser(dependencies, caller, targetId)
  },
}

const restoredUser = formerFields({
  permission: 'users:delete',
  schema: () => z.object({ deletedAt: z.string() }),
  lock: user,
  change: ({ dependencies: { database }, caller }, id) => deleteUser(database, caller, id, undefined, undefined),
})

const givenRole = formerGrant({
  permission: 'users:update',
  field: 'roles',
  member: 'roleId',
  wasGiven: true,
  change: ({ dependencies: { database }, caller }, userId, roleId) => unassignRoleFromUser(database, caller, userId, roleId),
})
const takenRole = formerGrant({
  permission: 'users:update',
  field: 'roles',
  member: 'roleId',
  wasGiven: false,
  change: ({ dependencies: { database }, caller }, userId, roleId) => assignRoleToUser(database, caller, userId, roleId),
})

const addedMember = formerGrant({
  permission: 'teams:update',
  field: 'members',
  member: 'userId',
  wasGiven: true,
  change: ({ dependencies: { database }, caller }, teamId, userId) => removeMember(database, caller, teamId, userId),
})
const removedMember = formerGrant({
  permission: 'teams:update',
  field: 'members',
  member: 'userId',
  wasGiven: false,
  change: ({ dependencies: { database }, caller }, teamId, userId) => addMember(database, caller, teamId, userId),
})

const roleFields = formerFields({
  permission: 'roles:update',
  schema: () => RoleChanges,
  alsoSettable: ['permissions'],
  lock: async ({ tenant }, id) => presented(await lockRole(tenant, id), presentRole),
  asSent: ({ permissions, ...former }) => ({
    ...former,
    ...(permissions !== undefined && { permissionIds: (permissions as { id: string }[]).map(({ id }) => id) }),
  }),
  change: ({ dependencies: { database }, caller }, id, sent) => changeRole(database, caller, id, sent, undefined),
})

const resourceAuthorizationServerFields = formerFields({
  permission: 'resource_servers:update',
  schema: () => ResourceAuthorizationServerChanges,
  lock: async ({ tenant }, id) => presented(await lockResourceAuthorizationServer(tenant, id), presentResourceAuthorizationServer),
  change: ({ dependencies, caller }, id, sent) => changeResourceAuthorizationServer(dependencies, caller, id, sent, undefined),
})

const teamFields = formerFields({
  permission: 'teams:update',
  schema: () => TeamChanges,
  lock: async ({ tenant }, id) => presented(await lockTeam(tenant, id), presentTeamFields),
  change: ({ dependencies: { database }, caller }, id, sent) => changeTeam(database, caller, id, sent, undefined),
})

const client = async ({ tenant }: Step, id: string) => presented(await lockClient(tenant, id), presentClient)

const clientFields = formerFields({
  permission: 'clients:update',
  schema: ({ grants }) => clientSchemas(grants).ClientChanges,
  lock: client,
  change: ({ dependencies, caller }, id, sent) => changeClient(dependencies, caller, id, sent, undefined),
})

const resourceServerFields = formerFields({
  permission: 'resource_servers:update',
  schema: () => ResourceServerChanges,
  lock: async ({ tenant }, id) => presented(await lockResourceServer(tenant, id), presentResourceServer),
  change: ({ dependencies, caller }, id, sent) => changeResourceServer(dependencies, caller, id, sent, undefined),
})

/** Activating and deactivating a client are operations of their own, each with its permission. */
const clientActivity = (permission: 'clients:update' | 'clients:delete') =>
  formerFields({
    permission,
    schema: () => z.object({ isActive: z.boolean() }),
    lock: client,
    change: ({ dependencies, caller }, id, { isActive }) =>
      isActive ? activateClient(dependencies, caller, id) : revokeClient(dependencies.database, caller, id, undefined),
  })

const webhookFields = formerFields({
  permission: 'webhooks:update',
  schema: () => WebhookChanges,
  derived: ['failureCount', 'lastTriggeredAt', 'lastFailureAt'],
  lock: async ({ tenant }, id) => presented(await lockEndpoint(tenant, id), presentEndpoint),
  change: ({ dependencies, caller }, id, sent) => changeEndpoint(dependencies, caller, id, sent, undefined),
})

const organisationFields = formerFields({
  permission: 'organisation:update',
  schema: () => OrganisationChanges,
  async lock({ tenant, caller }) {
    // Before the organisation, as in everything that locks both.
    await lockUserOfCaller(tenant, caller)
    return presented(await lockOwnOrganisation(tenant), presentOrganisation)
  },
  change: ({ dependencies, caller }, _, sent) => changeOrganisation(dependencies, caller, sent, undefined),
})

const domainFields = formerFields({
  permission: 'domains:update',
  schema: () => DomainChanges,
  lock: async ({ tenant }, id) => presentDomainInHistory(await lockDomain(tenant, id)),
  change: ({ dependencies, caller }, id, sent) => changeDomain(dependencies, caller, id, sent, undefined),
})

const directoryFields = formerFields({
  permission: 'directories:update',
  schema: () => DirectoryChanges,
  lock: async ({ tenant }, id) => directoryInHistory(await lockDirectory(tenant, id)),
  change: ({ dependencies, caller }, id, sent) => changeDirectory(dependencies, caller, id, sent, undefined),
})

/** A member that is not sent stays unchanged: null removes a member that did not exist before. */
const withoutNewMembers = (former: unknown, left: unknown) => ({
  ...Object.fromEntries(Object.keys((left ?? {}) as Fields).map((member) => [member, null])),
  ...(former as Fields),
})

const ofConnectionFields = formerFields({
  permission: 'connections:update',
  schema: () => ConnectionChanges,
  derived: ['certificates', 'jwksUri', 'nextKeySignsFrom', 'previousSecretExpiresAt', 'lastUsedAt', 'status'],
  async lock({ dependencies: { publicUrl }, tenant }, id) {
    return connectionInHistory(await lockConnection(tenant, id), publicUrl, tenant.now)
  },
  asSent: ({ configuration, mapping, ...former }, left) => ({
    ...former,
    ...(configuration !== undefined && { configuration: withoutNewMembers(configuration, left.configuration) }),
    ...(mapping !== undefined && { mapping: withoutNewMembers(mapping, left.mapping) }),
  }),
  // The metadata of the provider are not read: what they said then is in the entry, and they would say what they say now.
  change: ({ dependencies, caller, prepared }, id, sent) => changePrepared(dependencies, caller, id, sent, prepared),
})
const connectionFields: Inverse = {
  ...ofConnectionFields,
  async prepare({ changes }) {
    const former = changes?.configuration?.from
    return former ? prepareFormer(former as ConnectionConfiguration) : undefined
  },
  async undo(step, entry) {
    // The former settings with the new secret would be neither the former nor the current state.
    if (entry.metadata?.secretReplaced) throw undoSecretGone()
    await ofConnectionFields.undo(step, entry)
  },
}

/** Undoes the entries of each action. */
export const inverses: Readonly<Record<UndoableAction, Inverse>> = {
  'user.updated': userFields,
  'user.blocked': userFields,
  'user.deleted': deletedUser,
  'user.restored': restoredUser,
  'role.assigned': givenRole,
  'role.source_added': givenRole,
  'role.unassigned': takenRole,
  'role.source_removed': takenRole,
  'role.updated': roleFields,
  'resource_authorization_server.updated': resourceAuthorizationServerFields,
  'team.updated': teamFields,
  'team.member_added': addedMember,
  'team.member_source_added': addedMember,
  'team.member_removed': removedMember,
  'team.member_source_removed': removedMember,
  'client.updated': clientFields,
  'resource_server.updated': resourceServerFields,
  'client.activated': clientActivity('clients:delete'),
  'client.revoked': clientActivity('clients:update'),
  'webhook.updated': webhookFields,
  'webhook.deactivated': webhookFields,
  'organisation.updated': organisationFields,
  'domain.updated': domainFields,
  'connection.updated': connectionFields,
  'directory.updated': directoryFields,
}
