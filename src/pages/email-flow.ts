import type { FastifyReply, FastifyRequest } from 'fastify'
import { codeLifetimeSeconds } from '../email-codes/flows.ts'
import { definePageCookie } from './page-cookie.ts'
import { parseReturnTo } from './return-to.ts'

/** A request for a code by mail, stored in a cookie: only the browser that made it completes the sign-in by the mailed link. */
export interface KeptFlow {
  flowToken: string
  /** The link in the mail does not contain it. */
  returnTo: string | undefined
}

const cookie = definePageCookie({ name: 'svc_email_code', path: '/login', lifetimeSeconds: codeLifetimeSeconds })
/** A browser drops a cookie of more than 4,096 bytes. */
const returnToMax = 800

export function setFlowCookie(reply: FastifyReply, { flowToken, returnTo = '' }: KeptFlow, secure: boolean): void {
  const kept = returnTo.length > returnToMax ? '' : returnTo
  cookie.set(reply, `${flowToken} ${kept}`, secure)
}

export function keptFlow(request: FastifyRequest, secure: boolean): KeptFlow | undefined {
  const [flowToken = '', returnTo = ''] = cookie.read(request, secure)?.split(' ') ?? []
  return flowToken === '' ? undefined : { flowToken, returnTo: parseReturnTo(returnTo) }
}

export const clearFlowCookie = cookie.clear
