import { say } from '../../../shared/checks/said.ts'
import { verifyJwt } from '../../tokens/jwt.ts'
import { signingAlgorithms } from '../../tokens/rules.ts'
import type { SigningKeys } from '../../tokens/signing-keys.ts'
import { invalidRequest } from './errors.ts'

/** The contents of an ID token that we have issued: the user and client that it was for. */
export interface IdTokenHint {
  subject: string
  clientId: string
  /** The session that the user had signed in to. */
  sessionId: string
}

/**
 * Reads `id_token_hint`. An expired one is accepted: it only says who is meant.
 *
 * @throws OAuthError `invalid_request` when it is not an ID token of ours
 */
export async function readIdTokenHint(
  { signingKeys, issuer }: { signingKeys: SigningKeys; issuer: string },
  hint: string | undefined,
): Promise<IdTokenHint | undefined> {
  if (hint === undefined) return undefined
  const verified = await verifyJwt(signingKeys, hint, { type: 'JWT', algorithms: signingAlgorithms })
  const { iss, sub, aud, sid } = verified?.claims ?? {}
  if (iss !== issuer || typeof sub !== 'string' || typeof aud !== 'string' || typeof sid !== 'string') {
    throw invalidRequest('id_token_hint is not an ID token of this issuer', {
      name: 'id_token_hint',
      expected: say('an-id-token-of-this-issuer'),
      received: hint,
    })
  }
  return { subject: sub, clientId: aud, sessionId: sid }
}
