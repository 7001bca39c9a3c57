import { lookup, Resolver } from 'node:dns/promises'
import type { Resolve } from './outgoing.ts'

const notInDns = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED', 'ESERVFAIL', 'EREFUSED'])

/**
 * Finds every address of a name: from DNS, or from the machine's own files and search domains. DNS is queried directly, because
 * the system's resolver occupies one of few threads until an unreachable name server times out, and password hashing needs
 * the same threads.
 */
export function createNameResolver(): Resolve {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  return async (hostname) => {
    if (hostname === 'localhost' || hostname.endsWith('.localhost')) return ['127.0.0.1', '::1']
    const lookups = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    const addresses = lookups.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value : []))
    if (addresses.length > 0) return addresses
    const failure = lookups.find((outcome) => outcome.status === 'rejected')?.reason
    if (failure && !notInDns.has(failure.code)) throw failure
    return (await lookup(hostname, { all: true })).map(({ address }) => address)
  }
}
