import type { Said } from '../../shared/checks/said.ts'
import { type FactorName, factors, firstFactorOf } from '../access/factors.ts'
import { decideIdentity, type IdentityDecision, type IdentityFacts } from '../connections/decide-identity.ts'
import { isUsable } from '../connections/federation/rules.ts'
import { presentCheck } from '../connections/present-connection.ts'
import { endedMetadata } from '../connections/saml-settings.ts'
import { signInPolicyOf } from '../organisations/rules.ts'
import type { OrganisationStatus } from '../platform/database/column-types.ts'
import { presentTime } from '../platform/http/fields.ts'
import { describeFactors, type ProvenFactor } from '../sessions/proven-factors.ts'
import type { AccountToCheck } from '../sign-in/queries.ts'
import {
  type DecidingAccount,
  decideNextStep,
  isClosedByDomain,
  type OwnWay,
  signInStateOf,
  whyClosed,
  whyForbidden,
} from '../sign-in/rules.ts'
import { methodsFor } from '../sign-in/start-session.ts'
import type { FindingCode } from './findings.ts'
import type { ConnectionToCheck } from './queries.ts'

/** The result of one step, with the values that its texts name. */
export interface Finding {
  code: FindingCode
  values?: Readonly<Record<string, string | Said>>
}

/** The current state that a sign-in depends on, other than the account. */
export interface Circumstances {
  now: Date
  /** The requirement of the address's domain. */
  requirement: { binds(user: AccountToCheck | undefined): boolean } | undefined
  /** The time until which sign-ins with the address are refused, after too many failures. */
  lockedUntil: Date | undefined
  /** The time until which codes of a second factor are refused. */
  codesRefusedUntil: Date | undefined
  /** Whether the operator requires a new password, since the old one is known from a data breach. */
  passwordIsBreached: boolean
}

/** Whether the organisation has an account with the address. */
export function accountStep(account: AccountToCheck | undefined): Finding {
  if (!account) return { code: 'no-account' }
  return account.deletedAt ? { code: 'account-deleted', values: { since: presentTime(account.deletedAt) } } : { code: 'account-found' }
}

/** Whether users of the organisation may sign in at all. */
export function organisationStep(organisationStatus: OrganisationStatus): Finding {
  const isSuspended = whyForbidden({ blockedAt: null, organisationStatus }) === 'organisation_suspended'
  return {
    code: organisationStatus === 'cancelled' ? 'organisation-cancelled' : isSuspended ? 'organisation-suspended' : 'organisation-running',
  }
}

/** Whether the user is blocked, asked by itself: a sign-in to a suspended organisation does not come to it. */
export function blockStep({ blockedAt }: Pick<AccountToCheck, 'blockedAt'>, deactivatedBy: string | undefined): Finding {
  const isBlocked = whyForbidden({ blockedAt, organisationStatus: 'active' }) === 'user_blocked'
  return blockedAt && isBlocked ? blockedSince(presentTime(blockedAt), deactivatedBy) : { code: 'not-blocked' }
}

const blockedSince = (since: string, directory: string | undefined): Finding =>
  directory === undefined ? { code: 'user-blocked', values: { since } } : { code: 'deactivated-by-directory', values: { since, directory } }

const closed = {
  no_password_set: 'no-password-set',
  password_disabled: 'password-disabled',
  passkeys_off: 'passkeys-off',
  no_passkey: 'no-passkey',
  email_codes_off: 'email-codes-off',
} as const
const open = { password: 'password-set', passkey: 'passkey-registered', email_code: 'email-codes-allowed' } as const

/** The steps of a user who signs in by one of our own ways, and proves everything that is required. */
export function stepsOf(way: OwnWay, account: AccountToCheck, circumstances: Circumstances): Finding[] {
  const { requirement, lockedUntil } = circumstances
  const hasCredential = { password: account.passwordHash !== null, passkey: account.hasPasskey, email_code: true }[way]
  const reason = whyClosed(way, account, hasCredential)
  return [
    { code: isClosedByDomain(requirement, account) ? 'sso-required' : 'domain-open' },
    lockedUntil ? { code: 'account-locked', values: { until: presentTime(lockedUntil) } } : { code: 'not-locked' },
    { code: reason ? closed[reason] : open[way] },
    ...(reason ? [] : stepsAfter(firstFactor(way, account), account, circumstances)),
  ]
}

