import { Problem } from '../api/problem.ts'
import { describeFieldError } from './describe-mistake.ts'
import { describeProblem } from './describe-problem.ts'

/** What was refused, at its places in a form. */
export interface Placed {
  /** The mistakes by the name of the field. */
  errors: Record<string, string>
  /** The problem outside the fields of the form. */
  summary: { text: string; isEnglish: boolean; requestId?: string | undefined } | undefined
}

/** @param fields the names that have a place in the form */
export function placeErrors(error: unknown, fields: readonly string[]): Placed {
  if (!(error instanceof Problem)) return { errors: {}, summary: describeProblem(error) }
  const errors: Record<string, string> = {}
  const others: string[] = []
  for (const mistake of error.fields) {
    const place = [mistake.name, ...shorter(mistake.name)].find((name) => fields.includes(name))
    const text = describeFieldError(mistake)
    if (place === undefined) others.push(mistake.name ? `${mistake.name}: ${text}` : text)
    else errors[place] ??= text
  }
  if (others.length > 0) return { errors, summary: { text: others.join('. '), isEnglish: false, requestId: error.requestId } }
  if (Object.keys(errors).length > 0) return { errors, summary: undefined }
  const { field } = error
  if (field !== undefined && fields.includes(field)) return { errors: { [field]: describeProblem(error).text }, summary: undefined }
  return { errors, summary: { ...describeProblem(error), requestId: error.requestId } }
}

/** Shortens a name: `a.b.c` → `a.b`, `a`. */
function shorter(name: string): string[] {
  const parts = name.split('.')
  return parts.slice(1).map((_, index) => parts.slice(0, -1 - index).join('.'))
}
