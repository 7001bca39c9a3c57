import type { FastifyReply, FastifyRequest } from 'fastify'

interface PageCookie {
  name: string
  /** The path to which browsers send it, without https. */
  path: string
  lifetimeSeconds: number
}

/**
 * Defines a cookie for a flow in progress. Over https its name has the prefix that prevents sites of neighbouring hosts from planting one
 * of their own, which requires the whole origin as its path.
 */
export function definePageCookie({ name, path, lifetimeSeconds }: PageCookie) {
  const nameOf = (secure: boolean) => (secure ? `__Host-${name}` : name)
  const attributes = (secure: boolean) => ({ path: secure ? '/' : path, httpOnly: true, sameSite: 'lax', secure }) as const
  return {
    /** Over https never by the name without the prefix, which a neighbouring host can plant. */
    read: ({ cookies }: FastifyRequest, secure: boolean): string | undefined => cookies[nameOf(secure)],
    set: (reply: FastifyReply, value: string, secure: boolean): FastifyReply =>
      reply.setCookie(nameOf(secure), value, { ...attributes(secure), maxAge: lifetimeSeconds }),
    clear: (reply: FastifyReply, secure: boolean): FastifyReply => reply.clearCookie(nameOf(secure), attributes(secure)),
  }
}
