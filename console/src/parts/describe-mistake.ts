import type { Problem } from '../api/problem.ts'
import { shellTexts as t } from '../texts/shell.ts'
import { textOf } from './describe-problem.ts'

/** Describes a mistake in a field by its reason, else by the kind of mistake. */
export function describeFieldError({ name, code, reason = '', message, minimum, isRequired }: Problem['fields'][number]): string {
  const known = textOf(reason, minimum?.toString())
  if (known) return known
  if (isRequired) return t.required
  if (code === 'too_small') return minimum === undefined || minimum <= 1 ? t.required : t.tooShort(minimum)
  if (code === 'too_big') return t.tooLong
  if (code === 'invalid_string' && /email$/i.test(name)) return textOf('invalid-email', undefined) ?? t.invalid
  return code === 'custom' ? message : t.invalid
}
