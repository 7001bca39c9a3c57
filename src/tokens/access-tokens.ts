import type { Phrase } from '../../shared/checks/phrases.ts'
import type { ClaimSources } from '../claims/evaluate.ts'
import { reservedNames } from '../claims/reserved-names.ts'
import { claimSources } from '../claims/statements.ts'
import { hashSecret } from '../platform/crypto/secrets.ts'
import type { ClaimMapping } from '../platform/database/column-types.ts'
import type { Database } from '../platform/database/database.ts'
import { statement } from '../platform/database/statement.ts'
import type { ClientsTable } from '../platform/database/tables.ts'
import { timeOf } from '../platform/ids.ts'
import type { TokenUser } from './claims.ts'
import type { Confirmation, TokenIssuer } from './issue-tokens.ts'
import { verifyJwt } from './jwt.ts'
import { signingAlgorithms, type TokenState, type UserTokenState, whyTokenInvalid, whyUserTokenInvalid } from './rules.ts'

const provenMax = 10_000

/** The claims of an access token that we have signed. */
export interface AccessTokenClaims {
  sub: string
  client_id: string
  /** The client, or the identifiers of resource servers and, with the scope openid, this server. */
  aud: string | readonly string[]
  exp: number
  iat: number
  jti: string
  scope: string
  org: string
  /** How the user signed in, if the request asked for it (RFC 9470 §6). */
  acr?: string
  amr?: readonly string[]
  auth_time?: number
  /** What it is bound to. */
  cnf?: Confirmation
}

interface Proven {
  claims: AccessTokenClaims
  keyId: string
  /** Those of the claims that mappings have added; undefined for none. */
  added: Record<string, unknown> | undefined
}

/** Mappings of a client or a resource server, with what they take their values from now. */
export interface StateOfMappings {
  mappings: ClaimMapping[]
  sources: ClaimSources
  authenticationContext: string | null
  authenticationMethods: string[] | null
}

export type CheckedAccessToken =
  | {
      kind: 'active'
      claims: AccessTokenClaims
      familyId: string | undefined
      user: TokenUser | undefined
      /** The profile of OAuth that its client is held to; null for none. */
      profile: ClientsTable['profile']
      /** The claims that UserInfo returns besides those of the scope; null for none. */
      userinfoClaims: readonly string[] | null
      /** What mappings had added when it was issued. */
      added: Record<string, unknown> | undefined
      mapped: StateOfMappings | null
      mappedByResources: readonly StateOfMappings[] | null
    }
  /** The token was issued by us, and is no longer valid. */
  | { kind: 'inactive'; claims: AccessTokenClaims; reason: Phrase }
  /** The token is no access token of ours. */
  | { kind: 'unknown' }

export interface AccessTokens {
  check(token: string): Promise<CheckedAccessToken>
  /** The claims of a token with a good signature, valid or not. */
  prove(token: string): Promise<AccessTokenClaims | undefined>
}

/**
 * Checks access tokens: the signature, whose proof is cached by the hash of the token since it never changes, then in one query everything
 * that can have ended the token since.
 */
export function checkAccessTokens(database: Database, tokenIssuer: TokenIssuer): AccessTokens {
  const { issuer, signingKeys } = tokenIssuer
  const proven = new Map<string, Proven>()

  const proveSignature = async (token: string, hash: string): Promise<Proven | undefined> => {
    const known = proven.get(hash)
    if (known) return known
    const verified = await verifyJwt(signingKeys, token, { type: 'at+jwt', algorithms: signingAlgorithms })
    if (verified?.claims.iss !== issuer) return undefined
    // A Map retains the order of insertion: delete the oldest.
    if (proven.size >= provenMax) proven.delete(proven.keys().next().value as string)
    const { claims, keyId } = verified
    const fresh = { claims: claims as unknown as AccessTokenClaims, keyId, added: addedIn(claims) }
    proven.set(hash, fresh)
    return fresh
  }

  const proveToken = async (token: string): Promise<Proven | undefined> => {
    const found = await proveSignature(token, hashSecret(token))
    // A withdrawn key invalidates everything that it signed.
    return found && (await signingKeys.verifier(found.keyId)) ? found : undefined
  }

  return {
    prove: async (token) => (await proveToken(token))?.claims,
    async check(token) {
      const found = await proveToken(token)
      if (!found) return { kind: 'unknown' }
      const { claims } = found
      if (claims.exp * 1_000 <= database.clock.now().getTime()) return { kind: 'inactive', claims, reason: 'expired' }
      return stateOf(database, found, resourcesOf(claims, issuer))
    },
  }
}

/** Whether a client_id is the id of a client's row. */
const isRowId = (clientId: string) => clientId.startsWith('cli_')

/** The identifiers of the resource servers that a token is for; null for a token that is for its client. */
export function resourcesOf({ aud, client_id }: AccessTokenClaims, issuer: string): string[] | null {
  if (aud === client_id) return null
  return [aud].flat().filter((identifier) => identifier !== issuer)
}

/** All other claims have names that no mapping can take. */
function addedIn(claims: Record<string, unknown>): Record<string, unknown> | undefined {
  const added = Object.entries(claims).filter(([name]) => !reservedNames.has(name))
  return added.length > 0 ? Object.fromEntries(added) : undefined
}

