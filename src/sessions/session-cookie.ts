import type { FastifyReply } from 'fastify'

export interface CookieSettings {
  /** Whether cookies are restricted to https. */
  secureCookie: boolean
}

const attributes = (secure: boolean) => ({ path: '/', httpOnly: true, sameSite: 'lax', secure }) as const

export function setSessionCookie(reply: FastifyReply, { token, expiresAt }: { token: string; expiresAt: Date }, secure: boolean): void {
  reply.setCookie(reply.server.sessionCookieName, token, { ...attributes(secure), expires: expiresAt })
}

export function clearSessionCookie(reply: FastifyReply, secure: boolean): void {
  reply.clearCookie(reply.server.sessionCookieName, attributes(secure))
}
