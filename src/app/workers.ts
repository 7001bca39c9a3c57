import { setTimeout as pause } from 'node:timers/promises'
import { startLogoutEngine } from '../backchannel-logout/logout-queue.ts'
import { requiredSsoRefreshMilliseconds } from '../domains/required-sso.ts'
import { offerRefreshMilliseconds } from '../email-codes/offer.ts'
import { channels } from '../platform/database/locks-and-channels.ts'
import type { OutgoingRules } from '../platform/http/outgoing.ts'
import { postponeTasks, runDueTasks, type UnreleasedClaims } from '../platform/jobs/tasks.ts'
import { startWorker } from '../platform/jobs/worker.ts'
import type { MailTransport } from '../platform/mail/mail.ts'
import { startMailWorker } from '../platform/mail/mail-worker.ts'
import { createSender, type SenderOptions } from '../webhooks/delivery/send.ts'
import { startWebhookEngine } from '../webhooks/delivery/webhook-queue.ts'
import { type WebhookDestinations, webhookRules } from '../webhooks/destination.ts'
import type { Config } from './config.ts'
import type { Services } from './services.ts'
import { tasksOf } from './tasks.ts'
import type { Telemetry } from './telemetry/telemetry.ts'

export interface WorkerOptions {
  config: Config
  mailTransport: MailTransport
  /** How to reach receivers of webhooks, if not in the machine's usual way. */
  webhooks?: Pick<SenderOptions, 'ca' | 'resolve' | 'timeoutMilliseconds'>
  telemetry?: Telemetry | undefined
  /** Whether the database has been empty until now, so that no periodic task has anything to do at the start. */
  isDatabaseNew?: boolean
}

export interface Workers {
  /** Delivers the webhooks and logout tokens that are due now rather than at the next poll, and resolves when that is done. */
  deliverDueWebhooks(): Promise<void>
  /** Does all background work that is due now rather than at the next polls, and resolves when that is done. */
  finishDueWork(): Promise<void>
  /** Lets jobs in flight finish. */
  stop(): Promise<void>
}

type NeededByWorkers = Pick<
  Services,
  | 'database'
  | 'keyring'
  | 'outbox'
  | 'logger'
  | 'clock'
  | 'emailCodeOffer'
  | 'findChallenge'
  | 'requiredSso'
  | 'publicUrl'
  | 'openUpstream'
  | 'openSaml'
  | 'outgoing'
  | 'oauthExtensions'
  | 'issuer'
  | 'signingKeys'
  | 'logoutRules'
> &
  WebhookDestinations

const mailPollMilliseconds = 5_000
const taskPollMilliseconds = 10_000
/** How long a stop waits for the periodic task that runs. */
const tasksEndWithinMilliseconds = 4_000

/**
 * Starts the background work of a process, as its roles say. Every process that serves the API refreshes what its pages cache;
 * a worker processes the queues: mails, periodic tasks, deliveries.
 */
export async function startWorkers(services: NeededByWorkers, options: WorkerOptions): Promise<Workers> {
  const { api, worker } = options.config.roles
  const refreshing = api ? await startRefreshing(services) : nothing
  const queues = worker ? await startQueues(services, options) : nothing
  return {
    deliverDueWebhooks: queues.deliverDueWebhooks,
    finishDueWork: queues.finishDueWork,
    async stop() {
      await Promise.all([refreshing.stop(), queues.stop()])
      await options.mailTransport.close()
    },
  }
}

const nothing: Workers = { deliverDueWebhooks: async () => {}, finishDueWork: async () => {}, stop: async () => {} }

async function startRefreshing({
  database,
  logger,
  emailCodeOffer,
  requiredSso,
}: Pick<NeededByWorkers, 'database' | 'logger' | 'emailCodeOffer' | 'requiredSso'>): Promise<Pick<Workers, 'stop'>> {
  const offers = startWorker(() => emailCodeOffer.refresh().then(() => false), {
    pollMilliseconds: offerRefreshMilliseconds,
    onError: (error) => logger.error({ err: error }, 'the sign-in policies could not be read'),
  })
  await database.listen(channels.signInPolicies, offers.wake)
  const requirements = startWorker(() => requiredSso.refresh().then(() => false), {
    pollMilliseconds: requiredSsoRefreshMilliseconds,
    onError: (error) => logger.error({ err: error }, 'the domains could not be read'),
  })
  await database.listen(channels.domains, requirements.wake)
  return {
    async stop() {
      await Promise.all([offers.stop(), requirements.stop()])
    },
  }
}

