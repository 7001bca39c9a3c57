/** Refusals of the HTTP server itself on any route, and refusals that several features share. */
import { fieldMistake, fieldRefusal, refusal, retryAfter } from './problem.ts'

/** @param meant the address that was probably meant */
export const noSuchAddress = refusal('no-such-address', 'not-found', 'No such address', (meant?: string) =>
  meant === undefined ? {} : { members: { hint: `Did you mean ${meant}?` } },
)
export const methodNotAllowed = refusal(
  'method-not-allowed',
  'method-not-allowed',
  (allow: string) => `Use ${allow}`,
  (allow) => ({ headers: { allow } }),
)
export const preconditionFailed = refusal(
  'precondition-failed',
  'precondition-failed',
  'The record is not the one that If-Match names: it has changed since it was read',
)
export const bodyTooLarge = refusal('body-too-large', 'payload-too-large', 'The body is larger than 1 MiB')
export const unsupportedMediaType = refusal(
  'unsupported-media-type',
  'unsupported-media-type',
  'Send the body as Content-Type: application/json',
)
export const requestTimeout = refusal('request-timeout', 'request-timeout', 'The request was not received in time')
export const headersTooLarge = refusal('headers-too-large', 'request-header-fields-too-large', 'The headers are larger than 16 KiB')
export const invalidJson = refusal('invalid-json', 'bad-request', 'The body is not valid JSON', (cause: unknown) => ({ cause }))
export const malformedRequest = refusal('malformed-request', 'bad-request', 'Malformed request', (cause: unknown) => ({ cause }))
export const invalidCharacters = fieldMistake('invalid-characters', (which: string) => `Must not contain ${which} characters`)
export const invalidUrl = fieldMistake('invalid-url', 'Invalid URL')
export const urlNotHttps = fieldMistake('url-not-https', 'Must be an https URL')
export const invalidTime = fieldMistake('invalid-time', 'Invalid datetime')
export const invalidSlug = fieldMistake('invalid-slug', 'Must be lower-case letters, digits and hyphens')
export const invalidCursor = fieldMistake('invalid-cursor', 'Invalid cursor')
export const nestedTooDeep = fieldMistake('nested-too-deep', (levels: number) => `Must not be nested deeper than ${levels} levels`)
export const tooManyBytes = fieldMistake('too-many-bytes', (bytes: number) => `Must be at most ${bytes} bytes as JSON`)
export const yearOutOfRange = fieldMistake('year-out-of-range', 'Must be in the years 2000 to 9998')
export const unknownTimeZone = fieldMistake('unknown-time-zone', 'Must be the name of an IANA time zone')
export const emptyRange = fieldRefusal('empty-range', ['to'], 'Must be after from')
export const rangeTooLong = fieldRefusal('range-too-long', ['from'], (days: number) => `Must be at most ${days} days before to`)
export const serviceNotAvailable = refusal(
  'service-unavailable',
  'service-unavailable',
  'The service is not available at the moment',
  (cause: unknown) => ({ cause, ...retryAfter(5) }),
)
export const tooManyPasswords = refusal(
  'too-many-passwords',
  'service-unavailable',
  'Too many passwords are being checked, try again in a moment',
  () => retryAfter(2),
)
export const unexpectedError = refusal('unexpected-error', 'internal-server-error', 'An unexpected error occurred', (cause: unknown) => ({
  cause,
}))
