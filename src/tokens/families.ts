/** Families of tokens: how one begins, the query by its refresh token, and its rotation. `revoke-tokens.ts` ends them. */
import { sql } from 'kysely'
import { jsonOf, sourcesOfTokens } from '../claims/statements.ts'
import { daysAfter } from '../platform/clock.ts'
import type { ClaimMapping } from '../platform/database/column-types.ts'
import type { Database, Tenant } from '../platform/database/database.ts'
import { type BoundWrite, boundWrite, type KeyedValues, statement } from '../platform/database/statement.ts'
import { hashesOfRefreshToken, type TokenSubject } from './issue-tokens.ts'
import { clientAuthenticates, type PresentedCredentials } from './presented-client.ts'
import { type AuthorizedResources, resourceServersOf } from './resource-servers.ts'
import { type SubjectState, subjectColumns } from './subject.ts'

export interface StoredRefreshToken {
  clientId: string
  familyId: string
  familyRevokedAt: Date | null
  familyCreatedAt: Date
  /** When the user signed in. */
  authenticatedAt: Date
  scope: readonly string[]
  /** The end of the sign-in's validity by a connection; null for no bound. */
  federatedUntil: Date | null
  /** The end of the consent; null for none. */
  consentedUntil: Date | null
  createdAt: Date
  expiresAt: Date
  /** The thumbprint of the key that it is bound to, or of a certificate, with `x5t#S256:` before it; null for none. */
  jkt: string | null
  /** Whether it is the latest token of the family, which has not been exchanged. */
  isLatest: boolean
  /** The response for which it was exchanged, if the client has a grace for repeating the exchange. */
  storedResponse?: StoredResponse | undefined
}

export interface StoredResponse {
  responseEncrypted: string
  rotatedAt: Date
}

export type RefreshTokenWithSubject = StoredRefreshToken & AuthorizedResources & TokenSubject & SubjectState & { signInId: string | null }

/** @param mappings those of the client, as SQL */
const columnsWith = (mappings: string) => `
  f.id as "familyId", f.refreshed_at as "createdAt", f.refreshable_until as "expiresAt", f.secret_hash = :secretHash as "isLatest",
    f.client_id as "clientId", f.session_id as "sessionId", f.scope, f.resources, f.resource_scopes as "resourceScopes", ${resourceServersOf('f')}, f.jkt, f.revoked_at as "familyRevokedAt",
    f.created_at as "familyCreatedAt", f.authenticated_at as "authenticatedAt",
    f.authentication_methods as "authenticationMethods", f.authentication_context as "authenticationContext",
    f.federated_until as "federatedUntil", f.consented_until as "consentedUntil", f.granted_claims as "grantedClaims", f.sign_in_id as "signInId",
    ${sourcesOfTokens(mappings, 'f')} as "claimSources", ${subjectColumns}`

const tokenByHashes = statement<
  { organisationId: string; selectorHash: string; secretHash: string; claimMappings: string | null },
  RefreshTokenWithSubject
>(`
  select ${columnsWith(':claimMappings::jsonb')}
  from token_families f
  join users u on u.organisation_id = f.organisation_id and u.id = f.user_id
  where f.organisation_id = :organisationId and f.selector_hash = :selectorHash`)

/**
 * The stored state of a refresh token's family, whether the token is its latest or an earlier one, and the current state of the user.
 *
 * @param claimMappings those of the client, if tokens are going to be issued
 */
export async function findRefreshToken(
  database: Database,
  organisationId: string,
  token: string,
  claimMappings: readonly ClaimMapping[] | null = null,
): Promise<RefreshTokenWithSubject | undefined> {
  return database.pointRead(tokenByHashes, { organisationId, ...hashesOfRefreshToken(token), claimMappings: jsonOf(claimMappings) })
}

const tokenOfClient = statement<PresentedCredentials & { selectorHash: string; secretHash: string }, RefreshTokenWithSubject>(
  `
  select ${columnsWith('c.claim_mappings')}
  from clients c
  join token_families f on f.organisation_id = c.organisation_id and f.client_id = c.id and f.selector_hash = :selectorHash
  join users u on u.organisation_id = f.organisation_id and u.id = f.user_id
  where ${clientAuthenticates}`,
  { crossesOrganisations: 'a client_id alone says of which organisation a client is' },
)

/** The same before the client has authenticated; undefined also when its authentication is going to fail. */
export function findRefreshTokenEarly(
  database: Database,
  credentials: PresentedCredentials,
  token: string,
): Promise<RefreshTokenWithSubject | undefined> {
  return database.pointRead(tokenOfClient, { ...credentials, ...hashesOfRefreshToken(token) })
}

const responseByHash = statement<{ organisationId: string; familyId: string; secretHash: string }, StoredResponse>(`
  select answer_encrypted as "responseEncrypted", rotated_at as "rotatedAt"
  from refresh_answers where organisation_id = :organisationId and family_id = :familyId and secret_hash = :secretHash`)

/**
 * Adds the response for which a refresh token was exchanged, if its client has a grace for repeating the exchange. Without it, an earlier
 * token is one that is used twice.
 */
