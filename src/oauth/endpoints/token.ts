/** POST /oauth2/token (RFC 6749 §3.2): what all grants share, once and in order. */
import type { FastifyRequest } from 'fastify'
import { originOf } from '../../access/caller.ts'
import type { TokenAnswer } from '../grants/answer.ts'
import { authorizationCodeGrant } from '../grants/authorization-code.ts'
import { clientCredentialsGrant } from '../grants/client-credentials.ts'
import type { GrantDependencies, Requester } from '../grants/grant.ts'
import { refreshTokenGrant } from '../grants/refresh-token.ts'
import { authenticateClient, type ClientAuthentication, readClientCredentials } from '../protocol/client-authentication.ts'
import { invalidGrant, OAuthError } from '../protocol/errors.ts'
import { type Parameters, readParameters, refuseMalformed, requiredParameter } from '../protocol/parameters.ts'

const grants = {
  authorization_code: authorizationCodeGrant,
  refresh_token: refreshTokenGrant,
  client_credentials: clientCredentialsGrant,
}

const isGrantType = (name: string): name is keyof typeof grants => Object.hasOwn(grants, name)

/** Parses, authenticates the client, and lets the grant answer. */
export async function requestToken(dependencies: GrantDependencies & ClientAuthentication, request: FastifyRequest): Promise<TokenAnswer> {
  const { parameters, client } = await authenticatedRequest(dependencies, request)
  const grantType = requiredParameter(parameters, 'grant_type')
  if (!isGrantType(grantType)) {
    throw new OAuthError('unsupported_grant_type', 'the grant type is not supported', {
      name: 'grant_type',
      expected: Object.keys(grants),
      received: grantType,
    })
  }
  if (!client.grantTypes.includes(grantType)) {
    throw new OAuthError('unauthorized_client', `the client may not use ${grantType}`, {
      name: 'grant_type',
      expected: client.grantTypes,
      received: grantType,
    })
  }
  if (client.organisationStatus === 'suspended') {
    throw invalidGrant('the organisation is suspended', { name: 'organisation', expected: 'active', received: 'suspended' })
  }
  return grants[grantType](dependencies, { client, origin: originOf(request) }, parameters)
}

/** What every request that a client makes by itself begins with: its parameters, and who it is. */
export async function authenticatedRequest(
  dependencies: ClientAuthentication,
  request: FastifyRequest,
): Promise<{ parameters: Parameters; client: Requester['client'] }> {
  const parameters = readParameters(request.body)
  request.oauth.parameters = parameters
  refuseMalformed(parameters)
  const presented = readClientCredentials(request.headers.authorization, parameters)
  const client = await authenticateClient(dependencies, presented)
  request.oauth.client = client
  request.logContext = { organisationId: client.organisationId, actorId: client.id }
  return { parameters, client }
}
