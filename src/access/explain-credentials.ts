import type { FastifyRequest } from 'fastify'
import { sameSecret } from '../platform/crypto/secrets.ts'
import type { Problem } from '../platform/http/problem.ts'
import {
  accessTokenNotAccepted,
  apiKeyInWrongHeader,
  apiKeyNotAccepted,
  authenticationRequired,
  invalidSystemKey,
  malformedAuthorization,
  systemKeyNotAccepted,
  unknownBearerToken,
} from './refusals.ts'

export const apiKeyPrefix = 'ak_'
/** That of a short-lived key for a token of a platform. No other key has a dot. */
export const exchangedKeyPrefix = 'ak_temp.'

/** The token of `Authorization: Bearer …`; undefined without one. */
export function bearerOf(request: FastifyRequest): string | undefined {
  const [scheme, token] = (request.headers.authorization ?? '').split(' ')
  return scheme?.toLowerCase() === 'bearer' ? token : undefined
}

/** Explains why a request without a session cookie has no caller, by the credentials that it carried instead. */
export function whyNotSignedIn(request: FastifyRequest, kind: 'admin' | 'self', systemApiKey: string): Problem {
  const misplaced = whyNoBearer(request)
  if (misplaced) return misplaced
  const token = bearerOf(request)
  if (!token) {
    const orKey = kind === 'admin' ? ', or an API key as Authorization: Bearer ak_…' : ''
    return authenticationRequired(`Send the session cookie of a sign-in with its CSRF token${orKey}`)
  }
  if (sameSecret(token, systemApiKey)) return systemKeyNotAccepted()
  // On the admin API, the key has already been looked up.
  if (token.startsWith(apiKeyPrefix)) return apiKeyNotAccepted()
  return isJwt(token) ? accessTokenNotAccepted() : unknownBearerToken()
}

/** Explains why a request to the system API is not the operator's. */
export function whyNotTheOperator(request: FastifyRequest): Problem {
  const misplaced = whyNoBearer(request)
  if (misplaced) return misplaced
  const token = bearerOf(request)
  if (!token) return authenticationRequired('Send the system API key as Authorization: Bearer <SYSTEM_API_KEY>')
  return token.startsWith(apiKeyPrefix) ? apiKeyNotAccepted() : invalidSystemKey()
}

function whyNoBearer(request: FastifyRequest): Problem | undefined {
  const { authorization } = request.headers
  if (authorization !== undefined) return bearerOf(request) ? undefined : malformedAuthorization()
  return request.headers['x-api-key'] === undefined ? undefined : apiKeyInWrongHeader()
}

const isJwt = (token: string) => /^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)
