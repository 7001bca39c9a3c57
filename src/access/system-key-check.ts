import type { FastifyRequest } from 'fastify'
import { sameSecret } from '../platform/crypto/secrets.ts'
import { invalidSystemKey } from './refusals.ts'

/** The system API's one key. */
export function checkSystemKey(request: FastifyRequest, systemApiKey: string): void {
  if (!sameSecret(bearerOf(request) ?? '', systemApiKey)) throw invalidSystemKey()
}

/** What stands in `Authorization: Bearer …`; undefined when nothing does. */
export function bearerOf(request: FastifyRequest): string | undefined {
  const [scheme, token] = (request.headers.authorization ?? '').split(' ')
  return scheme?.toLowerCase() === 'bearer' ? token : undefined
}