export async function addStoredResponse(
  database: Database,
  organisationId: string,
  presented: string,
  found: StoredRefreshToken | undefined,
  graceSeconds: number,
): Promise<void> {
  if (!found || found.isLatest || graceSeconds <= 0) return
  const { familyId } = found
  const { secretHash } = hashesOfRefreshToken(presented)
  found.storedResponse = await database.pointRead(responseByHash, { organisationId, familyId, secretHash })
}

interface Validity {
  now: Date
  /** The expiry of the refresh token, if the response has one. */
  expiresAt: Date | undefined
  /** The time by which every token of the response has expired. */
  keptUntil: Date
}

/** What a family begins with. */
export interface FirstTokens extends Validity {
  refreshToken: string | undefined
  /** Whether clients are told of the end of sessions. */
  notesClient: boolean
  /** The key that it is bound to, or a certificate. */
  jkt: string | undefined
}

/** Tokens are issued for organisations that are neither suspended nor cancelled. */
const isRunning = "o.status in ('trial', 'active')"

interface NewFamily extends KeyedValues {
  now: Date
  keptUntil: Date
  selectorHash: string | null
  secretHash: string | null
  expiresAt: Date | null
  jkt: string | null
}

/**
 * Notes by which session the client has got tokens, to tell it of the session's end. It is looked at after a minute, and not after the
 * session's idle time-out: the session may have ended while the code was on its way, or may be ending at this moment, unseen.
 */
const noteClient = `noted as (
    insert into session_clients (organisation_id, session_id, client_id, user_id, check_at)
    select organisation_id, session_id, client_id, user_id, :now::timestamptz + interval '1 minute' from claimed
    on conflict do nothing
  )`

/** @param grantedClaims the claims that the user has granted by their names, as SQL */
const insertFamily = (
  grantedClaims: string,
) => `insert into token_families (organisation_id, id, client_id, user_id, session_id, scope, resources, resource_scopes, authenticated_at, authentication_methods, authentication_context,
    connection_id, upstream_session, federated_until, consented_until, granted_claims, sign_in_id, created_at, kept_until, selector_hash, secret_hash, refreshed_at, refreshable_until, jkt)
  select organisation_id, family_id, client_id, user_id, session_id, scope, resources, resource_scopes, authenticated_at, authentication_methods, authentication_context,
    connection_id, upstream_session, federated_until, consented_until, ${grantedClaims}, sign_in_id, :now::timestamptz, :keptUntil::timestamptz + interval '1 day', :selectorHash, :secretHash, :now::timestamptz,
    :expiresAt::timestamptz, :jkt
  from claimed returning id`

/**
 * Claims something by a statement, and begins its family. Without back-channel logout it costs what it did before there was any.
 *
 * @param claim how it is claimed, as SQL: `with claimed as (…)`
 */
const claimed = (claim: string, grantedClaims: string) => ({
  alone: statement<NewFamily, { id: string }>(`${claim}
  ${insertFamily(grantedClaims)}`),
  andNoted: statement<NewFamily, { id: string }>(`${claim}, ${noteClient}
  ${insertFamily(grantedClaims)}`),
})

// Use one statement, so that of any number of uses one begins the family, and none leaves it half begun. An operation that ends a user's
// access uses up the codes; suspending an organisation leaves them, so the statement checks its state.
const claimCode = claimed(
  `with claimed as (
    update authorization_codes k set used_at = :now::timestamptz
    from organisations o
    where k.organisation_id = :organisationId and k.code_hash = :key and k.used_at is null and o.id = k.organisation_id and ${isRunning}
    returning k.organisation_id, k.family_id, k.client_id, k.user_id, k.session_id, k.scope, k.resources, k.resource_scopes, k.authenticated_at, k.authentication_methods,
      k.authentication_context, k.connection_id, k.upstream_session, k.federated_until, k.consented_until, k.granted_claims, k.sign_in_id
  )`,
  'granted_claims',
)

/** Claims an authorization code and begins its family. Only the first caller gets a row, while the organisation is running. */
export function beginFamily(
  organisationId: string,
  codeHash: string,
  { refreshToken, now, expiresAt, keptUntil, jkt, notesClient }: FirstTokens,
): BoundWrite {
  const hashes = refreshToken === undefined ? noHashes : hashesOfRefreshToken(refreshToken)
  return boundWrite(notesClient ? claimCode.andNoted : claimCode.alone, {
    ...{ organisationId, key: codeHash, now, keptUntil, expiresAt: expiresAt ?? null, jkt: jkt ?? null },
    ...hashes,
  })
}

const claimAllowedDevice = claimed(
  `with claimed as (
    update device_codes k set used_at = :now::timestamptz
    from organisations o
    where k.organisation_id = :organisationId and k.device_code_hash = :key and k.decision = 'allow' and k.used_at is null
      and k.expires_at > :now::timestamptz and o.id = k.organisation_id and ${isRunning}
    returning k.organisation_id, k.family_id, k.client_id, k.user_id, k.session_id, k.scope, k.resources, k.resource_scopes, k.authenticated_at, k.authentication_methods,
      k.authentication_context, k.connection_id, k.upstream_session, k.federated_until, k.consented_until, k.sign_in_id
  )`,
  'null::jsonb',
)

