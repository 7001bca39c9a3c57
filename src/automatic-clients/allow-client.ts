import type { Actor } from '../activity/actor.ts'
import { type AllowedBy, bindClient, lockForNewClient } from '../clients/automatic.ts'
import type { Tenant } from '../platform/database/database.ts'
import type { AutomaticClient } from './automatic-client.ts'
import { isBlockedForGood } from './blocked-hosts.ts'
import { holdVersion } from './documents/queries.ts'

/** What is allowed to a client at one resource server. */
interface AllowedResource {
  id: string
  scopes: readonly string[]
}

/**
 * Makes an automatic client a client of the organisation, because a user or a connection allows it these resource servers. Until then it has
 * no row there: that a page was opened, or a request cancelled, leaves nothing.
 *
 * @returns the id of its row; undefined when the organisation refuses it by now, or its document has changed
 */
export async function allowAutomaticClient(
  tenant: Tenant,
  actor: Actor,
  { clientId, host, version, ...described }: AutomaticClient,
  resources: readonly AllowedResource[],
  allowedBy: AllowedBy,
): Promise<string | undefined> {
  await lockForNewClient(tenant, clientId)
  if (host !== null && (await isBlockedForGood(tenant, host))) return undefined
  // The document was read before the transaction. One that has been stored since may have withdrawn keys, which must not return.
  if (described.origin === 'metadata_document' && !(await holdVersion(tenant, clientId, version))) return undefined
  const allowed = {
    ...described,
    automaticClientId: clientId,
    consentVersion: version,
    resourceServerIds: resources.map(({ id }) => id),
    scopes: [...new Set(resources.flatMap(({ scopes }) => scopes))],
  }
  return bindClient(tenant, actor, allowed, allowedBy)
}
