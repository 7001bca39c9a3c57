/** Requests of devices without a browser (RFC 8628 §3.1 to §3.3): how one is stored, found by its user, and decided. The grant is in `grants/`. */
import { sql } from 'kysely'
import type { BrowserSession } from '../../access/caller.ts'
import { type AssuranceLevel, authenticationContextOf } from '../../access/factors.ts'
import { holdCaller } from '../../access/hold-caller.ts'
import type { RateLimits } from '../../access/rate-limits.ts'
import type { Origin } from '../../activity/actor.ts'
import { allowAutomaticClient } from '../../automatic-clients/allow-client.ts'
import type { AutomaticClient } from '../../automatic-clients/automatic-client.ts'
import { deviceGrantType } from '../../automatic-clients/documents/read-document.ts'
import type { OAuthExtensions } from '../../clients/extensions.ts'
import { secondsAfter } from '../../platform/clock.ts'
import type { Keyring } from '../../platform/crypto/keyring.ts'
import { hashSecret, newSecret } from '../../platform/crypto/secrets.ts'
import type { Database, Tenant } from '../../platform/database/database.ts'
import { statement } from '../../platform/database/statement.ts'
import { invalidInput } from '../../platform/http/problem.ts'
import { newId } from '../../platform/ids.ts'
import { countTogether } from '../../platform/rate-limits/rate-limit.ts'
import { findAssurance } from '../../sessions/assurance.ts'
import { type AuthorizedResources, resourceServersOf } from '../../tokens/resource-servers.ts'
import type { OAuthClient } from '../protocol/queries.ts'
import { type GrantedResource, grantedResources, resourceScopesOf } from '../protocol/resources.ts'
import { refreshesUnasked } from '../protocol/scope.ts'
import { newUserCode, presentUserCode, readUserCode } from '../protocol/user-code.ts'
import type { AuthorizationDependencies } from './authorize.ts'
import { findSameClient, isStillAccepted } from './automatic-devices.ts'
import type { AcceptanceDependencies } from './automatic-target.ts'
import { type ConsentDecision, endOfConsent } from './consent-lifetimes.ts'
import { asksForOwn, grantConsent } from './consents.ts'
import { type DeviceStep, decideStepOfDevice } from './next-step.ts'
import { deviceOfAnotherOrganisation, deviceRequestOver, unknownUserCode } from './refusals.ts'
import type { NamedAutomaticClient } from './stored-requests.ts'

/** The lifetime of both codes, which is that of the page, too. */
export const deviceCodeSeconds = 10 * 60
const intervalSeconds = 5

export interface DeviceCodes {
  deviceCode: string
  /** As the device shows it. */
  userCode: string
  expiresInSeconds: number
  intervalSeconds: number
}

/** Stores the request of a device. Of both codes only hashes are stored; that of the short one is keyed, so that it cannot be guessed. */
export async function storeDeviceRequest(
  { database, keyring }: { database: Database; keyring: Keyring },
  client: Pick<OAuthClient, 'id' | 'organisationId' | 'automatic' | 'origin' | 'grantTypes'>,
  { scope, resources }: { scope: readonly string[]; resources: readonly string[] | undefined },
  { ipAddress, userAgent }: Origin,
): Promise<DeviceCodes> {
  const tenant = database.tenant(client.organisationId)
  const deviceCode = newSecret()
  const { clientId, name, version } = client.automatic?.client ?? {}
  for (;;) {
    const userCode = newUserCode()
    const stored = await tenant
      .insertInto('deviceCodes')
      .values({
        deviceCodeHash: hashSecret(deviceCode),
        userCodeHash: hashOf(keyring, userCode),
        // Before a user has allowed it, an automatic client has no row.
        clientId: client.automatic?.isBound === false ? null : client.id,
        automaticClient: clientId === undefined ? null : JSON.stringify({ clientId, name, version }),
        scope: [...scope],
        resources: resources === undefined ? null : [...resources],
        allowsRefresh: refreshesUnasked(client),
        ipAddress: ipAddress ?? '',
        userAgent: userAgent ?? '',
        intervalSeconds,
        createdAt: tenant.now,
        expiresAt: secondsAfter(tenant.now, deviceCodeSeconds),
      })
      // Another device shows the same code: one in billions.
      .onConflict((conflict) => conflict.column('userCodeHash').doNothing())
      .returning('deviceCodeHash')
      .executeTakeFirst()
    if (stored) return { deviceCode, userCode: presentUserCode(userCode), expiresInSeconds: deviceCodeSeconds, intervalSeconds }
  }
}

const hashOf = (keyring: Keyring, userCode: string) => keyring.hmac('user code', userCode)

