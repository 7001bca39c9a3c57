import type { Actor } from '../activity/actor.ts'
import { bindClient, lockForNewClient } from '../clients/automatic.ts'
import type { Tenant } from '../platform/database/database.ts'
import type { AutomaticClient } from './automatic-client.ts'
import { isBlockedForGood } from './blocked-hosts.ts'

/** What a user allows a client at one resource server. */
interface AllowedResource {
  id: string
  scopes: readonly string[]
}

/**
 * Makes an automatic client a client of the organisation, because a user allows it these resource servers. Until then it has no row there:
 * that a page was opened, or a request cancelled, leaves nothing.
 *
 * @returns the id of its row; undefined when the organisation refuses it by now
 */
export async function allowAutomaticClient(
  tenant: Tenant,
  actor: Actor,
  { clientId, host, version, ...described }: AutomaticClient,
  resources: readonly AllowedResource[],
): Promise<string | undefined> {
  await lockForNewClient(tenant, clientId)
  if (host !== null && (await isBlockedForGood(tenant, host))) return undefined
  return bindClient(tenant, actor, {
    ...described,
    automaticClientId: clientId,
    consentVersion: version,
    resourceServerIds: resources.map(({ id }) => id),
    scopes: [...new Set(resources.flatMap(({ scopes }) => scopes))],
  })
}
