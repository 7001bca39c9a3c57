import { say } from '../../../shared/checks/said.ts'
import type { Caller, SetupLinkCaller, UserCaller } from '../../access/caller.ts'
import { missingPermission } from '../../access/refusals.ts'
import { getUser } from '../../accounts/queries.ts'
import type { Origin } from '../../activity/actor.ts'
import { secondsAfter } from '../../platform/clock.ts'
import { hashSecret, newSecret } from '../../platform/crypto/secrets.ts'
import type { Tenant } from '../../platform/database/database.ts'
import { invalidInput, Problem } from '../../platform/http/problem.ts'
import { cutText } from '../../platform/text.ts'
import { vouchedDefaultRole } from '../../roles/vouchers.ts'
import { findTeamNames } from '../../teams/queries.ts'
import { missingSettings } from '../configuration.ts'
import { decideIdentity, type IdentityDecision, type IdentityRefusal } from '../decide-identity.ts'
import { getConnection } from '../queries.ts'
import { connectionTestNeedsUser, neededForTest } from '../refusals.ts'
import { type Check, checkOf, UpstreamRefusal } from '../upstream/checks.ts'
import type { UpstreamIdentity } from '../upstream/upstream.ts'
import { type Departure, departureOf } from './authorization-url.ts'
import { fetchIdentity } from './fetch-identity.ts'
import { findMappedRoles } from './mapped-roles.ts'
import { idsFrom, newPersonFrom, personIn } from './person.ts'
import { type ConnectionToUse, findConnectionToUse } from './queries.ts'
import { readFacts } from './read-facts.ts'
import { connectionTestExpired, identityProviderRefused, noVerifiedAddress, tooManyMessages } from './refusals.ts'
import {
  claimTestForBrowser,
  claimTestResponse,
  type FederationRequest,
  findTest,
  insertRequest,
  noBrowser,
  storePending,
} from './request-queries.ts'
import { type Federation, nonceOf, requestLifetimeSeconds, type Secrets } from './start.ts'
import { storeChecks } from './store-checks.ts'
import { testPath, testState } from './test-state.ts'
import { checkOfUser, refusalOf } from './why-refused.ts'

const claimsMax = 16_384
/** They go into an address. */
const [claimNamesMax, claimNameMax] = [40, 100]

export interface TestResult {
  checks: readonly Check[]
  reference: string | undefined
  /** The claims as they arrived, as JSON. */
  claims: string | undefined
  /** Their names, to be offered for the mapping; undefined in a test that the previous release has stored. */
  claimNames?: readonly string[]
  /** The user that the mapping derives from the claims; undefined when a check has failed before. */
  person: MappedPerson | undefined
  outcome: TestOutcome | undefined
}

export interface MappedPerson {
  subject: string
  email: string | undefined
  firstName: string | undefined
  lastName: string | undefined
  phone: string | undefined
  /** Names of the roles. */
  roles: readonly string[]
  teams: readonly string[]
}

export type TestOutcome =
  | { kind: 'refuse'; refusal: IdentityRefusal }
  | { kind: 'known' | 'link' | 'confirm'; user: string }
  | { kind: 'accept_invitation' | 'create' }

/** A test as its page shows it. */
export interface ShownTest {
  connection: Pick<ConnectionToUse, 'id' | 'name' | 'isActive' | 'provider'>
  /** Undefined until the identity provider has responded. */
  result: TestResult | undefined
}

/**
 * Prepares a test of a connection, active or not, in the browser of the user who asks for it, or of the visitor of a set-up link.
 *
 * @throws Problem `not-found`, `forbidden` for an API key, `too-many-requests`, `bad-request` naming what is missing
 */
export async function prepareTest(federation: Federation, caller: Caller, id: string): Promise<{ url: string; expiresAt: Date }> {
  const { database, keyring, limits, publicUrl } = federation
  const tenant = database.tenant(caller.organisationId)
  const { provider, configuration, secretEncrypted } = await getConnection(tenant, id)
  if (!isTester(caller)) throw connectionTestNeedsUser()
  const missing = missingSettings(provider, configuration, secretEncrypted !== null)
  if (missing.length > 0) throw invalidInput(missing.map(({ path }) => neededForTest(path)))
  await limits.testRunsByConnection.count(id)

  const [state, verifier] = [testState(caller.kind === 'setup-link'), newSecret()]
  const [stateHash, expiresAt] = [hashSecret(state), secondsAfter(tenant.now, requestLifetimeSeconds)]
  await insertRequest(tenant, {
    stateHash,
    connectionId: id,
    purpose: 'test',
    nonceHash: hashSecret(nonceOf(verifier)),
    verifierEncrypted: keyring.encrypt(JSON.stringify({ verifier } satisfies Secrets), stateHash),
    browserHash: noBrowser,
    returnTo: testPath(state),
    userId: null,
    ...testerOf(caller),
    expiresAt,
  })
  return { url: `${publicUrl}${testPath(state)}`, expiresAt }
}

/** Who may test a connection: only a browser can sign in. */
export type Tester = UserCaller | SetupLinkCaller

