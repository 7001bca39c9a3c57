import { AccessRefused } from './errors.ts'
import { SeenTokens } from './seen-tokens.ts'

/** A confidential client that may introspect the tokens of the API: one in its `introspectionClientIds`, or that they were issued to. */
export interface IntrospectionOptions {
  clientId: string
  clientSecret: string
  /** How long an answer is used again, in seconds: at most 10, which is the default. */
  cacheSeconds?: number
}

const cacheSecondsMax = 10
const answersMax = 10_000
const timeoutMilliseconds = 5_000

/**
 * Makes the check whether a token is active: revoked tokens, those of blocked users and of ended sessions are not (RFC 7662).
 *
 * @returns a function that throws AccessRefused `invalid-token`, or `issuer-unavailable`
 */
export function introspectionOf(
  issuer: string,
  { clientId, clientSecret, cacheSeconds = cacheSecondsMax }: IntrospectionOptions,
  { fetch, clock }: { fetch: typeof globalThis.fetch; clock: () => number },
): (token: string, hash: string) => Promise<void> {
  const answers = new SeenTokens<{ isActive: boolean; until: number }>(answersMax)
  const keptMilliseconds = Math.min(cacheSeconds, cacheSecondsMax) * 1_000
  const authorization = `Basic ${btoa(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`)}`

  // Requests with the same token that come meanwhile wait for one response.
  const asking = new Map<string, Promise<boolean>>()
  function askOnce(token: string, hash: string): Promise<boolean> {
    const asked = asking.get(hash) ?? ask(token).finally(() => asking.delete(hash))
    asking.set(hash, asked)
    return asked
  }

  async function ask(token: string): Promise<boolean> {
    const unavailable = (cause: unknown, requestId?: string | null) =>
      new AccessRefused('issuer-unavailable', 'The token cannot be checked at present', { cause, requestId: requestId ?? undefined })
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

  return async (token, hash) => {
    const kept = answers.get(hash)
    const isKept = kept !== undefined && clock() < kept.until
    const isActive = isKept ? kept.isActive : await askOnce(token, hash)
    if (!isKept) answers.set(hash, { isActive, until: clock() + keptMilliseconds })
    if (!isActive) throw new AccessRefused('invalid-token', 'The token is not active any more')
  }
}
