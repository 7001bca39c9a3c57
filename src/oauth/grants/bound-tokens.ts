/** Tokens that are bound to a key (RFC 9449): who has to prove one, and what is bound. */
import type { OAuthExtensions } from '../../clients/extensions.ts'
import { proofRequired } from '../protocol/proof-of-key.ts'
import type { AskedResources } from '../protocol/resources.ts'
import type { Requester } from './grant.ts'

/** @throws OAuthError `invalid_dpop_proof` when one of the resource servers takes only tokens that are bound to a key */
export function requireProofFor(resources: AskedResources | undefined, { client, jkt }: Requester, extensions: OAuthExtensions): void {
  if (jkt !== undefined || !resources?.asked.some(({ requireDpop }) => requireDpop)) return
  throw proofRequired('resource', client, !extensions.has('dpop'))
}

/** The key that refreshes a family. A confidential client authenticates instead, and may change its key. */
export const keyOfFamily = ({ client, jkt }: Requester): string | undefined => (client.clientType === 'public' ? jkt : undefined)
