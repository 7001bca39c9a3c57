import type { FastifyRequest } from 'fastify'
import { bearerOf } from '../access/explain-credentials.ts'
import { sameSecret } from '../platform/crypto/secrets.ts'
import { callerAddress, canonicalAddress, isPrivateAddress } from '../platform/http/addresses.ts'
import { metricsFromInsideOnly, metricsTokenRequired } from './refusals.ts'

/** Decides who may read the metrics. */
export interface MetricsReaders {
  /** Required of every reader; undefined requires none. */
  metricsToken: string | undefined
  /** In production without a token, only private addresses may read. */
  production: boolean
}

/**
 * Refuses a request that may not read the metrics.
 *
 * @throws Problem `unauthorized` without the token, `forbidden` for an address of the internet
 */
export function checkMetricsReader(request: FastifyRequest, { metricsToken, production }: MetricsReaders): void {
  if (metricsToken !== undefined) {
    if (!sameSecret(bearerOf(request) ?? '', metricsToken)) throw metricsTokenRequired()
  } else if (production && !isFromInside(request)) throw metricsFromInsideOnly()
}

/** The headers that proxies add to a request which they forward. */
const headersOfProxies = /^(forwarded|via|x-forwarded-.*|x-real-ip|x-client-ip|true-client-ip|cf-connecting-ip)$/

function isFromInside(request: FastifyRequest): boolean {
  const peer = request.socket.remoteAddress
  // A proxy also has a private address. An untrusted one does not tell us whose request it forwards.
  const isForwarded = Object.keys(request.headers).some((name) => headersOfProxies.test(name))
  const isForStranger = isForwarded && callerAddress(request) === canonicalAddress(peer)
  return isPrivateAddress(peer) && isPrivateAddress(callerAddress(request)) && !isForStranger
}
