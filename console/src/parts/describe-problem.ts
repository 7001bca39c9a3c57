import { Problem } from '../api/problem.ts'
import { refusalInWords } from '../api/refusals-in-words.ts'
import { problemTexts as problems } from '../texts/problems.ts'
import { shellTexts as t } from '../texts/shell.ts'

export { loadChangeRefusals } from '../api/refusals-in-words.ts'

/** Describes an error, in the language of the console if its catalogue knows the refusal; else in the API's own English. */
export function describeProblem(error: unknown): { text: string; isEnglish: boolean } {
  if (!(error instanceof Problem)) return { text: t.unexpected, isEnglish: false }
  if (error.status === 429) return { text: problems.tooMany(error.retryAfter ?? 60), isEnglish: false }
  const known = textOf(error.code, error.permission)
  return known ? { text: known, isEnglish: false } : { text: error.message, isEnglish: true }
}

/** The text of a refusal; undefined when it needs a value that the refusal lacks. */
export function textOf(code: string, value: string | undefined): string | undefined {
  const words = refusalInWords(code)
  if (typeof words !== 'function') return words
  return value === undefined ? undefined : words(value)
}
