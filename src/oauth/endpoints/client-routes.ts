/** /oauth2/token, /device_authorization, /par, /introspect and /revoke: endpoints that clients call themselves, with a form */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { originOf } from '../../access/caller.ts'
import { publicAccess } from '../../access/declarations.ts'
import type { RateLimits } from '../../access/rate-limits.ts'
import { isOffered, type OAuthExtensions } from '../../clients/extensions.ts'
import { callerAddress } from '../../platform/http/addresses.ts'
import { noSuchAddress } from '../../platform/http/refusals.ts'
import type { App } from '../../platform/http/server.ts'
import type { AccessTokens } from '../../tokens/access-tokens.ts'
import { findClientOfAssertion } from '../authorization/asserting-clients.ts'
import { findClientOfDevice, findPendingClient } from '../authorization/automatic-devices.ts'
import { pushedParametersOf } from '../authorization/parameters.ts'
import { findPushingClient, type PushDependencies, pushRequest } from '../authorization/push-request.ts'
import type { Grant, ReadIdentityAssertion, Requester } from '../grants/grant.ts'
import { jwtBearerGrantType } from '../grants/jwt-bearer.ts'
import { TokenResponse } from '../grants/token-response.ts'
import { findClientOfGrant, findClientOfToken, type PresentedGrant } from '../protocol/automatic-clients.ts'
import {
  authenticateClient,
  type ClientAuthentication,
  hasProvenItself,
  type PresentedClient,
  readClientCredentials,
} from '../protocol/client-authentication.ts'
import {
  type CertificateHeaders,
  certificateRequired,
  type FindCertificate,
  originAsked,
  thumbprintOf,
} from '../protocol/client-certificate.ts'
import type { ClientKeySets } from '../protocol/client-key-sets.ts'
import type { DiagnosisStore } from '../protocol/diagnostics.ts'
import { readForms } from '../protocol/forms.ts'
import type { IssuerKeys } from '../protocol/issuer-keys.ts'
import { noteLeftOut } from '../protocol/note-left-out.ts'
import { noteUse } from '../protocol/note-use.ts'
import { type ParameterSchema, type ReceivedParameters, refuseMalformed } from '../protocol/parameters.ts'
import { type ProofDependencies, proofRequired, takeProof, tellNonce } from '../protocol/proof-of-key.ts'
import type { OAuthClient } from '../protocol/queries.ts'
import { contextOf, prepareScope, receive } from '../protocol/request-context.ts'
import type { clientCredentials } from '../protocol/shared-parameters.ts'
import { forbidStoring, refuseWithJson } from '../protocol/write-refusals.ts'
import { authorizeDevice, DeviceAuthorization } from './device-authorization.ts'
import { introspectToken } from './introspect.ts'
import { deviceAuthorizationParametersOf, introspectionParametersOf, revocationParametersOf } from './parameters.ts'
import { clientRefusals, consumesForm, introspectionResponse } from './responses.ts'
import { revokeToken } from './revoke.ts'
import { PushedAuthorizationRequest, Revocation } from './schemas.ts'
import { asksForSigned, signedIntrospectionType, signIntrospection } from './signed-introspection.ts'
import { findEarly, requestToken, tokenParameters } from './token.ts'

export interface ClientRouteDependencies extends DiagnosisStore, PushDependencies, ProofDependencies {
  limits: RateLimits
  grants: readonly Grant[]
  openClientKeySets(): Promise<ClientKeySets>
  openIssuerKeys(): Promise<IssuerKeys>
  readIdentityAssertion: ReadIdentityAssertion
}

/** A client authenticates by HTTP Basic, or in the form: by its secret or an assertion. Certificates come by the connection. */
const security = [{ clientSecret: [] }, {}]

/** What a token request presents of an identity assertion. */
interface PresentedAssertion {
  grantType?: string | undefined
  assertion?: string | undefined
}

/** What the endpoints share that clients present credentials to. */
export interface SharedByEndpoints {
  accessTokens: AccessTokens
  findCertificate: FindCertificate
}

