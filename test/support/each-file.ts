/** Fails every test in which a service sends a response that its description lacks, and notes what the file spent its time on. */
import { afterAll, afterEach, expect, type RunnerTestFile } from 'vitest'
import { drainUndescribed } from './described-answers.ts'
import { beginProfile, currentProfile } from './profile.ts'

let file: RunnerTestFile | undefined

beginProfile()
afterAll(() => {
  if (file) file.meta.profile = currentProfile()
})
afterEach(({ task }) => {
  file = task.file
  expect(drainUndescribed()).toEqual([])
})
afterAll(() => expect(drainUndescribed()).toEqual([]))
