import { shellTexts as t } from '../texts/shell.ts'
import type { FieldTexts } from '../ui/field.tsx'

/** The text for a mistake that a browser finds in a field, in the language of the console. */
export const fieldText: FieldTexts = (found, { minLength = 1, min, max, type }) => {
  if (found.valueMissing) return t.required
  if (found.tooShort) return t.tooShort(minLength)
  if (found.tooLong) return t.tooLong
  if (found.rangeUnderflow) return t.tooSmall(min ?? 0)
  if (found.rangeOverflow) return t.tooLarge(max ?? 0)
  if (found.patternMismatch && type === 'tel') return t.invalidPhone
  return found.valid ? undefined : t.invalid
}
