import { setTimeout as pause } from 'node:timers/promises'
import { checkAccess } from '../access/checks.ts'
import { allowOrigins } from '../access/cross-origin.ts'
import { describeAccess, headings, introduction } from '../access/describe.ts'
import { quotaTable, rateLimitTable } from '../access/rate-limits.ts'
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
import { productionWarnings } from '../operations/production-warnings.ts'
import { operationRoutes } from '../operations/routes.ts'
import { sendNotFoundPage } from '../pages/error-page.ts'
import { oauthPages } from '../pages/oauth-pages.ts'
import { pageRoutes } from '../pages/routes.ts'
import { ownPasswordRoutes } from '../passwords/own-routes.ts'
import { passwordRoutes } from '../passwords/routes.ts'
import { userPasswordRoutes } from '../passwords/user-routes.ts'
import type { Clock } from '../platform/clock.ts'
import { createKeyring } from '../platform/crypto/keyring.ts'
import { createDatabase } from '../platform/database/database.ts'
import type { Engine } from '../platform/database/engine.ts'
import { migrate } from '../platform/database/migrate.ts'
import { reportOutages } from '../platform/database/outage.ts'
import type { Delay } from '../platform/http/after-answer.ts'
import { describeApi } from '../platform/http/documentation.ts'
import { refuseOtherMethods } from '../platform/http/method-not-allowed.ts'
import { type App, createServer } from '../platform/http/server.ts'
import { reportUnknownFields } from '../platform/http/unknown-fields.ts'
import type { ReadTimeouts } from '../platform/http/unreadable-requests.ts'
import { createOutbox } from '../platform/mail/outbox.ts'
import type { Counters } from '../platform/rate-limits/counters.ts'
import { openCounters } from '../platform/rate-limits/open-counters.ts'
import { createQuotas } from '../platform/rate-limits/quotas.ts'
import { createRateLimits } from '../platform/rate-limits/rate-limit.ts'
import { reportFailures } from '../platform/sms/senders.ts'
import type { SmsSender } from '../platform/sms/sms.ts'
import { profileRoutes } from '../profile/routes.ts'
import { bootstrapOrganisation, checkBootstrap, isEmpty, type UntoldPassword, untoldOrganisation } from '../provisioning/bootstrap.ts'
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
import { openSigningKeys } from '../tokens/signing-keys.ts'
import { roleRemovalRoutes } from '../users/role-removal-routes.ts'
import { userRoutes } from '../users/routes.ts'
import { deliveryRoutes } from '../webhooks/delivery/routes.ts'
import { eventRoutes } from '../webhooks/endpoints/event-routes.ts'
import { webhookRoutes } from '../webhooks/endpoints/routes.ts'
import { refusalList } from './refusal-list.ts'
import type { WorkerOptions } from './workers.ts'

export interface ServiceOptions extends WorkerOptions {
  /** Opened by the caller; closed with the service. */
  engine: Engine
  clock: Clock
  /** Undefined: SMS is no second factor. */
  smsSender?: SmsSender | undefined
  /** Until when a request must have been read, unless it is the usual time. */
  readTimeouts?: ReadTimeouts | undefined
  systemApiKey: string
  /** Where the first owner's password waits until it is printed. */
  ownerPassword?: UntoldPassword
  /** How long work waits after answers that must not betray an account; a random time unless a test decides it. */
  delayAfterAnswer?: Delay | undefined
}

export interface Service {
  /** Where it listens, such as `http://127.0.0.1:3000`. */
  address: string
  /** How to sign in for the first time; undefined when there was an organisation already. */
  bootstrapped: { slug: string; email: string; password: string; generated: boolean } | undefined
  /** Delivers the webhooks that are due now rather than at the next poll, and resolves when it has. */
  deliverDueWebhooks(): Promise<void>
  /** Waits for what is done after the answers so far. */
  settled(): Promise<void>
  /** Lets requests and jobs in flight finish, then closes the database. */
  stop(): Promise<void>
}

// A request that takes its time must not use up that of the jobs, which finish or give back what they hold.
const requestsAloneMilliseconds = 4_000

