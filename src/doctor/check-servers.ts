import { askServer, type ServerReport } from '../platform/database/ask-server.ts'
import { choosePrimary } from '../platform/database/choose-primary.ts'
import { serverName, serverUrls } from '../platform/database/server-addresses.ts'
import { type Check, failure, ok, size, warning } from './check.ts'

interface Found {
  server: string
  state: ServerReport | Error
}

interface Wrong {
  state: 'warning' | 'failure'
  seen: string
  why: string
  remedy: string
}

const withoutSuccessor = 'If the primary fails, it cannot take over, and what it lacks would be lost'

/** Asks each server of an address what it is, and compares them. */
export const checkServers = async (databaseUrl: string, behindBytes: number): ReturnType<Check['run']> => {
  const found = await Promise.all(
    serverUrls(databaseUrl).map(async (url): Promise<Found> => {
      const state = await askServer(url, new AbortController().signal).catch((error: Error) => error)
      return { server: serverName(url), state }
    }),
  )
  const { chosen, reasons } = choosePrimary(found)
  if (!chosen) {
    return failure(reasons.map(({ server, reason }) => `${server}: ${reason}`).join('; '), {
      why: 'The service does not know which of them to write to, and writes to none',
      remedy: 'Leave one primary: start it, or promote a replica; stop each other server that takes writes, and make it a replica',
    })
  }
  const primary = found.find(({ server }) => server === chosen.server) as { server: string; state: ServerReport }
  const others = found.filter(({ server }) => server !== primary.server)
  const wrong = others.flatMap((one) => {
    const reason = reasons.find(({ server }) => server === one.server)?.reason ?? ''
    return wrongWith(one, { primary, reason, behindBytes }) ?? []
  })
  const waits = primary.state.isSynchronous ? 'a commit waits for a replica' : 'no commit waits for a replica (synchronous_standby_names)'
  if (wrong.length === 0)
    return ok([`${primary.server} is the primary`, ...others.map((one) => placeOf(one, primary.state)), waits].join('; '))
  const textOf = (part: 'seen' | 'why' | 'remedy') => [...new Set(wrong.map((one) => one[part]))].join('; ')
  return (wrong.some(({ state }) => state === 'failure') ? failure : warning)(`${primary.server} is the primary; ${textOf('seen')}`, {
    why: textOf('why'),
    remedy: textOf('remedy'),
  })
}

function wrongWith(
  { server, state }: Found,
  { primary, reason, behindBytes }: { primary: { server: string; state: ServerReport }; reason: string; behindBytes: number },
): Wrong | undefined {
  if (state instanceof Error) {
    return {
      state: 'warning',
      seen: `${server} does not say what it is: ${reason}`,
      why: withoutSuccessor,
      remedy: `Start PostgreSQL on ${server}, and let this machine in; or remove it from DATABASE_URL`,
    }
  }
  // Another address of the primary.
  if (state.startedAt === primary.state.startedAt && !state.isReplica) return undefined
  if (state.system !== primary.state.system || !state.isReplica) {
    return {
      state: 'failure',
      seen: `${server} is no replica: ${reason}`,
      why: 'A process that reaches it alone could write to it what the primary never gets',
      remedy: `Stop ${server} and make it a replica of ${primary.server}: by pg_rewind, or anew by pg_basebackup -R`,
    }
  }
  if (state.isPaused) {
    return {
      state: 'warning',
      seen: `${server} has stopped replaying`,
      why: withoutSuccessor,
      remedy: `Run on ${server}: SELECT pg_wal_replay_resume()`,
    }
  }
  if (!state.isReceiving) {
    return {
      state: 'warning',
      seen: `${server} receives nothing`,
      why: withoutSuccessor,
      remedy: `Have primary_conninfo of ${server} name ${primary.server}, and look into its log; if it needs what the primary no longer has, make it anew by pg_basebackup -R`,
    }
  }
  const behind = bytesBehind(state, primary.state)
  if (behind <= behindBytes) return undefined
  return {
    state: 'warning',
    seen: `${server} is ${size(behind)} behind`,
    why: withoutSuccessor,
    remedy: `Look at pg_stat_replication on ${primary.server}: at the network if sent_lsn is behind, else at the disk of ${server}`,
  }
}

const placeOf = ({ server, state }: Found, primary: ServerReport): string =>
  state instanceof Error || !state.isReplica
    ? `${server} leads to it, too`
    : `${server} is a replica, ${size(bytesBehind(state, primary))} behind`

/** The replica was asked at the same time, so it may be ahead of what the primary has said. */
const bytesBehind = (replica: ServerReport, primary: ServerReport): number =>
  Math.max(0, Number(positionOf(primary.position) - positionOf(replica.position)))

/** The number of bytes before a position in the log, such as `1/2A000060`. */
function positionOf(position: string): bigint {
  const [high = '0', low = '0'] = position.split('/')
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}
