import type { Asked } from '../../configuration/apply.ts'
import { configurationChanged } from '../../configuration/refusals.ts'
import { Problem } from '../../platform/http/problem.ts'
import { callService, organisationOfKey, type RemoteOptions } from '../over-network.ts'
import type { Target } from './target.ts'

/**
 * The organisation of an API key, through the API of a service.
 *
 * @throws CommandFailure when the key belongs to another organisation, or is missing
 */
export async function targetOverApi(
  url: string,
  slugOrId: string,
  { dryRun = false, ...options }: RemoteOptions & { dryRun?: boolean },
): Promise<Target> {
  const callApi = await callService(url, options)
  const call = <T>(path: string, body?: object): Promise<T> =>
    callApi<T>(body ? 'POST' : 'GET', `/v1/admin/${path}`, { body }).catch((error) => {
      throw inDocument(error)
    })
  const { slug } = await organisationOfKey(callApi, slugOrId)
  const sent = ({ document, prune, basis }: Asked) => ({ document, prune, ...(basis !== undefined && { basis }) })
  const plan: Target['plan'] = ({ document, prune }) => call('configuration/plan', { document, prune })
  const tryOut = async (asked: Asked) => {
    const planned = await plan(asked)
    if (asked.basis !== undefined && asked.basis !== planned.basis) throw configurationChanged()
    return { ...planned, secrets: [], ids: [] }
  }
  return {
    slug,
    // Applications refuse an issuer that names itself otherwise, such as by another host than the one that was typed.
    issuer: async () => (await callApi<{ issuer: string }>('GET', '/.well-known/openid-configuration')).issuer,
    export: () => call('configuration'),
    drift: async (asked) => (await call<{ changes: Awaited<ReturnType<Target['drift']>> }>('configuration/diff', sent(asked))).changes,
    plan,
    apply: async (asked) => (dryRun ? tryOut(asked) : call('configuration/apply', sent(asked))),
  }
}

/** A refusal of the service, with paths into the document instead of the request body. */
export function inDocument(error: unknown): unknown {
  if (!(error instanceof Problem) || !error.errors) return error
  const errors = error.errors.map(({ path, ...mistake }) => ({ ...mistake, path: path[0] === 'document' ? path.slice(1) : path }))
  return new Problem(error.code, error.slug, error.detail, { errors })
}
