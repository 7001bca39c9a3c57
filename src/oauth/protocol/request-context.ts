import type { FastifyRequest } from 'fastify'
import type { App } from '../../platform/http/server.ts'
import type { OAuthEndpoint } from './diagnostics.ts'
import type { ConcernedClient } from './errors.ts'
import type { ParameterSchema, ReceivedParameters } from './parameters.ts'

/** The known facts about an OAuth request, for the explanation of its refusal. */
export interface OAuthContext {
  parameters: ReceivedParameters | undefined
  client: ConcernedClient | undefined
  /** The sign-in that the request is part of, if it is known. */
  signInId: string | null | undefined
}

/** Prepares a scope for OAuth. Each of its routes has to declare which endpoint it belongs to. */
export function prepareScope(scope: App): void {
  scope.decorateRequest('oauth')
  scope.addHook('onRoute', ({ config, url }) => {
    if (!config?.oauthEndpoint) throw new Error(`The route ${url} does not declare its oauthEndpoint`)
  })
}

/** The context, created on first use: a request that is refused before the route's own hooks has none yet. */
export function contextOf(request: FastifyRequest): OAuthContext {
  request.oauth ??= { parameters: undefined, client: undefined, signInId: undefined }
  return request.oauth
}

/** Reads the parameters that an endpoint was sent, once, and stores them in the context for the explanation of a refusal. */
export function receive<Declared>(
  request: FastifyRequest,
  schema: Pick<ParameterSchema<Declared>, 'read'>,
  source: unknown,
): ReceivedParameters<Declared> {
  const received = schema.read(source)
  contextOf(request).parameters = received
  return received
}

/** The endpoint that the route declares: the scope has no other routes. */
export const endpointOf = ({ routeOptions }: FastifyRequest) => routeOptions.config.oauthEndpoint as OAuthEndpoint

declare module 'fastify' {
  interface FastifyRequest {
    /** See {@link contextOf}. */
    oauth?: OAuthContext | undefined
  }
  interface FastifyContextConfig {
    oauthEndpoint?: OAuthEndpoint
  }
}