async function stateOf(database: Database, { claims, added }: Proven, resources: string[] | null): Promise<CheckedAccessToken> {
  const dot = claims.jti.indexOf('.')
  const familyId = dot === -1 ? undefined : claims.jti.slice(0, dot)
  const issuedAt = timeOf(claims.jti.slice(dot + 1))
  const found = await findTokenState(database, claims, { familyId, resources, issuedAt: new Date(issuedAt) })
  if (!found) return { kind: 'inactive', claims, reason: 'client-gone' }
  const reason = whyTokenInvalid(found, issuedAt)
  if (reason) return { kind: 'inactive', claims, reason }
  const { mapped, mappedByResources = null, userinfoClaims, profile } = found
  const seen = { claims, familyId, added, mapped, mappedByResources, userinfoClaims, profile }
  if (familyId === undefined) return { kind: 'active', ...seen, user: undefined }
  if (found.userId === null) return { kind: 'inactive', claims, reason: 'family-removed' }
  const userReason = whyUserTokenInvalid(found)
  if (userReason) return { kind: 'inactive', claims, reason: userReason }
  // The user may have chosen an end since it was issued.
  if (found.consentedUntil && found.consentedUntil <= database.clock.now()) return { kind: 'inactive', claims, reason: 'consent-ended' }
  return { kind: 'active', ...seen, user: { ...found, userId: found.userId } }
}

type StoredTokenState = TokenState &
  UserTokenState &
  Omit<TokenUser, 'userId'> & {
    userId: string | null
    consentedUntil: Date | null
    profile: ClientsTable['profile']
    userinfoClaims: string[] | null
    mapped: StateOfMappings | null
    mappedByResources?: StateOfMappings[] | null
  }
interface TokenNames {
  organisationId: string
  clientId: string
  familyId: string | null
  jti: string
}

/** The state of mappings in a column, as SQL; null without mappings. */
const stateOfMappings = (mappings: string): string => `
  case when ${mappings} is not null then json_build_object('mappings', ${mappings}, 'sources', ${claimSources(
    mappings,
    ['userinfo', 'introspection'],
    { organisation: 'c.organisation_id', user: 'f.user_id', connection: 'f.connection_id', session: 'f.session_id' },
  )}, 'authenticationContext', f.authentication_context, 'authenticationMethods', f.authentication_methods) end`

/** @param further columns, each with a comma after it, and the joins that they need */
const selectState = (further = '', joins = '') => `
  select c.is_active as "clientIsActive", c.deleted_at as "clientDeletedAt", c.tokens_valid_after as "tokensValidAfter",
    c.profile, o.status as "organisationStatus",
    exists (select from revoked_access_tokens r where r.organisation_id = c.organisation_id and r.jti = :jti) as "isRevoked", ${further}
    f.revoked_at as "familyRevokedAt", f.consented_until as "consentedUntil", u.id as "userId", u.blocked_at as "blockedAt", u.deleted_at as "userDeletedAt",
    u.email, u.first_name as "firstName", u.last_name as "lastName", u.name, u.phone,
    u.email_verified_at as "emailVerifiedAt", u.updated_at as "userUpdatedAt", f.granted_claims -> 'userinfo' as "userinfoClaims",
    ${stateOfMappings('c.claim_mappings')} as mapped
  from clients c
  join organisations o on o.id = c.organisation_id
  left join token_families f on f.organisation_id = c.organisation_id and f.id = :familyId
  left join users u on u.organisation_id = f.organisation_id and u.id = f.user_id
  ${joins}
  where c.organisation_id = :organisationId and `

const byId = 'c.id = :clientId'
const tokenState = statement<TokenNames, StoredTokenState>(selectState() + byId)

// A statement of its own, for even unused the subquery costs the database a tenth of a request. An identifier may have been registered anew:
// tokens from before are not for that resource server.
const stateWithResources = selectState(
  'cardinality(:resources::text[]) = named.active as "resourcesAreActive", named.mapped as "mappedByResources",',
  `cross join lateral (
    select count(*) filter (
        where r.is_active and r.created_at <= :issuedAt::timestamptz
          and (r.tokens_valid_after is null or r.tokens_valid_after < :issuedAt::timestamptz)
      ) as active,
      json_agg(${stateOfMappings('r.claim_mappings')} order by r.id) filter (where r.claim_mappings is not null) as mapped
    from resource_servers r
    where r.organisation_id = c.organisation_id and r.identifier = any(:resources::text[])
  ) named`,
)
type TokenWithResources = TokenNames & { resources: readonly string[]; issuedAt: Date }
const resourceTokenState = statement<TokenWithResources, StoredTokenState>(stateWithResources + byId)

// The client_id of an automatic client is that of its rows in all organisations, also of one that was deleted: the family says which it is.
const automaticTokenState = statement<TokenWithResources, StoredTokenState>(
  `${stateWithResources}c.automatic_client_id = :clientId and c.id = f.client_id`,
)

/** @param resources identifiers; null for a token that is for its client */
async function findTokenState(
  database: Database,
  { org, client_id, jti }: AccessTokenClaims,
  { familyId, resources, issuedAt }: { familyId: string | undefined; resources: readonly string[] | null; issuedAt: Date },
): Promise<StoredTokenState | undefined> {
  const named = { organisationId: org, clientId: client_id, familyId: familyId ?? null, jti }
  if (!isRowId(client_id)) return database.pointRead(automaticTokenState, { ...named, resources: resources ?? [], issuedAt })
  return resources === null
    ? database.pointRead(tokenState, named)
    : database.pointRead(resourceTokenState, { ...named, resources, issuedAt })
}
