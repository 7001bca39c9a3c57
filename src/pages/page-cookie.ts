import type { FastifyReply, FastifyRequest } from 'fastify'

interface PageCookie {
  name: string
  /** Where browsers send it, without https. */
  path: string
  lifetimeSeconds: number
}

/**
 * A cookie of the pages for what is under way. Over https its name has the prefix that keeps sites of neighbouring hosts from planting one of
 * their own, for which its path has to be the whole origin.
 */
export function definePageCookie({ name, path, lifetimeSeconds }: PageCookie) {
  const nameOf = (secure: boolean) => (secure ? `__Host-${name}` : name)
  const attributes = (secure: boolean) => ({ path: secure ? '/' : path, httpOnly: true, sameSite: 'lax', secure }) as const
  return {
    /** Also by the name without the prefix, which the former release has given to browsers: for as long as they may have it. */
    read: ({ cookies }: FastifyRequest, secure: boolean): string | undefined => cookies[nameOf(secure)] ?? cookies[name],
    set: (reply: FastifyReply, value: string, secure: boolean): FastifyReply =>
      reply.setCookie(nameOf(secure), value, { ...attributes(secure), maxAge: lifetimeSeconds }),
    clear(reply: FastifyReply, secure: boolean): FastifyReply {
      if (secure) reply.clearCookie(name, { ...attributes(secure), path })
      return reply.clearCookie(nameOf(secure), attributes(secure))
    },
  }
}
