import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decideIdentity, type IdentityDecision, type IdentityFacts, type IdentityRefusal, type KnownUser } from './decide-identity.ts'

const organisationId = 'org_own'
const connectionId = 'con_own'

// Few ids, so that the users of one case are often the same one.
const users: fc.Arbitrary<KnownUser> = fc
  .record({
    id: fc.constantFrom('usr_a', 'usr_b', 'usr_owner'),
    organisationId: fc.constantFrom(organisationId, organisationId, 'org_other'),
    isBlocked: fc.boolean(),
    isDeleted: fc.boolean(),
    emailIsVerified: fc.boolean(),
    requiredConnectionId: fc.constantFrom(undefined, undefined, connectionId, 'con_other'),
  })
  .map((user) => ({ ...user, isOwner: user.id === 'usr_owner' }))

const facts: fc.Arbitrary<IdentityFacts> = fc.record({
  isUsable: fc.constantFrom(true, true, true, false),
  organisationId: fc.constant(organisationId),
  connectionId: fc.constant(connectionId),
  linking: fc.constantFrom(null, 'none', 'confirm', 'automatic'),
  provisioning: fc.constantFrom('none', 'jit'),
  allowedDomains: fc.constantFrom([], ['*'], ['example.com'], ['other.example']),
  identityOf: fc.option(users, { nil: undefined }),
  linkTo: fc.option(users, { nil: undefined }),
  isConfirmed: fc.boolean(),
  email: fc.constantFrom(undefined, 'ada@example.com'),
  emailIsProven: fc.boolean(),
  emailIsRelay: fc.boolean(),
  emailDomain: fc.constantFrom('connection', 'organisation', 'other'),
  requiredConnectionId: fc.constantFrom(undefined, undefined, connectionId, 'con_other'),
  holder: fc.option(users, { nil: undefined }),
  holderExceedsVoucher: fc.boolean(),
  isKeptElsewhere: fc.boolean(),
  invitationId: fc.constantFrom(undefined, 'inv_1'),
  invitationExceedsVoucher: fc.boolean(),
})

const holds = (property: (facts: IdentityFacts, decision: IdentityDecision) => boolean) =>
  fc.assert(
    fc.property(facts, (given) => property(given, decideIdentity(given))),
    { numRuns: 5_000 },
  )

const userOf = (decision: IdentityDecision) => ('userId' in decision ? decision.userId : undefined)
const named = ({ identityOf, linkTo, holder }: IdentityFacts, id: string | undefined) =>
  [identityOf, linkTo, holder].filter((user) => user?.id === id)

