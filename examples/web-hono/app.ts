import { createWeb, SignInRefused } from '@gatehouse-iam/web'
import { Hono } from 'hono'
import { html } from 'hono/html'

export interface Settings {
  gatehouseUrl: string
  clientId: string
  clientSecret: string
  cookieSecret: string
  /** Where this application is, such as `http://localhost:4000`. */
  origin: string
  /** Milliseconds since 1970. Tests have one that they move. */
  clock?: () => number
}

export function createApp({ gatehouseUrl, clientId, clientSecret, cookieSecret, origin, clock = Date.now }: Settings): Hono {
  const web = createWeb({
    issuer: gatehouseUrl,
    clientId,
    clientSecret,
    redirectUri: `${origin}/auth/callback`,
    postLogoutRedirectUri: `${origin}/`,
    cookieSecret,
    clock,
  })

  return (
    new Hono()
      // In Next: `app/auth/[...path]/route.ts` with `export const GET = (request) => web.handle(request)`, and the same as POST.
      .all('/auth/*', async (c) => (await web.handle(c.req.raw)) ?? c.notFound())

      // Gatehouse is away, and the access token has expired: no session ends for that.
      .onError((error, c) => {
        if (error instanceof SignInRefused) return error.toResponse(c.req.raw)
        console.error(error)
        return c.text('Internal server error', 500)
      })

      .get('/', async (c) => {
        const { session, headers, response } = await web.require(c.req.raw)
        if (response) return response
        // `accessToken` is always one that is valid: the session was refreshed where it had expired.
        const authorization = `Bearer ${session.accessToken()}`
        const profile = await fetch(`${gatehouseUrl}/oauth2/userinfo`, { headers: { authorization } }).catch(() => undefined)
        // Also then with `headers`: a session that was just refreshed has new cookies.
        if (!profile?.ok) return new Response('The profile cannot be read at present. Try again in a moment', { status: 502, headers })
        const { email } = (await profile.json()) as { email: string }
        headers.set('content-type', 'text/html; charset=utf-8')
        const body = html`<!doctype html>
          <html lang="en">
            <title>Profile</title>
            <h1>${session.user.name ?? email}</h1>
            <p>${email}, of ${session.organisation.id}</p>
            <form method="post" action="/auth/logout"><button>Sign out</button></form>
          </html>`
        return new Response(String(await body), { headers })
      })
  )
}
