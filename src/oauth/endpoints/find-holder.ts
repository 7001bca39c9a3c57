/** Automatic clients at the token endpoint: of which organisation one is says only what it presents. */
import { deviceGrantType } from '../../automatic-clients/documents/read-document.ts'
import { findClientOfAssertion } from '../authorization/asserting-clients.ts'
import { findPendingClient } from '../authorization/automatic-devices.ts'
import type { AcceptanceDependencies } from '../authorization/automatic-target.ts'
import type { Grant } from '../grants/grant.ts'
import { jwtBearerGrantType } from '../grants/jwt-bearer.ts'
import { findClientOfGrant, type PresentedGrant } from '../protocol/automatic-clients.ts'
import type { Sent } from '../protocol/parameters.ts'
import type { OAuthClient } from '../protocol/queries.ts'
import { findCompleteGrant, type TokenParameters, unauthorizedClient } from './token.ts'

/** What a token request presents for the grants that automatic clients use. */
interface Presented extends PresentedGrant {
  assertion?: string | undefined
}

interface HolderDependencies extends AcceptanceDependencies {
  /** Those that are offered. */
  grants: readonly Grant[]
}

/**
 * The automatic client that presents what was issued to it, the code of a device that its user has still to allow, or an assertion. Only what
 * belongs to the grant that is named counts.
 *
 * @param address that of the caller
 * @returns undefined for a registration that has been deleted or forgotten
 * @throws OAuthError
 */
export async function findHolder(
  { grants, ...dependencies }: HolderDependencies,
  clientId: string,
  parameters: Sent<TokenParameters>,
  address: string,
): Promise<OAuthClient | undefined> {
  const { grantType } = findCompleteGrant(grants, parameters)
  const { code, refreshToken, deviceCode, assertion } = parameters as Presented
  if (grantType === 'authorization_code') return findClientOfGrant(dependencies, clientId, { code })
  if (grantType === 'refresh_token') return findClientOfGrant(dependencies, clientId, { refreshToken })
  if (grantType === deviceGrantType && deviceCode !== undefined) {
    const pending = await findPendingClient(dependencies, clientId, deviceCode)
    return pending ?? findClientOfGrant(dependencies, clientId, { deviceCode })
  }
  if (grantType === jwtBearerGrantType && assertion !== undefined) return findClientOfAssertion(dependencies, clientId, assertion, address)
  const expected = ['authorization_code', 'refresh_token', deviceGrantType, jwtBearerGrantType]
  throw unauthorizedClient(`the client may not use ${grantType}`, { name: 'grant_type', expected, received: grantType })
}
