import type { Command } from 'commander'
import type { Caller } from '../../access/caller.ts'
import { type Asked, applyConfiguration, compare, planConfiguration } from '../../configuration/apply.ts'
import { findDrift } from '../../configuration/drift.ts'
import type { ConfigurationDependencies } from '../../configuration/kind.ts'
import { parseDocument } from '../../configuration/parse-document.ts'
import type { ConfigurationDocument } from '../../configuration/schemas.ts'
import { grants } from '../../oauth/grants/grants.ts'
import { cliCaller } from '../actor.ts'
import { wrongUse } from '../add-command.ts'
import { refuseWithoutService } from '../federated-options.ts'
import { getOrganisation, getOrganisationOfAnyStatus } from '../organisation/get-organisation.ts'
import { withServices } from '../with-services.ts'
import { inDocument, targetOverApi } from './over-api.ts'
import type { WrittenDocument } from './read-document.ts'
import type { Target, TargetOptions } from './target.ts'

/** Runs on the database, or over the API with `--url`. @throws CommandFailure when the organisation does not exist */
export async function withTarget(options: TargetOptions, slugOrId: string, run: (target: Target) => Promise<void>): Promise<void> {
  refuseWithoutService(options, options.url)
  if (options.url !== undefined) return run(await targetOverApi(options.url, slugOrId, options))
  await withServices(options, async ({ services }) => {
    const get = options.isChange === true ? getOrganisation : getOrganisationOfAnyStatus
    const { id, slug } = await get(services.database, slugOrId)
    const dependencies: ConfigurationDependencies = { ...services, grants }
    const caller: Caller = cliCaller(id)
    const checked = async (asked: Asked): Promise<Asked> => {
      try {
        return { ...asked, document: await parseDocument(dependencies, id, asked.document) }
      } catch (error) {
        throw inDocument(error)
      }
    }
    await run({
      slug,
      issuer: async () => services.publicUrl,
      export: async () => (await import('../../configuration/requests.ts')).exportedDocument(dependencies, caller),
      drift: async (asked) => {
        const parsed = await checked(asked)
        return services.database.transaction(id, async (tenant) => {
          const { changes, present } = await compare(tenant, services, parsed)
          return findDrift(tenant, changes, present)
        })
      },
      plan: async (asked) => planConfiguration(dependencies, caller, await checked(asked)),
      apply: async (asked) => applyConfiguration(dependencies, caller, await checked(asked)),
    })
  })
}

/** The organisation to use. The option takes precedence, so that a document can be tried on another organisation. */
export function organisationOf(command: Command, named: string | undefined, document: ConfigurationDocument) {
  const organisation = named ?? document.organisation ?? wrongUse(command, '--organisation is missing: the document names none')
  return { organisation, document: { ...document, organisation: undefined } }
}

/** Runs something, adding positions in the document to its refusals. */
export async function placed<T>({ inPlace }: Pick<WrittenDocument, 'inPlace'>, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    throw inPlace(error)
  }
}
