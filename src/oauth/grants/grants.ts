import { authorizationCodeGrant } from './authorization-code.ts'
import { clientCredentialsGrant } from './client-credentials.ts'
import { deviceCodeGrant } from './device-code.ts'
import type { Grant } from './grant.ts'
import { jwtBearerGrant } from './jwt-bearer.ts'
import { refreshTokenGrant } from './refresh-token.ts'
import { tokenExchangeGrant } from './token-exchange.ts'

/**
 * Every grant. The token endpoint, discovery, the registration of clients and the description of the API derive from this list. The first
 * two leave out those of extensions that are off.
 */
export const grants: readonly Grant[] = [
  authorizationCodeGrant,
  refreshTokenGrant,
  clientCredentialsGrant,
  deviceCodeGrant,
  tokenExchangeGrant,
  jwtBearerGrant,
]
