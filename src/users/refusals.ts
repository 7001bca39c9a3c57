import { fieldMistake } from '../platform/http/problem.ts'

export const wouldBeRefused = fieldMistake('would-be-refused', (why: string) => `Would be refused: ${why}`)
