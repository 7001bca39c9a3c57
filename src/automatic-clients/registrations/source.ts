import { consentVersionOf } from '../../clients/automatic.ts'
import type { Database } from '../../platform/database/database.ts'
import { type AutomaticClientSource, withoutKeys } from '../automatic-client.ts'
import { findUnboundClient, isUnboundId } from './queries.ts'

/** Clients that registered themselves openly. No host vouches for one, and its logo is not shown: any stranger may have chosen it. */
export const registrationSource = (database: Database): AutomaticClientSource => ({
  recognises: isUnboundId,
  async find(clientId) {
    const client = await findUnboundClient(database, clientId)
    if (!client) return undefined
    const { name, redirectUris, grantTypes, idTokenSignedResponseAlg, ipAddress } = client
    const version = consentVersionOf(redirectUris)
    return {
      ...{ clientId, origin: 'registration', name, redirectUris, grantTypes, idTokenSignedResponseAlg, version },
      ...withoutKeys,
      ...{ logoUrl: null, host: null, registeredFrom: ipAddress },
    }
  },
  mayExist: async (clientId) => (await findUnboundClient(database, clientId)) !== undefined,
  // It has none.
  renewKeys: async () => {},
})