describe('who an upstream identity is', () => {
  it('is no user whose address the connection has not proven, but by an identity that exists or by linking while signed in', () => {
    holds((given, decision) => {
      if (decision.kind === 'refuse' || given.emailIsProven) return true
      return userOf(decision) === given.identityOf?.id || (given.identityOf === undefined && userOf(decision) === given.linkTo?.id)
    })
  })

  it('is the owner only by an identity that exists or by linking while signed in', () => {
    holds((given, decision) => {
      if (userOf(decision) !== 'usr_owner') return true
      return given.identityOf?.id === 'usr_owner' || given.linkTo?.id === 'usr_owner'
    })
  })

  it('is no user found by an address that the provider made up', () => {
    holds((given, decision) => {
      if (!given.emailIsRelay || userOf(decision) === undefined) return true
      return given.identityOf !== undefined || given.linkTo !== undefined
    })
  })

  it('is never a user of another organisation, nor one who is blocked or deleted', () => {
    holds((given, decision) => {
      const id = userOf(decision)
      if (id === undefined) return true
      const deciding = given.identityOf ?? given.linkTo ?? given.holder
      return deciding?.id === id && deciding.organisationId === organisationId && !deciding.isBlocked && !deciding.isDeleted
    })
  })

  it('is no user once the connection cannot be used', () => {
    holds((given, decision) => given.isUsable || (decision.kind === 'refuse' && decision.refusal === 'connection_unusable'))
  })

  it('is never found by the address when the identity exists', () => {
    holds((given, decision) => given.identityOf === undefined || decision.kind === 'known' || decision.kind === 'refuse')
  })

  it('is a new user only where no user has the address and its domain is the organisation’s own or allowed', () => {
    holds((given, decision) => {
      if (decision.kind !== 'create') return true
      const isAllowed = given.allowedDomains.some((domain) => domain === '*' || domain === 'example.com')
      return (
        given.emailIsProven && given.holder === undefined && given.provisioning === 'jit' && (given.emailDomain !== 'other' || isAllowed)
      )
    })
  })

  it('is a user who has confirmed it only where their address would still lead to them', () => {
    holds((given, decision) => {
      if (decision.kind !== 'link' || !given.linkTo || !given.isConfirmed) return true
      const found = decideIdentity({ ...given, linkTo: undefined, isConfirmed: false })
      return userOf(found) === given.linkTo.id && !decision.removesCredentials
    })
  })

  it('comes by an invitation only with a proven address that no user has', () => {
    holds((given, decision) => decision.kind !== 'accept_invitation' || (given.emailIsProven && given.holder === undefined))
  })

  it('comes by no invitation that gives more than who vouches for the connection holds, unless its domain requires that one', () => {
    holds((given, decision) => {
      if (decision.kind !== 'accept_invitation' || !given.invitationExceedsVoucher) return true
      return given.requiredConnectionId === connectionId
    })
  })

  it('takes an account whose address is unproven only by the domain, and nothing that was set up before survives', () => {
    holds((given, decision) => {
      if (decision.kind !== 'link' || given.linkTo) return true
      const [holder] = named(given, decision.userId)
      if (holder?.emailIsVerified) return !decision.removesCredentials
      return decision.removesCredentials && given.emailDomain === 'connection'
    })
  })

  it('takes no account at once that holds more than who vouches for the connection, unless its domain requires that one', () => {
    holds((given, decision) => {
      if (decision.kind !== 'link' || given.linkTo || !given.holderExceedsVoucher) return true
      return given.holder?.requiredConnectionId === connectionId
    })
  })

  it('is no user who has to sign in by another connection, whatever is linked, asked or invited', () => {
    holds((given, decision) => {
      if (decision.kind === 'refuse') {
        return decision.refusal !== 'sso_required' || decision.requiredConnectionId === 'con_other'
      }
      const user = given.identityOf ?? given.linkTo ?? given.holder ?? given
      return user.requiredConnectionId === undefined || user.requiredConnectionId === connectionId
    })
  })

  it('is the same refusal for an address of another organisation and one that a deleted account reserves', () => {
    holds((given) => {
      const holder = { ...(given.holder ?? ada) }
      const sameAsOfOther = [
        { ...holder, organisationId: 'org_other' },
        { ...holder, organisationId, isDeleted: true },
      ].map((one) => decideIdentity({ ...given, identityOf: undefined, linkTo: undefined, holder: one }))
      return JSON.stringify(sameAsOfOther[0]) === JSON.stringify(sameAsOfOther[1])
    })
  })
})

const ada: KnownUser = {
  id: 'usr_a',
  organisationId,
  isOwner: false,
  isBlocked: false,
  isDeleted: false,
  emailIsVerified: true,
  requiredConnectionId: undefined,
}

const signIn: IdentityFacts = {
  isUsable: true,
  organisationId,
  connectionId,
  linking: null,
  provisioning: 'none',
  allowedDomains: [],
  identityOf: undefined,
  linkTo: undefined,
  isConfirmed: false,
  email: 'ada@example.com',
  emailIsProven: true,
  emailIsRelay: false,
  emailDomain: 'other',
  requiredConnectionId: undefined,
  holder: undefined,
  holderExceedsVoucher: false,
  isKeptElsewhere: false,
  invitationId: undefined,
  invitationExceedsVoucher: false,
}

const confirmed: Partial<IdentityFacts> = { linkTo: ada, isConfirmed: true, holder: ada }

