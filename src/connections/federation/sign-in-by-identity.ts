import { isDeepStrictEqual } from 'node:util'
import { holdCaller } from '../../access/hold-caller.ts'
import type { RelyingParty } from '../../passkeys/relying-party.ts'
import type { Database, Tenant } from '../../platform/database/database.ts'
import { Problem } from '../../platform/http/problem.ts'
import { beginSignIn } from '../../sign-in/begin.ts'
import { findAccountOf } from '../../sign-in/queries.ts'
import { takeNextStep } from '../../sign-in/start-session.ts'
import { decideIdentity, type IdentityFacts } from '../decide-identity.ts'
import { proofOf, stillProves } from '../proof.ts'
import type { Connection } from '../queries.ts'
import { createAccount } from './create-account.ts'
import type { FederatedOutcome, FederatedSignIn } from './federated-sign-in.ts'
import { linkAccount, linkKnownUser, refreshIdentity, verifyAddress } from './link-account.ts'
import { findConnectionToUse, holdConnection } from './queries.ts'
import { readFacts } from './read-facts.ts'
import { retryWhenStale, StaleDecision } from './retry-when-stale.ts'
import type { Federation } from './start.ts'
import { synchronise } from './synchronise.ts'
import { upstreamFactorOf } from './upstream-factor.ts'

export interface FederatedSignInDependencies extends Federation {
  trialMaxUsers: number
  relyingParty: RelyingParty
}

/**
 * Signs a user in with an identity, or links it to the user who requested that: decides who the identity is and carries that out, in
 * one transaction. When it meets another change (the same identity at the same time, an address that is registered meanwhile), the
 * decision is made again from the new state. A refusal and a question for confirmation are decided again when the facts have changed:
 * separate statements read them, so they may never have been true together.
 */
export async function signInByIdentity(dependencies: FederatedSignInDependencies, signIn: FederatedSignIn): Promise<FederatedOutcome> {
  const { database } = dependencies
  return retryWhenStale(restsOnWhatChanged, async ({ isFirst, isLast }) => {
    const current = isFirst ? signIn : await withConnectionOfNow(database, signIn)
    if (!current) return { kind: 'refused', refusal: 'connection_unusable' }
    const facts = await readFacts(database, current)
    const done = await database.transaction(current.connection.organisationId, (tenant) =>
      decideHolding(tenant, dependencies, current, facts),
    )
    // For these outcomes, the transaction has checked the facts.
    const isChecked = done.kind === 'signed_in' || done.kind === 'linked'
    if (!isChecked && !isLast && !isDeepStrictEqual(facts, await readFacts(database, current))) throw new StaleDecision()
    return done
  })
}

/** If the address now requires another way to sign in, the next decision says which. */
export const restsOnWhatChanged = (error: unknown): boolean =>
  error instanceof StaleDecision || (error instanceof Problem && (error.code === 'email-taken' || error.code === 'sso-required'))

/** @returns undefined when the connection can no longer be used, or no longer proves the identity */
async function withConnectionOfNow(database: Database, signIn: FederatedSignIn): Promise<FederatedSignIn | undefined> {
  const connection = await findConnectionToUse(database, signIn.connection.id)
  const isProven = connection && stillProves(connection, signIn.identity, proofOf(signIn.connection))
  return isProven ? { ...signIn, connection } : undefined
}

/** Decides and carries out while the connection is locked, unchanged since the facts were read. */
async function decideHolding(
  tenant: Tenant,
  dependencies: FederatedSignInDependencies,
  signIn: FederatedSignIn,
  facts: IdentityFacts,
): Promise<FederatedOutcome> {
  const held = await holdConnection(tenant, signIn.connection.id)
  if (!held) return { kind: 'refused', refusal: 'connection_unusable' }
  // The provider may have been slow: changes that an administrator has made since apply to a sign-in in progress.
  if (!isDeepStrictEqual(settingsIn(held), settingsIn(signIn.connection))) throw new StaleDecision()
  const done = await decideAndCarryOut(tenant, dependencies, signIn, facts)
  // After the user's row: whatever ends their sessions locks it first.
  if (done.kind === 'linked' && signIn.linkTo) await holdCaller(tenant, signIn.linkTo)
  return done
}

async function decideAndCarryOut(
  tenant: Tenant,
  dependencies: FederatedSignInDependencies,
  signIn: FederatedSignIn,
  facts: IdentityFacts,
): Promise<FederatedOutcome> {
  const decision = decideIdentity(facts)
  switch (decision.kind) {
    case 'refuse':
      return { ...decision, kind: 'refused', userId: whoWasRefused(facts) }
    case 'confirm':
      return decision
    case 'known':
      await refreshIdentity(tenant, signIn, decision.userId)
      await synchronise(tenant, signIn, decision.userId, false)
      return signedInOrLinked(tenant, dependencies, signIn, decision.userId)
    case 'link':
      await linkKnownUser(tenant, dependencies, signIn, decision, facts)
      await synchronise(tenant, signIn, decision.userId, true)
      if (signIn.linkTo === undefined) await verifyAddress(tenant, signIn, decision.userId)
      return signedInOrLinked(tenant, dependencies, signIn, decision.userId)
    case 'accept_invitation':
    case 'create': {
      const userId = await createAccount(tenant, dependencies.trialMaxUsers, signIn, decision, facts)
      await linkAccount(tenant, signIn, userId)
      await synchronise(tenant, signIn, userId, true)
      return beginSession(tenant, dependencies, signIn, userId)
    }
  }
}

const signedInOrLinked = async (
  tenant: Tenant,
  dependencies: FederatedSignInDependencies,
  signIn: FederatedSignIn,
  userId: string,
): Promise<FederatedOutcome> =>
  signIn.linkTo === undefined ? beginSession(tenant, dependencies, signIn, userId) : { kind: 'linked', userId }

async function beginSession(
  tenant: Tenant,
  dependencies: FederatedSignInDependencies,
  { connection, identity, origin }: FederatedSignIn,
  userId: string,
): Promise<FederatedOutcome> {
  const account = await findAccountOf(tenant, userId, dependencies.relyingParty.id)
  const factors = [upstreamFactorOf(tenant.now, dependencies.keyring, connection, identity)]
  const outcome =
    account && (await takeNextStep(tenant, dependencies, account, beginSignIn(origin, tenant.now), { factors, passwordHash: null }))
  // The user was blocked, deleted or suspended meanwhile: the next decision refuses.
  if (!outcome) throw new StaleDecision()
  return { kind: 'signed_in', outcome, userId }
}

/** The user who did not sign in: known by the identity, or by an address that the connection has proven. */
function whoWasRefused({ organisationId, linkTo, identityOf, emailIsProven, holder }: IdentityFacts): string | undefined {
  const user = identityOf ?? (emailIsProven ? holder : undefined)
  return user && !linkTo && !user.isDeleted && user.organisationId === organisationId ? user.id : undefined
}

/** The settings of a connection that a sign-in depends on. */
export const settingsIn = ({ linking, provisioning, configuration, mapping, roleMappings, teamMappings, ...others }: Connection) => {
  const { syncOn, trustsMfa, mfaContexts, upstreamLogout, vouchedById, vouchedByKeyId } = others
  const mapped = [mapping, roleMappings, teamMappings, syncOn]
  return [
    others.identityAssertions,
    vouchedById,
    vouchedByKeyId,
    linking,
    provisioning,
    configuration,
    mapped,
    trustsMfa,
    mfaContexts,
    upstreamLogout,
  ]
}
