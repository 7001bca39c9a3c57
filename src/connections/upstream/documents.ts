import { LRUCache } from 'lru-cache'
import { type Clock, isWithin } from '../../platform/clock.ts'
import { parseJsonObject } from '../../platform/json-object.ts'

/** The part of `fetch` that is needed here. It guards where requests go and how large a response may be. */
export type UpstreamFetch = (url: string, init: RequestInit) => Promise<Response>

const freshMilliseconds = 10 * 60 * 1_000
const sizeMax = 8 * 1024 * 1024

interface StoredDocument {
  text: string
  fetchedAt: number
}

/** Public documents of identity providers: discovery and keys. Organisations share them. */
export interface UpstreamDocuments {
  /**
   * @param maximumAge in milliseconds: an older copy is fetched again
   * @returns the document, or the response when it was not a document
   */
  read(url: string, init: RequestInit, maximumAge?: number): Promise<Response>
  /** The stored copy, however old. */
  peek(url: string): string | undefined
}

/** Concurrent sign-ins share one request. A document that could not be fetched is not stored. */
export function createUpstreamDocuments(fetch: UpstreamFetch, clock: Clock): UpstreamDocuments {
  const stored = new LRUCache<string, StoredDocument>({ max: 1_000, maxSize: sizeMax, sizeCalculation: ({ text }) => text.length + 1 })
  const underWay = new Map<string, Promise<StoredDocument | { status: number; text: string }>>()

  async function load(url: string, init: RequestInit) {
    const response = await fetch(url, init)
    const text = await response.text()
    if (response.status !== 200 || !isDocument(text)) return { status: response.status, text }
    const document = { text, fetchedAt: clock.now().getTime() }
    stored.set(url, document)
    return document
  }

  return {
    async read(url, init, maximumAge = freshMilliseconds) {
      const known = stored.get(url)
      if (known && isWithin(maximumAge, known.fetchedAt, clock.now().getTime())) return asResponse(known.text, 200)
      let loading = underWay.get(url)
      if (!loading) {
        // One caller's time limit must not end the request that others share: the guard has its own.
        const { signal: _signal, ...shared } = init
        loading = load(url, shared).finally(() => underWay.delete(url))
        underWay.set(url, loading)
      }
      const loaded = await loading
      return asResponse(loaded.text, 'status' in loaded ? loaded.status : 200)
    },
    peek: (url) => stored.get(url)?.text,
  }
}

/** Whether a text is a document. A maintenance page may also come with status 200: stored, it would fail for ten minutes more. */
const isDocument = (text: string): boolean => parseJsonObject(text) !== undefined

/** A response that the library can read, although its text has been read before. */
export const asResponse = (text: string, status: number, contentType = 'application/json'): Response =>
  new Response(text === '' ? null : text, { status, headers: { 'content-type': contentType } })
