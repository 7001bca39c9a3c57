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

/** Seconds. */
const recently = 300

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
  app.use(toNode(web.handle))

  app.get(
    '/',
    toNode(async (request) => {
      const { session, headers, response } = await web.require(request)
      return response ?? page(`<p>Signed in with ${session.acr}</p> <a href="/transfers">Transfers</a>`, headers)
    }),
  )

  // The response leads to the second factor, and back.
  app.get(
    '/transfers',
    toNode(async (request) => {
      const { session, headers, response } = await web.require(request, { acr: 'aal2', maxAge: recently })
      if (response) return response
      return page(`<p>Signed in with ${session.acr}</p> <form method="post"><button>Transfer</button></form>`, headers)
    }),
  )

  // What is sent by a form asks for the same: the page may have been open for long. The response is a 403 then.
  app.post(
    '/transfers',
    toNode(async (request) => {
      if (request.headers.get('origin') !== origin) return new Response('Not from this page', { status: 403 })
      const { headers, response } = await web.require(request, { acr: 'aal2', maxAge: recently })
      return response ?? page('<p>Transferred</p>', headers)
    }),
  )
  return app
}

/** @param headers the cookies of a session that was refreshed */
function page(body: string, headers: Headers): Response {
  headers.set('content-type', 'text/html; charset=utf-8')
  return new Response(`<!doctype html><html lang="en"><title>Bank</title>${body}`, { headers })
}
