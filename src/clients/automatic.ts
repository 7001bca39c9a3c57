/** Rows of automatic clients: applications that no administrator has registered, and that a user of the organisation has allowed. */
import { sql } from 'kysely'
import type { Actor } from '../activity/actor.ts'
import { changedFields, changesBetween } from '../activity/changes.ts'
import { record } from '../activity/record.ts'
import { isServedSince } from '../organisations/queries.ts'
import type { Clock } from '../platform/clock.ts'
import { hashSecret } from '../platform/crypto/secrets.ts'
import type { PublicKeySet } from '../platform/database/column-types.ts'
import type { Database, Tenant } from '../platform/database/database.ts'
import { statement } from '../platform/database/statement.ts'
import { newId } from '../platform/ids.ts'
import { clientChange, presentClient } from './present-client.ts'
import { activeClients, type Client, getClient, updateClient } from './queries.ts'
import { findWithheld, withoutWithheld } from './withheld.ts'

/** How an automatic client authenticates. */
export type AutomaticClientKeys = Pick<Client, 'tokenEndpointAuthMethod' | 'jwks' | 'jwksUri' | 'tokenEndpointAuthSigningAlg'>

/** An automatic client, with what a user allows it: resource servers by their ids, and scopes of these. */
export interface AllowedClient
  extends Pick<Client, 'name' | 'redirectUris' | 'grantTypes' | 'idTokenSignedResponseAlg' | 'logoUrl'>,
    AutomaticClientKeys {
  automaticClientId: string
  registeredFrom?: string | null | undefined
  origin: Exclude<Client['origin'], 'admin'>
  consentVersion: string
  resourceServerIds: readonly string[]
  scopes: readonly string[]
}

/** Who allows an automatic client: a user on a page, or a connection for the user of its assertion. */
export type AllowedBy = 'user' | 'connection'

/** How many automatic clients an organisation can have at a time: users of it can allow as many as they like. */
export const automaticClientsMax = 1_000

const roomOf = statement<{ organisationId: string }, { hasRoom: boolean }>(`
  select count(*) < ${automaticClientsMax} as "hasRoom" from (
    select from clients
    where organisation_id = :organisationId and automatic_client_id is not null and deleted_at is null
    limit ${automaticClientsMax}) found`)

/** Whether an organisation can have another automatic client. */
export async function hasRoomForAnother(database: Pick<Database, 'pointRead'>, organisationId: string): Promise<boolean> {
  return (await database.pointRead(roomOf, { organisationId }))?.hasRoom ?? false
}

/** What consents for a client that registered itself rest on: with other redirect URIs it may be in other hands. */
export const consentVersionOf = (redirectUris: readonly string[]): string => hashSecret(JSON.stringify([...redirectUris].sort()))

/**
 * Makes the row of an automatic client, or brings it up to date, and adds what a user allows it, but for what an administrator has taken
 * from it. Where an administrator has it ask no user, it asks again after {@link asksAgain}.
 *
 * @returns the id of the row; undefined when an administrator has revoked the client, or the organisation has too many of them
 */
export async function bindClient(tenant: Tenant, actor: Actor, allowed: AllowedClient, allowedBy: AllowedBy): Promise<string | undefined> {
  const known = await automaticClient(tenant, allowed.automaticClientId).forUpdate('clients').executeTakeFirst()
  const hasRoom = known === undefined && (await lockAndCountAutomaticClients(tenant)) < automaticClientsMax
  const inserted = hasRoom ? await insertAutomaticClient(tenant, allowed) : undefined
  if (inserted !== undefined) {
    await record(tenant, actor, { action: 'client.created', client: presentClient(await getClient(tenant, inserted)) })
    return inserted
  }
  // Another user may have been the first to allow it.
  const before = known ?? (await automaticClient(tenant, allowed.automaticClientId).forUpdate('clients').executeTakeFirst())
  if (!before?.isActive) return undefined
  const { automaticClientId, origin, grantTypes, scopes, resourceServerIds, ...described } = allowed
  const left = withoutWithheld({ grantTypes, scopes, resourceServerIds }, await findWithheld(tenant, before.id))
  const changed = changedFields(before, {
    ...described,
    clientType: typeOf(described),
    ...(left.grantTypes.length > 0 && { grantTypes: left.grantTypes }),
    resourceServerIds: union(before.resourceServerIds ?? [], left.resourceServerIds),
    scopes: union(before.scopes, left.scopes),
    ...(asksAgain(before, { ...allowed, ...left }, allowedBy) && { requireConsent: true }),
  })
  if (!changed) return before.id
  await updateClient(tenant, before.id, changed)
  await clientChange.recordUpdate(tenant, actor, before, await getClient(tenant, before.id))
  return before.id
}

