import { createWeb, toNode } from '@gatehouse-iam/web'
import express, { type Express } from 'express'

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

export function createApp({ gatehouseUrl, clientId, clientSecret, cookieSecret, origin, clock = Date.now }: Settings): Express {
  const web = createWeb({
    issuer: gatehouseUrl,
    clientId,
    clientSecret,
    redirectUri: `${origin}/auth/callback`,
    postLogoutRedirectUri: `${origin}/`,
    cookieSecret,
    clock,
  })

  const app = express()
  // Sign-in, callback and sign-out, below /auth.
  app.use(toNode(web.handle))

  app.get(
    '/',
    toNode(async (request) => {
      const { session, headers } = await web.session(request)
      if (!session) return page('<a href="/auth/login?returnTo=/">Sign in</a>', headers)
      const reports = session.can('users:read') ? '<a href="/reports">Reports</a>' : ''
      return page(`<p>Hello ${escaped(session.user.name ?? session.user.id)}</p> ${reports} ${signOut}`, headers)
    }),
  )

  app.get(
    '/reports',
    toNode(async (request) => {
      // Without a session the response leads to the sign-in and back, without the permission it is a 403.
      const { session, headers, response } = await web.require(request, { permission: 'users:read' })
      if (response) return response
      return page(`<h1>Reports</h1> <p>For ${escaped(session.organisation.id)} alone</p> ${signOut}`, headers)
    }),
  )
  return app
}

const signOut = '<form method="post" action="/auth/logout"><button>Sign out</button></form>'

/** @param headers the cookies of a session that was refreshed */
function page(body: string, headers: Headers): Response {
  headers.set('content-type', 'text/html; charset=utf-8')
  return new Response(`<!doctype html><html lang="en"><title>Reports</title>${body}`, { headers })
}

const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
