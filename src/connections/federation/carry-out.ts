import { isDeepStrictEqual } from 'node:util'
import type { UserCaller } from '../../access/caller.ts'
import { holdCaller } from '../../access/hold-caller.ts'
import { presentUser } from '../../accounts/present-user.ts'
import { getUser, isRegistered, lockUser, updateUser } from '../../accounts/queries.ts'
import type { Actor, Origin } from '../../activity/actor.ts'
import { changedFields, changesBetween } from '../../activity/changes.ts'
import { record } from '../../activity/record.ts'
import { verifiedDomainsOf } from '../../domains/queries.ts'
import { tellOfIdentity } from '../../identities/mails.ts'
import { presentIdentity } from '../../identities/present-identity.ts'
import { type IdentityToStore, insertIdentity, updateIdentity } from '../../identities/queries.ts'
import { acceptFor } from '../../invitations/accept-invitation.ts'
import { findInvitationTo } from '../../invitations/queries.ts'
import type { Recipient } from '../../mails/mail-to-user.ts'
import { isOwner } from '../../organisations/queries.ts'
import type { RelyingParty } from '../../passkeys/relying-party.ts'
import { markEmailVerified } from '../../passwords/verify-email.ts'
import type { Keyring } from '../../platform/crypto/keyring.ts'
import type { Tenant } from '../../platform/database/database.ts'
import { lockAddress } from '../../platform/database/locks-and-channels.ts'
import { Problem } from '../../platform/http/problem.ts'
import type { Language } from '../../platform/language.ts'
import { findDefaultRole } from '../../roles/queries.ts'
import type { ProvenFactor } from '../../sessions/proven-factors.ts'
import { sealIdToken } from '../../sessions/upstream-id-token.ts'
import { beginSignIn } from '../../sign-in/begin.ts'
import type { SignInOutcome } from '../../sign-in/outcome.ts'
import { findAccountOf } from '../../sign-in/queries.ts'
import { takeNextStep } from '../../sign-in/start-session.ts'
import { replaceTeamsFromSource } from '../../teams/teams-from-source.ts'
import { createUserRecord } from '../../users/create-user-record.ts'
import { replaceRolesFromSource } from '../../users/roles-from-source.ts'
import { decideIdentity, type IdentityDecision, type IdentityFacts, type IdentityRefusal } from '../decide-identity.ts'
import type { Connection } from '../queries.ts'
import type { UpstreamIdentity } from '../upstream/upstream.ts'
import { idsFrom, newPersonFrom, type Person, personIn } from './person.ts'
import {
  type ConnectionToUse,
  exceedsVoucher,
  findAddressHolder,
  findConnectionToUse,
  findHolderAmong,
  findIdentityUser,
  findKnownUser,
  holdConnection,
} from './queries.ts'
import { factsOf } from './rules.ts'
import type { Federation } from './start.ts'
import { takeAwayAccess } from './take-away-access.ts'

export interface CarryingOut extends Federation {
  trialMaxUsers: number
  relyingParty: RelyingParty
}

export type CarriedOut =
  | { kind: 'signed_in'; outcome: SignInOutcome; userId: string }
  | { kind: 'linked'; userId: string }
  /** The user has to sign in by a present way first. */
  | { kind: 'confirm'; userId: string }
  | (Refused & { userId?: string | undefined })

/** Why, and where to sign in instead where that is required. */
export type Refused = { kind: 'refused'; refusal: IdentityRefusal; requiredConnectionId?: string | undefined }

interface Arrival {
  connection: ConnectionToUse
  identity: UpstreamIdentity
  /** The signed-in user who asked to link it. */
  linkTo: UserCaller | undefined
  origin: Origin
  /** Of the browser, for mails. */
  language: Language | undefined
}

/** Something that the decision rests on has changed: it has to be made again. */
class DecidedTooEarly extends Error {}

const decisionsMax = 5

