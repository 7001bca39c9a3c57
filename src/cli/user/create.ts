import type { Command } from 'commander'
import { presentUser } from '../../accounts/present-user.ts'
import { NewUser } from '../../accounts/schemas.ts'
import { createUser } from '../../users/create-user.ts'
import { cliCaller } from '../actor.ts'
import type { CommonOptions } from '../add-command.ts'
import { parseOptions } from '../input.ts'
import { refuseUnknownRoles } from '../known-names.ts'
import { getsNoMail, mailsLeave, printsLink } from '../mails-leave.ts'
import { getOrganisation } from '../organisation/get-organisation.ts'
import { showChange } from '../output.ts'
import { withServices } from '../with-services.ts'

interface CreateOptions extends CommonOptions {
  organisation: string
  role?: string[]
  metadata?: string
  mail: boolean
}

export async function create(options: CreateOptions, command: Command): Promise<void> {
  const { organisation, role, metadata, mail } = options
  const input = parseOptions(command, NewUser, {
    ...{ roleIds: role, sendWelcomeMail: mail },
    ...(metadata !== undefined && { metadata: readJson(metadata) }),
  })
  await withServices(options, async ({ config, services }) => {
    const found = await getOrganisation(services.database, organisation)
    await refuseUnknownRoles(services.database, found, role ?? [])
    const user = presentUser(await createUser(services, cliCaller(found.id), input, undefined))
    const roles = user.roles.map(({ slug }) => slug).join(', ') || 'no role'
    const leaves = mailsLeave(config)
    const isMailed = leaves ? ', who is mailed a link that sets a password' : `; ${printsLink(user.email, 'the')}`
    const wouldBe = leaves ? 'be mailed a link that sets a password' : getsNoMail
    showChange(options, options.dryRun ? { ...user, id: undefined } : user, {
      done: `Created ${user.email} (${user.id}) with ${roles}${mail ? isMailed : ''}`,
      would: `create ${user.email} with ${roles}${mail ? `, who would ${wouldBe}` : ''}`,
    })
  })
}

/** The value that a text says as JSON; a text that is no JSON stays one, which the schema refuses. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
