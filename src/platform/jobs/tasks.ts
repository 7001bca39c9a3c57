import { sql } from 'kysely'
import { secondsAfter } from '../clock.ts'
import type { Database } from '../database/database.ts'
import { storableText } from '../text.ts'

const leaseSeconds = 600

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

async function claim(database: Database, { name }: Task): Promise<boolean> {
  const system = database.system()
  const { rows } = await sql`
    insert into tasks (name, next_run_at, claimed_until) values (${name}, ${system.now}, ${secondsAfter(system.now, leaseSeconds)})
    on conflict (name) do update set claimed_until = excluded.claimed_until
    where tasks.next_run_at <= ${system.now} and (tasks.claimed_until is null or tasks.claimed_until <= ${system.now})
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

/** Removes the records of tasks whose names begin with a prefix: they have nothing left to do. */
export async function forgetTasks(database: Database, prefix: string): Promise<void> {
  const name = sql.ref('name')
  await database.system().deleteFrom('tasks').where(sql<boolean>`starts_with(${name}, ${prefix})`).execute()
}
