import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import type { RouteOptions } from 'fastify'
import type { Config } from '../app/config.ts'
import { verifyForeignHash } from '../app/services.ts'
import { startService } from '../app/start-service.ts'
import { createPasswordHasher } from '../platform/crypto/password-hasher.ts'
import { newSecret } from '../platform/crypto/secrets.ts'
import { createDatabase } from '../platform/database/database.ts'
import type { Engine } from '../platform/database/engine.ts'
import type { App } from '../platform/http/app.ts'
import { createLogger } from '../platform/http/log.ts'
import { noSuchAddress } from '../platform/http/refusals.ts'
import type { ReservedPort } from '../platform/http/reserve-port.ts'
import { createServer } from '../platform/http/server.ts'
import type { MadeOrganisation } from '../seeds/organisations.ts'
import { explained, readSeed } from '../seeds/seed.ts'
import { controlRoutes } from './control-routes.ts'
import { Controls } from './controls.ts'
import { addEdge, controlPrefix } from './edge.ts'
import { MovableClock } from './movable-clock.ts'
import { quickHashing } from './quick-hashing.ts'
import { openReceiver, type Receiver } from './receiver.ts'
import { receiverCertificate } from './receiver-certificate.ts'
import { refuseUsedDatabase } from './refuse-used-database.ts'
import { makeRepeatable, repeatableSince } from './repeatable.ts'

/** Every response of the controls has it, so that each process of a test run follows the time that another one moves. */
const testClockHeader = 'gatehouse-test-clock'

export interface TestMode {
  /** Address and issuer, such as `http://localhost:3000`. */
  url: string
  systemApiKey: string
  /** What was made by the seeds. */
  organisations: readonly MadeOrganisation[]
  stop(): Promise<void>
}

export interface TestModeOptions {
  /** The variables that the service reads, as an operator sets them. */
  environment: Record<string, string | undefined>
  /** 0 takes any free port. */
  port: number
  /** Files, each of which describes an organisation that is there from the start. */
  seeds?: readonly string[]
  /** Whether identifiers, secrets and signing keys are the same ones in each run. */
  isRepeatable?: boolean | undefined
  /** Receives the lines of the log. */
  log: { write(line: string): void }
}

/** What is there before the code of the service is loaded. */
interface Begun {
  config: Config
  engine: Engine
  port: ReservedPort
}

/** Starts the service itself for tests, on a database that may still be starting. Whatever fails closes what has begun. */
export async function startOn(
  { config, engine, port }: Begun,
  { environment, seeds = [], isRepeatable = false, log }: TestModeOptions,
): Promise<TestMode> {
  const clock = new MovableClock()
  const repeatable = isRepeatable ? makeRepeatable() : undefined
  if (repeatable) {
    // The other way round, a millisecond could pass between them.
    clock.freeze()
    clock.set(repeatableSince)
  }
  const secrets = async () => ({ secretKey: config.secretKey ?? randomBytes(32), systemApiKey: newSecret('sk_') })
  let receiver: Receiver | undefined
  const close = async () => {
    repeatable?.stop()
    await receiver?.close()
    await rm(config.dataDir, { recursive: true, force: true })
  }
  try {
    const wanted = await Promise.all(seeds.map((file) => readSeed(file, environment)))
    const { secretKey, systemApiKey } = await (repeatable?.run('secrets', secrets) ?? secrets())
    receiver = await openReceiver(await receiverCertificate(environment))
    await refuseUsedDatabase(createDatabase(engine, clock), config)
    const controls = new Controls({ clock, receiver, systemApiKey, repeatable })
    const logger = createLogger({ level: environment.LOG_LEVEL === undefined ? 'warn' : config.logLevel }, log)
    const control = await controlApp(controls, { logger, publicUrl: config.publicUrl })
    let served: App | undefined
    const service = await startService({
      config,
      engine,
      clock,
      logger,
      port,
      mailTransport: controls.mails,
      smsSender: controls.texts,
      passwordHasher: createPasswordHasher(quickHashing, undefined, verifyForeignHash),
      secretKey,
      systemApiKey,
      delayAfterResponse: async () => {},
      isDatabaseNew: true,
      webhooks: { ca: receiver.ca },
      logsResponses: false,
      extend(app) {
        served = app
        const { faults, bends } = controls
        addEdge(app, { faults, bends, clock, control, signingKeys: () => controls.running.services.signingKeys })
      },
    })
    controls.begin({ app: served as App, service, engine })
    try {
      for (const [index, seed] of wanted.entries())
        controls.seeded.push(await explained(seeds[index] as string, controls.makeOrganisation(seed)))
    } catch (error) {
      await service.stop()
      throw error
    }
    if (repeatable) clock.position = { offsetMilliseconds: repeatableSince.getTime() - Date.now(), frozenAt: undefined }
    return {
      url: config.publicUrl,
      systemApiKey,
      organisations: controls.seeded,
      async stop() {
        await service.stop()
        await control.close()
        await close()
      },
    }
  } catch (error) {
    // Some of it may be closed already.
    await Promise.allSettled([engine.close(), port.release(), close()])
    throw error
  }
}

/** The controls are an application of their own: nothing of them is among the routes, the limits or the description of the service. */
async function controlApp(
  controls: Controls,
  { logger, publicUrl }: { logger: ReturnType<typeof createLogger>; publicUrl: string },
): Promise<App> {
  const app = await createServer({
    logger,
    logsResponses: false,
    problemsHost: new URL(publicUrl).host,
    https: false,
    sendNotFoundPage: async () => {
      throw noSuchAddress()
    },
  })
  const { clock } = controls
  app.addHook('onSend', async (_, reply) => {
    reply.header(testClockHeader, `${clock.now().toISOString()}; moves=${clock.moves}${clock.isFrozen ? '; frozen' : ''}`)
  })
  const routes: RouteOptions[] = []
  app.addHook('onRoute', (route) => {
    if (route.method !== 'HEAD' && route.schema && !('hide' in route.schema)) routes.push(route)
  })
  await app.register(
    async (scope: App) => {
      controlRoutes(scope, controls)
      scope.get('/openapi.json', { config: { access: { kind: 'public' } }, schema: { hide: true } }, async (_, reply) =>
        reply.type('application/json; charset=utf-8').send(JSON.stringify(await descriptionOf(routes, publicUrl))),
      )
    },
    { prefix: controlPrefix },
  )
  await app.ready()
  return app
}

async function descriptionOf(routes: readonly RouteOptions[], publicUrl: string): Promise<object> {
  const { openDocumentation } = await import('../platform/http/openapi.ts')
  const tag = 'Test mode'
  const { document } = await openDocumentation(routes, {
    publicUrl,
    securitySchemes: {},
    describe: () => ({ security: [], problems: [], tag }),
    introduction: 'The controls of `gatehouse test-mode`. No service has them that real users sign in to.',
    headings: [tag],
    tagDescriptions: { [tag]: 'What a test does with the service, besides what the API does' },
  })
  return document
}
