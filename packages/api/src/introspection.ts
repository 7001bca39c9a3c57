import { AccessRefused } from './errors.ts'
import { SeenTokens } from './seen-tokens.ts'

/**
 * A confidential client of the organisation that the tokens are of: the issuer says of all others that they are not active. Of a token for
 * a registered API, the client has to be in its `introspectionClientIds`, or the one that the token was issued to.
 */
export interface IntrospectionOptions {
  clientId: string
  clientSecret: string
  /** How long an answer is used again, in seconds: at most 10, which is the default. */
  cacheSeconds?: number
}

/** The client to ask with, or how to find the one of an organisation. An organisation that has none is not served. */
export type Introspection =
  | IntrospectionOptions
  | ((organisationId: string) => IntrospectionOptions | undefined | Promise<IntrospectionOptions | undefined>)

const cacheSecondsMax = 10
const answersMax = 10_000
const timeoutMilliseconds = 5_000

const unavailable = (cause: unknown, requestId?: string | null) =>
  new AccessRefused('issuer-unavailable', 'The token cannot be checked at present', { cause, requestId: requestId ?? undefined })

interface Answer {
  isActive: boolean
  until: number
}

/**
 * Makes the check whether a token is active: revoked tokens, those of blocked users and of ended sessions are not (RFC 7662).
 *
 * @returns a function that throws AccessRefused `invalid-token`, or `issuer-unavailable`
 */
export function introspectionOf(
  issuer: string,
  introspection: Introspection,
  { fetch, clock }: { fetch: typeof globalThis.fetch; clock: () => number },
): (token: string, hash: string, organisationId: string) => Promise<void> {
  const clientOf = typeof introspection === 'function' ? introspection : () => introspection
  const answers = new SeenTokens<Answer>(answersMax)

  // Requests with the same token that come meanwhile wait for one response.
  const asking = new Map<string, Promise<Answer>>()
  function askOnce(token: string, hash: string, organisationId: string): Promise<Answer> {
    const asked = asking.get(hash) ?? answerTo(token, organisationId).finally(() => asking.delete(hash))
    asking.set(hash, asked)
    return asked
  }

  async function answerTo(token: string, organisationId: string): Promise<Answer> {
    const client = await findClient(organisationId)
    if (!client) throw new AccessRefused('invalid-token', 'The token is of another organisation')
    const isActive = await ask(token, client)
    return { isActive, until: clock() + Math.min(client.cacheSeconds ?? cacheSecondsMax, cacheSecondsMax) * 1_000 }
  }

  /** The function of the application may fail as its database does: the token cannot be checked, and the next request may be luckier. */
  async function findClient(organisationId: string): Promise<IntrospectionOptions | undefined> {
    try {
      return await clientOf(organisationId)
    } catch (error) {
      throw unavailable(error)
    }
  }

  async function ask(token: string, { clientId, clientSecret }: IntrospectionOptions): Promise<boolean> {
    const authorization = `Basic ${btoa(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`)}`
    const response = await fetch(`${issuer}/oauth2/introspect`, {
      method: 'POST',
      headers: { authorization, accept: 'application/json' },
      body: new URLSearchParams({ token, token_type_hint: 'access_token' }),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMilliseconds),
    }).catch((error: unknown) => {
      throw unavailable(error)
    })
    const body = (await response.json().catch(() => undefined)) as { active?: unknown } | undefined
    if (response.status !== 200 || typeof body?.active !== 'boolean')
      throw unavailable(new Error(`Introspection responded ${response.status}`), response.headers.get('x-request-id'))
    return body.active
  }

  async function mayWork(token: string, hash: string, organisationId: string): Promise<boolean> {
    const kept = answers.get(hash)
    if (kept !== undefined && clock() < kept.until) return kept.isActive
    const answer = await askOnce(token, hash, organisationId)
    answers.set(hash, answer)
    return answer.isActive
  }

  return async (...asked) => {
    if (!(await mayWork(...asked)))
      throw new AccessRefused('invalid-token', 'The issuer says that the token is not active, or not one that this API may ask about')
  }
}
