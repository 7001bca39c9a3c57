import { type RawBuilder, sql } from 'kysely'
import { mfaMethods } from '../access/factors.ts'
import type { SignInPolicy } from '../access/rules.ts'
import type { Organisation } from '../organisations/present-organisation.ts'
import { signInPolicyOf } from '../organisations/rules.ts'
import { counted } from '../platform/text.ts'
import type { Effect } from './effects.ts'

type Condition = RawBuilder<unknown>

const hasPassword = sql`u.password_hash is not null`
const hasPasskey = sql`held.user_id is not null`
const hasPasskeyThatSignsIn = sql`coalesce(held.signs_in, false)`
const hasFactorOf = (methods: readonly string[]) => sql`coalesce(factors.methods && ${methods}::text[], false)`
/** The user has a linked account, which signs them in as a password does. */
const hasLinkedAccount = sql`linked.user_id is not null`
const hasBackupCode = sql`codes.user_id is not null`

/** The settings that decide how a user signs in. */
interface Rules {
  policy: SignInPolicy
  requireMfa: boolean
  ownerId: string | null
}

const rulesOf = ({ signInPolicy, requireMfa, ownerId }: Organisation): Rules => ({
  policy: signInPolicyOf(signInPolicy),
  requireMfa,
  ownerId,
})

const signsInByPasskey = ({ policy }: Rules) => sql`(${policy.passkeys !== 'off'}::boolean and ${hasPasskeyThatSignsIn})`

/** A passkey alone suffices although two factors are required. */
const passkeySuffices = (rules: Rules) => sql`(${rules.policy.passkeySatisfiesMfa}::boolean and ${signsInByPasskey(rules)})`

/**
 * Whether a user can sign in.
 *
 * @param password whether the user has a password: `true` assumes one that a mailed link sets
 */
function canSignIn(rules: Rules, password: Condition): Condition {
  const { policy, ownerId } = rules
  const isPasswordAllowed = sql`(${policy.password === 'allowed'}::boolean or u.id = ${ownerId ?? ''})`
  const withoutPasskey = sql`(${policy.emailCode === 'allowed'}::boolean or ${hasLinkedAccount} or (${isPasswordAllowed} and ${password}))`
  const byPasskey = signsInByPasskey(rules)
  const passkeyFollows = sql`(${policy.passkeys !== 'off'}::boolean and ${hasPasskey} and ${hasFactorOf(['passkey'])})`
  const anotherFollows = sql`(${hasFactorOf(mfaMethods.filter((method) => method !== 'passkey'))} or ${hasBackupCode})`
  // This follows the order of `decideNextStep`. A passkey is no second factor after a passkey.
  return sql`case when u.mfa_enabled
    then ${passkeySuffices(rules)} or (${withoutPasskey} and ${passkeyFollows}) or ((${withoutPasskey} or ${byPasskey}) and ${anotherFollows})
    else ${withoutPasskey} or ${byPasskey} end`
}

const needsPassword = (rules: Rules) => sql`(${canSignIn(rules, sql`true`)} and not ${canSignIn(rules, hasPassword)})`
const lacksPasskey = ({ policy }: Rules) => sql`(${policy.passkeys === 'required'}::boolean and not ${hasPasskeyThatSignsIn})`
const mustEnrol = (rules: Rules) => sql`(${rules.requireMfa}::boolean and not u.mfa_enabled and not ${passkeySuffices(rules)})`

/** Users for whom a condition holds by these rules but not by the others. */
const onlyBy = (rules: Rules, others: Rules, condition: (rules: Rules) => Condition) =>
  sql`(${condition(rules)} and not ${condition(others)})`

const details = {
  'must-enrol': '{users} must enrol a second factor at their next sign-in',
  'need-not-enrol': '{users} without a second factor can sign in without one',
  'no-phone-for-sms': 'No telephone number is on record for {users} who must enrol, and SMS is the only method',
  'factors-stay': 'A method that can no longer be enrolled is the second factor of {users}, and still serves to sign in',
  'cannot-sign-in': '{users} can no longer sign in: they have no passkey that works, and nothing else that is allowed',
  'can-sign-in-again': '{users} who cannot sign in now can do so again',
  'must-set-password': '{users} without a password must set one by a mailed link to sign in',
  'must-register-passkey': '{users} without a passkey must register one at their next sign-in',
  'need-no-passkey': '{users} without a passkey can sign in without one',
  'passkeys-stop': 'The passkeys of {users} stop working at once, and stay stored',
  'passkeys-work-again': 'The stored passkeys of {users} work again',
  'second-factor-too': 'A sign-in by a passkey asks {users} for their second factor, too',
  'passkey-suffices': 'A passkey alone signs {users} in, without their second factor',
} as const satisfies Partial<Record<Effect['effect'], string>>

