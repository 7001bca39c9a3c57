import { presentUser } from '../../accounts/present-user.ts'
import { getOwnOrganisation } from '../../organisations/queries.ts'
import { findUsersFor } from '../../system/find-users.ts'
import { cliActor } from '../actor.ts'
import type { CommonOptions } from '../add-command.ts'
import { fieldsOf, show } from '../output.ts'
import { withServices } from '../with-services.ts'
import { getUser } from './get-user.ts'

export const find = (emailOrId: string, options: CommonOptions) =>
  withServices(options, async ({ services: { database } }) => {
    const { organisationId, email } = await getUser(database, emailOrId)
    const { id, slug, name, status, ownerId } = await getOwnOrganisation(database.tenant(organisationId))
    const [user] = (await findUsersFor(database, cliActor(), organisationId, email)).map(presentUser)
    if (!user) return
    const document = { ...user, isOwner: ownerId === user.id, organisation: { id, slug, name, status } }
    const roles = user.roles.map((role) => role.slug)
    show(
      options,
      document,
      fieldsOf({ ...document, roles, teams: user.teams.map((team) => team.slug), organisation: `${slug} (${status})` }),
    )
  })
