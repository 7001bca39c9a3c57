import { describe, expect, it } from 'vitest'
import { createDatabase } from '../../src/platform/database/database.ts'
import type { Engine, Query } from '../../src/platform/database/engine.ts'
import { runDueTasks, type Task } from '../../src/platform/jobs/tasks.ts'
import { unique } from '../support/given.ts'
import { useService } from '../support/service.ts'

const service = useService()

/** The database of the service by a network that can lose statements, or what the database says to them. */
function givenNetwork() {
  const { engine, clock } = service()
  const network = { losesStatement: (_query: Query) => false, losesResult: (_query: Query) => false }
  const lost = () => new Error('connection terminated')
  const execute: Engine['execute'] = async (query, setUp) => {
    if (network.losesStatement(query)) throw lost()
    const result = await engine.execute<never>(query, setUp)
    if (network.losesResult(query)) throw lost()
    return result
  }
  return { network, clock, database: createDatabase({ ...engine, execute }, clock) }
}

describe('a periodic task', () => {
  it('runs again after its time where the database was away when it ended, and the others run meanwhile', async () => {
    const { network, clock, database } = givenNetwork()
    const runs: string[] = []
    const task = (name: string, run = () => {}): Task => ({
      name: `${name}-${unique()}`,
      everySeconds: 10,
      async run() {
        runs.push(name)
        run()
        return false
      },
    })
    const first = task('first', () => {
      network.losesStatement = ({ parameters }) => parameters.includes(first.name)
    })
    const tasks = [first, task('second')]
    const [errors, unreleased] = [[] as unknown[], new Map()]
    const walk = () => runDueTasks(database, tasks, (error, name) => errors.push([name, String(error)]), undefined, unreleased)

    await walk()
    expect(runs).toEqual(['first', 'second'])
    expect(errors).toEqual([[first.name, 'Error: connection terminated']])

    network.losesStatement = () => false
    await walk()
    expect(runs).toEqual(['first', 'second'])
    clock.advance({ seconds: 10 })
    await walk()
    expect(runs).toEqual(['first', 'second', 'first', 'second'])
  })

  it('runs at the next walk where the process has not learnt that it has claimed it', async () => {
    const { network, database } = givenNetwork()
    let runs = 0
    const task: Task = { name: `task-${unique()}`, everySeconds: 10, run: async () => ++runs < 0 }
    const unreleased = new Map()
    const walk = () => runDueTasks(database, [task], (error) => expect.fail(String(error)), undefined, unreleased)

    network.losesResult = ({ sql }) => /^\s*insert into tasks/.test(sql)
    await expect(walk()).rejects.toThrow('connection terminated')
    network.losesResult = () => false
    await walk()
    expect(runs).toBe(1)
  })
})
