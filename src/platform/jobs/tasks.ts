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
  /** @returns whether it stopped early and has more to do now */
  run(database: Database): Promise<boolean>
}

/**
 * Runs the tasks that are due. Of several processes, the one that claims a task runs it, and holds the claim for as long as it runs:
 * another process starts only a task whose process has ended.
 */
export async function runDueTasks(
  database: Database,
  tasks: readonly Task[],
  onError: (error: unknown, task: string) => void,
): Promise<boolean> {
  let more = false
  for (const task of await dueOf(database, tasks)) {
    const claimedUntil = await claim(database, task)
    if (!claimedUntil) continue
    const lease = keepLease(database, task, claimedUntil)
    let outcome: { again: boolean; error?: string } = { again: false }
    try {
      outcome = { again: await task.run(database) }
    } catch (error) {
      onError(error, task.name)
      outcome = { again: false, error: storableText(String(error), 255) }
    }
    await release(database, task, await lease.end(), outcome)
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

/** @returns the end of the claim, which also identifies its holder: no other process claims the task before that time */
async function claim(database: Database, { name, everySeconds }: Task): Promise<Date | undefined> {
  const system = database.system()
  const claimedUntil = secondsAfter(system.now, leaseSeconds)
  const nextRunMax = secondsAfter(system.now, everySeconds + skewSeconds)
  const { rows } = await sql`
    insert into tasks (name, next_run_at, claimed_until) values (${name}, ${system.now}, ${claimedUntil})
    on conflict (name) do update set claimed_until = excluded.claimed_until
    where ${isClaimable(system.now, sql.val(nextRunMax))}
    returning name`.execute(system)
  return rows.length > 0 ? claimedUntil : undefined
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

async function release(database: Database, task: Task, claimedUntil: Date, outcome: { again: boolean; error?: string }): Promise<void> {
  const system = database.system()
  await system
    .updateTable('tasks')
    .set({
      nextRunAt: outcome.again ? system.now : secondsAfter(system.now, task.everySeconds),
      claimedUntil: null,
      lastRunAt: system.now,
      lastError: outcome.error ?? null,
    })
    .where('name', '=', task.name)
    .where('claimedUntil', '=', claimedUntil)
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
