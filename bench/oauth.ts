/**
 * CPU time, of the service and of its database together, for each OAuth operation, beside npm oidc-provider on the same
 * PostgreSQL in the same run: `npm run bench:oauth`.
 */
import { randomBytes } from 'node:crypto'
import process from 'node:process'
import { onServer, urlOf } from '../test/support/database-server.ts'
import { startPostgres } from '../test/support/postgres-server.ts'
import { cpuSecondsOf } from './support/cpu.ts'
import { type RegisteredClient, RelyingParty, type Tokens } from './support/relying-party.ts'
import { type StartedProcess, startProcess } from './support/started-process.ts'

const atATime = 16
const rounds = 3
const operationsPerRound = Number(process.argv[2] ?? 1_000)

interface Contestant {
  name: string
  process: StartedProcess
  party: RelyingParty
  paths: Record<'authorize' | 'token' | 'userinfo' | 'introspect' | 'revoke' | 'jwks', string>
  /** Headers that make the tokens ones that userinfo, introspection and revocation of this server take. */
  checkedTokenHeaders: Record<string, string>
}

type Operation = (contestant: Contestant, count: number) => Promise<() => Promise<void>>

/** Each prepares what it needs, unmeasured, and returns the work that is measured. */
const operations: Record<string, { goal: number; prepare: Operation }> = {
  discovery: {
    goal: 1 / 3,
    prepare:
      async ({ party }, count) =>
      () =>
        many(count, () => party.get('/.well-known/openid-configuration')),
  },
  jwks: {
    goal: 1 / 3,
    prepare:
      async ({ party, paths }, count) =>
      () =>
        many(count, () => party.get(paths.jwks)),
  },
  'code flow': {
    goal: 1 / 3,
    prepare:
      async ({ party, paths }, count) =>
      () =>
        many(count, () => party.codeFlow(paths.authorize, paths.token)),
  },
  refresh: { goal: 1 / 3, prepare: refresh },
  'client credentials': {
    goal: 1 / 2,
    prepare:
      async ({ party, paths }, count) =>
      () =>
        many(count, () => party.token(paths.token, { grant_type: 'client_credentials', scope: 'api' })),
  },
  introspection: {
    goal: 1 / 2,
    prepare: async (contestant, count) => {
      const { party, paths } = contestant
      const tokens = await checkedTokens(contestant, atATime)
      return () =>
        many(count, async (index) => {
          const { text } = await party.postForm(paths.introspect, { token: at(tokens, index).access_token })
          if (!text.includes('"active":true')) throw new Error(`introspection: ${text}`)
        })
    },
  },
  userinfo: {
    goal: 1 / 2,
    prepare: async (contestant, count) => {
      const { party, paths } = contestant
      const tokens = await checkedTokens(contestant, atATime)
      return () =>
        many(count, async (index) => {
          const { status, text } = await party.get(paths.userinfo, { authorization: `Bearer ${at(tokens, index).access_token}` })
          if (status !== 200) throw new Error(`userinfo: ${status} ${text}`)
        })
    },
  },
  revocation: {
    goal: 1 / 2,
    prepare: async (contestant, count) => {
      const { party, paths } = contestant
      const tokens = await checkedTokens(contestant, count)
      return () => many(count, (index) => party.postForm(paths.revoke, { token: at(tokens, index).access_token }))
    },
  },
}

const database = await startPostgres({ durable: true })
const contestants = [await startGatehouse(), await startPeer()]
const results: Record<string, Record<string, string>> = {}
for (const [name, { goal, prepare }] of Object.entries(operations)) {
  const measured = new Map<string, { cpu: number[]; rate: number[] }>(contestants.map((one) => [one.name, { cpu: [], rate: [] }]))
  for (let round = 0; round <= rounds; round++) {
    for (const contestant of contestants) {
      const work = await prepare(contestant, operationsPerRound)
      const cpuBefore = cpuOf(contestant)
      const startedAt = performance.now()
      await work()
      // The first round warms up.
      if (round === 0) continue
      measured.get(contestant.name)?.cpu.push(((cpuOf(contestant) - cpuBefore) / operationsPerRound) * 1_000)
      measured.get(contestant.name)?.rate.push(operationsPerRound / ((performance.now() - startedAt) / 1_000))
    }
  }
  const [ours, theirs] = contestants.map(({ name: one }) => measured.get(one) ?? { cpu: [], rate: [] })
  if (!ours || !theirs) continue
  results[name] = {
    'gatehouse ms CPU': median(ours.cpu).toFixed(3),
    'peer ms CPU': median(theirs.cpu).toFixed(3),
    ratio: (median(ours.cpu) / median(theirs.cpu)).toFixed(2),
    goal: goal.toFixed(2),
    'gatehouse /s': median(ours.rate).toFixed(0),
    'peer /s': median(theirs.rate).toFixed(0),
  }
}
// biome-ignore lint/suspicious/noConsole: a bench prints
console.table(results)

