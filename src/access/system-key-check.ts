import type { FastifyRequest } from 'fastify'
import { sameSecret } from '../platform/crypto/secrets.ts'
import { bearerOf, whyNotTheOperator } from './explain-credentials.ts'

/** The system API's one key. */
export function checkSystemKey(request: FastifyRequest, systemApiKey: string): void {
  if (!sameSecret(bearerOf(request) ?? '', systemApiKey)) throw whyNotTheOperator(request)
}
