import process from 'node:process'
import type { Asked } from '../../configuration/apply.ts'
import { isLoopbackHost } from '../../platform/http/addresses.ts'
import { type FieldError, Problem } from '../../platform/http/problem.ts'
import { CommandFailure } from '../failures.ts'
import type { Target } from './target.ts'

const variable = 'GATEHOUSE_API_KEY'

/**
 * The organisation of an API key, by the API of a service. The key is in the environment alone: arguments can be read by every user of
 * the machine.
 *
 * @throws CommandFailure when the key is of another organisation, or is missing
 */
export async function targetOverApi(url: string, slugOrId: string, { dryRun = false }: { dryRun?: boolean }): Promise<Target> {
  const key = process.env[variable]
  if (!key) throw new CommandFailure(`The variable ${variable} is not set: --url takes an API key of the organisation`)
  const base = URL.parse(url)
  if (!base || !(base.protocol === 'https:' || (base.protocol === 'http:' && isLoopbackHost(base.hostname)))) {
    throw new CommandFailure(`--url is "${url}" and must be an https address: the API key goes there`)
  }
  const call = async <T>(path: string, body?: object): Promise<T> => {
    const response = await fetch(`${url.replace(/\/+$/, '')}/v1/admin/${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
      redirect: 'error',
      ...(body && { body: JSON.stringify(body) }),
    }).catch((error: Error) => {
      throw new CommandFailure(`${url} cannot be reached: ${(error.cause as Error | undefined)?.message ?? error.message}`)
    })
    const answered: unknown = await response.json().catch(() => ({ detail: `${url} responded ${response.status} without JSON` }))
    if (!response.ok) throw problemOf(answered as SentProblem)
    return answered as T
  }
  const { id, slug } = await call<{ id: string; slug: string }>('organisation')
  if (slugOrId !== slug && slugOrId !== id) throw new CommandFailure(`The API key is of the organisation "${slug}", not of "${slugOrId}"`)
  const sent = ({ document, prune, basis }: Asked) => ({ document, prune, ...(basis !== undefined && { basis }) })
  const plan: Target['plan'] = ({ document, prune }) => call('configuration/plan', { document, prune })
  return {
    slug,
    export: () => call('configuration'),
    drift: async (asked) => (await call<{ changes: Awaited<ReturnType<Target['drift']>> }>('configuration/diff', sent(asked))).changes,
    plan,
    apply: async (asked) => (dryRun ? { ...(await plan(asked)), secrets: [] } : call('configuration/apply', sent(asked))),
  }
}

interface SentProblem {
  code?: string
  detail: string
  errors?: FieldError[]
}

/** A refusal of the service, with the places of the document instead of the body's. */
function problemOf({ code = 'refused', detail, errors }: SentProblem): Problem {
  const inDocument = errors?.map(({ path, ...error }) => ({ ...error, path: path[0] === 'document' ? path.slice(1) : path }))
  return new Problem(code, 'bad-request', detail, inDocument && { errors: inDocument })
}
