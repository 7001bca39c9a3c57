import { recoverUser } from '../../system/recover-user.ts'
import type { RecoveryRequest } from '../../system/user-schemas.ts'
import { cliActor } from '../actor.ts'
import type { CommonOptions } from '../add-command.ts'
import { show } from '../output.ts'
import { withServices } from '../with-services.ts'
import { getUser } from './get-user.ts'

type RecoveryOptions = CommonOptions & { reason?: string }

export const unblock = (emailOrId: string, options: RecoveryOptions) =>
  recover(emailOrId, options, { unblock: true, unlock: true }, (email, isDone) =>
    isDone ? `${email} can sign in again` : `${email} was neither blocked nor locked`,
  )

export const resetMfa = (emailOrId: string, options: RecoveryOptions) =>
  recover(emailOrId, options, { removeSecondFactors: true }, (email, isDone) =>
    isDone ? `${email} has no second factor any more` : `${email} has no second factor`,
  )

export const passwordLink = (emailOrId: string, options: RecoveryOptions & { mail?: boolean }) =>
  recover(emailOrId, options, { passwordLink: true }, (email, _, link) => link ?? `${email} is mailed a link that sets a new password`, {
    handsOver: !options.mail,
  })

/** @param say what is printed, by whether there was something to do */
async function recover(
  emailOrId: string,
  options: RecoveryOptions,
  asked: RecoveryRequest,
  say: (email: string, isDone: boolean, link: string | undefined) => string,
  variants?: { handsOver: boolean },
): Promise<void> {
  await withServices(options, async ({ services }) => {
    const { email, ...target } = await getUser(services.database, emailOrId)
    const request = { ...asked, ...(options.reason && { reason: options.reason }) }
    const { done, link } = await recoverUser(services, cliActor(), target, request, undefined, variants)
    show(options, { ...target, email, done, ...(link && { link }) }, say(email, done.length > 0, link))
  })
}
