import type { LocalOperator } from '../access/caller.ts'
import { checkAccess } from '../access/checks.ts'
import { allowOrigins } from '../access/cross-origin.ts'
import { sealCursors } from '../access/cursors.ts'
import { describeAccess, headings, introduction, securitySchemesOf, tagDescriptions } from '../access/describe.ts'
import { sessionCookie } from '../access/session-token.ts'
import { openToEveryOrigin } from '../oauth/endpoints/routes.ts'
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
  /** Until when a request must have been read, unless it is the usual time. */
  readTimeouts?: Partial<ReadTimeouts> | undefined
  /** How long work waits after answers that must not betray an account; a random time unless a test decides it. */
  delayAfterResponse?: Delay | undefined
  /** The other processes that serve the port, whose measurements are shown with its own. */
  siblings?: SharedMetrics | undefined
  /** How clients get tokens: all that there are, unless a test adds one. */
  grants?: readonly Grant[] | undefined
  /** Given where the application listens nowhere: every request is then the operator's. */
  localOperator?: LocalOperator | undefined
  /** Undefined where there is no collector. */
  telemetry?: Telemetry | undefined
  /** Whether each response is a line of the log: unless said otherwise, it is. */
  logsResponses?: boolean | undefined
  /** Whether the start is over: until then the service is not ready. */
  hasStarted: () => boolean
}

/** The HTTP application with all that it serves. Asks nothing of the database. */
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
  telemetry?.tracing?.requests(app, config.isTrustedProxy)
  const metrics = measure(app, database, siblings)
  // One of several processes is enough to tell of the database that they share.
  const tellsOfDatabase = siblings === undefined || siblings.worker === '1'
  telemetry?.sendMetrics?.(() => metrics.measured({ ofDatabase: tellsOfDatabase }))
  await allowOrigins(app, database, openToEveryOrigin)
  if (config.apiDocs && config.roles.api)
    describeApi(app, {
      publicUrl,
      securitySchemes: securitySchemesOf(sessionCookieName),
      describe: describeAccess,
      introduction,
      headings,
      tagDescriptions,
    })
  checkAccess(app, { database, keyring, systemApiKey, tenantHeader: config.tenantHeader, sessionCookieName, localOperator })

  refuseOtherMethods(app)
  reportUnknownFields(app, { strict: config.strictInput })
  sealCursors(app, keyring)

  const examine = async () => {
    const [{ examine }, { doctorContext }] = await Promise.all([import('../doctor/examine.ts'), import('./doctor-context.ts')])
    return examine(doctorContext({ config, database, keyring, migrationState: () => schemaState(database.system()) }))
  }
  const needed = {
    ...services,
    examine,
    grants,
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
