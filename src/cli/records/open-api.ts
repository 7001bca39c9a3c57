import { composeHttp } from '../../app/compose-http.ts'
import { newSecret } from '../../platform/crypto/secrets.ts'
import { cliActor } from '../actor.ts'
import type { CommonOptions } from '../add-command.ts'
import { mailsLeave } from '../mails-leave.ts'
import { getOrganisation, getOrganisationOfAnyStatus } from '../organisation/get-organisation.ts'
import { type Call, callService, organisationOfKey, type RemoteOptions, responseOf } from '../over-network.ts'
import { getUser } from '../user/get-user.ts'
import { type OpenedServices, withServices } from '../with-services.ts'

export interface ApiOptions extends CommonOptions, RemoteOptions {
  organisation?: string
  /** Whether the command changes something. What is cancelled can be looked at. */
  isChange?: boolean
}

export interface Api {
  call: Call
  /** Whether the API is that of a service elsewhere, which cannot do a dry run. */
  isRemote: boolean
  /** Whether its users get their mails; of a service elsewhere an API key does not learn it, and this is true. */
  mailsLeave: boolean
  /** For the text of a refusal: the organisation in which a record was looked for. */
  organisation: string | undefined
}

/**
 * Runs on the API of the service at `--url`, or else on that of this process, with the database of the environment, as the operator.
 * Both have the same routes with the same rules. In this process, `--dry-run` rolls everything back.
 *
 * @param user determines the organisation when none is named
 */
export async function withApi(options: ApiOptions, user: string | undefined, run: (api: Api) => Promise<void>): Promise<void> {
  const { url, organisation, isChange = false } = options
  if (url !== undefined) {
    const call = await callService(url, options)
    const found = organisation === undefined ? undefined : await organisationOfKey(call, organisation)
    return run({ call, isRemote: true, mailsLeave: true, organisation: found?.slug })
  }
  await withServices(options, async (opened) => {
    const found = await organisationOf(opened, organisation, user, isChange)
    const app = await composeHttp(opened.services, {
      config: { ...opened.config, apiDocs: false, strictInput: true, roles: { ...opened.config.roles, api: true } },
      systemApiKey: newSecret(),
      localOperator: { actor: cliActor(), organisationId: found?.id },
      hasStarted: () => true,
    })
    const call: Call = async (method, path, { query, body } = {}) => {
      const response = await app.inject({
        method: method as 'GET',
        url: query && query.size > 0 ? `${path}?${query}` : path,
        ...(body && { payload: body }),
      })
      return responseOf(response.statusCode, response.body, () => `The service responded ${response.statusCode} without JSON`)
    }
    try {
      await run({ call, isRemote: false, mailsLeave: mailsLeave(opened.config), organisation: found?.slug })
    } finally {
      await app.close()
    }
  })
}

async function organisationOf(
  { services: { database } }: OpenedServices,
  slugOrId: string | undefined,
  user: string | undefined,
  isChange: boolean,
) {
  const get = isChange ? getOrganisation : getOrganisationOfAnyStatus
  if (slugOrId !== undefined) return get(database, slugOrId)
  return user === undefined ? undefined : get(database, (await getUser(database, user)).organisationId)
}
