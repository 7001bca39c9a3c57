import type { FastifyReply } from 'fastify'
import type { PageRequest } from '../access/caller.ts'
import { sessionTokenOf } from '../access/session-token.ts'
import type { Keyring } from '../platform/crypto/keyring.ts'
import { newSecret, sameSecret } from '../platform/crypto/secrets.ts'
import type { CookieSettings } from '../sessions/session-cookie.ts'

interface FormTokens extends CookieSettings {
  keyring: Keyring
}

/** The prefix prevents sites of neighbouring hosts from planting a cookie of their own. */
const cookieName = (secure: boolean) => (secure ? '__Host-svc_form' : 'svc_form')
const cookieValue = /^[\w-]{43}$/
/** `none` is a direct action of the user; a browser that sends no such header is judged by the token alone. */
const sameSite = new Set(['same-origin', 'none'])

/** Whether a page of another site has made the browser send the request. */
function isFromElsewhere({ headers }: PageRequest): boolean {
  const site = headers['sec-fetch-site']
  return typeof site === 'string' && !sameSite.has(site)
}

/**
 * Issues the token of this browser's forms, and its cookie if the browser has none. A form of another site brings no cookie, although the
 * browser may have one, which its open forms need: there is none in exchange.
 */
export function issueFormToken({ keyring, secureCookie }: FormTokens, request: PageRequest, reply: FastifyReply): string {
  const name = cookieName(secureCookie)
  let secret = request.cookies[name]
  if (secret === undefined || !cookieValue.test(secret)) {
    secret = newSecret()
    const mayHaveOne = request.method === 'POST' && isFromElsewhere(request)
    if (!mayHaveOne) reply.setCookie(name, secret, { path: '/', httpOnly: true, sameSite: 'lax', secure: secureCookie })
  }
  return tokenOf(keyring, secret, request)
}

/** The cookie of this browser's forms: what identifies the browser before a sign-in. */
export const formCookieOf = ({ cookies }: PageRequest, secure: boolean): string | undefined => cookies[cookieName(secure)]

/** Whether a form comes from a page of ours that was shown to the same browser and the same session. */
export function isOurForm({ keyring, secureCookie }: FormTokens, request: PageRequest, token: string | undefined): boolean {
  if (isFromElsewhere(request)) return false
  const secret = request.cookies[cookieName(secureCookie)]
  return secret !== undefined && cookieValue.test(secret) && token !== undefined && sameSecret(tokenOf(keyring, secret, request), token)
}

/** The token contains the session: an attacker who plants a cookie does not know it. */
function tokenOf(keyring: Keyring, secret: string, request: PageRequest): string {
  return keyring.hmac('form', `${secret} ${request.browserSession ? sessionTokenOf(request) : ''}`)
}
