import process from 'node:process'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { browserProgram } from './browser-program.ts'
import { databaseKind } from './database.ts'
import { freePort } from './free-port.ts'
import { timed } from './profile.ts'
import { startTestService, type TestService, type TestServiceOptions } from './service.ts'
import { TestClock } from './test-clock.ts'

/** Whether a developer looks on: `CHROMIUM_SEEN=1`, with a browser that has windows in CHROMIUM. */
const isSeen = Boolean(process.env.CHROMIUM_SEEN)

const flags = [
  '--no-sandbox',
  ...(isSeen ? [] : ['--headless']),
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]

/** A real Chromium: the one from npm, unless the variable CHROMIUM names another. */
export async function launchBrowser(further: string[] = []): Promise<Browser> {
  const options = { executablePath: browserProgram(), headless: !isSeen, args: [...flags, ...further] }
  const browser = await timed('browser', () => chromium.launch(options))
  // What is waited for comes when it comes, as in every test: the time of the test ends what hangs.
  browser.on('context', (context) => context.setDefaultTimeout(120_000))
  return browser
}

/** Browsers and relying parties have the real time, too. */
class RealClock extends TestClock {
  override advance(): never {
    throw new Error('Other files use this service, too: the time of one `ofItsOwn` can be moved')
  }
}

let sharedBrowser: Promise<Browser> | undefined
const sharedServices = new Map<string, Promise<TestService>>()

/** They end with the thread that runs the tests. */
const theBrowser = () => (sharedBrowser ??= launchBrowser())

/** One for each host name, since there are passkeys at `localhost` alone. */
function theService(host: string): Promise<TestService> {
  const key = `${databaseKind()} ${host}`
  const service = sharedServices.get(key) ?? startAtItsAddress(host, { clock: new RealClock() })
  sharedServices.set(key, service)
  return service
}

/** A service that listens at its public address. */
async function startAtItsAddress(host: string, { environment, ...options }: TestServiceOptions): Promise<TestService> {
  const port = await freePort()
  return startTestService({ ...options, environment: { ...environment, PORT: String(port), PUBLIC_URL: `http://${host}:${port}` } })
}

/**
 * A browser, and a service that listens at its public address, for a test file. Files share them, each test with a context of its
 * own and an organisation of its own. A file that sets something has a service of its own, as with `useService`.
 *
 * @param host there are passkeys at `localhost`
 */
export function useBrowserAndService({
  host = '127.0.0.1',
  ofItsOwn = false,
  ...options
}: TestServiceOptions & { host?: string; ofItsOwn?: boolean } = {}): {
  browser: () => Browser
  service: () => TestService
} {
  const shares = !ofItsOwn && Object.keys(options).length === 0
  let browser: Browser | undefined
  let service: TestService | undefined
  beforeAll(async () => {
    ;[browser, service] = await Promise.all([theBrowser(), shares ? theService(host) : startAtItsAddress(host, options)])
  })
  afterAll(async () => {
    await timed('teardown', async () => Promise.all(browser?.contexts().map((context) => context.close()) ?? []))
    if (!shares) await service?.stop()
  })
  return { browser: () => present(browser), service: () => present(service) }
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('It has not started')
  return value
}
