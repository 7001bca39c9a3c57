import process from 'node:process'
import { type Clock, clockOf } from './clock.ts'
import { Controls } from './controls.ts'
import { type Mails, messagesOf, type SentMail, type SentText, type Texts, type Webhooks, webhooksOf } from './messages.ts'
import { type Client, type MadeOrganisation, type NewOrganisation, type Organisation, organisationOf, type User } from './organisation.ts'
import { type BrowsedPage, type PageLike, plugAuthenticatorInto, signInThroughPages, type VirtualAuthenticator } from './page.ts'
import { type Started, startProcess } from './process.ts'

export interface Seed {
  /** Files that describe organisations which are there from the start. */
  files?: string | readonly string[]
  /** Whether identifiers, secrets and signing keys are the same ones in each run. The time then begins with the year 2026. */
  repeatable: boolean
}

export interface StartOptions {
  /** Variables of the service, such as `OAUTH_EXTENSIONS`. It sees none of the test's own. */
  env?: Record<string, string>
  /** Where it listens on this machine; any free port by default. */
  port?: number
  /** Files that describe organisations which are there from the start: documents of configuration as code, with users. */
  seed?: string | readonly string[] | Seed
  /** The words that run the command; by default the installed `gatehouse-iam` on this Node. */
  command?: readonly string[]
  fetch?: typeof fetch
}

/** How the edge of the service fails for the application and its browsers. \`tokens\` and \`session\` of a test pass it by. */
export type Fault = {
  /** The path; with `*` at its end, its beginning. */
  path: string
  /** Any, without it. */
  method?: string
  /** How many requests it meets; 1 by default. */
  times?: number
} & (
  | {
      /** The status to respond with; `reset` closes the connection. */
      status: number | 'reset'
      /** How long that waits, in real time; 0 by default. */
      delayMilliseconds?: number
    }
  | {
      /** The response of the service, late. */
      status: 'slow'
      /** How late, in real time. */
      delayMilliseconds: number
    }
)

/** How the next token is wrong. What is not named stays right. */
export interface Bend {
  /** A logout token is bent on its way to an application on this machine. */
  token: 'access' | 'id' | 'logout'
  expired?: boolean
  notYetValid?: boolean
  audience?: string
  issuer?: string
  nonce?: string
  signature?: 'broken' | 'none' | 'unknown key'
  claims?: Record<string, unknown>
}

export interface AskedTokens {
  /** `openid` by default. */
  scope?: string
  nonce?: string
  redirectUri?: string
  /** Further parameters of the authorization request, such as `resource` or `acr_values`. */
  parameters?: Record<string, string>
}

export interface Tokens {
  access_token: string
  token_type: string
  expires_in: number
  scope?: string
  id_token?: string
  refresh_token?: string
}

export interface Session {
  sessionId: string
  cookie: { name: string; value: string; expires: string }
  /** For `X-CSRF-Token` with requests by the session. */
  csrfToken: string
}

export interface Snapshot {
  readonly id: string
}

