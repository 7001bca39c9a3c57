/** POST /oauth2/device_authorization (RFC 8628 §3.1): a device without a browser asks for a code that its user enters elsewhere. */
import { z } from 'zod'
import type { RateLimits } from '../../access/rate-limits.ts'
import type { OAuthExtensions } from '../../clients/extensions.ts'
import type { Keyring } from '../../platform/crypto/keyring.ts'
import type { Database } from '../../platform/database/database.ts'
import { isSecret } from '../../platform/http/fields.ts'
import { Problem } from '../../platform/http/problem.ts'
import { countTogether } from '../../platform/rate-limits/rate-limit.ts'
import { storeDeviceRequest } from '../authorization/device-requests.ts'
import { deviceCodeGrantType } from '../grants/device-code.ts'
import type { Requester } from '../grants/grant.ts'
import { organisationSuspended } from '../protocol/common-errors.ts'
import { OAuthError } from '../protocol/errors.ts'
import type { OAuthClient } from '../protocol/queries.ts'
import { findAskedResources, scopesForResources } from '../protocol/resources.ts'
import { scopeForUser, scopeForUserAt } from '../protocol/scope.ts'
import type { DeviceAuthorizationParameters } from './parameters.ts'

export const DeviceAuthorization = z
  .object({
    device_code: z.string().meta({
      ...isSecret,
      description: 'What the device polls the token endpoint with',
      example: 'GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS4s',
    }),
    user_code: z.string().meta({ ...isSecret, description: 'What the device shows', example: 'BCDF-GHJK' }),
    verification_uri: z.string().meta({ description: 'Where the user enters the code', example: 'https://id.example.com/device' }),
    verification_uri_complete: z.string().meta({
      ...isSecret,
      description: 'The same with the code filled in, for a QR code. The user still compares the code',
      example: 'https://id.example.com/device?user_code=BCDF-GHJK',
    }),
    expires_in: z.number().int().meta({ description: 'Seconds', example: 600 }),
    interval: z.number().int().meta({ description: 'Seconds to wait between two requests of the token endpoint', example: 5 }),
  })
  .meta({ component: 'DeviceAuthorization' })

interface DeviceAuthorizationDependencies {
  database: Database
  keyring: Keyring
  limits: RateLimits
  issuer: string
  oauthExtensions: OAuthExtensions
}

/** @throws OAuthError `unauthorized_client`, `invalid_scope`, `invalid_target`, `access_denied` for a suspended organisation, `temporarily_unavailable` beyond the limits */
export async function authorizeDevice(
  { database, keyring, limits, issuer, oauthExtensions }: DeviceAuthorizationDependencies,
  { client, origin }: Requester,
  { scope: asked, resource }: DeviceAuthorizationParameters,
): Promise<z.infer<typeof DeviceAuthorization>> {
  if (!client.grantTypes.includes(deviceCodeGrantType)) {
    const check = { name: 'grant_type', expected: client.grantTypes, received: deviceCodeGrantType } as const
    throw new OAuthError('unauthorized_client', `the client may not use ${deviceCodeGrantType}`, check)
  }
  if (client.organisationStatus === 'suspended') throw organisationSuspended()
  const resources = await findAskedResources(database, client, resource, oauthExtensions)
  const scope = resources ? scopeForUserAt(scopesForResources(resources, client.scopes), asked) : scopeForUser(asked, client.scopes)
  const counted = [
    [limits.deviceCodesByAddress, origin.ipAddress ?? ''],
    [limits.deviceCodesByClient, client.id],
  ] as const
  await countTogether(...counted).catch((error: unknown) => refuseTooMany(error, client))
  const { deviceCode, userCode, expiresInSeconds, intervalSeconds } = await storeDeviceRequest(
    { database, keyring },
    client,
    { scope, resources: resources?.asked.map(({ id }) => id) },
    origin,
  )
  const page = `${issuer}/device`
  return {
    device_code: deviceCode,
    user_code: userCode,
    verification_uri: page,
    verification_uri_complete: `${page}?${new URLSearchParams({ user_code: userCode })}`,
    expires_in: expiresInSeconds,
    interval: intervalSeconds,
  }
}

function refuseTooMany(error: unknown, client: OAuthClient): never {
  if (!(error instanceof Problem)) throw error
  const retryAfter = error.headers['retry-after'] ?? '60'
  throw new OAuthError(
    'temporarily_unavailable',
    'too many codes for devices, try again later',
    { name: 'rate_limit' },
    { retryAfter, client },
  )
}
