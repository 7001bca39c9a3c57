/**
 * How fast the console is in an organisation of 100,000 users, 5,000 applications and 1,000,000 audit entries on PostgreSQL, in
 * the Chromium of the tests: `npm run bench:console -- --only users,pages,routes,heap,api --users 100000 --rounds 3`.
 * `DATABASE_URL` names another server; `--database` a database on it that is filled when it is new, and left for the next run.
 *
 * `users` is the list of users with the processor made four times slower: its first rows in a browser that knows nothing yet,
 * then what is done with it. `pages` loads every other page in the same way, and `routes` goes to the pages of the navigation by
 * their links, whose code is loaded when the pointer arrives. `heap` is what all pages leave behind, and `api` is what they ask
 * the service for, each by itself. What is asked of the service is part of every time but those of the next paint.
 */
import { loadavg } from 'node:os'
import { performance } from 'node:perf_hooks'
import process from 'node:process'
import { parseArgs } from 'node:util'
import type { Locator, Page } from 'playwright-core'
import { everyAddress, type Shown } from '../test/console/every-page.ts'
import { launchBrowser } from '../test/support/browser.ts'
import { onServer } from '../test/support/database-server.ts'
import { type Interaction, TimedPage } from './support/page-timing.ts'
import { median } from './support/percentiles.ts'
import { seedAuditEntries, seedClients, seedOtherRecords, seedSessions, seedSignInCounts, seedUsers } from './support/seeds.ts'
import { startService } from './support/started-service.ts'

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: 'users,pages,routes,heap,api' },
    users: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '3' },
    database: { type: 'string' },
  },
})
const parts = options.only.split(',')
const userCount = Number(options.users)
const rounds = Array.from({ length: Number(options.rounds) }, (_, index) => index)
const slower = 4
const goals = { requests: 4, firstRows: 2_000, interaction: 250, longTask: 200, route: 100, heap: 25, statement: 100 }

const rowsShown = "document.querySelector('main tr[data-id]') !== null"
const contentShown =
  "document.querySelector('h1') !== null && document.querySelector('main [role=status][aria-label], main [aria-busy=true]') === null"

const service = await startService(options.database)
// The address that the service takes for its own.
const origin = service.origin.replace('127.0.0.1', 'localhost')
const browser = await launchBrowser()
/** What pages have asked the service for. */
const asked = new Set<string>()
try {
  const shown = await seed()
  const headers = await service.signIn()
  process.stdout.write(`load of the machine ${loadavg()[0]?.toFixed(1)}\n`)
  if (parts.includes('users')) table('the list of users, four times slower', await listOfUsers(headers))
  if (parts.includes('pages')) table('first content of every page, four times slower', await firstContents(headers, shown))
  if (parts.includes('routes')) table('to a preloaded page', await routes(headers))
  if (parts.includes('heap')) table('after all pages', await heap(headers, shown))
  if (parts.includes('api')) table('what the pages ask for', await statements(headers))
  process.stdout.write(`load of the machine ${loadavg()[0]?.toFixed(1)}\n`)
} finally {
  await browser.close()
  await service.stop()
}

type Headers = Awaited<ReturnType<typeof service.signIn>>
type Row = readonly [what: string, figure: number, goal: number, unit: 'ms' | 'MB' | '']

function table(title: string, rows: readonly Row[]): void {
  const shown = rows.map(([what, figure, goal, unit]) => {
    const text = (value: number) => `${value.toFixed(unit === 'MB' ? 1 : 0)} ${unit}`.trim()
    return [what, { figure: text(figure), goal: `≤ ${text(goal)}`, '': figure <= goal ? '' : 'MISSED' }]
  })
  process.stdout.write(`\n${title}\n`)
  // biome-ignore lint/suspicious/noConsole: a bench prints
  console.table(Object.fromEntries(shown))
}

/** @returns records to look at: the largest of their kind, where they differ in size */
async function seed(): Promise<Shown> {
  const { databaseUrl } = service
  if (service.isNew) await fill(databaseUrl)
  const first = async (from: string) => (await onServer(databaseUrl, `select id from ${from} limit 1`))[0]?.id ?? ''
  return {
    userId: await first("users where email = 'user26@bench.test'"),
    roleId: await first("roles where slug = 'member'"),
    teamId: 'tem_bench',
    clientId: await first('clients order by id desc'),
    endpointId: await first('webhook_endpoints'),
    deliveryId: await first('webhook_deliveries order by id desc'),
    reference: await first('(select reference as id from diagnostics order by created_at desc) as newest'),
    entryId: await first("audit_logs where action = 'user.updated' order by id desc"),
    signInId: await first('(select sign_in_id as id from sessions where sign_in_id is not null) as known'),
    domainId: await first('organisation_domains'),
    connectionId: await first('connections'),
    directoryId: await first('directories'),
    resourceId: await first('resource_servers'),
    otherApiId: await first('resource_authorization_servers'),
    agentId: await first('clients order by id desc'),
    setupLinkId: await first('setup_links'),
  }
}