/**
 * Decides who an identity is and carries that out, in one transaction. When it meets another change (the same identity at the same
 * time, an address that is registered meanwhile), the decision is made again from the new state. A refusal and a question for
 * confirmation are decided again when the facts have changed: separate statements read them, so they may never have been true together.
 */
export async function carryOut(dependencies: CarryingOut, arrived: Arrival): Promise<CarriedOut> {
  const { database } = dependencies
  const { organisationId, id } = arrived.connection
  let arrival = arrived
  for (let made = 1; ; made++) {
    if (made > 1) {
      const connection = await findConnectionToUse(database, id)
      if (!connection || !provesTheSame(connection, arrived.connection)) return { kind: 'refused', refusal: 'connection_unusable' }
      arrival = { ...arrived, connection }
    }
    const facts = await readFacts(dependencies, arrival)
    try {
      const done = await database.transaction(organisationId, async (tenant): Promise<CarriedOut> => {
        const held = await holdConnection(tenant, id)
        if (!held) return { kind: 'refused', refusal: 'connection_unusable' }
        // The provider may have taken its time: what an administrator has changed since reaches a sign-in that is on its way.
        if (!isDeepStrictEqual(settingsIn(held), settingsIn(arrival.connection))) throw new DecidedTooEarly()
        const done = await carryOutIn(tenant, dependencies, arrival, facts)
        // After the user's row: whatever ends their sessions takes it first.
        if (done.kind === 'linked' && arrival.linkTo) await holdCaller(tenant, arrival.linkTo)
        return done
      })
      // The transaction of these has checked what they rest on.
      const isChecked = done.kind === 'signed_in' || done.kind === 'linked'
      if (isChecked || made === decisionsMax || isDeepStrictEqual(facts, await readFacts(dependencies, arrival))) return done
    } catch (error) {
      // Of the second, the next decision says where to sign in instead.
      const isProblem = error instanceof Problem && (error.code === 'email-taken' || error.code === 'sso-required')
      const isMade = error instanceof DecidedTooEarly || isProblem
      if (!isMade || made === decisionsMax) throw error
    }
  }
}

/** What of a connection a sign-in goes by. */
const settingsIn = ({ linking, provisioning, configuration, mapping, roleMappings, teamMappings, ...others }: Connection) => {
  const { syncOn, trustsMfa, mfaContexts, upstreamLogout, vouchedById } = others
  const mapped = [mapping, roleMappings, teamMappings, syncOn]
  return [vouchedById, linking, provisioning, configuration, mapped, trustsMfa, mfaContexts, upstreamLogout]
}

/** Whether who has come has been proven by what the connection is now: by the same provider, and in the same way. */
const provesTheSame = (now: Connection, before: Connection): boolean => isDeepStrictEqual(proofOf(now), proofOf(before))

function proofOf({ configuration, mapping }: Connection) {
  const { issuer, clientId, tenant, host, emailTrust, allowedHostedDomains, allowedTenants } = configuration
  return [issuer, clientId, tenant, host, emailTrust, allowedHostedDomains, allowedTenants, mapping.email]
}

/** All that the decision rests on. */
export async function readFacts({ database }: Pick<CarryingOut, 'database'>, arrival: Arrival): Promise<IdentityFacts> {
  const { connection, identity, linkTo } = arrival
  const { organisationId } = connection
  const { email } = identity
  const [identityOf, holder, linkingUser, invitation, domains] = await Promise.all([
    findIdentityUser(database, connection, identity.subject),
    email === undefined ? undefined : findAddressHolder(database, email),
    linkTo === undefined ? undefined : findKnownUser(database.tenant(organisationId), linkTo.session.userId),
    email === undefined ? undefined : findInvitationTo(database.tenant(organisationId), email),
    verifiedDomainsOf(database.tenant(organisationId)),
  ])
  const isFoundByAddress = holder !== undefined && identityOf === undefined && linkTo === undefined
  const isNew = email !== undefined && identityOf === undefined && holder === undefined
  return factsOf(connection, {
    identity,
    identityOf,
    linkTo: linkingUser,
    holder,
    holderExceedsVoucher: isFoundByAddress && (await exceedsVoucher(database.tenant(organisationId), connection, holder.id)),
    isKeptElsewhere: isNew && (await isRegistered(database, email, organisationId)),
    invitationId: invitation?.id,
    domains,
  })
}

