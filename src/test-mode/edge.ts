import type { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '../platform/clock.ts'
import { isLoopbackHost } from '../platform/http/addresses.ts'
import type { App } from '../platform/http/app.ts'
import { Problem, problems } from '../platform/http/problem.ts'
import type { SigningKeys } from '../tokens/signing-keys.ts'
import type { Bends, TokenResponse } from './bend-tokens.ts'
import type { Faults } from './faults.ts'

export const controlPrefix = '/_test'
/** Every response of the test mode has it. */
const testModeHeader = 'gatehouse-test-mode'

export interface Edge {
  faults: Faults
  bends: Bends
  clock: Clock
  /** The application of the controls. */
  control: App
  signingKeys(): SigningKeys
}

/** Puts the controls of the test mode before the application of the service: its controls, its faults and its bent tokens. */
export function addEdge(app: App, { faults, bends, clock, control, signingKeys }: Edge): void {
  // What is repeated in front of the framework would pass the edge by.
  app.repeatedDocuments.close()

  app.addHook('onRequest', async (request, reply) => {
    reply.raw.setHeader(testModeHeader, 'on')
    const [path = ''] = request.url.split('?')
    if (path === controlPrefix || path.startsWith(`${controlPrefix}/`)) {
      refuseOthers(request.raw)
      reply.hijack()
      control.routing(request.raw, reply.raw)
      return
    }
    // What the service asks of itself, as for the tokens of a test, has no connection that could fail.
    if (!(request.raw.socket instanceof Socket)) return
    const fault = faults.take(request.method, path)
    if (!fault) return
    if (fault.delayMilliseconds > 0) await pause(fault.delayMilliseconds)
    if (fault.status === 'slow') return
    reply.hijack()
    if (fault.status === 'reset') request.raw.socket.resetAndDestroy()
    else sendFault(reply.raw, fault.status, path)
  })

  app.addHook('onSend', async (request, reply, payload) => {
    const isToken = request.method === 'POST' && request.url === '/oauth2/token' && reply.statusCode === 200
    if (!isToken || bends.waiting.length === 0 || typeof payload !== 'string') return payload
    return JSON.stringify(await bends.apply(JSON.parse(payload) as TokenResponse, signingKeys(), clock.now()))
  })
}

/**
 * A page in a browser on this machine may send requests here, too. It must not reach the controls: neither from its own origin, nor by a
 * host name that it lets lead here.
 */
function refuseOthers({ headers }: IncomingMessage): void {
  const { host = '', origin } = headers
  const isHere = URL.canParse(`http://${host}`) && isLoopbackHost(new URL(`http://${host}`).hostname)
  if (isHere && origin === undefined) return
  throw new Problem('test-mode-elsewhere', 'forbidden', 'The controls of the test mode are for programs on this machine, not for pages')
}

/** As a proxy or the service itself would respond, and past the rest of the service. */
function sendFault(response: ServerResponse, status: number, instance: string): void {
  const title = Object.values(problems).find((problem) => problem.status === status)?.title ?? 'Test fault'
  const body = { type: 'about:blank', title, status, detail: 'A fault of the test mode', instance, code: 'test-fault' }
  const retry = status === 429 || status === 503 ? { 'retry-after': '1' } : {}
  response.writeHead(status, { 'content-type': 'application/problem+json', ...retry }).end(JSON.stringify(body))
}
