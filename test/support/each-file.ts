/** Fails every test in which a service sends a response that its description lacks. */
import { afterAll, afterEach, expect } from 'vitest'
import { drainUndescribed } from './described-answers.ts'

afterEach(() => expect(drainUndescribed()).toEqual([]))
afterAll(() => expect(drainUndescribed()).toEqual([]))
