import { say } from '../../shared/checks/said.ts'
import { exchangedKeyPrefix } from '../access/explain-credentials.ts'
import type { RateLimits } from '../access/rate-limits.ts'
import type { Origin } from '../activity/actor.ts'
import { record } from '../activity/record.ts'
import { type ExchangeableKey, findExchangeableKey, holdCredential, insertExchangedKey } from '../api-keys/exchanged-keys.ts'
import { getApiKey, presentApiKey } from '../api-keys/queries.ts'
import type { OAuthExtensions } from '../clients/extensions.ts'
import { type DiagnosisStore, storeRefusal } from '../oauth/protocol/diagnostics.ts'
import type { FailedCheck } from '../oauth/protocol/errors.ts'
import { checkFederatedToken, type FederatedTokenDependencies } from '../oauth/protocol/federated-token.ts'
import { readJwt } from '../oauth/protocol/signed-by-client.ts'
import { secondsAfter } from '../platform/clock.ts'
import { hashSecret, newSecret } from '../platform/crypto/secrets.ts'
import { networkOf } from '../platform/http/addresses.ts'
import { exchangeRefused } from './refusals.ts'
import type { KeyExchange } from './schemas.ts'

export interface ExchangeDependencies extends DiagnosisStore, FederatedTokenDependencies {
  limits: RateLimits
  issuer: string
  oauthExtensions: OAuthExtensions
}

const lifetimeSeconds = 15 * 60

/**
 * Exchanges the token of a platform for a short-lived key with the permissions of an API key. It ends with that key: whatever ends the one is
 * found by each request of the other.
 *
 * @throws Problem `unauthorized`, the same for whatever is wrong; `too-many-requests`
 */
export async function exchangeKey(
  dependencies: ExchangeDependencies,
  origin: Origin,
  { apiKeyId, token }: KeyExchange,
): Promise<{ apiKey: string; expiresAt: Date }> {
  const { database, limits } = dependencies
  const address = origin.ipAddress ?? 'unknown'
  const key = await findExchangeableKey(database, apiKeyId)
  if (!key) {
    await limits.exchangesByAddress.count(address)
    throw exchangeRefused()
  }
  const ofKey = `${networkOf(address)} ${key.id}`
  return limits.exchangesByAddressAndKey.runQueued(ofKey, async () => {
    // Counted before, and released where it succeeds: of many at once, no more than the limit are tried.
    await limits.exchangesByAddressAndKey.count(ofKey)
    const exchanged = await exchange(dependencies, origin, key, token)
    if (!('failed' in exchanged)) {
      await limits.exchangesByAddressAndKey.release(ofKey)
      return exchanged
    }
    // No reference is returned: its absence would tell that a key is unknown.
    await storeRefusal(dependencies, address, {
      endpoint: 'api_key_exchange',
      error: 'exchange_refused',
      description: `the token cannot be exchanged for the API key ${key.name}`,
      check: exchanged.failed,
      client: undefined,
      parameters: undefined,
      apiKey: key,
    })
    // Beyond the limit it is refused as one for an unknown key would be.
    await limits.exchangesByAddress.count(address)
    throw exchangeRefused()
  })
}

async function exchange(
  dependencies: ExchangeDependencies,
  origin: Origin,
  key: ExchangeableKey,
  token: string,
): Promise<{ apiKey: string; expiresAt: Date } | { failed: FailedCheck }> {
  const { database, issuer } = dependencies
  const now = database.clock.now()
  const refuse = (wanted: FailedCheck['expected'], received: FailedCheck['received']) => ({
    failed: { name: 'federated_token', expected: wanted, received } as const,
  })
  const reason = whyInactive(key, now)
  if (reason) return refuse(say('active'), reason)
  const jwt = readJwt(token)
  if (!jwt) return refuse(say('a-signed-jwt'), say('another-value'))
  const expected = { name: 'federated_token', audiences: [issuer, `${issuer}/oauth2/token`], now } as const
  const checked = await checkFederatedToken(dependencies, key.federatedCredentials, jwt, expected)
  if ('failed' in checked) return checked

  const { credential } = checked
  const apiKey = newSecret(exchangedKeyPrefix)
  const inAWhile = secondsAfter(now, lifetimeSeconds)
  const expiresAt = key.expiresAt && key.expiresAt < inAWhile ? key.expiresAt : inAWhile
  const isMade = await database.transaction(key.organisationId, async (tenant) => {
    // The keys of an issuer may have been fetched meanwhile, for seconds.
    if (!(await holdCredential(tenant, key.id, credential))) return false
    await insertExchangedKey(tenant, { apiKeyId: key.id, keyHash: hashSecret(apiKey), expiresAt })
    const { createdByName: _, ...parent } = await getApiKey(tenant, key.id)
    await record(
      tenant,
      { actorType: 'api_key', actorId: key.id, name: key.name, ...origin },
      {
        action: 'api_key.exchanged',
        api_key: presentApiKey(parent),
        metadata: { credential: credential.name, issuer: credential.issuer, subject: String(jwt.claims.sub) },
      },
    )
    return true
  })
  return isMade ? { apiKey, expiresAt } : refuse(say('a-key-with-credentials'), say('another-value'))
}

/** Why a key has no rights at the moment; undefined when it has. */
function whyInactive({ expiresAt, hasUsableCreator, organisationStatus }: ExchangeableKey, now: Date) {
  if (expiresAt && expiresAt <= now) return say('expired')
  if (!hasUsableCreator) return say('its-user-has-no-access')
  return organisationStatus === 'suspended' || organisationStatus === 'cancelled' ? say('suspended') : undefined
}
