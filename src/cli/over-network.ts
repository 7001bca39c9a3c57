/** Lets commands call the API of a service on another machine. */
import process from 'node:process'
import { isHttpsOrLocal } from '../platform/http/addresses.ts'
import { type FieldError, Problem } from '../platform/http/problem.ts'
import { CommandFailure } from './failures.ts'
import type { FederatedOptions } from './federated-options.ts'
import { readNamedFile } from './read-named-file.ts'
import { parsed, sendToService } from './send-to-service.ts'

const variable = 'GATEHOUSE_API_KEY'

export interface RemoteOptions extends FederatedOptions {
  /** The URL of a service to use instead of the database. */
  url?: string
  apiKeyFile?: string
}

/** The options of a command that can also work through the API of a service. */
export const remoteOptions = [
  ['--url <url>', `use the API of this service, with the API key in ${variable}, instead of the database`],
  ['--api-key-file <file>', `with --url: the file with the API key, instead of ${variable}`],
] as const

export interface Sent {
  query?: URLSearchParams | undefined
  body?: object | undefined
}

/** Calls an operation. @throws Problem as the service refuses, CommandFailure when the service cannot be reached */
export type Call = <T>(method: string, path: string, sent?: Sent) => Promise<T>

/**
 * The API of a service, with a key. The key comes from the environment or a file: every user of the machine can read arguments.
 *
 * @throws CommandFailure when the key is missing, or must not be sent to this URL
 */
export async function callService(url: string, options: RemoteOptions): Promise<Call> {
  const { apiKeyFile, federated } = options
  const key = federated ? undefined : apiKeyFile === undefined ? givenKey() : await readKey(apiKeyFile)
  const base = URL.parse(url)
  if (!base || !isHttpsOrLocal(base)) {
    throw new CommandFailure(`--url is "${url}" and must be an https address: the API key goes there`)
  }
  const call = callWith(url, key)
  if (!federated) return call
  const { federatedCredentials } = await import('./federated.ts')
  const exchanged = await call<{ apiKey: string }>('POST', '/v1/auth/api-keys/exchange', { body: await federatedCredentials(url, options) })
  return callWith(url, exchanged.apiKey)
}

/** Calls without a key what is open to anyone. */
const callWith =
  (url: string, key: string | undefined): Call =>
  async <T>(method: string, path: string, { query, body }: Sent = {}) => {
    const search = query && query.size > 0 ? `?${query}` : ''
    const outcome = await sendToService(`${url.replace(/\/+$/, '')}${path}${search}`, {
      method,
      headers: { ...(key !== undefined && { authorization: `Bearer ${key}` }), ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const meanwhile = outcome.mayBeDone ? '. What was asked for may have been done: look before you repeat it' : ''
    if ('why' in outcome)
      throw new CommandFailure(`${url} ${outcome.isBrokenOff ? 'broke off its response' : 'cannot be reached'}: ${outcome.why}${meanwhile}`)
    const { status, text, location } = outcome
    if (status >= 300 && status < 400 && location !== null)
      throw new CommandFailure(
        `${url} redirects to ${originOf(location, url)}: --url names the address where the service is without a redirect`,
      )
    const refusal = status >= 500 || status === 409 ? meanwhile : ''
    return responseOf<T>(status, text, () => `${url} responded ${status} without JSON`, refusal)
  }

const originOf = (location: string, base: string) => URL.parse(location, base)?.origin ?? location

/** @throws CommandFailure when the key belongs to another organisation than the named one */
export async function organisationOfKey(call: Call, slugOrId: string): Promise<{ id: string; slug: string }> {
  const organisation = await call<{ id: string; slug: string }>('GET', '/v1/admin/organisation')
  const { id, slug } = organisation
  if (slugOrId !== slug && slugOrId !== id) throw new CommandFailure(`The API key is of the organisation "${slug}", not of "${slugOrId}"`)
  return organisation
}

/**
 * The document of a response.
 *
 * @param meanwhile what follows the words of a refusal
 * @throws Problem for a refusal, CommandFailure for what no operation responds, as a page of another server
 */
export function responseOf<T>(status: number, text: string, withoutJson: () => string, meanwhile = ''): T {
  const document = text === '' && status < 300 ? undefined : parsed(text)
  if (status < 300) {
    if (text !== '' && (typeof document !== 'object' || document === null || Array.isArray(document)))
      throw new CommandFailure(withoutJson())
    return document as T
  }
  const { code = 'refused', detail = withoutJson(), errors } = (document ?? {}) as SentProblem
  throw new Problem(code, status < 500 ? 'bad-request' : 'service-unavailable', `${detail}${meanwhile}`, errors && { errors })
}

interface SentProblem {
  code?: string
  detail?: string
  errors?: FieldError[]
}

/** What a header can hold. Of anything else, the refusal of the request would show the key. */
const keyForm = /^[!-~]+$/

function givenKey(): string {
  const key = process.env[variable]?.trim()
  if (!key) throw new CommandFailure(`The variable ${variable} is not set: --url takes an API key of the organisation`)
  if (!keyForm.test(key)) throw new CommandFailure(`The variable ${variable} is not usable and must hold an API key and nothing else`)
  return key
}

async function readKey(file: string): Promise<string> {
  const text = await readNamedFile(file, { named: '--api-key-file' })
  const key = text.trim()
  if (!keyForm.test(key)) throw new CommandFailure(`--api-key-file is "${file}" and must hold an API key and nothing else`)
  return key
}