/** A request that its user can still decide. */
export interface PendingDeviceRequest {
  organisationId: string
  /** The hash of the device code: it identifies the request, and neither code can be learnt from it. */
  reference: string
  /** Null for an automatic client that no user of the organisation has allowed. */
  clientId: string | null
  automaticClient: NamedAutomaticClient | null
  clientName: string
  clientLogoUrl: string | null
  /** Null without a row, as what follows. */
  clientOrigin: 'admin' | 'registration' | 'metadata_document' | null
  clientGrantTypes: string[] | null
  /** Whether its user is told that the client refreshes its tokens; null if it is as it says of itself now. */
  allowsRefresh: boolean | null
  refreshTokenAbsoluteLifetime: number | null
  defaultMaxAge: number | null
  defaultAcrValues: AssuranceLevel[] | null
  registeredMetadata: Record<string, unknown> | null
  tokenLifetimePolicy: Record<string, unknown> | null
  organisationName: string
  scope: string[]
  /** The resource servers that it is for, with what it asks for at each. */
  resources: GrantedResource[]
  /** The origin of the request. */
  ipAddress: string
  userAgent: string
  createdAt: Date
}

// That the user is of the organisation is checked at the decision: before it, no user may be signed in. A request for a resource server that
// may not be asked for any more would be allowed in vain, so it is over, as is one of a client that has lost the grant. An automatic client may
// ask for those that let it, and what it says of itself is read when it is asked for.
const pendingRequest = (condition: string) => `
  select k.organisation_id as "organisationId", k.device_code_hash as reference, k.client_id as "clientId",
    k.automatic_client as "automaticClient", coalesce(c.name, k.automatic_client ->> 'name') as "clientName",
    c.logo_url as "clientLogoUrl", c.origin as "clientOrigin", c.grant_types as "clientGrantTypes", k.allows_refresh as "allowsRefresh",
    c.refresh_token_absolute_lifetime as "refreshTokenAbsoluteLifetime", c.default_max_age as "defaultMaxAge",
    c.default_acr_values as "defaultAcrValues", c.registered_metadata as "registeredMetadata",
    o.token_lifetime_policy as "tokenLifetimePolicy", o.name as "organisationName", k.scope, ${resourceServersOf('k')}, k.ip_address as "ipAddress", k.user_agent as "userAgent",
    k.created_at as "createdAt"
  from device_codes k
  left join clients c on c.organisation_id = k.organisation_id and c.id = k.client_id
  join organisations o on o.id = k.organisation_id and o.status in ('trial', 'active')
  where ${condition} and (k.client_id is null or (c.is_active and c.deleted_at is null))
    and (k.automatic_client is not null or :grantType = any(c.grant_types))
    and k.decision is null and k.used_at is null and k.expires_at > :now::timestamptz
    and not exists (
      select from unnest(k.resources) as asked (id)
      where not exists (
        select from resource_servers r
        where r.organisation_id = k.organisation_id and r.id = asked.id and r.is_active
          and (k.automatic_client is not null or r.id = any(c.resource_server_ids))
      )
    )`

type StoredDeviceRequest = Omit<PendingDeviceRequest, 'resources'> & Pick<AuthorizedResources, 'resourceServers'>

const requestByUserCode = statement<{ userCodeHash: string; grantType: string; now: Date }, StoredDeviceRequest>(
  pendingRequest('k.user_code_hash = :userCodeHash'),
  { crossesOrganisations: 'the code alone says of which organisation a device is' },
)

const requestByReference = statement<{ reference: string; grantType: string; now: Date }, StoredDeviceRequest>(
  pendingRequest('k.device_code_hash = :reference'),
  { crossesOrganisations: 'the reference alone says of which organisation a device is' },
)

/**
 * Finds the request whose code a user has typed. Wrong codes are counted by the browser and by its network.
 *
 * @param browser identifies the browser: by its session or, before the sign-in, by the cookie of its forms
 * @throws Problem `bad-request` at `userCode`, `too-many-requests`
 */
export async function enterUserCode(
  { database, keyring, limits }: { database: Database; keyring: Keyring; limits: RateLimits },
  { browser, address }: { browser: string; address: string },
  typed: string,
): Promise<{ reference: string }> {
  const userCode = readUserCode(typed)
  // No device shows such a code, so it is a slip and no guess.
  if (userCode === undefined) throw invalidInput([unknownUserCode(['userCode'])])
  const release = await countTogether([limits.userCodesBySession, browser], [limits.userCodesByAddress, address])
  const wanted = { userCodeHash: hashOf(keyring, userCode), grantType: deviceGrantType, now: database.clock.now() }
  const found = await database.pointRead(requestByUserCode, wanted)
  if (!found) throw invalidInput([unknownUserCode(['userCode'])])
  await release()
  return found
}

/** The request of a reference, of any organisation; undefined once it has been decided or has expired. */
export async function findDeviceRequest(database: Database, reference: string): Promise<PendingDeviceRequest | undefined> {
  const found = await database.pointRead(requestByReference, { reference, grantType: deviceGrantType, now: database.clock.now() })
  if (!found) return undefined
  const { resourceServers, ...request } = found
  return { ...request, resources: grantedResources({ asked: resourceServers ?? [] }, request.scope) }
}

/**
 * What a user of the organisation has to do before they are asked.
 *
 * @returns undefined for a user of another one, who only learns that they may not decide
 */
