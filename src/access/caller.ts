import type { FastifyRequest } from 'fastify'
import type { Actor } from '../activity/actor.ts'
import { callerAddress } from '../platform/http/addresses.ts'
import { invalidField } from '../platform/http/problem.ts'
import { cutText, isPlainText } from '../platform/text.ts'

/** Somebody who is signed in, or an API key, as the checks of `access` found them. */
export interface Caller extends Actor {
  readonly organisationId: string
  /** Slugs; asked of the database with every request, so that a change acts on the next one. */
  readonly permissions: ReadonlySet<string>
  /** Whether the caller owns the organisation; an API key never does. */
  readonly isOwner: boolean
  /** Of an API key: an id that no session has, and the user who created the key and answers for it. */
  readonly session: CallerSession
}

export interface CallerSession {
  readonly id: string
  readonly userId: string
}

/** The live session of a browser that opens a page. */
export interface BrowserSession {
  readonly caller: Caller
  readonly authenticatedAt: Date
  /** RFC 8176 values. */
  readonly authenticationMethods: readonly string[]
  readonly awaitsMfaEnrolment: boolean
}

const userAgentMax = 512

/**
 * The caller's address and program, for requests that nobody has signed in for.
 *
 * @throws Problem `bad-request` for a User-Agent with control characters: it is stored
 */
export function originOf(request: FastifyRequest): Pick<Actor, 'ipAddress' | 'userAgent'> {
  const userAgent = readHeaderText(request.headers['user-agent'] ?? '')
  if (!isPlainText(userAgent)) throw invalidField(['User-Agent'], 'Must not contain control characters')
  return { ipAddress: callerAddress(request), userAgent: cutText(userAgent, userAgentMax) }
}

const asciiOnly = /^[\0-\x7f]*$/

/** Node reads the bytes of a header as Latin-1; most programs that write more than ASCII there write UTF-8. */
function readHeaderText(header: string): string {
  if (asciiOnly.test(header)) return header
  const text = Buffer.from(header, 'latin1').toString()
  return text.includes('\ufffd') ? header : text
}

/** Somebody who is not signed in, or the operator by the system API. */
export function actorOf(request: FastifyRequest, who: Pick<Actor, 'actorType' | 'actorId'>): Actor {
  return { ...who, ...originOf(request) }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on routes with `admin` or `self` access, and only there. */
    caller: Caller
    /** Set on routes with `page` access when there is a live session. */
    browserSession: BrowserSession | undefined
    /** Whether it came with the system API's key, on a route that takes it. */
    isOperator: boolean
  }
}
