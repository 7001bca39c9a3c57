import type pg from 'pg'
import { askServer } from './ask-server.ts'
import { type Asked, choosePrimary, type KnownPrimary } from './choose-primary.ts'
import { dropConnection } from './end-connection.ts'
import { NoPrimary } from './no-primary.ts'
import { serverName } from './server-addresses.ts'

/** How long a search waits for the other servers after the first that takes writes: it may be a former primary. */
const othersMilliseconds = 1_000
/** How often the others are asked whether one of them was promoted while the primary still seems to be one. */
const watchMilliseconds = 2_000
/** How long a search that found none stands for those after it, so that requests do not flood the servers with questions. */
const noneMilliseconds = 100

export interface PrimarySearch {
  /** The address of the server to write to. @throws NoPrimary, or the error that all of the servers have in common */
  find(): Promise<string>
  /** @param client a connection that was just opened to a server that {@link find} has named; it is dropped when another one is promoted */
  opened(client: pg.Client, serverUrl: string): void
  /** A connection to a server was lost, or the server takes no writes: the next connection looks again. */
  lost(serverUrl: string): void
  /** From now on notices when one of the other servers is promoted. @returns what ends it */
  watch(): () => void
}

/** Looks among several servers for the primary. It remembers the newest time line, so that it never returns to a former primary. */
export function createPrimarySearch(serverUrls: readonly string[]): PrimarySearch {
  const connections = new Map<pg.Client, string>()
  let known: KnownPrimary | undefined
  let primaryUrl: string | undefined
  let searching: Promise<string> | undefined
  let losses = 0

  const urlOf = (name: string) => serverUrls.find((url) => serverName(url) === name) as string

  function adopt(serverUrl: string, state: KnownPrimary): void {
    known = state
    for (const [client, url] of connections) if (url !== serverUrl) dropConnection(client, noPrimaryAnyMore(serverUrl))
  }

  async function search(): Promise<string> {
    const lossesBefore = losses
    const asked = await askAll(serverUrls)
    const { chosen, reasons } = choosePrimary(asked, known)
    if (!chosen) throw commonError(asked) ?? new NoPrimary(reasons)
    const url = urlOf(chosen.server)
    adopt(url, chosen.state)
    // What was lost meanwhile may have been this server.
    if (losses === lossesBefore) primaryUrl = url
    return url
  }

  function find(): Promise<string> {
    if (primaryUrl !== undefined) return Promise.resolve(primaryUrl)
    const forget = () => {
      searching = undefined
    }
    searching ??= search().then(
      (url) => {
        forget()
        return url
      },
      (error) => {
        setTimeout(forget, noneMilliseconds).unref()
        throw error
      },
    )
    return searching
  }

  async function lookForPromoted(ended: AbortController): Promise<void> {
    const before = primaryUrl
    const timeline = known?.timeline ?? 0
    if (before === undefined) return
    const asked = await askAll(
      serverUrls.filter((url) => url !== before),
      ended,
    )
    const promoted = asked.filter(({ state }) => !(state instanceof Error) && (state.timeline ?? 0) > timeline)
    const { chosen } = choosePrimary(promoted, known)
    if (!chosen || primaryUrl !== before) return
    primaryUrl = urlOf(chosen.server)
    adopt(primaryUrl, chosen.state)
  }

  return {
    find,
    opened(client, serverUrl) {
      connections.set(client, serverUrl)
      client.once('end', () => connections.delete(client))
      // Another one may have been promoted while it was being opened.
      if (primaryUrl !== undefined && primaryUrl !== serverUrl) dropConnection(client, noPrimaryAnyMore(primaryUrl))
    },
    lost(serverUrl) {
      losses++
      if (primaryUrl === serverUrl) primaryUrl = undefined
    },
    watch() {
      let looking: AbortController | undefined
      const timer = setInterval(async () => {
        if (looking) return
        looking = new AbortController()
        await lookForPromoted(looking)
        looking = undefined
      }, watchMilliseconds).unref()
      return () => {
        clearInterval(timer)
        looking?.abort()
      }
    },
  }
}

const noPrimaryAnyMore = (primaryUrl: string) => new Error(`connection terminated: ${serverName(primaryUrl)} is the primary now`)

/** Asks servers at the same time. Those that are late when one of them takes writes are left out. */
async function askAll(serverUrls: readonly string[], late = new AbortController()): Promise<Asked[]> {
  const enough = Promise.withResolvers<void>()
  const asked: Asked[] = serverUrls.map((url) => ({ server: serverName(url), state: new Error('it has not responded in time') }))
  let patience: NodeJS.Timeout | undefined
  const asking = serverUrls.map(async (url, index) => {
    const state = await askServer(url, late.signal).catch((error: Error) => error)
    if (late.signal.aborted) return
    asked[index] = { server: serverName(url), state }
    if (!(state instanceof Error) && state.takesWrites) patience ??= setTimeout(enough.resolve, othersMilliseconds)
  })
  await Promise.race([Promise.all(asking), enough.promise])
  clearTimeout(patience)
  late.abort()
  return asked
}

/** The error with which all servers have failed, such as that of a wrong password. */
function commonError(asked: readonly Asked[]): Error | undefined {
  const errors = asked.map(({ state }) => state).filter((state) => state instanceof Error)
  const codes = new Set(errors.map((error) => (error as { code?: unknown }).code))
  return errors.length === asked.length && codes.size === 1 && !codes.has(undefined) ? errors[0] : undefined
}
