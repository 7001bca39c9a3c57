import type { Command } from 'commander'
import { presentOrganisation } from '../../organisations/present-organisation.ts'
import { NewOrganisation } from '../../organisations/schemas.ts'
import { createOrganisation } from '../../provisioning/create-organisation.ts'
import { cliActor } from '../actor.ts'
import type { CommonOptions } from '../add-command.ts'
import { parseOptions } from '../input.ts'
import { show } from '../output.ts'
import { withServices } from '../with-services.ts'

export async function create(options: CommonOptions, command: Command): Promise<void> {
  const input = parseOptions(command, NewOrganisation)
  await withServices(options, async ({ services }) => {
    const { organisation, owner } = await createOrganisation(services, cliActor(), input, undefined)
    const { id, email, name } = owner
    const document = { organisation: presentOrganisation(organisation), owner: { id, email, name } }
    show(options, document, `Created ${organisation.slug} (${organisation.id}); its owner ${email} is mailed a link that sets a password`)
  })
}
