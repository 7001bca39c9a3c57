import { readFileSync } from 'node:fs'
import type { BrowserContext, BrowserContextOptions, Page, Request } from 'playwright-core'
import { afterEach } from 'vitest'
import { useBrowserAndService } from './browser.ts'
import type { SignedInUser } from './given.ts'
import type { TestService, TestServiceOptions } from './service.ts'

/** The console in a browser of its own, as one user sees it. */
export interface OpenConsole {
  page: Page
  context: BrowserContext
  /**
   * What must not occur, in the order in which it has: a violation of the content security policy, an error in the console of
   * the browser, an uncaught error, a response of 400 or more, a request to another origin. A test that causes one takes it
   * out: `faults.splice(0)`.
   */
  faults: string[]
  /** Goes to a page as a link of the console does, without loading the console again, and waits until it is wholly shown. */
  goTo(path: string): Promise<void>
  /** Waits until no request is under way, and nothing on the page says that it loads. */
  settled(): Promise<void>
}

/** The addresses of a chunk of the console as it was built, by the source that begins it: `src/parts/confirm.tsx`. */
export function chunkOf(source: string): string {
  const chunk = JSON.parse(readFileSync('dist/console/manifest.json', 'utf8'))[source]
  if (!chunk) throw new Error(`No chunk of the console begins with ${source}`)
  return `**/console/${chunk.file}`
}

/** For `route.fulfill`: what asks for a longer wait than the console takes upon itself, so that it says at once what is wrong. */
export const unavailable = {
  status: 503,
  contentType: 'application/problem+json',
  headers: { 'retry-after': '60' },
  body: JSON.stringify({ title: 'Service Unavailable', status: 503, detail: 'Not now', code: 'overloaded' }),
}

export type Appearance = Pick<
  BrowserContextOptions,
  'colorScheme' | 'viewport' | 'hasTouch' | 'locale' | 'timezoneId' | 'reducedMotion' | 'forcedColors'
>

/**
 * A browser and a service for a test file, shared as `useBrowserAndService` says: `const { service, openConsole } = useConsole()`, then
 * `const { page, faults } = await openConsole(owner, '/console/users')` in its tests. What a test opens ends with it.
 */
export function useConsole(options: TestServiceOptions & { host?: string; ofItsOwn?: boolean } = {}): {
  service: () => TestService
  openConsole: (user: SignedInUser, path?: string, appearance?: Appearance) => Promise<OpenConsole>
} {
  const { browser, service } = useBrowserAndService(options)
  const opened: BrowserContext[] = []
  afterEach(() => Promise.all(opened.splice(0).map((context) => context.close())))
  return {
    service,
    async openConsole(user, path = '/console', appearance = {}) {
      const origin = service().services.publicUrl
      const context = await browser().newContext({ baseURL: origin, locale: 'en-GB', timezoneId: 'Europe/London', ...appearance })
      opened.push(context)
      const [name = '', value = ''] = user.cookie.split('=')
      await context.addCookies([{ name, value, url: origin }])
      const faults = await collectFaults(context, origin)
      const page = await context.newPage()
      const settled = untilSettled(page)
      await page.goto(path)
      const goTo = async (address: string) => {
        await page.evaluate(`history.pushState({}, '', ${JSON.stringify(address)})`)
        await settled()
      }
      return { page, context, faults, goTo, settled }
    },
  }
}

/** Follows the requests of the page from now on. */
function untilSettled(page: Page): () => Promise<void> {
  const underWay = new Set<Request>()
  page.on('request', (request) => void underWay.add(request))
  page.on('requestfinished', (request) => void underWay.delete(request))
  page.on('requestfailed', (request) => void underWay.delete(request))
  // What lies below a question may wait for its answer.
  const loading = ['main [role=status][aria-label]', 'main [aria-busy=true]'].map((one) => `${one}:not([aria-hidden=true] *)`).join()
  const isLoading = () =>
    page.evaluate(`document.querySelector('#console main h1') === null || document.querySelector('${loading}') !== null`)
  return async () => {
    // What a page asks for follows from what it has just rendered, a few frames later.
    const end = Date.now() + 120_000
    for (let calm = 0; calm < 3; ) {
      if (Date.now() > end) throw new Error(`${page.url()} still loads: ${[...underWay].map((request) => request.url()).join(', ')}`)
      await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 15)))')
      calm = underWay.size === 0 && !(await isLoading()) ? calm + 1 : 0
    }
  }
}

/** @returns the list that grows with each fault on any page of the context */
async function collectFaults(context: BrowserContext, origin: string): Promise<string[]> {
  const faults: string[] = []
  await context.exposeBinding('reportViolation', (_source, what: string) => void faults.push(`violation: ${what}`))
  await context.addInitScript(() => {
    const { document, reportViolation } = globalThis as unknown as {
      document: { addEventListener(type: string, listener: (event: Record<string, unknown>) => void): void }
      reportViolation(what: string): void
    }
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sample }) =>
      reportViolation(`${effectiveDirective} blocks ${blockedURI} ${sample}`.trim()),
    )
  })
  context.on('weberror', (error) => faults.push(`error: ${error.error().message}`))
  context.on('console', (message) => {
    // What could not be loaded is told by its response.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) faults.push(`console: ${message.text()}`)
  })
  context.on('request', (request) => {
    const url = new URL(request.url())
    if (url.protocol.startsWith('http') && url.origin !== origin) faults.push(`request: ${request.url()}`)
  })
  context.on('response', (response) => {
    if (response.status() >= 400) faults.push(`response: ${response.status()} ${response.request().method()} ${response.url()}`)
  })
  return faults
}

/** All texts that the page still has in its memory, what waits in its query cache and in its components among them. */
export async function memoryOf(page: Page): Promise<string> {
  const profiler = await page.context().newCDPSession(page)
  const chunks: string[] = []
  profiler.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => void chunks.push(chunk))
  await profiler.send('HeapProfiler.collectGarbage')
  await profiler.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false })
  await profiler.detach()
  return chunks.join('')
}
