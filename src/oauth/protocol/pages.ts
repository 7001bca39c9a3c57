import type { FastifyReply } from 'fastify'
import type { PageRequest } from '../../access/caller.ts'
import type { SignedOutSession } from '../../sessions/sign-out.ts'
import type { AuthorizationPageError } from './errors.ts'
import type { OAuthClient } from './queries.ts'

/** Where a browser continues. */
export interface Onward {
  location: string
  /** The fields that it posts there; without them it only follows the address. */
  form?: Readonly<Record<string, string>>
}

/** The pages that OAuth needs; `pages/` decides what they look like. Each function sends the response. */
export interface OAuthPages {
  error(request: PageRequest, reply: FastifyReply, error: AuthorizationPageError): Promise<FastifyReply>
  /** Asks whether to sign out, and posts the fields to `/oauth2/logout/confirm`. */
  confirmLogout(
    request: PageRequest,
    reply: FastifyReply,
    question: { client: OAuthClient | undefined; fields: Readonly<Record<string, string>> },
  ): Promise<FastifyReply>
  /** Tells that no user is signed in, or is any more, with a link back to the application. */
  offerReturn(request: PageRequest, reply: FastifyReply, way: { client: OAuthClient; location: string }): Promise<FastifyReply>
  /**
   * Continues in a browser whose session has ended: at the identity provider that the session came from, if the user should sign out
   * there, too, and at `location` otherwise.
   */
  signOutUpstream(request: PageRequest, reply: FastifyReply, ended: { session: SignedOutSession; location: string }): Promise<Onward>
  /** Redirects the browser after a form of ours, possibly to another site. */
  continueTo(request: PageRequest, reply: FastifyReply, onward: Onward): FastifyReply
}
