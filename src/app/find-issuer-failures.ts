import type { Clock } from '../platform/clock.ts'
import type { Outgoing } from '../platform/http/outgoing-fetch.ts'

/** Fetches the keys of platforms as a request with one of their tokens would, and says which ones have none, and why. */
export async function findIssuerFailures(
  outgoing: Outgoing,
  clock: Clock,
  issuers: readonly string[],
): Promise<{ issuer: string; reason: string }[]> {
  const [{ clientKeysMaxBytes, createClientKeySets }, { createIssuerKeys }] = await Promise.all([
    import('../oauth/protocol/client-key-sets.ts'),
    import('../oauth/protocol/issuer-keys.ts'),
  ])
  const documents = createIssuerKeys(outgoing.fetch('document of the issuer', clientKeysMaxBytes), clock)
  const sets = createClientKeySets(outgoing.fetch('key set of the client', clientKeysMaxBytes), clock)
  const failures = await Promise.all(
    issuers.map(async (issuer) => {
      const found = await documents.find(issuer)
      const read = 'failure' in found ? found : await sets.read(found.jwksUri, (keys) => keys.length > 0)
      const reason = 'failure' in read ? read.failure : read.keys.length === 0 ? 'no key that can be used' : undefined
      return reason === undefined ? [] : [{ issuer, reason }]
    }),
  )
  return failures.flat()
}
