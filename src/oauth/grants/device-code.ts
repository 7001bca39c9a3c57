import type { ClaimSources } from '../../claims/evaluate.ts'
import { jsonOf, sourcesOfTokens } from '../../claims/statements.ts'
import { hashSecret } from '../../platform/crypto/secrets.ts'
import type { Database } from '../../platform/database/database.ts'
import { type KeyedValues, statement } from '../../platform/database/statement.ts'
import { beginFamilyOfDevice } from '../../tokens/families.ts'
import { clientAuthenticates, type PresentedCredentials } from '../../tokens/presented-client.ts'
import { type AuthorizedResources, resourceServersOf } from '../../tokens/resource-servers.ts'
import { findSubject } from '../../tokens/subject.ts'
import { OAuthError } from '../protocol/errors.ts'
import { credential, required } from '../protocol/parameters.ts'
import type { OAuthClient } from '../protocol/queries.ts'
import { requireEveryResource } from '../protocol/resources.ts'
import { resource } from '../protocol/shared-parameters.ts'
import { decideDevice, deviceCodeUsed, type StoredDeviceCode } from './decisions.ts'
import { defineGrant } from './grant.ts'
import { redeemCode } from './redeem-code.ts'
import { organisationNotRunning, refuseInvalidAuthorization } from './subject.ts'
import type { RefreshAllowed } from './token-response.ts'

export const deviceCodeGrantType = 'urn:ietf:params:oauth:grant-type:device_code'

/**
 * The device grant (RFC 8628 §3.4): a device polls until its user has decided, and then gets tokens once.
 *
 * @throws OAuthError `authorization_pending`, `slow_down`, `access_denied`, `expired_token`, `invalid_grant` or `invalid_target`
 */
export const deviceCodeGrant = defineGrant({
  grantType: deviceCodeGrantType,
  forPublicClients: true,
  extension: 'device',
  parameters: {
    device_code: required('the code of the device, which works once', 'GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS4s', credential),
    resource,
  },
  findEarly: (database, credentials, { deviceCode }) =>
    deviceCode === undefined ? undefined : database.pointRead(codeOfClient, { ...credentials, codeHash: hashSecret(deviceCode) }),
  async grant(dependencies, requester, parameters, found) {
    const { database } = dependencies
    const { client } = requester
    const codeHash = hashSecret(parameters.deviceCode)
    const now = database.clock.now()

    const presented = found ?? (await findCode(database, client, codeHash))
    requester.noteSignIn(presented)
    const decision = decideDevice(presented, { clientId: client.id }, now)
    if (decision.kind === 'refuse') throw decision.error
    if (decision.kind === 'wait') {
      // No user is asked about them any more, so to wait would be in vain. An automatic client may ask for those that let it.
      if (presented)
        requireEveryResource(
          presented,
          presented.isAutomatic ? { ...client, resourceServerIds: presented.resources && [...presented.resources] } : client,
        )
      return tellToWait(database, client, codeHash, now)
    }

    const { code } = decision
    const subject = await findSubject(database, client.organisationId, code.userId)
    if (!subject) throw deviceCodeUsed()
    refuseInvalidAuthorization(client, subject, code.decidedAt)
    const authorized = { ...subject, ...code }
    const response = await redeemCode(dependencies, requester, authorized, {
      grantType: deviceCodeGrantType,
      resource: parameters.resource,
      nonce: null,
      now,
      claim: (first) => beginFamilyOfDevice(client.organisationId, codeHash, first),
    })
    if (response) return response
    const left = await findCode(database, client, codeHash)
    throw left?.usedAt === null ? organisationNotRunning() : deviceCodeUsed()
  },
})

/** @throws OAuthError always: a device that polls too soon has to poll less often from then on (RFC 8628 §3.5) */
async function tellToWait(database: Database, { organisationId }: OAuthClient, codeHash: string, now: Date): Promise<never> {
  const poll = await database.keyedWrite(notePoll, { organisationId, key: codeHash, now })
  if (poll?.isTooSoon) {
    const check = { name: 'device_code', expected: `${poll.intervalSeconds} s`, received: undefined } as const
    throw new OAuthError('slow_down', `wait ${poll.intervalSeconds} seconds between two requests`, check, { isStepOfProtocol: true })
  }
  throw new OAuthError('authorization_pending', 'the user has not decided yet', { name: 'device_code' }, { isStepOfProtocol: true })
}

// The row is locked before it is compared: of simultaneous polls one is in time.
const notePoll = statement<KeyedValues & { now: Date }, { isTooSoon: boolean; intervalSeconds: number }>(`
  with polled as (
    select organisation_id, device_code_hash, coalesce(polled_at + make_interval(secs => interval_seconds) > :now::timestamptz, false) as is_too_soon
    from device_codes where organisation_id = :organisationId and device_code_hash = :key for update
  )
  update device_codes k set polled_at = :now::timestamptz,
    interval_seconds = least(k.interval_seconds + case when polled.is_too_soon then 5 else 0 end, 600)
  from polled where k.organisation_id = polled.organisation_id and k.device_code_hash = polled.device_code_hash
  returning polled.is_too_soon as "isTooSoon", k.interval_seconds as "intervalSeconds"`)

/** A device code, whose user is known once it is allowed. */
interface DeviceCodeRow extends StoredDeviceCode, AuthorizedResources, RefreshAllowed {
  isAutomatic: boolean
  scope: string[]
  decidedAt: Date
  userId: string
  sessionId: string
  familyId: string
  authenticatedAt: Date
  authenticationMethods: string[]
  authenticationContext: string | null
  federatedUntil: Date | null
  consentedUntil: Date | null
  signInId: string | null
  claimSources: ClaimSources | null
}

/** @param mappings those of the client, as SQL */
const columnsWith = (mappings: string) => `
  coalesce(k.client_id, k.automatic_client ->> 'clientId') as "clientId", k.automatic_client is not null as "isAutomatic", k.scope, k.resources, k.resource_scopes as "resourceScopes", ${resourceServersOf('k')}, k.decision, k.decided_at as "decidedAt", k.user_id as "userId", k.session_id as "sessionId",
    k.family_id as "familyId", k.authenticated_at as "authenticatedAt", k.authentication_methods as "authenticationMethods",
    k.authentication_context as "authenticationContext", k.federated_until as "federatedUntil", k.consented_until as "consentedUntil", k.allows_refresh as "allowsRefresh", k.sign_in_id as "signInId",
    k.expires_at as "expiresAt", k.used_at as "usedAt", ${sourcesOfTokens(mappings, 'k')} as "claimSources"`

const codeByHash = statement<{ organisationId: string; codeHash: string; claimMappings: string | null }, DeviceCodeRow>(`
  select ${columnsWith(':claimMappings::jsonb')} from device_codes k where k.organisation_id = :organisationId and k.device_code_hash = :codeHash`)

const findCode = (
  database: Database,
  { organisationId, claimMappings }: OAuthClient,
  codeHash: string,
): Promise<DeviceCodeRow | undefined> => database.pointRead(codeByHash, { organisationId, codeHash, claimMappings: jsonOf(claimMappings) })

/** Finds the code before the client has authenticated; it finds nothing, too, when that will fail. */
const codeOfClient = statement<PresentedCredentials & { codeHash: string }, DeviceCodeRow>(
  `
  select ${columnsWith('c.claim_mappings')}
  from clients c
  join device_codes k on k.organisation_id = c.organisation_id and k.client_id = c.id and k.device_code_hash = :codeHash
  where ${clientAuthenticates}`,
  { crossesOrganisations: 'a client_id alone says of which organisation a client is' },
)
