import { describe, expect, it } from 'vitest'
import type { App } from '../platform/http/server.ts'
import { type BrowserSession, type Caller, operatorOf, type UserCaller } from './caller.ts'
import { admin, page, publicAccess, publicOrOperator, self, session, system } from './declarations.ts'

const takesCaller = (caller: Caller) => caller
const takesUser = (caller: UserCaller) => caller
const takesBrowserSession = (browserSession: BrowserSession | undefined) => browserSession

/** Never called. The test is that this compiles. */
const routes = async (app: App) => {
  app.get('/', { config: { access: admin('users:read') } }, async ({ caller }) => takesCaller(caller))
  app.get('/', { config: { access: self() } }, async ({ caller }) => takesUser(caller))
  app.get('/', { config: { access: session() } }, async ({ caller }) => takesUser(caller))
  app.get('/', { config: { access: page() } }, async ({ browserSession }) => takesBrowserSession(browserSession))
  app.get('/', { config: { access: system() } }, async (request) => operatorOf(request))
  app.get('/', { config: { access: publicOrOperator() } }, async (request) => request.isOperator && operatorOf(request))

  // @ts-expect-error: an API key, which may call it, has no session
  app.get('/', { config: { access: admin() } }, async ({ caller }) => caller.session)
  // @ts-expect-error: a public route has no caller
  app.get('/', { config: { access: publicAccess() } }, async ({ caller }) => caller)
  // @ts-expect-error: a page has a caller only with a session
  app.get('/', { config: { access: page() } }, async ({ caller }) => caller)
  // @ts-expect-error: the operator belongs to no organisation
  app.get('/', { config: { access: system() } }, async ({ caller }) => caller)
  // @ts-expect-error: the session cookie is read on pages alone
  app.get('/', { config: { access: publicAccess() } }, async ({ browserSession }) => browserSession)
  // @ts-expect-error: a public route has no operator
  app.get('/', { config: { access: publicAccess() } }, async (request) => operatorOf(request))
  // @ts-expect-error: the caller may not be the operator
  app.get('/', { config: { access: publicOrOperator() } }, async (request) => operatorOf(request))
  // @ts-expect-error: every route declares its access
  app.get('/', { config: {} }, async () => undefined)
  // @ts-expect-error: as above
  app.get('/', {}, async () => undefined)
}

describe("a route's access", () => {
  it('determines by its type what a handler may read', () => expect(routes).toBeTypeOf('function'))
})
