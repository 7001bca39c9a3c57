import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

/** The rules of axe-core that each page keeps. */
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

interface Results {
  violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[]
  passed: string[]
}

/** Adds up how far things have moved by themselves. What follows an input within half a second is meant to. */
const measureShifts = `globalThis.shifts = []; new PerformanceObserver((list) => {
  for (const { hadRecentInput, startTime, value, sources } of list.getEntries()) {
    if (hadRecentInput) continue
    const what = sources.map(({ node, previousRect, currentRect }) =>
      \`\${node?.nodeName ?? 'something'} "\${(node?.textContent ?? '').slice(0, 30)}" from \${previousRect.y} (\${previousRect.height}) to \${currentRect.y} (\${currentRect.height})\`)
    globalThis.shifts.push({ startTime, value, what })
  }
}).observe({ type: 'layout-shift', buffered: true })`

/** What scrolls sideways by itself: tables that cannot stack, code, and the strip of tabs. */
const mayScroll = 'table, pre, [role=tablist], nav'

const wideElements = `(() => {
  const html = document.documentElement
  const beyond = [...document.querySelectorAll('body *')].filter((element) => element.getBoundingClientRect().right > html.clientWidth + 1)
  const found = html.scrollWidth > html.clientWidth ? ['the page, by ' + beyond.slice(-3).map((element) => element.outerHTML.slice(0, 120)).join(' and ')] : []
  for (const element of document.querySelectorAll('body *')) {
    if (!/auto|scroll/.test(getComputedStyle(element).overflowX) || element.scrollWidth <= element.clientWidth + 1) continue
    if (element.matches('${mayScroll}') || element.querySelector('${mayScroll}')) continue
    found.push(element.outerHTML.slice(0, 120))
  }
  return found
})()`

/** What takes part in a sentence may be as low as its line. */
const smallTargets = `(() => {
  const controls = 'a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button], [role=tab], [role^=menuitem], [role=option], [role=checkbox], [role=switch], [role=radio]'
  const around = (element) => ['::before', '::after'].flatMap((part) => {
    const { content, position, width, height } = getComputedStyle(element, part)
    return content !== 'none' && position === 'absolute' ? [{ width: parseFloat(width), height: parseFloat(height) }] : []
  })
  return [...document.querySelectorAll(controls)].flatMap((element) => {
    const style = getComputedStyle(element)
    if (element.closest('svg, [aria-hidden=true], [inert]') || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return []
    if (style.clipPath !== 'none' || element.closest('.visually-hidden') || (style.display === 'inline' && element.localName === 'a')) return []
    const boxes = [element, element.closest('label')].filter(Boolean).flatMap((one) => [one.getBoundingClientRect(), ...around(one)])
    const width = Math.max(...boxes.map((box) => box.width))
    const height = Math.max(...boxes.map((box) => box.height))
    return width >= 24 && height >= 24 ? [] : [\`\${Math.round(width)} × \${Math.round(height)}: \${element.outerHTML.slice(0, 160)}\`]
  })
})()`

