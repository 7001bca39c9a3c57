import type { Finding, WrongServer } from '../../shared/doctor-findings/findings.ts'
import type { PassedOver } from '../../shared/servers-passed-over/texts.ts'
import { askServer, type ServerReport } from '../platform/database/ask-server.ts'
import { choosePrimary } from '../platform/database/choose-primary.ts'
import { serverName, serverUrls } from '../platform/database/server-addresses.ts'
import { failure, ok, warning } from './check.ts'

interface Found {
  server: string
  state: ServerReport | Error
}

interface Primary {
  server: string
  state: ServerReport
}

/** Asks each server of an address what it is, and compares them. */
export const checkServers = async (databaseUrl: string, behindBytesMax: number): Promise<Finding> => {
  const found = await Promise.all(
    serverUrls(databaseUrl).map(async (url): Promise<Found> => {
      const state = await askServer(url, new AbortController().signal).catch((error: Error) => error)
      return { server: serverName(url), state }
    }),
  )
  const { chosen, reasons } = choosePrimary(found)
  if (!chosen) return failure('no-primary', { servers: reasons.map(({ server, why }) => ({ server, why })) })
  const primary = found.find(({ server }) => server === chosen.server) as Primary
  const others = found.filter(({ server }) => server !== primary.server)
  const servers = others.flatMap((one) => {
    // Each but the chosen one has a reason.
    const { why } = reasons.find(({ server }) => server === one.server) as (typeof reasons)[number]
    return wrongWith(one, { primary, why, behindBytesMax }) ?? []
  })
  if (servers.length === 0) {
    return ok('servers-in-order', {
      primary: primary.server,
      others: others.map((one) => placeOf(one, primary.state)),
      isSynchronous: primary.state.isSynchronous,
    })
  }
  // A server that could be written to alone is worse than one that cannot take over.
  const state = servers.some(({ mistake }) => mistake === 'no-replica') ? failure : warning
  return state('servers-wrong', { primary: primary.server, servers })
}

function wrongWith(
  { server, state }: Found,
  { primary, why, behindBytesMax }: { primary: Primary; why: PassedOver; behindBytesMax: number },
): WrongServer | undefined {
  if (state instanceof Error) return { mistake: 'silent', server, why }
  // Another address of the primary.
  if (state.startedAt === primary.state.startedAt && !state.isReplica) return undefined
  if (state.system !== primary.state.system || !state.isReplica) return { mistake: 'no-replica', server, why }
  if (state.isPaused) return { mistake: 'paused', server }
  if (!state.isReceiving) return { mistake: 'receives-nothing', server }
  const behindBytes = bytesBehind(state, primary.state)
  return behindBytes > behindBytesMax ? { mistake: 'behind', server, behindBytes } : undefined
}

const placeOf = ({ server, state }: Found, primary: ServerReport) => ({
  server,
  behindBytes: state instanceof Error || !state.isReplica ? null : bytesBehind(state, primary),
})

/** The replica was asked at the same time, so it may be ahead of what the primary has said. */
const bytesBehind = (replica: ServerReport, primary: ServerReport): number =>
  Math.max(0, Number(positionOf(primary.position) - positionOf(replica.position)))

/** The number of bytes before a position in the log, such as `1/2A000060`. */
function positionOf(position: string): bigint {
  const [high = '0', low = '0'] = position.split('/')
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}
