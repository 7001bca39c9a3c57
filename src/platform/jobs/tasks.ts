import { sql } from 'kysely'
import { secondsAfter } from '../clock.ts'
import type { Database, System } from '../database/database.ts'
import { storableText } from '../text.ts'

const leaseSeconds = 600
/** By how much the clocks of two machines may differ before a time counts as one that a wrong clock has stored. */
const skewSeconds = 60

/** Periodic work that one of the processes does. */
export interface Task {
  name: string
  everySeconds: number
  /** @returns whether it stopped early and has more to do now */
  run(database: Database): Promise<boolean>
}

/** Runs the tasks that are due. Of several processes, the one that claims a task runs it. */
export async function runDueTasks(
  database: Database,
  tasks: readonly Task[],
  onError: (error: unknown, task: string) => void,
): Promise<boolean> {
  let more = false
  for (const task of tasks) {
    if (!(await claim(database, task))) continue
    let outcome: { again: boolean; error?: string } = { again: false }
    try {
      outcome = { again: await task.run(database) }
    } catch (error) {
      onError(error, task.name)
      outcome = { again: false, error: storableText(String(error), 255) }
    }
    await release(database, task, outcome)
    more ||= outcome.again
  }
  return more
}

/** A time that is further away than a task ever waits was stored before the clock was set back: the task is due. One at `infinity` never is. */
async function claim(database: Database, { name, everySeconds }: Task): Promise<boolean> {
  const system = database.system()
  const [nextRunMax, leaseMax] = [everySeconds, leaseSeconds].map((seconds) => secondsAfter(system.now, seconds + skewSeconds))
  const { rows } = await sql`
    insert into tasks (name, next_run_at, claimed_until) values (${name}, ${system.now}, ${secondsAfter(system.now, leaseSeconds)})
    on conflict (name) do update set claimed_until = excluded.claimed_until
    where (tasks.next_run_at <= ${system.now} or (tasks.next_run_at > ${nextRunMax} and isfinite(tasks.next_run_at)))
      and (tasks.claimed_until is null or tasks.claimed_until <= ${system.now} or tasks.claimed_until > ${leaseMax})
    returning name`.execute(system)
  return rows.length > 0
}

async function release(database: Database, task: Task, outcome: { again: boolean; error?: string }): Promise<void> {
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
    .execute()
}

/** Whether a task last ran at a time that is still to come: the clock has been set back since. */
export async function ranInFuture(system: System, name: string): Promise<boolean> {
  const task = await system.selectFrom('tasks').select('lastRunAt').where('name', '=', name).executeTakeFirst()
  return task?.lastRunAt != null && task.lastRunAt > secondsAfter(system.now, skewSeconds)
}

/** Removes the records of tasks whose names begin with a prefix: they have nothing left to do. */
export async function forgetTasks(database: Database, prefix: string): Promise<void> {
  const name = sql.ref('name')
  await database.system().deleteFrom('tasks').where(sql<boolean>`starts_with(${name}, ${prefix})`).execute()
}
