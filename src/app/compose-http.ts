import { checkAccess } from '../access/checks.ts'
import { allowOrigins } from '../access/cross-origin.ts'
import { describeAccess, headings, introduction } from '../access/describe.ts'
import { sessionCookie } from '../access/session-token.ts'
import { apiKeyRoutes } from '../api-keys/routes.ts'
import { auditRoutes } from '../audit/routes.ts'
import { clientRoutes } from '../clients/routes.ts'
import { acceptanceRoutes, invitationRoutes } from '../invitations/routes.ts'
import { mfaRoutes } from '../mfa/routes.ts'
import { consentRoutes } from '../oauth/authorization/consent-routes.ts'
import { diagnosticRoutes, systemDiagnosticRoutes } from '../oauth/endpoints/diagnostic-routes.ts'
import { oauthRoutes, openToEveryOrigin } from '../oauth/endpoints/routes.ts'
import { developmentMailRoutes } from '../operations/development-mail.ts'
import { measure } from '../operations/metrics.ts'
import { problemPageRoutes } from '../operations/problem-pages.ts'
import { operationRoutes } from '../operations/routes.ts'
import { sendNotFoundPage } from '../pages/error-page.ts'
import { oauthPages } from '../pages/oauth-pages.ts'
import { pageRoutes } from '../pages/routes.ts'
import { ownPasswordRoutes } from '../passwords/own-routes.ts'
import { passwordRoutes } from '../passwords/routes.ts'
import { userPasswordRoutes } from '../passwords/user-routes.ts'
import type { Delay } from '../platform/http/after-answer.ts'
import { describeApi } from '../platform/http/documentation.ts'
import { refuseOtherMethods } from '../platform/http/method-not-allowed.ts'
import { type App, createServer } from '../platform/http/server.ts'
import { reportUnknownFields } from '../platform/http/unknown-fields.ts'
import type { ReadTimeouts } from '../platform/http/unreadable-requests.ts'
import { profileRoutes } from '../profile/routes.ts'
import { organisationRoutes } from '../provisioning/routes.ts'
import { permissionRoutes } from '../roles/permissions/routes.ts'
import { roleRoutes } from '../roles/routes.ts'
import { ownSessionRoutes } from '../sessions/own-session-routes.ts'
import { userSessionRoutes } from '../sessions/user-session-routes.ts'
import { signInRoutes } from '../sign-in/routes.ts'
import { exportRoutes } from '../system/export-routes.ts'
import { systemPermissionRoutes } from '../system/permission-routes.ts'
import { organisationCreationRoutes, systemRoutes } from '../system/routes.ts'
import { systemUserRoutes } from '../system/user-routes.ts'
import { teamRoutes } from '../teams/routes.ts'
import { signingKeyRoutes } from '../tokens/signing-key-routes.ts'
import { roleRemovalRoutes } from '../users/role-removal-routes.ts'
import { userRoutes } from '../users/routes.ts'
import { deliveryRoutes } from '../webhooks/delivery/routes.ts'
import { eventRoutes } from '../webhooks/endpoints/event-routes.ts'
import { webhookRoutes } from '../webhooks/endpoints/routes.ts'
import type { Config } from './config.ts'
import { refusalList } from './refusal-list.ts'
import type { Services } from './services.ts'

export interface HttpOptions {
  config: Config
  systemApiKey: string
  /** Until when a request must have been read, unless it is the usual time. */
  readTimeouts?: ReadTimeouts | undefined
  /** How long work waits after answers that must not betray an account; a random time unless a test decides it. */
  delayAfterAnswer?: Delay | undefined
  /** Whether the start is over: until then the service is not ready. */
  hasStarted: () => boolean
}

