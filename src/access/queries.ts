import type { OrganisationStatus } from '../platform/database/column-types.ts'
import type { Database, Tenant } from '../platform/database/database.ts'
import { statement } from '../platform/database/statement.ts'
import { effectivePermissions } from './effective-permissions.ts'
import type { ProofMethod } from './rules.ts'
import { signInSetting } from './sign-in-setting.ts'
import type { Use } from './touch.ts'

export interface StoredSession {
  id: string
  userId: string
  organisationId: string
  revokedAt: Date | null
  expiresAt: Date
  lastActivityAt: Date
  idleTimeout: number
  awaitsMfaEnrolment: boolean
  createdAt: Date
  authenticatedAt: Date
  provenAt: Date | null
  connectionId: string | null
  signInId: string | null
  reauthenticatedWith: string | null
  authenticationMethods: string[]
  email: string
  name: string
  userDeletedAt: Date | null
  blockedAt: Date | null
  organisationSlug: string
  organisationStatus: OrganisationStatus
  ownerId: string | null
  allowedOrigins: string[]
  permissions: string[]
}

/**
 * When the user of a session last proved who they are. An identity provider that does not report the time of a sign-in may have
 * checked days ago: in a session that began there, only factors with a time count.
 */
const provenAt = `
  greatest(s.reauthenticated_at, case when s.connection_id is null or s.proven_factors is null then s.authenticated_at else (
    select max((factor->>'provenAt')::timestamptz) from jsonb_array_elements(s.proven_factors) factor where not factor ? 'isTimeAssumed'
  ) end)`

const sessionByToken = statement<{ tokenHash: string }, StoredSession>(
  `
  select s.id, s.user_id as "userId", s.organisation_id as "organisationId", s.revoked_at as "revokedAt",
    s.expires_at as "expiresAt", s.last_activity_at as "lastActivityAt", s.idle_timeout as "idleTimeout",
    s.awaits_mfa_enrolment as "awaitsMfaEnrolment", s.authenticated_at as "authenticatedAt",
    ${provenAt} as "provenAt", s.reauthenticated_with as "reauthenticatedWith", s.authentication_methods as "authenticationMethods",
    s.connection_id as "connectionId", s.sign_in_id as "signInId", s.created_at as "createdAt",
    u.email, u.name, u.deleted_at as "userDeletedAt", u.blocked_at as "blockedAt",
    o.slug as "organisationSlug", o.status as "organisationStatus", o.owner_id as "ownerId",
    o.allowed_origins as "allowedOrigins",
    array(${effectivePermissions('s.organisation_id', 's.user_id')}) as permissions
  from sessions s
  join users u on u.organisation_id = s.organisation_id and u.id = s.user_id
  join organisations o on o.id = s.organisation_id
  where s.token_hash = :tokenHash`,
  { crossesOrganisations: 'the cookie alone says of which organisation a session is' },
)

/** The session of a cookie with its user, organisation and effective permissions. The cookie alone determines the organisation. */
export async function findSession(database: Database, tokenHash: string): Promise<StoredSession | undefined> {
  return database.pointRead(sessionByToken, { tokenHash })
}

interface HeldProofs {
  hasPassword: boolean
  mfaEnabled: boolean
  hasPasskey: boolean
}

// Of a passkey of another relying party no device can prove anything.
const heldProofs = statement<{ organisationId: string; userId: string; rpId: string }, HeldProofs>(`
  select u.mfa_enabled as "mfaEnabled",
    u.password_hash is not null and (o.owner_id = u.id or ${signInSetting('o', 'password')} <> 'disabled') as "hasPassword",
    ${signInSetting('o', 'passkeys')} <> 'off' and exists (
      select from passkeys p where p.organisation_id = u.organisation_id and p.user_id = u.id and p.rp_id = :rpId
    ) as "hasPasskey"
  from users u join organisations o on o.id = u.organisation_id
  where u.organisation_id = :organisationId and u.id = :userId`)

/**
 * The ways for a user to prove who they are. A user with a second factor has to present it: a password alone is not enough.
 *
 * @param rpId the relying party whose passkeys count; without one, none does
 */
export async function findProofMethods(
  database: Database,
  { organisationId, userId, rpId }: { organisationId: string; userId: string; rpId: string | undefined },
): Promise<ProofMethod[]> {
  const held = await database.pointRead(heldProofs, { organisationId, userId, rpId: rpId ?? '' })
  if (!held) return []
  const typed: ProofMethod[] = held.mfaEnabled ? ['code'] : held.hasPassword ? ['password'] : []
  return held.hasPasskey ? [...typed, 'passkey'] : typed
}

/** Updates the last use of a session, unless another process has recorded one since `notSince`. */
export async function touchSession(database: Database, organisationId: string, sessionId: string, { at, notSince }: Use): Promise<void> {
  await database
    .tenant(organisationId)
    .updateTable('sessions')
    .set({ lastActivityAt: at })
    .where('id', '=', sessionId)
    .where('lastActivityAt', '<', notSince)
    .execute()
}

