import { isDeepStrictEqual } from 'node:util'
import { say } from '../../../shared/checks/said.ts'
import { assuranceLevelOf, authenticationMethodsOf, includesLevel } from '../../access/factors.ts'
import { systemActor } from '../../activity/actor.ts'
import { record } from '../../activity/record.ts'
import { allowAutomaticClient } from '../../automatic-clients/allow-client.ts'
import type { OAuthExtensions } from '../../clients/extensions.ts'
import { presentClient } from '../../clients/present-client.ts'
import { findClient } from '../../clients/queries.ts'
import type { AssertedUser, GrantedByAssertion, Requester } from '../../oauth/grants/grant.ts'
import { jwtBearerGrantType } from '../../oauth/grants/jwt-bearer.ts'
import { clientAsActor, recordIssue } from '../../oauth/grants/record-issue.ts'
import { type FailedCheck, invalidGrant, OAuthError } from '../../oauth/protocol/errors.ts'
import { type Judge, strictly } from '../../oauth/protocol/judge.ts'
import { secondsAfter } from '../../platform/clock.ts'
import type { Database, Tenant } from '../../platform/database/database.ts'
import { Problem } from '../../platform/http/problem.ts'
import { describeFactors } from '../../sessions/proven-factors.ts'
import { type Account, findAccountOf } from '../../sign-in/queries.ts'
import { decideStep, holdWhoseStepItIs } from '../../sign-in/start-session.ts'
import { beginFamilyOfAssertion } from '../../tokens/families.ts'
import { claimAssertionWithin } from '../../tokens/used-assertions.ts'
import { decideIdentity, type IdentityFacts } from '../decide-identity.ts'
import { createAccount } from '../federation/create-account.ts'
import type { FederatedSignIn } from '../federation/federated-sign-in.ts'
import { linkAccount } from '../federation/link-account.ts'
import { findConnectionToUse, holdConnection, noteUse } from '../federation/queries.ts'
import { readFacts } from '../federation/read-facts.ts'
import { retryWhenStale, StaleDecision } from '../federation/retry-when-stale.ts'
import { type FederatedSignInDependencies, restsOnWhatChanged, settingsIn } from '../federation/sign-in-by-identity.ts'
import { synchronise } from '../federation/synchronise.ts'
import { upstreamFactorOf } from '../federation/upstream-factor.ts'
import type { UpstreamIdentity } from '../upstream/upstream.ts'
import type { AssertionClaims } from './check-claims.ts'
import { type AcceptingConnection, hasTokenSubscriber, holdIdentity } from './queries.ts'

export interface AcceptingAssertions extends FederatedSignInDependencies {
  /** The origin of `PUBLIC_URL`. */
  issuer: string
  oauthExtensions: OAuthExtensions
}

/** An assertion that its provider has signed, with the identity that it means. */
export interface SignedAssertion {
  connection: AcceptingConnection
  identity: UpstreamIdentity
  assertion: AssertionClaims
}

/**
 * Lets a client act for the user of an assertion: decides who that is and begins the family of the client's tokens, in one transaction.
 * Nothing asks a person: a user who is neither known nor may be created has to sign in by the connection first. What is refused leaves
 * nothing, and neither does an inspection.
 *
 * @throws OAuthError `invalid_grant`, `insufficient_user_authentication`
 */
export async function actForUser(
  dependencies: AcceptingAssertions,
  requester: Requester,
  signed: SignedAssertion,
  granted: GrantedByAssertion,
  judge: Judge = strictly,
): Promise<AssertedUser> {
  const { database } = dependencies
  const { connection, identity } = signed
  const user = await retryWhenStale<AssertedUser>(restsOnWhatChanged, async ({ isFirst, isLast }) => {
    const current = isFirst ? connection : await findConnectionToUse(database, connection.id)
    // What was read before the transaction is read anew; who may vouch for the user has to be as it was.
    if (!current || !isDeepStrictEqual(settingsIn(current), settingsIn(connection))) throw refuse(connection)
    const signIn: FederatedSignIn = { connection: current, identity, linkTo: undefined, origin: requester.origin, language: undefined }
    const facts = await readFacts(database, signIn)
    try {
      return await transactionOf(database, connection.organisationId, judge, (tenant) =>
        decideHolding(tenant, dependencies, requester, { ...signed, signIn, facts }, granted, judge),
      )
    } catch (error) {
      const isRefusal = error instanceof OAuthError
      if (isRefusal && !isLast && !isDeepStrictEqual(facts, await readFacts(database, signIn))) throw new StaleDecision()
      throw error
    }
  }).catch((error: unknown) => {
    // Every attempt met another change: the account, or the domain of its address, lets nothing begin.
    throw error instanceof StaleDecision || error instanceof Problem ? refuse(connection) : error
  })
  if (!judge.isInspecting)
    await noteUse(database.tenant(connection.organisationId), connection.id, { cutsGroups: false, hasSignedIn: true })
  return user
}

