/** Devices of applications that have introduced themselves: the resource decides to which organisation one belongs. */
import { type AutomaticClient, AutomaticClientRefused, type AutomaticClients } from '../../automatic-clients/automatic-client.ts'
import { deviceGrantType } from '../../automatic-clients/documents/read-document.ts'
import { hashSecret } from '../../platform/crypto/secrets.ts'
import { statement } from '../../platform/database/statement.ts'
import { AuthorizationPageError, OAuthError } from '../protocol/errors.ts'
import type { OAuthClient } from '../protocol/queries.ts'
import { type AcceptanceDependencies, findAskingClient, findOrganisationByIds, findOrganisationOf } from './automatic-target.ts'
import type { NamedAutomaticClient } from './stored-requests.ts'
import { withoutPage } from './without-page.ts'

/**
 * The automatic client of a device that asks for codes, in the organisation whose resources it asks for.
 *
 * @throws OAuthError
 */
export async function findClientOfDevice(
  dependencies: AcceptanceDependencies,
  clientId: string,
  resource: string | undefined,
  address: string,
): Promise<OAuthClient> {
  return withoutPage(async () => {
    const asking = await findAskingClient(dependencies.automaticClients, clientId, address)
    const found = await findOrganisationOf(dependencies, asking, undefined, resource)
    if (found instanceof OAuthError) throw found
    return found
  })
}

interface UndecidedDevice {
  organisationId: string
  resources: string[]
}

const undecidedDevice = statement<{ codeHash: string; clientId: string }, UndecidedDevice>(
  `select organisation_id as "organisationId", coalesce(resources, '{}') as resources from device_codes
  where device_code_hash = :codeHash and client_id is null and automatic_client ->> 'clientId' = :clientId`,
  { crossesOrganisations: 'a device code says of which organisation an automatic client is' },
)

/**
 * The automatic client of a device that polls before a user has allowed it: it has no row then, and gets no tokens.
 *
 * @returns undefined when no user has still to allow this code
 * @throws OAuthError
 */
export async function findPendingClient(
  dependencies: AcceptanceDependencies,
  clientId: string,
  deviceCode: string,
): Promise<OAuthClient | undefined> {
  const pending = await dependencies.database.pointRead(undecidedDevice, { codeHash: hashSecret(deviceCode), clientId })
  if (!pending) return undefined
  return withoutPage(async () => {
    const asking = await findAskingClient(dependencies.automaticClients, clientId)
    const found = await findOrganisationByIds(dependencies, pending.organisationId, asking, undefined, pending.resources)
    if (found instanceof OAuthError) throw found
    // The code names it so, even if a user has allowed the client elsewhere meanwhile.
    return { ...found, id: clientId }
  })
}

/**
 * The client of a device as it describes itself now.
 *
 * @returns undefined when it is another version than the one that has asked, or cannot be used any more
 */
export async function findSameClient(
  automaticClients: AutomaticClients,
  { clientId, version }: NamedAutomaticClient,
): Promise<AutomaticClient | undefined> {
  const client = await automaticClients.find(clientId).catch((error: unknown) => {
    if (error instanceof AutomaticClientRefused) return undefined
    throw error
  })
  return client?.version === version ? client : undefined
}

/** Whether the organisation still lets the client use these resource servers, and devices. */
export async function isStillAccepted(
  dependencies: AcceptanceDependencies,
  organisationId: string,
  client: AutomaticClient,
  resources: readonly string[],
): Promise<boolean> {
  const found = await findOrganisationByIds(dependencies, organisationId, client, undefined, resources).catch((error: unknown) => {
    if (error instanceof AuthorizationPageError) return undefined
    throw error
  })
  return found !== undefined && !(found instanceof OAuthError) && found.isActive && found.grantTypes.includes(deviceGrantType)
}
