import { systemActor } from '../../activity/actor.ts'
import { changeKeys, findRowsWithOtherKeys } from '../../clients/automatic.ts'
import type { Database } from '../../platform/database/database.ts'
import { withoutKeys } from '../automatic-client.ts'
import type { ClientDocument } from './read-document.ts'

/**
 * Has the rows of a client follow what its document says of authentication, in every organisation that has it: a key that has been replaced
 * must not work on, and one that is new works without a user who signs in.
 */
export async function followDocument(database: Database, clientId: string, document: ClientDocument): Promise<void> {
  const { tokenEndpointAuthMethod, jwks, jwksUri, tokenEndpointAuthSigningAlg } = { ...withoutKeys, ...document }
  const keys = { tokenEndpointAuthMethod, jwks, jwksUri, tokenEndpointAuthSigningAlg }
  for (const { organisationId, id } of await findRowsWithOtherKeys(database, clientId, keys)) {
    await database.transaction(organisationId, (tenant) => changeKeys(tenant, database.clock, systemActor, id, keys))
  }
}
