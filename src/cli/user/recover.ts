import type { Command } from 'commander'
import { counted } from '../../platform/text.ts'
import { countAccess } from '../../system/count-concerned.ts'
import { recoverUser } from '../../system/recover-user.ts'
import type { RecoveryRequest } from '../../system/user-schemas.ts'
import { cliActor } from '../actor.ts'
import type { CommonOptions, ConfirmOptions } from '../add-command.ts'
import { confirm } from '../confirm.ts'
import { showChange, type Told } from '../output.ts'
import { type OpenedServices, withServices } from '../with-services.ts'
import { getUser } from './get-user.ts'

type RecoveryOptions = CommonOptions & { reason?: string }

export const unblock = (emailOrId: string, options: RecoveryOptions) =>
  recover(emailOrId, options, { unblock: true, unlock: true }, (email, isDone) => ({
    done: isDone ? `${email} can sign in again` : `${email} was neither blocked nor locked`,
    would: isDone ? `let ${email} sign in again` : `change nothing: ${email} is neither blocked nor locked`,
  }))

export const resetMfa = (emailOrId: string, options: RecoveryOptions & ConfirmOptions, command: Command) =>
  recover(
    emailOrId,
    options,
    { removeSecondFactors: true },
    (email, isDone) => ({
      done: isDone ? `${email} has no second factor any more` : `${email} has no second factor`,
      would: isDone ? `remove all second factors of ${email}` : `change nothing: ${email} has no second factor`,
    }),
    {
      async before({ services: { database } }, { organisationId, userId, email }) {
        const access = await countAccess(database.tenant(organisationId), userId)
        if (access.factors === 0) return
        await confirm(command, options, { consequences: [lossOf(email, access)], name: email })
      },
    },
  )

export const passwordLink = (emailOrId: string, options: RecoveryOptions & ConfirmOptions & { mail?: boolean }, command: Command) =>
  recover(
    emailOrId,
    options,
    { passwordLink: true },
    (email, _, link) => ({
      done: link ?? `${email} is mailed a link that sets a new password`,
      would: options.mail
        ? `mail ${email} a link that sets a new password, ${andRemove}`
        : `print a link that sets a new password of ${email}, who would be mailed that it was made, ${andRemove}`,
    }),
    {
      handsOver: !options.mail,
      async before({ services: { database } }, { organisationId, userId, email }) {
        const access = await countAccess(database.tenant(organisationId), userId)
        // The first link of a new user takes nothing away.
        if (Object.values(access).every((count) => count === 0)) return
        await confirm(command, options, { consequences: [lossOf(email, access)], name: email })
      },
    },
  )

const andRemove = 'and remove the present password, passkeys, second factors, linked accounts, API keys, sessions, tokens and consents'

/** A former holder of the account may have left any of these behind, so a recovery removes all of them. */
function lossOf(email: string, { passwords, factors, backupCodes, passkeys, identities, apiKeys, sessions }: Access): string {
  const lost = [
    ...(passwords > 0 ? ['the present password'] : []),
    ...(factors > 0 ? [counted(factors, 'second factor')] : []),
    ...(backupCodes > 0 ? [counted(backupCodes, 'backup code')] : []),
    ...(passkeys > 0 ? [counted(passkeys, 'passkey')] : []),
    ...(identities > 0 ? [counted(identities, 'linked account')] : []),
    ...(apiKeys > 0 ? [counted(apiKeys, 'API key')] : []),
    'tokens and consents',
  ]
  return `${email} loses ${lost.join(', ')}, and ${counted(sessions, 'session')} end`
}

type Access = Awaited<ReturnType<typeof countAccess>>

type FoundUser = Awaited<ReturnType<typeof getUser>>

interface Variants {
  /** Whether the link is printed instead of mailed. */
  handsOver?: boolean
  before?(opened: OpenedServices, user: FoundUser): Promise<void>
}

/** @param say returns the text to print, given whether there was something to do */
async function recover(
  emailOrId: string,
  options: RecoveryOptions,
  asked: RecoveryRequest,
  say: (email: string, isDone: boolean, link: string | undefined) => Told,
  { handsOver = false, before }: Variants = {},
): Promise<void> {
  await withServices(options, async (opened) => {
    const { services } = opened
    const user = await getUser(services.database, emailOrId)
    await before?.(opened, user)
    const { email, ...target } = user
    const request = { ...asked, ...(options.reason && { reason: options.reason }) }
    const { done, link } = await recoverUser(services, cliActor(), target, request, undefined, { handsOver })
    // A dry run is rolled back, so its link sets no password.
    const document = { ...target, email, done, ...(link && !options.dryRun && { link }) }
    showChange(options, document, say(email, done.length > 0, link))
  })
}
