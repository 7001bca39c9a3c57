import type { FastifyReply, FastifyRequest } from 'fastify'
import { requestLifetimeSeconds } from '../connections/federation/start.ts'

const cookieValue = /^[\w-]{43}$/

/** The prefix prevents sites of neighbouring hosts from planting a cookie of their own. */
const nameOf = (secure: boolean) => (secure ? '__Host-svc_federation' : 'svc_federation')

/** The secret that proves that a response of an identity provider came to the browser that asked for it. */
export function browserOf({ cookies }: FastifyRequest, secure: boolean): string | undefined {
  const value = cookies[nameOf(secure)] ?? ''
  return cookieValue.test(value) ? value : undefined
}

export function setBrowserCookie(reply: FastifyReply, value: string, secure: boolean): void {
  reply.setCookie(nameOf(secure), value, { path: '/', httpOnly: true, sameSite: 'lax', secure, maxAge: requestLifetimeSeconds })
}
