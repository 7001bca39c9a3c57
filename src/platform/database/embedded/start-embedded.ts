import { isAbsolute, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { QueryResult } from 'kysely'
import type { Engine, Query } from '../engine.ts'
import { retry } from '../retry.ts'
import { hasRoom } from './disk-guard.ts'
import { errorOf } from './failure.ts'
import type { EmbeddedOptions } from './pglite-options.ts'
import type { Message, Outcome, Task } from './pglite-thread.ts'

const reopenMilliseconds = 1_000

const [begin, commit, rollback] = ['begin', 'commit', 'rollback'].map((sql): Query => ({ sql, parameters: [] })) as [Query, Query, Query]

/** The role of the whole session. A database that has not been migrated has no such role. */
const takeOnSystemRole: Query = {
  sql: "select set_config('role', 'gatehouse_system', false) from pg_roles where rolname = 'gatehouse_system'",
  parameters: [],
}
/** Leaves the role, for statements that cannot run in a transaction. */
const leaveSystemRole: Query = { sql: 'reset role', parameters: [] }
/** Takes the owner's role for one transaction. */
const takeOnOwnerRole: Query = { sql: "select set_config('role', 'none', true)", parameters: [] }

/**
 * Starts PostgreSQL in a thread of this process, so that its statements do not block requests. It has one connection, which transactions
 * use one after another. The connection has the role `gatehouse_system`, each transaction of an organisation `gatehouse_tenant`, and
 * migrations the superuser that has logged in. Requests before the start has finished wait for it, or fail with its error.
 *
 * When PostgreSQL gives up, as it does when it cannot write its log, or its thread ends in another way, running statements fail, and it is
 * restarted as soon as its disk has room: it recovers committed data, as after a crash.
 */
export function startEmbedded(options: EmbeddedOptions): Engine {
  const listeners = new Map<string, () => void>()
  let thread = start()
  let isClosing = false
  let reopening: Promise<void> | undefined

  function start(): Thread {
    const started = startThread(options, {
      onNotice: (channel) => listeners.get(channel)?.(),
      onGaveUp() {
        if (started === thread) reopening = reopen()
      },
    })
    return started
  }

  async function reopen(): Promise<void> {
    // Two of them on the same files would destroy them.
    await thread.ended
    while (!isClosing) {
      await pause(reopenMilliseconds)
      if (options.dataDir && !(await hasRoom(options.dataDir).catch(() => false))) continue
      const started = start()
      try {
        await run(started, [takeOnSystemRole])
        for (const channel of listeners.keys()) await started.ask({ kind: 'listen', channel })
      } catch {
        await started.terminate()
        continue
      }
      thread = started
      for (const onNotice of listeners.values()) onNotice()
      return
    }
  }

  const run = (on: Thread, statements: Query[], answered = statements.length - 1) => on.ask({ kind: 'run', statements, answered })
  const ask = (statements: Query[], answered?: number) => run(thread, statements, answered)

  // Resolves when no earlier transaction is open.
  let free: Promise<unknown> = ask([takeOnSystemRole]).catch(() => {})

  const transaction: Engine['transaction'] = (work, setUp) => {
    const done = free.then(() =>
      retry(async () => {
        // Its statements are refused once another thread has replaced this one.
        const on = thread
        // This is sent with the first statement, in the same message.
        let opening = [begin, ...(setUp ? [statementOf(setUp)] : [])]
        let hasFailed = false
        try {
          const value = await work({
            async execute(query) {
              const statements = [...opening, statementOf(query)]
              opening = []
              try {
                const answer = await run(on, statements)
                // Nothing succeeds after a failure but the return to a savepoint, and what follows it.
                hasFailed = false
                return resultOf(answer)
              } catch (error) {
                hasFailed = true
                throw error
              }
            },
          })
          if (hasFailed) throw new Error('The transaction had failed and was rolled back')
          if (opening.length === 0) await run(on, [commit])
          return value
        } catch (error) {
          if (opening.length === 0) await run(on, [rollback]).catch(() => {})
          throw error
        }
      }),
    )
    free = done.catch(() => {})
    return done
  }

  /** Statements as the superuser may have created the role, or left it. If the role cannot be taken on, no further statement may run. */
  function takeOnSystemRoleAfter(done: Promise<unknown>): void {
    const takenOn = done
      .catch(() => {})
      .then(async () => {
        const on = thread
        await run(on, [takeOnSystemRole]).catch((error) => {
          // The next thread begins with it.
          if (!on.hasGivenUp()) throw error
        })
      })
    // The awaiting caller gets the error.
    takenOn.catch(() => {})
    free = takenOn
  }

  // The thread preserves the order, so the next request need not wait for a response.
  const execute: Engine['execute'] = (query, setUp) =>
    retry(async () => {
      await free
      if (!setUp) return resultOf(await ask([statementOf(query)]))
      return resultOf(await ask([begin, statementOf(setUp), statementOf(query), commit], 2))
    })

  return {
    kind: 'pglite',
    execute,
    pointRead: execute,
    keyedWrite: (query) => execute(query),
    transaction,
    ownerTransaction(work) {
      const done = transaction(work, takeOnOwnerRole)
      takeOnSystemRoleAfter(done)
      return done
    },
    async listen(channel, onNotice) {
      listeners.set(channel, onNotice)
      await free
      await thread.ask({ kind: 'listen', channel })
    },
    backUp(folder) {
      const done = free.then(() => thread.ask({ kind: 'backUp', folder })).then(() => {})
      free = done.catch(() => {})
      return done
    },
    maintain(work, table) {
      const statement: Query = { sql: `${work} "${table.replaceAll('"', '""')}"`, parameters: [] }
      const done = free.then(() => ask([leaveSystemRole, statement, takeOnSystemRole], 1)).then(() => {})
      takeOnSystemRoleAfter(done)
      return done
    },
    async close() {
      isClosing = true
      await free
      await reopening
      if (thread.hasGivenUp()) return
      await thread.ask({ kind: 'close' })
      await thread.ended
    },
  }
}

interface Thread {
  ask(task: Task): Promise<Outcome>
  /** Resolves when no part of the thread runs any more. */
  ended: Promise<unknown>
  terminate(): Promise<unknown>
  hasGivenUp(): boolean
}

interface ThreadEvents {
  onNotice(channel: string): void
  onGaveUp(): void
}

function startThread(options: EmbeddedOptions, { onNotice, onGaveUp }: ThreadEvents): Thread {
  const worker = new Worker(new URL('./pglite-thread.ts', import.meta.url), { workerData: options })
  const waiting = new Map<number, PromiseWithResolvers<Outcome>>()
  const ended = Promise.withResolvers<void>()
  let reasonOfEnd: Error | undefined
  let hasStarted = false
  let hasGivenUp = false
  let asked = 0

  function end(reason: Error): void {
    reasonOfEnd ??= reason
    for (const { reject } of waiting.values()) reject(reasonOfEnd)
    waiting.clear()
  }
  function giveUp(reason: Error): void {
    if (reasonOfEnd) return
    hasGivenUp = true
    end(reason)
    onGaveUp()
  }
  // What prevents the start would prevent the next one, too. Later, the thread has run out of memory.
  worker.on('error', (error) => (hasStarted ? giveUp(new Error(`connection terminated: ${error.message}`, { cause: error })) : end(error)))
  worker.on('exit', () => {
    giveUp(new Error('connection terminated: the embedded database has stopped'))
    ended.resolve()
  })
  worker.on('message', (message: Message) => {
    if (message.kind === 'notice') onNotice(message.channel)
    else if (message.kind === 'gaveUp') {
      giveUp(mayNotUse(message.reason, options.dataDir) ?? new Error(`connection terminated: ${message.reason}`))
    } else {
      hasStarted = true
      const answer = waiting.get(message.id)
      waiting.delete(message.id)
      if (message.kind === 'done') answer?.resolve(message.outcome)
      else answer?.reject(errorOf(message.failure))
    }
  })
  return {
    ask(task) {
      if (reasonOfEnd) return Promise.reject(reasonOfEnd)
      const answer = Promise.withResolvers<Outcome>()
      const id = asked++
      waiting.set(id, answer)
      worker.postMessage({ id, task })
      return answer.promise
    },
    ended: ended.promise,
    terminate: () => worker.terminate(),
    hasGivenUp: () => hasGivenUp,
  }
}

/** A file of another user is an error of the file system: waiting for the database would not help. */
function mayNotUse(reason: string, folder = ''): NodeJS.ErrnoException | undefined {
  const [, file] = /file "([^"]+)": Permission denied/.exec(reason) ?? []
  if (file === undefined) return undefined
  const path = isAbsolute(file) ? file : join(folder, file)
  return Object.assign(new Error(`EACCES: permission denied, open '${path}'`), { code: 'EACCES', path })
}

/** The statement and its values only, without Kysely's syntax tree. */
const statementOf = ({ sql, parameters }: Query): Query => ({ sql, parameters })

function resultOf<Row>({ rows, affectedRows }: Outcome): QueryResult<Row> {
  return { rows: rows as Row[], numAffectedRows: BigInt(affectedRows) }
}