async function startQueues(
  services: NeededByWorkers,
  { config, mailTransport, webhooks, telemetry, isDatabaseNew = false }: WorkerOptions,
): Promise<Workers> {
  const {
    database,
    keyring,
    outbox,
    publicUrl,
    openUpstream,
    openSaml,
    outgoing,
    requiredSso,
    logger,
    clock,
    findChallenge,
    oauthExtensions,
    issuer,
    signingKeys,
    logoutRules,
  } = services
  const mail = startMailWorker({
    database,
    keyring,
    transport: telemetry?.tracing?.mailTransport(mailTransport) ?? mailTransport,
    from: config.mailFrom,
    pollMilliseconds: mailPollMilliseconds,
    onFailure: (error, mailId) => logger.warn({ err: error, mailId }, 'a mail could not be sent; it will be tried again'),
    onError: (error, mailId) => logger.error({ err: error, mailId }, 'the outbox could not be read or written'),
  })
  await database.listen(channels.mails, mail.wake)
  const tasks = tasksOf({
    keyring,
    outbox,
    publicUrl,
    openUpstream,
    openSaml,
    outgoing,
    requiredSso,
    dataDir: config.dataDir,
    isEmbedded: database.maintain !== undefined,
    webhookLeaseSeconds: config.webhookLeaseSeconds,
    findChallenge,
    oauthExtensions,
    retentionDays: config.organisationRetentionDays,
    onReEncrypted: (count) => logger.info({ count }, 'secrets have been encrypted anew'),
    onUnconfirmedRemoved: (organisation) => logger.info(organisation, 'removed an organisation that was never confirmed'),
    onPurged: (organisationId) => logger.info({ organisationId }, 'purged an organisation'),
  })
  if (isDatabaseNew) await postponeTasks(database, tasks)
  const stopping = new AbortController()
  const onTaskError = (error: unknown, task: string) => logger.error({ err: error, task }, 'a task failed')
  const unreleased: UnreleasedClaims = new Map()
  const periodic = startWorker(() => runDueTasks(database, tasks, onTaskError, stopping.signal, unreleased), {
    pollMilliseconds: taskPollMilliseconds,
    onError: (error) => logger.error({ err: error }, 'the tasks could not be read'),
  })
  const leaseSeconds = config.webhookLeaseSeconds
  const senderTo = (rules: OutgoingRules) => {
    const sender = createSender({ clock, rules, ...webhooks })
    return telemetry?.tracing?.sender(sender) ?? sender
  }
  const webhookEngine = startWebhookEngine({ ...services, sender: senderTo(webhookRules(services)), leaseSeconds })
  await database.listen(channels.deliveries, webhookEngine.wake)
  const engines = [webhookEngine]
  if (oauthExtensions.has('backchannel_logout')) {
    const logoutEngine = startLogoutEngine({
      database,
      issuer: { issuer, signingKeys },
      sender: senderTo(logoutRules),
      logger,
      leaseSeconds,
    })
    await database.listen(channels.logoutDeliveries, logoutEngine.wake)
    engines.push(logoutEngine)
  }
  const finishDeliveries = async () => {
    await Promise.all(engines.map((engine) => engine.finishDueWork()))
  }
  return {
    deliverDueWebhooks: finishDeliveries,
    async finishDueWork() {
      await periodic.finish()
      await finishDeliveries()
      // A task, or an endpoint that has just been deactivated, may have queued mails and events.
      await mail.finish()
      await finishDeliveries()
    },
    async stop() {
      stopping.abort()
      // A row that takes longer is found again; the database has to be closed before the process is ended by force.
      const tasksEnded = Promise.race([periodic.stop(), pause(tasksEndWithinMilliseconds, undefined, { ref: false })])
      await Promise.all([mail.stop(), tasksEnded, ...engines.map((engine) => engine.stop())])
    },
  }
}
