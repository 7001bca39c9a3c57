import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { performance } from 'node:perf_hooks'
import process from 'node:process'
import { Worker } from 'node:worker_threads'
import pg from 'pg'
import { pino } from 'pino'
import { systemActor } from '../../src/activity/actor.ts'
import { role } from '../../src/activity/example-objects.ts'
import { record } from '../../src/activity/record.ts'
import { readConfig } from '../../src/app/config.ts'
import { openServices } from '../../src/app/services.ts'
import { systemClock as clock } from '../../src/platform/clock.ts'
import { channels } from '../../src/platform/database/locks-and-channels.ts'
import { migrate } from '../../src/platform/database/migrate.ts'
import { openPostgres } from '../../src/platform/database/postgres.ts'
import { createSender } from '../../src/webhooks/delivery/send.ts'
import { startWebhookEngine } from '../../src/webhooks/delivery/webhook-queue.ts'
import { webhookRules } from '../../src/webhooks/destination.ts'
import { startPostgres } from '../../test/support/postgres-server.ts'
import type { Arrival } from './webhook-receiver.ts'

/** Milliseconds by the clock that the receiver's thread shares. */
export const now = () => performance.timeOrigin + performance.now()

/**
 * One delivery engine in this thread, on a PostgreSQL that stores its data durably, as in production (`DATABASE_URL` names
 * another), with an HTTPS receiver in another thread.
 */
export async function startDelivering() {
  const server = process.env.DATABASE_URL ? undefined : await startPostgres({ durable: true })
  const serverUrl = process.env.DATABASE_URL ?? (server?.url as string)
  const name = `bench_webhooks_${Date.now()}`
  const admin = new pg.Client({ connectionString: serverUrl })
  await admin.connect()
  await admin.query(`create database ${name}`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  const operator = new pg.Client({ connectionString: url.href })
  await operator.connect()

  const engine = openPostgres(url.href, { poolSize: 10 })
  await migrate(engine)
  const services = await openServices({
    config: readConfig({}),
    engine,
    clock,
    logger: pino({ level: 'error' }),
    secretKey: randomBytes(32),
  })
  const { database, keyring } = services

  const receiver = new Worker(new URL('./webhook-receiver.ts', import.meta.url))
  const [{ port, ca }] = (await once(receiver, 'message')) as [{ port: number; ca: string }]
  const deliveryEngine = startWebhookEngine({
    ...services,
    sender: createSender({
      clock,
      rules: webhookRules({ webhookAllowPrivateAddresses: true, outgoingPrivateHosts: () => false, localReceivers: undefined }),
      ca,
    }),
    leaseSeconds: 30,
  })
  await database.listen(channels.deliveries, deliveryEngine.wake)
  let organisations = 0

  return {
    ca,
    receiverUrl: `https://localhost:${port}`,
    finishDueWork: deliveryEngine.finishDueWork,

    /** An organisation with an endpoint at each of the addresses; @returns its id */
    async organisationWith(urls: readonly string[]): Promise<string> {
      const id = `org_${String(++organisations).padStart(26, '0')}`
      await database.transaction(id, async (tenant) => {
        await tenant
          .insertInto('organisations')
          .values({ id, name: id, slug: id.replace('_', '-'), email: `${id}@bench.test`, createdAt: tenant.now, updatedAt: tenant.now })
          .execute()
        await tenant
          .insertInto('webhookEndpoints')
          .values(
            urls.map((url, index) => {
              const endpointId = `wh_${organisations}_${index}`
              return {
                id: endpointId,
                url,
                events: ['role.created'],
                variant: 'B' as const,
                secretEncrypted: keyring.encrypt('whsec_bench', endpointId),
                createdAt: tenant.now,
                updatedAt: tenant.now,
              }
            }),
          )
          .execute()
      })
      return id
    },

    /** Records a change that is delivered to all endpoints of an organisation. @returns when the commit had returned */
    async change(organisationId: string, number = 0): Promise<number> {
      const numbered = { ...role, name: String(number) }
      await database.transaction(organisationId, (tenant) => record(tenant, systemActor, { action: 'role.created', role: numbered }))
      return now()
    },

    /** Waits for this many requests at the receiver since the last call. */
    async arrivals(count: number): Promise<Arrival[]> {
      receiver.postMessage(count)
      return (await once(receiver, 'message'))[0]
    },

    /** Runs a statement, as an operator would by hand. */
    sql: (statement: string, ...values: unknown[]) => operator.query(statement, values),

    async stop() {
      await deliveryEngine.stop()
      await receiver.terminate()
      await Promise.all([services.close(), operator.end()])
      await admin.query(`drop database ${name} with (force)`)
      await admin.end()
      await server?.stop()
    },
  }
}

export type Delivering = Awaited<ReturnType<typeof startDelivering>>
