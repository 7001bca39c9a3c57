import process from 'node:process'
import packed from '@sparticuz/chromium'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { freePort } from './free-port.ts'
import { startTestService, type TestService, type TestServiceOptions } from './service.ts'

const flags = [
  '--no-sandbox',
  '--headless',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]

/** A real Chromium: the one from npm, unless the variable CHROMIUM names another. */
export async function launchBrowser(further: string[] = []): Promise<Browser> {
  const executablePath = process.env.CHROMIUM || (await packed.executablePath())
  return chromium.launch({ executablePath, headless: true, args: [...flags, ...further] })
}

/** One browser and one service for a test file. The service listens at its public address. @param host there are passkeys at `localhost` */
export function useBrowserAndService({ environment, host = '127.0.0.1', ...options }: TestServiceOptions & { host?: string } = {}): {
  browser: () => Browser
  service: () => TestService
} {
  let browser: Browser | undefined
  let service: TestService | undefined
  beforeAll(async () => {
    const port = await freePort()
    const address = { PORT: String(port), PUBLIC_URL: `http://${host}:${port}` }
    ;[browser, service] = await Promise.all([
      launchBrowser(),
      startTestService({ ...options, environment: { ...environment, ...address } }),
    ])
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })
  return { browser: () => present(browser), service: () => present(service) }
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('It has not started')
  return value
}
