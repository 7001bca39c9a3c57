import type { Phrase } from '../../shared/checks/phrases.ts'
import { uriCharacters } from '../organisations/rules.ts'
import type { OrganisationStatus, SigningAlgorithm } from '../platform/database/column-types.ts'

/** The longest lifetime of a JWT, whatever a client or a policy sets: a key is published for as long after it last signed. */
export const jwtSecondsMax = 30 * 86_400
/** The time for which a key is published before it signs: longer than a client may cache the key set. */
export const publishedAheadSeconds = 900
/** The time for which a key signs. */
export const signsForSeconds = 90 * 86_400

/** The algorithms of the keys, in the order of publication. */
export const signingAlgorithms = ['EdDSA', 'RS256'] as const satisfies readonly SigningAlgorithm[]

interface Timing {
  algorithm: SigningAlgorithm
  signsFrom: Date
  /** The time from which it is no longer published. */
  retiresAt: Date | null
}

/**
 * The key that signs at a moment: the newest whose time has come. The very first key signs at once, even when this machine's clock is a
 * little behind that of the machine which created it.
 */
export function signingKeyAt<Key extends Timing>(keys: readonly Key[], algorithm: SigningAlgorithm, now: Date): Key | undefined {
  const candidates = keys
    .filter((key) => key.algorithm === algorithm && !isRetired(key, now))
    .sort((one, other) => one.signsFrom.getTime() - other.signsFrom.getTime())
  return candidates.findLast(({ signsFrom }) => signsFrom <= now) ?? candidates[0]
}

/** The keys that verifiers have to know: all but the retired ones, Ed25519 first, the newest first. */
export function publishedKeys<Key extends Timing>(keys: readonly Key[], now: Date): Key[] {
  return keys
    .filter((key) => !isRetired(key, now))
    .sort(
      (one, other) =>
        signingAlgorithms.indexOf(one.algorithm) - signingAlgorithms.indexOf(other.algorithm) ||
        other.signsFrom.getTime() - one.signsFrom.getTime(),
    )
}

/** The state of a key at a moment. */
export function stateOf(
  key: Timing & { id: string },
  keys: readonly (Timing & { id: string })[],
  now: Date,
): 'current' | 'next' | 'retiring' {
  if (key.id === signingKeyAt(keys, key.algorithm, now)?.id) return 'current'
  return key.signsFrom > now ? 'next' : 'retiring'
}

function isRetired({ retiresAt }: Timing, now: Date): boolean {
  return retiresAt !== null && retiresAt <= now
}

/**
 * The form in which the identifiers of resource servers are stored and compared, as strings: scheme and host in lower case, and an empty
 * path without its slash, since clients send both. Undefined for anything but an absolute URI without a fragment (RFC 8707 §2).
 */
export function resourceIdentifierOf(uri: string): string | undefined {
  if (!uriCharacters.test(uri) || !URL.canParse(uri)) return undefined
  const [, scheme = '', authority = '', path = '', query = ''] = /^([a-z][a-z\d+.-]*:)(\/\/[^/?#]*)?([^?#]*)(\?[^#]*)?$/i.exec(uri) ?? []
  return scheme === '' ? undefined : `${scheme.toLowerCase()}${authority.toLowerCase()}${path === '/' ? '' : path}${query}`
}

/** The state in the database of a token whose signature is good. */
export interface TokenState {
  clientIsActive: boolean
  clientDeletedAt: Date | null
  tokensValidAfter: Date | null
  organisationStatus: OrganisationStatus
  /** Whether the token itself was revoked. */
  isRevoked: boolean
  /** Whether every resource server that it names has accepted its tokens ever since; true when it names none. */
  resourcesAreActive?: boolean | undefined
}

/** The state in the database of a user's token. */
export interface UserTokenState {
  familyRevokedAt: Date | null
  blockedAt: Date | null
  userDeletedAt: Date | null
}

/** The reason why a token is no longer valid; undefined while it is. @param issuedAt milliseconds since the epoch */
export function whyTokenInvalid(state: TokenState, issuedAt: number): Phrase | undefined {
  if (state.clientDeletedAt) return 'client-deleted'
  if (!state.clientIsActive) return 'client-revoked'
  // Using `<` would not do: a token of the same millisecond may have been issued before.
  if (state.tokensValidAfter && !(issuedAt > state.tokensValidAfter.getTime())) return 'client-revoked-since'
  if (state.organisationStatus === 'suspended') return 'organisation-suspended'
  if (state.organisationStatus === 'cancelled') return 'organisation-cancelled'
  if (state.resourcesAreActive === false) return 'resource-server-inactive'
  return state.isRevoked ? 'itself-revoked' : undefined
}

/** The reason why a user's token is no longer valid because of the user; undefined while it is. */
export function whyUserTokenInvalid(state: UserTokenState): Phrase | undefined {
  if (state.familyRevokedAt) return 'family-revoked'
  if (state.blockedAt) return 'user-blocked'
  return state.userDeletedAt ? 'user-deleted' : undefined
}

/**
 * The expiry of a refresh token: as it was stored, and no later than its
 * client's current absolute lifetime, or than its connection and the user's consent allow.
 */
export function refreshableUntil(
  {
    authenticatedAt,
    federatedUntil,
    consentedUntil,
    expiresAt,
  }: { authenticatedAt: Date; federatedUntil: Date | null; consentedUntil: Date | null; expiresAt: Date },
  absoluteLifetimeSeconds: number,
): Date {
  const endsAt = authenticatedAt.getTime() + absoluteLifetimeSeconds * 1_000
  return new Date(Math.min(endsAt, expiresAt.getTime(), federatedUntil?.getTime() ?? endsAt, consentedUntil?.getTime() ?? endsAt))
}