async function fill(databaseUrl: string): Promise<void> {
  const headers = await service.signIn()
  const make = async (path: string, record: object) => {
    const made = await fetch(`${service.origin}${path}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(record),
    })
    if (made.status !== 201) throw new Error(await made.text())
  }
  await make('/v1/admin/webhooks', { url: 'https://hooks.bench.test/gatehouse', events: ['role.created'] })
  await make('/v1/admin/domains', { domain: 'bench.test' })
  await make('/v1/admin/directories', { name: 'Bench' })
  await make('/v1/admin/resource-servers', { name: 'Bench', identifier: 'https://api.bench.test' })
  await make('/v1/admin/setup-links', { name: 'Bench', purposes: ['domain'] })
  await make('/v1/admin/connections', { name: 'Bench', slug: 'bench', provider: 'google', isActive: false })
  await seedUsers(databaseUrl, userCount)
  await seedSessions(databaseUrl)
  await seedSignInCounts(databaseUrl)
  await seedAuditEntries(databaseUrl, userCount * 10)
  await seedClients(databaseUrl, userCount / 20)
  const [client] = await onServer(databaseUrl, 'select id from clients order by id desc limit 1')
  await make('/v1/admin/resource-authorization-servers', {
    name: 'Bench',
    issuer: 'https://login.bench.test',
    audienceClientId: client?.id,
    resources: [{ identifier: 'https://api.bench.test', scopes: ['bench:read'] }],
  })
  await seedOtherRecords(databaseUrl)
  await onServer(databaseUrl, 'vacuum analyze')
}

/** In a browser that has loaded nothing yet, signed in as the owner. */
async function inNewBrowser<T>(headers: Headers, rate: number, work: (timed: TimedPage, page: Page) => Promise<T>): Promise<T> {
  const context = await browser.newContext({ baseURL: origin, locale: 'en-GB', timezoneId: 'Europe/London' })
  try {
    const [name = '', value = ''] = headers.cookie.split('=')
    await context.addCookies([{ name, value, url: origin }])
    const page = await context.newPage()
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url())
      if (pathname.startsWith('/v1/') && request.method() === 'GET') asked.add(pathname + search)
    })
    const timed = await TimedPage.of(page)
    await timed.throttle(rate)
    return await work(timed, page)
  } finally {
    await context.close()
  }
}

async function listOfUsers(headers: Headers): Promise<Row[]> {
  const firstRows: number[] = []
  const requests: number[] = []
  const done: Record<string, Interaction[]> = {}
  for (const _ of rounds) {
    await inNewBrowser(headers, slower, async (timed, page) => {
      let count = 0
      page.on('request', (request) => {
        if (new URL(request.url()).pathname.startsWith('/v1/')) count++
      })
      firstRows.push(await timed.load('/console/users', rowsShown))
      await timed.calm()
      requests.push(count)

      const press = async (what: string, element: Locator, isShown: string) => {
        done[what] ??= []
        done[what].push(await timed.press(element, isShown))
      }
      const header = (name: string) => page.getByRole('columnheader', { name }).getByRole('button')
      const settled = "document.querySelector('main [aria-busy=true]') === null"
      const sorted = (column: number, order: string) =>
        `document.querySelector('thead th:nth-of-type(${column})').ariaSort === '${order}' && ${settled}`
      const firstRow = () => page.locator('main tr[data-id]').first().getAttribute('data-id')
      const otherRows = async () => `document.querySelector('main tr[data-id]')?.dataset.id !== '${await firstRow()}' && ${settled}`
      await press('sort by name', header('Name'), `${await otherRows()} && ${sorted(2, 'ascending')}`)
      await press('sort by name, downwards', header('Name'), `${await otherRows()} && ${sorted(2, 'descending')}`)
      await press('next page', page.getByRole('button', { name: 'Next' }), await otherRows())
      await press('the page after', page.getByRole('button', { name: 'Next' }), await otherRows())
      await press('the page before', page.getByRole('button', { name: 'Previous' }), await otherRows())
      const status = page.getByRole('combobox', { name: 'Status' })
      await press('open a filter', status, "document.querySelectorAll('[role=option]').length === 5")
      await press('filter', page.getByRole('option', { name: 'Blocked' }), await otherRows())
      const box = (index: number) => page.locator('main tr[data-id]').getByRole('checkbox').nth(index)
      const selected = (count: number) => `document.querySelectorAll('main tr[data-selected]').length === ${count}`
      await press('select a row', box(2), selected(1))
      await press('select another row', box(4), selected(2))
      await press('select the page', page.locator('thead').getByRole('checkbox'), selected(50))
      await press('select none', page.locator('thead').getByRole('checkbox'), selected(0))
    })
  }
  return [
    ['first rows', median(firstRows), goals.firstRows, 'ms'],
    ['requests', Math.max(...requests), goals.requests, ''],
    ...Object.entries(done).flatMap(([what, times]): Row[] => [
      [what, median(times.map(({ milliseconds }) => milliseconds)), goals.interaction, 'ms'],
      [`${what}: next paint`, median(times.map(({ nextPaint }) => nextPaint)), goals.interaction, 'ms'],
      [`${what}: longest task`, median(times.map(({ longestTask }) => longestTask)), goals.longTask, 'ms'],
    ]),
  ]
}

async function firstContents(headers: Headers, shown: Shown): Promise<Row[]> {
  const rows: Row[] = []
  for (const address of everyAddress(shown)) {
    const times: number[] = []
    for (const _ of rounds) {
      await inNewBrowser(headers, slower, async (timed) => {
        times.push(await timed.load(address, contentShown))
        await timed.calm()
      })
    }
    rows.push([address, median(times), goals.firstRows, 'ms'])
  }
  return rows
}

/** Goes by each link of the navigation, once as fast as the machine is, for the time, and once slower, for the tasks. */
async function routes(headers: Headers): Promise<Row[]> {
  const visit = (rate: number) =>
    inNewBrowser(headers, rate, async (timed, page) => {
      await page.goto('/console')
      const links = page.getByRole('navigation').getByRole('link')
      const visits: [string, Interaction][] = []
      const visited = async (index: number) => {
        const link = links.nth(index)
        const [name, address] = [(await link.locator('span').first().textContent()) ?? '', (await link.getAttribute('href')) ?? '']
        const heading = await page.locator('main h1').textContent()
        const isShown = `location.pathname === '${address}' && ![undefined, '${heading}'].includes(document.querySelector('main h1')?.textContent)`
        visits.push([name, await timed.press(link, isShown)])
      }
      await timed.calm()
      const count = await links.count()
      // The first one is shown already.
      for (const index of [...Array.from({ length: count - 1 }, (_, index) => index + 1), 0]) await visited(index)
      return visits
    })
  const fast = await repeatedly(() => visit(1))
  const slow = await repeatedly(() => visit(slower))
  const of = (visits: [string, Interaction][][], name: string, figure: (interaction: Interaction) => number) =>
    median(visits.map((round) => figure(round.find(([other]) => other === name)?.[1] as Interaction)))
  return (fast[0] ?? []).flatMap(([name]): Row[] => [
    [name, of(fast, name, ({ milliseconds }) => milliseconds), goals.route, 'ms'],
    [`${name}: longest task, four times slower`, of(slow, name, ({ longestTask }) => longestTask), goals.longTask, 'ms'],
  ])
}

async function repeatedly<T>(work: () => Promise<T>): Promise<T[]> {
  const results: T[] = []
  for (const _ of rounds) results.push(await work())
  return results
}

async function heap(headers: Headers, shown: Shown): Promise<Row[]> {
  return inNewBrowser(headers, 1, async (timed, page) => {
    await timed.load('/console/users', rowsShown)
    await timed.calm()
    const first = await timed.heap()
    for (const address of everyAddress(shown)) {
      await page.evaluate(`history.pushState({}, '', ${JSON.stringify(address)})`)
      await timed.calm()
    }
    return [
      ['the list of users alone', first, goals.heap, 'MB'],
      ['all pages', await timed.heap(), goals.heap, 'MB'],
    ]
  })
}

/** The slowest of what pages ask for, each asked for five times by itself. */
async function statements(headers: Headers): Promise<Row[]> {
  const rows: Row[] = []
  for (const path of asked) {
    const times: number[] = []
    for (let turn = 0; turn < 5; turn++) {
      const start = performance.now()
      const response = await fetch(service.origin + path, { headers })
      await response.arrayBuffer()
      times.push(performance.now() - start)
    }
    rows.push([path, median(times), goals.statement, 'ms'])
  }
  return rows.toSorted(([, one], [, other]) => other - one).slice(0, 25)
}
