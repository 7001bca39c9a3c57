import type { FastifyReply, FastifyRequest } from 'fastify'
import { codeLifetimeSeconds } from '../email-codes/flows.ts'
import { parseReturnTo } from './return-to.ts'

/** A request for a code by mail, which the browser that made it keeps: it alone completes the sign-in by the mailed link. */
export interface KeptFlow {
  flowToken: string
  /** The link in the mail does not say it. */
  returnTo: string | undefined
}

const cookie = 'svc_email_code'
const attributes = (secure: boolean) => ({ path: '/login', httpOnly: true, sameSite: 'lax', secure }) as const
/** A browser drops a cookie of more than 4,096 bytes. */
const returnToMax = 800

export function setFlowCookie(reply: FastifyReply, { flowToken, returnTo = '' }: KeptFlow, secure: boolean): void {
  const kept = returnTo.length > returnToMax ? '' : returnTo
  reply.setCookie(cookie, `${flowToken} ${kept}`, { ...attributes(secure), maxAge: codeLifetimeSeconds })
}

export function keptFlow(request: FastifyRequest): KeptFlow | undefined {
  const [flowToken = '', returnTo = ''] = request.cookies[cookie]?.split(' ') ?? []
  return flowToken === '' ? undefined : { flowToken, returnTo: parseReturnTo(returnTo) }
}

export function clearFlowCookie(reply: FastifyReply, secure: boolean): FastifyReply {
  return reply.clearCookie(cookie, attributes(secure))
}
