import type { FastifyRequest } from 'fastify'
import { bearerOf } from '../access/explain-credentials.ts'
import { sameSecret } from '../platform/crypto/secrets.ts'
import { callerAddress, canonicalAddress, isPrivateAddress } from '../platform/http/addresses.ts'
import { metricsFromInsideOnly, metricsTokenRequired } from './refusals.ts'

/** Who may read the metrics. */
export interface MetricsReaders {
  /** Asked of every reader; undefined asks none. */
  metricsToken: string | undefined
  /** In production, where there is no token, only the inside may read. */
  production: boolean
}

/**
 * Lets in who may read the metrics.
 *
 * @throws Problem `unauthorized` without the token, `forbidden` for an address of the internet
 */
export function checkMetricsReader(request: FastifyRequest, { metricsToken, production }: MetricsReaders): void {
  if (metricsToken !== undefined) {
    if (!sameSecret(bearerOf(request) ?? '', metricsToken)) throw metricsTokenRequired()
  } else if (production && !isFromInside(request)) throw metricsFromInsideOnly()
}

function isFromInside(request: FastifyRequest): boolean {
  const peer = request.socket.remoteAddress
  // A proxy has a private address as well: of one that is not trusted nothing says whom it asks for.
  const isForStranger = request.headers['x-forwarded-for'] !== undefined && callerAddress(request) === canonicalAddress(peer)
  return isPrivateAddress(peer) && isPrivateAddress(callerAddress(request)) && !isForStranger
}
