/** Applications that have introduced themselves and present an identity assertion: its resource decides to which organisation one belongs. */
import { say } from '../../../shared/checks/said.ts'
import { invalidGrant, OAuthError } from '../protocol/errors.ts'
import { joinValues } from '../protocol/parameters.ts'
import type { OAuthClient } from '../protocol/queries.ts'
import { readJwt } from '../protocol/signed-by-client.ts'
import { type AcceptanceDependencies, findAskingClient, findOrganisationOf } from './automatic-target.ts'
import { withoutPage } from './without-page.ts'

/**
 * The automatic client of a token request with an assertion, in the organisation of the resource that the assertion names. Nothing of the
 * assertion is believed yet: whose it is, and whether it holds, is checked once the client has authenticated.
 *
 * @throws OAuthError
 */
export async function findClientOfAssertion(
  dependencies: AcceptanceDependencies,
  clientId: string,
  assertion: string,
  address?: string,
): Promise<OAuthClient> {
  const jwt = readJwt(assertion)
  if (!jwt) throw invalidGrant('the assertion is no signed JWT', { name: 'assertion', expected: say('a-signed-jwt') })
  const resources = [jwt.claims.resource].flat().filter((one) => typeof one === 'string')
  return withoutPage(async () => {
    const asking = await findAskingClient(dependencies.automaticClients, clientId, address)
    const found = await findOrganisationOf(dependencies, asking, undefined, joinValues(resources))
    if (found instanceof OAuthError) throw found
    return found
  })
}
