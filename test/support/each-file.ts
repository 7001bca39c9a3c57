/** Fails every test in which a service sends a response that its description lacks. */
import { afterAll, afterEach, expect } from 'vitest'
import { takeUndescribed } from './described-answers.ts'

afterEach(() => expect(takeUndescribed()).toEqual([]))
afterAll(() => expect(takeUndescribed()).toEqual([]))
