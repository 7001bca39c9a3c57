/** POST /oauth2/token (RFC 6749 §3.2): the steps that all grants share, once and in order. */
import { say } from '../../../shared/checks/said.ts'
import type { OAuthExtensions } from '../../clients/extensions.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Grant, GrantDependencies, Requester } from '../grants/grant.ts'
import { grants as everyGrant } from '../grants/grants.ts'
import type { TokenResponse } from '../grants/token-response.ts'
import { type PresentedClient, presentedCredentials } from '../protocol/client-authentication.ts'
import { type FailedCheck, invalidGrant, invalidRequest, OAuthError } from '../protocol/errors.ts'
import { type Judge, strictly } from '../protocol/judge.ts'
import {
  defineParameters,
  harmless,
  type Parameter,
  type ParameterSchema,
  type Parameters,
  required,
  type Sent,
  withExtensions,
} from '../protocol/parameters.ts'
import type { OAuthClient } from '../protocol/queries.ts'
import { clientCredentials } from '../protocol/shared-parameters.ts'

const grantType = required('The kind of grant', 'authorization_code', harmless)
export type TokenParameters = { grant_type: Parameter } & typeof clientCredentials

/** The parameters of the token endpoint: those of all its grants, each of which is optional for the others. */
export function tokenParameters(grants: readonly Grant[], extensions: OAuthExtensions): ParameterSchema<TokenParameters> {
  return defineParameters<TokenParameters>({
    grant_type: { ...grantType, values: grants.map((grant) => grant.grantType) },
    ...withExtensions({ ...parametersOf(grants), ...clientCredentials }, extensions),
  })
}

function parametersOf(grants: readonly Grant[]): Parameters {
  const merged: Record<string, Parameter> = {}
  for (const { grantType, parameters } of grants) {
    for (const [name, declared] of Object.entries(parameters)) {
      const parameter = { ...declared, isRequired: false, description: `${grantType}: ${declared.description}` }
      const other = merged[name]
      merged[name] = other ? shared(other, parameter) : parameter
    }
  }
  return merged
}

/** A parameter that two grants have. If they differ in what a diagnosis may show of it, it shows nothing. */
const shared = (one: Parameter, other: Parameter): Parameter => ({
  ...one,
  description: `${one.description}. ${other.description}`,
  shown: one.shown === other.shown ? one.shown : undefined,
  isAnyLength: one.isAnyLength || other.isAnyLength,
})

/** Starts looking up what the request concerns, before its client has authenticated. It is awaited only afterwards. */
export function findEarly(
  grants: readonly Grant[],
  database: Database,
  presented: PresentedClient,
  parameters: Sent<TokenParameters>,
): Promise<unknown> | undefined {
  // Its key is not compared by a statement, so nothing is looked up before it has authenticated.
  if (presented.method === 'private_key_jwt' || presented.method === 'federated_credential') return undefined
  const grant = grants.find(({ grantType }) => grantType === parameters.grantType)
  const found = grant?.findEarly?.(database, presentedCredentials(presented, database.clock.now()), parameters)
  // A request that is refused first never awaits it.
  found?.catch(() => {})
  return found
}

/**
 * Lets the requested grant decide, if the client may use it.
 *
 * @param found the result of {@link findEarly}
 */
export async function requestToken(
  grants: readonly Grant[],
  dependencies: GrantDependencies,
  requester: Requester,
  parameters: Sent<TokenParameters>,
  found: Promise<unknown> | undefined,
): Promise<TokenResponse> {
  const grant = findUsableGrant(grants, requester.client, parameters.grantType)
  return grant.grant(dependencies, requester, parameters, await found)
}

/**
 * The requested grant, if it is offered, and the client may use it.
 *
 * @throws OAuthError
 */
export function findUsableGrant(
  grants: readonly Grant[],
  client: Pick<OAuthClient, 'grantTypes' | 'organisationStatus'>,
  grantType: string | undefined,
  judge: Judge = strictly,
): Grant {
  const grant = findOfferedGrant(grants, grantType)
  const mayUse = client.grantTypes.includes(grant.grantType)
  const expected = mayUse ? grant.grantType : client.grantTypes
  const check = { name: 'grant_type', expected, received: grant.grantType } as const
  judge.expect(mayUse, unauthorizedClient, `the client may not use ${grant.grantType}`, check)
  const { organisationStatus } = client
  const isSuspended = organisationStatus === 'suspended'
  judge.expect(!isSuspended, invalidGrant, 'the organisation is suspended', {
    name: 'organisation',
    expected: say('active'),
    received: say(isSuspended ? 'suspended' : 'active'),
  })
  return grant
}

/**
 * What a request is told before it is known who sends it: it names a grant that is offered, and what that grant needs is there.
 *
 * @throws OAuthError `invalid_request`, `unsupported_grant_type`
 */
export function findCompleteGrant(grants: readonly Grant[], parameters: Sent<TokenParameters>): Grant {
  const grant = findOfferedGrant(grants, parameters.grantType)
  grant.requireParameters(parameters)
  return grant
}

function findOfferedGrant(grants: readonly Grant[], grantType: string | undefined): Grant {
  if (grantType === undefined) throw invalidRequest('grant_type is required', { name: 'grant_type', expected: say('a-value') })
  const grant = grants.find((one) => one.grantType === grantType)
  if (grant) return grant
  const { extension } = everyGrant.find((one) => one.grantType === grantType) ?? {}
  throw new OAuthError('unsupported_grant_type', 'the grant type is not supported', {
    name: 'grant_type',
    expected: grants.map((one) => one.grantType),
    received: grantType,
    hint: extension && say('extension-is-off', extension),
  })
}

export const unauthorizedClient = (description: string, check: FailedCheck) => new OAuthError('unauthorized_client', description, check)