describe('an upstream identity', () => {
  it.each<[string, Partial<IdentityFacts>, IdentityDecision]>([
    ['known', { identityOf: ada, email: undefined }, { kind: 'known', userId: 'usr_a' }],
    ['known, of a deleted user', { identityOf: { ...ada, isDeleted: true } }, refusedAs('address_unusable')],
    ['known, of a blocked user', { identityOf: { ...ada, isBlocked: true } }, refusedAs('user_blocked')],
    ['known, being linked again by its user', { identityOf: ada, linkTo: ada }, { kind: 'known', userId: 'usr_a' }],
    ['of another user, being linked', { identityOf: { ...ada, id: 'usr_b' }, linkTo: ada }, refusedAs('linked_to_another_user')],
    [
      'being linked by the owner, without an address',
      { linkTo: { ...ada, isOwner: true }, email: undefined, emailIsProven: false },
      { kind: 'link', userId: 'usr_a', removesCredentials: false },
    ],
    ['being confirmed', { linkTo: ada, isConfirmed: true, holder: ada }, { kind: 'link', userId: 'usr_a', removesCredentials: false }],
    ['being confirmed, with an address that is not proven', { ...confirmed, emailIsProven: false }, refusedAs('no_verified_address')],
    [
      'being confirmed, with an address that is another user’s',
      { ...confirmed, holder: { ...ada, id: 'usr_b' } },
      refusedAs('address_unusable'),
    ],
    ['being confirmed, where linking is off', { ...confirmed, linking: 'none' }, refusedAs('link_while_signed_in')],
    [
      'being confirmed by a user who has become the owner',
      { ...confirmed, linkTo: { ...ada, isOwner: true }, holder: { ...ada, isOwner: true } },
      refusedAs('link_while_signed_in'),
    ],
    ['with the address of the owner', { holder: { ...ada, isOwner: true }, linking: 'automatic' }, refusedAs('link_while_signed_in')],
    [
      'to be confirmed, by a user who cannot sign in otherwise',
      { holder: { ...ada, requiredConnectionId: connectionId }, emailDomain: 'connection', linking: 'confirm' },
      { kind: 'link', userId: 'usr_a', removesCredentials: false },
    ],
    [
      'to be confirmed, by a user who can',
      { holder: ada, emailDomain: 'connection', linking: 'confirm' },
      { kind: 'confirm', userId: 'usr_a' },
    ],
    [
      'with an address of the assigned domain',
      { holder: ada, emailDomain: 'connection' },
      { kind: 'link', userId: 'usr_a', removesCredentials: false },
    ],
    [
      'with the address of a user who holds more than who vouches for the connection',
      { holder: ada, linking: 'automatic', holderExceedsVoucher: true },
      { kind: 'confirm', userId: 'usr_a' },
    ],
    [
      'with the address of such a user, who cannot sign in otherwise',
      { holder: { ...ada, requiredConnectionId: connectionId }, emailDomain: 'connection', holderExceedsVoucher: true },
      { kind: 'link', userId: 'usr_a', removesCredentials: false },
    ],
    ['with another address of a user', { holder: ada, emailDomain: 'organisation' }, { kind: 'confirm', userId: 'usr_a' }],
    [
      'with an address that the provider made up',
      { holder: ada, linking: 'automatic', emailIsRelay: true },
      refusedAs('link_while_signed_in'),
    ],
    ['where linking is off', { holder: ada, linking: 'none' }, refusedAs('link_while_signed_in')],
    [
      'with an address that the account has not proven, although linking is automatic',
      { holder: { ...ada, emailIsVerified: false }, linking: 'automatic' },
      { kind: 'confirm', userId: 'usr_a' },
    ],
    ['with an invited address', { invitationId: 'inv_1', provisioning: 'jit' }, { kind: 'accept_invitation', invitationId: 'inv_1' }],
    [
      'with an invited address, where the invitation gives more than who vouches for the connection holds',
      { invitationId: 'inv_1', invitationExceedsVoucher: true, provisioning: 'jit', allowedDomains: ['*'] },
      refusedAs('invitation_by_mail'),
    ],
    [
      'with such an invited address, whose user cannot sign in otherwise',
      { invitationId: 'inv_1', invitationExceedsVoucher: true, requiredConnectionId: connectionId },
      { kind: 'accept_invitation', invitationId: 'inv_1' },
    ],
    ['with a new address of a verified domain', { provisioning: 'jit', emailDomain: 'organisation' }, { kind: 'create' }],
    ['with a new address of an allowed domain', { provisioning: 'jit', allowedDomains: ['example.com'] }, { kind: 'create' }],
    ['with a new address of any other domain', { provisioning: 'jit', allowedDomains: ['ample.com'] }, refusedAs('no_account')],
    [
      'known, of a user whom another connection has to sign in',
      { identityOf: { ...ada, requiredConnectionId: 'con_other' } },
      { kind: 'refuse', refusal: 'sso_required', requiredConnectionId: 'con_other' },
    ],
    [
      'with an invited address of a domain that another connection has to sign in',
      { invitationId: 'inv_1', requiredConnectionId: 'con_other' },
      { kind: 'refuse', refusal: 'sso_required', requiredConnectionId: 'con_other' },
    ],
    ['with a new address where no user is created', { emailDomain: 'organisation' }, refusedAs('no_account')],
  ])('%s', (_name, changes, decision) => {
    expect(decideIdentity({ ...signIn, ...changes })).toEqual(decision)
  })
})

function refusedAs(refusal: Exclude<IdentityRefusal, 'sso_required'>): IdentityDecision {
  return { kind: 'refuse', refusal }
}
