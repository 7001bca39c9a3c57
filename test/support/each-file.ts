/** What holds for every test: one during which a service answers what its description does not say fails. */
import { afterAll, afterEach, expect } from 'vitest'
import { takeUndescribed } from './described-answers.ts'

afterEach(() => expect(takeUndescribed()).toEqual([]))
afterAll(() => expect(takeUndescribed()).toEqual([]))
