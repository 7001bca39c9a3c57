import type { Command } from 'commander'
import { counted } from '../../platform/text.ts'
import { type Access, countAccess } from '../../system/count-concerned.ts'
import { recoverUser } from '../../system/recover-user.ts'
import type { RecoveryRequest } from '../../system/user-schemas.ts'
import { cliActor } from '../actor.ts'
import type { CommonOptions, ConfirmOptions } from '../add-command.ts'
import { confirm } from '../confirm.ts'
import { CommandFailure } from '../failures.ts'
import { mailsLeave } from '../mails-leave.ts'
import { showChange, type Told } from '../output.ts'
import { type OpenedServices, withServices } from '../with-services.ts'
import { getUser } from './get-user.ts'
import { removed, uncounted } from './recovery-words.ts'

type RecoveryOptions = CommonOptions & { reason?: string }

export const unblock = (emailOrId: string, options: RecoveryOptions) =>
  recover(emailOrId, options, { unblock: true, unlock: true }, (email, isDone, { blockedAt, blockedReason }) =>
    blockedAt === null
      ? {
          done: isDone ? `${email} can sign in again` : `${email} was neither blocked nor locked`,
          would: isDone ? `let ${email} sign in again` : `change nothing: ${email} is neither blocked nor locked`,
        }
      : {
          done: `${email} is unblocked, and blocked for another reason, which another call lifts: ${blockedReason}`,
          would: `unblock ${email}, who would be blocked for another reason: ${blockedReason}`,
        },
  )

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
    (email, _, { link, leaves }) => ({
      done: link ?? `${email} is mailed a link that sets a new password`,
      would: options.mail
        ? `mail ${email} a link that sets a new password, and remove the present password, ${removed}`
        : `print a link that sets a new password of ${email}${leaves ? ', who would be mailed that it was made,' : ''} and remove the present password, ${removed}`,
    }),
    {
      handsOver: !options.mail,
      async before({ config, services: { database } }, { organisationId, userId, email }) {
        // The link replaces every other way in, so it must not be lost.
        if (options.mail && !mailsLeave(config))
          throw new CommandFailure(`${email} would get no mail, as no mail server is set: leave --mail out, and the link is printed`)
        const access = await countAccess(database.tenant(organisationId), userId)
        // The first link of a new user takes nothing away.
        if (Object.values(access).every((count) => count === 0)) return
        await confirm(command, options, { consequences: [lossOf(email, access)], name: email })
      },
    },
  )

/** The words of each count; the password, of which there is one, and the sessions, which end, have sentences of their own. */
const countedWords: Record<Exclude<keyof Access, 'passwords' | 'sessions'>, string> = {
  factors: 'second factor',
  backupCodes: 'backup code',
  passkeys: 'passkey',
  identities: 'linked account',
  apiKeys: 'API key',
  setupLinks: 'set-up link',
}

/** A former holder of the account may have left any of these behind, so a recovery removes all of them. */
function lossOf(email: string, access: Access): string {
  const counts = Object.entries(countedWords) as [keyof typeof countedWords, string][]
  const lost = [
    ...(access.passwords > 0 ? ['the present password'] : []),
    ...counts.flatMap(([name, word]) => (access[name] > 0 ? [counted(access[name], word)] : [])),
    uncounted,
  ]
  return `${email} loses ${lost.join(', ')}, and ${counted(access.sessions, 'session ends', 'sessions end')}`
}

type Recovered = Awaited<ReturnType<typeof recoverUser>>

type FoundUser = Awaited<ReturnType<typeof getUser>>

interface Variants {
  /** Whether the link is printed instead of mailed. */
  handsOver?: boolean
  before?(opened: OpenedServices, user: FoundUser): Promise<void>
}

/** @param say returns the text to print, given whether there was something to do, and whether mails leave */
async function recover(
  emailOrId: string,
  options: RecoveryOptions,
  asked: RecoveryRequest,
  say: (email: string, isDone: boolean, made: Omit<Recovered, 'done'> & { leaves: boolean }) => Told,
  { handsOver = false, before }: Variants = {},
): Promise<void> {
  await withServices(options, async (opened) => {
    const { services } = opened
    const user = await getUser(services.database, emailOrId)
    await before?.(opened, user)
    const { email, ...target } = user
    const request = { ...asked, ...(options.reason && { reason: options.reason }) }
    const { done, link, ...block } = await recoverUser(services, cliActor(), target, request, undefined, { handsOver })
    // A dry run is rolled back, so its link sets no password.
    const document = { ...target, email, done, ...(link && !options.dryRun && { link }) }
    showChange(options, document, say(email, done.length > 0, { link, leaves: mailsLeave(opened.config), ...block }))
  })
}
