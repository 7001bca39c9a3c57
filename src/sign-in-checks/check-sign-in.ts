import type { RateLimits } from '../access/rate-limits.ts'
import type { Actor } from '../activity/actor.ts'
import { record } from '../activity/record.ts'
import { findHolderAmong, invitationExceedsVoucher } from '../connections/federation/queries.ts'
import { factsOf } from '../connections/federation/rules.ts'
import { connectionNotFound } from '../connections/refusals.ts'
import { findVerifiedDomain, verifiedDomainsOf } from '../domains/queries.ts'
import { domainOfAddress } from '../domains/rules.ts'
import { findSsoRequirement, type SsoDependencies } from '../domains/sso-requirement.ts'
import { findInvitationTo } from '../invitations/queries.ts'
import { areCodesRefused } from '../mfa/try-code.ts'
import { type Organisation, presentOrganisation } from '../organisations/present-organisation.ts'
import { getOwnOrganisation } from '../organisations/queries.ts'
import { trialLimitReached } from '../organisations/refusals.ts'
import { checkTrialLimit } from '../organisations/trial-limit.ts'
import type { Database, Tenant } from '../platform/database/database.ts'
import { Problem } from '../platform/http/problem.ts'
import { exceedsVoucher } from '../roles/vouchers.ts'
import { wasToBeReplaced } from '../sign-in/breached-password.ts'
import { wasLockedBefore } from '../sign-in/count-attempts.ts'
import { type AccountToCheck, findAccountToCheck } from '../sign-in/queries.ts'
import type { OwnWay } from '../sign-in/rules.ts'
import { type ApplicationChecks, stepsOfApplication } from './check-application.ts'
import { findApplication, type IntroductionChecks } from './check-introduction.ts'
import {
  accountStep,
  blockStep,
  type Circumstances,
  type Finding,
  newAccountIn,
  organisationStep,
  stepsOf,
  stepsOfConnection,
} from './decide-steps.ts'
import { endOf, isMet } from './findings.ts'
import { presentFinding } from './present-finding.ts'
import { type ConnectionToCheck, connectionsToCheck, findDeactivatingDirectory } from './queries.ts'
import type { AskedSignInCheck, SignInCheck, WayTaken } from './schemas.ts'

export interface SignInChecking extends ApplicationChecks, IntroductionChecks, SsoDependencies {
  limits: RateLimits
  trialMaxUsers: number
}

/** The caller and the organisation. */
export interface Asking {
  organisationId: string
  actor: Actor
}

/**
 * Simulates a sign-in with an address at this moment, step by step, by the same rules as a sign-in. It issues nothing. For an address
 * without an account in the organisation, it reads and reports the same whether or not another organisation has the address.
 *
 * @throws Problem `not-found` for a client or a connection that the organisation does not own, `bad-request` for an unknown permission
 */
export async function checkSignIn(
  checking: SignInChecking,
  { organisationId, actor }: Asking,
  asked: AskedSignInCheck,
): Promise<SignInCheck> {
  const { database, relyingParty } = checking
  const tenant = database.tenant(organisationId)
  const { client, introduction } = await findApplication(checking, organisationId, asked)
  const [found, organisation] = await Promise.all([findAccountToCheck(tenant, asked.email, relyingParty.id), getOwnOrganisation(tenant)])
  const account = found?.deletedAt === null ? found : undefined

  const deactivatedBy = account?.blockedAt ? await findDeactivatingDirectory(tenant, account.id) : undefined
  // Of a user who does not exist, or no longer, nothing says whether they are blocked.
  const shared = [accountStep(found), organisationStep(organisation.status), ...(account ? [blockStep(account, deactivatedBy)] : [])]
  const ways = await findWays(checking, { tenant, organisation, found, account }, asked)
  const ofClient = account ? await stepsOfApplication(checking, { tenant, userId: account.id, client }, asked) : []
  const application = [...introduction, ...ofClient]

  const led = ways.map(({ findings, ...taken }) => {
    // A connection may create the missing account.
    const before = taken.way === 'connection' && !found ? shared.slice(1) : shared
    return { ...taken, leadsTo: endOf([...before, ...findings].map(({ code }) => code)) }
  })
  const check = {
    userId: found?.id ?? null,
    allowed: led.some(({ leadsTo }) => leadsTo === 'session') && application.every(({ code }) => isMet(code)),
    ways: led,
    steps: [
      ...shared.map((finding) => presentFinding(finding)),
      ...ways.flatMap(({ findings, ...taken }) => findings.map((finding) => presentFinding(finding, taken))),
      ...application.map((finding) => presentFinding(finding)),
    ],
  }
  await recordCheck(database, { organisationId, actor }, { organisation, found, allowed: check.allowed }, asked)
  return check
}

/** The organisation, and its account with the address. */
interface Found {
  tenant: Tenant
  organisation: Organisation
  /** The account, even of a deleted user. */
  found: AccountToCheck | undefined
  account: AccountToCheck | undefined
}

