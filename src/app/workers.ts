import { requiredSsoRefreshMilliseconds } from '../domains/required-sso.ts'
import { offerRefreshMilliseconds } from '../email-codes/offer.ts'
import { channels } from '../platform/database/locks-and-channels.ts'
import { runDueTasks } from '../platform/jobs/tasks.ts'
import { startWorker } from '../platform/jobs/worker.ts'
import type { MailTransport } from '../platform/mail/mail.ts'
import { sendDueMails } from '../platform/mail/outbox.ts'
import { startDeliveryEngine } from '../webhooks/delivery/engine.ts'
import { createSender, type SenderOptions } from '../webhooks/delivery/send.ts'
import { type WebhookDestinations, webhookRules } from '../webhooks/destination.ts'
import type { Config } from './config.ts'
import type { Services } from './services.ts'
import { tasksOf } from './tasks.ts'

export interface WorkerOptions {
  config: Config
  mailTransport: MailTransport
  /** How receivers of webhooks are reached, where it differs from the machine's own way. */
  webhooks?: Pick<SenderOptions, 'ca' | 'resolve' | 'timeoutMilliseconds'>
}

export interface Workers {
  /** Delivers the webhooks that are due now rather than at the next poll, and resolves when it has. */
  deliverDueWebhooks(): Promise<void>
  /** Lets jobs in flight finish. */
  stop(): Promise<void>
}

const mailPollMilliseconds = 5_000
const taskPollMilliseconds = 10_000

/** Starts to work through the queues: mails, periodic tasks, deliveries. Loaded once the service is ready. */
export async function startWorkers(
  services: Pick<
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
  > &
    WebhookDestinations,
  { config, mailTransport, webhooks }: WorkerOptions,
): Promise<Workers> {
  const { database, keyring, outbox, publicUrl, openUpstream, logger, clock, emailCodeOffer, findChallenge, requiredSso } = services
  const mail = startWorker(
    () =>
      sendDueMails({
        database,
        keyring,
        transport: mailTransport,
        from: config.mailFrom,
        onFailure: (error, mailId) => logger.warn({ err: error, mailId }, 'a mail could not be sent; it will be tried again'),
      }),
    { pollMilliseconds: mailPollMilliseconds, onError: (error) => logger.error({ err: error }, 'the outbox could not be read') },
  )
  await database.listen(channels.mails, mail.wake)
  const tasks = tasksOf({
    keyring,
    outbox,
    publicUrl,
    openUpstream,
    dataDir: config.dataDir,
    findChallenge,
    retentionDays: config.organisationRetentionDays,
    onReEncrypted: (count) => logger.info({ count }, 'secrets have been encrypted anew'),
    onPurged: (organisationId) => logger.info({ organisationId }, 'purged an organisation'),
  })
  const periodic = startWorker(() => runDueTasks(database, tasks, (error, task) => logger.error({ err: error, task }, 'a task failed')), {
    pollMilliseconds: taskPollMilliseconds,
    onError: (error) => logger.error({ err: error }, 'the tasks could not be read'),
  })
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
  const deliveryEngine = startDeliveryEngine({
    ...services,
    sender: createSender({ clock, rules: webhookRules(services), ...webhooks }),
    leaseSeconds: config.webhookLeaseSeconds,
  })
  await database.listen(channels.deliveries, deliveryEngine.wake)
  return {
    deliverDueWebhooks: deliveryEngine.finishDueWork,
    async stop() {
      await Promise.all([mail.stop(), periodic.stop(), offers.stop(), requirements.stop(), deliveryEngine.stop()])
      await mailTransport.close()
    },
  }
}
