import { fieldRefusal } from '../platform/http/problem.ts'

export const rangeIsEmpty = fieldRefusal('range-is-empty', ['from'], 'Must be before to')
export const rangeTooLong = fieldRefusal('range-too-long', ['from'], (days: number) => `Must be at most ${days} days before to`)
