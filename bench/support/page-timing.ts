/** Times in a page as its user sees them: until what they wait for has been painted. */
import type { CDPSession, Locator, Page } from 'playwright-core'

/** Runs in the page before anything else. Times are milliseconds since the navigation began. */
const watch = `
  const state = (globalThis.timing = { tasks: [], events: [], pressedAt: 0 })
  new PerformanceObserver((list) => state.tasks.push(...list.getEntries())).observe({ type: 'longtask', buffered: true })
  new PerformanceObserver((list) => state.events.push(...list.getEntries())).observe({ type: 'event', durationThreshold: 16 })
  addEventListener('pointerup', ({ timeStamp }) => { state.pressedAt = timeStamp }, true)
  state.painted = (isShown) => new Promise((resolve, reject) => {
    const until = performance.now() + 30_000
    const look = () => {
      if (performance.now() > until) return reject(new Error('Never shown: ' + isShown))
      if (!isShown()) return requestAnimationFrame(look)
      // A task that begins after the frame in which it is shown.
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => resolve(performance.now())
      port2.postMessage('')
    }
    requestAnimationFrame(look)
  })`

export interface Interaction {
  /** From the release of the pointer to the paint that shows the result, with what was asked of the service for it. */
  milliseconds: number
  /** From the release of the pointer to the next paint, whatever it shows: in steps of 8 ms, 0 below 16. */
  nextPaint: number
  longestTask: number
}

export class TimedPage {
  readonly page: Page
  readonly #devTools: CDPSession

  private constructor(page: Page, devTools: CDPSession) {
    this.page = page
    this.#devTools = devTools
  }

  static async of(page: Page): Promise<TimedPage> {
    await page.addInitScript(watch)
    return new TimedPage(page, await page.context().newCDPSession(page))
  }

  /** @param rate how many times slower the processor is made */
  async throttle(rate: number): Promise<void> {
    await this.#devTools.send('Emulation.setCPUThrottlingRate', { rate })
  }

  /** @returns the time from the navigation until the condition, an expression, is true in what has been painted */
  async load(path: string, isShown: string): Promise<number> {
    await this.page.goto(path, { waitUntil: 'commit' })
    return this.page.evaluate<number>(`timing.painted(() => ${isShown})`)
  }

  /** Presses the left button on the element, and waits for the condition. */
  async press(element: Locator, isShown: string): Promise<Interaction> {
    await element.scrollIntoViewIfNeeded()
    const box = await element.boundingBox()
    if (!box) throw new Error(`Not on the page: ${element}`)
    await this.page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
    await this.calm()
    await this.page.evaluate('timing.tasks.length = timing.events.length = 0')
    const painted = this.page.evaluate<number>(`timing.painted(() => ${isShown})`)
    await this.page.mouse.down()
    await this.page.mouse.up()
    const at = await painted
    await this.calm()
    return this.page.evaluate<Interaction>(`({
      milliseconds: ${at} - timing.pressedAt,
      nextPaint: Math.max(0, ...timing.events.filter(({ name }) => name === 'pointerup' || name === 'click').map(({ duration }) => duration)),
      longestTask: Math.max(0, ...timing.tasks.map(({ duration }) => duration)),
    })`)
  }

  /** Long tasks since the page was loaded. */
  async longestTask(): Promise<number> {
    return this.page.evaluate<number>('Math.max(0, ...timing.tasks.map(({ duration }) => duration))')
  }

  /** Waits until no request is under way and the page has nothing left to do. */
  async calm(): Promise<void> {
    await this.page.waitForLoadState('networkidle')
    await this.page.evaluate('new Promise((resolve) => requestIdleCallback(() => setTimeout(resolve, 100), { timeout: 2_000 }))')
  }

  /** Megabytes of the page's objects, without garbage. */
  async heap(): Promise<number> {
    for (let turn = 0; turn < 3; turn++) await this.#devTools.send('HeapProfiler.collectGarbage')
    const { usedSize } = await this.#devTools.send('Runtime.getHeapUsage')
    return usedSize / 1_048_576
  }
}