async function carryOutIn(tenant: Tenant, dependencies: CarryingOut, arrival: Arrival, facts: IdentityFacts): Promise<CarriedOut> {
  const { identity, origin } = arrival
  const decision = decideIdentity(facts)
  switch (decision.kind) {
    case 'refuse':
      return { ...decision, kind: 'refused', userId: whoWasRefused(facts) }
    case 'confirm':
      return decision
    case 'known':
      if (!(await updateIdentity(tenant, decision.userId, stored(arrival)))) throw new DecidedTooEarly()
      await synchronise(tenant, arrival, decision.userId, false)
      break
    case 'link':
      await holdUser(tenant, arrival.connection, decision.userId, facts)
      if (decision.removesCredentials) await removeCredentials(tenant, decision.userId, origin)
      await tellLinked(tenant, dependencies, arrival, await link(tenant, arrival, decision.userId))
      await synchronise(tenant, arrival, decision.userId, true)
      break
    case 'accept_invitation':
    case 'create': {
      const userId = await create(tenant, dependencies, arrival, decision)
      await link(tenant, arrival, userId)
      await synchronise(tenant, arrival, userId, true)
      return signIn(tenant, dependencies, arrival, userId)
    }
  }
  if (identity.emailIsProven && decision.kind === 'link' && arrival.linkTo === undefined)
    await verifyAddress(tenant, arrival, decision.userId)
  return arrival.linkTo === undefined ? signIn(tenant, dependencies, arrival, decision.userId) : { kind: 'linked', userId: decision.userId }
}

/** The user who did not sign in: known by the identity, or by an address that the connection has proven. */
function whoWasRefused({ organisationId, linkTo, identityOf, emailIsProven, holder }: IdentityFacts): string | undefined {
  const user = identityOf ?? (emailIsProven ? holder : undefined)
  return user && !linkTo && !user.isDeleted && user.organisationId === organisationId ? user.id : undefined
}

/**
 * Holds the user who is to get the identity, as they were when that was decided: they may have become the owner since, have another
 * address, or have proven theirs. Who vouches for the connection may have lost a permission that they have.
 *
 * @throws DecidedTooEarly when they are no longer so
 */
async function holdUser(tenant: Tenant, connection: Connection, userId: string, facts: IdentityFacts): Promise<void> {
  const { linkTo, holder, email, holderExceedsVoucher } = facts
  await lockUser(tenant, userId)
  const now = linkTo || email === undefined ? await findKnownUser(tenant, userId) : await findHolderAmong(tenant, email)
  if (!isDeepStrictEqual(now, linkTo ?? holder)) throw new DecidedTooEarly()
  const exceeds = !linkTo && (await exceedsVoucher(tenant, connection, userId, { holdsVoucher: true }))
  if (exceeds !== holderExceedsVoucher) throw new DecidedTooEarly()
}

const stored = ({ connection, identity }: Arrival): IdentityToStore => ({
  connectionId: connection.id,
  subject: identity.subject,
  email: identity.email,
  claims: storedClaims(identity),
})

const claimsMax = 16_384

/** Claims as they are stored: what a provider sends without measure is not. */
function storedClaims({ claims, subject }: UpstreamIdentity): UpstreamIdentity['claims'] {
  const text = JSON.stringify(claims)
  return text.length <= claimsMax && !unstorable.test(text) ? claims : { sub: subject }
}

/** What PostgreSQL does not take into JSON: zeroes, and halves of characters. */
const unstorable = /\\u(?:0000|d[89a-f])/i

