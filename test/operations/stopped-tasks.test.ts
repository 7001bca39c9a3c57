import { expect, it } from 'vitest'
import { runDueTasks, type Task } from '../../src/platform/jobs/tasks.ts'
import { unique } from '../support/given.ts'
import { useService } from '../support/service.ts'

const service = useService()

it('a process that stops begins no further periodic task, and leaves it to another one', async () => {
  const stopping = new AbortController()
  const done: string[] = []
  const task = (name: string, run: () => void): Task => ({
    name,
    everySeconds: 60,
    async run() {
      done.push(name)
      run()
      return false
    },
  })
  const [first, second] = [`first-${unique()}`, `second-${unique()}`] as const
  const tasks = [task(first, () => stopping.abort()), task(second, () => {})]
  const fail = (error: unknown) => expect.fail(String(error))

  await runDueTasks(service().database, tasks, fail, stopping.signal)
  expect(done).toEqual([first])
  await runDueTasks(service().database, tasks, fail)
  expect(done).toEqual([first, second])
})
