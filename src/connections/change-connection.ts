import { type TrustRule, trustedOf, trustRules } from '../../shared/trusted-settings.ts'
import type { Caller } from '../access/caller.ts'
import { holdCallerWith, refuseVisitorOf, transactionOf } from '../access/hold-caller.ts'
import { changedFields, changesBetween, withReason } from '../activity/changes.ts'
import { record } from '../activity/record.ts'
import { lockDomainsOfConnection } from '../domains/queries.ts'
import { countIdentities } from '../identities/queries.ts'
import { signsIn } from '../organisations/signs-in-by-connection.ts'
import { secondsAfter } from '../platform/clock.ts'
import type { Tenant } from '../platform/database/database.ts'
import { invalidInput } from '../platform/http/problem.ts'
import { requireEveryHeldPermission } from '../roles/require-every-held-permission.ts'
import { givenByConnection, givesNoRoles } from '../roles/rules.ts'
import { sourceOf } from '../roles/sources.ts'
import { voucherOf } from '../roles/vouchers.ts'
import { endAccessByConnection } from '../sessions/end-access-by-connection.ts'
import { removeTeamsOfSource } from '../teams/teams-from-source.ts'
import { revokeAssertedTokens } from '../tokens/revoke-tokens.ts'
import { removeRolesOfSource } from '../users/roles-from-source.ts'
import { hasOwnKey, newClientKey, nextKeySeconds, nextKeySignsFrom, replacedKeyExpiresAt, signsItsRequests } from './client-key.ts'
import { configurationMistakes, configurationOf, mappingMistakes, missingSettings, secretMistakes, withMembers } from './configuration.ts'
import { type ConnectionAdministration, type ConnectionChanging, mappingsMax, type PreparedConfiguration } from './create-connection.ts'
import { refuseUnfitAssertions, withdrawsAssertions } from './identity-assertions.ts'
import { namedMappings } from './mappings.ts'
import { connectionInHistory, connectionVersion, presentConnection } from './present-connection.ts'
import { changesProof } from './proof.ts'
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
import { asItIsSent, type CompletedConfiguration, withMetadata } from './read-provider-metadata.ts'
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
import { unlinkOwner } from './unlink-identity.ts'

const trustRuleOf: Record<keyof ConnectionSettings, TrustRule> = trustRules.connection

/**
 * Changes a connection. Once inactive, it accepts no sign-in from the next request on; sessions that began through it end only on
 * request. Who is not the owner unlinks the owner's accounts with a change of who proves them.
 *
 * @throws Problem as {@link createConnection}, `forbidden` only where a field changes that is trusted, or it is switched on again;
 *   `not-found`, `precondition-failed`; `conflict` for deactivating the only way to sign in; `too-many-requests` where metadata are to be read
 */
export async function changeConnection(
  administration: ConnectionAdministration,
  caller: Caller,
  id: string,
  sent: ConnectionChanges,
  ifMatch: string | undefined,
): Promise<Connection> {
  const prepared = sent.configuration && (await prepareChange(administration, caller, id, sent.configuration))
  return changePrepared(administration, caller, id, sent, prepared, ifMatch)
}

/**
 * Prepares a change of a configuration: no transaction must be open, since a provider may take its time.
 *
 * @throws Problem `not-found`; `bad-request` naming what is wrong with the address, or what cannot be read; `too-many-requests`
 */
export async function prepareChange(
  administration: ConnectionAdministration,
  { organisationId }: Pick<Caller, 'organisationId'>,
  id: string,
  configuration: ConnectionConfiguration,
): Promise<PreparedConfiguration> {
  const { database, outgoing } = administration
  const { provider } = await getConnection(database.tenant(organisationId), id)
  const isFit = provider === 'saml' && configurationMistakes(provider, configuration, outgoing.rules).length === 0
  const completed = isFit ? await withMetadata(administration, organisationId, configuration) : { configuration }
  return { ...completed, key: await keyFor(configuration) }
}

export type PreparedFormer = Omit<PreparedConfiguration, 'configuration'>

/** What former settings of a connection need to be stored again. What its metadata said then is part of them, so these are not read. */
export async function prepareFormer(former: ConnectionConfiguration): Promise<PreparedFormer> {
  const { configuration: _, ...prepared } = asItIsSent(former)
  return { ...prepared, key: await keyFor(former) }
}

const keyFor = async (configuration: ConnectionConfiguration) => (signsItsRequests(configuration) ? newClientKey() : undefined)

/**
 * Carries out a change whose configuration has been prepared.
 *
 * @param prepared undefined where the configuration does not change; without a configuration, the sent one is stored
 * @throws Problem as {@link changeConnection}
 */
export async function changePrepared(
  changing: ConnectionChanging,
  caller: Caller,
  id: string,
  sent: ConnectionChanges,
  { key, ...completed }: Partial<PreparedConfiguration> = {},
  ifMatch?: string,
): Promise<Connection> {
  return changing.database.transaction(caller.organisationId, async (tenant) => {
    await holdCallerWith(tenant, caller, 'connections:update')
    return changeConnectionIn(tenant, changing, caller, id, { ...sent, ...completed }, { ifMatch, key })
  })
}