interface CheckedWay {
  way: NonNullable<WayTaken['way']>
  connectionId: string | null
  findings: Finding[]
}

async function findWays(
  checking: SignInChecking,
  { tenant, organisation, found, account }: Found,
  asked: AskedSignInCheck,
): Promise<CheckedWay[]> {
  const { database, relyingParty } = checking
  const { email, connectionId } = asked
  const domain = await findVerifiedDomain(database, domainOfAddress(email))
  const isKeptElsewhere = domain !== undefined && domain.organisationId !== tenant.organisationId
  const domainConnectionId = isKeptElsewhere || domain?.sso === 'off' ? null : (domain?.connectionId ?? null)
  const connections = await connectionsToCheck(tenant, { userId: found?.id, connectionId, domainConnectionId })
  if (connectionId !== undefined && connections.length === 0) throw connectionNotFound()

  const circumstances = await circumstancesOf(checking, email, account)
  const own: OwnWay[] = relyingParty.id === undefined ? ['password', 'email_code'] : ['password', 'passkey', 'email_code']
  const ofOwn = account && connectionId === undefined ? own : []
  const isTrialFull = !found && connections.length > 0 && (await hasNoRoom(checking, tenant.organisationId))
  const byConnection = connections.map(async (connection): Promise<CheckedWay> => {
    const facts = await readFacts(tenant, connection, { email, isKeptElsewhere })
    const following = account ?? newAccountIn(organisation)
    const findings = stepsOfConnection(connection, facts, following, { ...circumstances, isTrialFull })
    return { way: 'connection', connectionId: connection.id, findings }
  })
  return [
    ...ofOwn.map((way): CheckedWay => ({ way, connectionId: null, findings: stepsOf(way, account as AccountToCheck, circumstances) })),
    ...(await Promise.all(byConnection)),
  ]
}

async function circumstancesOf(checking: SignInChecking, email: string, account: AccountToCheck | undefined): Promise<Circumstances> {
  const { database, limits } = checking
  const now = database.clock.now()
  const requirement = await findSsoRequirement(checking, email)
  if (!account) return { now, requirement, lockedUntil: undefined, codesRefusedUntil: undefined, passwordIsBreached: false }
  const { codesRefusedUntil } = account
  return {
    now,
    requirement,
    lockedUntil: (await limits.signInByAccount.fullUntil(email)) ?? (wasLockedBefore(account, now) ? account.lockedUntil : undefined),
    codesRefusedUntil: areCodesRefused(codesRefusedUntil, now) ? codesRefusedUntil : await limits.codeByUser.fullUntil(account.id),
    passwordIsBreached: wasToBeReplaced(checking, account),
  }
}

/** Reads the facts that decide the identity of an address's owner at an identity provider that accepts them and proves the address. */
async function readFacts(
  tenant: Tenant,
  connection: ConnectionToCheck,
  { email, isKeptElsewhere }: { email: string; isKeptElsewhere: boolean },
) {
  const [holder, invitation, domains] = await Promise.all([
    findHolderAmong(tenant, email),
    findInvitationTo(tenant, email),
    verifiedDomainsOf(tenant),
  ])
  return factsOf(connection, {
    identity: { email, emailIsProven: true, emailIsRelay: false },
    identityOf: connection.isLinked ? holder : undefined,
    linkTo: undefined,
    isConfirmed: false,
    holder,
    holderExceedsVoucher: holder !== undefined && !connection.isLinked && (await exceedsVoucher(tenant, connection, holder.id)),
    isKeptElsewhere,
    invitationId: invitation?.id,
    invitationExceedsVoucher:
      holder === undefined && invitation !== undefined && (await invitationExceedsVoucher(tenant, connection, invitation.id)),
    domains,
  })
}

/** Whether a trial organisation has reached its limit of users. */
async function hasNoRoom({ database, trialMaxUsers }: SignInChecking, organisationId: string): Promise<boolean> {
  try {
    await database.transaction(organisationId, (tenant) => checkTrialLimit(tenant, trialMaxUsers))
    return false
  } catch (error) {
    if (error instanceof Problem && error.code === trialLimitReached.code) return true
    throw error
  }
}

/**
 * Records the check. The entry for a user names the user; that for any other
 * address names none: the organisation may have nothing to do with it.
 */
async function recordCheck(
  database: Database,
  { organisationId, actor }: Asking,
  { organisation, found, allowed }: { organisation: Organisation; found: AccountToCheck | undefined; allowed: boolean },
  { clientId, connectionId }: AskedSignInCheck,
): Promise<void> {
  const metadata = { allowed, ...(clientId !== undefined && { clientId }), ...(connectionId !== undefined && { connectionId }) }
  await database.transaction(organisationId, async (tenant) => {
    if (!found) {
      await record(tenant, actor, { action: 'sign_in.unknown_checked', organisation: presentOrganisation(organisation), metadata })
      return
    }
    const { id, email, name } = found
    await record(tenant, actor, { action: 'sign_in.checked', user: { id, email, name }, metadata })
  })
}
