import { Problem } from '../api/problem.ts'
import { shellTexts as t } from '../texts/shell.ts'

/** What went wrong, in the language of the console where its catalogue knows the refusal; else the API's own English. */
export function describeProblem(error: unknown): { text: string; isEnglish: boolean } {
  if (!(error instanceof Problem)) return { text: t.unexpected, isEnglish: false }
  if (error.status === 429) return { text: t.tooMany(error.retryAfter ?? 60), isEnglish: false }
  const known = textOf(error.code)
  return known ? { text: known, isEnglish: false } : { text: error.message, isEnglish: true }
}

/** A mistake in a field. */
export function describeFieldError({ code, reason, message }: Problem['fields'][number]): string {
  const known = textOf(reason ?? '')
  if (known) return known
  const least = /\d+/.exec(message)?.[0]
  if (code === 'too_small') return least === undefined || least === '1' ? t.required : t.tooShort(Number(least), message)
  if (code === 'invalid_type' && /required/i.test(message)) return t.required
  return message
}

const textOf = (code: string): string | undefined =>
  Object.hasOwn(t.refusals, code) ? t.refusals[code as keyof typeof t.refusals] : undefined