/**
 * Changes a connection in a transaction that has begun, and holds the caller; before the caller the owner, where the change may be one of who proves them.
 *
 * @param key what signs its requests, if a key is to
 * @throws Problem as {@link changeConnection}
 */
export async function changeConnectionIn(
  tenant: Tenant,
  { keyring, outbox, publicUrl, outgoing, oauthExtensions }: Omit<ConnectionChanging, 'database'>,
  caller: Caller,
  id: string,
  { secret, endSessions = false, ...changes }: ConnectionChanges & Pick<Partial<CompletedConfiguration>, 'certificatesLeftOut'>,
  { ifMatch, key }: { ifMatch?: string | undefined; key?: string | undefined } = {},
): Promise<Connection> {
  const before = await lockConnection(tenant, id)
  const { provider } = before
  if (changes.configuration !== undefined || secret !== undefined) refuseVisitorOf(caller, before.isActive)
  connectionVersion.check(presentConnection(before, publicUrl, tenant.now), ifMatch)
  const { isActive = before.isActive } = changes
  if (endSessions && isActive) throw endSessionsWhileActive()
  if (signsIn(before) && !isActive) await requireOtherWay(tenant, id)

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
  const isVouchedAnew = trustedOf(trustRuleOf, before, changed).length > 0
  if (isVouchedAnew) {
    // A visitor changes neither mappings nor provisioning: what an administrator gives meanwhile is asked about when the connection is activated.
    const isLeft = caller.kind === 'setup-link' && !isActive
    await requireEveryHeldPermission(tenant, caller, isLeft ? givesNoRoles : givenByConnection({ ...before, ...changed }))
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
  const withdraws = (before.isActive && !isActive) || (await withdrawsAssertions(tenant, before.identityAssertions, accepts))
  if (withdraws) await revokeAssertedTokens(tenant, id)

  const isNewSecret = newSecret !== undefined && (stored === null || keyring.decrypt(stored, id) !== newSecret)
  const secretEncrypted = isNewSecret ? keyring.encrypt(newSecret, id) : stored
  const endedSessions = endSessions ? await endAccessByConnection(tenant, caller.actor, { connectionId: id }) : 0
  if (!changed && !isNewSecret && endedSessions === 0) return before
  const connection = await updateConnection(tenant, id, {
    ...changed,
    ...(isVouchedAnew && voucherOf(caller)),
    ...(secretEncrypted !== before.secretEncrypted && { secretEncrypted }),
  })
  const after = connectionInHistory(connection, publicUrl, tenant.now)
  await record(tenant, caller.actor, {
    action: 'connection.updated',
    connection: after,
    changes: changesBetween(connectionInHistory(before, publicUrl, tenant.now), after),
    metadata: { ...(isNewSecret && { secretReplaced: true }), ...(endSessions && { endedSessions }) },
  })
  if (changesProof(before, connection)) await unlinkOwner(tenant, { outbox, publicUrl }, caller, id)
  return connection
}

/**
 * Gives a connection a new secret. During the grace period the previous one is tried as well, since the provider may still expect
 * it.
 *
 * @throws Problem `not-found`; `bad-request` for a secret that cannot be one of the provider
 */
export async function rotateSecret(
  { database, keyring, publicUrl }: ConnectionChanging,
  caller: Caller,
  id: string,
  { secret, gracePeriodSeconds }: NewConnectionSecret,
): Promise<Connection> {
  return transactionOf(database, caller, 'connections:update', async (tenant) => {
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
  { database, keyring, publicUrl }: ConnectionChanging,
  caller: Caller,
  id: string,
  { activate }: KeyRotation,
): Promise<Connection> {
  const connection = await getConnection(database.tenant(caller.organisationId), id)
  const key = activate ? undefined : await newOwnKeyFor(connection, database.clock.now())
  return transactionOf(database, caller, 'connections:update', async (tenant) => {
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
        previousSecretExpiresAt: replacedKeyExpiresAt(before, tenant.now),
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
  { database, publicUrl }: ConnectionChanging,
  caller: Caller,
  id: string,
  ifMatch: string | undefined,
  reason: string | undefined,
): Promise<void> {
  await transactionOf(database, caller, 'connections:delete', async (tenant) => {
    const connection = await lockConnection(tenant, id)
    refuseVisitorOf(caller, connection.isActive)
    connectionVersion.check(presentConnection(connection, publicUrl, tenant.now), ifMatch)
    const domains = await lockDomainsOfConnection(tenant, id)
    const dependent = domains.find(({ status, sso }) => status === 'verified' && sso === 'required')
    if (dependent) throw signInRequiresConnection(dependent.domain)
    if (signsIn(connection)) await requireOtherWay(tenant, id)
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
