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

/** The operator, as the audit log is to name them. */
export const operatorOf = (request: OperatorRequest): Actor => ({ actorType: 'system', actorId: null, ...originOf(request) })

/** A request for a page; where no page was found, without a session. */
export type PageRequest = FastifyRequest & { readonly browserSession?: BrowserSession | undefined }

type OperatorRequest = FastifyRequest & { readonly isOperator: true }

declare module '../platform/http/app.ts' {
  interface RequestByAccess {
    admin: { readonly caller: Caller }
    self: { readonly caller: Caller }
    page: { readonly browserSession: BrowserSession | undefined }
    system: { readonly isOperator: true }
    'public-or-operator': { readonly isOperator: true } | { readonly isOperator: false }
  }
}
