import type { FastifyRequest } from 'fastify'
import type { Actor } from '../activity/actor.ts'
import { callerAddress } from '../platform/http/addresses.ts'

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

/** Somebody who has come with a live session to a page. */
export interface Visitor {
  readonly caller: Caller
  readonly authenticatedAt: Date
  /** RFC 8176 values. */
  readonly authenticationMethods: readonly string[]
  readonly awaitsMfaEnrolment: boolean
  readonly organisationStatus: 'trial' | 'active' | 'suspended' | 'cancelled'
}

/** The caller's address and program, for requests that nobody has signed in for. */
export function originOf(request: FastifyRequest): Pick<Actor, 'ipAddress' | 'userAgent'> {
  return { ipAddress: callerAddress(request), userAgent: request.headers['user-agent']?.slice(0, 512) ?? '' }
}

/** Somebody who is not signed in, or the operator by the system API. */
export function actorOf(request: FastifyRequest, who: Pick<Actor, 'actorType' | 'actorId'>): Actor {
  return { ...who, ...originOf(request) }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on routes with `admin` or `self` access, and only there. */
    caller: Caller
    /** Set on routes with `visitor` access when there is a live session. */
    visitor: Visitor | undefined
    /** Whether it came with the system API's key, on a route that takes it. */
    isOperator: boolean
  }
}
