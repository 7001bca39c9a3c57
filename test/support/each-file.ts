/**
 * Fails every test in which a service sends a response that its description lacks, and notes what the file spent its time on and what it
 * asked the database. On the embedded database it leaves out what test/both-databases.json leaves to PostgreSQL.
 */
import process from 'node:process'
import { afterAll, afterEach, beforeEach, expect, type RunnerTask, type RunnerTestFile } from 'vitest'
import { partOfFile } from '../one-database.ts'
import { databaseKind } from './database.ts'
import { drainUndescribed } from './described-answers.ts'
import { beginProfile, currentProfile } from './profile.ts'
import { leaveToFile, takeStatementsOfFile, takeStatementsOfTest } from './sent-statements.ts'

let file: RunnerTestFile | undefined
/** The full names of the tests that run. Undefined where all do. */
let part: ReadonlySet<string> | undefined

const leavesOut = databaseKind() === 'pglite' && !process.env.EVERY_TEST_ON_PGLITE

const testsOf = (task: RunnerTask): string[] => ('tasks' in task ? task.tasks.flatMap(testsOf) : [task.fullTestName])

if (databaseKind() === 'pglite') await import('./compiled-pglite.ts')
beginProfile()
beforeEach(({ task, skip }) => {
  if (file !== task.file) part = leavesOut ? partOfFile(task.file.name, testsOf(task.file)) : undefined
  file = task.file
  if (part && !part.has(task.fullTestName)) skip('runs on the other database')
})
afterEach(() => expect(drainUndescribed()).toEqual([]))
afterAll(() => expect(drainUndescribed()).toEqual([]))
if (process.env.RECORD_STATEMENTS) {
  beforeEach(() => leaveToFile())
  afterEach(({ task }) => {
    task.meta.statements = takeStatementsOfTest()
  })
}
afterAll(() => {
  if (!file) return
  file.meta.profile = currentProfile()
  file.meta.statements = takeStatementsOfFile()
})
