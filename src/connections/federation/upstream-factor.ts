import type { Keyring } from '../../platform/crypto/keyring.ts'
import type { ProvenFactor } from '../../sessions/proven-factors.ts'
import { sealIdToken } from '../../sessions/upstream-id-token.ts'
import type { Connection } from '../queries.ts'
import type { UpstreamIdentity } from '../upstream/upstream.ts'

/** The factor that a sign-in at the identity provider proves to us: a second factor only if the connection trusts it. */
export function upstreamFactorOf(
  now: Date,
  keyring: Keyring,
  { id, trustsMfa, mfaContexts, upstreamLogout }: Connection,
  identity: UpstreamIdentity,
): ProvenFactor {
  const { amr, acr, subject, sessionId, sessionEndsAt, idToken = '' } = identity
  const isToSignOut = upstreamLogout && idToken !== '' && idToken.length <= idTokenMax
  const hasSecond = trustsMfa && (amr.includes('mfa') || (acr !== undefined && mfaContexts.includes(acr)))
  return {
    factor: hasSecond ? 'federated_mfa' : 'federated',
    provenAt: provenAtOf(now, identity),
    ...(identity.authTime === undefined && { isTimeAssumed: true }),
    ...(trustsMfa && { amr: amr.filter((method) => registeredMethods.has(method)) }),
    upstream: {
      connectionId: id,
      subject,
      ...(sessionId !== undefined && { sessionId }),
      ...(sessionEndsAt && { endsAt: sessionEndsAt.toISOString() }),
      ...(isToSignOut && { idTokenEncrypted: sealIdToken(keyring, id, idToken) }),
    },
  }
}

/** A sign-in within the last minute counts as one of now: clocks differ, and identity providers count in seconds. */
const skewMilliseconds = 60_000

/** When the user proved who they are at the identity provider: an old session there is no new sign-in here. */
export function provenAtOf(now: Date, { authTime, issuedAt }: Pick<UpstreamIdentity, 'authTime' | 'issuedAt'>): Date {
  const at = authTime ?? issuedAt ?? now
  return now.getTime() - at.getTime() <= skewMilliseconds ? now : at
}

/** A longer ID token would not fit into the URL of a sign-out. */
const idTokenMax = 4_096

/** RFC 8176 §2 without `mfa`, which follows from the factors. */
const registeredMethods = new Set('face fpt geo hwk iris kba mca otp pin pop pwd rba retina sc sms swk tel user vbm wia'.split(' '))
