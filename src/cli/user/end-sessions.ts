import { endSessionsOfUser } from '../../sessions/end-session.ts'
import { cliCaller } from '../actor.ts'
import type { CommonOptions } from '../add-command.ts'
import { showChange } from '../output.ts'
import { withServices } from '../with-services.ts'
import { getUser } from './get-user.ts'

export const endSessions = (emailOrId: string, options: CommonOptions) =>
  withServices(options, async ({ services: { database } }) => {
    const user = await getUser(database, emailOrId)
    await endSessionsOfUser(database, cliCaller(user.organisationId), user.userId)
    showChange(options, user, { done: `${user.email} is signed out everywhere`, would: `sign ${user.email} out everywhere` })
  })
