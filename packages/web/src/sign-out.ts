import { SignInRefused } from './errors.ts'
import type { Issuer } from './issuer.ts'
import { headerOf, type IncomingRequest } from './requests.ts'
import type { SessionStore } from './session-store.ts'

/**
 * Refuses a form of another site. The session's cookie does not come with it; but an application on a neighbouring host could send one.
 *
 * @throws SignInRefused `other-origin`
 */
export function requireOwnForm(request: IncomingRequest, origin: string): void {
  const site = headerOf(request, 'sec-fetch-site')
  const sender = headerOf(request, 'origin')
  // With the policy `no-referrer`, a browser sends the origin `null` also with a page's own forms.
  const isOwn = site === undefined ? sender === undefined || sender === 'null' || sender === origin : site === 'same-origin'
  if (!isOwn) throw new SignInRefused('other-origin', 'The form is not one of this application')
}

const bodyLengthMax = 65_536

/**
 * Ends sessions that the issuer has ended (OpenID Connect Back-Channel Logout 1.0 §2.5).
 *
 * @throws SignInRefused `no-session-store`, `invalid-logout-token`, `issuer-unavailable`
 */
export async function endByLogoutToken(
  request: Request,
  { issuer, store, clock }: { issuer: Issuer; store: SessionStore | undefined; clock: () => number },
): Promise<void> {
  if (!store)
    throw new SignInRefused('no-session-store', 'Back-channel logout needs a sessionStore: sessions in cookies cannot be ended from here')
  const form = new URLSearchParams(await textOf(request))
  const { subject, sessionId, tokenId } = await issuer.logoutOf(form.get('logout_token') ?? '')
  // A token counts once: a copy that comes later must not end a session that has begun since.
  const mark = `logout ${tokenId}`
  if ((await store.get(mark)) !== undefined) return
  await store.deleteOf({ subject, sessionId })
  // Only now: the issuer repeats a token whose sessions the store has failed to delete.
  const expiresAt = new Date(clock() + 600_000)
  await store.replace(mark, undefined, 'used', { subject: undefined, sessionId: undefined, expiresAt })
}

/** The body, of which no more is read than a logout token can need. */
async function textOf({ body }: Request): Promise<string> {
  const decoder = new TextDecoder()
  const reader = body?.getReader()
  let text = ''
  for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
    text += decoder.decode(read.value, { stream: true })
    if (text.length > bodyLengthMax) {
      await reader?.cancel()
      throw new SignInRefused('invalid-logout-token', 'The logout token is too long')
    }
  }
  return text
}