/** Runs the work in a transaction, which an inspection rolls back. */
async function transactionOf<T>(
  database: Database,
  organisationId: string,
  judge: Judge,
  work: (tenant: Tenant) => Promise<T>,
): Promise<T> {
  if (!judge.isInspecting) return database.transaction(organisationId, work)
  const done: T[] = []
  await database.rehearse(organisationId, async (tenant) => {
    judge.beginAnew()
    done.push(await work(tenant))
  })
  return done.at(-1) as T
}

async function decideHolding(
  tenant: Tenant,
  dependencies: AcceptingAssertions,
  asking: Requester,
  { connection, identity, assertion, signIn, facts }: SignedAssertion & { signIn: FederatedSignIn; facts: IdentityFacts },
  granted: GrantedByAssertion,
  judge: Judge,
): Promise<AssertedUser> {
  const held = await holdConnection(tenant, connection.id)
  if (!held || !isDeepStrictEqual(settingsIn(held), settingsIn(connection))) throw refuse(connection)
  const userId = await decideUser(tenant, dependencies, signIn, facts)
  if (userId === undefined) throw refuse(connection)
  const account = await findAccountOf(tenant, userId, dependencies.relyingParty.id)
  if (!account) throw new StaleDecision()
  const factor = upstreamFactorOf(tenant.now, dependencies.keyring, connection, identity)
  requireStrength(tenant.now, dependencies, asking, connection, account, factor, judge)
  const may = await holdWhoseStepItIs(tenant, account, connection.id)
  // Of several at once, that one counts whose row is stored.
  const identityId = may ? await holdIdentity(tenant, { connectionId: connection.id, subject: identity.subject, userId }) : undefined
  if (identityId === undefined) throw new StaleDecision()
  judge.need(true, invalidGrant, '', { ...subjectOf(connection), received: identity.subject })
  await requireFirstUse(tenant, connection, assertion, judge)

  const requester = await withRow(tenant, asking, granted)
  const authenticationMethods = authenticationMethodsOf(describeFactors([factor]))
  const user = { userId, authenticatedAt: factor.provenAt, authenticationMethods }
  await beginFamilyOfAssertion(tenant, {
    ...user,
    id: granted.familyId,
    clientId: requester.client.id,
    connectionId: connection.id,
    identityId,
    scope: granted.scope,
    resources: granted.resourceServerIds,
    keptUntil: granted.keptUntil,
  })
  await recordAccepted(tenant, requester, account, { connection, identityId, granted })
  return user
}

/**
 * Claims the assertion in its organisation. It has been used whichever connection of its issuer took it (RFC 7523 §3 no. 7): another one takes its
 * place as soon as that one is deactivated or removed.
 *
 * @throws OAuthError `invalid_grant` when it has been used
 */
export async function requireFirstUse(
  tenant: Tenant,
  { organisationId }: AcceptingConnection,
  { issuer: provider, id: assertionId, refusedFrom: expiresAt }: AssertionClaims,
  judge: Judge,
): Promise<void> {
  // An organisation decides itself by which keys it recognises an issuer, so it must not use up the assertions for another one.
  const issuer = `${organisationId} ${provider}`
  const isFirst = await claimAssertionWithin(tenant, { issuer, assertionId, expiresAt })
  judge.expect(isFirst, invalidGrant, 'the assertion has been used', {
    name: 'assertion_id',
    expected: say('an-assertion-that-is-new'),
    received: assertionId,
  })
}

/**
 * The requester with the row of its client: the connection allows an application that introduced itself what a user would allow on the page.
 *
 * @throws OAuthError when the organisation refuses the application by now: then the transaction leaves nothing
 */
