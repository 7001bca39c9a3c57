import { authorizationCodeGrant } from './authorization-code.ts'
import { clientCredentialsGrant } from './client-credentials.ts'
import type { Grant } from './grant.ts'
import { refreshTokenGrant } from './refresh-token.ts'

/** Every grant: from this list derive the token endpoint, discovery, what a client can be registered for, and the description of the API. */
export const grants: readonly Grant[] = [authorizationCodeGrant, refreshTokenGrant, clientCredentialsGrant]
