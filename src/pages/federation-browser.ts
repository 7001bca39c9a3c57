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

const signOutCookie = 'svc_sign_out'
/** Browsers store cookies of 4,096 characters. A sign-out with a longer one ends at our page. */
const signOutMax = 3_500

/** Only sealed values count, which name the browser, so no prefix has to keep those of other hosts out. */
const signOutOptions = (connectionId: string, secure: boolean) =>
  ({ path: `/saml/${connectionId}/slo`, httpOnly: true, sameSite: 'lax', secure }) as const

/** Where a browser continues after a sign-out at an identity provider by SAML, until it is back. */
export const signOutOf = ({ cookies }: FastifyRequest): string | undefined => cookies[signOutCookie]

export function setSignOutCookie(reply: FastifyReply, sealed: { connectionId: string; state: string }, secure: boolean): void {
  const { connectionId, state } = sealed
  if (state.length > signOutMax) return
  reply.setCookie(signOutCookie, state, { ...signOutOptions(connectionId, secure), maxAge: requestLifetimeSeconds })
}

export const clearSignOutCookie = (reply: FastifyReply, connectionId: string, secure: boolean): FastifyReply =>
  reply.clearCookie(signOutCookie, signOutOptions(connectionId, secure))
