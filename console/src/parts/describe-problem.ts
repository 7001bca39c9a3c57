import { Problem } from '../api/problem.ts'
import { problemTexts as problems } from '../texts/problems.ts'
import { shellTexts as t } from '../texts/shell.ts'

type Words = string | ((value: string) => string)

/** Those that only changes get are many, and none of them is needed before one was refused. */
let ofChanges: Partial<Record<string, Words>> = {}

/** To be awaited before a refused change is described. Without them it is described in the API's own English. */
export async function loadChangeRefusals(): Promise<void> {
  await import('../texts/change-refusals.ts').then(
    ({ changeRefusalTexts }) => {
      ofChanges = changeRefusalTexts.ofChanges
    },
    () => {},
  )
}

/** Describes an error, in the language of the console if its catalogue knows the refusal; else in the API's own English. */
export function describeProblem(error: unknown): { text: string; isEnglish: boolean } {
  if (!(error instanceof Problem)) return { text: t.unexpected, isEnglish: false }
  if (error.status === 429) return { text: problems.tooMany(error.retryAfter ?? 60), isEnglish: false }
  const known = textOf(error.code, error.permission)
  return known ? { text: known, isEnglish: false } : { text: error.message, isEnglish: true }
}

/** Describes a mistake in a field by its reason, else by the kind of mistake. */
export function describeFieldError({ name, code, reason = '', message, minimum, isRequired }: Problem['fields'][number]): string {
  const known = textOf(reason, minimum?.toString())
  if (known) return known
  if (isRequired) return t.required
  if (code === 'too_small') return minimum === undefined || minimum <= 1 ? t.required : t.tooShort(minimum)
  if (code === 'too_big') return t.tooLong
  if (code === 'invalid_string' && /email$/i.test(name)) return problems.refusals['invalid-email']
  return code === 'custom' ? message : t.invalid
}

/** The text of a refusal; undefined when it needs a value that the refusal lacks. */
function textOf(code: string, value: string | undefined): string | undefined {
  const known: Partial<Record<string, Words>> = { ...problems.refusals, ...ofChanges }
  const text = Object.hasOwn(known, code) ? known[code] : undefined
  if (text === undefined) return undefined
  if (typeof text === 'string') return text
  return value === undefined ? undefined : text(value)
}