export async function findStepOfDevice(
  { database, oauthExtensions, relyingParty }: Pick<AuthorizationDependencies, 'database' | 'oauthExtensions' | 'relyingParty'>,
  browserSession: BrowserSession,
  request: PendingDeviceRequest,
): Promise<DeviceStep | undefined> {
  const { organisationId, session } = browserSession.caller
  if (request.organisationId !== organisationId) return undefined
  const asksForLevel = oauthExtensions.has('step_up') && request.defaultAcrValues !== null
  const assurance = asksForLevel
    ? await findAssurance(database, { organisationId, sessionId: session.id, rpId: relyingParty.id })
    : undefined
  return decideStepOfDevice(request, browserSession, assurance, database.clock.now())
}

/**
 * Stores the user's decision. Consent is stored for later requests, too, like that of the consent page; a refusal only for this one.
 *
 * @param level that the tokens name, if the client has levels by default
 * @throws Problem `forbidden` for a request of another organisation; `bad-request` when it is no longer pending; `unauthorized` when the
 *   session has ended
 */
export async function decideDeviceRequest(
  dependencies: AcceptanceDependencies & { oauthExtensions: OAuthExtensions },
  browserSession: BrowserSession,
  request: PendingDeviceRequest,
  { decision, lifetime }: ConsentDecision,
  level: AssuranceLevel | undefined,
): Promise<void> {
  const { caller } = browserSession
  const { database, oauthExtensions } = dependencies
  if (request.organisationId !== caller.organisationId) throw deviceOfAnotherOrganisation()
  const asking = decision === 'allow' ? await findAsking(dependencies, request) : undefined
  await database.transaction(caller.organisationId, async (tenant) => {
    await holdCaller(tenant, caller)
    if (decision === 'cancel') return cancel(tenant, request.reference)
    const context = level ?? (oauthExtensions.has('step_up') ? authenticationContextOf(browserSession.authenticationMethods) : null)
    const { scope, resources, allowsRefresh: refreshes, ipAddress, userAgent } = request
    const expiresAt = endOfConsent(tenant.now, lifetime)
    const clientId = asking ? await allowAutomaticClient(tenant, caller.actor, asking, resources, 'user') : request.clientId
    if (clientId == null) throw deviceRequestOver()
    // First: what was allowed before may have a sooner end, which counts for the device, too.
    const asked = { scope, resources, refreshes, expiresAt }
    if (!(await grantConsent(tenant, caller, clientId, asked, { device: { ipAddress, userAgent } }))) throw deviceRequestOver()
    await allow(tenant, browserSession, request, { clientId, context })
  })
}

/**
 * The automatic client of a request: as its user was asked about it, and still accepted. Undefined for any other client.
 *
 * @throws Problem when it has changed since
 */
async function findAsking(
  dependencies: AcceptanceDependencies,
  { automaticClient, organisationId, resources }: PendingDeviceRequest,
): Promise<AutomaticClient | undefined> {
  if (automaticClient === null) return undefined
  const asking = await findSameClient(dependencies.automaticClients, automaticClient)
  const ids = resources.map(({ id }) => id)
  if (!asking || !(await isStillAccepted(dependencies, organisationId, asking, ids))) throw deviceRequestOver()
  return asking
}

async function allow(
  tenant: Tenant,
  { caller, authenticatedAt }: BrowserSession,
  { reference, scope, resources }: PendingDeviceRequest,
  { clientId, context }: { clientId: string; context: string | null },
): Promise<void> {
  const resourceScopes = resourceScopesOf(resources)
  const ids = resources.map(({ id }) => id)
  const { rows } = await sql`
    update device_codes k set decision = 'allow', client_id = ${clientId}, decided_at = ${tenant.now}, user_id = s.user_id, session_id = s.id,
      family_id = ${newId('fam', tenant.now)}, authenticated_at = ${authenticatedAt}, authentication_methods = s.authentication_methods,
      authentication_context = ${context}, connection_id = s.connection_id, upstream_session = s.upstream_session,
      federated_until = s.federated_until, resource_scopes = ${resourceScopes && JSON.stringify(resourceScopes)}::jsonb,
      consented_until = (
        select min(ends.expires_at) from (
          select c.expires_at from consents c
          where ${asksForOwn({ scope, resources })}::boolean and c.user_id = s.user_id and c.client_id = ${clientId}
          union all
          select r.expires_at from resource_consents r
          where r.user_id = s.user_id and r.client_id = ${clientId} and r.resource_server_id = any(${ids}::text[])
        ) as ends
      ),
      sign_in_id = s.sign_in_id
    from sessions s
    where k.device_code_hash = ${reference} and k.decision is null and k.used_at is null and k.expires_at > ${tenant.now}
      and s.id = ${caller.session.id}
    returning k.client_id`.execute(tenant)
  if (rows.length === 0) throw deviceRequestOver()
}

async function cancel(tenant: Tenant, reference: string): Promise<void> {
  const cancelled = await tenant
    .updateTable('deviceCodes')
    .set({ decision: 'cancel', decidedAt: tenant.now })
    .where('deviceCodeHash', '=', reference)
    .where('decision', 'is', null)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', tenant.now)
    .returning('deviceCodeHash')
    .executeTakeFirst()
  if (!cancelled) throw deviceRequestOver()
}
