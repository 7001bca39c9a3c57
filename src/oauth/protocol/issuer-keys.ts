/** Where the issuers of platforms publish their keys, by their discovery documents (OpenID Connect Discovery §4, RFC 8414 §3). */
import { LRUCache } from 'lru-cache'
import { type Clock, isWithin } from '../../platform/clock.ts'
import type { OutgoingFetch } from '../../platform/http/outgoing-fetch.ts'
import { parseJsonObject } from '../../platform/json-object.ts'
import { cutText } from '../../platform/text.ts'

const minute = 60_000
const freshMilliseconds = 10 * minute
/** How long a copy outlives its time while the issuer cannot be reached. */
const staleMilliseconds = 24 * 60 * minute
const retryMilliseconds = minute
const issuersMax = 1_000

interface Issuer {
  jwksUri: string | undefined
  readAt: number
  askedAt: number
  loading: Promise<void> | undefined
  /** Why the last request got no document. */
  failure: string | undefined
}

export interface IssuerKeys {
  /**
   * The address of an issuer's keys. A copy is read again after ten minutes, and serves for 24 hours more while the issuer cannot be reached.
   *
   * @param onWait called if the issuer is asked, which takes seconds
   * @returns the reason when there is none
   */
  find(issuer: string, onWait?: () => void): Promise<{ jwksUri: string } | { failure: string }>
}

/** Clients and API keys share the copies. Concurrent requests share one fetch. */
export function createIssuerKeys(fetch: OutgoingFetch, clock: Clock): IssuerKeys {
  const issuers = new LRUCache<string, Issuer>({ max: issuersMax })

  async function read(address: string, name: string): Promise<string | undefined> {
    const response = await fetch(address, { headers: { accept: 'application/json' } })
    const text = await response.text()
    // A web page may come with status 200, too.
    const document = response.status === 200 ? parseJsonObject(text) : undefined
    if (document?.issuer === undefined) return undefined
    // A document of another issuer would lend it this one's name.
    if (document.issuer !== name) throw new Error(`${address} is the document of ${cutText(String(document.issuer), 200)}`)
    if (typeof document.jwks_uri !== 'string' || !URL.canParse(document.jwks_uri)) throw new Error(`${address} names no jwks_uri`)
    return document.jwks_uri
  }

  async function load(name: string, issuer: Issuer): Promise<void> {
    try {
      const [first, second] = documentsOf(name)
      const found = (await read(first, name)) ?? (await read(second, name))
      if (found === undefined) throw new Error(`neither ${first} nor ${second} is the document of an issuer`)
      Object.assign(issuer, { jwksUri: found, readAt: clock.now().getTime(), failure: undefined })
    } catch (error) {
      issuer.failure = error instanceof Error ? error.message : String(error)
    }
  }

  return {
    async find(name, onWait) {
      const now = clock.now().getTime()
      let issuer = issuers.get(name)
      if (!issuer) {
        issuer = { jwksUri: undefined, readAt: 0, askedAt: Number.NEGATIVE_INFINITY, loading: undefined, failure: undefined }
        issuers.set(name, issuer)
      }
      const serves = issuer.jwksUri !== undefined && isWithin(freshMilliseconds, issuer.readAt, now)
      if (!serves && !isWithin(retryMilliseconds, issuer.askedAt, now)) {
        issuer.askedAt = now
        const asked = issuer
        issuer.loading = load(name, asked).finally(() => {
          asked.loading = undefined
        })
      }
      if (!serves && issuer.loading) {
        onWait?.()
        await issuer.loading
      }
      const { jwksUri, readAt, failure } = issuer
      // A clock that is set back by a little costs no copy of an issuer that cannot be reached.
      if (jwksUri !== undefined && Math.abs(now - readAt) < freshMilliseconds + staleMilliseconds) return { jwksUri }
      return { failure: failure ?? 'no document' }
    },
  }
}

function documentsOf(issuer: string): [string, string] {
  const { origin, pathname } = new URL(issuer)
  const path = pathname.replace(/\/+$/, '')
  return [`${origin}${path}/.well-known/openid-configuration`, `${origin}/.well-known/oauth-authorization-server${path}`]
}