const isTester = (caller: Caller): caller is Tester => caller.kind === 'user' || caller.kind === 'setup-link'

const testerOf = (caller: Tester) => (caller.kind === 'user' ? { userId: caller.session.userId } : { setupLinkId: caller.linkId })

/** The user or visitor who opens a test, with the value of their browser's cookie. */
export interface TestVisit {
  state: string
  caller: Tester
  browser: string | undefined
  origin: Origin
  /** The domain that a visitor of a set-up link sets up as well: the address has to be one of it. */
  domain?: string | undefined
}

export interface TestedConnection {
  path: string
  connectionId: string
  changedAt: Date
  passed: boolean
}

/**
 * Opens a test: the first time it leads to the identity provider, later it shows the result.
 *
 * @throws Problem `bad-request` for one that has expired, or is another user's or browser's; `forbidden` without the permission
 */
export async function openTest(
  federation: Federation,
  { state, caller, browser, origin }: TestVisit,
): Promise<({ kind: 'begun'; browser: string } & Departure) | ({ kind: 'shown'; browser: string } & ShownTest)> {
  const { database } = federation
  const tenant = database.tenant(caller.organisationId)
  const { request, connection } = await getTest(federation, caller, state)
  if (request.browserHash === noBrowser) {
    const used = browser ?? newSecret()
    if (!(await claimTestForBrowser(tenant, request.stateHash, hashSecret(used)))) throw connectionTestExpired()
    const { verifier } = secretsOf(federation, request)
    try {
      const expected = { state, nonce: nonceOf(verifier), verifier }
      return { kind: 'begun', ...(await departureOf(federation, connection, expected)), browser: used }
    } catch (error) {
      if (!(error instanceof UpstreamRefusal)) throw error
      await claimTestResponse(tenant, request.stateHash)
      const result = await conclude(federation, tenant, { request, connection, arrived: error, caller, origin })
      return { kind: 'shown', browser: used, connection, result }
    }
  }
  if (browser === undefined || request.browserHash !== hashSecret(browser)) throw connectionTestExpired()
  return { kind: 'shown', browser, connection, result: request.usedAt === null ? undefined : secretsOf(federation, request).result }
}

/**
 * Completes a test with the response of the identity provider: the response is examined, and signs no user in. Only the result is
 * stored.
 *
 * @returns the path that shows the result, whether every check has passed, and when the connection that it tested was last changed
 * @throws Problem as {@link openTest}, also when there has been a response before
 */
export async function completeTest(
  federation: Federation,
  { state, caller, browser, origin, domain }: TestVisit,
  parameters: URLSearchParams,
): Promise<TestedConnection> {
  const tenant = federation.database.tenant(caller.organisationId)
  const { request, connection } = await getTest(federation, caller, state)
  const isThisBrowser = browser !== undefined && request.browserHash === hashSecret(browser)
  if (!isThisBrowser || !(await claimTestResponse(tenant, request.stateHash))) throw connectionTestExpired()
  const arrived = await fetchIdentity(federation, connection, request, parameters).catch(refusedForNow)
  const { checks } = await conclude(federation, tenant, { request, connection, arrived, caller, origin, domain })
  const renewedAt = arrived instanceof UpstreamRefusal ? undefined : arrived.renewedAt
  return {
    path: testPath(state),
    connectionId: connection.id,
    changedAt: renewedAt ?? connection.updatedAt,
    passed: checks.every(({ passed }) => passed),
  }
}

/** The response is used up, and the test shows why nothing is known of it. @throws any other error */
function refusedForNow(error: unknown): UpstreamRefusal {
  if (!(error instanceof Problem && error.code === tooManyMessages.code)) throw error
  return new UpstreamRefusal([checkOf('resources', say('fewer-messages-at-once'), say('more'), false)], 'browser')
}

async function getTest({ database }: Federation, caller: Tester, state: string) {
  // The visitor of a link tests what the link has made.
  if (caller.kind === 'user' && !caller.permissions.has('connections:read')) throw missingPermission('connections:read')
  const tenant = database.tenant(caller.organisationId)
  const request = await findTest(tenant, { stateHash: hashSecret(state), ...testerOf(caller) })
  const connection = request && (await findConnectionToUse(database, request.connectionId))
  if (!request || !connection) throw connectionTestExpired()
  return { request, connection }
}

const secretsOf = ({ keyring }: Federation, { verifierEncrypted, stateHash }: FederationRequest): Secrets & { result?: TestResult } =>
  JSON.parse(keyring.decrypt(verifierEncrypted, stateHash))

const nothingRefused = { code: 'none', detail: 'Every check has passed' }

interface TestResponse {
  request: FederationRequest
  connection: ConnectionToUse
  arrived: UpstreamIdentity | UpstreamRefusal
  caller: Tester
  origin: Origin
  domain?: string | undefined
}