async function withRow(tenant: Tenant, asking: Requester, { resourceServerIds, scope }: GrantedByAssertion): Promise<Requester> {
  const { client } = asking
  if (!client.automatic) return asking
  const resources = resourceServerIds.map((id) => ({ id, scopes: scope }))
  const id = await allowAutomaticClient(tenant, systemActor, client.automatic.client, resources, 'connection')
  if (id !== undefined)
    return { ...asking, client: { ...client, id, hasSubscriber: client.hasSubscriber || (await hasTokenSubscriber(tenant)) } }
  throw new OAuthError('unauthorized_client', 'the organisation does not accept the application', {
    name: 'client_id',
    expected: say('a-host-that-the-organisation-accepts'),
    received: client.clientId,
  })
}

/** @returns undefined for a user who has to sign in once */
async function decideUser(
  tenant: Tenant,
  { trialMaxUsers }: Pick<AcceptingAssertions, 'trialMaxUsers'>,
  signIn: FederatedSignIn,
  facts: IdentityFacts,
): Promise<string | undefined> {
  const decision = decideIdentity(facts)
  if (decision.kind === 'known') return decision.userId
  if (decision.kind !== 'create') return undefined
  const userId = await createAccount(tenant, trialMaxUsers, signIn, decision, facts)
  await linkAccount(tenant, signIn, userId)
  await synchronise(tenant, signIn, userId, true)
  return userId
}

/** @throws OAuthError when the sign-in at the provider is not enough for the user, the client or the connection */
function requireStrength(
  now: Date,
  dependencies: AcceptingAssertions,
  { client }: Requester,
  { mfaContexts, sessionMaxAgeSeconds }: AcceptingConnection,
  account: Account,
  factor: ReturnType<typeof upstreamFactorOf>,
  judge: Judge,
): void {
  const proven = describeFactors([factor])
  const reached = assuranceLevelOf(proven)
  const demanded = dependencies.oauthExtensions.has('step_up') ? client.defaultAcrValues : null
  const step = decideStep(dependencies, account, { factors: [factor], passwordHash: null }, now)
  const isEnough = step === 'session' && (demanded === null || demanded.some((level) => includesLevel(reached, level)))
  const [maxAge] = [sessionMaxAgeSeconds, client.defaultMaxAge].filter((seconds) => seconds !== null).sort((one, other) => one - other)
  const isOld = maxAge !== undefined && secondsAfter(factor.provenAt, maxAge) <= now
  const demands = (mfaContexts.length > 0 ? mfaContexts : (demanded ?? ['aal2'])).join(' ')
  const members = { ...(!isEnough && { acr_values: demands }), ...(isOld && { max_age: maxAge }) }
  const refuseIt = (description: string, check: FailedCheck) =>
    new OAuthError('insufficient_user_authentication', description, check, { members })
  const anew = 'the user has to sign in anew at the identity provider'
  const expected = isEnough ? (demanded ?? say('a-value')) : demands
  judge.expect(isEnough, refuseIt, anew, { name: 'acr_values', expected, received: reached })
  judge.expect(!isOld, refuseIt, anew, { name: 'max_age', expected: maxAge, received: factor.provenAt.toISOString() })
}

const refuse = (connection: AcceptingConnection) =>
  invalidGrant(`the user cannot be acted for; sign in once by ${connection.slug}`, {
    ...subjectOf(connection),
    received: say('none-that-fits'),
  })

const subjectOf = ({ slug }: AcceptingConnection) =>
  ({ name: 'assertion_subject', expected: say('a-user-who-may-sign-in-by', slug) }) as const

/** Writes for whom the client may act, and never the assertion. */
async function recordAccepted(
  tenant: Tenant,
  requester: Requester,
  { id: userId, email, name }: Account,
  { connection, identityId, granted }: { connection: AcceptingConnection; identityId: string; granted: GrantedByAssertion },
): Promise<void> {
  const { client, origin } = requester
  const { scope, resourceServerIds: resources } = granted
  const user = { id: userId, email, name }
  if (client.hasSubscriber) await recordIssue(tenant, requester, { grantType: jwtBearerGrantType, scope, user })
  const registered = await findClient(tenant, client.id)
  if (!registered) return
  await record(tenant, clientAsActor(client, origin), {
    action: 'oauth2.identity_assertion.accepted',
    client: presentClient(registered),
    user,
    metadata: { userId, connectionId: connection.id, identityId, resources, scopes: scope },
  })
}