export interface StoredApiKey {
  id: string
  organisationId: string
  createdById: string
  name: string
  lastUsedAt: Date | null
  organisationSlug: string
  organisationStatus: Exclude<OrganisationStatus, 'cancelled'>
  allowedOrigins: string[]
  permissions: string[]
}

// A key is limited to the permissions that its creator still has, so removing a permission from a user also removes it from
// the keys that they created.
const usableApiKey = (table: string, hash: string) => `
  select k.id, k.organisation_id as "organisationId", k.created_by_id as "createdById", k.name, k.last_used_at as "lastUsedAt",
    o.slug as "organisationSlug", o.status as "organisationStatus", o.allowed_origins as "allowedOrigins",
    array(${effectivePermissions('k.organisation_id', 'k.created_by_id')} and p.slug = any(k.permissions)) as permissions
  from ${table}
  join users u on u.organisation_id = k.organisation_id and u.id = k.created_by_id
  join organisations o on o.id = k.organisation_id
  where ${hash} and k.deleted_at is null and (k.expires_at is null or k.expires_at > :now)
    and u.deleted_at is null and u.blocked_at is null and o.status <> 'cancelled'`

const apiKeyByHash = statement<{ keyHash: string; now: Date }, StoredApiKey>(usableApiKey('api_keys k', 'k.key_hash = :keyHash'), {
  crossesOrganisations: 'the key alone says of which organisation it is',
})

// As the key that it is of, in the same statement: it ends with whatever ends that one.
const apiKeyByExchanged = statement<{ keyHash: string; now: Date }, StoredApiKey>(
  usableApiKey(
    'exchanged_keys x join api_keys k on k.organisation_id = x.organisation_id and k.id = x.api_key_id',
    'x.key_hash = :keyHash and x.expires_at > :now',
  ),
  { crossesOrganisations: 'the key alone says of which organisation it is' },
)

/** The API key with this hash, if it is still valid at this time. The key alone determines the organisation. */
export async function findApiKey(database: Database, keyHash: string, now: Date): Promise<StoredApiKey | undefined> {
  return database.pointRead(apiKeyByHash, { keyHash, now })
}

/** The API key that a short-lived one is of, if both are still valid at this time. */
export async function findExchangedKey(database: Database, keyHash: string, now: Date): Promise<StoredApiKey | undefined> {
  return database.pointRead(apiKeyByExchanged, { keyHash, now })
}

/** Whether a short-lived key is still valid. Hold the key that it is of before: whatever ends the short-lived one has locked that one first. */
export async function isExchangedKeyValid(tenant: Tenant, keyHash: string): Promise<boolean> {
  const found = await tenant
    .selectFrom('exchangedKeys')
    .select('keyHash')
    .where('keyHash', '=', keyHash)
    .where('expiresAt', '>', tenant.now)
    .executeTakeFirst()
  return found !== undefined
}

/** Records that a key was used, at most once a minute across all processes. */
export async function touchApiKey(database: Database, organisationId: string, id: string, { at, notSince }: Use): Promise<void> {
  await database
    .tenant(organisationId)
    .updateTable('apiKeys')
    .set({ lastUsedAt: at })
    .where('id', '=', id)
    .where((key) => key.or([key('lastUsedAt', 'is', null), key('lastUsedAt', '<', notSince)]))
    .execute()
}

/** The organisation that a tenant header names by its slug or id, unless it is cancelled. */
export async function findOrganisationNamed(database: Database, name: string): Promise<{ id: string } | undefined> {
  return (
    database
      .system()
      .selectFrom('organisations')
      .select('id')
      // No slug has an underscore, and every id has one.
      .where((organisation) => organisation.or([organisation('slug', '=', name), organisation('id', '=', name)]))
      .where('status', '!=', 'cancelled')
      .executeTakeFirst()
  )
}

const organisationByOrigin = statement<{ origin: string }, object>(
  "select from organisations where allowed_origins @> array[:origin]::text[] and status <> 'cancelled' limit 1",
  { crossesOrganisations: 'a preflight request does not say for whom it asks' },
)

/** Whether any organisation lets this origin call the API. */
export async function isAllowedOrigin(database: Database, origin: string): Promise<boolean> {
  return (await database.pointRead(organisationByOrigin, { origin })) !== undefined
}

const originsByName = statement<{ organisation: string }, { origins: string[] }>(
  "select allowed_origins as origins from organisations where (slug = :organisation or id = :organisation) and status <> 'cancelled'",
  { crossesOrganisations: 'a slug or an id names the organisation' },
)
const originsByClient = statement<{ clientId: string }, { origins: string[] }>(
  `
  select o.allowed_origins as origins from clients c join organisations o on o.id = c.organisation_id
  where c.id = :clientId and c.deleted_at is null and o.status <> 'cancelled'`,
  { crossesOrganisations: 'a client_id alone says of which organisation a client is' },
)

/** The origins of the organisation with this slug or id, or with this client; empty when there is no such organisation. */
export async function findAllowedOrigins(database: Database, named: { organisation: string } | { clientId: string }): Promise<string[]> {
  const found = 'organisation' in named ? database.pointRead(originsByName, named) : database.pointRead(originsByClient, named)
  return (await found)?.origins ?? []
}
