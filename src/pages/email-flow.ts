import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Asked } from '../connections/federation/start.ts'
import { codeLifetimeSeconds } from '../email-codes/flows.ts'
import { definePageCookie } from './page-cookie.ts'
import { parseReturnTo } from './return-to.ts'
import { readAsked, writeAsked } from './view.ts'

/** A request for a code by mail, stored in a cookie: only the browser that made it completes the sign-in by the mailed link. */
export interface KeptFlow {
  flowToken: string
  /** The link in the mail contains neither this nor what was asked for. */
  returnTo: string | undefined
  asked: Asked
}

const cookie = definePageCookie({ name: 'svc_email_code', path: '/login', lifetimeSeconds: codeLifetimeSeconds })
/** A browser drops a cookie of more than 4,096 bytes. */
const keptMax = 800

export function setFlowCookie(reply: FastifyReply, { flowToken, returnTo = '', asked }: KeptFlow, secure: boolean): void {
  // The token has the address encrypted: a hint would name it beside that.
  const wishes = writeAsked({ ...asked, loginHint: undefined })
  const kept = [`${returnTo} ${wishes}`, returnTo].find(({ length }) => length <= keptMax) ?? ''
  cookie.set(reply, `${flowToken} ${kept}`, secure)
}

export function keptFlow(request: FastifyRequest, secure: boolean): KeptFlow | undefined {
  const [flowToken = '', returnTo = '', asked = ''] = cookie.read(request, secure)?.split(' ') ?? []
  return flowToken === '' ? undefined : { flowToken, returnTo: parseReturnTo(returnTo), asked: readAsked(asked) }
}

export const clearFlowCookie = cookie.clear