/** Claims a device code that its user has allowed, and begins its family. Only the first caller gets a row, while the organisation is running. */
export function beginFamilyOfDevice(
  organisationId: string,
  deviceCodeHash: string,
  { refreshToken, now, expiresAt, keptUntil, jkt, notesClient }: FirstTokens,
): BoundWrite {
  const hashes = refreshToken === undefined ? noHashes : hashesOfRefreshToken(refreshToken)
  return boundWrite(notesClient ? claimAllowedDevice.andNoted : claimAllowedDevice.alone, {
    ...{ organisationId, key: deviceCodeHash, now, keptUntil, expiresAt: expiresAt ?? null, jkt: jkt ?? null },
    ...hashes,
  })
}

interface FamilyOfAssertion {
  id: string
  clientId: string
  userId: string
  connectionId: string
  identityId: string
  scope: readonly string[]
  resources: readonly string[]
  authenticatedAt: Date
  authenticationMethods: readonly string[]
  keptUntil: Date
}

/** Begins a family without a refresh token, of a user who has no session: it ends with the user, the identity and the connection. */
export async function beginFamilyOfAssertion(tenant: Tenant, { id, keptUntil, ...family }: FamilyOfAssertion): Promise<void> {
  await tenant
    .insertInto('tokenFamilies')
    .values({
      ...family,
      id,
      // There is no session that it could end with.
      sessionId: id,
      scope: [...family.scope],
      resources: [...family.resources],
      authenticationMethods: [...family.authenticationMethods],
      createdAt: tenant.now,
      refreshedAt: tenant.now,
      keptUntil: daysAfter(keptUntil, 1),
    })
    .execute()
}

const noHashes = { selectorHash: null, secretHash: null }

interface Rotation extends KeyedValues {
  secretHash: string
  successorHash: string
  jkt: string | null
  now: Date
  expiresAt: Date | null
  keptUntil: Date
}

// Use one statement, so that of any number of uses one rotates. No indexed
// column changes, except kept_until once a day: so no index is written to.
const rotateToken = statement<Rotation, { id: string }>(`
  update token_families f set secret_hash = :successorHash, jkt = coalesce(f.jkt, :jkt), refreshed_at = :now::timestamptz, refreshable_until = :expiresAt::timestamptz,
    kept_until = case when f.kept_until < :keptUntil::timestamptz then :keptUntil::timestamptz + interval '1 day' else f.kept_until end
  from organisations o
  where f.organisation_id = :organisationId and f.selector_hash = :key and f.secret_hash = :secretHash and f.revoked_at is null
    and o.id = f.organisation_id and ${isRunning}
  returning f.organisation_id, f.id`)

const rotateAndKeep = statement<Rotation & { repeatable: string }, object>(`
  with rotated as (${rotateToken.text})
  insert into refresh_answers (organisation_id, family_id, secret_hash, answer_encrypted, rotated_at)
  select organisation_id, id, :secretHash, :repeatable, :now::timestamptz from rotated returning family_id`)

/**
 * Exchanges the latest refresh token of a family for its successor. Only the first caller gets a row, while the organisation is running.
 *
 * @param jkt what the successor is bound to, if the family is bound to nothing yet
 * @param repeatable the encrypted response, if the client may request it again
 */
export function rotateRefreshToken(
  organisationId: string,
  presented: string,
  successor: string,
  { now, expiresAt, keptUntil, jkt, repeatable }: Validity & { jkt: string | undefined; repeatable: string | undefined },
): BoundWrite {
  const { selectorHash: key, secretHash } = hashesOfRefreshToken(presented)
  const { secretHash: successorHash } = hashesOfRefreshToken(successor)
  const values = { organisationId, key, secretHash, successorHash, jkt: jkt ?? null, now, expiresAt: expiresAt ?? null, keptUntil }
  return repeatable === undefined ? boundWrite(rotateToken, values) : boundWrite(rotateAndKeep, { ...values, repeatable })
}

/**
 * Brings the end of a user's families of a client forward, and of codes that begin one: those for one of the resource servers and, if
 * so asked, those for none.
 */
export async function endFamiliesSooner(
  tenant: Tenant,
  { userId, clientId, resources, isOfNone }: { userId: string; clientId: string; resources: readonly string[]; isOfNone: boolean },
  until: Date,
): Promise<void> {
  const sooner = sql`
    set consented_until = least(consented_until, ${until})
    where user_id = ${userId} and client_id = ${clientId}
      and ((${isOfNone}::boolean and resources is null) or resources && ${resources}::text[])`
  // Codes first: this waits for one that is being redeemed, so that its family is then found.
  await sql`update authorization_codes ${sooner} and used_at is null`.execute(tenant)
  await sql`update device_codes ${sooner} and used_at is null`.execute(tenant)
  await sql`update token_families ${sooner} and revoked_at is null`.execute(tenant)
}
