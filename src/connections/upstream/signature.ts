import type { JSONWebKeySet } from 'jose'
import { createLocalJWKSet } from 'jose/jwks/local'
import { compactVerify } from 'jose/jws/compact/verify'
import { say } from '../../../shared/checks/said.ts'
import type { Checks } from './checks.ts'
import { algorithms } from './id-token.ts'
import { explain, type OpenIdSession } from './open-id-connect.ts'

/**
 * Checks that a key of the provider, whose documents have been discovered, has signed a token. What the token says is checked before: no key is fetched for another issuer's.
 *
 * @throws UpstreamRefusal
 */
export async function checkSignature({ conversation }: OpenIdSession, token: string, checks: Checks): Promise<void> {
  // By it the conversation knows which key is asked for.
  conversation.tokens = { id_token: token }
  const keys = say('valid-by-a-key-of', String(conversation.keysUrl))
  try {
    const response = await conversation.fetch(conversation.keysUrl ?? '', {})
    if (response.status !== 200) throw new Error(`${conversation.keysUrl}: status ${response.status}`)
    await compactVerify(token, createLocalJWKSet((await response.json()) as JSONWebKeySet), { algorithms })
  } catch (error) {
    checks.fail('signature', keys, explain(error, conversation), 'browser', error)
  }
  checks.add('signature', keys, say('valid'), true)
}
