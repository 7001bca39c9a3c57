import type { Caller } from '../access/caller.ts'
import { holdCallerWith, holdSetupLinkOf, lockUserOfCaller, refuseVisitorOf } from '../access/hold-caller.ts'
import { changedFields, changesBetween, withReason } from '../activity/changes.ts'
import { record } from '../activity/record.ts'
import { domainsOfConnection } from '../domains/queries.ts'
import { countIdentities } from '../identities/queries.ts'
import { secondsAfter } from '../platform/clock.ts'
import type { Tenant } from '../platform/database/database.ts'
import { invalidInput } from '../platform/http/problem.ts'
import { requireEveryHeldPermission } from '../roles/require-every-held-permission.ts'
import { sourceOf } from '../roles/sources.ts'
import { endAccessByConnection } from '../sessions/end-access-by-connection.ts'
import { removeTeamsOfSource } from '../teams/teams-from-source.ts'
import { revokeAssertedTokens } from '../tokens/revoke-tokens.ts'
import { removeRolesOfSource } from '../users/roles-from-source.ts'
import { hasOwnKey, newClientKey, nextKeySeconds, nextKeySignsFrom, previousKeySeconds, signsItsRequests } from './client-key.ts'
import { configurationMistakes, configurationOf, mappingMistakes, missingSettings, secretMistakes, withMembers } from './configuration.ts'
import { type ConnectionAdministration, mappingsMax } from './create-connection.ts'
import { refuseUnfitAssertions, withdrawsAssertions } from './identity-assertions.ts'
import { namedMappings } from './mappings.ts'
import { connectionInHistory, connectionVersion, presentConnection } from './present-connection.ts'
import {
  type Connection,
  type ConnectionSettings,
  deleteConnectionRow,
  getConnection,
  lockAndCountConnections,
  lockConnection,
  replaceSecret,
  storeKeys,
  updateConnection,
} from './queries.ts'
import { type CompletedConfiguration, withMetadata } from './read-provider-metadata.ts'
import {
  appleKeyHasAnId,
  endSessionsWhileActive,
  nextKeyPending,
  noNextKey,
  noOwnKey,
  ownKeySigns,
  signInRequiresConnection,
  tooManyMappings,
} from './refusals.ts'
import { requireOtherWay } from './require-other-way.ts'
import { newOwnKeyFor } from './saml-keys.ts'
import type { ConnectionChanges, ConnectionConfiguration, KeyRotation, NewConnectionSecret } from './schemas.ts'

/** The settings that decide who signs in, and what they may do then. */
const trusted: readonly (keyof ConnectionSettings)[] = [
  'configuration',
  'linking',
  'provisioning',
  'mapping',
  'roleMappings',
  'teamMappings',
  'syncOn',
  'trustsMfa',
  'mfaContexts',
  'identityAssertions',
]

/**
 * Changes a connection. Once inactive, it accepts no sign-in from the next request on; sessions that began through it end only on
 * request.
 *
 * @throws Problem as {@link createConnection}, `forbidden` only where a field changes that is trusted, or it is switched on again;
 *   `not-found`, `precondition-failed`; `conflict` for deactivating the only way to sign in
 */
export async function changeConnection(
  administration: ConnectionAdministration,
  caller: Caller,
  id: string,
  sent: ConnectionChanges,
  ifMatch: string | undefined,
): Promise<Connection> {
  // What is at the address is read before the row is locked.
  const changes = sent.configuration ? { ...sent, ...(await withSentMetadata(administration, caller, id, sent.configuration)) } : sent
  const key = sent.configuration && signsItsRequests(sent.configuration) ? await newClientKey() : undefined
  return administration.database.transaction(caller.organisationId, async (tenant) => {
    const connection = await changeConnectionIn(tenant, administration, caller, id, changes, { ifMatch, key })
    // A provider may take its time to give its metadata. This follows the organisation's row, which the change may lock.
    await holdCallerWith(tenant, caller, 'connections:update')
    return connection
  })
}

/**
 * Changes a connection in a transaction that has begun.
 *
 * @param key what signs its requests, if a key is to
 * @throws Problem as {@link changeConnection}
 */