const axe = readFileSync(createRequire(import.meta.resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'), 'utf8')

/** For each document that the checks look at, before the first of them. */
export async function prepareLooks(page: Page): Promise<void> {
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(`${axe}; ${measureShifts}; undefined`)
}

/** What axe-core says against the page. */
export const violationsOn = (page: Page): Promise<string[]> => askAxe(page, { type: 'tag', values: tags })

/** What axe-core says against its colours. */
export const coloursOn = (page: Page): Promise<string[]> => askAxe(page, { type: 'rule', values: ['color-contrast', 'link-in-text-block'] })

/** Guards of the focus pass it on at once: axe takes them for something hidden that can have it. */
async function askAxe(page: Page, runOnly: { type: 'tag' | 'rule'; values: string[] }): Promise<string[]> {
  const options = JSON.stringify({ runOnly, resultTypes: ['violations'], iframes: false })
  // What else it has found is much, and stays in the browser.
  const asked = `axe.run({ exclude: [['[data-base-ui-focus-guard]']] }, ${options})
    .then(({ violations, passes }) => ({ violations, passed: passes.map(({ id }) => id) }))`
  const { violations, passed } = (await page.evaluate(asked)) as Results
  if (!passed.includes('color-contrast')) return ['axe has not looked at the colours']
  return violations.map(({ id, nodes }) => {
    const some = nodes.slice(0, 3).map(({ html, failureSummary = '' }) => `${html.slice(0, 160)} ${failureSummary.split('\n').slice(0, 2)}`)
    return `${id} at ${some.join(' and ')}`
  })
}

/** What is wider than its place, apart from what may be. */
export const tooWideOn = (page: Page) => page.evaluate(wideElements) as Promise<string[]>

/** Targets of less than 24 pixels. */
export const tooSmallOn = (page: Page) => page.evaluate(smallTargets) as Promise<string[]>

/** Counts what moves from now on. */
export const beginShifts = (page: Page) => page.evaluate('globalThis.shiftsSince = performance.now()')

/** How far things have moved by themselves, and which, if it is too far. */
export async function shiftsOn(page: Page): Promise<string[]> {
  const counted = 'globalThis.shifts.splice(0).filter(({ startTime }) => startTime >= (globalThis.shiftsSince ?? 0))'
  const shifts = (await page.evaluate(counted)) as { value: number; what: string[] }[]
  const sum = shifts.reduce((total, { value }) => total + value, 0)
  const moved = shifts.flatMap(({ what }) => what).slice(0, 6)
  return sum > 0.02 ? [`shifts by ${sum.toFixed(3)}: ${moved.join('; ')}`] : []
}

/** What was set is seen two frames later. An animation that runs with the scrolling does not end. */
const untilPainted = `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))))
  .then(() => {
    const running = document.getAnimations().filter(({ timeline }) => timeline === document.timeline)
    return Promise.allSettled(running.map(({ finished }) => finished))
  })`

async function showIn(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.waitForFunction(`matchMedia('(prefers-color-scheme: ${colorScheme})').matches`)
  await page.evaluate(untilPainted)
}

/**
 * Runs the check in the other colour scheme, and leaves the page so: what comes next begins in that one. To paint a page anew takes
 * almost as long as a check, and a page that comes back to its scheme shows nothing new.
 *
 * @returns what is found, with the scheme
 */
export async function inOtherScheme(page: Page, check: () => Promise<string[]>): Promise<string[]> {
  const scheme = (await page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")) ? 'light' : 'dark'
  await showIn(page, scheme)
  return (await check()).map((one) => `in ${scheme}: ${one}`)
}

/** Runs the check while text is twice as large. */
export async function withLargeText<T>(page: Page, check: () => Promise<T>): Promise<T> {
  await page.evaluate(`document.documentElement.style.fontSize = '200%'; ${untilPainted}`)
  const result = await check()
  await page.evaluate(`document.documentElement.style.fontSize = ''; ${untilPainted}`)
  return result
}

/**
 * Checks a page with unsaved changes, or a dialog that scrolls, in a window as tall as it is: wherever such a page is scrolled to, the bar
 * at its foot covers half of something, which scrolls out from under it, and axe cannot tell the colours of text that is scrolled away.
 */
export async function inTallWindow<T>(page: Page, check: () => Promise<T>): Promise<T> {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }
  const whole = (await page.evaluate(heightInWhole)) as number
  if (whole <= height) return check()
  await page.setViewportSize({ width, height: whole })
  await page.evaluate(untilPainted)
  const result = await check()
  await page.setViewportSize({ width, height })
  await page.evaluate(untilPainted)
  return result
}

const heightInWhole = `(() => {
  const { scrollHeight } = document.documentElement
  const dialogs = [...document.querySelectorAll('[role=dialog]')].flatMap((dialog) => [dialog, ...dialog.querySelectorAll('div')])
  const hidden = Math.max(0, ...dialogs.map((one) => one.scrollHeight - one.clientHeight))
  const ofDialog = hidden > 0 ? innerHeight + hidden : 0
  return Math.ceil(Math.max(document.querySelector('section[data-dirty]') ? scrollHeight : 0, ofDialog))
})()`

/** Runs the check while the window is as narrow as a page must bear. */
export async function inNarrowWindow<T>(page: Page, check: () => Promise<T>): Promise<T> {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }
  await page.setViewportSize({ width: 320, height })
  await page.evaluate(untilPainted)
  const result = await check()
  await page.setViewportSize({ width, height })
  await page.evaluate(untilPainted)
  return result
}