export const clientRoutes = (dependencies: ClientRouteDependencies, shared: SharedByEndpoints) => async (app: App) => {
  const { accessTokens, findCertificate } = shared
  const { database, keyring, limits, quotas, pkcePlain, signingKeys, grants: all } = dependencies
  const { issuer: origin, oauthExtensions, automaticClients, openClientKeySets, openIssuerKeys, readIdentityAssertion } = dependencies
  await readForms(app)
  prepareScope(app)
  const store = { database, quotas }
  refuseWithJson(app, store)
  const issuer = { issuer: origin, signingKeys }
  const authentication = {
    database,
    failures: limits.authenticationByClient,
    oauthExtensions,
    openClientKeySets,
    openIssuerKeys,
    issuer: origin,
    mtls: dependencies.mtls,
  }
  const grants = all.filter((grant) => isOffered(grant, oauthExtensions))
  // A parameter of a grant that is not offered is described, and masked in a diagnosis.
  const tokenRequest = tokenParameters(all, oauthExtensions)
  const takesProofs = oauthExtensions.has('dpop')
  if (takesProofs) tellNonce(app, dependencies)
  const keyOf = async (request: FastifyRequest, client: OAuthClient) => (takesProofs ? takeProof(dependencies, request, client) : undefined)
  const deviceRequest = deviceAuthorizationParametersOf(oauthExtensions)
  const pushedRequest = pushedParametersOf(oauthExtensions)
  const introspectionRequest = introspectionParametersOf(oauthExtensions)
  const signsIntrospection = oauthExtensions.has('jwt_introspection')
  const revocationRequest = revocationParametersOf(oauthExtensions)
  const grantDependencies = { database, keyring, pkcePlain, issuer, oauthExtensions, readIdentityAssertion }

  /** Records the use of a client with a secret or a key. Anyone may name a public client, so it has proven nothing here. */
  const noteProvenUse = (request: FastifyRequest, reply: FastifyReply, client: OAuthClient, presented: PresentedClient) => {
    if (hasProvenItself(presented, client)) noteUse(request, reply, database, client, presented)
  }

  /** The automatic client that presents what was issued to it, or the code of a device that its user has still to allow. */
  const findHolder = async (clientId: string, grant: PresentedGrant & PresentedAssertion) => {
    const { deviceCode, assertion, grantType } = grant
    const takesAssertions = grantType === jwtBearerGrantType && oauthExtensions.has('identity_assertions')
    if (takesAssertions && assertion !== undefined) return findClientOfAssertion(dependencies, clientId, assertion)
    const pending = deviceCode === undefined ? undefined : await findPendingClient(dependencies, clientId, deviceCode)
    return pending ?? findClientOfGrant({ database, automaticClients }, clientId, grant)
  }

  app.post(
    '/token',
    {
      config: { access: publicAccess(), oauthEndpoint: 'token', protocol: { security, form: tokenRequest.described } },
      schema: {
        operationId: 'issueTokens',
        summary: 'Token endpoint',
        description: "Exchanges a code, a refresh token or the client's own credentials for tokens (RFC 6749 §3.2).",
        ...consumesForm,
        response: { 200: TokenResponse, ...clientRefusals },
      },
    },
    async (request, reply) => {
      const { presented, parameters } = readRequest(request, findCertificate, tokenRequest, oauthExtensions)
      const isAutomatic = automaticClients.recognises(presented.clientId)
      // In the same tick as the lookup of the client, so that the two share a round trip.
      const found = isAutomatic ? undefined : findEarly(grants, database, presented, parameters)
      const find = isAutomatic ? () => findHolder(presented.clientId, parameters as PresentedGrant & PresentedAssertion) : undefined
      const client = await authenticate(authentication, request, presented, find)
      const jkt = await keyOf(request, client)
      if (client.requireDpop && jkt === undefined) throw proofRequired('client', client, !takesProofs)
      const presentedCertificate = findCertificate(request)
      const certificate = thumbprintOf(presentedCertificate)
      if (client.certificateBoundAccessTokens && certificate === undefined)
        throw certificateRequired(presentedCertificate, client, !oauthExtensions.has('mtls'))
      const requester = { ...requesterOf(store, request, client), jkt, certificate }
      const issued = await requestToken(grants, grantDependencies, requester, parameters, found)
      noteUse(request, reply, database, client, presented)
      return forbidStoring(reply).send(issued)
    },
  )

  app.post(
    '/device_authorization',
    {
      config: {
        access: publicAccess(),
        refuses: ['not-found'],
        oauthEndpoint: 'device_authorization',
        protocol: { security, form: deviceRequest.described },
      },
      schema: {
        operationId: 'authorizeDevice',
        summary: 'Device authorization endpoint',
        description:
          'Gives a device without a browser a code that its user enters in a browser elsewhere (RFC 8628). Needs the extension `device`: without it there is no such address.',
        ...consumesForm,
        response: { 200: DeviceAuthorization, ...clientRefusals },
      },
    },
    async (request, reply) => {
      if (!oauthExtensions.has('device')) throw noSuchAddress()
      const { presented, parameters } = readRequest(request, findCertificate, deviceRequest, oauthExtensions)
      const isAutomatic = automaticClients.recognises(presented.clientId)
      const find = isAutomatic ? () => findClientOfDevice(dependencies, presented.clientId, parameters.resource) : undefined
      const client = await authenticate(authentication, request, presented, find)
      const authorized = await authorizeDevice(
        { database, keyring, limits, oauthExtensions, issuer: origin },
        requesterOf(store, request, client),
        parameters,
      )
      noteUse(request, reply, database, client, presented)
      return forbidStoring(reply).send(authorized)
    },
  )

  app.post(
    '/par',
    {
      config: {
        access: publicAccess(),
        refuses: ['not-found'],
        oauthEndpoint: 'par',
        protocol: { security, form: pushedRequest.described },
      },
      schema: {
        operationId: 'pushAuthorizationRequest',
        summary: 'Push an authorization request',
        description:
          'Takes the parameters of an authorization request, and returns the address that the browser brings in their place, once and within 90 seconds (RFC 9126). Needs the extension `par`: without it there is no such address.',
        ...consumesForm,
        response: { 201: PushedAuthorizationRequest, ...clientRefusals },
      },
    },
    async (request, reply) => {
      if (!oauthExtensions.has('par')) throw noSuchAddress()
      const { presented, received } = readRequest(request, findCertificate, pushedRequest, oauthExtensions)
      const isAutomatic = automaticClients.recognises(presented.clientId)
      const find = isAutomatic ? () => findPushingClient(dependencies, presented.clientId, received) : undefined
      const client = await authenticate(authentication, request, presented, find)
      noteProvenUse(request, reply, client, presented)
      const jkt = await keyOf(request, client)
      const unprovenAddress = hasProvenItself(presented, client) ? undefined : callerAddress(request)
      return forbidStoring(reply)
        .code(201)
        .send(await pushRequest(dependencies, client, received, { unprovenAddress, jkt }))
    },
  )

  app.post(
    '/introspect',
    {
      config: { access: publicAccess(), oauthEndpoint: 'introspect', protocol: { security, form: introspectionRequest.described } },
      schema: {
        operationId: 'introspectToken',
        summary: 'Introspect a token',
        description:
          "Says whether a token of the client's organisation is active, and what is in it (RFC 7662). With the extension `jwt_introspection`, a client that accepts `application/token-introspection+jwt` gets the response signed (RFC 9701).",
        ...consumesForm,
        response: { 200: introspectionResponse, ...clientRefusals },
      },
    },
    async (request, reply) => {
      const { presented, parameters } = readRequest(request, findCertificate, introspectionRequest, oauthExtensions)
      const client = await authenticate(authentication, request, presented)
      noteProvenUse(request, reply, client, presented)
      const { noteLeftOut } = requesterOf(store, request, client)
      const found = await introspectToken({ database, accessTokens, issuer, noteLeftOut }, client, parameters)
      if (!signsIntrospection || !asksForSigned(request.headers.accept)) return forbidStoring(reply).send(found)
      const signed = await signIntrospection(issuer, client, found, database.clock.now())
      return forbidStoring(reply).type(signedIntrospectionType).send(signed)
    },
  )

  app.post(
    '/revoke',
    {
      config: { access: publicAccess(), oauthEndpoint: 'revoke', protocol: { security, form: revocationRequest.described } },
      schema: {
        operationId: 'revokeToken',
        summary: 'Revoke a token',
        description: 'Revokes a refresh token with its whole family, or an access token. An unknown token is not an error (RFC 7009).',
        ...consumesForm,
        response: { 200: Revocation, ...clientRefusals },
      },
    },
    async (request, reply) => {
      const { presented, parameters } = readRequest(request, findCertificate, revocationRequest, oauthExtensions)
      const isAutomatic = automaticClients.recognises(presented.clientId)
      const holder = isAutomatic
        ? await findClientOfToken({ database, accessTokens }, presented.clientId, revocationRequest.complete(parameters).token)
        : undefined
      // What was not issued to it is an unknown token, which is no error.
      if (isAutomatic && !holder) return forbidStoring(reply).send({})
      const client = await authenticate(authentication, request, presented, holder && (async () => holder))
      noteProvenUse(request, reply, client, presented)
      await revokeToken({ database, accessTokens }, requesterOf(store, request, client), parameters)
      return forbidStoring(reply).send({})
    },
  )
}

