import { type Expression, sql } from 'kysely'
import { secondsAfter } from '../clock.ts'
import type { Database, System } from '../database/database.ts'
import { storableText } from '../text.ts'

const leaseSeconds = 600
const renewalMilliseconds = 200_000
/** The difference between the clocks of two machines beyond which a time counts as stored by a wrong clock. */
const skewSeconds = 60

/** Periodic work that one of the processes does. */
export interface Task {
  name: string
  everySeconds: number
  /**
   * @param stopping is aborted when the process stops: what takes long ends as soon as it can, and another process does the rest
   * @returns whether it stopped early and has more to do now
   */
  run(database: Database, stopping?: AbortSignal): Promise<boolean>
}

/** How a run has ended. */
interface Outcome {
  at: Date
  again: boolean
  error?: string
}

interface Claim {
  /** Its end, which also identifies its holder. */
  until: Date
  /** Undefined where the task has not run. */
  outcome?: Outcome
}

/** The claims of a process that it could not release, by the names of their tasks. */
export type UnreleasedClaims = Map<string, Claim>

/**
 * Runs the tasks that are due. Of several processes, the one that claims a task runs it, and holds the claim for as long as it runs:
 * another process starts only a task whose process has ended.
 *
 * @param unreleased where the process keeps its claims that a database which was away could not take back: they are released first. Without
 *   that, nothing would run these tasks until the claims end
 */
export async function runDueTasks(
  database: Database,
  tasks: readonly Task[],
  onError: (error: unknown, task: string) => void,
  stopping?: AbortSignal,
  unreleased: UnreleasedClaims = new Map(),
): Promise<boolean> {
  let more = false
  for (const [name, claim] of unreleased) {
    const task = tasks.find((known) => known.name === name)
    if (task) await release(database, task, claim)
    unreleased.delete(name)
  }
  for (const task of await dueOf(database, tasks)) {
    if (stopping?.aborted) return more
    const claim: Claim = { until: secondsAfter(database.system().now, leaseSeconds) }
    const isClaimed = await takeClaim(database, task, claim).catch((error) => {
      // The database may have stored it all the same.
      unreleased.set(task.name, claim)
      throw error
    })
    if (!isClaimed) continue
    const lease = keepLease(database, task, claim.until)
    const outcome: Outcome = await Promise.try(() => task.run(database, stopping)).then(
      (again) => ({ at: database.system().now, again }),
      (error) => {
        onError(error, task.name)
        return { at: database.system().now, again: false, error: storableText(String(error), 255) }
      },
    )
    const done: Claim = { until: await lease.end(), outcome }
    await release(database, task, done).catch((error) => {
      unreleased.set(task.name, done)
      onError(error, task.name)
    })
    more ||= outcome.again
  }
  return more
}

/**
 * Whether a task is due and nothing runs it. A time that is further away than a task ever waits was stored before the clock was set back: the
 * task is due. A task at `infinity` never is.
 *
 * @param nextRunMax the time after which its next run cannot be
 */
function isClaimable(now: Date, nextRunMax: Expression<Date>) {
  const leaseMax = secondsAfter(now, leaseSeconds + skewSeconds)
  return sql<boolean>`
    (tasks.next_run_at <= ${now} or (tasks.next_run_at > ${nextRunMax} and isfinite(tasks.next_run_at)))
      and (tasks.claimed_until is null or tasks.claimed_until <= ${now} or tasks.claimed_until > ${leaseMax})`
}

/** Those that may be due, by one statement: most of the time none is. Whether one still is, its claim decides. */
async function dueOf(database: Database, tasks: readonly Task[]): Promise<Task[]> {
  const system = database.system()
  const maxima = tasks.map(({ everySeconds }) => secondsAfter(system.now, everySeconds + skewSeconds))
  const { rows } = await sql<{ name: string }>`
    select tasks.name from tasks
    join unnest(${tasks.map(({ name }) => name)}::text[], ${maxima}::timestamptz[]) as given (name, next_run_max) on given.name = tasks.name
    where not (${isClaimable(system.now, sql.ref('given.next_run_max'))})`.execute(system)
  const waiting = new Set(rows.map(({ name }) => name))
  return tasks.filter(({ name }) => !waiting.has(name))
}

/** @returns whether the process has it: no other one claims the task before its end */
async function takeClaim(database: Database, { name, everySeconds }: Task, { until }: Claim): Promise<boolean> {
  const system = database.system()
  const nextRunMax = secondsAfter(system.now, everySeconds + skewSeconds)
  const { rows } = await sql`
    insert into tasks (name, next_run_at, claimed_until) values (${name}, ${system.now}, ${until})
    on conflict (name) do update set claimed_until = excluded.claimed_until
    where ${isClaimable(system.now, sql.val(nextRunMax))}
    returning name`.execute(system)
  return rows.length > 0
}

/** Records that the tasks have run, for a database that is so new that they have nothing to do: they are due after their time. */
export async function postponeTasks(database: Database, tasks: readonly Task[]): Promise<void> {
  const { now } = database.system()
  await database
    .system()
    .insertInto('tasks')
    .values(tasks.map(({ name, everySeconds }) => ({ name, nextRunAt: secondsAfter(now, everySeconds), lastRunAt: now })))
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
}

/** Renews a lease while the task runs. A lease that another process has taken over is left to it. */
function keepLease(database: Database, { name }: Task, claimedUntil: Date): { end(): Promise<Date> } {
  let held = claimedUntil
  let renewing: Promise<void> = Promise.resolve()
  async function renew(): Promise<void> {
    const system = database.system()
    const renewed = secondsAfter(system.now, leaseSeconds)
    const { numUpdatedRows } = await system
      .updateTable('tasks')
      .set({ claimedUntil: renewed })
      .where('name', '=', name)
      .where('claimedUntil', '=', held)
      .executeTakeFirst()
    if (numUpdatedRows > 0n) held = renewed
  }
  const timer = setInterval(() => {
    // If the database is unreachable for a moment, the renewal is retried long before the lease ends.
    renewing = renewing.then(renew).catch(() => {})
  }, renewalMilliseconds)
  timer.unref()
  return {
    async end() {
      clearInterval(timer)
      await renewing
      return held
    },
  }
}

async function release(database: Database, { name, everySeconds }: Task, { until, outcome }: Claim): Promise<void> {
  await database
    .system()
    .updateTable('tasks')
    .set({
      claimedUntil: null,
      ...(outcome && {
        nextRunAt: outcome.again ? outcome.at : secondsAfter(outcome.at, everySeconds),
        // A run that failed is none: what notices a clock that was set back does so again.
        ...(outcome.error === undefined && { lastRunAt: outcome.at }),
        lastError: outcome.error ?? null,
      }),
    })
    .where('name', '=', name)
    .where('claimedUntil', '=', until)
    .execute()
}

/** Whether a task last ran at a time in the future: the clock has been set back since. */
export async function ranInFuture(system: System, name: string): Promise<boolean> {
  const task = await system.selectFrom('tasks').select('lastRunAt').where('name', '=', name).executeTakeFirst()
  return task?.lastRunAt != null && task.lastRunAt > secondsAfter(system.now, skewSeconds)
}

/** Removes the records of tasks whose names begin with a prefix: they have no work left. */
export async function forgetTasks(database: Database, prefix: string): Promise<void> {
  const name = sql.ref('name')
  await database.system().deleteFrom('tasks').where(sql<boolean>`starts_with(${name}, ${prefix})`).execute()
}
