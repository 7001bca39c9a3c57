/** Lets commands call the API of a service on another machine. */
import { readFile } from 'node:fs/promises'
import process from 'node:process'
import { isLoopbackHost } from '../platform/http/addresses.ts'
import { type FieldError, Problem } from '../platform/http/problem.ts'
import { whyUnusable } from '../platform/system-errors.ts'
import { CommandFailure } from './failures.ts'
import type { FederatedOptions } from './federated-options.ts'

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
  if (!base || !(base.protocol === 'https:' || (base.protocol === 'http:' && isLoopbackHost(base.hostname)))) {
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
    const response = await fetch(`${url.replace(/\/+$/, '')}${path}${search}`, {
      method,
      headers: { ...(key !== undefined && { authorization: `Bearer ${key}` }), ...(body && { 'content-type': 'application/json' }) },
      redirect: 'manual',
      ...(body && { body: JSON.stringify(body) }),
    }).catch((error: Error) => {
      throw new CommandFailure(`${url} cannot be reached: ${whyUnusable(error.cause ?? error)}`)
    })
    const location = response.headers.get('location')
    if (response.status >= 300 && response.status < 400 && location !== null)
      throw new CommandFailure(
        `${url} redirects to ${originOf(location, url)}: --url names the address where the service is without a redirect`,
      )
    const text = await response.text().catch((error: Error) => {
      const meanwhile = method === 'GET' ? '' : '. What was asked for may have been done: look before you repeat it'
      throw new CommandFailure(`${url} broke off its response: ${whyUnusable(error.cause ?? error)}${meanwhile}`)
    })
    return responseOf<T>(response.status, text, () => `${url} responded ${response.status} without JSON`)
  }

const originOf = (location: string, base: string) => URL.parse(location, base)?.origin ?? location

/** @throws CommandFailure when the key belongs to another organisation than the named one */
export async function organisationOfKey(call: Call, slugOrId: string): Promise<{ id: string; slug: string }> {
  const organisation = await call<{ id: string; slug: string }>('GET', '/v1/admin/organisation')
  const { id, slug } = organisation
  if (slugOrId !== slug && slugOrId !== id) throw new CommandFailure(`The API key is of the organisation "${slug}", not of "${slugOrId}"`)
  return organisation
}

/** The document of a response. @throws Problem for a refusal, CommandFailure for what no operation responds, as a page of another server */
export function responseOf<T>(status: number, text: string, withoutJson: () => string): T {
  const document = text === '' && status < 300 ? undefined : parsed(text)
  if (status < 300) {
    if (text !== '' && (typeof document !== 'object' || document === null || Array.isArray(document)))
      throw new CommandFailure(withoutJson())
    return document as T
  }
  const { code = 'refused', detail = withoutJson(), errors } = (document ?? {}) as SentProblem
  throw new Problem(code, 'bad-request', detail, errors && { errors })
}

interface SentProblem {
  code?: string
  detail?: string
  errors?: FieldError[]
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
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
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new CommandFailure(`--api-key-file is "${file}", which cannot be read: ${whyUnusable(error)}`)
  })
  const key = text.trim()
  if (!keyForm.test(key)) throw new CommandFailure(`--api-key-file is "${file}" and must hold an API key and nothing else`)
  return key
}
