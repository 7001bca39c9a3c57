import { randomBytes, randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, expect } from 'vitest'
import { quotaTable, rateLimitTable } from '../../src/access/rate-limits.ts'
import { readConfig } from '../../src/app/config.ts'
import { type Services, verifyForeignHash } from '../../src/app/services.ts'
import { type Service, type ServiceOptions, startService } from '../../src/app/start-service.ts'
import { createPasswordHasher, type PasswordHasher } from '../../src/platform/crypto/password-hasher.ts'
import type { Database } from '../../src/platform/database/database.ts'
import type { Engine } from '../../src/platform/database/engine.ts'
import { alsoTakenBy, createLogger } from '../../src/platform/http/log.ts'
import type { MailTransport } from '../../src/platform/mail/mail.ts'
import type { SmsSender } from '../../src/platform/sms/sms.ts'
import { databaseKind, freshEngine } from './database.ts'
import { type TestDnsServer, testDnsServer } from './dns-server.ts'
import { Given } from './given.ts'
import { HttpClient } from './http-client.ts'
import { Mailbox } from './mailbox.ts'
import { quickHashing } from './password-hashing.ts'
import { Phones } from './phones.ts'
import { timed } from './profile.ts'
import { asRequest, withTasks } from './sent-statements.ts'
import { unequalRows } from './sources.ts'
import { type Duration, millisecondsOf, TestClock } from './test-clock.ts'

export interface TestServiceOptions {
  /** Variables of the environment, as an operator would set them. */
  environment?: Record<string, string>
  engine?: Engine
  clock?: TestClock
  mailTransport?: MailTransport
  /** Null where no text messages can be sent. */
  smsSender?: SmsSender | null
  passwordHasher?: PasswordHasher
  /** 32 bytes, for services that share a database or a Redis; random by default. */
  secretKey?: Buffer
  webhooks?: ServiceOptions['webhooks']
  /** Off unless a test needs it. */
  delayAfterResponse?: ServiceOptions['delayAfterResponse']
  readTimeouts?: ServiceOptions['readTimeouts']
  grants?: ServiceOptions['grants']
  rangeServer?: ServiceOptions['rangeServer']
  outgoing?: ServiceOptions['outgoing']
  telemetry?: ServiceOptions['telemetry']
  isDatabaseNew?: boolean
}

/** The real service on a database of its own. */
export interface TestService {
  readonly origin: string
  readonly clock: TestClock
  readonly mailbox: Mailbox
  readonly phones: Phones
  readonly services: Services
  /** The name server that the service asks. */
  readonly dns: TestDnsServer
  readonly database: Database
  readonly engine: Engine
  /** The lines of the service's log. */
  readonly logLines: string[]
  readonly systemApiKey: string
  /** A folder of its own, created with the first file. */
  readonly dataDir: string
  /** A caller who has not signed in. */
  readonly anonymous: HttpClient
  /** The operator, by the system API's key. */
  readonly operator: HttpClient
  readonly given: Given
  readonly bootstrapped: Service['bootstrapped']
  /** Waits for the work that the service does after its responses. */
  settled(): Promise<void>
  /** Delivers the webhooks that are due, for example after the clock was moved. */
  deliverDueWebhooks(): Promise<void>
  stop(): Promise<void>
}

/** A busy machine is no upstream that is slow. */
const patient = { connectMilliseconds: 60_000, timeoutMilliseconds: 60_000 }

