import { say } from '../../shared/checks/said.ts'
import { isOffered, type OAuthExtensions } from '../clients/extensions.ts'
import { deviceCodeGrant } from '../oauth/grants/device-code.ts'
import type { OAuthClient } from '../oauth/protocol/queries.ts'
import { explainDifference, proveRedirectUri } from '../oauth/protocol/redirect-uri.ts'
import type { Tenant } from '../platform/database/database.ts'
import { type AuthorizationChecks, checkAuthorization } from '../users/explain-authorization.ts'
import { checkPermissions, demandsOf, type SignInSettings } from '../users/explain-permissions.ts'
import type { Finding } from './decide-steps.ts'
import type { AskedSignInCheck } from './schemas.ts'

/** The subject of the check: a user of the organisation, and one of its clients if the request names one. */
interface Subject {
  tenant: Tenant
  userId: string
  client: OAuthClient | undefined
}

export interface ApplicationChecks extends AuthorizationChecks, SignInSettings {
  oauthExtensions: OAuthExtensions
}

/**
 * The steps of an application for a signed-in user, by the functions of its requests; then the permission.
 *
 * @throws Problem `bad-request` for an unknown permission
 */
export async function stepsOfApplication(
  checking: ApplicationChecks,
  { tenant, userId, client }: Subject,
  { redirectUri, permission }: AskedSignInCheck,
): Promise<Finding[]> {
  const demands = demandsOf(checking)
  const found: Finding[] = []
  if (client) {
    const { refusals, asksConsent } = await checkAuthorization(
      checking,
      tenant.organisationId,
      { userId, clientId: client.id, scope: undefined, resource: undefined },
      demands,
    )
    const isRefused = (name: string) => refusals.some(({ check }) => check === name)
    found.push({ code: isRefused('client_id') ? 'client-deactivated' : 'client-active' })
    // Without the code grant, such an application still signs users in whose browser is elsewhere. They are always asked.
    const isOfDevice = isRefused('grant_type') && isGrantOfDevice(checking, client)
    found.push({ code: isOfDevice ? 'device-grant-allowed' : isRefused('grant_type') ? 'no-code-grant' : 'code-grant-allowed' })
    if (redirectUri !== undefined) found.push(redirectUriStep(client, redirectUri))
    // Leave out refusals that earlier steps report already.
    const others = refusals.filter(({ check }) => !saidBefore.has(check))
    const [first] = others
    if (first)
      found.push({
        code: 'authorization-refused',
        values: { description: first.description, endpoint: first.endpoint, check: first.check },
      })
    else if (isOfDevice && refusals.every(({ check }) => check === 'grant_type')) found.push({ code: 'consent-asked' })
    else if (refusals.length === 0) found.push({ code: asksConsent ? 'consent-asked' : 'authorization-granted' })
  }
  if (permission !== undefined) {
    const [check] = await checkPermissions(tenant, [{ userId, permission }], [], demands)
    found.push({ code: check && check.because.length > 0 ? 'permission-held' : 'permission-missing', values: { permission } })
  }
  return found
}

const isGrantOfDevice = ({ oauthExtensions }: ApplicationChecks, { grantTypes }: OAuthClient) =>
  isOffered(deviceCodeGrant, oauthExtensions) && grantTypes.includes(deviceCodeGrant.grantType)

/**
 * The checks that earlier steps report: a revoked client, a missing grant
 * type, and a user or organisation that has lost all authorizations.
 */
const saidBefore: ReadonlySet<string> = new Set(['client_id', 'grant_type', 'organisation', 'authorization'])

function redirectUriStep(client: OAuthClient, redirectUri: string): Finding {
  if (proveRedirectUri(client, redirectUri) !== undefined) return { code: 'redirect-uri-registered' }
  return {
    code: 'redirect-uri-unregistered',
    values: { difference: explainDifference(redirectUri, client.redirectUris) ?? say('none-registered') },
  }
}
