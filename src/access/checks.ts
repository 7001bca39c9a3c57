import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Keyring } from '../platform/crypto/keyring.ts'
import type { Database } from '../platform/database/database.ts'
import type { App } from '../platform/http/server.ts'
import { checkApiKey, presentedApiKey } from './api-key-check.ts'
import { type BrowserSession, type Caller, type LocalOperator, systemCaller } from './caller.ts'
import { setCorsHeaders } from './cross-origin.ts'
import type { Access } from './declarations.ts'
import { bearerOf } from './explain-credentials.ts'
import { invalidSession } from './refusals.ts'
import { checkSession, findBrowserSession } from './session-check.ts'
import { createSystemKeyCheck } from './system-key-check.ts'

export interface AccessOptions {
  database: Database
  keyring: Keyring
  systemApiKey: string
  tenantHeader: 'optional' | 'required'
  sessionCookieName: string
  /** Set where the application does not listen: then every request comes from the operator. */
  localOperator?: LocalOperator | undefined
}

/** Adds the checks to every route that is registered afterwards. */
export function checkAccess(app: App, options: AccessOptions): void {
  app.decorateRequest('caller', undefined)
  app.decorateRequest('browserSession', undefined)
  app.decorateRequest('isOperator', false)
  app.decorateRequest('localOperator', undefined)
  app.decorate('sessionCookieName', options.sessionCookieName)

  app.addHook('onRoute', ({ config, method, url }) => {
    if (!config?.access) throw new Error(`${method} ${url} does not declare its access`)
  })

  const checkedAt = new WeakMap<FastifyRequest, Date>()
  const checking = { ...options, checkSystemKey: createSystemKeyCheck(options.systemApiKey, options.database.clock) }
  app.addHook('onRequest', (request, reply, done) => {
    const { access } = request.routeOptions.config
    // Use the callback form: public routes then skip a promise per request.
    if (options.localOperator && access) {
      admitOperator(request, access, options.localOperator)
      done()
    } else if (!access || (access.kind === 'public' && request.headers.origin === undefined)) done()
    else checkNow(request, reply, access).then(() => done(), done)
  })
  app.addHook('preValidation', (request, reply, done) => {
    const { access } = request.routeOptions.config
    // The body may have taken half a minute, and the access have ended meanwhile.
    if (!access || !isLongAgo(checkedAt.get(request))) done()
    else checkNow(request, reply, access).then(() => done(), done)
  })

  async function checkNow(request: FastifyRequest, reply: FastifyReply, access: Access): Promise<void> {
    await check(request, reply, access, checking)
    checkedAt.set(request, options.database.clock.now())
  }

  function isLongAgo(at: Date | undefined): boolean {
    return at !== undefined && options.database.clock.now().getTime() - at.getTime() > checkHoldsMilliseconds
  }
}

/** How long a check holds while the body of its request is read. An ordinary request takes much less, so it is checked once. */
const checkHoldsMilliseconds = 1_000

interface CheckContext extends AccessOptions {
  checkSystemKey: (request: FastifyRequest) => void
}

/** The results of the checks. A handler's request type shows those that its route's access guarantees. */
interface CheckResult {
  caller: Caller
  browserSession: BrowserSession | undefined
  isOperator: boolean
  localOperator: LocalOperator | undefined
}

/** Admits the operator, who has every permission in the organisation. A route that needs a browser session has none here. */
function admitOperator(request: FastifyRequest & Partial<CheckResult>, access: Access, operator: LocalOperator): void {
  request.isOperator = true
  request.localOperator = operator
  if (access.kind === 'self') throw invalidSession()
  if (access.kind !== 'admin') return
  if (operator.organisationId === undefined) throw new Error(`${request.method} ${request.url} is called for no organisation`)
  request.caller = { ...systemCaller(operator.organisationId, 'cli'), actor: operator.actor }
}

async function check(
  request: FastifyRequest & Partial<CheckResult>,
  reply: FastifyReply,
  access: Access,
  options: CheckContext,
): Promise<void> {
  const { database } = options
  switch (access.kind) {
    case 'admin': {
      const apiKey = presentedApiKey(request)
      request.caller =
        apiKey === undefined
          ? await checkSession(request, reply, access, options)
          : await checkApiKey(request, reply, apiKey, access, options)
      break
    }
    case 'self':
      request.caller = await checkSession(request, reply, access, options)
      break
    case 'page':
      request.browserSession = await findBrowserSession(request, reply, database)
      break
    case 'system':
      options.checkSystemKey(request)
      request.isOperator = true
      break
    case 'public-or-operator':
      if (bearerOf(request) === undefined) return setCorsHeaders(request, reply, database, undefined)
      options.checkSystemKey(request)
      request.isOperator = true
      break
    case 'public':
      await setCorsHeaders(request, reply, database, undefined)
  }
}