/** The HTTP application with all that it serves. Asks nothing of the database. */
export async function composeHttp(
  services: Services,
  { config, systemApiKey, readTimeouts, delayAfterAnswer, hasStarted }: HttpOptions,
): Promise<App> {
  const { database, keyring, logger, publicUrl, secureCookie } = services
  const sessionCookieName = `${config.sessionCookiePrefix}${sessionCookie}`
  const app = await createServer({
    logger,
    problemsHost: config.problemsHost,
    isTrustedProxy: config.isTrustedProxy,
    https: secureCookie,
    delayAfterAnswer,
    readTimeouts,
    sendNotFoundPage: (request, reply) => sendNotFoundPage(services, request, reply),
  })
  const metrics = measure(app, database)
  await allowOrigins(app, database, openToEveryOrigin)
  if (config.apiDocs) describeApi(app, { publicUrl, sessionCookieName, describe: describeAccess, introduction, headings })
  checkAccess(app, { database, keyring, systemApiKey, tenantHeader: config.tenantHeader, sessionCookieName })

  refuseOtherMethods(app)
  reportUnknownFields(app, { strict: config.strictInput })

  await app.register(operationRoutes({ database, metrics, metricsReaders: config, hasStarted }))
  await app.register(problemPageRoutes(refusalList), { prefix: '/problems' })
  await app.register(signInRoutes(services, secureCookie), { prefix: '/v1/auth' })
  await app.register(mfaRoutes(services, secureCookie), { prefix: '/v1/me/mfa' })
  await app.register(passwordRoutes(services), { prefix: '/v1/auth' })
  await app.register(ownPasswordRoutes(services), { prefix: '/v1/me' })
  await app.register(userPasswordRoutes(services), { prefix: '/v1/admin/users' })
  await app.register(profileRoutes(database), { prefix: '/v1/me' })
  await app.register(ownSessionRoutes(database, secureCookie), { prefix: '/v1/me/sessions' })
  await app.register(userSessionRoutes(database), { prefix: '/v1/admin/users' })
  await app.register(userRoutes(services), { prefix: '/v1/admin/users' })
  await app.register(roleRoutes(database), { prefix: '/v1/admin/roles' })
  await app.register(roleRemovalRoutes(database), { prefix: '/v1/admin/roles' })
  await app.register(teamRoutes(database), { prefix: '/v1/admin/teams' })
  await app.register(invitationRoutes(services), { prefix: '/v1/admin/invitations' })
  await app.register(acceptanceRoutes(services), { prefix: '/v1/auth/invitations' })
  await app.register(permissionRoutes(database), { prefix: '/v1/admin/permissions' })
  await app.register(clientRoutes(services), { prefix: '/v1/admin/clients' })
  await app.register(apiKeyRoutes(services), { prefix: '/v1/admin/api-keys' })
  await app.register(webhookRoutes(services), { prefix: '/v1/admin/webhooks' })
  await app.register(deliveryRoutes(services), { prefix: '/v1/admin/webhooks' })
  await app.register(eventRoutes, { prefix: '/v1/admin/events' })
  await app.register(organisationRoutes(services), { prefix: '/v1/admin/organisation' })
  await app.register(pageRoutes(services))
  await app.register(oauthRoutes({ ...services, pages: oauthPages(services) }))
  await app.register(consentRoutes(database), { prefix: '/v1/me/consents' })
  await app.register(diagnosticRoutes(database), { prefix: '/v1/admin/diagnostics' })
  await app.register(systemDiagnosticRoutes(database), { prefix: '/v1/system/diagnostics' })
  await app.register(signingKeyRoutes(services), { prefix: '/v1/system/signing-keys' })
  await app.register(auditRoutes(database), { prefix: '/v1/admin/audit-logs' })
  await app.register(organisationCreationRoutes(services, config.signup), { prefix: '/v1/organisations' })
  await app.register(systemRoutes(services), { prefix: '/v1/system' })
  await app.register(exportRoutes(database), { prefix: '/v1/system' })
  await app.register(systemUserRoutes(services), { prefix: '/v1/system' })
  await app.register(systemPermissionRoutes(database), { prefix: '/v1/system' })
  if (!config.production && !config.smtpUrl) await app.register(developmentMailRoutes(config.dataDir), { prefix: '/dev/mail' })

  return app
}
