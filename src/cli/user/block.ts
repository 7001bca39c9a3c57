import { presentUser } from '../../accounts/present-user.ts'
import { changeUser } from '../../users/update-user.ts'
import { cliCaller } from '../actor.ts'
import type { CommonOptions } from '../add-command.ts'
import { showChange } from '../output.ts'
import { withServices } from '../with-services.ts'
import { getUser } from './get-user.ts'

export const block = (emailOrId: string, options: CommonOptions & { reason?: string }) =>
  withServices(options, async ({ services }) => {
    const { userId, organisationId } = await getUser(services.database, emailOrId)
    const changes = { blockedAt: services.clock.now(), ...(options.reason && { blockedReason: options.reason }) }
    const user = presentUser(await changeUser(services, cliCaller(organisationId), userId, changes, undefined, undefined))
    showChange(options, user, { done: `${user.email} is blocked`, would: `block ${user.email}, and end all their sessions` })
  })
