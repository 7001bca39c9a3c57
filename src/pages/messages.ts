import type { FieldError, Problem } from '../platform/http/problem.ts'
import type { Texts } from './catalogue/en.ts'

/** What is wrong with a form, in the words of its page. */
export interface FormMessage {
  /** The field that has to be corrected; undefined when it is not about one. */
  field?: string | undefined
  text: string
}

/** A refusal of an operation as messages for the person at the form. */
export function messagesOf(texts: Texts, problem: Problem, values: Readonly<Record<string, string>>): FormMessage[] {
  if (problem.slug === 'too-many-requests') return [{ text: tooMany(texts, problem) }]
  if (!problem.errors) return [{ field: fieldOfRefusal[problem.detail], text: translate(texts, problem.detail) ?? texts.invalid }]
  return problem.errors.map((error) => {
    const field = String(error.path[0] ?? '')
    return { field, text: translateField(texts, error, values[field] ?? '') }
  })
}

/** The text of a refusal that the pages know; undefined for any other. */
export function translate(texts: Texts, detail: string): string | undefined {
  const exact = refusalTexts[detail]
  if (exact) return texts.refusals[exact]
  const length = /^Password must contain at least (\d+) characters$/.exec(detail)?.[1]
  return length === undefined ? undefined : texts.refusals.passwordTooShort(length)
}

function translateField(texts: Texts, { code, message }: FieldError, value: string): string {
  if (value === '' && code !== 'custom') return texts.required
  const known = translate(texts, message)
  if (known) return known
  const least = /(?:>=\s?|at least )(\d+)/.exec(message)?.[1]
  if (code === 'too_small') return value.trim() === '' || least === undefined ? texts.required : texts.tooShort(Number(least))
  if (code === 'too_big') return texts.tooLong
  return /control characters/.test(message) ? texts.invalidCharacters : texts.invalid
}

function tooMany(texts: Texts, { headers, detail }: Problem): string {
  const minutes = Math.ceil(Number(headers['retry-after'] ?? 60) / 60)
  return detail.startsWith('Too many requests') ? texts.tooManyRequests(minutes) : texts.tooMany(minutes)
}

/** The refusals that a page can meet, by their English text. */
const refusalTexts: Record<string, Exclude<keyof Texts['refusals'], 'passwordTooShort'>> = {
  'Invalid email or password': 'credentials',
  'User is blocked': 'blocked',
  'Organisation is suspended': 'suspended',
  'Invalid verification code': 'code',
  'Current password is wrong': 'currentPassword',
  'MFA is already enabled': 'mfaEnabled',
  'MFA enrollment has not been started': 'enrolmentNotStarted',
  'The organisation does not allow the MFA method totp': 'methodNotAllowed',
  'The organisation does not allow the MFA method sms': 'methodNotAllowed',
  'The code could not be sent, try again later': 'smsFailed',
  'Must be a phone number with country code, such as +4915112345678': 'phone',
  'Invalid or expired token': 'link',
  'Invalid or expired invitation': 'link',
  'Email already registered': 'registered',
  'Trial limit reached: users': 'trialLimit',
  'Password must contain an upper-case letter': 'passwordUppercase',
  'Password must contain a lower-case letter': 'passwordLowercase',
  'Password must contain a number': 'passwordNumber',
  'Password must contain a symbol': 'passwordSymbol',
  'Password is one of the most common passwords': 'passwordCommon',
  'Password must not be made of the name or the e-mail address': 'passwordPersonal',
  'Password has been used before': 'passwordUsed',
  'Invalid email': 'email',
}

const fieldOfRefusal: Record<string, string> = {
  'Invalid email or password': 'email',
  'Invalid verification code': 'code',
}
