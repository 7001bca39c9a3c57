import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Html, html } from '../platform/http/html.ts'
import type { View } from './view.ts'

/** A way to sign in: the id of a connection, or one of ours. */
export type Way = 'password' | 'passkey' | 'email_code' | `con_${string}`

const days = 180
/** The cookie of each organisation, which does not reveal who signed in. */
const nameOf = (organisationId: string) => `svc_last_${organisationId}`

/** Remembers how this browser has signed in to an organisation that has connections; without connections there is nothing to choose. */
export function noteLastUsed(reply: FastifyReply, { organisationId, hasConnections }: View, way: Way, secure: boolean): void {
  if (organisationId === undefined || !hasConnections) return
  reply.setCookie(nameOf(organisationId), way, { path: '/login', httpOnly: true, sameSite: 'lax', secure, maxAge: days * 24 * 60 * 60 })
}

/** How this browser signed in last to the organisation that the page shows. */
export function lastUsed({ cookies }: FastifyRequest, { organisationId }: View): string | undefined {
  return organisationId === undefined ? undefined : cookies[nameOf(organisationId)]
}

/** The label of a button, marked where it is the way that was used last. */
export const withMark = ({ texts }: View, label: string, isLastUsed: boolean): Html | string =>
  isLastUsed ? html`<span>${label}</span> <span class="badge">${texts.signIn.lastUsed}</span>` : label
