import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { isDatabaseGone } from '../../platform/database/outage.ts'
import { Problem } from '../../platform/http/problem.ts'
import type { CommonOptions } from '../add-command.ts'
import { CommandFailure, linesOfFailure } from '../failures.ts'
import { jsonOf, print, printNotice } from '../print.ts'
import { textOf } from '../table.ts'
import type { ApiRecord } from './kind.ts'

const askAgainMilliseconds = 1_000
const askAgainMaxMilliseconds = 30_000
const shownAtFirst = 10
/** How many entries are read again for new ones: an entry may be committed after a later one. */
const lookedBack = 100

/**
 * Prints the latest entries, and new ones, until it is told to stop. A service that goes away meanwhile is said once, and asked again.
 *
 * @param latest the entries, newest first, page by page
 */
export async function follow(latest: (most: number) => AsyncIterable<ApiRecord>, options: CommonOptions): Promise<void> {
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())
  let known: Set<unknown> | undefined
  let failures = 0
  while (!stopping.signal.aborted) {
    try {
      known = await printNew(latest, known, options)
      if (failures > 0) printNotice('The service answers again')
      failures = 0
    } catch (error) {
      if (known === undefined || !isPassing(error)) throw error
      if (failures === 0) printNotice(...linesOfFailure(error), 'It is asked again until it answers')
      failures++
    }
    const milliseconds = Math.min(askAgainMilliseconds * 2 ** failures, askAgainMaxMilliseconds)
    await pause(milliseconds, undefined, { signal: stopping.signal }).catch(() => {})
  }
}

/** @returns the entries that are printed, or were before it began to follow */
async function printNew(
  latest: (most: number) => AsyncIterable<ApiRecord>,
  known: ReadonlySet<unknown> | undefined,
  options: CommonOptions,
): Promise<Set<unknown>> {
  const entries: ApiRecord[] = []
  // Once a known entry is reached, all entries since have been read.
  let isReached = false
  for await (const entry of latest(known ? Number.POSITIVE_INFINITY : lookedBack)) {
    isReached ||= known?.has(entry.id) ?? false
    entries.push(entry)
    if (isReached && entries.length >= lookedBack) break
  }
  const added = entries.filter(({ id }) => !known?.has(id)).reverse()
  for (const entry of known ? added : added.slice(-shownAtFirst)) print(options.json ? `${jsonOf(entry)}\n` : lineOf(entry))
  return new Set(entries.map(({ id }) => id))
}

/** A service that restarts, or its database; a refusal stays. */
const isPassing = (error: unknown) =>
  error instanceof CommandFailure || isDatabaseGone(error) || (error instanceof Problem && error.slug === 'service-unavailable')

const lineOf = ({ createdAt, action, actor, target }: ApiRecord) =>
  `${[createdAt, action, textOf(actor), textOf(target)].map(String).join('  ')}\n`
