import type { Command } from 'commander'
import { type Organisation, presentOrganisation } from '../../organisations/present-organisation.ts'
import { activateOrganisation, deleteOrganisation, suspendOrganisation } from '../../provisioning/change-status.ts'
import { cliActor } from '../actor.ts'
import { type CommonOptions, wrongUse } from '../add-command.ts'
import { show } from '../output.ts'
import { withServices } from '../with-services.ts'
import { getOrganisation } from './get-organisation.ts'

export const suspend = (slugOrId: string, options: CommonOptions & { reason: string }) =>
  withServices(options, async ({ services: { database } }) => {
    const { id } = await getOrganisation(database, slugOrId)
    showStatus(options, await suspendOrganisation(database, cliActor(), id, options.reason))
  })

export const activate = (slugOrId: string, options: CommonOptions) =>
  withServices(options, async ({ services: { database } }) => {
    const { id } = await getOrganisation(database, slugOrId)
    showStatus(options, await activateOrganisation(database, cliActor(), id))
  })

export async function remove(
  slugOrId: string,
  options: CommonOptions & { reason?: string; yes?: boolean },
  command: Command,
): Promise<void> {
  if (!options.yes && !options.dryRun) wrongUse(command, '--yes is missing: this cannot be undone')
  await withServices(options, async ({ services: { database } }) => {
    const organisation = await getOrganisation(database, slugOrId)
    await deleteOrganisation(database, cliActor(), organisation.id, { reason: options.reason })
    showStatus(options, { ...organisation, status: 'cancelled' })
  })
}

const showStatus = (options: CommonOptions, organisation: Organisation) =>
  show(options, presentOrganisation(organisation), `${organisation.slug} is ${organisation.status}`)
