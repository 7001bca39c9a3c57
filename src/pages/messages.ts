import type { rateLimitTable } from '../access/rate-limits.ts'
import type { FieldError, Problem } from '../platform/http/problem.ts'
import type { Texts } from './catalogue/en.ts'
import type { RefusalOnPage } from './refusals-on-page.ts'

/** A mistake in a form, in the words of its page. */
export interface FormMessage {
  /** The field that has to be corrected; undefined for a message about the whole form. */
  field?: string | undefined
  text: string
  /** Whether the message could be about any field, so that it does not say which. */
  isGeneral?: boolean
}

type RateLimitCode = (typeof rateLimitTable)[keyof typeof rateLimitTable]['code']

/** Turns a refusal of an operation into messages for the user. */
export function messagesOf(texts: Texts, problem: Problem, values: Readonly<Record<string, string>>): FormMessage[] {
  if (problem.slug === 'too-many-requests') return [{ text: tooMany(texts, problem) }]
  if (!problem.errors) return [{ field: fieldOf(problem, values), text: refusalText(texts, problem) ?? texts.invalid }]
  return problem.errors.map((error) => {
    const field = String(error.path[0] ?? '')
    return { field, ...fieldMessage(texts, error, field, values[field] ?? '') }
  })
}

/**
 * The field of a refusal. Of name and password either may be wrong, but the password has to be entered again. A form without the field
 * shows the message above all fields.
 */
function fieldOf({ code, field }: Problem, values: Readonly<Record<string, string>>): string | undefined {
  if (code === ('invalid-credentials' satisfies RefusalOnPage)) return 'password'
  return field !== undefined && Object.hasOwn(values, field) ? field : undefined
}

/** The text of a refusal that the pages know; undefined for any other. */
export const refusalText = (texts: Texts, { code }: Pick<Problem, 'code'>): string | undefined => textOf(texts, code)

function textOf({ refusals }: Texts, code: string, count = 0): string | undefined {
  if (!Object.hasOwn(refusals, code)) return undefined
  const text = refusals[code as RefusalOnPage]
  return typeof text === 'string' ? text : text(count)
}

function fieldMessage(texts: Texts, { code, reason, minimum }: FieldError, field: string, value: string): FormMessage {
  if (value === '' && code !== 'custom') return general(texts.required)
  if (reason === 'invalid-characters') return general(texts.invalidCharacters)
  const known = reason && textOf(texts, reason, minimum)
  if (known) return { text: known }
  if (code === 'too_small')
    return value.trim() === '' || minimum === undefined ? general(texts.required) : { text: texts.tooShort(minimum) }
  if (code === 'too_big') return general(texts.tooLong)
  return field === 'email' && code === 'invalid_string' ? { text: texts.invalidEmail } : general(texts.invalid)
}

const general = (text: string): FormMessage => ({ text, isGeneral: true })

/** The limits on requests; all others are limits on failed attempts. */
const limitsOnRequests: ReadonlySet<string> = new Set([
  'too-many-password-links',
  'too-many-verification-links',
  'too-many-email-codes',
  'too-many-federated-sign-ins',
  'too-many-identifications',
] satisfies RateLimitCode[])

function tooMany(texts: Texts, { code, headers }: Problem): string {
  const minutes = Math.ceil(Number(headers['retry-after'] ?? 60) / 60)
  return limitsOnRequests.has(code) ? texts.tooManyRequests(minutes) : texts.tooMany(minutes)
}
