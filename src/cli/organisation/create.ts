import type { Command } from 'commander'
import type { Config } from '../../app/config.ts'
import { presentOrganisation } from '../../organisations/present-organisation.ts'
import { NewOrganisation } from '../../organisations/schemas.ts'
import { createOrganisation } from '../../provisioning/create-organisation.ts'
import { cliActor } from '../actor.ts'
import type { CommonOptions } from '../add-command.ts'
import { parseOptions } from '../input.ts'
import { showChange } from '../output.ts'
import { withServices } from '../with-services.ts'

/** Whether users get their mails. Outside production, mails without a server are listed at `/dev/mail`. */
const mailsLeave = ({ smtpUrl, production }: Config) => smtpUrl !== undefined || !production

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
    const printsLink = `\`gatehouse user password-link ${email}\` prints a link that sets its owner's password`
    showChange(options, document, {
      done: `Created ${fields.slug} (${organisationId}); ${leaves ? `its owner ${email} is mailed a link that sets a password` : `no mail server is set: ${printsLink}`}`,
      would: `create ${fields.slug}, whose owner ${email} would ${leaves ? 'be mailed a link that sets a password' : 'get no mail, as no mail server is set'}`,
    })
  })
}
