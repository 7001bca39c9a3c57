import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Keyring } from '../platform/crypto/keyring.ts'
import type { Database } from '../platform/database/database.ts'
import type { App } from '../platform/http/server.ts'
import { checkApiKey, presentedApiKey } from './api-key-check.ts'
import { letOriginRead } from './cross-origin.ts'
import type { Access } from './declarations.ts'
import { bearerOf } from './explain-credentials.ts'
import { checkSession, recogniseBrowserSession } from './session-check.ts'
import { createSystemKeyCheck } from './system-key-check.ts'

export interface AccessOptions {
  database: Database
  keyring: Keyring
  systemApiKey: string
  tenantHeader: 'optional' | 'required'
  sessionCookieName: string
}

/** Puts the checks in front of every route that is registered afterwards. */
export function checkAccess(app: App, options: AccessOptions): void {
  app.decorateRequest('caller')
  app.decorateRequest('browserSession')
  app.decorateRequest('isOperator', false)
  app.decorate('sessionCookieName', options.sessionCookieName)

  app.addHook('onRoute', ({ config, method, url }) => {
    if (!config?.access) throw new Error(`${method} ${url} does not declare its access`)
  })

  const checking = { ...options, checkSystemKey: createSystemKeyCheck(options.systemApiKey, options.database.clock) }
  app.addHook('onRequest', (request, reply, done) => {
    const { access } = request.routeOptions.config
    // Use the callback form: public routes then skip a promise per request.
    if (!access || (access.kind === 'public' && !access.orOperator && request.headers.origin === undefined)) done()
    else check(request, reply, access, checking).then(() => done(), done)
  })
}

interface Checking extends AccessOptions {
  checkSystemKey: (request: FastifyRequest) => void
}

async function check(request: FastifyRequest, reply: FastifyReply, access: Access, options: Checking): Promise<void> {
  if (access.kind === 'system' || (access.kind === 'public' && access.orOperator && bearerOf(request) !== undefined)) {
    options.checkSystemKey(request)
    request.isOperator = true
    return
  }
  if (access.kind === 'public') return letOriginRead(request, reply, options.database, undefined)
  if (access.kind === 'page') return recogniseBrowserSession(request, reply, options.database)
  const apiKey = access.kind === 'admin' ? presentedApiKey(request) : undefined
  if (access.kind === 'admin' && apiKey !== undefined) return checkApiKey(request, reply, apiKey, access, options)
  await checkSession(request, reply, access, options)
}
