import type { Command } from 'commander'
import { type Organisation, presentOrganisation } from '../../organisations/present-organisation.ts'
import type { Database } from '../../platform/database/database.ts'
import { counted } from '../../platform/text.ts'
import { activateOrganisation, deleteOrganisation, restoreOrganisation, suspendOrganisation } from '../../provisioning/change-status.ts'
import { countInOrganisation } from '../../system/count-concerned.ts'
import { cliActor } from '../actor.ts'
import type { CommonOptions, ConfirmOptions } from '../add-command.ts'
import { confirm } from '../confirm.ts'
import { showChange } from '../output.ts'
import { withServices } from '../with-services.ts'
import { getOrganisationOfAnyStatus } from './get-organisation.ts'

export const suspend = (slugOrId: string, options: ConfirmOptions & { reason: string }, command: Command) =>
  withServices(options, async ({ services: { database } }) => {
    const { id, slug } = await getOrganisationOfAnyStatus(database, slugOrId)
    const { users, sessions, sessionsEnd } = await inNumbers(database, id)
    await confirm(command, options, {
      consequences: [`${slug} is suspended: its ${users} can no longer sign in, and ${sessionsEnd}`],
      undoneBy: `\`gatehouse organisation activate ${slug}\` takes it back, but sessions and set-up links stay ended`,
      name: slug,
    })
    const organisation = await suspendOrganisation(database, cliActor(), id, options.reason)
    showStatus(options, organisation, `suspend ${slug}: its ${users} could no longer sign in, and ${sessions} would end`)
  })

export const activate = (slugOrId: string, options: CommonOptions) =>
  withServices(options, async ({ services: { database } }) => {
    const { id, slug } = await getOrganisationOfAnyStatus(database, slugOrId)
    showStatus(options, await activateOrganisation(database, cliActor(), id), `activate ${slug}`)
  })

export const remove = (slugOrId: string, options: ConfirmOptions & { reason?: string }, command: Command) =>
  withServices(options, async ({ config, services: { database } }) => {
    const organisation = await getOrganisationOfAnyStatus(database, slugOrId)
    const { id, slug } = organisation
    const { users, sessions, sessionsEnd, clientsGet } = await inNumbers(database, id)
    const purged = `purged after ${counted(config.organisationRetentionDays, 'day')}`
    await confirm(command, options, {
      consequences: [
        `${slug} is cancelled: its ${users} can no longer sign in, ${sessionsEnd}, and its ${clientsGet} no more tokens`,
        `Its data is exported now and ${purged}`,
      ],
      undoneBy: `Until it is purged, \`gatehouse organisation restore ${slug}\` takes it back, but sessions, tokens and links stay ended`,
      name: slug,
    })
    await deleteOrganisation(database, cliActor(), id, { reason: options.reason })
    const would = `cancel ${slug}: its ${users} could no longer sign in, ${sessions} would end, and its data would be exported and ${purged}`
    showStatus(options, { ...organisation, status: 'cancelled' }, would)
  })

export const restore = (slugOrId: string, options: CommonOptions) =>
  withServices(options, async ({ services: { database } }) => {
    const { id, slug } = await getOrganisationOfAnyStatus(database, slugOrId)
    showStatus(options, await restoreOrganisation(database, cliActor(), id), `restore ${slug}, whose users would sign in anew`)
  })

async function inNumbers(database: Database, organisationId: string) {
  const { users, sessions, clients } = await countInOrganisation(database.tenant(organisationId))
  return {
    users: counted(users, 'user'),
    sessions: counted(sessions, 'session'),
    sessionsEnd: counted(sessions, 'session ends', 'sessions end'),
    clientsGet: counted(clients, 'application gets', 'applications get'),
  }
}

const showStatus = (options: CommonOptions, organisation: Organisation, would: string) =>
  showChange(options, presentOrganisation(organisation), { done: `${organisation.slug} is ${organisation.status}`, would })