/**
 * Whether users decide anew, although an administrator has decided that they need not: of another version of the client, which may be in other
 * hands, each user for themselves; and of what a connection allows it besides, which no user has been asked about.
 */
function asksAgain(
  before: Pick<Client, 'consentVersion' | 'scopes' | 'resourceServerIds'>,
  allowed: Pick<AllowedClient, 'consentVersion' | 'scopes' | 'resourceServerIds'>,
  allowedBy: AllowedBy,
): boolean {
  const isMore = (now: readonly string[], had: readonly string[] | null) => now.some((one) => !had?.includes(one))
  return (
    before.consentVersion !== allowed.consentVersion ||
    (allowedBy === 'connection' && (isMore(allowed.scopes, before.scopes) || isMore(allowed.resourceServerIds, before.resourceServerIds)))
  )
}

const typeOf = ({ tokenEndpointAuthMethod }: AutomaticClientKeys): Client['clientType'] =>
  tokenEndpointAuthMethod === 'none' ? 'public' : 'confidential'

/** The rows of an automatic client that authenticate otherwise than it does now. */
export async function findRowsWithOtherKeys(
  database: Database,
  automaticClientId: string,
  keys: AutomaticClientKeys,
): Promise<{ organisationId: string; id: string }[]> {
  return database
    .system()
    .selectFrom('clients')
    .select(['organisationId', 'id'])
    .where('automaticClientId', '=', automaticClientId)
    .where('deletedAt', 'is', null)
    .where(
      sql<boolean>`(token_endpoint_auth_method, jwks, jwks_uri, token_endpoint_auth_signing_alg) is distinct from
        (${keys.tokenEndpointAuthMethod}::text, ${keys.jwks && JSON.stringify(keys.jwks)}::jsonb, ${keys.jwksUri}::text, ${keys.tokenEndpointAuthSigningAlg}::text)`,
    )
    .orderBy('organisationId')
    .execute()
}

/** Gives an automatic client other keys. If it keeps none of those that it had, it may be in other hands: its tokens end. */
export async function changeKeys(tenant: Tenant, clock: Clock, actor: Actor, id: string, keys: AutomaticClientKeys): Promise<void> {
  const before = await activeClients(tenant).where('clients.id', '=', id).forUpdate('clients').executeTakeFirst()
  const changed = before && changedFields(before, { ...keys, clientType: typeOf(keys) })
  if (!before || !changed) return
  // Not when the transaction began: what was made while this waited for the lock is from before.
  await updateClient(tenant, id, { ...changed, ...(keepsNoKey(before, keys) && { tokensValidAfter: clock.now() }) })
  await clientChange.recordUpdate(tenant, actor, before, await getClient(tenant, id))
}

function keepsNoKey(before: AutomaticClientKeys, after: AutomaticClientKeys): boolean {
  const left = new Set(namesOfKeys(after))
  const had = namesOfKeys(before)
  return had.length > 0 && !had.some((name) => left.has(name))
}

/** What identifies each key, or the address of all. */
function namesOfKeys({ tokenEndpointAuthMethod, jwks, jwksUri }: AutomaticClientKeys): string[] {
  if (tokenEndpointAuthMethod !== 'private_key_jwt') return []
  return jwksUri === null ? keysOf(jwks).map(({ kty, crv, x, y, n, e }) => JSON.stringify([kty, crv, x, y, n, e])) : [jwksUri]
}

const keysOf = (jwks: PublicKeySet | null) => jwks?.keys ?? []

/**
 * Revokes the active clients whose documents are below an address, with all their tokens.
 *
 * @param address ends with a slash
 */