export async function changeConnectionIn(
  tenant: Tenant,
  {
    keyring,
    publicUrl,
    outgoing,
    oauthExtensions,
  }: Pick<ConnectionAdministration, 'keyring' | 'publicUrl' | 'outgoing' | 'oauthExtensions'>,
  caller: Caller,
  id: string,
  { secret, endSessions = false, ...changes }: ConnectionChanges & Pick<Partial<CompletedConfiguration>, 'certificatesLeftOut'>,
  { ifMatch, key }: { ifMatch?: string | undefined; key?: string | undefined } = {},
): Promise<Connection> {
  await lockUserOfCaller(tenant, caller)
  await holdSetupLinkOf(tenant, caller)
  const before = await lockConnection(tenant, id)
  const { provider } = before
  if (changes.configuration !== undefined || secret !== undefined) refuseVisitorOf(caller, before.isActive)
  connectionVersion.check(presentConnection(before, publicUrl, tenant.now), ifMatch)
  const { isActive = before.isActive } = changes
  if (endSessions && isActive) throw endSessionsWhileActive()
  if (before.isActive && !isActive) await requireOtherWay(tenant, id)

  const configuration = configurationOf(provider, before.configuration, changes.configuration ?? {})
  const mistakes = changes.configuration ? configurationMistakes(provider, configuration, outgoing.rules) : []
  if (secret !== undefined) mistakes.push(...secretMistakes(provider, configuration, secret))
  const [hadOwnKey, isOwnKey] = [hasOwnKey(before), hasOwnKey({ provider, configuration })]
  // A secret of the provider's is no key of ours, and vice versa.
  const stored = hadOwnKey === isOwnKey ? before.secretEncrypted : null
  const newSecret = isOwnKey && stored === null ? key : secret
  if (isActive) mistakes.push(...missingSettings(provider, configuration, newSecret !== undefined || stored !== null))
  const mapping = withMembers(before.mapping, changes.mapping ?? {})
  if (mapping.email !== before.mapping.email) mistakes.push(...mappingMistakes(provider, mapping))
  if (mistakes.length > 0) throw invalidInput(mistakes)

  const changed = changedFields(before, { ...(await namedMappings(tenant, changes)), configuration, mapping })
  // It may have been switched off for a reason: another party may control its provider.
  const isVouchedAnew = changed !== undefined && (trusted.some((field) => field in changed) || changed.isActive === true)
  if (isVouchedAnew) {
    await requireEveryHeldPermission(tenant, caller, { andOfRoles: changed.roleMappings?.map(({ roleId }) => roleId) ?? [] })
  }
  if (changed?.identityAssertions) {
    await refuseUnfitAssertions(tenant, oauthExtensions, before, changed.identityAssertions, before.identityAssertions)
  }
  if (changed?.roleMappings || changed?.teamMappings) {
    const { roleMappings, teamMappings } = { ...before, ...changed }
    const { otherMappings } = await lockAndCountConnections(tenant, id)
    if (otherMappings + roleMappings.length + teamMappings.length > mappingsMax) throw tooManyMappings()
  }

  const { identityAssertions: accepts } = { ...before, ...changed }
  // Sessions stay, in which users are at work; a client that only acts for them does not.
  if ((before.isActive && !isActive) || withdrawsAssertions(before.identityAssertions, accepts)) await revokeAssertedTokens(tenant, id)

  const isNewSecret = newSecret !== undefined && (stored === null || keyring.decrypt(stored, id) !== newSecret)
  const secretEncrypted = isNewSecret ? keyring.encrypt(newSecret, id) : stored
  const endedSessions = endSessions ? await endAccessByConnection(tenant, caller.actor, { connectionId: id }) : 0
  if (!changed && !isNewSecret && endedSessions === 0) return before
  const connection = await updateConnection(tenant, id, {
    ...changed,
    ...(isVouchedAnew && { vouchedById: caller.responsibleUserId }),
    ...(secretEncrypted !== before.secretEncrypted && { secretEncrypted }),
  })
  const after = connectionInHistory(connection, publicUrl, tenant.now)
  await record(tenant, caller.actor, {
    action: 'connection.updated',
    connection: after,
    changes: changesBetween(connectionInHistory(before, publicUrl, tenant.now), after),
    metadata: { ...(isNewSecret && { secretReplaced: true }), ...(endSessions && { endedSessions }) },
  })
  return connection
}

/**
 * The configuration that was sent, completed by the metadata that it names or holds.
 *
 * @throws Problem `bad-request` naming what is wrong with the address, or what cannot be read
 */
async function withSentMetadata(
  administration: ConnectionAdministration,
  caller: Caller,
  id: string,
  configuration: ConnectionConfiguration,
): Promise<CompletedConfiguration> {
  const { database, outgoing } = administration
  const { provider } = await getConnection(database.tenant(caller.organisationId), id)
  if (provider !== 'saml' || configurationMistakes(provider, configuration, outgoing.rules).length > 0) return { configuration }
  return withMetadata(administration, configuration)
}

/**
 * Gives a connection a new secret. During the grace period the previous one is tried as well, since the provider may still expect
 * it.
 *
 * @throws Problem `not-found`; `bad-request` for a secret that cannot be one of the provider
 */
