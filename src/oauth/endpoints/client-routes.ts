/** /oauth2/token, /device_authorization, /par, /introspect and /revoke: endpoints that clients call themselves, with a form */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { publicAccess } from '../../access/declarations.ts'
import type { RateLimits } from '../../access/rate-limits.ts'
import { isOffered } from '../../clients/extensions.ts'
import { callerAddress } from '../../platform/http/addresses.ts'
import { noSuchAddress } from '../../platform/http/refusals.ts'
import type { App } from '../../platform/http/server.ts'
import type { AccessTokens } from '../../tokens/access-tokens.ts'
import { findClientOfDevice } from '../authorization/automatic-devices.ts'
import { pushedParametersOf } from '../authorization/parameters.ts'
import { findPushingClient, type PushDependencies, pushRequest } from '../authorization/push-request.ts'
import type { Grant, ReadIdentityAssertion } from '../grants/grant.ts'
import { TokenResponse } from '../grants/token-response.ts'
import { findClientOfToken } from '../protocol/automatic-clients.ts'
import { hasProvenItself, type PresentedClient } from '../protocol/client-authentication.ts'
import { certificateRequired, type FindCertificate, thumbprintOf } from '../protocol/client-certificate.ts'
import type { ClientKeySets } from '../protocol/client-key-sets.ts'
import type { DiagnosisStore } from '../protocol/diagnostics.ts'
import { readForms } from '../protocol/forms.ts'
import type { IssuerKeys } from '../protocol/issuer-keys.ts'
import { noteUse } from '../protocol/note-use.ts'
import { type ProofDependencies, proofRequired, takeProof, tellNonce } from '../protocol/proof-of-key.ts'
import type { OAuthClient } from '../protocol/queries.ts'
import { prepareScope } from '../protocol/request-context.ts'
import { forbidStoring, refuseWithJson } from '../protocol/write-refusals.ts'
import { authenticate, beginningWith, readRequest, requesterOf } from './client-request.ts'
import { authorizeDevice, DeviceAuthorization } from './device-authorization.ts'
import { findHolder } from './find-holder.ts'
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
  /** @param findAutomatic finds a client that introduced itself, by what it presents */
  const authenticated = (request: FastifyRequest, presented: PresentedClient, findAutomatic?: () => Promise<OAuthClient | undefined>) =>
    authenticate(authentication, request, presented, automaticClients.recognises(presented.clientId) ? findAutomatic : undefined)
  const grants = all.filter((grant) => isOffered(grant, oauthExtensions))
  // A parameter of a grant that is not offered is described, and masked in a diagnosis.
  const tokenRequest = tokenParameters(all, oauthExtensions)
  const takesProofs = oauthExtensions.has('dpop')
  if (takesProofs) tellNonce(app, dependencies)
  /**
   * Carries out a request that may prove a key. Any stranger can name a public client, and prove a key of their own: of a request that is
   * refused to one, nothing is stored.
   */
  const withKey = async <Result>(
    request: FastifyRequest,
    { client, presented }: { client: OAuthClient; presented: PresentedClient },
    work: (jkt: string | undefined) => Promise<Result>,
  ): Promise<Result> => {
    const proof = takesProofs ? await takeProof(dependencies, request, client) : undefined
    return work(proof?.key).catch(async (error: unknown) => {
      // What cannot be removed must not hide the refusal: it expires.
      if (!hasProvenItself(presented, client)) await proof?.release().catch(() => {})
      throw error
    })
  }
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
      const { presented, parameters } = readRequest(request, findCertificate, tokenRequest)
      const isAutomatic = automaticClients.recognises(presented.clientId)
      // In the same tick as the lookup of the client, so that the two share a round trip.
      const found = isAutomatic ? undefined : findEarly(grants, database, presented, parameters)
      const client = await authenticated(request, presented, () =>
        findHolder({ ...dependencies, grants }, presented.clientId, parameters, callerAddress(request)),
      )
      const issued = await withKey(request, { client, presented }, async (jkt) => {
        if (client.requireDpop && jkt === undefined) throw proofRequired('client', client, !takesProofs)
        const presentedCertificate = findCertificate(request)
        const certificate = thumbprintOf(presentedCertificate)
        if (client.certificateBoundAccessTokens && certificate === undefined)
          throw certificateRequired(presentedCertificate, client, !oauthExtensions.has('mtls'))
        const requester = { ...requesterOf(store, request, client), jkt, certificate }
        return requestToken(grants, grantDependencies, requester, parameters, found)
      })
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
      const { presented, parameters } = readRequest(request, findCertificate, deviceRequest)
      const client = await authenticated(request, presented, () =>
        findClientOfDevice(dependencies, presented.clientId, parameters.resource, callerAddress(request)),
      )
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
      const { presented, received } = readRequest(request, findCertificate, pushedRequest)
      const client = await authenticated(request, presented, () =>
        findPushingClient(dependencies, presented.clientId, received, callerAddress(request)),
      )
      noteProvenUse(request, reply, client, presented)
      const unprovenAddress = hasProvenItself(presented, client) ? undefined : callerAddress(request)
      const pushed = await withKey(request, { client, presented }, (jkt) =>
        pushRequest(dependencies, client, received, { unprovenAddress, jkt }),
      )
      return forbidStoring(reply).code(201).send(pushed)
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
      const { presented, parameters } = readRequest(request, findCertificate, introspectionRequest)
      const client = await authenticate(authentication, request, presented)
      noteProvenUse(request, reply, client, presented)
      const { noteLeftOut } = requesterOf(store, request, client)
      const found = await introspectToken({ database, accessTokens, issuer, oauthExtensions, noteLeftOut }, client, parameters)
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
      const { presented, parameters } = readRequest(request, findCertificate, revocationRequest)
      const isAutomatic = automaticClients.recognises(presented.clientId)
      const find = () => {
        const { token } = revocationRequest.complete(parameters)
        return findClientOfToken({ database, automaticClients, accessTokens }, presented.clientId, token)
      }
      const holder = isAutomatic ? await find() : undefined
      // What was not issued to it is an unknown token, which is no error.
      if (isAutomatic && !holder) return forbidStoring(reply).send({})
      const client = await authenticate(authentication, request, presented, holder && beginningWith(holder, find))
      noteProvenUse(request, reply, client, presented)
      await revokeToken({ database, accessTokens }, requesterOf(store, request, client), parameters)
      return forbidStoring(reply).send({})
    },
  )
}