export async function revokeAutomaticClients(tenant: Tenant, clock: Clock, actor: Actor, address: string): Promise<void> {
  const found = await activeClients(tenant)
    .where(sql<boolean>`starts_with(clients.automatic_client_id, ${address})`)
    .where('clients.origin', '=', 'metadata_document')
    .where('clients.isActive', '=', true)
    .orderBy('clients.id')
    .forUpdate('clients')
    .execute()
  for (const before of found) {
    await updateClient(tenant, before.id, { isActive: false, tokensValidAfter: clock.now() })
    const after = await getClient(tenant, before.id)
    const changes = changesBetween(presentClient(before), presentClient(after))
    await record(tenant, actor, { action: 'client.revoked', client: presentClient(after), changes })
  }
}

/**
 * Whether nothing has used a client since: an automatic one that no administrator has revoked or changed. What they have taken from it would
 * come back with the next user who allows it, if its row went.
 */
export const isUnusedSince = (since: Date) => sql<boolean>`
  clients.automatic_client_id is not null and clients.deleted_at is null and clients.is_active and clients.registered_metadata is null
  and greatest(clients.last_used_at, clients.updated_at) < ${since} and ${isServedSince('clients.organisation_id', since)}`

/**
 * Deletes an automatic client, unless it has been used since. Its row stays, as that of every deleted client: endpoints, invitations and other
 * authorization servers may name it, and none of these may go or change its meaning because a client is not used.
 *
 * @returns whether it was deleted
 */
export async function deleteUnusedClient(tenant: Tenant, actor: Actor, id: string, notUsedSince: Date): Promise<boolean> {
  const client = await activeClients(tenant)
    .where('clients.id', '=', id)
    .where(isUnusedSince(notUsedSince))
    .forUpdate('clients')
    .executeTakeFirst()
  if (!client) return false
  await updateClient(tenant, id, { deletedAt: tenant.now, tokensValidAfter: tenant.now, defaultResource: null })
  await record(tenant, actor, { action: 'client.deleted', client: presentClient(client), metadata: { reason: 'unused' } })
  return true
}

const union = (before: readonly string[], added: readonly string[]) => [...new Set([...before, ...added])]

/** @returns the id of the new row; undefined when there is one */
async function insertAutomaticClient(
  tenant: Tenant,
  { scopes, resourceServerIds, ...described }: AllowedClient,
): Promise<string | undefined> {
  const inserted = await tenant
    .insertInto('clients')
    .values({
      ...described,
      id: newId('cli', tenant.now),
      clientType: typeOf(described),
      jwks: described.jwks && JSON.stringify(described.jwks),
      scopes: [...scopes],
      resourceServerIds: [...resourceServerIds],
      requirePkce: true,
      allowPlainPkce: false,
      requireConsent: true,
      createdAt: tenant.now,
      updatedAt: tenant.now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['automaticClientId', 'organisationId'])
        .where('automaticClientId', 'is not', null)
        .where('deletedAt', 'is', null)
        .doNothing(),
    )
    .returning('id')
    .executeTakeFirst()
  return inserted?.id
}

/**
 * For a client that the organisation does not have, locks out all others that are new, until the transaction ends. What shares the row of
 * the organisation comes after it: two that share it could not both change that.
 */
export async function lockForNewClient(tenant: Tenant, automaticClientId: string): Promise<void> {
  if (await automaticClient(tenant, automaticClientId).executeTakeFirst()) return
  await tenant.selectFrom('organisations').select('id').forNoKeyUpdate().execute()
}

/** Returns how many automatic clients the organisation has. It can get no other one until the transaction ends. */
async function lockAndCountAutomaticClients(tenant: Tenant): Promise<number> {
  await tenant.selectFrom('organisations').select('id').forNoKeyUpdate().execute()
  const { count } = await tenant
    .selectFrom('clients')
    .select(sql<number>`count(*)`.as('count'))
    .where('automaticClientId', 'is not', null)
    .where('deletedAt', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

const automaticClient = (tenant: Tenant, automaticClientId: string) =>
  activeClients(tenant).where('clients.automaticClientId', '=', automaticClientId)
