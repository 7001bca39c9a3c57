import { type Said, say } from '../../../shared/checks/said.ts'
import { redirectUriLengthMax } from '../../organisations/rules.ts'

/** A URI that the client has registered; only {@link proveRedirectUri} returns one, and nothing else is redirected to. */
export type ProvenRedirectUri = string & { readonly proven: unique symbol }

interface Registered {
  clientType: 'confidential' | 'public'
  redirectUris: readonly string[]
  /** Undefined counts as a client that an administrator has registered. */
  origin?: 'admin' | 'registration' | 'metadata_document'
}

const loopback = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]))(?::\d{1,5})?(\/.*)?$/
const loopbackWithName = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d{1,5})?(\/.*)?$/

/**
 * Proves that a URI is the client's: equal to a registered one as a string (RFC 9700 §2.1). Only the port of a loopback
 * address may differ, and only for a native application, which cannot know it beforehand (RFC 8252 §7.3). Applications that introduce
 * themselves use the name `localhost` for it, too.
 */
export function proveRedirectUri({ clientType, redirectUris, origin = 'admin' }: Registered, uri: string): ProvenRedirectUri | undefined {
  if (uri.length > redirectUriLengthMax) return undefined
  if (redirectUris.includes(uri)) return uri as ProvenRedirectUri
  // A document that names keys is still of a native application, if its redirect URIs say so.
  if (clientType !== 'public' && origin !== 'metadata_document') return undefined
  const form = origin === 'admin' ? loopback : loopbackWithName
  // Digits alone make no port: one beyond 65535 is an address that nothing can read.
  const portless = URL.canParse(uri) ? withoutLoopbackPort(uri, form) : undefined
  const isRegistered = portless !== undefined && redirectUris.some((registered) => withoutLoopbackPort(registered, form) === portless)
  return isRegistered ? (uri as ProvenRedirectUri) : undefined
}

function withoutLoopbackPort(uri: string, form: RegExp): string | undefined {
  const match = form.exec(uri)
  return match ? `${match[1]}${match[2] ?? ''}` : undefined
}

/**
 * Explains where a URI departs from the most similar registered one; undefined when none is registered. A stranger can trigger this
 * work, so it compares each registered URI once, and none if the received URI is longer than any of them may be.
 */
export function explainDifference(received: string, registered: readonly string[]): Said | undefined {
  if (received.length > redirectUriLengthMax) return say('uri-too-long', String(redirectUriLengthMax), String(received.length))
  const nearest = nearestTo(received, registered)
  if (nearest === undefined) return undefined
  const at = commonStart(nearest, received)
  const [wanted, sent] = [nearest, received].map((uri) => uri.slice(at, at + 12)) as [string, string]
  const place = [nearest, String(at + 1)] as const
  if (wanted === '') return say('nearest-uri-is-shorter', ...place, sent)
  return sent === '' ? say('nearest-uri-is-longer', ...place, wanted) : say('nearest-uri', ...place, wanted, sent)
}

function nearestTo(received: string, registered: readonly string[]): string | undefined {
  let nearest: { uri: string; likeness: number } | undefined
  for (const uri of registered) {
    const likeness = commonStart(uri, received) + commonEnd(uri, received)
    if (!nearest || likeness > nearest.likeness) nearest = { uri, likeness }
  }
  return nearest?.uri
}

function commonStart(one: string, other: string): number {
  let length = 0
  while (length < one.length && one.charCodeAt(length) === other.charCodeAt(length)) length++
  return length
}

function commonEnd(one: string, other: string): number {
  const most = Math.min(one.length, other.length)
  let length = 0
  while (length < most && one.charCodeAt(one.length - 1 - length) === other.charCodeAt(other.length - 1 - length)) length++
  return length
}