export async function rotateSecret(
  { database, keyring, publicUrl }: ConnectionAdministration,
  caller: Caller,
  id: string,
  { secret, gracePeriodSeconds }: NewConnectionSecret,
): Promise<Connection> {
  return database.transaction(caller.organisationId, async (tenant) => {
    const { provider, configuration, secretEncrypted } = await lockConnection(tenant, id)
    if (provider === 'apple') throw appleKeyHasAnId()
    if (hasOwnKey({ provider, configuration })) throw ownKeySigns()
    const mistakes = secretMistakes(provider, configuration, secret)
    if (mistakes.length > 0) throw invalidInput(mistakes)
    const hasGrace = gracePeriodSeconds > 0 && secretEncrypted !== null
    const previousUntil = hasGrace ? secondsAfter(tenant.now, gracePeriodSeconds) : null
    const connection = await replaceSecret(tenant, id, keyring.encrypt(secret, id), previousUntil)
    await record(tenant, caller.actor, {
      action: 'connection.secret_rotated',
      connection: connectionInHistory(connection, publicUrl, tenant.now),
      metadata: { gracePeriodSeconds },
    })
    return connection
  })
}

/**
 * Creates the next key of a connection, or activates it. It is published at once, so that a provider which caches keys knows it
 * when it signs.
 *
 * @throws Problem `not-found`; `bad-request` for a connection that signs nothing; `conflict` when there is no key to activate,
 *   or the next one is still to sign
 */
export async function rotateKeys(
  { database, keyring, publicUrl }: ConnectionAdministration,
  caller: Caller,
  id: string,
  { activate }: KeyRotation,
): Promise<Connection> {
  const connection = await getConnection(database.tenant(caller.organisationId), id)
  const key = activate ? undefined : await newOwnKeyFor(connection, database.clock.now())
  return database.transaction(caller.organisationId, async (tenant) => {
    const before = await lockConnection(tenant, id)
    const { nextSecretEncrypted, secretEncrypted } = before
    if (!hasOwnKey(before)) throw noOwnKey()
    if (activate && nextSecretEncrypted === null) throw noNextKey()
    const pendingUntil = nextKeySignsFrom(before, tenant.now)
    // Replacing it would remove a key that a provider may have cached already.
    if (!activate && pendingUntil) throw nextKeyPending(pendingUntil.toISOString())
    const next = key === undefined ? null : keyring.encrypt(key, id)
    // After an import without secrets: no provider has cached a key that would have to sign until then.
    const isFirst = secretEncrypted === null && nextSecretEncrypted === null
    const connection = await storeKeys(tenant, id, {
      ...(isFirst && next !== null && { secretEncrypted: next }),
      ...(nextSecretEncrypted !== null && {
        secretEncrypted: nextSecretEncrypted,
        previousSecretEncrypted: secretEncrypted,
        previousSecretExpiresAt: secondsAfter(tenant.now, previousKeySeconds),
      }),
      nextSecretEncrypted: isFirst ? null : next,
      nextSecretSignsFrom: isFirst || next === null ? null : secondsAfter(tenant.now, nextKeySeconds),
    })
    await record(tenant, caller.actor, {
      action: 'connection.keys_rotated',
      connection: connectionInHistory(connection, publicUrl, tenant.now),
      metadata: { activated: activate },
    })
    return connection
  })
}

/**
 * Deletes a connection with its identities, whose sessions end, and with the roles and memberships that it alone
 * gave. Users stay.
 *
 * @throws Problem `not-found`, `precondition-failed`; `conflict` while a verified domain requires it, or it is the only way to sign in
 */
export async function deleteConnection(
  { database, publicUrl }: ConnectionAdministration,
  caller: Caller,
  id: string,
  ifMatch: string | undefined,
  reason: string | undefined,
): Promise<void> {
  await database.transaction(caller.organisationId, async (tenant) => {
    await holdSetupLinkOf(tenant, caller)
    const connection = await lockConnection(tenant, id)
    refuseVisitorOf(caller, connection.isActive)
    connectionVersion.check(presentConnection(connection, publicUrl, tenant.now), ifMatch)
    const domains = await domainsOfConnection(tenant, id)
    const dependent = domains.find(({ status, sso }) => status === 'verified' && sso === 'required')
    if (dependent) throw signInRequiresConnection(dependent.domain)
    if (connection.isActive) await requireOtherWay(tenant, id)
    const identities = await countIdentities(tenant, id)
    // Do this first: deleting the connection also deletes the sessions' reference to it.
    const endedSessions = await endAccessByConnection(tenant, caller.actor, { connectionId: id })
    await removeRolesOfSource(tenant, caller.actor, sourceOf(id))
    await removeTeamsOfSource(tenant, caller.actor, sourceOf(id))
    await deleteConnectionRow(tenant, id)
    await record(tenant, caller.actor, {
      action: 'connection.deleted',
      connection: connectionInHistory(connection, publicUrl, tenant.now),
      metadata: { identities, endedSessions, ...withReason(reason).metadata },
    })
  })
}
