/** Sends a request of a command to a service, and the same change again when its response is lost. */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { codeOfSystem, whyUnusable } from '../platform/system-errors.ts'

interface SentRequest {
  method: string
  headers: Record<string, string>
  body?: string
}

/** What came of a request, with whether a change may have been made although no response says so. */
export type Outcome = { mayBeDone: boolean } & ({ status: number; text: string; location: string | null } | Lost)

/** There is no response, or half of one. */
interface Lost {
  why: string
  isBrokenOff: boolean
}

const pausesMilliseconds = [250, 1_000, 3_000]
/** While the first request is still at work, its response is asked for each second. */
const askAgainMilliseconds = 1_000
const askAgainMax = 60

/** With these there was a connection, so the request may have arrived. */
const codesOnceConnected = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_HEADERS_TIMEOUT'])

/** Sends a request. A change that takes an `Idempotency-Key` is sent again until there is a response: the service makes it once. */
export async function sendToService(url: string, request: SentRequest): Promise<Outcome> {
  if (!takesKey(request.method, new URL(url).pathname)) return sendOnce(url, request)
  const withKey = { ...request, headers: { ...request.headers, 'idempotency-key': randomUUID() } }
  let mayBeDone = false
  let attempt = 0
  let asked = 0
  for (;;) {
    const outcome = await sendOnce(url, withKey)
    mayBeDone ||= outcome.mayBeDone
    if (!('why' in outcome) && isUnderWay(outcome) && asked++ < askAgainMax) {
      await pause(askAgainMilliseconds)
      continue
    }
    const milliseconds = pausesMilliseconds[attempt++]
    // A first one that finds nothing there has a wrong address.
    const isSentAgain = 'why' in outcome ? mayBeDone : isOfServer(outcome)
    if (!isSentAgain || milliseconds === undefined) return { ...outcome, mayBeDone }
    await pause(milliseconds)
  }
}

const takesKey = (method: string, path: string) => ['POST', 'PATCH'].includes(method) && /\/v1\/(admin|system)\//.test(path)

interface Answer {
  status: number
  text: string
}

const isOfServer = ({ status }: Answer) => [502, 503, 504].includes(status)

const isUnderWay = ({ text }: Answer) => codeOf(text) === 'idempotency-key-in-use'

/** A proxy cannot know what the service has done, nor can the service itself, whose connection to the database broke. One that starts has done nothing. */
const isUncertain = (answer: Answer) => isUnderWay(answer) || (isOfServer(answer) && codeOf(answer.text) !== 'not-ready')

/** The code of a refusal; undefined for what the service does not respond, as a page of another server. */
const codeOf = (text: string) => (parsed(text) as { code?: unknown } | null | undefined)?.code

/** @returns undefined for what is not JSON */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Whether an error came once there was a connection. */
function wasConnected(error: unknown): boolean {
  const { code, syscall } = ((error as Error).cause ?? error) as NodeJS.ErrnoException
  return codesOnceConnected.has(code ?? codeOfSystem(error) ?? '') || (code === 'ETIMEDOUT' && syscall === 'read')
}

async function sendOnce(url: string, request: SentRequest): Promise<Outcome> {
  const isChange = request.method !== 'GET'
  let response: Response
  try {
    response = await fetch(url, { ...request, redirect: 'manual' })
  } catch (error) {
    const why = whyUnusable((error as Error).cause ?? error)
    return { why, isBrokenOff: false, mayBeDone: isChange && wasConnected(error) }
  }
  const { status, headers } = response
  try {
    const text = await response.text()
    return { status, text, location: headers.get('location'), mayBeDone: isChange && isUncertain({ status, text }) }
  } catch (error) {
    return { why: whyUnusable((error as Error).cause ?? error), isBrokenOff: true, mayBeDone: isChange }
  }
}
