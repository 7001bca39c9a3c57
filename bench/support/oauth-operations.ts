import type { Contestant } from './contestants.ts'
import type { Tokens } from './relying-party.ts'

/** How many requests are made at a time. */
export const atATime = 16

export interface Operation {
  /** The share of the peer's CPU time that the service may use. */
  goal: number
  /** How many operations warm up the JavaScript compilers, if more than a round. */
  warmUp?: number
  /** It needs a client that authenticates by a key, which the floor has not. */
  isAssured?: boolean
  /** Prepares `count` operations without measuring, and returns the work to be measured. */
  prepare(contestant: Contestant, count: number): Promise<() => Promise<void>>
}

const documentsWarmUp = 20_000

export const operations: Record<string, Operation> = {
  discovery: {
    goal: 0.5,
    warmUp: documentsWarmUp,
    prepare:
      async ({ party }, count) =>
      () =>
        many(count, () => party.get('/.well-known/openid-configuration').then(succeeded)),
  },
  jwks: {
    goal: 0.5,
    warmUp: documentsWarmUp,
    prepare:
      async ({ party, paths }, count) =>
      () =>
        many(count, () => party.get(paths.jwks).then(succeeded)),
  },
  'code flow': {
    goal: 0.33,
    prepare:
      async ({ party, paths }, count) =>
      () =>
        many(count, () => party.codeFlow(paths.authorize, paths.token)),
  },
  refresh: { goal: 0.33, prepare: refresh },
  'client credentials': {
    goal: 0.45,
    prepare:
      async ({ party, paths }, count) =>
      () =>
        many(count, () => party.token(paths.token, { grant_type: 'client_credentials', scope: 'api' })),
  },
  introspection: {
    goal: 0.5,
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
    goal: 0.5,
    prepare: async (contestant, count) => {
      const { party, paths } = contestant
      const tokens = await checkedTokens(contestant, atATime)
      return () =>
        many(count, (index) => party.get(paths.userinfo, { authorization: `Bearer ${at(tokens, index).access_token}` }).then(succeeded))
    },
  },
  revocation: {
    goal: 0.8,
    prepare: async (contestant, count) => {
      const { party, paths, checkedTokenHeaders } = contestant
      const tokens: Tokens[] = []
      // Of the client's own: with a user's token the peer ends all of the same grant, and finds nothing to revoke afterwards.
      const form = { grant_type: 'client_credentials', scope: 'api' }
      await many(count, async () => tokens.push(await party.token(paths.token, form, checkedTokenHeaders)))
      return () => many(count, (index) => party.postForm(paths.revoke, { token: at(tokens, index).access_token }).then(succeeded))
    },
  },
  'pushed code flow with DPoP': {
    goal: 0.4,
    isAssured: true,
    prepare: async (contestant, count) => {
      const { authorize, token } = contestant.paths
      const { party, push } = assuredOf(contestant)
      return () => many(count, () => party.pushedCodeFlow(push, authorize, token))
    },
  },
  'refresh with DPoP': {
    goal: 0.4,
    isAssured: true,
    prepare: async (contestant, count) => {
      const { authorize, token } = contestant.paths
      const { party, push } = assuredOf(contestant)
      return refreshes(
        count,
        () => party.pushedCodeFlow(push, authorize, token),
        (form) => party.token(token, form, party.proof(token)),
      )
    },
  },
  'client credentials by key': {
    goal: 0.4,
    isAssured: true,
    prepare: async (contestant, count) => {
      const { party } = assuredOf(contestant)
      return () => many(count, () => party.token(contestant.paths.token, { grant_type: 'client_credentials', scope: 'api' }))
    },
  },
}

function assuredOf({ name, assured }: Contestant): NonNullable<Contestant['assured']> {
  if (!assured) throw new Error(`${name} has no client with a key`)
  return assured
}

function refresh({ party, paths }: Contestant, count: number): Promise<() => Promise<void>> {
  return refreshes(
    count,
    () => party.codeFlow(paths.authorize, paths.token),
    (form) => party.token(paths.token, form),
  )
}

/** Each chain of refreshes is one family. As many chains run concurrently as there are connections. */
async function refreshes(
  count: number,
  signIn: () => Promise<Tokens>,
  token: (form: Record<string, string>) => Promise<Tokens>,
): Promise<() => Promise<void>> {
  const families = await Promise.all(Array.from({ length: atATime }, signIn))
  return async () => {
    let left = count
    await Promise.all(
      families.map(async (tokens) => {
        let current = tokens.refresh_token ?? ''
        while (left-- > 0) {
          const next = await token({ grant_type: 'refresh_token', refresh_token: current })
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

/** Runs the work `count` times, with as many at a time as there are connections. */
export async function many(count: number, work: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0
  const worker = async () => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: atATime }, worker))
}

function at<T>(items: readonly T[], index: number): T {
  return items[index % items.length] as T
}

/** @throws when the status is not 200 */
export function succeeded({ status, text }: { status: number; text: string }): void {
  if (status !== 200) throw new Error(`${status} ${text}`)
}