export async function startTestService({
  environment = {},
  engine,
  clock = new TestClock(),
  mailTransport,
  smsSender,
  passwordHasher = createPasswordHasher(quickHashing, undefined, verifyForeignHash),
  secretKey,
  webhooks,
  delayAfterResponse = async () => {},
  readTimeouts,
  grants,
  rangeServer,
  outgoing,
  telemetry,
  isDatabaseNew = false,
}: TestServiceOptions = {}): Promise<TestService> {
  const dataDir = join(tmpdir(), `gatehouse-test-${randomUUID()}`)
  const publicUrl = environment.PUBLIC_URL ?? 'http://gatehouse.test'
  const dns = await testDnsServer()
  const config = readConfig({
    DNS_SERVERS: dns.address,
    PORT: '0',
    PUBLIC_URL: publicUrl,
    ALLOW_DEVELOPMENT_ON: new URL(publicUrl).hostname,
    RATE_LIMIT: 'on',
    DATA_DIR: dataDir,
    ...environment,
  })
  const usedEngine = engine ?? (await freshEngine())
  const mailbox = new Mailbox()
  const phones = new Phones()
  const logLines: string[] = []
  const lines = { write: (line: string) => void logLines.push(line) }
  const systemApiKey = randomBytes(32).toString('base64url')
  const service = await timed('service', () =>
    withTasks(() =>
      startService({
        // Tests create their organisations themselves, unless one tests the first.
        config: environment.BOOTSTRAP_OWNER_EMAIL ? config : { ...config, bootstrap: undefined },
        engine: usedEngine,
        clock,
        mailTransport: mailTransport ?? mailbox,
        smsSender: smsSender === null ? undefined : (smsSender ?? phones),
        passwordHasher,
        logger: createLogger(
          { level: 'info', fields: telemetry?.tracing?.logFields },
          telemetry?.takeLine ? alsoTakenBy(telemetry.takeLine, lines) : lines,
        ),
        secretKey: secretKey ?? randomBytes(32),
        systemApiKey,
        delayAfterResponse,
        ...(webhooks && { webhooks }),
        readTimeouts,
        grants,
        rangeServer,
        outgoing: { ...patient, ...outgoing },
        telemetry,
        isDatabaseNew,
      }),
    ),
  )
  const anonymous = new HttpClient(service.address)
  const { database } = service.services
  const operator = anonymous.with({ authorization: `Bearer ${systemApiKey}` })
  const settled = async () => {
    // The service may learn that a response was sent in the same turn in which the test has read it.
    await setImmediate()
    await asRequest(() => service.settled())
  }
  return {
    origin: service.address,
    clock,
    mailbox,
    phones,
    services: service.services,
    dns,
    database,
    engine: usedEngine,
    logLines,
    systemApiKey,
    dataDir: config.dataDir,
    anonymous,
    operator,
    given: new Given(anonymous, mailbox, database),
    bootstrapped: service.bootstrapped,
    settled,
    async deliverDueWebhooks() {
      await settled()
      await asRequest(() => service.deliverDueWebhooks())
    },
    async stop() {
      await timed('teardown', () => service.stop())
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/**
 * A service for a test file: `const service = useService()`, then `service().given…` in its tests.
 *
 * Without options, other files use the same service, each with organisations of its own. A file that moves the time by more
 * than an hour, or tests state of the whole service, uses one `ofItsOwn`.
 */
export function useService({ ofItsOwn = false, ...options }: TestServiceOptions & { ofItsOwn?: boolean } = {}): () => TestService {
  const shares = !ofItsOwn && Object.keys(options).length === 0
  let service: TestService | undefined
  beforeAll(async () => {
    service = await (shares ? sharedService() : startTestService(options))
    if (shares) await forgetAddress(service)
  })
  if (shares) afterAll(async () => expect(service && (await unequalRows(service.database.system()))).toEqual([]))
  else afterAll(() => service?.stop())
  return () => {
    if (!service) throw new Error('The service has not started')
    return service
  }
}

/** Every file begins sign-ins by connections from this address, more often in five minutes than people do. */
export const forgetStarts = ({ services, origin }: Pick<TestService, 'services' | 'origin'>): Promise<void> =>
  services.limits.federationStartsByAddress.forget(new URL(origin).hostname)

/** All files come from one address, more often than people do: each begins with nothing counted by it. */
async function forgetAddress({ services: { limits, quotas }, origin }: TestService): Promise<void> {
  const address = new URL(origin).hostname
  const namesOf = <Table extends object>(table: Table) =>
    Object.entries(table).flatMap(([name, limit]) => ('keyOf' in limit ? [name as keyof Table] : []))
  await Promise.all([
    ...namesOf(rateLimitTable).map((name) => limits[name].forget(address)),
    ...namesOf(quotaTable).map((name) => quotas[name].forget(address)),
  ])
}

const shared = new Map<string, Promise<TestService>>()

/** It ends with the thread that runs the tests. */
function sharedService(): Promise<TestService> {
  const kind = databaseKind()
  const service = shared.get(kind) ?? startTestService({ clock: new SharedClock() })
  shared.set(kind, service)
  return service
}

/** A shared clock may move by minutes, for codes that expire. Days would trigger tasks that run once in days. */
class SharedClock extends TestClock {
  override advance(by: Duration): void {
    if (millisecondsOf(by) > 3_600_000) throw new Error('Other files use this service, too: one `ofItsOwn` can be moved further')
    super.advance(by)
  }
}