/** Links the identity to a user, and records it. */
async function link(tenant: Tenant, arrival: Arrival, userId: string): Promise<Recipient> {
  const { subject } = arrival.identity
  const inserted = await insertIdentity(tenant, userId, stored(arrival))
  if (!inserted) throw new DecidedTooEarly()
  const user = await getUser(tenant, userId)
  const { id, email, name } = user
  await record(tenant, actorOf(user, arrival.origin), {
    action: 'identity.linked',
    identity: presentIdentity({ ...inserted, subject, connection: arrival.connection }),
    user: { id, email, name },
    metadata: { userId, connectionId: arrival.connection.id },
  })
  return user
}

/** Tells a user who had an account before. */
async function tellLinked(tenant: Tenant, dependencies: CarryingOut, arrival: Arrival, user: Recipient): Promise<void> {
  await tellOfIdentity(tenant, dependencies, 'identityLinked', { user, ...arrival })
}

const actorOf = ({ id, email, name }: { id: string; email: string; name: string }, origin: Origin): Actor => ({
  actorType: 'user',
  actorId: id,
  email,
  name,
  ...origin,
})

/** @throws Problem `conflict` when the address has been registered since, `forbidden` when the trial limit is reached */
async function create(
  tenant: Tenant,
  { trialMaxUsers }: CarryingOut,
  { connection, identity, origin }: Arrival,
  decision: Extract<IdentityDecision, { kind: 'create' | 'accept_invitation' }>,
): Promise<string> {
  const { email = '', claims } = identity
  const person = { ...newPersonFrom(claims, connection.mapping, email), passwordHash: null }
  if (decision.kind === 'accept_invitation') {
    const invitation = await findInvitationTo(tenant, email)
    const accepted =
      invitation &&
      (await acceptFor(tenant, invitation, person, { claim: { id: invitation.id }, isAddressProven: true, trialMaxUsers, origin }))
    if (!accepted) throw new DecidedTooEarly()
    return accepted.id
  }
  // An invitation that has been sent since is accepted instead; one that is being sent finds the user.
  await lockAddress(tenant, email)
  if (await findInvitationTo(tenant, email)) throw new DecidedTooEarly()
  const isMapped = idsFrom(claims, connection.roleMappings, ({ roleId }) => roleId).length > 0
  const defaultRole = isMapped ? undefined : await findDefaultRole(tenant)
  const created = await createUserRecord(
    tenant,
    { email, ...person, emailVerifiedAt: tenant.now },
    {
      roles: defaultRole ? [defaultRole] : [],
      teamIds: [],
      trialMaxUsers,
      history: (user) => ({ actor: actorOf(user, origin) }),
    },
  )
  return created.id
}

/** Names, phone number, roles and teams follow the claims: at the first sign-in, and at every one where the connection says so. */
async function synchronise(tenant: Tenant, { connection, identity, origin }: Arrival, userId: string, isFirst: boolean): Promise<void> {
  const { id, syncOn, mapping, roleMappings, teamMappings } = connection
  if (!isFirst && syncOn !== 'every_sign_in') return
  const { claims } = identity
  const source = `connection:${id}` as const
  // Nothing that a provider says reaches the owner's account.
  if (await isOwner(tenant, userId)) return
  const actor = actorOf(await getUser(tenant, userId), origin)
  if (syncOn === 'every_sign_in') await followPerson(tenant, actor, userId, personIn(claims, mapping))
  const roleIds = idsFrom(claims, roleMappings, ({ roleId }) => roleId)
  const teamIds = idsFrom(claims, teamMappings, ({ teamId }) => teamId)
  await replaceRolesFromSource(tenant, actor, userId, source, roleIds)
  await replaceTeamsFromSource(tenant, actor, userId, source, teamIds)
}

