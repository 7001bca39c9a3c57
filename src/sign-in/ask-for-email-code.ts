import type { FastifyRequest } from 'fastify'
import type { Origin } from '../activity/actor.ts'
import { record } from '../activity/record.ts'
import { findSsoRequirement, type SsoRequirement } from '../domains/sso-requirement.ts'
import { issueCode } from '../email-codes/codes.ts'
import { codeLifetimeSeconds, type EmailFlow, sealFlow } from '../email-codes/flows.ts'
import { emailCodeMail } from '../email-codes/mails.ts'
import { pageLink } from '../mails/page-link.ts'
import { findLetterhead } from '../organisations/letterhead.ts'
import { secondsAfter } from '../platform/clock.ts'
import type { Tenant } from '../platform/database/database.ts'
import type { Language } from '../platform/language.ts'
import { beginSignIn, type SignInOrigin } from './begin.ts'
import { type Account, findAccount, findAnyUser } from './queries.ts'
import { whyClosed } from './rules.ts'
import type { SignInDependencies } from './sign-in.ts'
import { refusalOf } from './start-session.ts'

/**
 * Begins a sign-in by mail, for the API and the page. The code is mailed after the response and a random delay, since the time that it
 * takes would reveal whether the address has an account whose organisation allows it.
 *
 * @returns the token that completes the sign-in together with the code; the same kind of token for every address
 * @throws Problem `too-many-requests`; `forbidden` for a domain that requires
 *   single sign-on, with the same token: users who are exempt sign in with it
 */
export async function askForEmailCode(
  dependencies: SignInDependencies,
  { afterRandomDelay }: Pick<FastifyRequest, 'afterRandomDelay'>,
  from: Origin,
  email: string,
  language: Language | undefined,
): Promise<string> {
  const { database, keyring, limits } = dependencies
  const origin = beginSignIn(from, database.clock.now())
  await limits.emailCodesByAddress.count(origin.ipAddress ?? '')
  await limits.emailCodesByEmail.count(email)
  const requirement = await findSsoRequirement(dependencies, email)
  const flow = { email, expiresAt: secondsAfter(database.clock.now(), codeLifetimeSeconds) }
  const flowToken = sealFlow(keyring, flow)
  afterRandomDelay(
    () => sendEmailCode(dependencies, origin, { ...flow, flowToken, requirement }, language),
    'an e-mail code could not be sent',
  )
  // Refuse exempt users, too, although they get a code by mail: another response would reveal that they are exempt.
  if (requirement) throw requirement.refusal(flowToken)
  return flowToken
}

async function sendEmailCode(
  { database, keyring, outbox, publicUrl, relyingParty }: SignInDependencies,
  origin: SignInOrigin,
  { email, requirement, ...flow }: EmailFlow & { flowToken: string; requirement: SsoRequirement | undefined },
  language: Language | undefined,
): Promise<void> {
  const account = await findAccount(database, email, relyingParty.id)
  const anyUser = await findAnyUser(database)
  const isAddressee = account !== undefined && mayGetCode(account) && requirement?.binds(account) !== true
  const named = isAddressee ? account : anyUser
  if (!named) return
  const user = { id: named.id, email: named.email, name: named.name }
  const send = async (tenant: Tenant) => {
    const issued = await issueCode(tenant, keyring, user.id, { ...flow, signInId: origin.signInId })
    // The delays are random, so that of two requests in a second the later one may come first.
    if (!issued) return
    const { code, linkToken } = issued
    const link = pageLink(publicUrl, '/login/email', linkToken, language)
    await outbox.queue(tenant, emailCodeMail(await findLetterhead(tenant), language, user, { code, link }))
    await record(tenant, { actorType: 'user', actorId: null, ...origin }, { action: 'auth.email_code_requested', user })
  }
  // It must take as long in vain: the caller's next request, or the database's load, would otherwise reveal who has an account.
  await (isAddressee ? database.transaction(named.organisationId, send) : database.rehearse(named.organisationId, send))
}

const mayGetCode = (account: Account) => refusalOf(account) === undefined && whyClosed('email_code', account, true) === undefined
