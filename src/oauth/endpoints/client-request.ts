/** What every request of a client begins with: its parameters, its credentials, and who sends it. */
import type { FastifyRequest } from 'fastify'
import { originOf } from '../../access/caller.ts'
import type { Requester } from '../grants/grant.ts'
import {
  authenticateClient,
  type ClientAuthentication,
  type PresentedClient,
  readClientCredentials,
} from '../protocol/client-authentication.ts'
import { type CertificateHeaders, type FindCertificate, originAsked } from '../protocol/client-certificate.ts'
import type { DiagnosisStore } from '../protocol/diagnostics.ts'
import { noteLeftOut } from '../protocol/note-left-out.ts'
import { type ParameterSchema, type ReceivedParameters, refuseMalformed } from '../protocol/parameters.ts'
import type { OAuthClient } from '../protocol/queries.ts'
import { contextOf, receive } from '../protocol/request-context.ts'
import type { clientCredentials } from '../protocol/shared-parameters.ts'

/** The client that sends a request. A code or token of another client reveals nothing about the sign-in of this one. */
export function requesterOf(store: DiagnosisStore, request: FastifyRequest, client: OAuthClient): Requester {
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
export function readRequest<Declared extends typeof clientCredentials>(
  request: FastifyRequest,
  findCertificate: FindCertificate,
  schema: ParameterSchema<Declared>,
): { presented: PresentedClient; received: ReceivedParameters<Declared>; parameters: ReceivedParameters<Declared>['values'] } {
  const received = receive(request, schema, request.body)
  refuseMalformed(received)
  const parameters = received.values
  const presented = readClientCredentials(request.headers.authorization, parameters)
  if (presented.method === 'none') presented.certificate = findCertificate(request)
  return { presented, received, parameters }
}

/** A look-up whose first result is known already. Each further call reads again, so that a change meanwhile is noticed. */
export function beginningWith<Found>(first: Found, find: () => Promise<Found | undefined>): () => Promise<Found | undefined> {
  const results = [first]
  return async () => results.pop() ?? find()
}

interface EndpointAuthentication extends ClientAuthentication {
  issuer: string
  mtls: CertificateHeaders | undefined
}

export async function authenticate(
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
