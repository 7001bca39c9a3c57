import type { Command } from 'commander'
import { presentOrganisation } from '../../organisations/present-organisation.ts'
import { NewOrganisation } from '../../organisations/schemas.ts'
import { createOrganisation } from '../../provisioning/create-organisation.ts'
import { cliActor } from '../actor.ts'
import type { CommonOptions } from '../add-command.ts'
import { parseOptions } from '../input.ts'
import { getsNoMail, mailsLeave, printsLink } from '../mails-leave.ts'
import { showChange } from '../output.ts'
import { withServices } from '../with-services.ts'

export async function create(options: CommonOptions, command: Command): Promise<void> {
  const input = parseOptions(command, NewOrganisation)
  await withServices(options, async ({ config, services }) => {
    const { organisation, owner } = await createOrganisation(services, cliActor(), input, undefined)
    const { id: organisationId, ...fields } = presentOrganisation(organisation)
    const { id, email, name } = owner
    const document = options.dryRun
      ? { organisation: { ...fields, ownerId: undefined }, owner: { email, name } }
      : { organisation: { id: organisationId, ...fields }, owner: { id, email, name } }
    const leaves = mailsLeave(config)
    showChange(options, document, {
      done: `Created ${fields.slug} (${organisationId}); ${leaves ? `its owner ${email} is mailed a link that sets a password` : printsLink(email, "its owner's")}`,
      would: `create ${fields.slug}, whose owner ${email} would ${leaves ? 'be mailed a link that sets a password' : getsNoMail}`,
    })
  })
}
