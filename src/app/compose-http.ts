import type { LocalOperator } from '../access/caller.ts'
import { checkAccess } from '../access/checks.ts'
import { allowOrigins } from '../access/cross-origin.ts'
import { sealCursors } from '../access/cursors.ts'
import { describeAccess, headings, introduction, securitySchemesOf, tagDescriptions } from '../access/describe.ts'
import { sessionCookie } from '../access/session-token.ts'
import { readIdentityAssertions } from '../connections/assertions/read-assertion.ts'
import { describeIdempotencyKey } from '../idempotency/describe.ts'
import { repeatAnswers } from '../idempotency/repeat-answers.ts'
import { openEndpointsOf } from '../oauth/endpoints/routes.ts'
import type { Grant } from '../oauth/grants/grant.ts'
import { grants as everyGrant } from '../oauth/grants/grants.ts'
import { developmentMailRoutes } from '../operations/development-mail.ts'
import { measure } from '../operations/metrics.ts'
import { operationRoutes } from '../operations/routes.ts'
import type { SharedMetrics } from '../operations/shared-metrics.ts'
import { sendNotFoundPage } from '../pages/error-page.ts'
import { oauthPages } from '../pages/oauth-pages.ts'
import { schemaState } from '../platform/database/migrate.ts'
import type { Delay } from '../platform/http/after-response.ts'
import { describeApi } from '../platform/http/documentation.ts'
import { refuseOtherMethods } from '../platform/http/method-not-allowed.ts'
import { type App, createServer } from '../platform/http/server.ts'
import { reportUnknownFields } from '../platform/http/unknown-fields.ts'
import type { ReadTimeouts } from '../platform/http/unreadable-requests.ts'
import type { Config } from './config.ts'
import { features } from './features.ts'
import { refusalList } from './refusal-list.ts'
import type { Services } from './services.ts'
import type { Telemetry } from './telemetry/telemetry.ts'

export interface HttpOptions {
  config: Config
  systemApiKey: string
  /** The time limits for reading a request, unless they are the usual ones. */
  readTimeouts?: Partial<ReadTimeouts> | undefined
  /** How long work waits after responses that must not reveal whether an account exists; a random time unless a test sets it. */
  delayAfterResponse?: Delay | undefined
  /** The other processes that serve the port, whose measurements `/metrics` includes. */
  siblings?: SharedMetrics | undefined
  /** The ways for clients to get tokens: all grants of the service, unless a test adds one. */
  grants?: readonly Grant[] | undefined
  /** Set where the application does not listen: then every request comes from the operator. */
  localOperator?: LocalOperator | undefined
  /** Undefined without a collector. */
  telemetry?: Telemetry | undefined
  /** Whether each response is a line of the log; true by default. */
  logsResponses?: boolean | undefined
  /** Adds to the application before its routes. Only the test mode does. */
  extend?: ((app: App) => void) | undefined
  /** Whether the start is over: until then the service is not ready. */
  hasStarted: () => boolean
}

/** Composes the HTTP application with everything that it serves. It does not query the database. */
export async function composeHttp(
  services: Services,
  {
    config,
    systemApiKey,
    readTimeouts,
    delayAfterResponse,
    siblings,
    grants = everyGrant,
    telemetry,
    logsResponses,
    localOperator,
    extend,
    hasStarted,
  }: HttpOptions,
): Promise<App> {
  const { database, keyring, logger, publicUrl, secureCookie } = services
  const sessionCookieName = `${config.sessionCookiePrefix}${sessionCookie}`
  const app = await createServer({
    logger,
    logsResponses,
    problemsHost: config.problemsHost,
    isTrustedProxy: config.isTrustedProxy,
    https: secureCookie,
    delayAfterResponse,
    readTimeouts,
    sendNotFoundPage: (request, reply) => sendNotFoundPage(services, request, reply),
  })
  extend?.(app)
  telemetry?.tracing?.requests(app, config.isTrustedProxy)
  const metrics = measure(app, database, siblings)
  // One of several processes is enough to report on the database that they share.
  const tellsOfDatabase = siblings === undefined || siblings.worker === '1'
  telemetry?.sendMetrics?.(() => metrics.measured({ ofDatabase: tellsOfDatabase }))
  await allowOrigins(app, database, openEndpointsOf(config.oauthExtensions))
  if (config.apiDocs && config.roles.api)
    describeApi(app, {
      publicUrl,
      securitySchemes: securitySchemesOf(sessionCookieName),
      describe: (route) => describeIdempotencyKey(route, describeAccess(route)),
      introduction,
      headings,
      tagDescriptions,
    })
  checkAccess(app, { database, keyring, systemApiKey, tenantHeader: config.tenantHeader, sessionCookieName, localOperator })

  repeatAnswers(app, { database, keyring })

  refuseOtherMethods(app)
  reportUnknownFields(app, { strict: config.strictInput, ofEveryRecord: ['id', 'organisationId', 'createdAt', 'updatedAt'] })
  sealCursors(app, keyring)

  const examine = async () => {
    const [{ examine }, { doctorContext }] = await Promise.all([import('../doctor/examine.ts'), import('./doctor-context.ts')])
    return examine(doctorContext({ config, database, keyring, migrationState: () => schemaState(database.system()) }, services.outgoing))
  }
  const needed = {
    ...services,
    examine,
    grants,
    readIdentityAssertion: readIdentityAssertions(services),
    pages: oauthPages(services),
    metrics,
    metricsReaders: config,
    hasStarted,
    refusals: refusalList,
    isTrustedProxy: config.isTrustedProxy,
  }
  const ofApi = services.mail.inbox === null ? features : [...features, developmentMailRoutes]
  const served = config.roles.api ? ofApi : [operationRoutes]
  for (const { prefix, routes } of served) await app.register((scope: App) => routes(scope, needed), { prefix })
  return app
}
