import { isJsonObject, parseJsonObject } from '../../platform/json-object.ts'
import { asResponse, type UpstreamDocuments, type UpstreamFetch } from './documents.ts'
import { decodeIdToken } from './id-token.ts'
import type { Claims } from './presets.ts'

const unknownKeyMilliseconds = 60 * 1_000

/** The exchange with an identity provider in one sign-in, for the checks to show. */
export interface Conversation {
  fetch: UpstreamFetch
  keysUrl: string | undefined
  tokenEndpoint: string | undefined
  hasAskedForKeys: boolean
  /** The body of the token endpoint's last response. */
  tokens: Claims | undefined
  /** The last request that got no response, and why. */
  failure: { url: string; reason: string; status?: number } | undefined
}

/**
 * Passes the library's requests on, taking documents from the shared copies. A key that is missing from the copy may be new, so the
 * copy is fetched again, but at most once a minute: anyone can name keys that do not exist.
 *
 * @param maximumAge of a copy, in milliseconds; as long as copies count as fresh without it
 */
export function startConversation(fetch: UpstreamFetch, documents: UpstreamDocuments, maximumAge?: number): Conversation {
  const conversation: Conversation = {
    fetch: request,
    keysUrl: undefined,
    tokenEndpoint: undefined,
    hasAskedForKeys: false,
    tokens: undefined,
    failure: undefined,
  }

  async function request(url: string, init: RequestInit): Promise<Response> {
    try {
      const response = await respond(url, init)
      const isMissingDocument = response.status !== 200 && (url === conversation.keysUrl || isDiscovery(url))
      if (response.status >= 500 || isMissingDocument)
        conversation.failure = { url, reason: `status ${response.status}`, status: response.status }
      return response
    } catch (error) {
      conversation.failure = { url, reason: reasonOf(error) }
      throw error
    }
  }

  async function respond(url: string, init: RequestInit): Promise<Response> {
    // Shared copies serve only plain reads: another tenant's endpoint may have the address of a document.
    if (!isPlainRead(init)) return send(url, init)
    if (url === conversation.keysUrl) {
      conversation.hasAskedForKeys = true
      return documents.read(url, init, hasKey(url) ? maximumAge : unknownKeyMilliseconds)
    }
    if (isDiscovery(url)) return documents.read(url, init, maximumAge)
    return send(url, init)
  }

  async function send(url: string, init: RequestInit): Promise<Response> {
    const response = await fetch(url, init)
    const text = await response.text()
    if (url === conversation.tokenEndpoint) conversation.tokens = parseJsonObject(text)
    return asResponse(text, response.status, response.headers.get('content-type') ?? '')
  }

  function hasKey(url: string): boolean {
    const kid = decodeIdToken(conversation.tokens?.id_token)?.header.kid
    return kid === undefined || (keysIn(documents.peek(url) ?? '')?.some((key) => isJsonObject(key) && key.kid === kid) ?? false)
  }

  return conversation
}

/** The keys of a document (RFC 7517 §5); undefined when it is not a key set. */
export function keysIn(text: string): unknown[] | undefined {
  const { keys } = parseJsonObject(text) ?? {}
  return Array.isArray(keys) ? keys : undefined
}

const isPlainRead = ({ method = 'GET', body, headers }: RequestInit) =>
  method === 'GET' && (body === undefined || body === null) && !new Headers(headers).has('authorization')

const isDiscovery = (url: string) => url.endsWith('/.well-known/openid-configuration')

/** The innermost reason: `fetch` itself only reports that it failed. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message
}
