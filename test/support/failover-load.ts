import { setTimeout as pause } from 'node:timers/promises'
import { type Answer, HttpClient } from './http-client.ts'
import { basic, callbackOf, encode, pkce } from './oauth.ts'
import type { Hook, Receiver } from './receiver.ts'

/** What a failover did to requests. */
export interface Tally {
  requests: number
  /** With the documented 503, which has `Retry-After`. */
  unavailable: number
  /** In any other way: connections that ended, and other statuses of the server. Each with how it failed. */
  otherFailures: string[]
  /** From the first failed request to the last one. */
  failedSeconds: number
  /** When the first change after a moment was confirmed, in milliseconds of `performance.now()`. */
  firstStoredAfter(moment: number): number | undefined
}

/** What the load asks for. */
export type Kind = 'authorization' | 'code' | 'refresh' | 'introspection' | 'change by an administrator' | 'sign-in'

/** A request that was carried out, or refused with a reason, and how long that took. */
export interface Timed {
  kind: Kind
  /** When it was sent, in milliseconds of `performance.now()`. */
  at: number
  milliseconds: number
}

/** What is wrong afterwards with what had been confirmed. */
export interface Damage {
  lostWrites: string[]
  /** Refresh tokens and codes that could be redeemed again. */
  usedTwice: number
  lostWebhooks: number
}

interface Kept {
  stored: { slug: string; at: number }[]
  sessions: Record<string, string>[]
  /** Of each chain of refresh tokens, the redeemed ones in order. */
  spent: string[][]
  codes: { code: string; verifier: string }[]
  refusedUnasked: string[]
}

/** Sign-ins, refreshes, code exchanges, introspection, changes by an administrator, and the webhooks of those, through the front door. */
export class FailoverLoad {
  readonly #origin: string
  readonly #account: { email: string; password: string }
  readonly #owner: HttpClient
  readonly #client: { id: string; clientSecret: string }
  readonly #hook: Hook
  #team = 0

  private constructor(
    origin: string,
    account: { email: string; password: string },
    owner: HttpClient,
    client: { id: string; clientSecret: string },
    hook: Hook,
  ) {
    this.#origin = origin
    this.#account = account
    this.#owner = owner
    this.#client = client
    this.#hook = hook
  }

  static async prepare(origin: string, account: { email: string; password: string }, receiver: Receiver): Promise<FailoverLoad> {
    const anonymous = new HttpClient(origin)
    const login = await anonymous.post('/v1/auth/login', account)
    const owner = new HttpClient(origin, sessionOf(login))
    const created = await owner.post('/v1/admin/clients', { name: 'Portal', clientType: 'confidential', redirectUris: [redirectUri] })
    const hook = receiver.hook()
    const endpoint = await owner.post('/v1/admin/webhooks', { url: hook.url, events: ['team.created'] })
    for (const { status, body } of [created, endpoint])
      if (status !== 201) throw new Error(`The service responded ${status}: ${JSON.stringify(body)}`)
    return new FailoverLoad(origin, account, owner, created.body, hook)
  }