const firstFactor = (way: OwnWay, { signInPolicy }: AccountToCheck): FactorName =>
  way === 'passkey' ? firstFactorOf({ maySync: true }, signInPolicyOf(signInPolicy)) : way

/** The part of an account that decides the steps after the first factor. */
export type Following = DecidingAccount & Pick<AccountToCheck, 'mfaMethods' | 'signInPolicy' | 'hasBackupCodes'>

/** The account that a first sign-in creates. */
export const newAccountIn = ({
  requireMfa,
  passwordPolicy,
  signInPolicy,
}: Pick<Following, 'requireMfa' | 'passwordPolicy' | 'signInPolicy'>): Following => ({
  requireMfa,
  passwordPolicy,
  signInPolicy,
  mfaEnabled: false,
  mfaMethods: [],
  hasBackupCodes: false,
  passwordChangedAt: null,
  lacksPasskey: signInPolicyOf(signInPolicy).passkeys === 'required',
  mustProvePasskey: false,
})

/** The passkey of a decision that only asks whether there was one. */
const anyPasskey = 'any'

/** The steps after the first factor: the second one, a new password, and the enrolment. */
function stepsAfter(first: FactorName, account: Following, circumstances: Circumstances): Finding[] {
  const { now, codesRefusedUntil, passwordIsBreached } = circumstances
  const prove = (factor: FactorName): ProvenFactor => ({
    factor,
    provenAt: now,
    ...(factor.includes('passkey') && { passkeyId: anyPasskey }),
  })
  const state = signInStateOf(account, passwordIsBreached)
  const proven = [prove(first)]
  const isAsked = decideNextStep(state, describeFactors(proven), now) === 'second_factor'
  const methods = isAsked ? methodsFor(account, proven) : []
  // A passkey that the password alone must not replace leaves nothing to prove.
  if (isAsked) {
    proven.push(prove(account.mustProvePasskey ? firstFactorOf({ maySync: true }, signInPolicyOf(account.signInPolicy)) : 'backup_code'))
  }
  const next = decideNextStep(state, describeFactors(proven), now)
  const withAnyPassword = { ...state, passwordMaxAgeDays: undefined, passwordIsBreached: false }
  const afterPassword = decideNextStep(withAnyPassword, describeFactors(proven), now)
  return [
    secondFactorStep({
      isAsked,
      isFederated: first === 'federated_mfa',
      methods,
      hasBackupCodes: account.hasBackupCodes,
      codesRefusedUntil,
    }),
    ...('ages' in factors[first] ? [passwordStep(next === 'new_password', passwordIsBreached)] : []),
    {
      code: afterPassword !== 'enrolment' ? 'nothing-to-enrol' : account.lacksPasskey ? 'passkey-enrolment' : 'second-factor-enrolment',
    },
  ]
}

function secondFactorStep({
  isAsked,
  isFederated,
  methods,
  hasBackupCodes,
  codesRefusedUntil,
}: {
  isAsked: boolean
  isFederated: boolean
  methods: readonly string[]
  hasBackupCodes: boolean
  codesRefusedUntil: Date | undefined
}): Finding {
  if (!isAsked) return { code: isFederated ? 'second-factor-by-provider' : 'no-second-factor-asked' }
  // A passkey is accepted all the same.
  const open = codesRefusedUntil ? methods.filter((method) => method === 'passkey') : methods
  if (codesRefusedUntil && open.length === 0)
    return { code: 'second-factor-refused-until', values: { until: presentTime(codesRefusedUntil) } }
  const usable = open.length > 0 ? open : hasBackupCodes ? ['backup_code'] : []
  return usable.length > 0 ? { code: 'second-factor-asked', values: { methods: usable.join(', ') } } : { code: 'no-usable-second-factor' }
}

function passwordStep(isToBeReplaced: boolean, isBreached: boolean): Finding {
  if (!isToBeReplaced) return { code: 'password-current' }
  return { code: isBreached ? 'password-breached' : 'password-expired' }
}