/** Stores the result of a test: the checks like those of a refused sign-in, everything for ten minutes. */
async function conclude(
  federation: Federation,
  tenant: Tenant,
  { request, connection, arrived, caller, origin, domain }: TestResponse,
): Promise<TestResult> {
  const examined =
    arrived instanceof UpstreamRefusal
      ? undefined
      : caller.kind === 'user'
        ? await examine(federation, tenant, connection, arrived)
        : readOnly(connection, arrived, domain)
  const refusal = arrived instanceof UpstreamRefusal ? identityProviderRefused() : examined?.refusal
  const checks = examined?.checks ?? arrived.checks
  const reference = await storeChecks(federation, origin, {
    endpoint: 'federation_test',
    connection,
    checks,
    refusal: refusal ?? nothingRefused,
  })
  const { claims } = arrived
  const result: TestResult = {
    checks,
    reference,
    claims: claims && cutText(JSON.stringify(claims, null, 2), claimsMax),
    claimNames: Object.keys(claims ?? {})
      .filter((name) => name.length <= claimNameMax && !/\s/.test(name))
      .slice(0, claimNamesMax),
    person: examined?.person,
    outcome: examined?.outcome,
  }
  const { stateHash } = request
  await storePending(tenant, stateHash, federation.keyring.encrypt(JSON.stringify({ result }), stateHash))
  return result
}

interface Examined {
  person: MappedPerson
  outcome: TestOutcome | undefined
  refusal: Problem | undefined
  checks: readonly Check[]
}

/**
 * What the mapping makes of the claims, and whether users could sign in with such an address, no matter which account has it. No more: the visitor of a set-up link
 * has a provider say what they like, and would learn which addresses have an account.
 */
function readOnly(connection: ConnectionToUse, identity: UpstreamIdentity, domain: string | undefined): Examined {
  const { claims, subject, email } = identity
  const { firstName, lastName, phone } = personIn(claims, connection.mapping)
  const unfit = unfitAddress(connection, identity, domain)
  return {
    person: { subject, email, firstName, lastName, phone, roles: [], teams: [] },
    outcome: undefined,
    refusal: unfit && noVerifiedAddress(),
    checks: unfit ? identity.checks.map((check) => (check.code === 'address' ? unfit : check)) : identity.checks,
  }
}

/** The check of an address with which the connection signs no user in. Whether the domain proves it yet, or an account has it, does not count. */
function unfitAddress(
  { configuration: { emailTrust } }: ConnectionToUse,
  { email, emailIsProven }: UpstreamIdentity,
  domain: string | undefined,
): Check | undefined {
  const expected = domain === undefined ? say('an-address') : say('an-address-of', domain)
  if (email === undefined) return checkOf('address', expected, say('none'), false)
  if (domain !== undefined && !email.endsWith(`@${domain}`)) return checkOf('address', expected, email, false)
  const isUnproven = emailTrust === 'verified_claim' && !emailIsProven
  return isUnproven ? checkOf('address', say('proven-by-this-connection'), say('not-proven'), false) : undefined
}

/** Decides as a sign-in does, but carries nothing out. For an inactive connection, it decides as if it were active. */
async function examine(federation: Federation, tenant: Tenant, connection: ConnectionToUse, identity: UpstreamIdentity): Promise<Examined> {
  const facts = await readFacts(federation.database, { connection: { ...connection, isActive: true }, identity, linkTo: undefined })
  const decision = decideIdentity(facts)
  const refusal = decision.kind === 'refuse' ? refusalOf(federation, decision) : undefined
  return {
    person: await mapped(tenant, connection, identity, decision),
    outcome: await outcomeOf(tenant, decision),
    refusal,
    checks: refusal ? [...identity.checks, checkOfUser(refusal)] : identity.checks,
  }
}

async function outcomeOf(tenant: Tenant, decision: IdentityDecision): Promise<TestOutcome> {
  switch (decision.kind) {
    case 'refuse':
      return { kind: 'refuse', refusal: decision.refusal }
    case 'known':
    case 'link':
    case 'confirm': {
      const { name, email } = await getUser(tenant, decision.userId)
      return { kind: decision.kind, user: `${name} (${email})` }
    }
    default:
      return { kind: decision.kind }
  }
}

async function mapped(
  tenant: Tenant,
  connection: ConnectionToUse,
  identity: UpstreamIdentity,
  { kind }: IdentityDecision,
): Promise<MappedPerson> {
  const { mapping, teamMappings } = connection
  const { claims, subject, email } = identity
  const isNew = kind === 'create' || kind === 'accept_invitation'
  const person = isNew ? newPersonFrom(claims, mapping, email ?? '') : personIn(claims, mapping)
  const given = await findMappedRoles(tenant, connection, identity)
  const roles = given.length > 0 ? given : kind === 'create' ? [await vouchedDefaultRole(tenant, connection)] : []
  return {
    subject,
    email,
    firstName: person.firstName,
    lastName: person.lastName,
    phone: person.phone,
    roles: roles.flatMap((role) => (role ? [role.name] : [])),
    teams: await findTeamNames(
      tenant,
      idsFrom(claims, mapping, teamMappings, ({ teamId }) => teamId),
    ),
  }
}
