import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import type { CommonOptions } from '../add-command.ts'
import { jsonOf, print } from '../print.ts'
import { textOf } from '../table.ts'
import type { ApiRecord } from './kind.ts'

const askAgainMilliseconds = 1_000
const shownAtFirst = 10
/** How many entries are read again for new ones: an entry may be committed after a later one. */
const lookedBack = 100

/** Prints the latest entries, and new ones, until it is told to stop. @param latest the entries, newest first, page by page */
export async function follow(latest: (most: number) => AsyncIterable<ApiRecord>, options: CommonOptions): Promise<void> {
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())
  let known = new Set<unknown>()
  for (let isFirst = true; !stopping.signal.aborted; isFirst = false) {
    const entries: ApiRecord[] = []
    // Once a known entry is reached, all entries since have been read.
    let isReached = false
    for await (const entry of latest(isFirst ? lookedBack : Number.POSITIVE_INFINITY)) {
      isReached ||= known.has(entry.id)
      entries.push(entry)
      if (isReached && entries.length >= lookedBack) break
    }
    const added = entries.filter(({ id }) => !known.has(id)).reverse()
    for (const entry of isFirst ? added.slice(-shownAtFirst) : added) print(options.json ? `${jsonOf(entry)}\n` : lineOf(entry))
    known = new Set(entries.map(({ id }) => id))
    await pause(askAgainMilliseconds, undefined, { signal: stopping.signal }).catch(() => {})
  }
}

const lineOf = ({ createdAt, action, actor, target }: ApiRecord) =>
  `${[createdAt, action, textOf(actor), textOf(target)].map(String).join('  ')}\n`
