import { Resolver } from 'node:dns/promises'
import { cutText } from '../platform/text.ts'

/** The response of a name server about the name of a challenge. */
export interface DnsAnswer {
  /** `NOERROR`, or why there are no records: `NXDOMAIN`, `NODATA`, `SERVFAIL`, `TIMEOUT` and the like. */
  status: string
  records: string[]
}

export interface ChallengeLookup {
  isPresent: boolean
  answers: DnsAnswer[]
}

/** Finds out whether the record of a challenge is in the DNS. */
export type FindChallenge = (domain: string, challenge: string) => Promise<ChallengeLookup>

export const challengeName = (domain: string): string => `_gatehouse.${domain}`
export const challengeValue = (challenge: string): string => `gatehouse-domain=${challenge}`

/** Two servers, because a single one could be deceived. */
const serversMax = 2
const timeoutMilliseconds = 1_000
const tries = 2
const shownRecordsMax = 10
const shownCharactersMax = 255
const statuses: Readonly<Record<string, string>> = {
  ENOTFOUND: 'NXDOMAIN',
  ENODATA: 'NODATA',
  ESERVFAIL: 'SERVFAIL',
  EREFUSED: 'REFUSED',
  ETIMEOUT: 'TIMEOUT',
  ECONNREFUSED: 'UNREACHABLE',
}
/** The codes that deny that a record exists, unlike a failed query. */
const denials = new Set(['NXDOMAIN', 'NODATA'])

/**
 * Queries two name servers for the record of a challenge. The record exists when one has it and the other does not contradict: a
 * server that fails decides nothing. Nothing is cached.
 *
 * @param servers `address` or `address:port`; those of the system when undefined
 */
export function createFindChallenge(servers: readonly string[] | undefined): FindChallenge {
  return async (domain, challenge) => {
    const asked = (servers ?? new Resolver().getServers()).slice(0, serversMax)
    const lookups = await Promise.all(asked.map((server) => ask(server, challengeName(domain))))
    const hasValue = lookups.map(({ records }) => records.includes(challengeValue(challenge)))
    const isDenied = lookups.some(({ status }, index) => !hasValue[index] && (status === 'NOERROR' || denials.has(status)))
    return { isPresent: hasValue.includes(true) && !isDenied, answers: lookups.map(presentAnswer) }
  }
}

async function ask(server: string, name: string): Promise<DnsAnswer> {
  const resolver = new Resolver({ timeout: timeoutMilliseconds, tries })
  resolver.setServers([server])
  try {
    const records = await resolver.resolveTxt(name)
    // A long text is stored in pieces.
    return { status: 'NOERROR', records: records.map((pieces) => pieces.join('')) }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'UNKNOWN'
    return { status: statuses[code] ?? code.replace(/^E/, ''), records: [] }
  }
}

const presentAnswer = ({ status, records }: DnsAnswer): DnsAnswer => ({
  status,
  records: records.slice(0, shownRecordsMax).map((record) => cutText(record, shownCharactersMax).toWellFormed()),
})