/** The client that sends a request. A code or token of another client reveals nothing about the sign-in of this one. */
function requesterOf(store: DiagnosisStore, request: FastifyRequest, client: OAuthClient): Requester {
  const noteSignIn: Requester['noteSignIn'] = (presented) => {
    if (presented?.clientId === client.id) contextOf(request).signInId = presented.signInId
  }
  return {
    client,
    origin: originOf(request),
    jkt: undefined,
    certificate: undefined,
    noteSignIn,
    noteLeftOut: (claims) => noteLeftOut(store, request, client, claims),
  }
}

/** Reads what every request of a client begins with: its parameters and credentials. */
function readRequest<Declared extends typeof clientCredentials>(
  request: FastifyRequest,
  findCertificate: FindCertificate,
  schema: ParameterSchema<Declared>,
  extensions: OAuthExtensions,
): { presented: PresentedClient; received: ReceivedParameters<Declared>; parameters: ReceivedParameters<Declared>['values'] } {
  const received = receive(request, schema, request.body)
  refuseMalformed(received)
  const parameters = received.values
  const presented = readClientCredentials(request.headers.authorization, parameters, extensions)
  if (presented.method === 'none') presented.certificate = findCertificate(request)
  return { presented, received, parameters }
}

interface EndpointAuthentication extends ClientAuthentication {
  issuer: string
  mtls: CertificateHeaders | undefined
}

async function authenticate(
  { issuer, mtls, ...authentication }: EndpointAuthentication,
  request: FastifyRequest,
  presented: PresentedClient,
  find?: () => Promise<OAuthClient | undefined>,
): Promise<OAuthClient> {
  // RFC 7523 §3 and RFC 9126 §2: clients name the service by its issuer, by its token endpoint, or by the endpoint that they call.
  const asked = originAsked({ issuer, mtls }, request)
  const audiences = [issuer, `${issuer}/oauth2/token`, `${issuer}${request.routeOptions.url}`]
  if (asked !== issuer) audiences.push(`${asked}/oauth2/token`, `${asked}${request.routeOptions.url}`)
  const client = await authenticateClient(authentication, presented, audiences, find)
  contextOf(request).client = client
  request.logContext = { organisationId: client.organisationId, actorId: client.id }
  return client
}
