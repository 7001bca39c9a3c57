/** /oauth2/register: clients register themselves (RFC 7591, RFC 7592). */
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { originOf } from '../../access/caller.ts'
import { publicAccess } from '../../access/declarations.ts'
import { isUnboundId } from '../../automatic-clients/registrations/queries.ts'
import { emptyResponse } from '../../platform/http/documented-response.ts'
import { pathId } from '../../platform/http/fields.ts'
import { noSuchAddress } from '../../platform/http/refusals.ts'
import type { App } from '../../platform/http/server.ts'
import type { DiagnosisStore } from '../protocol/diagnostics.ts'
import { contextOf, prepareScope } from '../protocol/request-context.ts'
import { forbidStoring } from '../protocol/write-refusals.ts'
import { reportAnswered } from './answered-registrations.ts'
import { registrationTokenMissing } from './errors.ts'
import { deleteRegistration, presentedClient, readRegistration, replaceRegistration } from './manage-registration.ts'
import { metadataSchemas, type ReplacedClientMetadata } from './metadata.ts'
import {
  deleteOpenly,
  type OpenRegistrationDependencies,
  presentedUnboundClient,
  presentUnbound,
  registerOpenly,
  replaceOpenly,
} from './open-registration.ts'
import { ClientInformation } from './present-registration.ts'
import { registerByToken } from './register-client.ts'
import { refuseRegistrations, registrationRefusals } from './write-refusals.ts'

export interface RegistrationRouteDependencies extends OpenRegistrationDependencies, DiagnosisStore {
  /** Whether a client may register without a token. */
  openRegistration: boolean
}

const bodyBytesMax = 64 * 1024

const Registered = z.object({
  id: pathId().meta({ description: 'The client_id of the registration', example: 'cli_01kahm3z9n4v7f2t8q6w5r1y0x' }),
})

export const registrationRoutes = (dependencies: RegistrationRouteDependencies) => async (app: App) => {
  const { database, quotas, grants, oauthExtensions, openRegistration } = dependencies
  const { ClientMetadata, ReplacedClientMetadata } = metadataSchemas(grants)
  prepareScope(app)
  refuseRegistrations(app, { database, quotas })
  // Before the body is read: without the extension there is no such address.
  app.addHook('onRequest', async () => {
    if (!oauthExtensions.has('dynamic_registration')) throw noSuchAddress()
  })
  const isOpen = ({ method, headers }: FastifyRequest) => openRegistration && method === 'POST' && headers.authorization === undefined
  // Before the metadata are looked at.
  app.addHook('preValidation', async (request) => {
    if (!isOpen(request)) bearerOf(request)
  })
  app.addHook('onResponse', (request, reply, done) => {
    const by = request.headers.authorization === undefined ? 'nothing' : 'token'
    // Without the extension nothing was asked for.
    if (request.method === 'POST' && reply.statusCode !== 404) reportAnswered(by, reply.statusCode)
    done()
  })
  const config = { access: publicAccess(), refuses: ['not-found'], oauthEndpoint: 'register' } as const
  const needed = 'Needs the extension `dynamic_registration`: without it there is no such address.'

  app.post(
    '/',
    {
      config: { ...config, protocol: { security: [{ registrationToken: [] }, {}] } },
      bodyLimit: bodyBytesMax,
      schema: {
        operationId: 'registerClient',
        summary: 'Client registration endpoint',
        description: `Registers an OAuth client by itself, in the organisation of the registration token (RFC 7591); without a token only where the operator has set \`OPEN_REGISTRATION=on\`. ${needed}`,
        body: ClientMetadata,
        response: { 201: ClientInformation, ...registrationRefusals },
      },
    },
    async (request, reply) => {
      if (isOpen(request)) {
        const information = await registerOpenly(dependencies, originOf(request), request.body)
        request.logContext = { actorId: information.client_id }
        return forbidStoring(reply).code(201).send(information)
      }
      const { information, organisationId } = await registerByToken(dependencies, originOf(request), bearerOf(request), request.body)
      request.logContext = { organisationId, actorId: information.client_id }
      return forbidStoring(reply).code(201).send(information)
    },
  )

  const ofClient = { ...config, protocol: { security: [{ registrationAccessToken: [] }] } }

  /** The registration of the client that the request is of, which its diagnosis names, too. */
  const registrationOf = async (request: FastifyRequest, id: string) => {
    const [token, origin] = [bearerOf(request), originOf(request)]
    if (openRegistration && isUnboundId(id)) {
      const client = await presentedUnboundClient(database, id, token)
      request.logContext = { actorId: id }
      return {
        read: async () => presentUnbound(dependencies, client, token),
        replace: (sent: ReplacedClientMetadata) => replaceOpenly(dependencies, client, token, sent),
        remove: () => deleteOpenly(dependencies, origin, client),
      }
    }
    const presented = await presentedClient(database, id, token)
    const { organisationId } = presented.client
    contextOf(request).client = { id, organisationId }
    request.logContext = { organisationId, actorId: id }
    return {
      read: () => readRegistration(dependencies, presented),
      replace: (sent: ReplacedClientMetadata) => replaceRegistration(dependencies, origin, presented, sent),
      remove: () => deleteRegistration(dependencies, origin, presented),
    }
  }

  app.get(
    '/:id',
    {
      config: ofClient,
      schema: {
        operationId: 'readClientRegistration',
        summary: 'Read the registration of a client',
        description: `For the client itself (RFC 7592 §2.1). ${needed}`,
        params: Registered,
        response: { 200: ClientInformation, ...registrationRefusals },
      },
    },
    async (request, reply) => {
      const registration = await registrationOf(request, request.params.id)
      return forbidStoring(reply).send(await registration.read())
    },
  )

  app.put(
    '/:id',
    {
      config: ofClient,
      bodyLimit: bodyBytesMax,
      schema: {
        operationId: 'replaceClientRegistration',
        summary: 'Replace the registration of a client',
        description: `For the client itself: metadata that are not sent fall back to their defaults (RFC 7592 §2.2). Other redirect URIs make users decide anew. ${needed}`,
        params: Registered,
        body: ReplacedClientMetadata,
        response: { 200: ClientInformation, ...registrationRefusals },
      },
    },
    async (request, reply) => {
      const registration = await registrationOf(request, request.params.id)
      return forbidStoring(reply).send(await registration.replace(request.body))
    },
  )

  app.delete(
    '/:id',
    {
      config: ofClient,
      schema: {
        operationId: 'deleteClientRegistration',
        summary: 'Delete the registration of a client',
        description: `For the client itself: it is deleted with all its tokens (RFC 7592 §2.3). ${needed}`,
        params: Registered,
        response: { 204: emptyResponse('The client is deleted'), ...registrationRefusals },
      },
    },
    async (request, reply) => {
      const registration = await registrationOf(request, request.params.id)
      await registration.remove()
      return forbidStoring(reply).code(204).send(null)
    },
  )
}

/** @throws OAuthError `invalid_token` */
function bearerOf({ headers: { authorization } }: FastifyRequest): string {
  const token = authorization === undefined ? undefined : /^bearer +([\w\-.~+/]+=*) *$/i.exec(authorization)?.[1]
  if (token === undefined) throw registrationTokenMissing()
  return token
}