async function followPerson(tenant: Tenant, actor: Actor, userId: string, person: Partial<Person>): Promise<void> {
  const before = await getUser(tenant, userId)
  const changed = changedFields(before, person)
  if (!changed) return
  await updateUser(tenant, userId, changed)
  const after = presentUser(await getUser(tenant, userId))
  await record(tenant, actor, { action: 'user.updated', user: after, changes: changesBetween(presentUser(before), after) })
}

/**
 * Takes away all that leads into an account whose address was never proven: an attacker may have registered it, and expect the owner of
 * the address to use it.
 */
async function removeCredentials(tenant: Tenant, userId: string, origin: Origin): Promise<void> {
  // Not the user: the sessions that end may be an attacker's.
  const actor: Actor = { actorType: 'system', actorId: null, ...origin }
  await takeAwayAccess(tenant, actor, await getUser(tenant, userId), 'address not proven before')
}

async function verifyAddress(tenant: Tenant, { identity, origin }: Arrival, userId: string): Promise<void> {
  const user = await getUser(tenant, userId)
  if (user.emailVerifiedAt === null && user.email === identity.email) await markEmailVerified(tenant, origin, userId)
}

async function signIn(
  tenant: Tenant,
  dependencies: CarryingOut,
  { connection, identity, origin }: Arrival,
  userId: string,
): Promise<CarriedOut> {
  const account = await findAccountOf(tenant, userId, dependencies.relyingParty.id)
  const factors = [factorOf(tenant.now, dependencies.keyring, connection, identity)]
  const outcome =
    account && (await takeNextStep(tenant, dependencies, account, beginSignIn(origin, tenant.now), { factors, passwordHash: null }))
  // Blocked, deleted or suspended since: the next decision refuses it.
  if (!outcome) throw new DecidedTooEarly()
  return { kind: 'signed_in', outcome, userId }
}

/** What the sign-in at the identity provider proves to us: its second factor only where the connection trusts it. */
function factorOf(
  now: Date,
  keyring: Keyring,
  { id, trustsMfa, mfaContexts, upstreamLogout }: ConnectionToUse,
  identity: UpstreamIdentity,
): ProvenFactor {
  const { amr, acr, subject, sessionId, idToken = '' } = identity
  const isToSignOut = upstreamLogout && idToken !== '' && idToken.length <= idTokenMax
  const hasSecond = trustsMfa && (amr.includes('mfa') || (acr !== undefined && mfaContexts.includes(acr)))
  return {
    factor: hasSecond ? 'federated_mfa' : 'federated',
    provenAt: provenAtOf(now, identity),
    ...(identity.authTime === undefined && { isTimeAssumed: true }),
    ...(trustsMfa && { amr: amr.filter((method) => registeredMethods.has(method)) }),
    upstream: {
      connectionId: id,
      subject,
      ...(sessionId !== undefined && { sessionId }),
      ...(isToSignOut && { idTokenEncrypted: sealIdToken(keyring, id, idToken) }),
    },
  }
}

/** A sign-in of the last minute counts as one of now: clocks differ, and identity providers count in seconds. */
const skewMilliseconds = 60_000

/** When the user proved who they are at the identity provider: an old session there is no new sign-in here. */
export function provenAtOf(now: Date, { authTime, issuedAt }: Pick<UpstreamIdentity, 'authTime' | 'issuedAt'>): Date {
  const at = authTime ?? issuedAt ?? now
  return now.getTime() - at.getTime() <= skewMilliseconds ? now : at
}

/** A longer one would not fit into the address of a sign-out. */
const idTokenMax = 4_096

/** RFC 8176 §2, but `mfa`, which follows from the factors. */
const registeredMethods = new Set(
  [
    'face',
    'fpt',
    'geo',
    'hwk',
    'iris',
    'kba',
    'mca',
    'otp',
    'pin',
    'pop',
    'pwd',
    'rba',
    'retina',
    'sc',
    'sms',
    'swk',
    'tel',
    'user',
  ].concat('vbm', 'wia'),
)
