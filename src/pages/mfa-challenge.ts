import type { FastifyReply, FastifyRequest } from 'fastify'
import { isMfaMethod, type MfaMethod } from '../access/factors.ts'

/** A sign-in that waits for its second factor, kept by the browser between two pages. */
export interface Challenge {
  mfaToken: string
  methods: readonly MfaMethod[]
}

const cookie = 'svc_mfa'
const lifetimeSeconds = 5 * 60
const attributes = (secure: boolean) => ({ path: '/login', httpOnly: true, sameSite: 'lax', secure }) as const

export function setChallengeCookie(reply: FastifyReply, { mfaToken, methods }: Challenge, secure: boolean): void {
  reply.setCookie(cookie, `${mfaToken}.${methods.join('+')}`, { ...attributes(secure), maxAge: lifetimeSeconds })
}

export function keptChallenge(request: FastifyRequest): Challenge | undefined {
  const [mfaToken = '', methods = ''] = request.cookies[cookie]?.split('.') ?? []
  return /^[\w-]{43}$/.test(mfaToken) ? { mfaToken, methods: methods.split('+').filter(isMfaMethod) } : undefined
}

export function clearChallengeCookie(reply: FastifyReply, secure: boolean): FastifyReply {
  return reply.clearCookie(cookie, attributes(secure))
}
