import { lookup as lookUpInSystem, Resolver } from 'node:dns/promises'
import type { Resolve } from './outgoing.ts'

/** The codes of a DNS response that the name, or a record of the requested type, does not exist. */
const unknownToDns = new Set(['ENOTFOUND', 'ENODATA'])
/** The codes of a missing response, or of a name server that cannot find one. */
const unansweredByDns = new Set(['ECONNREFUSED', 'ESERVFAIL', 'EREFUSED'])

interface NameSources {
  resolver?: Pick<Resolver, 'resolve4' | 'resolve6'>
  lookup?: (hostname: string, options: { all: true }) => Promise<{ address: string }[]>
}

/**
 * Finds every address of a name: from DNS, or from the machine's own files and search domains. DNS is queried directly, because the
 * system's resolver occupies one of few threads until an unreachable name server times out, and password hashing needs the same threads.
 * So the system's resolver looks up one name at a time. If DNS works, it responds soon and the next name waits. Otherwise it may not
 * respond for long, and any other name is refused meanwhile.
 */
export function createNameResolver({
  resolver = new Resolver({ timeout: 2_000, tries: 2 }),
  lookup = lookUpInSystem,
}: NameSources = {}): Resolve {
  const underWay = new Map<string, Promise<string[]>>()
  let queue: Promise<unknown> = Promise.resolve()
  let isAskedInVain = false

  const lookUp = async (hostname: string) => (await lookup(hostname, { all: true })).map(({ address }) => address)

  /** Looks a name up after all earlier ones. */
  function lookUpInTurn(hostname: string): Promise<string[]> {
    const found = queue.then(() => lookUp(hostname))
    queue = found.catch(() => {})
    return found
  }

  async function lookUpAlone(hostname: string): Promise<string[]> {
    if (isAskedInVain) throw Object.assign(new Error(`DNS does not answer for ${hostname}`), { code: 'EAI_AGAIN', hostname })
    isAskedInVain = true
    try {
      return await lookUp(hostname)
    } finally {
      isAskedInVain = false
    }
  }

  return async (hostname) => {
    if (hostname === 'localhost' || hostname.endsWith('.localhost')) return ['127.0.0.1', '::1']
    const lookups = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    const addresses = lookups.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value : []))
    if (addresses.length > 0) return addresses
    const codes = lookups.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.code : undefined))
    const isUnanswered = codes.some((code) => unansweredByDns.has(code))
    const failure = lookups.find((outcome) => outcome.status === 'rejected')?.reason
    if (failure && !unknownToDns.has(failure.code) && !unansweredByDns.has(failure.code)) throw failure

    const found = underWay.get(hostname) ?? (isUnanswered ? lookUpAlone(hostname) : lookUpInTurn(hostname))
    underWay.set(hostname, found)
    const forget = () => void (underWay.get(hostname) === found && underWay.delete(hostname))
    found.then(forget, forget)
    return found
  }
}