/** A running Gatehouse whose time, mails and faults are in the hands of a test. Refusals are `TestingRefused`. */
export interface Gatehouse {
  /** Address and issuer, such as `http://localhost:40123`. */
  readonly url: string
  /** Key of the system API. */
  readonly systemApiKey: string
  /** The process that was started; undefined for one that ran already. */
  readonly processId: number | undefined
  /** The organisations of the seeds, in their order. */
  readonly seeded: readonly Organisation[]
  readonly clock: Clock
  readonly mails: Mails
  readonly texts: Texts
  readonly webhooks: Webhooks
  /** Makes an organisation of its own for a test, so that tests run in parallel and need no reset. */
  organisation(options?: NewOrganisation): Promise<Organisation>
  /** Signs a user in to Gatehouse in the browser of a page, by session cookie. Applications then sign them in without asking. */
  signIn(page: PageLike, user: User, how?: { through?: 'session' }): Promise<void>
  /**
   * Signs a user in as a person does, with password and authenticator app, where an application has sent the browser or else at the
   * sign-in page. It resolves when the browser has left the sign-in, such as for the application.
   */
  signIn(page: BrowsedPage, user: User, how: { through: 'pages' }): Promise<void>
  /** The session of such a sign-in, for requests without a browser. */
  session(user: User): Promise<Session>
  /** Gets tokens by the authorization code flow with PKCE, without pages. Rejects with `page-needed` where one is, such as for consent. */
  tokens(user: User, client: Client, asked?: AskedTokens): Promise<Tokens>
  /** Waits for everything that is under way: deliveries, mails, tasks. */
  settled(): Promise<void>
  fail(fault: Fault): Promise<void>
  bend(bend: Bend): Promise<void>
  /** Returns when the new key is published and signs; tokens of the former one stay valid. */
  rotateKeys(): Promise<void>
  /** Ends the user's sessions and the tokens of all applications. */
  revokeAll(user: User): Promise<void>
  block(user: User): Promise<void>
  suspend(organisation: Organisation): Promise<void>
  /** A virtual passkey authenticator in this page; Chromium only. */
  authenticator(page: PageLike): Promise<VirtualAuthenticator>
  /** The code of the user's authenticator app that is accepted next. Rejects with `code-used` where the clock has to move for another one. */
  totp(user: User): Promise<string>
  /** Stores the whole state: rows, keys, the time, what was sent. */
  snapshot(): Promise<Snapshot>
  /** Goes back to it; it can be restored again. */
  restore(snapshot: Snapshot): Promise<void>
  /** Forgets the messages, failures, faults and bent tokens that are left. Records stay. */
  reset(): Promise<void>
  stop(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Starts Gatehouse itself for tests, with its database in memory. Without options it is ready for `organisation()`.
 *
 * @throws TestingRefused `not-started` with what the command has said
 */
export async function startGatehouse({
  env = {},
  port = 0,
  seed = [],
  command,
  fetch: request = fetch,
}: StartOptions = {}): Promise<Gatehouse> {
  const { files = [], repeatable: isRepeatable }: Seed = isSeed(seed) ? seed : { files: seed, repeatable: false }
  const started = await startProcess({ command, port, seeds: [files].flat(), isRepeatable, env: { ...environmentOfProcess(), ...env } })
  return gatehouseAt({ ...started, fetch: request })
}

const isSeed = (seed: StartOptions['seed']): seed is Seed => typeof seed === 'object' && !Array.isArray(seed)

export interface ConnectOptions {
  /** Where `gatehouse test-mode` says that it is. */
  url: string
  fetch?: typeof fetch
}

/**
 * Uses a `gatehouse test-mode` that runs already, such as one that several test processes share. `stop()` leaves it running.
 *
 * @throws TestingRefused `unreachable`, or `unexpected` for another program
 */
export async function connectToGatehouse({ url: given, fetch: request = fetch }: ConnectOptions): Promise<Gatehouse> {
  const url = given.replace(/\/+$/, '')
  const state = await new Controls(url, request).get<Pick<Started, 'systemApiKey' | 'organisations'>>('')
  const { systemApiKey, organisations } = state
  return gatehouseAt({ url, systemApiKey, processId: undefined, organisations, stop: async () => {}, fetch: request })
}

async function gatehouseAt(started: Started & { fetch: typeof fetch }): Promise<Gatehouse> {
  const { url, systemApiKey, processId, organisations, stop, fetch: request } = started
  const controls = new Controls(url, request)
  const clock = clockOf(controls)
  await clock.sync()
  const session = ({ id: user }: User) => controls.post<Session>('/sessions', { user })
  const totp = async ({ id }: User) => (await controls.get<{ code: string }>(`/users/${id}/totp`)).code
  return {
    url,
    systemApiKey,
    processId,
    seeded: organisations.map(organisationOf),
    clock,
    mails: messagesOf<SentMail, { to?: string; subject?: string }>(controls, '/mails'),
    texts: messagesOf<SentText, { to?: string }>(controls, '/texts'),
    webhooks: webhooksOf(controls),
    organisation: async (options = {}) => organisationOf(await controls.post<MadeOrganisation>('/organisations', options)),
    async signIn(page: PageLike | BrowsedPage, user: User, { through = 'session' }: { through?: 'session' | 'pages' } = {}) {
      if (through === 'pages') return signInThroughPages(page as BrowsedPage, { url, ...user, code: () => totp(user) })
      const { name, value } = (await session(user)).cookie
      await page.context().addCookies([{ name, value, url }])
    },
    session,
    tokens: (user, client, asked = {}) =>
      controls.post<Tokens>('/tokens', {
        user: user.id,
        clientId: client.id,
        ...(client.secret !== null && { clientSecret: client.secret }),
        redirectUri: client.redirectUris[0],
        ...asked,
      }),
    settled: () => controls.post('/settled'),
    fail: (fault) => controls.post('/faults', fault),
    bend: (bend) => controls.post('/bends', bend),
    rotateKeys: () => controls.post('/keys/rotate'),
    revokeAll: ({ id }) => controls.post(`/users/${id}/revoke`),
    block: ({ id }) => controls.post(`/users/${id}/block`),
    suspend: ({ id }) => controls.post(`/organisations/${id}/suspend`),
    authenticator: plugAuthenticatorInto,
    totp,
    snapshot: () => controls.post<Snapshot>('/snapshots'),
    restore: ({ id }) => controls.post(`/snapshots/${id}/restore`),
    reset: () => controls.post('/reset'),
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

/** What a process needs to run at all, and the folder in which the command caches its empty database. */
function environmentOfProcess(): Record<string, string> {
  const names = ['PATH', 'HOME', 'USERPROFILE', 'SystemRoot', 'TMPDIR', 'TEMP', 'XDG_CACHE_HOME', 'NODE_COMPILE_CACHE']
  // glibc would keep an arena of memory for each thread.
  const allocator = { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '131072' }
  const given = Object.fromEntries(names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name] as string]])))
  return { ...allocator, ...given }
}
