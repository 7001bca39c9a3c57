import type { FastifyRequest } from 'fastify'
import { type Actor, type Origin, systemActor } from '../activity/actor.ts'
import { callerAddress } from '../platform/http/addresses.ts'
import { invalidInput } from '../platform/http/problem.ts'
import { invalidCharacters } from '../platform/http/refusals.ts'
import { cutText, isPlainText } from '../platform/text.ts'

/** Who calls an operation: a signed-in user, an API key, the visitor of a set-up link, or a program of the operator. */
export type Caller = UserCaller | KeyCaller | SetupLinkCaller | SystemCaller

export interface UserCaller {
  readonly kind: 'user'
  readonly organisationId: string
  /** Slugs, read from the database with every request, so that a change takes effect with the next request. */
  readonly permissions: ReadonlySet<string>
  /** How the audit log names the caller. */
  readonly actor: Actor
  /** The user who is responsible for the records that the caller creates. */
  readonly responsibleUserId: string
  readonly email: string
  readonly isOwner: boolean
  readonly session: CallerSession
}

export interface CallerSession {
  readonly id: string
  readonly userId: string
  /** When the user last proved who they are: at the sign-in or later. Null when an identity provider has not said when. */
  readonly provenAt: Date | null
  /** The factor of the latest proof since the sign-in; null when there was no such proof. */
  readonly reauthenticatedWith: string | null
  /** RFC 8176 values of the sign-in. */
  readonly authenticationMethods: readonly string[]
  /** Whether the session may only enrol the second factor that is missing. */
  readonly awaitsMfaEnrolment: boolean
  readonly expiresAt: Date
  /** When the session ends unless it is used again. */
  readonly idleExpiresAt: Date
}

/** An API key: it has no session, and never owns the organisation, even if the owner created it. */
export interface KeyCaller {
  readonly kind: 'api-key'
  readonly organisationId: string
  /** Slugs, as for a user. */
  readonly permissions: ReadonlySet<string>
  readonly actor: Actor
  /** The user who created the key. */
  readonly responsibleUserId: string
  /** The SHA-256 hash of the short-lived key that was presented, which ends before the key that it is of. */
  readonly exchangedKeyHash?: string
}

/** The visitor of a set-up link, who has no account. They may do what the link is for, as long as its creator may. */
export interface SetupLinkCaller {
  readonly kind: 'setup-link'
  readonly linkId: string
  readonly organisationId: string
  /** Those of the creator, as for a user. */
  readonly permissions: Pick<ReadonlySet<string>, 'has'>
  /** The permissions without which the creator could not have created the link. */
  readonly neededPermissions: readonly string[]
  readonly actor: Actor
  /** The user who created the link, or the API key that did; null for the operator. */
  readonly responsibleUserId: string | null
  /** The API key that created the link; null when none did. */
  readonly responsibleKeyId: string | null
}

/** A program of the operator, such as the command line. It has every permission, and no user is responsible for it. */
export interface SystemCaller {
  readonly kind: 'system'
  readonly organisationId: string
  readonly permissions: Pick<ReadonlySet<string>, 'has'>
  readonly actor: Actor
  readonly responsibleUserId: null
}

/** @param name of the program, for the audit log */
export const systemCaller = (organisationId: string, name: string): SystemCaller => ({
  kind: 'system',
  organisationId,
  permissions: { has: () => true },
  actor: { ...systemActor, actorId: name },
  responsibleUserId: null,
})

/** Undefined for an API key and for the system. */
export const sessionIdOf = (caller: Caller): string | undefined => (caller.kind === 'user' ? caller.session.id : undefined)

/** The active session of a browser that opens a page. */
export interface BrowserSession {
  readonly caller: UserCaller
  readonly startedAt: Date
  /** The time that tokens report: in a session that began through a connection, a later proof of ours counts. */
  readonly authenticatedAt: Date
  /** The same time, if it is proven, for requests that want a new sign-in. Null when an identity provider has not said when. */
  readonly signInProvenAt: Date | null
  /** RFC 8176 values. */
  readonly authenticationMethods: readonly string[]
  readonly awaitsMfaEnrolment: boolean
}

const userAgentMax = 512

/**
 * The address and the user agent of a caller, signed in or not, and the id of the request.
 *
 * @throws Problem `bad-request` for a User-Agent with control characters: it is stored
 */
export function originOf(request: FastifyRequest): Origin {
  const userAgent = readHeaderText(request.headers['user-agent'] ?? '')
  if (!isPlainText(userAgent)) throw invalidInput([invalidCharacters(['User-Agent'], 'control')])
  return { ipAddress: callerAddress(request), userAgent: cutText(userAgent, userAgentMax), requestId: request.id }
}

const asciiOnly = /^[\0-\x7f]*$/

/** Node reads the bytes of a header as Latin-1; most programs that write more than ASCII there write UTF-8. */
function readHeaderText(header: string): string {
  if (asciiOnly.test(header)) return header
  const text = Buffer.from(header, 'latin1').toString()
  return text.includes('\ufffd') ? header : text
}

/** The operator on this machine, whose own process calls the application. */
export interface LocalOperator {
  readonly actor: Actor
  /** The organisation that is administered, if any. */
  readonly organisationId: string | undefined
}

export const operatorOf = (request: OperatorRequest): Actor => request.localOperator?.actor ?? { ...systemActor, ...originOf(request) }

/** A request for a page. It has no session when the URL leads to no page. */
export type PageRequest = FastifyRequest & { readonly browserSession?: BrowserSession | undefined }

type OperatorRequest = FastifyRequest & { readonly isOperator: true; readonly localOperator?: LocalOperator | undefined }

declare module '../platform/http/app.ts' {
  interface RequestByAccess {
    admin: { readonly caller: Caller }
    self: { readonly caller: UserCaller }
    page: { readonly browserSession: BrowserSession | undefined }
    system: { readonly isOperator: true }
    'public-or-operator': { readonly isOperator: true } | { readonly isOperator: false }
  }
}
