import type { FastifyReply } from 'fastify'
import { ssoRequired } from '../domains/refusals.ts'
import type { Problem } from '../platform/http/problem.ts'
import { continueTo } from './continue-to.ts'
import type { Visit } from './define-page.ts'
import type { PageDependencies } from './view.ts'

/** Leads the browser to the connection that the domain of an address requires; undefined after any other refusal. */
export function toConnection(
  { publicUrl }: Pick<PageDependencies, 'publicUrl'>,
  { reply, view }: Visit,
  refusal: Problem | undefined,
  email: string | undefined,
): FastifyReply | undefined {
  if (refusal?.code !== ssoRequired.code) return undefined
  const { startUrl } = refusal.members.connection as { startUrl: string }
  // The URL is absolute, since the redirects lead to another origin.
  return continueTo(reply, view.language, publicUrl + view.to(new URL(startUrl).pathname, { login_hint: email }))
}