/**
 * The steps of a user who signs in by a connection whose provider accepts them and proves the address.
 *
 * @param account the account that signs in, or would be created
 * @param isTrialFull whether a trial organisation has reached its limit of users
 */
export function stepsOfConnection(
  connection: ConnectionToCheck,
  facts: IdentityFacts,
  account: Following,
  { isTrialFull, ...circumstances }: Circumstances & { isTrialFull: boolean },
): Finding[] {
  const values = { connection: connection.name }
  const { trustsMfa } = connection
  const failing = failureOf(connection, circumstances.now)
  const factsIfOpen = asIfOpen(facts)
  const decision = decideIdentity(factsIfOpen)
  const identity = identityStep(decision, factsIfOpen, isTrialFull)
  return [
    // The organisation has a step of its own.
    !isUsable({ ...connection, organisationStatus: 'active' })
      ? { code: 'connection-inactive', values }
      : failing
        ? { code: 'connection-failing', values: { ...values, ...failing } }
        : { code: 'connection-usable', values },
    ...(identity ? [{ code: identity }] : []),
    ...(decision.kind === 'refuse'
      ? []
      : stepsAfter(trustsMfa ? 'federated_mfa' : 'federated', accountAfter(decision, account), circumstances)),
  ]
}

/** Block, organisation and the state of the connection have steps of their own: the identity is decided as if they were fine. */
const asIfOpen = (facts: IdentityFacts): IdentityFacts => ({
  ...facts,
  isUsable: true,
  identityOf: facts.identityOf && { ...facts.identityOf, isBlocked: false },
  holder: facts.holder && { ...facts.holder, isBlocked: false },
})

/**
 * The account after a decision. If its address was never proven, it loses every
 * factor by which its user, or the person who registered it, could sign in.
 */
const accountAfter = (decision: IdentityDecision, account: Following): Following =>
  decision.kind === 'link' && decision.removesCredentials ? newAccountIn(account) : account

function identityStep(decision: IdentityDecision, facts: IdentityFacts, isTrialFull: boolean): FindingCode | undefined {
  switch (decision.kind) {
    case 'known':
      return 'identity-linked'
    case 'link':
      return 'identity-links-at-once'
    case 'confirm': {
      const ifProven = facts.holder && decideIdentity({ ...facts, holder: { ...facts.holder, emailIsVerified: true } })
      return ifProven?.kind === 'link' ? 'address-unproven' : 'confirmation-asked'
    }
    case 'accept_invitation':
      return isTrialFull ? 'trial-limit-reached' : 'invitation-is-accepted'
    case 'create':
      return isTrialFull ? 'trial-limit-reached' : 'account-is-created'
    case 'refuse':
      return refused[decision.refusal]
  }
}

/** The findings of refusals. A refusal that another step reports, or that a proven address cannot have in a sign-in, has none. */
const refused = {
  connection_unusable: undefined,
  user_blocked: undefined,
  linked_to_another_user: undefined,
  no_verified_address: undefined,
  address_unusable: 'address-unusable',
  link_while_signed_in: 'link-while-signed-in',
  no_account: 'not-provisioned',
  invitation_by_mail: 'invitation-by-mail',
  sso_required: 'another-connection-required',
} as const

/** Since when a connection signs no user in, and why: what was seen, or what follows from its metadata although no user has tried since. */
function failureOf(connection: ConnectionToCheck, now: Date): Readonly<Record<string, string>> | undefined {
  const { failingSince, lastError, failedCheck } = connection
  if (failingSince) return { since: presentTime(failingSince), error: lastError ?? '', ...namedCheck(failedCheck) }
  const ended = connection.provider === 'saml' ? endedMetadata(connection, now) : undefined
  return (
    ended && {
      since: presentTime(ended.since),
      error: ended.refusal.message,
      ...namedCheck(ended.refusal.checks.find(({ passed }) => !passed)?.code ?? null),
    }
  )
}

/** The check that failed: its code, by which programs translate it, and its name in English. */
function namedCheck(code: string | null): Readonly<Record<string, string>> {
  const check = presentCheck(code)
  return check ? { check: check.code, checkName: check.name } : {}
}