  /** Runs until it is stopped. */
  start() {
    const failures: { at: number; how: string }[] = []
    const timed: Timed[] = []
    const kept: Kept = { stored: [], sessions: [], spent: [], codes: [], refusedUnasked: [] }
    let requests = 0
    let isOver = false

    const sent = async (kind: Kind, request: () => Promise<Answer>): Promise<Answer | undefined> => {
      requests++
      const began = performance.now()
      const answer = await request().catch((error) => String(error.cause?.code ?? error))
      if (typeof answer !== 'string' && answer.status < 500) {
        timed.push({ kind, at: began, milliseconds: performance.now() - began })
        return answer
      }
      const isDocumented = typeof answer !== 'string' && answer.status === 503 && answer.headers.has('retry-after')
      const how = typeof answer === 'string' ? answer : `${answer.status} ${JSON.stringify(answer.body)}`
      // A request that hangs has failed since it was sent.
      failures.push({ at: began, how: isDocumented ? '' : how }, { at: performance.now(), how: '' })
      return undefined
    }
    /** Repeats a request until it is answered. */
    const answered = async (kind: Kind, request: () => Promise<Answer>) => {
      for (let attempts = 1; ; attempts++) {
        const answer = await sent(kind, request)
        if (answer) return { answer, isFirst: attempts === 1 }
        if (isOver) return undefined
        await pause(50)
      }
    }
    const exchange = async () => {
      const got = await answered('authorization', () => this.#authorize())
      if (!got) return undefined
      const { code, verifier, status } = got.answer.body
      if (!code) {
        kept.refusedUnasked.push(`authorization: ${status}`)
        return undefined
      }
      const redeemed = await answered('code', () => this.#redeem(code, verifier))
      if (redeemed?.answer.status === 200) {
        const { refresh_token: refreshToken, access_token: accessToken } = redeemed.answer.body as Record<string, string>
        return { code, verifier, refreshToken, accessToken }
      }
      // The response to an earlier attempt may have been lost, but not what it had done. Without an earlier attempt, the code was lost.
      if (redeemed?.isFirst) kept.refusedUnasked.push(`code: ${JSON.stringify(redeemed.answer.body)}`)
      return undefined
    }
    const exchangeCodes = async () => {
      for (; !isOver; await pause(50)) {
        const done = await exchange()
        if (done) kept.codes.push(done)
      }
    }
    const refresh = async () => {
      while (!isOver) {
        const spent: string[] = []
        kept.spent.push(spent)
        for (let token = (await exchange())?.refreshToken; token && !isOver; await pause(50)) {
          const current: string = token
          const got = await answered('refresh', () => this.#refresh(current))
          if (got?.answer.status === 200) spent.push(current)
          else if (got?.isFirst) kept.refusedUnasked.push(`refresh token: ${JSON.stringify(got.answer.body)}`)
          token = got?.answer.body.refresh_token
        }
      }
    }
    const introspect = async () => {
      let token: string | undefined
      for (; !isOver && !token; ) token = (await exchange())?.accessToken
      for (; !isOver; await pause(50)) {
        const answer = await sent('introspection', () => this.#introspect(token ?? ''))
        if (answer && answer.body.active !== true)
          kept.refusedUnasked.push(`introspection: ${answer.status} ${JSON.stringify(answer.body)}`)
      }
    }
    const administer = async () => {
      for (; !isOver; await pause(50)) {
        const slug = `team-${this.#team++}`
        const answer = await sent('change by an administrator', () => this.#owner.post('/v1/admin/teams', { name: slug, slug }))
        if (answer?.status === 201) kept.stored.push({ slug, at: performance.now() })
        else if (answer) kept.refusedUnasked.push(`team: ${answer.status} ${JSON.stringify(answer.body)}`)
      }
    }
    const signIn = async () => {
      for (; !isOver; await pause(250)) {
        const answer = await sent('sign-in', () => new HttpClient(this.#origin).post('/v1/auth/login', this.#account))
        if (answer?.status === 200) kept.sessions.push(sessionOf(answer))
        else if (answer) kept.refusedUnasked.push(`sign-in: ${answer.status} ${JSON.stringify(answer.body)}`)
      }
    }
    const running = Promise.all([
      ...[refresh(), refresh(), refresh(), exchangeCodes(), exchangeCodes()],
      ...[introspect(), administer(), administer(), signIn()],
    ])

    const tally = (): Tally => {
      const times = failures.map(({ at }) => at)
      return {
        requests,
        unavailable: failures.length / 2 - failures.filter(({ how }) => how !== '').length,
        otherFailures: failures.flatMap(({ how }) => how || []),
        failedSeconds: times.length === 0 ? 0 : (Math.max(...times) - Math.min(...times)) / 1_000,
        firstStoredAfter: (moment) => kept.stored.find(({ at }) => at > moment)?.at,
      }
    }
    return {
      tally,
      timed: timed as readonly Timed[],
      /** How many changes have been confirmed. */
      storedCount: () => kept.stored.length,
      /** @param slugsThere reads the slugs of all teams from the database */
      stop: async (slugsThere: () => Promise<Set<string>>): Promise<Tally & Damage> => {
        isOver = true
        await running
        return { ...tally(), ...(await this.#examine(kept, await slugsThere())) }
      },
    }
  }

  async #examine({ stored, sessions, spent, codes, refusedUnasked }: Kept, slugsThere: Set<string>): Promise<Damage> {
    const lostWrites = [...refusedUnasked]
    for (const { slug } of stored) if (!slugsThere.has(slug)) lostWrites.push(slug)
    for (const session of sessions) {
      const { status } = await this.#answered(() => new HttpClient(this.#origin, session).get('/v1/me/profile'))
      if (status !== 200) lostWrites.push(`session: ${status}`)
    }
    let usedTwice = 0
    const replay = async (request: () => Promise<Answer>) => {
      if ((await this.#answered(request)).status === 200) usedTwice++
    }
    // The newest first: with the first that is recognised, all of its chain are revoked.
    const replays = [
      ...spent.map((chain) => chain.toReversed().map((token) => () => this.#refresh(token))),
      ...codes.map(({ code, verifier }) => [() => this.#redeem(code, verifier)]),
    ]
    await Promise.all(
      Array.from({ length: replaysAtOnce }, async () => {
        for (let chain = replays.pop(); chain; chain = replays.pop()) for (const request of chain) await replay(request)
      }),
    )

    const expected = stored.map(({ slug }) => slug).filter((slug) => slugsThere.has(slug))
    const missing = () => {
      const arrived = new Set(this.#hook.requests.map(({ body }) => JSON.parse(body).data.team.slug as string))
      return expected.filter((slug) => !arrived.has(slug)).length
    }
    // The lease of a delivery that was under way ends after half a minute.
    for (const end = Date.now() + 90_000; missing() > 0 && Date.now() < end; ) await pause(100)
    return { lostWrites, usedTwice, lostWebhooks: missing() }
  }

  /** A response that is not 503: a request that was not carried out says nothing, nor does a connection that ended before the response. */
  async #answered(request: () => Promise<Answer>): Promise<Answer> {
    for (;;) {
      const answer = await request().catch(() => undefined)
      if (answer && answer.status !== 503) return answer
      await pause(50)
    }
  }

  /** The body is the code with its verifier. */
  async #authorize(): Promise<Answer> {
    const { verifier, challenge } = pkce()
    const query = encode({
      response_type: 'code',
      client_id: this.#client.id,
      redirect_uri: redirectUri,
      scope: 'openid offline_access',
      state: 'xyz',
      code_challenge: challenge,
      code_challenge_method: 'S256',
    })
    const answer = await this.#owner.get(`/oauth2/authorize?${query}`)
    if (answer.status >= 500) return answer
    return { ...answer, body: { status: answer.status, code: callbackOf(answer).get('code'), verifier } }
  }

  #redeem(code: string, verifier: string): Promise<Answer> {
    return this.#token({ grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier })
  }

  #refresh(token: string): Promise<Answer> {
    return this.#token({ grant_type: 'refresh_token', refresh_token: token })
  }

  #introspect(token: string): Promise<Answer> {
    return this.#asClient('/oauth2/introspect', { token })
  }

  #token(form: Record<string, string>): Promise<Answer> {
    return this.#asClient('/oauth2/token', form)
  }

  #asClient(path: string, form: Record<string, string>): Promise<Answer> {
    return new HttpClient(this.#origin).post(path, encode(form), {
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        authorization: basic(this.#client.id, this.#client.clientSecret),
      },
    })
  }
}

const replaysAtOnce = 16

const redirectUri = 'https://portal.example.test/callback'

const sessionOf = (login: Answer) => ({
  cookie: login.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; '),
  'x-csrf-token': login.body.csrfToken as string,
})