const effectOn = (field: string, effect: keyof typeof details, ofUsers: Condition): Effect => ({
  field,
  effect,
  figures: {},
  ofUsers,
  detail: ({ users }) => details[effect].replace('{users}', counted(users, 'user')),
})

export function* effectsOnFactors(before: Organisation, after: Organisation): Generator<Effect> {
  const onlySms = after.allowedMfaMethods.join() === 'sms'
  if (after.requireMfa !== before.requireMfa) {
    const required = rulesOf(after.requireMfa ? after : before)
    yield effectOn('requireMfa', after.requireMfa ? 'must-enrol' : 'need-not-enrol', mustEnrol(required))
  }
  if (after.requireMfa && onlySms && !(before.requireMfa && before.allowedMfaMethods.join() === 'sms')) {
    const field = before.requireMfa ? 'allowedMfaMethods' : 'requireMfa'
    yield effectOn(field, 'no-phone-for-sms', sql`${mustEnrol(rulesOf(after))} and u.phone is null`)
  }
  const withdrawn = before.allowedMfaMethods.filter((method) => !after.allowedMfaMethods.includes(method))
  if (withdrawn.length > 0) yield effectOn('allowedMfaMethods', 'factors-stay', hasFactorOf(withdrawn))
}

export function* effectsOnSignIn(before: Organisation, after: Organisation): Generator<Effect> {
  const [former, next] = [rulesOf(before), rulesOf(after)]
  const members = Object.keys(next.policy) as (keyof SignInPolicy)[]
  const [first, ...others] = members.filter((member) => next.policy[member] !== former.policy[member])
  if (!first) return
  const changed = [first, ...others]
  const ifAny = (effect: Effect): Effect => ({ ...effect, isLeftOutForNobody: true })
  const mayReach = (rules: Rules) => canSignIn(rules, sql`true`)
  const { password, passkeys, emailCode } = next.policy

  const isClosing =
    (changed.includes('password') && password === 'disabled') ||
    (changed.includes('passkeys') && passkeys === 'off') ||
    (changed.includes('emailCode') && emailCode === 'off')
  const lost = effectOn(`signInPolicy.${first}`, 'cannot-sign-in', onlyBy(former, next, mayReach))
  yield isClosing ? lost : ifAny(lost)
  yield ifAny(effectOn(`signInPolicy.${first}`, 'can-sign-in-again', onlyBy(next, former, mayReach)))
  yield ifAny(effectOn(`signInPolicy.${first}`, 'must-set-password', onlyBy(next, former, needsPassword)))
  if (changed.includes('passkeys')) {
    const field = 'signInPolicy.passkeys'
    if (passkeys === 'required') yield effectOn(field, 'must-register-passkey', sql`(${lacksPasskey(next)} and ${mayReach(next)})`)
    if (former.policy.passkeys === 'required') yield effectOn(field, 'need-no-passkey', lacksPasskey(former))
    if (passkeys === 'off') yield effectOn(field, 'passkeys-stop', hasPasskey)
    if (former.policy.passkeys === 'off') yield effectOn(field, 'passkeys-work-again', hasPasskey)
  }
  if (changed.includes('passkeySatisfiesMfa') && passkeys !== 'off') {
    const effect = next.policy.passkeySatisfiesMfa ? 'passkey-suffices' : 'second-factor-too'
    yield effectOn('signInPolicy.passkeySatisfiesMfa', effect, sql`(u.mfa_enabled and ${hasPasskeyThatSignsIn})`)
  }
  // The effects of `requireMfa` itself are reported above.
  if (next.requireMfa && former.requireMfa) {
    yield ifAny(effectOn(`signInPolicy.${first}`, 'must-enrol', onlyBy(next, former, mustEnrol)))
    yield ifAny(effectOn(`signInPolicy.${first}`, 'need-not-enrol', onlyBy(former, next, mustEnrol)))
  }
}
