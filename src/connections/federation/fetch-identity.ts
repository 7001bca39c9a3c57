import { say } from '../../../shared/checks/said.ts'
import { verifiedDomainsOf } from '../../domains/queries.ts'
import { checkOf, UpstreamRefusal } from '../upstream/checks.ts'
import type { UpstreamIdentity } from '../upstream/upstream.ts'
import { hasOverage } from './person.ts'
import type { ConnectionToUse } from './queries.ts'
import type { FederationRequest } from './request-queries.ts'
import { fetchSamlIdentity } from './saml-response.ts'
import { settingsOf } from './settings.ts'
import { type Federation, nonceOf, type Secrets, secretsOf } from './start.ts'

/** Fetches the identity from its provider. It holds no lock meanwhile, however long that takes. */
export async function fetchIdentity(
  federation: Federation,
  connection: ConnectionToUse,
  request: FederationRequest,
  parameters: URLSearchParams,
): Promise<UpstreamIdentity | UpstreamRefusal> {
  const secrets = secretsOf(federation, request)
  try {
    const identity = await (connection.provider === 'saml'
      ? fetchSamlIdentity(federation, connection, request, secrets)
      : fetchOpenIdentity(federation, connection, secrets, parameters))
    return checkGroups(connection, identity)
  } catch (error) {
    if (error instanceof UpstreamRefusal) return error
    throw error
  }
}

async function fetchOpenIdentity(
  federation: Federation,
  connection: ConnectionToUse,
  { verifier, maxAge }: Secrets,
  parameters: URLSearchParams,
): Promise<UpstreamIdentity> {
  const { database } = federation
  const upstream = await federation.openUpstream()
  const domains = await verifiedDomainsOf(database.tenant(connection.organisationId))
  const names = domains.map(({ domain }) => domain)
  const settings = settingsOf(federation, connection, names, database.clock.now())
  const expected = { state: parameters.get('state') ?? '', nonce: nonceOf(verifier), verifier, maxAge }
  return upstream.identityFrom(settings, parameters, expected)
}

function checkGroups(
  { mapping, roleMappings, teamMappings }: ConnectionToUse,
  identity: UpstreamIdentity,
): UpstreamIdentity | UpstreamRefusal {
  if (!hasOverage(identity.claims, mapping, [...roleMappings, ...teamMappings])) return identity
  const { checks, claims } = identity
  return new UpstreamRefusal([...checks, checkOf('groups', say('in-the-token'), say('a-link-instead'), false)], 'browser', { claims })
}