/** Starts the whole service: brings the schema up to date, listens, and works through its queues. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { config, clock, logger } = options
  let started = false
  const engine = reportOutages(options.engine, {
    // A start that fails says why by itself.
    began: ({ message }) => started && logger.error({ reason: message }, 'the database cannot be reached'),
    ended: (milliseconds) => started && logger.info({ milliseconds }, 'the database can be reached again'),
  })
  const database = createDatabase(engine, clock)
  // Meanwhile the routes are registered: a database that has just started is slow to answer its first questions.
  const migrated = migrate(engine).then((applied) => {
    if (applied.length > 0) logger.info({ migrations: applied }, 'migrated the database')
  })
  const isFirstStart = config.bootstrap && migrated.then(() => isEmpty(database))
  // A failure is met where they are awaited; one that comes earlier is not to end the process without a word.
  for (const early of [migrated, isFirstStart]) early?.catch(() => {})

  const counters = config.rateLimit ? await openCounters(database, config.redisUrl, logger) : undefined
  const app = await composeApp(options, database, { migrated, counters, hasStarted: () => started })
  const address = await app.listen({ port: config.port, host: config.host })
  const beReady = () => {
    started = true
    logger.info({ address, publicUrl: config.publicUrl, milliseconds: Math.round(performance.now()) }, 'Gatehouse is ready')
  }
  const first = (await isFirstStart) ? config.bootstrap : undefined
  if (first) await checkBootstrap(first)
  // What waits in the queues can wait a little longer than whoever asks for something.
  if (!first) beReady()
  const { startWorkers } = await import('./workers.ts')
  const workers = await startWorkers(options, database)
  // Last, so that a start that fails does not leave an owner whose password nobody was told.
  const bootstrapped = first
    ? await bootstrapOrganisation(database, first, options.ownerPassword)
    : config.bootstrap && options.ownerPassword && (await untoldOrganisation(database, config.bootstrap, options.ownerPassword))
  if (first) beReady()
  if (config.production) for (const warning of await productionWarnings(database, config)) logger.warn(warning)
  return {
    address,
    bootstrapped,
    deliverDueWebhooks: workers.deliverDueWebhooks,
    settled: () => app.settled(),
    async stop() {
      const closed = app.close()
      await Promise.race([closed, pause(requestsAloneMilliseconds, undefined, { ref: false })])
      await workers.stop()
      await closed
      await counters?.close()
      await database.close()
    },
  }
}

async function composeApp(
  options: ServiceOptions,
  database: ReturnType<typeof createDatabase>,
  { migrated, counters, hasStarted }: { migrated: Promise<void>; counters: Counters | undefined; hasStarted: () => boolean },
): Promise<App> {
  const { config, logger, secretKey, systemApiKey } = options
  const { publicUrl, trialMaxUsers } = config
  const keyring = createKeyring(secretKey, config.previousSecretKey)
  const outbox = createOutbox(keyring)
  const limits = createRateLimits(rateLimitTable, { counters, keyring, clock: database.clock })
  const quotas = createQuotas(quotaTable, { counters, keyring })
  const https = publicUrl.startsWith('https:')
  const sessionCookieName = `${config.sessionCookiePrefix}${sessionCookie}`
  const webhookSettings = {
    database,
    keyring,
    defaultVariant: config.webhookVariant,
    allowPrivateAddresses: config.webhookAllowPrivateAddresses,
  }
  const creation = { database, keyring, limits, outbox, publicUrl }

  const smsSender =
    options.smsSender && reportFailures(options.smsSender, (error) => logger.warn({ err: error }, 'a text message could not be sent'))
  const allowLoopbackPictures = !config.production
  const pages = {
    database,
    keyring,
    limits,
    quotas,
    outbox,
    publicUrl,
    secureCookie: https,
    trialMaxUsers,
    smsSender,
    allowLoopbackPictures,
  }
  const app = await createServer({
    logger,
    problemsHost: config.problemsHost,
    isTrustedProxy: config.isTrustedProxy,
    https,
    delayAfterAnswer: options.delayAfterAnswer,
    readTimeouts: options.readTimeouts,
    sendNotFoundPage: (request, reply) => sendNotFoundPage(pages, request, reply),
  })
  const openKeys = () =>
    openSigningKeys(database, keyring, config.idTokenSigningAlg === 'RS256' ? ['EdDSA', 'RS256'] : ['EdDSA'], (error) =>
      logger.error({ err: error }, 'the signing keys could not be read'),
    )
  // Only a database that has to be migrated first has none yet, or none that this release can read.
  const signingKeys = openKeys().catch(() => migrated.then(openKeys))
  // As above: it is awaited further down.
  signingKeys.catch(() => {})
  const metrics = measure(app, database)
  await allowOrigins(app, database, openToEveryOrigin)
  if (config.apiDocs) describeApi(app, { publicUrl, sessionCookieName, describe: describeAccess, introduction, headings })
  checkAccess(app, { database, keyring, systemApiKey, tenantHeader: config.tenantHeader, sessionCookieName })

  refuseOtherMethods(app)
  reportUnknownFields(app, { strict: config.strictInput })

  await app.register(operationRoutes({ database, metrics, metricsReaders: config, hasStarted }))
  await app.register(problemPageRoutes(refusalList), { prefix: '/problems' })
  const signIn = { database, keyring, limits, smsSender, outbox, publicUrl }
  await app.register(signInRoutes(signIn, https), { prefix: '/v1/auth' })
  await app.register(mfaRoutes(signIn, https), { prefix: '/v1/me/mfa' })
  const passwords = { database, keyring, limits, outbox, publicUrl }
  await app.register(passwordRoutes(passwords), { prefix: '/v1/auth' })
  await app.register(ownPasswordRoutes(passwords), { prefix: '/v1/me' })
  await app.register(userPasswordRoutes(passwords), { prefix: '/v1/admin/users' })
  await app.register(profileRoutes(database), { prefix: '/v1/me' })
  await app.register(ownSessionRoutes(database, https), { prefix: '/v1/me/sessions' })
  await app.register(userSessionRoutes(database), { prefix: '/v1/admin/users' })
  await app.register(userRoutes({ ...creation, trialMaxUsers }), { prefix: '/v1/admin/users' })
  await app.register(roleRoutes(database), { prefix: '/v1/admin/roles' })
  await app.register(roleRemovalRoutes(database), { prefix: '/v1/admin/roles' })
  await app.register(teamRoutes(database), { prefix: '/v1/admin/teams' })
  await app.register(invitationRoutes(creation), { prefix: '/v1/admin/invitations' })
  await app.register(acceptanceRoutes({ database, trialMaxUsers, publicUrl }), { prefix: '/v1/auth/invitations' })
  await app.register(permissionRoutes(database), { prefix: '/v1/admin/permissions' })
  const { pkcePlain, idTokenSigningAlg } = config
  const clients = { database, pkcePlain, idTokenSigningAlg, allowLoopbackPictures, signingKeys: await signingKeys }
  await app.register(clientRoutes(clients), { prefix: '/v1/admin/clients' })
  await app.register(apiKeyRoutes({ database, outbox, publicUrl }), { prefix: '/v1/admin/api-keys' })
  await app.register(webhookRoutes(webhookSettings), { prefix: '/v1/admin/webhooks' })
  await app.register(deliveryRoutes(webhookSettings), { prefix: '/v1/admin/webhooks' })
  await app.register(eventRoutes, { prefix: '/v1/admin/events' })
  await app.register(organisationRoutes({ database, allowLoopbackPictures }), { prefix: '/v1/admin/organisation' })
  await app.register(pageRoutes(pages))
  const issuer = { signingKeys: await signingKeys, issuer: publicUrl, pkcePlain, secureCookie: https, pages: oauthPages(pages) }
  await app.register(oauthRoutes({ database, keyring, limits, quotas, ...issuer }))
  await app.register(consentRoutes(database), { prefix: '/v1/me/consents' })
  await app.register(diagnosticRoutes(database), { prefix: '/v1/admin/diagnostics' })
  await app.register(systemDiagnosticRoutes(database), { prefix: '/v1/system/diagnostics' })
  await app.register(signingKeyRoutes({ database, keyring }), { prefix: '/v1/system/signing-keys' })
  await app.register(auditRoutes(database), { prefix: '/v1/admin/audit-logs' })
  await app.register(organisationCreationRoutes(creation, config.signup), { prefix: '/v1/organisations' })
  await app.register(systemRoutes(creation), { prefix: '/v1/system' })
  await app.register(exportRoutes(database), { prefix: '/v1/system' })
  await app.register(systemUserRoutes({ ...creation, keyring }), { prefix: '/v1/system' })
  await app.register(systemPermissionRoutes(database), { prefix: '/v1/system' })
  if (!config.production && !config.smtpUrl) await app.register(developmentMailRoutes(config.dataDir), { prefix: '/dev/mail' })

  return app
}
