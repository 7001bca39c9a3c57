/** Tokens that are bound to a key (RFC 9449) or a certificate (RFC 8705): who has to prove one, and what is bound. */
import type { OAuthExtensions } from '../../clients/extensions.ts'
import type { Confirmation } from '../../tokens/issue-tokens.ts'
import { proofRequired } from '../protocol/proof-of-key.ts'
import type { AskedResources } from '../protocol/resources.ts'
import type { Requester } from './grant.ts'

/** @throws OAuthError `invalid_dpop_proof` when one of the resource servers takes only tokens that are bound to a key */
export function requireProofFor(resources: AskedResources | undefined, { client, jkt }: Requester, extensions: OAuthExtensions): void {
  if (jkt !== undefined || !resources?.asked.some(({ requireDpop }) => requireDpop)) return
  throw proofRequired('resource', client, !extensions.has('dpop'))
}

/** What the tokens of a request are bound to. With a proof of a key it is that key: a certificate then authenticates alone. */
export function confirmationOf({ client, jkt, certificate }: Requester): Confirmation | undefined {
  if (jkt !== undefined) return { jkt }
  return client.certificateBoundAccessTokens && certificate !== undefined ? { 'x5t#S256': certificate } : undefined
}

/** The form in which a family stores the certificate that it is bound to, in place of a key. */
export const certificateAsKey = (thumbprint: string) => `x5t#S256:${thumbprint}`

/** What refreshes a family: a key or a certificate. A confidential client authenticates instead, and may change it. */
export function keyOfFamily(requester: Requester): string | undefined {
  if (requester.client.clientType !== 'public') return undefined
  const cnf = confirmationOf(requester)
  return cnf?.['x5t#S256'] === undefined ? cnf?.jkt : certificateAsKey(cnf['x5t#S256'])
}