for (const { party, process: started } of contestants) {
  await party.close()
  await started.stop()
}
await database.stop()

function cpuOf({ process: started }: Contestant): number {
  return cpuSecondsOf(started.pid) + cpuSecondsOf(database.pid)
}

/** Each chain of refreshes is one family; as many chains run beside each other as requests are made at a time. */
async function refresh({ party, paths }: Contestant, count: number): Promise<() => Promise<void>> {
  const families = await Promise.all(Array.from({ length: atATime }, () => party.codeFlow(paths.authorize, paths.token)))
  return async () => {
    await Promise.all(
      families.map(async (tokens) => {
        let current = tokens.refresh_token ?? ''
        for (let i = 0; i < count / atATime; i++) {
          const next = await party.token(paths.token, { grant_type: 'refresh_token', refresh_token: current })
          current = next.refresh_token ?? ''
        }
      }),
    )
  }
}

async function checkedTokens({ party, paths, checkedTokenHeaders }: Contestant, count: number): Promise<Tokens[]> {
  const tokens: Tokens[] = []
  await many(count, async () => {
    tokens.push(await party.codeFlow(paths.authorize, paths.token, checkedTokenHeaders))
  })
  return tokens
}

async function many(count: number, work: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0
  const worker = async () => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: atATime }, worker))
}

function at<T>(items: readonly T[], index: number): T {
  return items[index % items.length] as T
}

function median(values: number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN
}

async function startGatehouse(): Promise<Contestant> {
  await onServer(database.url, 'create database gatehouse')
  const systemApiKey = randomBytes(32).toString('base64url')
  const owner = { email: 'owner@bench.test', password: 'correct horse battery' }
  const started = await startProcess(
    'src/main.ts',
    {
      DATABASE_URL: urlOf(database.url, 'gatehouse'),
      DATA_DIR: '/tmp/gatehouse-bench',
      PUBLIC_URL: 'http://gatehouse.test',
      LOG_LEVEL: 'warn',
      RATE_LIMIT: 'off',
      SYSTEM_API_KEY: systemApiKey,
      BOOTSTRAP_OWNER_EMAIL: owner.email,
      BOOTSTRAP_OWNER_PASSWORD: owner.password,
    },
    '/readyz',
  )
  const redirectUri = 'https://rp.example.test/callback'
  const visitor = new RelyingParty(started.origin, { clientId: '', clientSecret: '', redirectUri }, 1)
  const { csrfToken } = JSON.parse((await visitor.postJson('/v1/auth/login', owner)).text)
  const client = await visitor.postJson(
    '/v1/admin/clients',
    {
      name: 'Bench',
      clientType: 'confidential',
      redirectUris: [redirectUri],
      grantTypes: ['authorization_code', 'refresh_token', 'client_credentials'],
      scopes: ['api'],
    },
    { 'x-csrf-token': csrfToken },
  )
  await visitor.close()
  const { clientId, clientSecret } = JSON.parse(client.text)
  const party = new RelyingParty(started.origin, { clientId, clientSecret, redirectUri }, atATime)
  await party.postJson('/v1/auth/login', owner)
  return {
    name: 'gatehouse',
    process: started,
    party,
    paths: {
      authorize: '/oauth2/authorize',
      token: '/oauth2/token',
      userinfo: '/oauth2/userinfo',
      introspect: '/oauth2/introspect',
      revoke: '/oauth2/revoke',
      jwks: '/oauth2/jwks.json',
    },
    checkedTokenHeaders: {},
  }
}

async function startPeer(): Promise<Contestant> {
  await onServer(database.url, 'create database peer')
  const started = await startProcess(
    'bench/peer/oidc-provider.ts',
    { DATABASE_URL: urlOf(database.url, 'peer'), NODE_ENV: 'production' },
    '/.well-known/openid-configuration',
  )
  const client: RegisteredClient = {
    clientId: 'bench',
    clientSecret: 'a-secret-of-the-bench-that-is-long-enough',
    redirectUri: 'https://rp.example.test/callback',
  }
  const party = new RelyingParty(started.origin, client, atATime)
  await party.codeFlow('/auth', '/token')
  return {
    name: 'oidc-provider',
    process: started,
    party,
    paths: {
      authorize: '/auth',
      token: '/token',
      userinfo: '/me',
      introspect: '/token/introspection',
      revoke: '/token/revocation',
      jwks: '/jwks',
    },
    checkedTokenHeaders: { 'x-bench-token': 'opaque' },
  }
}
