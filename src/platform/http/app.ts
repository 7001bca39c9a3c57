import type { IncomingMessage, ServerResponse } from 'node:http'
import type {
  FastifyBaseLogger,
  FastifyContextConfig,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  RawServerDefault,
  RouteGenericInterface,
  RouteShorthandOptions,
} from 'fastify'
import type { ResolveFastifyReplyReturnType } from 'fastify/types/type-provider.js'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'

type FastifyApp = FastifyInstance<RawServerDefault, IncomingMessage, ServerResponse, FastifyBaseLogger, ZodTypeProvider>

/** The HTTP application that features register their routes with. The access that a route declares types its handler's request. */
export interface App extends Omit<FastifyApp, 'get' | 'post' | 'patch' | 'delete'> {
  get: AddRoute
  post: AddRoute
  patch: AddRoute
  delete: AddRoute
}

// This is taken from a method, since TypeScript compares the parameters of methods both ways: Fastify's own instance, which plugins are
// called with, then passes as an App.
type AddRoute = {
  method<Config extends RouteConfig, const Schema extends FastifySchema>(
    path: string,
    options: RouteOptions<Config, Schema>,
    handler: Handler<Config, Schema>,
  ): unknown
}['method']

type RouteConfig = FastifyContextConfig & { access: { kind: keyof RequestByAccess } }

interface RouteOptions<Config, Schema extends FastifySchema>
  extends Omit<
    RouteShorthandOptions<RawServerDefault, IncomingMessage, ServerResponse, RouteGenericInterface, Config, Schema, ZodTypeProvider>,
    'config'
  > {
  config: Config
}

type Handler<Config extends RouteConfig, Schema extends FastifySchema> = (
  request: FastifyRequest<RouteGenericInterface, RawServerDefault, IncomingMessage, Schema, ZodTypeProvider, Config> &
    RequestByAccess[Config['access']['kind']],
  reply: FastifyReply<RouteGenericInterface, RawServerDefault, IncomingMessage, ServerResponse, Config, Schema, ZodTypeProvider>,
) => ResolveFastifyReplyReturnType<ZodTypeProvider, Schema, RouteGenericInterface>

/** The properties that a route's access checks add to its request, by the kind of access; `access` declares the other kinds. */
export interface RequestByAccess {
  public: unknown
}
